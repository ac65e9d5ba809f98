"""Templates over classes of tokens, compiled to patterns over their codes.

A template is a row of words, signs and classes: `in? <n:number> <unit:unit>`. A class may have a name; so may a group,
`(days=<weekday> (, <weekday>){0,6})`, and several the same one. `(a|b)`, `?` and `{0,3}` are as in patterns,
`:` is a sign with a space beside it and `_:` one without, `(?=…)`, `(?!…)` and `$` look ahead, `[天日]` is one of some
signs. A word in capitals stands for another template (`expanded`). `<x:text>` is free text, `<x:many>`,
`<x:few>` and `<x:some>` some words of it, `<x:word>` one, and `<x:plain>` and `<x:words>` some without those of the
class `order`, which never stand in what is only named; `<list:title>` are a few that may be a name, without those of
`unnamed`. `<when:time>` are words that may stand in a time, in any order: those of the class `timed` (`words_in`).
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from typing import Any

from core.language.engine.tokens import ANY, Alphabet, Part, Tokens, part_of

_ITEM = re.compile(
    r"\s*(?:<(?:(?P<name>\w+):)?(?P<cls>\w+)>|(?P<open>\((?:\?(?P<look>[=!])|(?P<group>\w+)=)?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>\?|\{\d+,\d+\})|(?P<end>\$)|\[(?P<set>[^\]]+)\]|(?P<word>_[^\w\s]|[^\W_\u2e80-\uffff](?:'?[^\W\u2e80-\uffff])*|\S))"
)
# Free text, as short as it can be, and at most so many words. Only one that is not bounded may stand in a template.
_SLOTS = {"text": 2_000, "few": 14, "many": 40, "some": 6, "plain": 30, "words": 6, "title": 3, "time": 14, "word": 1}
# The classes that never stand in them.
_WITHOUT = {"plain": "order", "words": "order", "title": "unnamed"}
_LOOK = re.compile(r"\(\?[=!](?:[^()]|\([^()]*\))*\)")
# As many tokens are looked at for what ends before a place; and so many sets of codes are kept that a template needs.
_BEFORE, _NEEDS = 12, 2
# All templates there are.
_MADE: list[Template] = []
_MACRO = re.compile(r"(?<![\w<:])[A-Z][A-Z_]*\b")


class Match:
    """What a template has matched: its named groups, and what they are worth."""

    def __init__(self, match: re.Match[str], tokens: Tokens, template: Template) -> None:
        self.end = match.end()
        self._tokens, self._alphabet = tokens, template.alphabet
        # The class of a group and where it is; of those with the same name the one that has matched: "day_2", "day_4".
        self._groups: dict[str, tuple[str, tuple[int, int]]] = {}
        for name, cls in template.classes.items():
            if match.start(name) >= 0:
                self._groups.setdefault(name.partition("_")[0], (cls, match.span(name)))

    def has(self, name: str) -> bool:
        """Whether a group has matched."""
        return name in self._groups

    def span(self, name: str) -> tuple[int, int]:
        """From and before which token a group has matched; from 0 to 0 when it has not."""
        return self._groups[name][1] if name in self._groups else (0, 0)

    def text(self, name: str) -> str:
        """What stands there, in small letters; empty when nothing does."""
        start, end = self.span(name)
        return "".join(self._tokens.words[start:end])

    def worth(self, name: str) -> Any:
        """What the token of a named class says, or a group that is a number; None when it is not there."""
        return self._alphabet.worth(self._groups[name][0], self.text(name)) if self.has(name) else None

    def all(self, name: str, cls: str) -> list[Any]:
        """What all tokens of a class in a group say."""
        return [one.worth("one") for one in self.each(name, compiled(f"<one:{cls}>", self._alphabet))]

    def each(self, name: str, part: Template) -> Iterator[Match]:
        """The matches of a template in a group."""
        start, end = self.span(name)
        while start < end:
            match = part.match(self._tokens, start, end)
            if match:
                yield match
            start = match.end if match else start + 1


@dataclass(frozen=True, eq=False)
class Template:
    """A template: the source of its pattern, the codes that it can begin and end with, and the class of each name.

    Of each of the sets `needs` what it matches has a code.
    """

    source: str
    first: frozenset[str]
    last: frozenset[str]
    needs: Sequence[frozenset[str]]
    classes: Mapping[str, str]
    alphabet: Alphabet
    # How often its longest free text may be tried anew, since other free text stands beside it.
    weight: int

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Made with the first text that may fit: to compile all those of a language takes half a second and more."""
        return re.compile(self.source, re.DOTALL)

    def match(self, tokens: Tokens, at: int, end: int) -> Match | None:
        """What matches from a token on; None when nothing does."""
        match = self.pattern.match(tokens.codes, at, end)
        return Match(match, tokens, self) if match and match.end() > at else None

    def whole(self, tokens: Tokens, at: int, end: int) -> Match | None:
        """What matches from a token up to another; None when anything is left over."""
        match = self.pattern.fullmatch(tokens.codes, at, end)
        return Match(match, tokens, self) if match else None

    def search(self, tokens: Tokens, at: int, end: int) -> Match | None:
        """The first that matches between a token and another; None when nothing does."""
        match = self.pattern.search(tokens.codes, at, end)
        return Match(match, tokens, self) if match else None


@cache
def compiled(text: str, alphabet: Alphabet, *, end: str = "") -> Template:
    """A template of a language. `end` is a pattern for what must stand behind it. ValueError when it is none."""
    parser = _Parser(text, alphabet)
    try:
        found = parser.choice()
    except ValueError as wrong:
        raise ValueError(f"{wrong}, in the template {text!r}") from None
    if parser.items:
        raise ValueError(f"no template: {text!r} from {parser.items[0][0]!r}")
    first, last, *needs = map(_kept, (found.first, found.last, *sorted(set(found.needs), key=len)[:_NEEDS]))
    weight = prod(sorted(parser.bounds)[:-1])
    made = Template(found.pattern + end, first, last, needs, parser.classes, alphabet, weight)
    _MADE.append(made)
    return made


