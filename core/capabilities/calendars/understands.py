"""Free text that wishes to be told before what stands in calendars: "remind me 15 min before my meetings"."""

from __future__ import annotations

from core.capabilities.calendars.commands import tell_before
from core.capabilities.calendars.telling import USUAL
from core.kernel.timing.expressions import Delay
from core.language.grammar import Wish
from core.toolkit.capability import Resolve, Understands, Words


def _before(wish: Wish, words: Words) -> Resolve:
    minutes = USUAL
    if wish.time:
        read = (grammar.when(wish.time) for grammar in words.grammars)
        length = next((one for one in read if isinstance(one, Delay)), None)
        # A length of days or months is none before a meeting.
        minutes = length.seconds // 60 if length and not (length.days or length.months) else 0
    return lambda tx, hearing: tell_before.of(minutes=minutes) if minutes else None


_OFF = tell_before.of(minutes=0)
UNDERSTANDS = Understands(
    wishes={"calendar.before": _before, "calendar.before.off": lambda wish, words: lambda tx, hearing: _OFF}
)
