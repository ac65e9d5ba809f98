"""Text as templates look at it: one code a token, so that a template is a pattern over codes.

`Words` is for scripts with spaces: a token is a word, a number or a sign, and every word of the lexicon has a code of
its own. `Signs` is for scripts without: there each character is a token, but for needless spaces, and the lexicon cuts
it, the longest word first. Both render a class, or a word, of a template as a pattern, and tell what it is worth where
it was found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

# One character for one, so that a place in the folded text is a place in what was written.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
FOLD = {
    **_WIDE,
    **str.maketrans("：，；。？！’‘`´“”„«»＠–—−\u3000\u00a0\u202f\n\t", ":,;.?!''''" + '"""""' + "@---     "),
}
# Runs, links and signs; "p.m." is one token, also directly behind a number. A tight sign stands between two others
# without a space, a glued one behind another.
_TOKEN = re.compile(
    r"(?P<link>(?:https?://|www\.)\S+|@[^\W\d](?:[\w.]*\w)?)|(?P<half>(?<![^\W\d_])[apAP]\.\s?[mM]\b)"
    r"|(?P<run>\d+(?=[apAP]\.\s?[mM]\b)|\d\w*)|(?P<word>[^\W\d]\w*(?:'\w+)*)|(?P<tight>(?<=\S)[!-~](?=\w|@[^\W\d]))"
    r"|(?P<glued>(?<=\S)[%€$£°/+])|(?P<sign>[^\w\s])|(?P<wide>\s{4,})"
)
_PARTS, _FIGURE = re.compile(r"\d+|[^\W\d]+"), re.compile(r"\d+")
# What stands between the words of a phrase.
_BETWEEN, _BETWEEN_WORDS = r"\s{0,3}[\s-]\s{0,3}", re.compile(r"[\s-]+")
# A sign, or a space that keeps words in Latin letters and figures apart.
_SIGN = re.compile(r"\S|(?<=[0-9A-Za-z])\s+(?=[0-9A-Za-z])")
# A letter of a language with spaces, or a tick, which says something in all of them.
_LETTER = re.compile(r".*?(?:[^\W\d_\u2e80-\U0010ffff]|[☑✅✔])", re.DOTALL)
_HANDLE = re.compile(r"@\S+\s")
_GAPS = re.compile(r"(?<=[^\x00-\x7f])\s(?=\S)")
_SMALL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
# Codes of tokens that are no word of the lexicon; signs are their own.
OTHER, NAME, LINK, TAIL, _GLUED, _WIDE_GAP, _ORDINAL = "x", "X", "L", "\ue004", "g", "w", "n"
_KINDS = {"link": LINK, "glued": _GLUED, "wide": _WIDE_GAP}
# No token's: of what can begin or end with any.
ANY = "\ue003"
_TIGHT, _FIRST_WORD = {n: 0xE100 + n for n in range(0x80)}, 0xE200
# Numbers have codes by what they can be: one figure, two up to 24, 31, 59 and 99, three, four, more.
_FIGURES = {str(n): "0" for n in range(10)} | {f"{n:02}": "1234"[bisect_left((24, 31, 59), n)] for n in range(100)}
_MANY = {3: "5", 4: "6", 5: "7"}
# The codes of tokens that are of a class beside its words.
_CODES = {
    "one": "0", "two": "1234", "hour": "01", "monthday": "012n", "dayfigure": "012n", "minute": "123", "year": "6",
    "small": "01234", "hands": "56", "number": "0123456", "count": "0123456n", "any": "01234567", "nth": "n",
    "nthcount": "n", "name": NAME, "unknown": NAME + OTHER, "link": LINK,
    "timed": "01234567n,:./-" + ",:./-'".translate(_TIGHT),
}  # fmt: skip
# A word that is forgiven has so many letters at least. More errors than one are seen in a longer one, but not forgiven.
_SHORTEST, _LONGER, _ERRORS = 5, 7, 2
MAX_LENGTH = 2_000


class Part(NamedTuple):
    """A part of a template: its pattern, the codes it can begin and end with, whether it may be empty, and sets of
    codes: what it matches has one of each."""

    pattern: str
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    empty: bool = False
    needs: tuple[frozenset[str], ...] = ()