def compile_rest(pause: float = 0.0) -> None:
    """Compile the patterns that no text has needed yet, with a pause (seconds) behind each."""
    for template in tuple(_MADE):
        if "pattern" not in vars(template):
            _ = template.pattern
            time.sleep(pause)


@cache
def _kept(codes: frozenset[str]) -> frozenset[str]:
    """The same codes; many templates begin and end alike, and all of them are kept."""
    return codes


class _Parser:
    """Reads a template from the left."""

    def __init__(self, text: str, alphabet: Alphabet) -> None:
        self.items = deque(_ITEM.finditer(text))
        self.classes: dict[str, str] = {}
        self.bounds: list[int] = []
        self._alphabet = alphabet

    def _take(self, kind: str) -> re.Match[str] | None:
        """The next item if it is of a kind."""
        return self.items.popleft() if self.items and self.items[0].lastgroup == kind else None

    def choice(self) -> Part:
        parts = [self._row()]
        while self._take("or"):
            parts.append(self._row())
        nothing = frozenset[str]()
        pattern = "|".join(part.pattern for part in parts)
        return Part(
            # A group of one way would be read for nothing, and reading is most of what loading a language takes.
            f"(?:{pattern})" if len(parts) > 1 else pattern,
            nothing.union(*(part.first for part in parts)),
            nothing.union(*(part.last for part in parts)),
            any(part.empty for part in parts),
            # What one way needs or another one: the rarest of each together, and so on.
            tuple(nothing.union(*row) for row in zip(*(sorted(part.needs, key=len) for part in parts), strict=False)),
        )

    def _row(self) -> Part:
        row = Part("", empty=True)
        while self.items and self.items[0].lastgroup not in {"or", "close"}:
            part = self._part(self.items.popleft())
            if times := self._take("times"):
                part = part._replace(pattern=f"(?:{part.pattern}){times['times']}")
                if times["times"][:2] in {"?", "{0"}:
                    part = part._replace(empty=True, needs=())
            row = Part(
                row.pattern + part.pattern,
                row.first | part.first if row.empty else row.first,
                row.last | part.last if part.empty else part.last,
                row.empty and part.empty,
                row.needs + part.needs,
            )
        return row

    def _part(self, item: re.Match[str]) -> Part:
        match item.lastgroup:
            case "open":
                found = self.choice()
                if not self._take("close"):
                    raise ValueError("a bracket is open")
                if item["look"]:
                    needs = found.needs if item["look"] == "=" else ()
                    return Part(f"(?{item['look']}{found.pattern})", empty=True, needs=needs)
                return found._replace(pattern=self._named(item["group"], found.pattern, "number"))
            case "end":
                return Part("$", empty=True)
            case "set":
                return part_of(f"[{item['set']}]", item["set"])
            case "cls":
                part = self._slot(item["cls"]) if item["cls"] in _SLOTS else self._alphabet.one_of(item["cls"])
                return part._replace(pattern=self._named(item["name"], part.pattern, item["cls"]))
        return self._alphabet.word(item["word"])

    def _slot(self, cls: str) -> Part:
        """Free text, or words that may stand in a time."""
        self.bounds.append(_SLOTS[cls])
        one = self._alphabet.one_of("timed") if cls == "time" else Part(".", frozenset(ANY), frozenset(ANY))
        without = f"(?!{self._alphabet.one_of(_WITHOUT[cls]).pattern})" if cls in _WITHOUT else ""
        return one._replace(pattern=f"(?:{without}{one.pattern}){{1,{_SLOTS[cls] * self._alphabet.width}}}?")

    def _named(self, name: str | None, pattern: str, cls: str) -> str:
        """A pattern as a group of a class, whose name no other has; the same one where it has none."""
        if name is None:
            return pattern
        group = f"{name}_{len(self.classes)}"
        self.classes[group] = cls
        return f"(?P<{group}>{pattern})"


def expanded(text: str, macros: Mapping[str, str]) -> str:
    """A template with what its words in capitals stand for. ValueError where one stands for itself, or for nothing."""
    for _ in range(len(macros) + 1):
        if unknown := sorted({*_MACRO.findall(text)} - macros.keys()):
            raise ValueError(f"no macro {', '.join(unknown)}, in the template {text!r}")
        if (found := _MACRO.sub(lambda match: f"({macros[match[0]]})", text)) == text:
            return text
        text = found
    raise ValueError(f"a macro names itself in {text[:200]!r}")


class Templates(dict[str, Template]):
    """Templates of a language by what they are for; what it does not tell never matches."""

    def __init__(self, texts: Mapping[str, str], macros: Mapping[str, str], alphabet: Alphabet) -> None:
        super().__init__({name: compiled(expanded(text, macros), alphabet) for name, text in texts.items()})
        self._never = compiled("(?!)", alphabet)

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


def words_in(texts: Iterable[str], classes: Mapping[str, Any]) -> set[str]:
    """The words that may stand in what templates match: their own, and those of their classes; of a class that is a
    pattern the signs that it can begin with."""
    items = [item for text in texts for item in _ITEM.finditer(_LOOK.sub("", text))]
    words = {item["word"] for item in items if item["word"] and item["word"][0].isalpha()}
    words.update(*(item["set"] for item in items if item["set"]))
    named = (classes.get(item["cls"], ()) for item in items if item["cls"])
    return words.union(*(found[1] if isinstance(found, tuple) and found else found for found in named))
