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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from typing import Any, NamedTuple
from weakref import ref

from core.language.engine.tokens import ANY, Alphabet, Codes, Tokens

_ITEM = re.compile(
    r"\s*(?:<(?:(?P<name>\w+):)?(?P<cls>\w+)>|(?P<open>\((?:\?(?P<look>[=!])|(?P<group>\w+)=)?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>\?|\{\d+,\d+\})|(?P<end>\$)|\[(?P<set>[^\]]+)\]|(?P<word>_[^\w\s]|[^\W_\u2e80-\uffff](?:'?[^\W\u2e80-\uffff])*|\S))"
)
# Free text, as short as it can be, and at most so many words. Only one that is not bounded may stand in a template.
_SLOTS = {"text": 2_000, "few": 14, "many": 40, "some": 6, "plain": 30, "words": 6, "title": 3, "time": 14, "word": 1}
# The classes that never stand in them.
_WITHOUT = {"plain": "order", "words": "order", "title": "unnamed"}
_ALL = frozenset(ANY)
_LOOK = re.compile(r"\(\?[=!](?:[^()]|\([^()]*\))*\)")
# What a language need not say.
_NEVER = "(?!$|<y:word>) :"
# As many tokens are looked at for what ends before a place.
_BEFORE = 12
# All templates there are.
_MADE: list[ref[Template]] = []
_MACRO = re.compile(r"(?<![\w<:])[A-Z][A-Z_]+\b")


class Match:
    """What a template has matched: its named groups, and what they are worth."""

    def __init__(self, match: re.Match[str], tokens: Tokens, template: Template) -> None:
        self.end = match.end()
        self._tokens, self._template = tokens, template
        # Of groups with the same name the one that has matched: "day", "day_2".
        self._groups: dict[str, str] = {}
        self._spans: dict[str, tuple[int, int]] = {}
        for name in match.re.groupindex:
            base = name.partition("_")[0]
            if base not in self._spans and match.start(name) >= 0:
                self._groups[base], self._spans[base] = name, match.span(name)

    def has(self, name: str) -> bool:
        """Whether a group has matched."""
        return name in self._spans

    def span(self, name: str) -> tuple[int, int]:
        """From and before which token a group has matched."""
        return self._spans[name]

    def text(self, name: str) -> str:
        """What stands there, in small letters; empty when nothing does."""
        start, end = self._spans.get(name, (0, 0))
        return "".join(self._tokens.words[start:end])

    def worth(self, name: str) -> Any:
        """What the token of a named class says, or a group that is a number; None when it is not there."""
        if name not in self._spans:
            return None
        cls = self._template.classes.get(self._groups[name], "number")
        return self._template.alphabet.worth(cls, self.text(name))

    def cls(self, name: str) -> str:
        """The class of a group that has matched."""
        return self._template.classes.get(self._groups[name], "number")

    def all(self, name: str, cls: str) -> list[Any]:
        """What all tokens of a class in a group say."""
        alphabet, tokens = self._template.alphabet, self._tokens
        one = re.compile(alphabet.one_of(cls)[0])
        places = one.finditer(tokens.codes, *self._spans.get(name, (0, 0)))
        return [alphabet.worth(cls, "".join(tokens.words[match.start() : match.end()])) for match in places]

    def each(self, name: str, part: Template) -> Iterator[Match]:
        """The matches of a template in a group."""
        start, end = self._spans.get(name, (0, 0))
        while start < end:
            match = part.match(self._tokens, start, end)
            if match:
                yield match
            start = match.end if match else start + 1


@dataclass(frozen=True)
class Template:
    """A template: the source of its pattern, the codes that it can begin and end with, and the class of each name.

    What it matches has one of the codes `needs` and one of `needs_too`, which are `ANY` where nothing is known of that.
    """

    source: str
    first: frozenset[str]
    last: frozenset[str]
    needs: frozenset[str]
    needs_too: frozenset[str]
    classes: Mapping[str, str]
    alphabet: Alphabet
    # How often its longest free text may be tried anew, since other free text stands beside it.
    weight: int = 1

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


def compiled(text: str, alphabet: Alphabet, *, end: str = "") -> Template:
    """A template of a language. `end` is a pattern for what must stand behind it. ValueError when it is none."""
    parser = _Parser(text, alphabet)
    found = parser.choice()
    if parser.at < len(text.rstrip()):
        raise ValueError(f"no template: {text!r} from {text[parser.at :]!r}")
    weight = prod(sorted(parser.bounds)[:-1])
    needs, needs_too, *_ = *sorted(set(found.needs), key=len), _ALL, _ALL
    first, last, needs, needs_too = map(_kept, (found.first, found.last, needs, needs_too))
    made = Template(found.pattern + end, first, last, needs, needs_too, parser.classes, alphabet, weight)
    _MADE.append(ref(made))
    return made


def compile_rest(pause: float = 0.0) -> None:
    """Compile the patterns that no text has needed yet, with a pause (seconds) behind each."""
    for one in tuple(_MADE):
        template = one()
        if template is not None and "pattern" not in vars(template):
            _ = template.pattern
            time.sleep(pause)