def part_of(pattern: str, first: Iterable[str], last: Iterable[str] | None = None) -> Part:
    """A part that is not empty; where it begins and ends with the same codes these are named once."""
    codes = frozenset(first)
    return Part(pattern, codes, codes if last is None else frozenset(last), needs=(codes,))


class Tokens(NamedTuple):
    """A folded text as codes, with the word of each token in small letters, and where it begins and ends.

    `joined` are the places of those without a space or sign before them: "30" in "1h30".
    """

    text: str
    codes: str
    words: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    joined: frozenset[int] = frozenset()


@lru_cache(16)
def _pieces(text: str) -> tuple[str, Sequence[tuple[str, str, int, int]]]:
    """A text folded, and the pieces of which languages with spaces make tokens: the code of one that is no word of
    theirs, its text, and where it begins and ends."""
    folded, pieces = text.translate(FOLD), []
    for match in _TOKEN.finditer(folded):
        kind, word = match.lastgroup, match[0]
        code = word if kind == "sign" else word.translate(_TIGHT) if kind == "tight" else _KINDS.get(kind or "", "")
        pieces.append((code, f"{word[0]} m" if kind == "half" else word, *match.span()))
    return folded, pieces


class Words:
    """A language with spaces. A text that is not `ours` wishes nothing in it.

    `classes` has the words of each class with their worth; what has several words is one token ("day after tomorrow"),
    and one with a "+" stands directly behind a number. `glued` are words that may do so as well ("3pm"). The words of
    the class `keys` are forgiven a typing error; a word of any class is none. A word with a "*" is any that ends so,
    and is worth what stands before: "*liste" in "Campingliste". `spelt` are letters with what people write for them:
    "ü", "ue".
    """

    width, gap, ours = 1, " ", _LETTER

    def __init__(
        self, classes: Mapping[str, Mapping[str, Any]], *, glued: str = "", spelt: Mapping[str, str] = {}
    ) -> None:
        self.classes = dict(classes)
        self._codes, self._plain = dict(_FIGURES), str.maketrans({**spelt})
        self._written: dict[str, str] = {}
        # What phrases go on with behind their first word, the longest first.
        self._phrases: dict[str, list[str]] = {}
        for word in sorted(dict.fromkeys(chain.from_iterable(self.classes.values())), key=len, reverse=True):
            self._code(word)
            first, *rest = word.split()
            if rest:
                self._phrases.setdefault(first, []).append("".join(f"{_BETWEEN}{part}" for part in rest))
                self._written[first.translate(self._plain)] = first
        self._codes |= {f"{n}{suffix}": _ORDINAL for n in range(100) for suffix in self.classes.get("suffix", ())}
        for word in glued.split():
            self._codes.setdefault(f"+{word}", self._code(word))
        self._ends = tuple((word[1:], code) for word, code in self._codes.items() if word[0] == "*" and word[1:])
        tight, dots = "/-'+%".translate(_TIGHT), ".:,".translate(_TIGHT)
        self.end = f"(?![{tight}{_GLUED}]|[{dots}]{self.one_of('any').pattern})"

    def _code(self, word: str) -> str:
        """The code of a word of the lexicon or of a template, also as people write it. ValueError where none is so."""
        if word not in self._codes:
            if word[0] != "*" and not all(map(_TOKEN.fullmatch, word.lstrip("+").split())):
                raise ValueError(f"no word is written with such signs, but for an apostrophe within it: {word!r}")
            self._codes[word] = chr(_FIRST_WORD + len(self._codes))
            self._written[word.translate(self._plain)] = word
            # What was read before knows nothing of it.
            self._look_up.cache_clear()
            self.read.cache_clear()
        return self._codes[word]

    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def read(self, text: str) -> Tokens:
        """The tokens of a text, which they have folded."""
        text, pieces = _pieces(text)
        rows: list[tuple[str, str, int, int]] = []
        joined: set[int] = set()
        look_up, phrases, behind = self._look_up, self._phrases, 0
        for code, word, start, end in pieces:
            if start < behind:
                continue  # it is a part of a phrase
            if code:
                rows.append((code, word.lower(), start, end))
                continue
            known, low, parts = look_up(word)
            if low in phrases and (rest := self._rest(low).match(text, end)):
                behind = rest.end()
                low += _BETWEEN_WORDS.sub(" ", rest[0].lower())
                rows.append((self._codes[low], low, start, behind))
            elif parts:
                joined.update(range(len(rows) + 1, len(rows) + len(parts)))
                rows += [(one, part, start + first, start + last) for one, part, first, last in parts]
            else:
                rows.append((known, low, start, end))
        codes, words, starts, ends = zip(*rows, strict=True) if rows else ("", (), (), ())
        return Tokens(text, "".join(codes), words, starts, ends, frozenset(joined))

    @lru_cache(16_384)  # noqa: B019 - there is one for each language, for good
    def _look_up(self, word: str) -> tuple[str, str, Sequence[tuple[str, str, int, int]]]:
        """The code of a word or a number, and its small letters; of a number that something is glued to ("2h30m",
        "15h30") those of each part, from where to where it reaches in it."""
        low = word.lower()
        low = low if low in self._codes else self._written.get(low, low)
        code = self._codes.get(low) or next((one for end, one in self._ends if low.endswith(end)), "")
        if code or not word[0].isdecimal():
            return code or (NAME if word[0].isupper() else OTHER), low, ()
        parts = [(match[0].lower(), *match.span()) for match in _PARTS.finditer(word)]
        keys = [f"{'' if part[0].isdecimal() else '+'}{part}" for part, *_ in parts]
        codes = [self._codes.get(key) or _MANY.get(key.isdecimal() and min(len(key), 5), OTHER) for key in keys]
        return "", low, [(OTHER if OTHER in codes else code, *part) for code, part in zip(codes, parts, strict=True)]

    @cache  # noqa: B019 - there is one for each language, for good
    def _rest(self, first: str) -> re.Pattern[str]:
        """The pattern of all that may follow the first word of a phrase of the lexicon to its end."""
        return re.compile(rf"(?:{'|'.join(self._phrases[first])})(?!\w|'\w)", re.IGNORECASE)

    def forgiven(self, tokens: Tokens) -> Tokens | None:
        """The same tokens with the one key word in them that has a typing error as it was meant; None when there is
        none, or several."""
        likely = ((at, self._keys(word, 1)) for at, word in enumerate(tokens.words))
        wrong = [(at, keys[0]) for at, keys in likely if len(keys) == 1]
        if len(wrong) != 1:
            return None
        codes, words, (at, meant) = [*tokens.codes], [*tokens.words], wrong[0]
        codes[at], words[at] = self._codes[meant], meant
        return tokens._replace(codes="".join(codes), words=words)

    def nearly(self, word: str) -> bool:
        """Whether a word may be a key word with more errors than are forgiven, or is one in short (`misspelt`)."""
        # The beginning of one is mostly another: "Dienst".
        near = any(not key.startswith(word) for key in self._keys(word, _ERRORS))
        return near or word in self.classes.get("misspelt", ())

    @lru_cache(16_384)  # noqa: B019 - there is one for each language, for good
    def _keys(self, word: str, errors: int) -> Sequence[str]:
        """The key words that an unknown word may be with so many typing errors, a short one with one."""
        if word in self._codes or len(word) < _SHORTEST or "'" in word:
            return ()
        likely = (key for key in self.classes.get("keys", ()) if key[0] == word[0])
        return [key for key in likely if is_near(word, key, errors if len(key) > _LONGER else 1)]

    @cache  # noqa: B019 - there is one for each language, for good
    def word(self, text: str) -> Part:
        """A word or sign of a template."""
        if text[0] == "_" and len(text) > 1:
            found = text[1].translate(_TIGHT)
        else:
            found = self._code(text) if text[0].isalpha() else text
        return part_of(re.escape(found), found)

    @cache  # noqa: B019 - there is one for each language, for good
    def one_of(self, name: str) -> Part:
        """The same for a class. ValueError when there is none."""
        codes = _CODES.get(name, "") + "".join(self._codes[word] for word in self.classes.get(name, ()))
        if not codes:
            raise ValueError(f"no class {name}")
        return part_of(f"[{re.escape(codes)}]", codes)

    def worth(self, name: str, text: str) -> Any:
        """What a token of a class says; None when it is none of it."""
        words = self.classes.get(name, {})
        if text in words:
            return words[text]
        for ending, _ in self._ends:
            if f"*{ending}" in words and text.endswith(ending):
                return text.removesuffix(ending)
        figures = _FIGURE.match(text)
        return int(figures[0]) if figures else words.get(f"+{text}")


