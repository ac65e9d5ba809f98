"""What stands beside a time: whether it can be a text by itself, or says more of a time than was read.

The border rule: no text begins or ends beside a time with what says something of one. What else is of time in a text
must plainly be part of what that is about: "the meeting is at 5", "buy tickets for Friday".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core.kernel.timing.expressions import Date, Weekday
from core.language.dateparser_fallback import names_day
from core.language.engine.said import STRONG, Said, Scan
from core.language.engine.templates import Templates
from core.language.engine.times import Reader
from core.language.engine.tokens import OTHER, Tokens

_QUOTED = re.compile(r'"[^"]*"')
_NOTHING = Said()
# As many words are looked at at either edge of a text.
_EDGE = 2


class Borders:
    """Judges texts beside times with the rules of a language. Where `ours` are given, words of days that are read, days
    of other languages are seen; `least` is how sure a time is at least that is one."""

    def __init__(self, reader: Reader, rules: Templates, ours: Collection[str] | None, least: int) -> None:
        self._reader, self._rules, self._ours, self._least = reader, rules, ours, least

    def may_follow(self, tokens: Tokens, at: int, end: int) -> bool:
        """Whether what stands behind a time, without a word between them that parts them, may be a text."""
        begin = self._rules.skip("comma", tokens, at, end)
        if self._rules["begins"].match(tokens, begin, end):
            return False
        found = self._reader.scan_tokens(tokens, begin, end)
        return found is None or found.said.strength < self._least

    def may_precede(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Whether what stands before a time may be a text."""
        rules, bare = self._rules, self._rules.without("pause", tokens, start, end)
        if isinstance(said.day, Weekday | Date) and rules.ending("otherday", tokens, start, bare):
            return False
        return not (rules.ending("ends", tokens, start, bare) or self._unread_clock(tokens, start, bare, said))

    def may_end(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Whether a text may end there, where its time stands in front."""
        bare = self._rules.without("pause", tokens, start, end)
        owned = self._rules.ending("owned", tokens, start, bare) is not None
        hangs = self._rules.ending("hangs", tokens, start, bare) is not None
        return not hangs and (owned or not self._unread_clock(tokens, start, bare, said))

    def _unread_clock(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Whether a text ends with what may be the hour of a day: "call Bob 9" tonight, but "read chapter 5"."""
        if said.clocks or said.delay:
            return False
        found = self._rules.ending("hour", tokens, start, end)
        # Chapter and verse: "read John 3:16".
        return found is not None and not found[1].has("thing") and (found[1].worth("minute") or 0) % 5 == 0

    def is_content(self, tokens: Tokens, start: int, end: int, said: Said, *, apart: bool = False) -> bool:
        """Whether a text beside a time is one wish, and names no other time but what it is about; a text that stands
        `apart` may name any."""
        rules, plain = self._rules, unquoted(tokens)
        if rules["second"].search(plain, start, end):
            return False
        if apart:
            return True
        if rules["odd"].match(plain, start, end) or rules["unsure"].search(plain, start, end):
            return False
        if (said.every and rules["rarely"].search(plain, start, end)) or self._is_misread(plain, start, end, said):
            return False
        # "Mum's birthday every year" does not begin today.
        dateless = said.every and said.every.unit == "year" and said.every.day is None and not said.day
        if dateless and rules["dated"].search(plain, start, end):
            return False
        return all(self._is_owned(plain, start, at, found, said) for at, found in self.times(plain, start, end))

    def _is_misread(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Whether a word at an edge of a text is rather a day: "call mum tommorow" at 5, "Oma anrufen morgen" at
        17:00."""
        edges = {*range(start, min(end, start + _EDGE)), *range(max(start, end - _EDGE), end)}
        if any(self._reader.alphabet.nearly(tokens.words[at]) for at in edges):
            return True
        if said.day or said.delay or said.every:
            return False
        text = tokens.text[tokens.starts[start] : tokens.ends[end - 1]] if end > start else ""
        foreign = self._ours is not None and names_day(text, ours=self._ours)
        bare = self._rules.without("pause", tokens, start, end)
        return foreign or self._rules.ending("dayish", tokens, start, bare) is not None

    def times(self, tokens: Tokens, start: int, end: int) -> Iterator[tuple[int, Scan]]:
        """The times in a text that are surely some, each with where it begins."""
        at = start
        while at < end:
            found = None if at in tokens.joined else self._reader.scan_tokens(tokens, at, end)
            if found and self._is_sure(tokens, at, end, found.said):
                yield at, found
                at = found.end
            else:
                at += 1

    def _is_sure(self, tokens: Tokens, at: int, end: int, said: Said) -> bool:
        """Whether what was read as a time in a text surely is one. An edge of a month or a year is none; in a language
        without spaces a day or a clock is sure, however weak."""
        if self._rules["edge"].match(tokens, at, end):
            return False
        weak = self._least < STRONG and bool(said.day or said.clocks)
        return said.strength == STRONG or weak

    def _is_owned(self, tokens: Tokens, start: int, at: int, found: Scan, said: Said) -> bool:
        """Whether a time in a text belongs to what it is about."""
        if owns := self._rules.ending("owns", tokens, start, at):
            # Without a time for the reminder, "by Friday" says something of it.
            return said != _NOTHING or owns[1].has("of")
        # "Tomorrow prepare for the meeting on Friday": the day of the reminder is said.
        on = self._rules["on"].match(tokens, at, found.end) and found.said.day is not None and not found.said.every
        return bool(on and (said.day or said.delay) and not self._rules.ending("more", tokens, start, at))


def unquoted(tokens: Tokens) -> Tokens:
    """The same tokens, of which those in quotes say nothing."""
    blank = _QUOTED.sub(lambda quoted: f'"{OTHER * (len(quoted[0]) - 2)}"', tokens.codes)
    return tokens if blank == tokens.codes else tokens._replace(codes=blank)
