"""Reads for whom a request is, when it begins with that: me, us, everybody, @bob, Bob and Anna."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.kernel.markdown import is_picture
from core.language.engine.said import STRONG, Scan
from core.language.engine.templates import Templates
from core.language.engine.times import Reader
from core.language.engine.tokens import LINK, Tokens
from core.language.grammar import ME

# Handles of all who are in a chat, on any platform.
_ALL = frozenset({"@all", "@everyone", "@everybody", "@channel", "@here"})
_NAMES, _NAME_WORDS = 8, 3


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a request is for, and the token it goes on with; nobody else: who asks."""

    names: tuple[str, ...] = ()
    everybody: bool = False
    end: int = 0


class Reads(Protocol):
    """What reads for whom a request is."""

    def read(self, text: str, tokens: Tokens, at: int, end: int, *, told: bool = False) -> Who:
        """For whom what stands from a token on is."""

    def whole(self, text: str, tokens: Tokens) -> Who:
        """For whom a text is that says no more."""


class People:
    """Reads it with the templates of a language.

    `me` (`self` in a list) is who asks, `us` surely are all, `many` where a time or a word that tells follows. `for`
    may stand before names, `and` between them, `unnamed` is a word that is none; `tells` follows a name with a capital,
    `after` a time behind any name, `plain` a time behind one with a capital.
    """

    def __init__(self, reader: Reader, rules: Templates) -> None:
        self._reader, self._rules = reader, rules

    def read(self, text: str, tokens: Tokens, at: int, end: int, *, told: bool = False) -> Who:
        """For whom what stands from a token on is. A name counts only when a time or a word that tells follows it; when
        `told`, behind a verb, small letters do as well."""
        if found := self._rules["me"].match(tokens, at, end):
            return Who(end=found.end)
        if found := self._rules["us"].match(tokens, at, end):
            return Who(everybody=True, end=found.end)
        if found := self._rules["many"].match(tokens, at, end):
            sure = self._rules["after"].match(tokens, found.end, end) or self._time_behind(tokens, found.end, end)
            return Who(everybody=True, end=found.end) if sure else Who(end=at)
        who, capital = self._listed(text, tokens, self._rules.skip("for", tokens, at, end), end)
        counts = who.names and self._counts(tokens, who, end, capital=capital, told=told)
        return who if who.everybody or counts else Who(end=at)

    def whole(self, text: str, tokens: Tokens) -> Who:
        """For whom a text is that says no more."""
        end = len(tokens.codes)
        if self._rules["self"].whole(tokens, 0, end):
            return Who(end=end)
        if any(self._rules[name].whole(tokens, 0, end) for name in ("us", "many")):
            return Who(everybody=True, end=end)
        return self._listed(text, tokens, 0, end)[0]

    def _listed(self, text: str, tokens: Tokens, at: int, end: int) -> tuple[Who, bool]:
        """The names that stand from a token on, and whether the first begins with a capital."""
        names: list[str] = []
        stop, begin = at, at
        while len(names) < _NAMES and (after := self._name(text, tokens, begin, end)) > begin:
            own = self._rules["self"].match(tokens, begin, after)
            names.append(ME if own else text[tokens.starts[begin] : tokens.ends[after - 1]])
            stop = after
            between = self._rules["and"].match(tokens, after, end)
            begin = between.end if between else end
        if len(names) == 1 and names[0].lower() in _ALL:
            return Who(everybody=True, end=stop), True
        others = [name for name in names if name != ME]
        # What goes on behind the last name is none: "Bob and the others".
        if not others or self._rules["and"].match(tokens, stop, end):
            return Who(end=at), False
        first = next((one for one in others[0] if one.isalpha() or one == "@"), "")
        return Who(names=tuple(names), end=stop), first == "@" or first.isupper()

    def _name(self, text: str, tokens: Tokens, at: int, end: int) -> int:
        """Behind which token a name ends; several words of one begin with capitals, where their script has those.
        Pictures may stand around them."""
        if own := self._rules["self"].match(tokens, at, end):
            return own.end
        if at < end and tokens.codes[at] == LINK:
            return at + 1 if tokens.words[at][0] == "@" else at
        begin = stop = _behind_pictures(text, tokens, at, end)
        capital = True
        while stop < min(end, begin + _NAME_WORDS) and capital:
            first = text[tokens.starts[stop]]
            if not first.isalpha() or self._rules["unnamed"].match(tokens, stop, stop + 1):
                break
            capital = not first.islower()
            # "Tomorow at 8" is no name, but "Marsha" is one.
            if not capital and self._reader.alphabet.nearly(tokens.words[stop]):
                break
            stop += capital or stop == begin
        return _behind_pictures(text, tokens, stop, end) if stop > begin else at

    def _counts(self, tokens: Tokens, who: Who, end: int, *, capital: bool, told: bool) -> bool:
        """Whether what follows shows that these were names."""
        if all(name == ME or name[0] == "@" for name in who.names):
            return True
        if self._rules["tells"].match(tokens, who.end, end):
            return capital or told
        found = self._time_behind(tokens, who.end, end)
        if found is None:
            return False
        # "Lunch tomorrow at 12 with Anna" is not for somebody called Lunch.
        after, plain = (self._rules[one].match(tokens, found.end, end) for one in ("after", "plain"))
        return after is not None or (capital and plain is not None)

    def _time_behind(self, tokens: Tokens, at: int, end: int) -> Scan | None:
        """What stands from a token on, or behind a comma, if that is surely a time."""
        found = self._reader.scan_tokens(tokens, self._rules.skip("comma", tokens, at, end), end)
        return found if found and found.said.strength == STRONG else None


def _behind_pictures(text: str, tokens: Tokens, at: int, end: int) -> int:
    """Behind which token the pictures end that stand from one on."""
    while at < end and is_picture(text[tokens.starts[at]]):
        at += 1
    return at
