"""Reads times in a language: what each kind of template says, and the longest certain time from a place on.

A language names a kind and gives the template; the groups have the same names in every language, and what is not named
is not said. A piece is read where it stands or not at all, and pieces are put together by what they say; so the cost
grows with the length of the text and nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.kernel.timing.expressions import Clock, Expression
from core.language.engine.kinds import GROUPS, HOURS, KINDS, Kind, hands, minutes
from core.language.engine.said import (
    BEHIND,
    FOLLOWING,
    SIGNS,
    STRONG,
    Part,
    Said,
    Scan,
    expression,
    join,
    unsigned,
    within,
)
from core.language.engine.templates import Match, Template, compiled, expanded, words_in
from core.language.engine.tokens import FOLD, Alphabet, Tokens

# So long is a text at most that is a time and nothing else; so many pieces one has, and so long is what stands behind.
_LONGEST, _PIECES, _POLITE = 200, 7, 24
# A span has a begin and an end.
_ENDS = 2
_NEVER = re.compile("(?!)")
Row = tuple[str, str] | tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Manners:
    """What may stand around a time that is a whole text: what it begins with, and politeness at its end.

    `behind` are words that only a time has behind it. With `ordinals` the point behind a number is a part of it.
    `forms` make a time of one without its preposition.
    """

    lead: re.Pattern[str]
    polite: re.Pattern[str]
    behind: re.Pattern[str] = _NEVER
    ordinals: bool = False
    forms: tuple[str, ...] = ("{}",)


_NO_MANNERS = Manners(lead=re.compile(""), polite=_NEVER)


class Reader:
    """Reads times with the templates of a language.

    Each row of `times` is a kind and a template, with its strength where no group of it is `sure`; the first that reads
    anything counts. `macros` are what words in capitals stand for in them. `clock` is one clock in a list of several.
    `between` may stand between two pieces, and what `against` matches behind a time shows that it was none: "at 9 to
    10". ValueError where nothing reads the kind of a row, or what one of its groups says.
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
        self._clock = compiled(expanded(clock, macros), alphabet)
        kinds: Mapping[str, Kind] = {**KINDS, "clocks": self._clocks, "span": self._span}
        texts = [expanded(row[1], macros) for row in times]
        alphabet.classes.setdefault("timed", dict.fromkeys(words_in(texts, alphabet.classes)))
        rows: list[tuple[Template, Kind, int | None]] = []
        for text, (kind, _, *strength) in zip(texts, times, strict=True):
            made = compiled(text, alphabet, end=alphabet.end)
            if unread := {kind, *(name.rpartition("_")[0] for name in made.classes)} - kinds.keys() - GROUPS:
                raise ValueError(f"nothing reads {', '.join(sorted(unread))} (see kinds.py), in the template {text!r}")
            rows.append((made, kinds[kind], next(iter(strength), None)))
        codes = frozenset[str]().union(*(template.first for template, *_ in rows))
        # The templates that can begin with a code, in their order.
        self._rows = {code: tuple(row for row in rows if code in row[0].first) for code in codes}
        self._between = compiled(between, alphabet).pattern
        self._against = compiled("|".join(against), alphabet).pattern
        self.steps = 0  # how many templates have been tried

    def _clocks(self, match: Match) -> Said | None:
        """Several clocks, each in the part of the day that was last said."""
        found: list[Clock] = []
        day: Part | None = None
        for one in match.each("list", self._clock):
            day = one.worth("part") or day
            placed = within(hands(one), day)
            if placed is None or placed.hour not in HOURS:
                return None
            found.append(placed)
        return Said(clocks=tuple(found)) if found else None

    def _span(self, match: Match) -> Said | None:
        """From one clock to another on a day: "9am to 5pm". "9 to 5" ends in the afternoon, "1 to 3 pm" begins there,
        too; when "8 to 10 pm" begins nobody knows."""
        ends = [*match.each("list", self._clock)]
        if len(ends) != _ENDS:
            return None
        begin, end = ends
        both = end.has("half")
        pairs = [(a, b) for a in minutes(begin, either=both) for b in minutes(end, either=True) if a < b]
        return Said(span=pairs[0]) if len(pairs) == 1 or (pairs and not both) else None

    def scan_tokens(
        self, tokens: Tokens, start: int, end: int, *, alone: bool = False, onto: Said | None = None
    ) -> Scan | None:
        """The longest time from a token on, `end` the one behind it; what it says `onto` what was said before. When not
        `alone`, something in it must be sure to be time."""
        found: tuple[Said, Expression | None, int] | None = (onto, None, start) if onto else None
        at, whole = start, found
        for _ in range(_PIECES):
            step = None
            for template, read, strength in self._rows.get(tokens.codes[at] if at < end else "", ()):
                self.steps += 1
                match = template.pattern.match(tokens.codes, at, end)
                if match is None or match.end() == at or match.end() in tokens.joined:
                    continue
                groups = Match(match, tokens, template)
                said = read(groups)
                if said and strength is not None:
                    said = replace(said, strength=STRONG if groups.has("sure") else strength)
                both = join(found[0], said) if said and found else said
                when = expression(both) if both else None
                # "From 9 to 5" is a time only with how often it comes.
                if both and (when or both.span or both.pace or both.but or both.until):
                    step = both, when, match.end()
                    break
            if step is None:
                break
            if found is None and step[0].strength <= (BEHIND if alone else FOLLOWING):
                return None
            whole, found = found, step
            gap = self._between.match(tokens.codes, found[2], end)
            at = gap.end() if gap else found[2]
        if found and whole and found[0].until == Said():
            found = whole  # "every day at 9 until it is done"
        if found is None or found[1] is None or self._against.match(tokens.codes, found[2], end):
            return None
        return Scan(found[1], found[0], found[2])

    def readings(self, text: str) -> Iterator[tuple[str, Tokens]]:
        """A text and its tokens, in the ways it may be read: as it is, with a typing error forgiven, and both without
        the pictures at its end."""
        for said in dict.fromkeys((text, unsigned(text))) if text[-1:] > SIGNS else (text,):
            tokens = self.alphabet.read(said)
            yield said, tokens
            if forgiven := self.alphabet.forgiven(tokens):
                yield said, forgiven

    def trimmed(self, text: str) -> int:
        """Where a folded text ends without politeness and the marks at its end."""
        end = len(text.rstrip(" .!?,;:…"))
        if polite := self._manners.polite.search(text, max(0, end - _POLITE), end):
            end = polite.start()
        return end + (self._manners.ordinals and text[end - 1 : end].isdigit() and text[end : end + 1] == ".")

    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def when(self, text: str) -> Expression | None:
        """The time that a text is; None when anything else is in it."""
        if len(text) > _LONGEST:
            return None
        folded = unsigned(text).translate(FOLD)
        lead, end = self._manners.lead.match(folded), self.trimmed(folded)
        start = lead.end() if lead else 0
        if behind := self._manners.behind.search(folded, max(start, end - _POLITE), end):
            end = self.trimmed(folded[: behind.start()])
        for _, tokens in self.readings(folded):
            first, last = bisect_left(tokens.starts, start), bisect_left(tokens.ends, end + 1)
            found = self.scan_tokens(tokens, first, last, alone=True)
            if found and found.end == last:
                return found.when
        return None

    def worded(self, text: str) -> Iterator[str]:
        """The words of a time, with a preposition where they need one ("8": "at 8"), in all ways that are read; what is
        a time without one stays the same ("a week from today" is not in a week)."""
        tokens = self.alphabet.read(text)
        bare = self.scan_tokens(tokens, 0, len(tokens.codes))
        sure = bare.when if bare and bare.said.strength == STRONG and bare.end == len(tokens.codes) else None
        ways = (form.format(text) for form in self._manners.forms)
        return (said for said in ways if (found := self.when(said)) and found == (sure or found))
