"""What stands beside a time: whether it can be a text by itself, or says more of a time than was read.

The border rule: no text begins or ends beside a time with what says something of one. What else is of time in a text
must plainly be part of what that is about: "the meeting is at 5", "buy tickets for Friday".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from core.kernel.timing.expressions import Date, Weekday
from core.language.dateparser_fallback import names_day
from core.language.engine.said import STRONG, Said, Scan
from core.language.engine.templates import Match, Template, compiled, expanded
from core.language.engine.times import Reader
from core.language.engine.tokens import ANY, OTHER, Tokens

_QUOTED = re.compile(r'"[^"]*"')
_NOTHING = Said()
# As many tokens are looked at before a time for what they say of it, and as many words at the edges of a text.
_BEFORE, _EDGE = 12, 2
# What a language need not say: it never matches.
_NEVER = "(?!$|<y:word>) :"


class Rules(dict[str, Template]):
    """The templates of a language by what they are for (core/language/engine/requests.py); what it does not tell never
    matches."""

    def __init__(self, texts: Mapping[str, str], macros: Mapping[str, str], reader: Reader) -> None:
        super().__init__({name: compiled(expanded(text, macros), reader.alphabet) for name, text in texts.items()})
        self._never = compiled(_NEVER, reader.alphabet)

    def __missing__(self, name: str) -> Template:
        return self._never

    def skip(self, name: str, tokens: Tokens, at: int, end: int) -> int:
        """Behind what matches from a token on; the same token where nothing does."""
        found = self[name].match(tokens, at, end)
        return found.end if found else at

    def ending(self, name: str, tokens: Tokens, start: int, end: int) -> tuple[int, Match] | None:
        """The longest match that ends before a token, and where it begins."""
        template = self[name]
        if start >= end or not (tokens.codes[end - 1] in template.last or ANY in template.last):
            return None
        for at in range(max(start, end - _BEFORE), end):
            if found := template.whole(tokens, at, end):
                return at, found
        return None

    def without(self, name: str, tokens: Tokens, start: int, end: int) -> int:
        """Where a stretch of tokens ends without what matches at its end."""
        found = self.ending(name, tokens, start, end)
        return found[0] if found else end


class Borders:
    """Judges texts beside times with the rules of a language. Where `ours` are given, words of days that are read, days
    of other languages are seen; `least` is how sure a time is at least that is one."""

    def __init__(self, reader: Reader, rules: Rules, ours: Collection[str] | None, least: int) -> None:
        self._reader, self._rules, self._ours, self._least = reader, rules, ours, least

    def may_follow(self, tokens: Tokens, at: int, end: int, said: Said) -> bool:
        """Whether what stands behind a time, without a word between them that parts them, may be a text."""
        begin = self._rules.skip("comma", tokens, at, end)
        if self._rules["begins"].match(tokens, begin, end):
            return False
        if said.every and self._rules["season"].match(tokens, at, end):
            return False
        if said.clocks and begin == at and self._rules["count"].match(tokens, begin, end):
            return False
        found = self._reader.scan_tokens(tokens, begin, end)
        return found is None or found.said.strength < self._least

    def may_precede(self, tokens: Tokens, start: int, end: int, said: Said, *, first: bool = False) -> bool:
        """Whether what stands before a time may be a text; `first` when nothing stands before it."""
        rules, bare = self._rules, self._rules.without("pause", tokens, start, end)
        if first and rules["bounds"].match(tokens, start, end):
            return False
        if isinstance(said.day, Weekday | Date) and rules.ending("otherday", tokens, start, bare):
            return False
        odd = rules.ending("ends", tokens, start, bare) and not rules.ending("adverb", tokens, start, bare)
        return not odd and not self._unread_clock(tokens, start, bare, said)

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
        return foreign or self._rules.ending("dayish", tokens, start, end) is not None

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
        """Whether a time in a text is one; without spaces a day is, and a clock that is no amount ("两点")."""
        weak = self._least < STRONG and (said.day or (said.clocks and not self._rules["amount"].match(tokens, at, end)))
        return said.strength == STRONG or bool(weak)

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
    return tokens if blank == tokens.codes else replace(tokens, codes=blank)
