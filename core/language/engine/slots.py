"""Holds the slots of a phrase, for whoever makes a wish of it.

Of "put milk on the shopping list", matched by `put <x:text> on the <list:title> list`, `about` is "milk" and `list` is
"shopping".
"""

from __future__ import annotations

from collections.abc import Callable

from core.kernel.timing.expressions import At, Clock, Delay, InDays
from core.language.engine.said import FOLLOWING, Scan
from core.language.engine.templates import Match
from core.language.engine.times import Reader
from core.language.engine.tokens import Tokens, unquoted
from core.language.grammar import Wish

_MARKS = " \n\t,;:.，、。；："


class Slots:
    """Holds the slots of a phrase that was matched in a text; `asked` when a mark behind it makes a question of it.

    `has`, `worth` and `span` tell of a slot what its match does. `written` is the whole text, `about` what stands in
    the slot `x` of it; `list` is the name of a list, `place` that of a place.
    """

    def __init__(self, match: Match, tokens: Tokens, text: str, reader: Reader, *, asked: bool) -> None:
        self.match, self.tokens, self.asked = match, tokens, asked
        self.has, self.worth, self.span = match.has, match.worth, match.span
        self.written, self._reader = text, reader
        self.about = unquoted(self.text("x").strip(_MARKS)).strip(_MARKS)
        kind = match.worth("list")
        self.list: str = kind if isinstance(kind, str) else self._meant("list") if self.has("list") else ""
        self.place = tokens.part(tokens.text, *self.span("place"))

    def text(self, name: str) -> str:
        """Return what stands in a slot, as it was written; empty when nothing does."""
        return self.tokens.part(self.written, *self.span(name))

    def _meant(self, name: str) -> str:
        """Return what stands in a slot as it was written, but each misspelt key word as it was meant."""
        tokens, parts = self.tokens, list[str]()
        start, end = self.span(name)
        for at in range(start, end):
            gap = self.written[tokens.ends[at - 1] : tokens.starts[at]] if at > start else ""
            word = tokens.part(self.written, at, at + 1)
            misspelt = self._reader.alphabet.nearly(word.lower())
            parts.append(gap + (tokens.words[at] if misspelt else word))
        return "".join(parts)

    def time(self, name: str = "when") -> Scan | None:
        """Return the time that stands in a slot; None when none does, or when anything stands beside it."""
        return self._reader.whole(self.tokens, *self.span(name))

    def words(self, name: str) -> str:
        """Return the words of the time that stands in a slot, with a preposition where they need one ("8": "at 8");
        empty where there is none."""
        return next(self._reader.worded(self.text(name)), "")

    def clock(self, name: str) -> Clock | None:
        """Return the clock that stands in a slot; None when anything stands beside it."""
        match self._reader.when(self.words(name)):
            case At(day=None, clock=clock, zone=None):
                return clock
        return None

    def due(self) -> At | None:
        """Return when that is due which is meant: a day, a clock or both. A part of a day is none of these."""
        time = self.time()
        if time and time.said.part and not time.said.clocks:
            return None
        if day := self.worth("day"):
            return At(day=day)
        match time.said.when if time else None:
            case At(ahead=None, zone=None) as when:
                return when
            case Delay(months=0, seconds=0, days=days) if time and time.said.strength > FOLLOWING:
                return At(day=InDays(days=days))
        return None


# What makes a wish of the slots of a phrase; None where something in them does not fit.
Reading = Callable[[Slots], Wish | None]
