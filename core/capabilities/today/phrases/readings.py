"""What phrases about what is on say: of which day, week or weekend it is asked."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.timing.expressions import At, InDays
from core.language.engine.slots import Reading, Slots
from core.language.grammar import Span, Wish

_TODAY = InDays(days=0)
# Several days that are asked about, by the slots that say them.
_SPANS: Mapping[str, Span] = {
    "week": "week",
    "thisweek": "week",
    "weekend": "weekend",
    "nextweekend": "next weekend",
}


def _day(slots: Slots) -> Wish | None:
    """Ask what is on in a day, a week or a weekend. Of a day all is shown, also where an hour of it is said."""
    for slot, span in _SPANS.items():
        if slots.has(slot):
            return Wish(name="today", span="next week" if slots.worth(slot) == 1 else span)
    time = slots.time()
    day = slots.worth("day") or (time.said.day if time else None)
    if slots.has("when") and (time is None or not day or time.said.whole or time.said.every):
        return None
    when = At(day=day or _TODAY, ahead=time.said.ahead if time else None)
    return Wish(name="today", when=None if when == At(day=_TODAY) else when)


READINGS: Mapping[str, Reading] = {"today": _day}
