"""What a model's tokens cost: by the configuration, else as the provider says, else by a dated table."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.kernel.types import Usage

_DATED = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens: read, read from the provider's cache, and written."""

    read: float
    cached: float
    written: float

    def of(self, usage: Usage) -> int:
        """Return what a usage costs, in millionths of a dollar."""
        fresh = usage.tokens_in - usage.cached
        return round(fresh * self.read + usage.cached * self.cached + usage.tokens_out * self.written)


@cache
def table() -> dict[str, Price]:
    """Well-known models, by name. The file says as of when."""
    text = files("core.agents").joinpath("prices.json").read_text(encoding="utf-8")
    return {name: Price(*price) for name, price in json.loads(text)["models"].items()}


@dataclass(frozen=True, slots=True)
class Prices:
    """Finds prices. `given` is that of the configuration, which holds for every model; the table counts only where the
    models are those of their maker (`own`): a server of one's own may call its models as it likes."""

    given: Price | None = None
    own: bool = True

    def of(self, model: str) -> Price | None:
        """Return the price of a model before it is asked, None when nobody knows it. A date behind its name means
        nothing."""
        known = table() if self.own else {}
        return self.given or known.get(model) or known.get(_DATED.sub("", model))

    def cost(self, usage: Usage) -> int | None:
        """Return what a usage cost, in millionths of a dollar; None when nobody knows."""
        if self.given is None and usage.cost_microdollars is not None:
            return usage.cost_microdollars
        price = self.of(usage.model)
        return None if price is None else price.of(usage)
