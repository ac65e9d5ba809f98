"""Compiles templates, which say in what orders words may stand, to regular expressions over the codes of tokens.

The template `in? <n:number> <unit:unit>` matches "in 20 minutes"; the match then tells that `n` is worth 20 and `unit`
"minute".

A template is a row of words, signs and classes. A class may have a name, as `n` above; so may a group,
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
from typing import Any, NamedTuple

from core.language.engine.tokens import ANY, Alphabet, Fragment, Tokens, fragment

_ITEM = re.compile(
    r"\s*(?:<(?:(?P<name>\w+):)?(?P<cls>\w+)>|(?P<open>\((?:\?(?P<look>[=!])|(?P<group>\w+)=)?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>\?|\{\d+,\d+\})|(?P<end>\$)|\[(?P<set>[^\]]+)\]|(?P<word>_[^\w\s]|[^\W_\u2e80-\uffff](?:'?[^\W\u2e80-\uffff])*|\S))"
)
# Free text is as short as it can be, and has so many words at most. Only one that is not bounded may stand in a
# template.
_SLOTS = {"text": 2_000, "few": 14, "many": 40, "some": 6, "plain": 30, "words": 6, "title": 3, "time": 14, "word": 1}
# The classes whose words never stand in a slot.
_WITHOUT = {"plain": "order", "words": "order", "title": "unnamed"}
_LOOK_AHEAD = re.compile(r"\(\?[=!](?:[^()]|\([^()]*\))*\)")
# What ends before a place is looked for in so many tokens; and so many of the sets of codes that a template needs are
# kept, the rarest.
_LOOK_BACK, _MOST_NEEDS = 12, 2
_ALL: list[Template] = []
_MACRO = re.compile(r"(?<![\w<:])[A-Z][A-Z_]*\b")


class Match:
    """Tells what a template has matched: from which token, before which, its named groups, and what they are worth."""

    def __init__(self, match: re.Match[str], tokens: Tokens, template: Template) -> None:
        self.start, self.end = match.span()
        self._tokens, self._alphabet = tokens, template.alphabet
        # The class of each group that has matched, and where. Of several with one name the first of them counts.
        self._groups: dict[str, tuple[str, tuple[int, int]]] = {}
        for name, cls, own in template.groups:
            span = match.span(own)
            if span[0] >= 0:
                self._groups.setdefault(name, (cls, span))

    def has(self, name: str) -> bool:
        """Return whether a group has matched."""
        return name in self._groups

    def span(self, name: str) -> tuple[int, int]:
        """Return from which token and before which a group has matched; twice 0 when it has not."""
        return self._groups[name][1] if name in self._groups else (0, 0)

    def text(self, name: str) -> str:
        """Return the words that a group has matched, in small letters; empty when it has not."""
        start, end = self.span(name)
        return "".join(self._tokens.words[start:end])

    def worth(self, name: str) -> Any:
        """Return what the token of a named class is worth, or a group that is a number; None when there is none."""
        return self._alphabet.worth(self._groups[name][0], self.text(name)) if self.has(name) else None

    def all(self, name: str, cls: str) -> list[Any]:
        """Return what each token of a class in a group is worth."""
        return [match.worth("token") for match in self.each(name, compiled(f"<token:{cls}>", self._alphabet))]

    def each(self, name: str, template: Template) -> Iterator[Match]:
        """Yield the matches of another template within a group."""
        for match in template.pattern.finditer(self._tokens.codes, *self.span(name)):
            yield Match(match, self._tokens, template)


class Group(NamedTuple):
    """Names a group of a template, with the class of its token, and the name that no other group has ("n_3")."""

    name: str
    cls: str
    own: str


@dataclass(frozen=True, eq=False)
class Template:
    """Holds a compiled template: its pattern's source, the codes that it can begin and end with, its named groups.

    Of each of the sets `needs` whatever it matches holds a code. `weight` is how often its longest free text may be
    tried anew, since other free text stands beside it.
    """

    source: str
    first: frozenset[str]
    last: frozenset[str]
    needs: Sequence[frozenset[str]]
    groups: Sequence[Group]
    alphabet: Alphabet
    weight: int

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compile the pattern for the first text that may fit: all those of a language take half a second and more."""
        return re.compile(self.source, re.DOTALL)

    def match(self, tokens: Tokens, at: int, end: int) -> Match | None:
        """Return what matches from a token on, at least one; None when nothing does."""
        match = self.pattern.match(tokens.codes, at, end)
        return Match(match, tokens, self) if match and match.end() > at else None

    def whole(self, tokens: Tokens, at: int, end: int) -> Match | None:
        """Return the match of all tokens between two places; None when anything is left over."""
        match = self.pattern.fullmatch(tokens.codes, at, end)
        return Match(match, tokens, self) if match else None

    def search(self, tokens: Tokens, at: int, end: int) -> Match | None:
        """Return the first match between two places; None when there is none."""
        match = self.pattern.search(tokens.codes, at, end)
        return Match(match, tokens, self) if match else None


