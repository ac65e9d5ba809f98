"""What models may cost in a day and what they cost, as the configuration says it."""

from __future__ import annotations

from bot.config.sections import BudgetSection, LlmSection
from core.agents.budget import DayLimits
from core.agents.llm.openai.dialects import is_own
from core.agents.prices import Price, Prices


def limits_of(section: BudgetSection, *, shared: bool = False) -> DayLimits:
    """Return the limits of a day beside `daily_tokens`."""
    return DayLimits(**section.model_dump(exclude={"daily_tokens"}), shared=shared)


def prices_of(section: LlmSection) -> Prices:
    """Return the prices of the configured models; none is known where both prices are 0."""
    cached = section.input_price if section.cached_price is None else section.cached_price
    known = section.input_price or section.output_price
    given = Price(section.input_price, cached, section.output_price) if known else None
    return Prices(given, own=is_own(section.base_url))


def unpriced(budget: BudgetSection, llm: LlmSection) -> str:
    """Name the models without a known price while there is a limit in money; empty where all limits hold."""
    prices, names = prices_of(llm), [llm.model, *llm.models.model_dump().values()]
    unknown = sorted({name for name in names if name and prices.of(name) is None})
    return ", ".join(unknown) if limits_of(budget).money else ""


def limits_that_may_not_hold(budget: BudgetSection, llm: LlmSection) -> str:
    """Say which limits may not hold, and what helps; empty where all do."""
    if not (unknown := unpriced(budget, llm)):
        return ""
    return (
        f"no price of {unknown} is known: limits in money hold only if the provider says what calls cost;"
        " set llm.input_price and llm.output_price, or a limit in tokens, which always holds"
    )
