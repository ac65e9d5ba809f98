"""Judges what stands beside a time: whether it can be a text by itself, or says more of the time than was read.

In "call Oma tomorrow at 9" the rest "call Oma" can be one. In "call Oma 9 tonight" it is "call Oma 9", which ends with
what may be the hour: then nothing is understood. No text begins or ends beside a time with what says something of one,
and what else is of time in a text must plainly belong to what that is about: "the meeting is at 5", "buy tickets for
Friday".
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
# At either edge of a text so many words are looked at.
_EDGE = 2


class Borders:
    """Judges texts beside times with the rules of a language (`requests.py` tells what each of them is for).

    Where `ours` are given, which are words of days that are read, days of other languages are seen.
    """

    def __init__(self, reader: Reader, rules: Templates, ours: Collection[str] | None) -> None:
        self._reader, self._rules, self._ours = reader, rules, ours

    def may_follow(self, tokens: Tokens, at: int, end: int) -> bool:
        """Return whether what stands behind a time may be a text, though no word between them parts them."""
        begin = self._rules.skip("comma", tokens, at, end)
        begins_oddly = self._rules["begins"].match(tokens, begin, end)
        return not begins_oddly and self._reader.sure(tokens, begin, end) is None

    def may_precede(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Return whether what stands before a time may be a text."""
        rules, bare_end = self._rules, self._rules.without("pause", tokens, start, end)
        if isinstance(said.day, Weekday | Date) and rules.ending("otherday", tokens, start, bare_end):
            return False
        return not (rules.ending("ends", tokens, start, bare_end) or self._unread_clock(tokens, start, bare_end, said))

    def may_end(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Return whether a text may end there, where its time stands in front."""
        rules, bare_end = self._rules, self._rules.without("pause", tokens, start, end)
        hangs, owned = (rules.ending(name, tokens, start, bare_end) for name in ("hangs", "owned"))
        return hangs is None and (owned is not None or not self._unread_clock(tokens, start, bare_end, said))

    def _unread_clock(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Return whether a text ends with what may be the hour of a day: "call Bob 9" tonight, but "read chapter 5"."""
        if said.clocks or said.delay:
            return False
        hour = self._rules.ending("hour", tokens, start, end)
        # Chapter and verse: "read John 3:16".
        return hour is not None and not hour.has("thing") and (hour.worth("minute") or 0) % 5 == 0

    def is_content(self, tokens: Tokens, start: int, end: int, said: Said, *, apart: bool = False) -> bool:
        """Return whether a text beside a time is one wish, and names no other time but what it is about.

        A text that stands `apart`, behind a colon, may name any.
        """
        # What is quoted says nothing.
        codes = _QUOTED.sub(lambda quoted: f'"{OTHER * (len(quoted[0]) - 2)}"', tokens.codes)
        rules, plain = self._rules, tokens._replace(codes=codes)
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
        return all(self._is_owned(plain, start, time, said) for time in self.times(plain, start, end))

    def _is_misread(self, tokens: Tokens, start: int, end: int, said: Said) -> bool:
        """Return whether a word at an edge of a text is rather a day: "call mum tommorow" at 5, "Oma anrufen morgen" at
        17:00."""
        edges = {*range(start, min(end, start + _EDGE)), *range(max(start, end - _EDGE), end)}
        if any(self._reader.alphabet.nearly(tokens.words[at]) for at in edges):
            return True
        if said.day or said.delay or said.every:
            return False
        foreign = self._ours is not None and names_day(tokens.part(tokens.text, start, end), ours=self._ours)
        bare_end = self._rules.without("pause", tokens, start, end)
        return foreign or self._rules.ending("dayish", tokens, start, bare_end) is not None

    def times(self, tokens: Tokens, start: int, end: int) -> Iterator[Scan]:
        """Yield the times in a text that are surely some. An edge of a month or a year is none."""
        at, unspaced = start, self._reader.least < STRONG
        while at < end:
            time = None if at in tokens.joined else self._reader.scan_tokens(tokens, at, end)
            # Without spaces a day or a clock is sure, however weak.
            sure = time and (time.said.strength == STRONG or (unspaced and (time.said.day or time.said.clocks)))
            if time and sure and not self._rules["edge"].match(tokens, at, end):
                yield time
                at = time.end
            else:
                at += 1

    def _is_owned(self, tokens: Tokens, start: int, time: Scan, said: Said) -> bool:
        """Return whether a time in a text belongs to what that is about, and is none of the reminder."""
        if owns := self._rules.ending("owns", tokens, start, time.start):
            # Without a time for the reminder, "by Friday" says something of it.
            return said != _NOTHING or owns.has("of")
        # "Tomorrow prepare for the meeting on Friday": the day of the reminder is said.
        on = self._rules["on"].match(tokens, time.start, time.end) and time.said.day and not time.said.every
        return bool(on and (said.day or said.delay) and not self._rules.ending("more", tokens, start, time.start))