@cache
def _kept(codes: frozenset[str]) -> frozenset[str]:
    """The same codes; many templates begin and end alike, and all of them are kept."""
    return codes


class Part(NamedTuple):
    """A part of a template: its pattern, the codes it can begin and end with, whether it may be empty, and sets of
    codes: what it matches has one of each, where it is not empty."""

    pattern: str
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    empty: bool = False
    needs: tuple[frozenset[str], ...] = ()


class _Parser:
    """Reads a template from the left."""

    def __init__(self, text: str, alphabet: Alphabet) -> None:
        self.at = 0
        self.classes: dict[str, str] = {}
        self.bounds: list[int] = []
        self._names: list[str] = []
        self._text, self._alphabet = text, alphabet

    def choice(self) -> Part:
        parts = [self._row()]
        while (item := _ITEM.match(self._text, self.at)) and item["or"]:
            self.at = item.end()
            parts.append(self._row())
        if len(parts) == 1:
            return parts[0]._replace(pattern=f"(?:{parts[0].pattern})")
        nothing = frozenset[str]()
        needs = [min(one.needs, key=len, default=nothing) for one in parts]
        return Part(
            f"(?:{'|'.join(one.pattern for one in parts)})",
            nothing.union(*(one.first for one in parts)),
            nothing.union(*(one.last for one in parts)),
            any(one.empty for one in parts),
            (nothing.union(*needs),) if all(needs) else (),
        )

    def _row(self) -> Part:
        patterns: list[str] = []
        first, last, empty, needs = frozenset[str](), frozenset[str](), True, list[frozenset[str]]()
        while (item := _ITEM.match(self._text, self.at)) and not (item["or"] or item["close"]):
            self.at = item.end()
            part = self._part(item)
            pattern, may = part.pattern, part.empty
            times = _ITEM.match(self._text, self.at)
            if times and times["times"]:
                self.at = times.end()
                pattern, may = f"(?:{pattern}){times['times']}", may or times["times"][1:2] in {"", "0"}
            patterns.append(pattern)
            needs += () if times and may else part.needs
            first = first | part.first if empty else first
            last = last | part.last if may else part.last
            empty = empty and may
        return Part("".join(patterns), first, last, empty, tuple(needs))

    def _part(self, item: re.Match[str]) -> Part:
        if item["open"]:
            name = self._named(item["group"])
            found = self.choice()
            close = _ITEM.match(self._text, self.at)
            if close is None or not close["close"]:
                raise ValueError(f"a group is open: {self._text!r}")
            self.at = close.end()
            if item["look"]:
                needs = found.needs if item["look"] == "=" else ()
                return Part(f"(?{item['look']}{found.pattern})", empty=True, needs=needs)
            return found._replace(pattern=f"(?P<{name}>{found.pattern})") if name else found
        if item["end"]:
            return Part("$", empty=True)
        if item["set"]:
            return Part(f"[{item['set']}]", signs := frozenset(item["set"]), signs, needs=(signs,))
        if not item["cls"]:
            pattern, first, last = self._alphabet.word(item["word"])
            return Part(pattern, first, last, needs=(first,))
        pattern, first, last = self._slot(item["cls"]) or self._alphabet.one_of(item["cls"])
        if name := self._named(item["name"]):
            self.classes[name] = item["cls"]
            pattern = f"(?P<{name}>{pattern})"
        return Part(pattern, first, last, needs=() if ANY in first else (first,))

    def _slot(self, cls: str) -> Codes | None:
        """The pattern of free text; None for a class of words."""
        if cls not in _SLOTS:
            return None
        self.bounds.append(_SLOTS[cls])
        most = f"{{1,{_SLOTS[cls] * self._alphabet.width}}}?"
        if cls == "time":
            codes, first, last = self._alphabet.one_of("timed")
            return f"{codes}{most}", first, last
        one = f"(?:(?!{self._alphabet.one_of(_WITHOUT[cls])[0]}).)" if cls in _WITHOUT else "."
        return f"{one}{most}", _ALL, _ALL

    def _named(self, name: str | None) -> str:
        """A name that no group has yet."""
        if name is None:
            return ""
        self._names.append(name)
        n = self._names.count(name)
        return f"{name}_{n}" if n > 1 else name


def expanded(text: str, macros: Mapping[str, str]) -> str:
    """A template with what its words in capitals stand for. ValueError where one stands for itself."""
    for _ in range(len(macros) + 1):
        if (found := _MACRO.sub(lambda match: f"({macros[match[0]]})", text)) == text:
            return text
        text = found
    raise ValueError(f"a macro names itself in {text[:200]!r}")


class Templates(dict[str, Template]):
    """Templates of a language by what they are for; what it does not tell never matches."""

    def __init__(self, texts: Mapping[str, str], macros: Mapping[str, str], alphabet: Alphabet) -> None:
        super().__init__({name: compiled(expanded(text, macros), alphabet) for name, text in texts.items()})
        self._never = compiled(_NEVER, alphabet)

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
