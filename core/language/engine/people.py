"""Reads for whom a request is, when it begins with that: me, us, everybody, @bob, Bob and Anna.

Of "Bob and me at 9 to call Oma" it is `Who(names=("Bob", "me"), end=3)`: the request goes on with the fourth token. A
name counts only where a time or a word such as "to" follows it: "lunch with Anna at 12" is for nobody called Lunch.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.kernel.markdown import is_picture
from core.language.engine.templates import Templates
from core.language.engine.times import Reader
from core.language.engine.tokens import LINK, Tokens
from core.language.grammar import ME

# Handles of all who are in a chat, on any platform.
_ALL = frozenset({"@all", "@everyone", "@everybody", "@channel", "@here"})
_MOST_NAMES, _MOST_WORDS = 8, 3


@dataclass(frozen=True, slots=True)
class Who:
    """Says whom a request is for, and with which token it goes on; without names, and not for everybody: who asks."""

    names: tuple[str, ...] = ()
    everybody: bool = False
    end: int = 0


class People:
    """Reads people with the templates of a language with spaces; one without spaces reads them in a class of its own.

    `me` (`self` in a list) is who asks, `us` surely are all, `many` where a time or a word that tells follows. `for`
    may stand before names, `and` between them, `unnamed` is a word that is none; `tells` follows a name with a capital,
    `after` a time behind any name, `plain` a time behind one with a capital.
    """

    def __init__(self, reader: Reader, rules: Templates) -> None:
        self._reader, self._rules = reader, rules

    def read(self, text: str, tokens: Tokens, at: int, end: int, *, told: bool = False) -> Who:
        """Return for whom what stands from a token on is; it ends at `at` where it says that of nobody.

        Behind a verb (`told`) names may have small letters.
        """
        rules = self._rules
        if me := rules["me"].match(tokens, at, end):
            return Who(end=me.end)
        if us := rules["us"].match(tokens, at, end):
            return Who(everybody=True, end=us.end)
        if many := rules["many"].match(tokens, at, end):
            shown = rules["after"].match(tokens, many.end, end) or self._time_end(tokens, many.end, end)
            return Who(everybody=True, end=many.end) if shown else Who(end=at)
        who = self._listed(text, tokens, rules.skip("for", tokens, at, end), end)
        return who if who.everybody or self._is_shown(tokens, who, end, told=told) else Who(end=at)

    def whole(self, text: str, tokens: Tokens, at: int, end: int) -> Who | None:
        """Return for whom that is which all tokens between two places say; None where they say more."""
        if self._rules["self"].whole(tokens, at, end):
            return Who(end=end)
        if any(self._rules[name].whole(tokens, at, end) for name in ("us", "many")):
            return Who(everybody=True, end=end)
        who = self._listed(text, tokens, at, end)
        return who if who.end == end else None

    def _listed(self, text: str, tokens: Tokens, at: int, end: int) -> Who:
        """Return the names that stand from a token on: one, or several with "and" between them."""
        names: list[str] = []
        stop, begin = at, at
        while len(names) < _MOST_NAMES and (after := self._name_end(text, tokens, begin, end)) > begin:
            own = self._rules["self"].match(tokens, begin, after)
            names.append(ME if own else tokens.part(text, begin, after))
            stop = after
            between = self._rules["and"].match(tokens, after, end)
            begin = between.end if between else end
        if len(names) == 1 and names[0].lower() in _ALL:
            return Who(everybody=True, end=stop)
        # What goes on behind the last name is none: "Bob and the others".
        if {*names} <= {ME} or self._rules["and"].match(tokens, stop, end):
            return Who(end=at)
        return Who(names=tuple(names), end=stop)

    def _name_end(self, text: str, tokens: Tokens, at: int, end: int) -> int:
        """Return behind which token a name ends; the same token where none begins.

        Several words of a name begin with capitals, where their script has those. Pictures may stand around them.
        """
        if own := self._rules["self"].match(tokens, at, end):
            return own.end
        if at < end and tokens.codes[at] == LINK:
            return at + 1 if tokens.words[at][0] == "@" else at
        begin = stop = _behind_pictures(text, tokens, at, end)
        capital = True
        while stop < min(end, begin + _MOST_WORDS) and capital:
            first = text[tokens.starts[stop]]
            if not first.isalpha() or self._rules["unnamed"].match(tokens, stop, stop + 1):
                break
            capital = not first.islower()
            # "Tomorow at 8" is no name, but "Marsha" is one.
            if not capital and self._reader.alphabet.nearly(tokens.words[stop]):
                break
            stop += capital or stop == begin
        return _behind_pictures(text, tokens, stop, end) if stop > begin else at

    def _is_shown(self, tokens: Tokens, who: Who, end: int, *, told: bool) -> bool:
        """Return whether there are names, and what follows shows that they are some."""
        others = [name for name in who.names if name != ME]
        if all(name[0] == "@" for name in others):
            return bool(others)
        first = next((letter for letter in others[0] if letter.isalpha() or letter == "@"), "")
        capital = first == "@" or first.isupper()
        if self._rules["tells"].match(tokens, who.end, end):
            return capital or told
        time_end = self._time_end(tokens, who.end, end)
        if not time_end:
            return False
        # "Lunch tomorrow at 12 with Anna" is not for somebody called Lunch.
        after, plain = (self._rules[name].match(tokens, time_end, end) for name in ("after", "plain"))
        return after is not None or (capital and plain is not None)

    def _time_end(self, tokens: Tokens, at: int, end: int) -> int:
        """Return behind which token a time ends that surely stands from one on, or behind a comma there; 0 for none."""
        time = self._reader.sure(tokens, self._rules.skip("comma", tokens, at, end), end)
        return time.end if time else 0


def _behind_pictures(text: str, tokens: Tokens, at: int, end: int) -> int:
    """Return behind which token the pictures end that stand from one on."""
    while at < end and is_picture(text[tokens.starts[at]]):
        at += 1
    return at
