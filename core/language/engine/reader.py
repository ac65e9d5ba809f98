"""Reads times in a language: the longest certain one from a place on, or a stretch of text that is one whole.

A piece is read where it stands or not at all, and pieces are put together by what they say; so the cost grows with the
length of the text and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.kernel.timing.expressions import Clock, Expression
from core.language.engine.said import BEHIND, FOLLOWING, STRONG, Part, Said, Scan, expression, join
from core.language.engine.templates import Match, Template, compiled
from core.language.engine.times import HOURS, KINDS, hands, in_part
from core.language.engine.tokens import Alphabet, Tokens

_PIECES = 6
Row = tuple[str, str] | tuple[str, str, int]


class Reader:
    """Reads times with the templates of a language. Each row of `times` is a kind and a template, with its strength where
    no group of it is `sure`; the first that reads anything counts. `clock` is one clock in a list of several. `between`
    may stand between two pieces, and what `against` matches behind a time shows that it was none: "at 9 to 10". `edges`
    are the classes that may not stand at the edge of a text beside a time.
    """

    def __init__(
        self,
        alphabet: Alphabet,
        times: Iterable[Row],
        *,
        clock: str,
        between: str,
        against: Sequence[str],
        edges: Sequence[str],
    ) -> None:
        self.alphabet = alphabet
        self._clock: Template[Match] = compiled(clock, alphabet, lambda match: match)
        self._first: Mapping[str, tuple[Template[Said], ...]] = self._by_code([self._template(*row) for row in times])
        self._between = compiled(between, alphabet, lambda match: True)
        self._against = tuple(compiled(text, alphabet, lambda match: True) for text in against)
        self._edges = re.compile("|".join(alphabet.one_of(name)[0] for name in edges))
        self.steps = 0  # how many templates have been tried

    def _template(self, kind: str, text: str, strength: int | None = None) -> Template[Said]:
        read = self._clocks if kind == "clocks" else KINDS[kind]

        def found(match: Match) -> Said | None:
            said = read(match)
            if said is None or strength is None:
                return said
            return replace(said, strength=STRONG if match.has("sure") else strength)

        return compiled(text, self.alphabet, found, end=self.alphabet.end)

    @staticmethod
    def _by_code(templates: Sequence[Template[Said]]) -> Mapping[str, tuple[Template[Said], ...]]:
        codes = frozenset[str]().union(*(one.first for one in templates))
        return {code: tuple(one for one in templates if code in one.first) for code in codes}

    def _clocks(self, match: Match) -> Said | None:
        """Several clocks, each in the part of the day that was last said."""
        found: list[Clock] = []
        day: Part | None = None
        for one in match.each("list", self._clock):
            day = one.worth("part") or day
            shown = hands(one)
            placed = in_part(shown, day) if shown and shown.hour in HOURS else None
            if placed is None:
                return None
            found.append(placed)
        return Said(clocks=tuple(found)) if found else None

    def scan(self, text: str, start: int, end: int, *, alone: bool = False) -> Scan | None:
        """The longest time of a folded text from `start` on. When not `alone`, something in it must be sure to be
        time."""
        tokens = self.alphabet.read(text)
        places = tokens.span(start, end)
        found = self.scan_tokens(tokens, *places, alone=alone) if places else None
        return replace(found, end=tokens.ends[found.end - 1]) if found else None

    def scan_tokens(self, tokens: Tokens, start: int, end: int, *, alone: bool = False) -> Scan | None:
        """The same by tokens, `end` of the result included."""
        found: Scan | None = None
        at = start
        for _ in range(_PIECES):
            step = self._piece(tokens, at, end, found)
            if step is None:
                break
            if found is None and step.said.strength <= (BEHIND if alone else FOLLOWING):
                return None
            found = step
            gap = self._between.pattern.match(tokens.codes, step.end, end)
            at = gap.end() if gap else step.end
        return None if found is None or self._goes_on(tokens, found.end, end) else found

    def whole(self, text: str, start: int, end: int) -> Expression | None:
        """The time that a stretch of a folded text is; None when anything is left over."""
        found = self.scan(text, start, end, alone=True)
        return found.when if found and found.end == end else None

    def tail(self, text: str, starts: Iterable[int], end: int) -> tuple[int, Scan] | None:
        """The first of the places in a text from where it is time up to `end`, and that time."""
        for start in starts:
            found = self.scan(text, start, end)
            if found and found.end == end and found.said.strength == STRONG:
                return start, found
        return None

    def borders(self, tokens: Tokens, start: int, end: int) -> bool:
        """Whether a stretch of tokens begins or ends with one that says something of time: then it is no text beside a
        time, but part of one that is not understood."""
        first = self._edges.match(tokens.codes, start, end)
        last = next((at for at in range(max(start, end - 4), end) if self._edges.fullmatch(tokens.codes, at, end)), None)
        return first is not None or last is not None

    def _goes_on(self, tokens: Tokens, at: int, end: int) -> bool:
        code = tokens.codes[at : at + 1] if at < end else ""
        return any(code in one.first and one.pattern.match(tokens.codes, at, end) for one in self._against if code)

    def _piece(self, tokens: Tokens, at: int, end: int, before: Scan | None) -> Scan | None:
        if at >= end:
            return None
        for template in self._first.get(tokens.codes[at], ()):
            self.steps += 1
            piece = template.match(tokens, at, end)
            if piece is None or piece[0] in tokens.joined:
                continue
            both = join(before.said, piece[1]) if before else piece[1]
            when = expression(both) if both else None
            if both and when:
                return Scan(when, both, piece[0])
        return None
