"""What phrases of quiet hours say: from and until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.kernel.timing.expressions import Clock
from core.language.engine.slots import Reading, Slots
from core.language.grammar import Wish

_NOON, _DAY = 12, 24 * 60
_LATE, _EARLY = range(6, 12), range(6, 10)


def _quiet(slots: Slots) -> Wish | None:
    if not slots.has("begin"):
        return Wish(name="quiet")
    first, last = slots.clock("begin"), slots.clock("until")
    if first is None or last is None:
        return None
    if first.certain and not last.certain:
        # From 13 to 3 is in the afternoon, from 22 to 7 over night.
        halves = (replace(last, hour=last.hour % _NOON + half) for half in (0, _NOON))
        last = min(
            halves, key=lambda clock: (clock.hour * 60 + clock.minute - first.hour * 60 - first.minute - 1) % _DAY
        )
    # "From 10 to 7" is the night; "from 10 to 12" is not.
    late = not first.certain and first.hour in _LATE and last.hour <= first.hour
    night = _hours(replace(first, hour=first.hour + _NOON) if late else first, last)
    # "From 9 to 5" may be the day just as well.
    day = _hours(first, replace(last, hour=last.hour + _NOON)) if late and first.hour in _EARLY else ""
    either = day if not last.certain and last.hour < _NOON else ""
    return Wish(name="quiet", hours=tuple(filter(None, (night, either)))) if night else None


def _hours(first: Clock, last: Clock) -> str:
    """Empty when they are the same."""
    begin, until = f"{first.hour:02}:{first.minute:02}", f"{last.hour:02}:{last.minute:02}"
    return f"{begin}-{until}" if begin != until else ""


READINGS: Mapping[str, Reading] = {"quiet": _quiet}
