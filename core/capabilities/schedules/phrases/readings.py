"""What phrases about what is scheduled say: what is due when, and to when it moves; when a brief comes."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.timing.expressions import At, Clock, Every
from core.language.engine.slots import Reading, Slots
from core.language.grammar import Wish


def _brief(slots: Slots) -> Wish | None:
    """Return a brief at one time every day, in the half of it that is said, else in the likelier one."""
    time = slots.time()
    match time.said.when if time else None:
        case Every(unit="day", n=1, clocks=(_,)) as when:
            return Wish(name="brief", when=when)
        case At(day=None, clock=Clock() as clock, zone=None):
            return Wish(name="brief", when=Every(unit="day", clocks=(clock,)))
    return None


def _cancel_due(slots: Slots) -> Wish | None:
    """Cancel what is due on a day or at a clock; a week or a month does not say which day."""
    time = slots.time()
    due = None if time and time.said.whole else slots.due()
    return Wish(name="cancel.due", when=due) if due else None


def _move(slots: Slots) -> Wish | None:
    """Move what is named, due then, or was said last: to a time, or by a length."""
    when = slots.due()
    if slots.has("when") and when is None:
        return None
    if slots.has("by"):
        length = slots.time("by")
        by = f"{'-' if slots.has('earlier') else '+'}{slots.text('by')}"
        return Wish(name="move", text=slots.about, when=when, time=by) if length and length.said.delay else None
    time = slots.words("hour") or (slots.text("to") if slots.time("to") else "")
    return Wish(name="move", text=slots.about, when=None if slots.about else when, time=time) if time else None


READINGS: Mapping[str, Reading] = {"brief": _brief, "cancel.due": _cancel_due, "move": _move}
