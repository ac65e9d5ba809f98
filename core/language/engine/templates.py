"""Templates over classes of tokens, compiled to patterns over their codes.

A template is a row of words, signs and classes: `in? <n:number> <unit:unit>`. A class may have a name; so may a group,
`(days=<weekday> (, <weekday>){0,6})`, and several the same one. `(a|b)`, `?` and `{0,3}` are as in
patterns, `:` is a sign with a space beside it and `_:` one without, `(?=…)`, `(?!…)` and `$` look ahead, `[天日]` is one of some signs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.language.engine.tokens import Alphabet, Tokens

T = TypeVar("T")
_ITEM = re.compile(
    r"\s*(?:<(?:(?P<name>\w+):)?(?P<cls>\w+)>|(?P<open>\((?:\?(?P<look>[=!])|(?P<group>\w+)=)?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>\?|\{\d+,\d+\})|(?P<end>\$)|\[(?P<set>[^\]]+)\]|(?P<word>_[^\w\s]|[^\W_][\w']*|[^\w\s]))"
)
_MACRO = re.compile(r"(?<![\w<:])[A-Z][A-Z_]+\b")


class Match:
    """What a template has matched: its named groups, and what they are worth."""

    def __init__(self, match: re.Match[str], tokens: Tokens, alphabet: Alphabet, classes: Mapping[str, str]) -> None:
        self._match, self._tokens, self._alphabet, self._classes = match, tokens, alphabet, classes

    def _name(self, name: str) -> str | None:
        """The name under which a group has matched."""
        groups = self._match.re.groupindex
        if name in groups and self._match[name] is not None:
            return name
        n = 2
        while (other := f"{name}_{n}") in groups:
            if self._match[other] is not None:
                return other
            n += 1
        return None

    def has(self, name: str) -> bool:
        """Whether a group has matched."""
        return self._name(name) is not None

    def text(self, name: str) -> str:
        """What stands there, in small letters; empty when nothing does."""
        found = self._name(name)
        if found is None or self._match.end(found) == self._match.start(found):
            return ""
        return self._words(*self._match.span(found))

    def worth(self, name: str) -> Any:
        """What the token of a named class says, or a group that is a number; None when it is not there."""
        found = self._name(name)
        if found is None:
            return None
        return self._alphabet.worth(self._classes.get(found, "number"), self._words(*self._match.span(found)))

    def all(self, name: str, cls: str) -> list[Any]:
        """What all tokens of a class in a group say."""
        found = self._name(name)
        if found is None:
            return []
        start, end = self._match.span(found)
        one = re.compile(self._alphabet.one_of(cls)[0])
        return [
            self._alphabet.worth(cls, self._words(*match.span()))
            for match in one.finditer(self._tokens.codes, start, end)
        ]

    def each(self, name: str, part: Template[T]) -> Iterator[Match]:
        """The matches of a template in a group."""
        found = self._name(name)
        start, end = self._match.span(found) if found else (0, 0)
        while start < end:
            match = part.pattern.match(self._tokens.codes, start, end)
            if match is None or match.end() == start:
                start += 1
                continue
            yield Match(match, self._tokens, self._alphabet, part.classes)
            start = match.end()

    def _words(self, start: int, end: int) -> str:
        tokens = self._tokens
        return tokens.text[tokens.starts[start] : tokens.ends[end - 1]].casefold()


@dataclass(frozen=True, slots=True)
class Template(Generic[T]):
    """A template: its pattern, the codes that it can begin with, the class of each name, and what reads a match."""

    pattern: re.Pattern[str]
    first: frozenset[str]
    classes: Mapping[str, str]
    alphabet: Alphabet
    read: Callable[[Match], T | None]

    def match(self, tokens: Tokens, at: int, end: int) -> tuple[int, T] | None:
        """Where it ends when it matches from a token on, and what that says."""
        match = self.pattern.match(tokens.codes, at, end)
        found = self.read(Match(match, tokens, self.alphabet, self.classes)) if match else None
        return None if match is None or found is None else (match.end(), found)


def compiled(text: str, alphabet: Alphabet, read: Callable[[Match], T | None], *, end: str = "") -> Template[T]:
    """A template of a language. `end` is a pattern for what must stand behind it. ValueError when it is none."""
    parser = _Parser(text, alphabet)
    pattern, first, empty = parser.choice()
    if parser.at < len(text.rstrip()) or empty:
        raise ValueError(f"no template: {text!r} from {text[parser.at :]!r}")
    return Template(re.compile(pattern + end, re.DOTALL), first, parser.classes, alphabet, read)


Part = tuple[str, frozenset[str], bool]


class _Parser:
    """Reads a template from the left; each part is a pattern, the codes it can begin with, and whether it may be empty."""

    def __init__(self, text: str, alphabet: Alphabet) -> None:
        self.at = 0
        self.classes: dict[str, str] = {}
        self._names: list[str] = []
        self._text, self._alphabet = text, alphabet

    def choice(self) -> Part:
        parts = [self._row()]
        while (item := _ITEM.match(self._text, self.at)) and item["or"]:
            self.at = item.end()
            parts.append(self._row())
        first = frozenset[str]().union(*(part[1] for part in parts))
        return f"(?:{'|'.join(part[0] for part in parts)})", first, any(part[2] for part in parts)

    def _row(self) -> Part:
        patterns: list[str] = []
        first, empty = frozenset[str](), True
        while (item := _ITEM.match(self._text, self.at)) and not (item["or"] or item["close"]):
            self.at = item.end()
            pattern, begins, may = self._part(item)
            times = _ITEM.match(self._text, self.at)
            if times and times["times"]:
                self.at = times.end()
                pattern, may = f"(?:{pattern}){times['times']}", may or times["times"][1:2] in {"", "0"}
            patterns.append(pattern)
            first, empty = (first | begins if empty else first), empty and may
        return "".join(patterns), first, empty

    def _part(self, item: re.Match[str]) -> Part:
        if item["open"]:
            name = self._named(item["group"])
            pattern, first, empty = self.choice()
            close = _ITEM.match(self._text, self.at)
            if close is None or not close["close"]:
                raise ValueError(f"a group is open: {self._text!r}")
            self.at = close.end()
            if item["look"]:
                return f"(?{item['look']}{pattern})", frozenset(), True
            return f"(?P<{name}>{pattern})" if name else pattern, first, empty
        if item["end"]:
            return "$", frozenset(), True
        if item["set"]:
            return f"[{item['set']}]", frozenset(item["set"]), False
        if not item["cls"]:
            pattern, first = self._alphabet.word(item["word"])
            return pattern, first, False
        pattern, first = self._alphabet.one_of(item["cls"])
        if name := self._named(item["name"]):
            self.classes[name] = item["cls"]
            pattern = f"(?P<{name}>{pattern})"
        return pattern, first, False

    def _named(self, name: str | None) -> str:
        """A name that no group has yet."""
        if name is None:
            return ""
        self._names.append(name)
        n = self._names.count(name)
        return f"{name}_{n}" if n > 1 else name


def expanded(text: str, macros: Mapping[str, str]) -> str:
    """A template with what its words in capitals stand for."""
    while (found := _MACRO.sub(lambda match: f"({macros[match[0]]})", text)) != text:
        text = found
    return text


def literals(text: str) -> Iterator[str]:
    """The words of a template that stand there by themselves."""
    for item in _ITEM.finditer(text):
        if item["word"] and item["word"][0].isalpha():
            yield item["word"]
