"""How phrases about time are read in any language: piece by piece from the left, and put together by what they say.

A language brings its pieces, each a pattern and what it says. A piece is read where it stands or not at all, so the
cost grows with the length of the text and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date

from core.kernel.timing.expressions import At, Clock, Date, Delay, Every, Expression, InDays, Weekday

MAX_LENGTH = 2_000
# How sure a piece is about time: one that is time only behind another ("9" in "tomorrow 9"), one that must follow
# another in a longer text ("morning"), one that is time only in good company ("3/5"), one that is by itself ("at 9").
BEHIND, FOLLOWING, WEAK, STRONG = -1, 0, 1, 2
_PIECES = 6
_SHORTEST_MONTH = 28
# From here on characters that are no letters are arrows, pictures and the like.
_SIGNS = "\u2190"
_FIVE = (5, 17)
_WAKING = range(4, 12)


from core.language.engine.said import *
from core.language.engine.said import Part,Said,Scan,join,expression
Piece = tuple[re.Pattern[str], Callable[[re.Match[str]], Said | None]]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads times with the pieces of a language. `between` is what may stand between two pieces; what `against`
    matches behind a time shows that it was none: "at 9 to 10". `opening`, when there is one, matches wherever a piece
    can begin, so that most words are passed over at once.
    """

    pieces: tuple[Piece, ...]
    between: re.Pattern[str]
    against: re.Pattern[str]
    opening: re.Pattern[str] | None = None

    def scan(self, text: str, start: int, end: int, *, alone: bool = False) -> Scan | None:
        """The longest time from `start` on. When not `alone`, something in it must be sure to be time."""
        found: Scan | None = None
        at = start
        for _ in range(_PIECES):
            step = self._piece(text, at, end, found)
            if step is None:
                break
            if found is None and step.said.strength <= (BEHIND if alone else FOLLOWING):
                return None
            found = step
            gap = self.between.match(text, found.end, end)
            at = gap.end() if gap else found.end
        return None if found is None or self.against.match(text, found.end, end) else found

    def whole(self, text: str, start: int, end: int) -> Expression | None:
        """The time that a stretch of text is; None when anything is left over."""
        found = self.scan(text, start, end, alone=True)
        return found.when if found and found.end == end else None

    def tail(self, text: str, starts: Iterable[int], end: int) -> tuple[int, Scan] | None:
        """The first of the places in a text from where it is time up to `end`, and that time."""
        for start in starts:
            found = self.scan(text, start, end)
            if found and found.end == end and found.said.strength == STRONG:
                return start, found
        return None

    def _piece(self, text: str, at: int, end: int, before: Scan | None) -> Scan | None:
        if self.opening and not self.opening.match(text, at, end):
            return None
        for pattern, read in self.pieces:
            match = pattern.match(text, at, end)
            said = read(match) if match else None
            if match is None or said is None:
                continue
            both = join(before.said, said) if before else said
            when = expression(both) if both else None
            if both and when:
                return Scan(when, both, match.end())
        return None


def on_weekday(day: Date, weekday: int | None) -> Date | None:
    """A date and the day of the week that was said with it; None when it is on another one."""
    if weekday is None:
        return day
    if day.year is None or day.month is None:
        return replace(day, weekday=weekday)
    try:
        return day if date(day.year, day.month, day.day).weekday() == weekday else None
    except ValueError:
        return day  # that there is no such day is told later