@cache
def compiled(text: str, alphabet: Alphabet, *, boundary: str = "") -> Template:
    """Compile a template; `boundary` is a pattern for what must stand behind it. ValueError when it is no template."""
    parser = _Parser(text, alphabet)
    try:
        whole = parser.choice()
    except ValueError as wrong:
        raise ValueError(f"{wrong}, in the template {text!r}") from None
    if parser.items:
        raise ValueError(f"no template: {text!r} from {parser.items[0][0]!r}")
    first, last, *needs = map(_shared, (whole.first, whole.last, *sorted(set(whole.needs), key=len)[:_MOST_NEEDS]))
    weight = prod(sorted(parser.bounds)[:-1])
    template = Template(whole.pattern + boundary, first, last, needs, parser.groups, alphabet, weight)
    _ALL.append(template)
    return template


def compile_rest(pause: float = 0.0) -> None:
    """Compile the patterns that no text has needed yet, with a pause (seconds) behind each."""
    for template in tuple(_ALL):
        if "pattern" not in vars(template):
            _ = template.pattern
            time.sleep(pause)


@cache
def _shared(codes: frozenset[str]) -> frozenset[str]:
    """Return one set for all that are equal: many templates begin and end alike, and all of them are kept."""
    return codes


class _Parser:
    """Parses a template from left to right."""

    def __init__(self, text: str, alphabet: Alphabet) -> None:
        self.items = deque(_ITEM.finditer(text))
        self.groups: list[Group] = []
        self.bounds: list[int] = []
        self._alphabet = alphabet

    def _take(self, kind: str) -> re.Match[str] | None:
        """Return the next item and go on behind it, if it is of a kind."""
        return self.items.popleft() if self.items and self.items[0].lastgroup == kind else None

    def choice(self) -> Fragment:
        """Parse `a|b|c`, up to a closing bracket or the end."""
        ways = [self._row()]
        while self._take("or"):
            ways.append(self._row())
        nothing = frozenset[str]()
        pattern = "|".join(way.pattern for way in ways)
        return Fragment(
            # A group of one way would be read for nothing, and reading is most of what loading a language takes.
            f"(?:{pattern})" if len(ways) > 1 else pattern,
            nothing.union(*(way.first for way in ways)),
            nothing.union(*(way.last for way in ways)),
            any(way.empty for way in ways),
            # What one way needs or another one: the rarest of each together, and so on.
            tuple(nothing.union(*sets) for sets in zip(*(sorted(way.needs, key=len) for way in ways), strict=False)),
        )

    def _row(self) -> Fragment:
        """Parse one way: items one behind the other, each perhaps with how often it comes."""
        row = Fragment("", empty=True)
        while self.items and self.items[0].lastgroup not in {"or", "close"}:
            part = self._part(self.items.popleft())
            if times := self._take("times"):
                part = part._replace(pattern=f"(?:{part.pattern}){times['times']}")
                if times["times"][:2] in {"?", "{0"}:
                    part = part._replace(empty=True, needs=())
            row = Fragment(
                row.pattern + part.pattern,
                row.first | part.first if row.empty else row.first,
                row.last | part.last if part.empty else part.last,
                row.empty and part.empty,
                row.needs + part.needs,
            )
        return row

    def _part(self, item: re.Match[str]) -> Fragment:
        """Parse what an item begins: a bracket with all in it, or the item alone."""
        match item.lastgroup:
            case "open":
                inner = self.choice()
                if not self._take("close"):
                    raise ValueError("a bracket is open")
                if item["look"]:
                    needs = inner.needs if item["look"] == "=" else ()
                    return Fragment(f"(?{item['look']}{inner.pattern})", empty=True, needs=needs)
                return inner._replace(pattern=self._named(item["group"], inner.pattern, "number"))
            case "end":
                return Fragment("$", empty=True)
            case "set":
                return fragment(f"[{item['set']}]", item["set"])
            case "cls":
                part = self._slot(item["cls"]) if item["cls"] in _SLOTS else self._alphabet.one_of(item["cls"])
                return part._replace(pattern=self._named(item["name"], part.pattern, item["cls"]))
        return self._alphabet.word(item["word"])

    def _slot(self, cls: str) -> Fragment:
        """Return the fragment of free text, or of words that may stand in a time."""
        self.bounds.append(_SLOTS[cls])
        word = self._alphabet.one_of("timed") if cls == "time" else Fragment(".", frozenset(ANY), frozenset(ANY))
        without = f"(?!{self._alphabet.one_of(_WITHOUT[cls]).pattern})" if cls in _WITHOUT else ""
        return word._replace(pattern=f"(?:{without}{word.pattern}){{1,{_SLOTS[cls] * self._alphabet.width}}}?")

    def _named(self, name: str | None, pattern: str, cls: str) -> str:
        """Return a pattern as a named group with the class of its token; the same pattern where it has no name."""
        if name is None:
            return pattern
        own = f"{name}_{len(self.groups)}"
        self.groups.append(Group(name, cls, own))
        return f"(?P<{own}>{pattern})"