def is_near(word: str, other: str, errors: int) -> bool:
    """Whether two words differ by so many errors at most: a letter is wrong, missing, too many, or swapped with the
    next."""
    if not word or not other:
        return len(word) + len(other) <= errors
    if word[0] == other[0]:
        return is_near(word[1:], other[1:], errors)
    steps = [(1, 1), (1, 0), (0, 1)] + [(2, 2)] * (word[:2] == other[1::-1])
    return errors > 0 and any(is_near(word[one:], other[two:], errors - 1) for one, two in steps)


class Signs:
    """A language without spaces. A class is its words with their worth, or a pattern, the signs it can begin with and
    what reads its matches. A word never matches where one of the patterns `others` begins, which say nothing of time;
    nor is the end of one of `tailed` a word of its own: "吧" in "酒吧". `fold` makes one of signs that are written in
    several ways, place by place. A space behind a handle is a token. A text that is not `ours` has none."""

    end = ""
    # How many tokens a word is at most, mostly; and what stands between words.
    width, gap = 2, ""

    def __init__(
        self,
        classes: Mapping[str, Mapping[str, Any] | tuple[str, str, Callable[[str], Any]]],
        *,
        others: Sequence[str],
        tailed: Sequence[str],
        fold: Callable[[str], str],
        ours: re.Pattern[str],
    ) -> None:
        self.classes = dict(classes)
        self._others, self._fold, self.ours = others, fold, ours
        self._tails = re.compile("|".join(f"(?<={word[:-1]}){word[-1]}" for word in tailed))

    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def read(self, text: str) -> Tokens:
        if not self.ours.match(text):
            return Tokens(text, "", (), (), ())
        text = self._fold(text.translate(FOLD))
        handles = ((match.end() - 1, match.end()) for match in _HANDLE.finditer(text))
        signs = sorted({*(match.span() for match in _SIGN.finditer(text)), *handles})
        codes = "".join(" " if text[start].isspace() else text[start] for start, _ in signs).translate(_SMALL)
        whole = self._tails.sub(TAIL, codes)
        return Tokens(text, whole, codes, [start for start, _ in signs], [end for _, end in signs])

    def forgiven(self, tokens: Tokens) -> Tokens | None:
        """The same tokens with commas where there are spaces that are none; None when there are none."""
        text = _GAPS.sub(",", tokens.text)
        return self.read(text) if text != tokens.text else None

    def nearly(self, word: str) -> bool:
        """The same."""
        return False

    @cache  # noqa: B019 - there is one for each language, for good
    def word(self, text: str) -> Part:
        return part_of(self._alone(text), text[0], text[-1])

    def _alone(self, word: str) -> str:
        """The pattern of a word, but not where it is the beginning of another that says nothing of time."""
        longer = [one[len(word) :] for one in self._others if one.startswith(word) and one != word]
        return re.escape(word) + (f"(?!{'|'.join(longer)})" if longer else "")

    @cache  # noqa: B019 - there is one for each language, for good
    def one_of(self, name: str) -> Part:
        if (found := self.classes.get(name)) is None:
            raise ValueError(f"no class {name}")
        if isinstance(found, tuple):
            return part_of(f"(?:{found[0]})", found[1], ANY)
        # Signs of times are looked at one by one: what can be cut in two ways takes for ever.
        words = sorted({*"".join(found), *",:/.-、~ "} if name == "timed" else found, key=len, reverse=True)
        ways = {word: self._alone(word) for word in words}
        # Signs that may stand anywhere are one set: Python reads and matches that sooner than a way for each.
        signs = [ways.pop(word) for word in words if len(word) == 1 and ways[word] == re.escape(word)]
        pattern = "|".join([*ways.values(), *([f"[{''.join(signs)}]"] if signs else [])])
        return part_of(f"(?:{pattern})", (word[0] for word in words), (word[-1] for word in words))

    def worth(self, name: str, text: str) -> Any:
        found = self.classes.get(name, {})
        return found[2](text) if isinstance(found, tuple) else found.get(text)


Alphabet = Words | Signs
