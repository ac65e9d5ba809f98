"""What phrases about the date say: of which day it is asked, or of its week."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.timing.expressions import At, InDays
from core.language.engine.slots import Reading, Slots
from core.language.grammar import Wish

_TODAY = At(day=InDays(days=0))


def _date(slots: Slots) -> Wish | None:
    due = slots.due() or (None if slots.has("when") else _TODAY)
    if due is None or due.day is None or due.clock:
        return None
    return Wish(name="date", when=None if due == _TODAY else due, span="week" if slots.has("week") else None)


READINGS: Mapping[str, Reading] = {"date": _date}