def expanded(text: str, macros: Mapping[str, str]) -> str:
    """Return a template with what its words in capitals stand for.

    ValueError where one stands for itself, or for nothing.
    """
    for _ in range(len(macros) + 1):
        if unknown := sorted({*_MACRO.findall(text)} - macros.keys()):
            raise ValueError(f"no macro {', '.join(unknown)}, in the template {text!r}")
        if (longer := _MACRO.sub(lambda match: f"({macros[match[0]]})", text)) == text:
            return text
        text = longer
    raise ValueError(f"a macro names itself in {text[:200]!r}")


class Templates(dict[str, Template]):
    """Holds the templates of a language by what they are for. What it does not tell never matches."""

    def __init__(self, texts: Mapping[str, str], macros: Mapping[str, str], alphabet: Alphabet) -> None:
        super().__init__({name: compiled(expanded(text, macros), alphabet) for name, text in texts.items()})
        self._never = compiled("(?!)", alphabet)

    def __missing__(self, name: str) -> Template:
        return self._never

    def skip(self, name: str, tokens: Tokens, at: int, end: int) -> int:
        """Return the place behind what matches from a token on; the same place where nothing does."""
        match = self[name].match(tokens, at, end)
        return match.end if match else at

    def ending(self, name: str, tokens: Tokens, start: int, end: int) -> Match | None:
        """Return the longest match that ends before the token `end` and does not begin before `start`."""
        template = self[name]
        if start >= end or not (tokens.codes[end - 1] in template.last or ANY in template.last):
            return None
        matches = (template.whole(tokens, at, end) for at in range(max(start, end - _LOOK_BACK), end))
        return next(filter(None, matches), None)

    def without(self, name: str, tokens: Tokens, start: int, end: int) -> int:
        """Return where a stretch of tokens ends without what matches at its end."""
        match = self.ending(name, tokens, start, end)
        return match.start if match else end


def words_in(texts: Iterable[str], classes: Mapping[str, Any]) -> set[str]:
    """Return the words that may stand in what templates match: their own, and those of their classes.

    Of a class that is a pattern they are the signs that it can begin with.
    """
    items = [item for text in texts for item in _ITEM.finditer(_LOOK_AHEAD.sub("", text))]
    words = {item["word"] for item in items if item["word"] and item["word"][0].isalpha()}
    words.update(*(item["set"] for item in items if item["set"]))
    classes_named = (classes.get(item["cls"], {}) for item in items if item["cls"])
    return words.union(*(members[1] if isinstance(members, tuple) else members for members in classes_named))
