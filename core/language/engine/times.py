"""Reads times: the templates of a language are tried where one may begin, and their pieces are put together.

`Reader.when("tomorrow at 9")` is `At(day=InDays(days=1), clock=Clock(hour=9, certain=False))`. Its pieces, "tomorrow"
and "at 9", are matches of two templates. What each of them says is read by its kind (`kinds.py`), and what they come to
together is decided in `said.py`. A piece is read where it stands or not at all, so the cost grows with the length of
the text and nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from string import whitespace
from typing import NamedTuple

from core.kernel.timing.expressions import Expression
from core.language.engine.kinds import GROUPS, KINDS, Kind, clocks, span
from core.language.engine.said import BEHIND, FOLLOWING, STRONG, WEAK, Said, Scan, join
from core.language.engine.templates import Match, Template, compiled, expanded, words_in
from core.language.engine.tokens import FOLD, Alphabet, Tokens

# The most characters of a text that is a time and nothing else, the most pieces of a time, and the most characters of
# politeness behind it.
_LONGEST, _MOST_PIECES, _POLITE = 200, 7, 24
_NEVER = re.compile("(?!)")
# From here on characters that are no letters are arrows, pictures and the like.
_PICTURES = "\u2190"
# The kind of a template, the template, and how sure it is where no group of it is `sure`.
Row = tuple[str, str] | tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Manners:
    """Says what may stand around a time that is a whole text: in front (`lead`), and as politeness at its end.

    `behind` are words that only a time has behind it. With `ordinals` the point behind a number is a part of it.
    `forms` make a time of one without its preposition: "at {}".
    """

    lead: re.Pattern[str] = re.compile("")
    polite: re.Pattern[str] = _NEVER
    behind: re.Pattern[str] = _NEVER
    ordinals: bool = False
    forms: tuple[str, ...] = ("{}",)


_NO_MANNERS = Manners()


class _Time(NamedTuple):
    """Holds a template of a time, what reads its matches, and how sure it is where no group of it is `sure`."""

    template: Template
    kind: Kind
    strength: int | None


class Reader:
    """Reads times with the templates of a language.

    Of the rows in `times` the first that reads anything counts. `macros` are what words in capitals stand for in them.
    `clock` is one clock in a list of several. `between` may stand between two pieces, and what `against` matches behind
    a time shows that it was none: "at 9 to 10". ValueError where nothing reads the kind of a row, or what one of its
    groups says.
    """

    def __init__(
        self,
        alphabet: Alphabet,
        times: Sequence[Row],
        macros: Mapping[str, str],
        *,
        clock: str = "<hour:hour> (_: <minute:minute>)?",
        between: str = ",?",
        against: Sequence[str] = ("(?!)",),
        manners: Manners = _NO_MANNERS,
    ) -> None:
        self.alphabet, self._manners = alphabet, manners
        # Without spaces no preposition shows that what is rather weak is a time, so beside a text it is one.
        self.least = STRONG if alphabet.gap else WEAK
        one_clock = compiled(expanded(clock, macros), alphabet)
        kinds: Mapping[str, Kind] = {**KINDS, "clocks": partial(clocks, one_clock), "span": partial(span, one_clock)}
        texts = [expanded(row[1], macros) for row in times]
        alphabet.classes.setdefault("timed", dict.fromkeys(words_in(texts, alphabet.classes)))
        rows: list[_Time] = []
        for text, (kind, _, *strength) in zip(texts, times, strict=True):
            template = compiled(text, alphabet, boundary=alphabet.boundary)
            if unread := {kind, *(group.name for group in template.groups)} - kinds.keys() - GROUPS:
                raise ValueError(f"nothing reads {', '.join(sorted(unread))} (see kinds.py), in the template {text!r}")
            rows.append(_Time(template, kinds[kind], next(iter(strength), None)))
        codes = frozenset[str]().union(*(row.template.first for row in rows))
        # The rows that can begin with a code, in their order.
        self._rows = {code: tuple(row for row in rows if code in row.template.first) for code in codes}
        self._between = compiled(between, alphabet).pattern
        self._against = compiled("|".join(against), alphabet).pattern
        self.steps = 0  # how many templates have been tried

    def scan_tokens(
        self, tokens: Tokens, start: int, end: int, *, alone: bool = False, onto: Said | None = None
    ) -> Scan | None:
        """Return the longest time from the token `start` on that ends before `end`; None where there is none.

        It says more of what was said before (`onto`). Where it does not stand `alone`, its first piece must be one that
        need not follow another.
        """
        time = before = Scan(onto, start, start) if onto else None
        at = start
        for _ in range(_MOST_PIECES):
            longer = self._longer(tokens, at, end, time)
            if longer is None:
                break
            if time is None and longer.said.strength <= (BEHIND if alone else FOLLOWING):
                return None
            before, time = time, longer
            gap = self._between.match(tokens.codes, time.end, end)
            at = gap.end() if gap else time.end
        if time and before and time.said.until == Said():
            time = before  # "every day at 9 until it is done"
        if time is None or time.end == start or self._against.match(tokens.codes, time.end, end):
            return None
        return time if time.said.when else None

    def _longer(self, tokens: Tokens, at: int, end: int, time: Scan | None) -> Scan | None:
        """Return a time with the piece that stands at a token behind it; None where none does that goes with it."""
        for template, kind, strength in self._rows.get(tokens.codes[at] if at < end else "", ()):
            self.steps += 1
            match = template.pattern.match(tokens.codes, at, end)
            if match is None or match.end() == at or match.end() in tokens.joined:
                continue
            groups = Match(match, tokens, template)
            piece = kind(groups)
            sure = STRONG if groups.has("sure") else strength
            if piece and sure is not None:
                piece = replace(piece, strength=sure)
            said = join(time.said, piece) if piece and time else piece
            # "From 9 to 5" is a time only with how often it comes.
            if said and (said.span or said.pace or said.but or said.until or said.when):
                return Scan(said, time.start if time else at, groups.end)
        return None

    def sure(self, tokens: Tokens, at: int, end: int, onto: Said | None = None) -> Scan | None:
        """Return the time from a token on, as `scan_tokens` does, if that is surely one also beside a text."""
        time = self.scan_tokens(tokens, at, end, onto=onto)
        return time if time and time.said.strength >= self.least else None

    def whole(self, tokens: Tokens, start: int, end: int) -> Scan | None:
        """Return the time that all tokens between two places are; None when anything is left over."""
        time = self.scan_tokens(tokens, start, end, alone=True)
        return time if time and time.end == end else None

    def readings(self, text: str) -> Iterator[tuple[str, Tokens]]:
        """Yield a text and its tokens in the ways it may be read: as it is, with a typing error forgiven, and both
        without the pictures at its end."""
        for written in dict.fromkeys((text, _unsigned(text))) if text[-1:] > _PICTURES else (text,):
            tokens = self.alphabet.read(written)
            yield written, tokens
            if forgiven := self.alphabet.forgiven(tokens):
                yield written, forgiven

    def content_end(self, tokens: Tokens, stop: int | None = None) -> int:
        """Return how many tokens there are before politeness and the marks at the end of a text.

        With a place in the text (`stop`) it is taken to end there.
        """
        text = tokens.text[:stop]
        end = len(text.rstrip(" .!?,;:…"))
        if polite := self._manners.polite.search(text, max(0, end - _POLITE), end):
            end = polite.start()
        end += self._manners.ordinals and text[end - 1 : end].isdigit() and text[end : end + 1] == "."
        return bisect_left(tokens.ends, end + 1)

    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def when(self, text: str) -> Expression | None:
        """Return the time that a text is; None when anything else is in it but manners."""
        if len(text) > _LONGEST:
            return None
        for _, tokens in self.readings(text.rstrip().translate(FOLD)):
            lead, end = self._manners.lead.match(tokens.text), self.content_end(tokens)
            start, stop = lead.end() if lead else 0, tokens.ends[end - 1] if end else 0
            if behind := self._manners.behind.search(tokens.text, max(start, stop - _POLITE), stop):
                end = self.content_end(tokens, behind.start())
            if time := self.whole(tokens, bisect_left(tokens.starts, start), end):
                return time.said.when
        return None

    def worded(self, text: str) -> Iterator[str]:
        """Yield the words of a time in all ways that are read, with a preposition where they need one ("8": "at 8").

        What is a time without one stays as it is: "a week from today" is not in a week.
        """
        tokens = self.alphabet.read(text)
        bare = self.scan_tokens(tokens, 0, len(tokens.codes))
        meant = bare.said.when if bare and bare.said.strength == STRONG and bare.end == len(tokens.codes) else None
        ways = (form.format(text) for form in self._manners.forms)
        return (words for words in ways if (when := self.when(words)) and when == (meant or when))


def _unsigned(text: str) -> str:
    """Return a text without the pictures at its end: "tomorrow at 5 🙏". A wide "？" is none."""
    pictures = {sign for sign in text if sign > _PICTURES and not sign.isalnum() and ord(sign) not in FOLD}
    return text.rstrip("".join(pictures) + whitespace)
