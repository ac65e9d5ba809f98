"""Cuts a text into tokens and gives each a code of one character, so that a template can be a regular expression.

"remind Bob at 9" becomes four codes: those of the words "remind" and "at" in the lexicon, `X` for an unknown word with
a capital, and `0` for a number of one figure. The template `at <hour>` is then a pattern that matches the last two of
them, and no letter is looked at again.

There are two alphabets, which offer the same methods. `Words` is for scripts with spaces: a token is a word, a number
or a sign, and every word of the lexicon has a code of its own. `Signs` is for scripts without spaces: there every
character is a token and its own code, and the lexicon says which characters make a word. Both cut a text (`read`),
render a word or a class of a template as a pattern (`word`, `one_of`), say what a token is worth in a class (`worth`:
"friday" is 4 as a `weekday`), and know typing errors (`forgiven`, `nearly`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

# A text is folded character by character, so that a place in the folded text is the same place in what was written.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
FOLD = {
    **_WIDE,
    **str.maketrans("：，；。？！’‘`´“”„«»＠–—−\u3000\u00a0\u202f\n\t", ":,;.?!''''" + '"""""' + "@---     "),
}
# "p.m." is one token, also directly behind a number. A tight sign stands between two tokens without a space on either
# side ("15:30"); a glued one stands directly behind a token ("5%").
_TOKEN = re.compile(
    r"(?P<link>(?:https?://|www\.)\S+|@[^\W\d](?:[\w.]*\w)?)|(?P<half>(?<![^\W\d_])[apAP]\.\s?[mM]\b)"
    r"|(?P<run>\d+(?=[apAP]\.\s?[mM]\b)|\d\w*)|(?P<word>[^\W\d]\w*(?:'\w+)*)|(?P<tight>(?<=\S)[!-~](?=\w|@[^\W\d]))"
    r"|(?P<glued>(?<=\S)[%€$£°/+])|(?P<sign>[^\w\s])|(?P<wide>\s{4,})"
)
_FIGURES_OR_LETTERS, _FIGURES = re.compile(r"\d+|[^\W\d]+"), re.compile(r"\d+")
# What may stand between the words of a lexicon's phrase, such as "day after tomorrow".
_WORD_GAP, _WORD_GAPS = r"\s{0,3}[\s-]\s{0,3}", re.compile(r"[\s-]+")
# Where there are no spaces between words, a space counts only between Latin letters or figures.
_SIGN = re.compile(r"\S|(?<=[0-9A-Za-z])\s+(?=[0-9A-Za-z])")
# A text is in a language with spaces when it has a letter of such a script, or a tick, which all of them understand.
_LETTER = re.compile(r".*?(?:[^\W\d_\u2e80-\U0010ffff]|[☑✅✔])", re.DOTALL)
_HANDLE = re.compile(r"@\S+\s")
_SPACE_BEHIND_SIGN = re.compile(r"(?<=[^\x00-\x7f])\s(?=\S)")
_ASCII_TO_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
# Codes of tokens that are no word of the lexicon. A sign is its own code.
OTHER, NAME, LINK, TAIL, _GLUED, _WIDE_GAP, _ORDINAL = "x", "X", "L", "\ue004", "g", "w", "n"
_CODE_BY_KIND = {"link": LINK, "glued": _GLUED, "wide": _WIDE_GAP}
# No token has this code: it says that a template can begin or end with any.
ANY = "\ue003"
_TIGHT, _FIRST_WORD = {n: 0xE100 + n for n in range(0x80)}, 0xE200
# A number has a code by what it can be: 0 for one figure, 1 to 4 for two figures up to 24, 31, 59 and 99, then 5, 6 and
# 7 for three, four and more figures.
_NUMBER_CODES = {str(n): "0" for n in range(10)} | {f"{n:02}": "1234"[bisect_left((24, 31, 59), n)] for n in range(100)}
_LONG_NUMBER_CODES = {3: "5", 4: "6", 5: "7"}
# The codes that a class has beside those of its words.
_CODES = {
    "one": "0", "two": "1234", "hour": "01", "monthday": "012n", "dayfigure": "012n", "minute": "123", "year": "6",
    "small": "01234", "hands": "56", "number": "0123456", "count": "0123456n", "any": "01234567", "nth": "n",
    "nthcount": "n", "name": NAME, "unknown": NAME + OTHER, "link": LINK,
    "timed": "01234567n,:./-" + ",:./-'".translate(_TIGHT),
}  # fmt: skip
# A word must have so many letters for a typing error in it to be forgiven. In a longer one more errors are seen, which
# shows that it was not understood.
_SHORTEST, _LONGER, _ERRORS = 5, 7, 2
MAX_LENGTH = 2_000
_QUOTED = re.compile(r"""["“„«「『]([^"“”„«»「」『』]+)["“”»」』]""")
# The code, the word, and where it begins and ends.
_Row = tuple[str, str, int, int]


class Fragment(NamedTuple):
    """Holds what a part of a template is compiled to.

    `first` and `last` are the codes that it can begin and end with; `empty` tells that it may match nothing. Of each of
    the sets `needs` whatever it matches holds a code.
    """

    pattern: str
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    empty: bool = False
    needs: tuple[frozenset[str], ...] = ()


def fragment(pattern: str, first: Iterable[str], last: Iterable[str] | None = None) -> Fragment:
    """Return a fragment that matches at least one token; it ends with the codes of `first` without a `last`."""
    codes = frozenset(first)
    return Fragment(pattern, codes, codes if last is None else frozenset(last), needs=(codes,))


class Tokens(NamedTuple):
    """Holds a folded text as tokens: of each its code, its word in small letters, and where it begins and ends.

    `joined` are the tokens that stand directly behind a figure or a letter: "h" and "30" in "1h30".
    """

    text: str
    codes: str
    words: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    joined: frozenset[int] = frozenset()

    def part(self, text: str, start: int, end: int) -> str:
        """Return what stands in a text from the token `start` on and before the token `end`."""
        return text[self.starts[start] : self.ends[end - 1]] if start < end else ""


def unquoted(text: str) -> str:
    """Return a text that is quoted as a whole without its quotes; any other stays as it is."""
    quoted = _QUOTED.fullmatch(text)
    return quoted[1] if quoted else text


@lru_cache(16)
def _cut(text: str) -> tuple[str, Sequence[_Row]]:
    """Return a text folded, and its tokens as all languages with spaces cut them.

    A word or a number has no code yet, since that is the lexicon's to say.
    """
    folded, rows = text.translate(FOLD), []
    for match in _TOKEN.finditer(folded):
        kind, word = match.lastgroup, match[0]
        code = (
            word if kind == "sign" else word.translate(_TIGHT) if kind == "tight" else _CODE_BY_KIND.get(kind or "", "")
        )
        rows.append((code, f"{word[0]} m" if kind == "half" else word, *match.span()))
    return folded, rows


class Words:
    """Reads the tokens of a language with spaces.

    `classes` has the words of each class with what they are worth. What has several words is one token ("day after
    tomorrow"); one with a "+" stands directly behind a number ("+pm"); one with a "*" is any that ends so, and is worth
    what stands before: "*liste" in "Campingliste". Words of the class `glued` may stand behind a number as well. In
    those of the class `keys` a typing error is forgiven; a word of any class is none. `spelt` are letters with what
    people write for them: "ü", "ue". ValueError for a word that can be no token.
    """

    # A word is one token, and a space stands between two. A text that does not match `ours` is in no such language.
    width, gap, ours = 1, " ", _LETTER

    def __init__(self, classes: Mapping[str, Mapping[str, Any]], *, spelt: Mapping[str, str] = {}) -> None:
        self.classes = dict(classes)
        self._codes, self._respelling = dict(_NUMBER_CODES), str.maketrans({**spelt})
        # The word of the lexicon that is meant by another spelling of it.
        self._meant: dict[str, str] = {}
        # The patterns of what goes on behind the first word of a phrase, the longest first.
        self._continuations: dict[str, list[str]] = {}
        for word in sorted(dict.fromkeys(chain.from_iterable(self.classes.values())), key=len, reverse=True):
            self._code(word)
            first, *rest = word.split()
            if rest:
                self._continuations.setdefault(first, []).append("".join(f"{_WORD_GAP}{part}" for part in rest))
                self._meant[first.translate(self._respelling)] = first
        self._codes |= {f"{n}{suffix}": _ORDINAL for n in range(100) for suffix in self.classes.get("suffix", ())}
        for word in self.classes.get("glued", ()):
            self._codes.setdefault(f"+{word}", self._code(word))
        # The lengths of the ends of words that the lexicon has, the longest first.
        self._endings = sorted({len(word) - 1 for word in self._codes if word[0] == "*" and word[1:]}, reverse=True)
        # A time does not end where a number or a word goes on: "9" in "9%" or in "9.5".
        tight, dots = "/-'+%".translate(_TIGHT), ".:,".translate(_TIGHT)
        self.boundary = f"(?![{tight}{_GLUED}]|[{dots}]{self.one_of('any').pattern})"

    def _code(self, word: str) -> str:
        """Return the code of a word of the lexicon or of a template; a new one where it is not known yet.

        ValueError where no token looks so.
        """
        if word not in self._codes:
            if word[0] != "*" and not all(map(_TOKEN.fullmatch, word.lstrip("+").split())):
                raise ValueError(f"no word is written with such signs, but for an apostrophe within it: {word!r}")
            self._codes[word] = chr(_FIRST_WORD + len(self._codes))
            self._meant[word.translate(self._respelling)] = word
            # What was read before knows nothing of the new word.
            self._look_up.cache_clear()
            self.read.cache_clear()
        return self._codes[word]

    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def read(self, text: str) -> Tokens:
        """Fold a text and cut it into tokens."""
        text, cut = _cut(text)
        rows: list[_Row] = []
        joined: set[int] = set()
        look_up, continuations, phrase_end = self._look_up, self._continuations, 0
        for code, word, start, end in cut:
            if start < phrase_end:
                continue
            if code:
                rows.append((code, word.lower(), start, end))
                continue
            known, low, parts = look_up(word)
            if low in continuations and (rest := self._continuation(low).match(text, end)):
                phrase_end = rest.end()
                low += _WORD_GAPS.sub(" ", rest[0].lower())
                rows.append((self._codes[low], low, start, phrase_end))
            elif parts:
                joined.update(range(len(rows) + 1, len(rows) + len(parts)))
                rows += [(part_code, part, start + first, start + last) for part_code, part, first, last in parts]
            else:
                rows.append((known, low, start, end))
        codes, words, starts, ends = zip(*rows, strict=True) if rows else ("", (), (), ())
        return Tokens(text, "".join(codes), words, starts, ends, frozenset(joined))

    @lru_cache(16_384)  # noqa: B019 - there is one for each language, for good
    def _look_up(self, word: str) -> tuple[str, str, Sequence[_Row]]:
        """Return the code of a word or a number, and the word as the lexicon writes it.

        Of a number that something is glued to ("2h30m", "15h30") there is no code, but a row for each part; its places
        are counted within the word.
        """
        low = word.lower()
        low = low if low in self._codes else self._meant.get(low, low)
        code = self._codes.get(low) or next(filter(None, (self._codes.get(f"*{low[-n:]}") for n in self._endings)), "")
        if code or not word[0].isdecimal():
            return code or (NAME if word[0].isupper() else OTHER), low, ()
        parts = [(match[0].lower(), *match.span()) for match in _FIGURES_OR_LETTERS.finditer(word)]
        keys = [f"{'' if part[0].isdecimal() else '+'}{part}" for part, *_ in parts]
        codes = [
            self._codes.get(key) or _LONG_NUMBER_CODES.get(key.isdecimal() and min(len(key), 5), OTHER) for key in keys
        ]
        return "", low, [(OTHER if OTHER in codes else code, *part) for code, part in zip(codes, parts, strict=True)]

    @cache  # noqa: B019 - there is one for each language, for good
    def _continuation(self, first: str) -> re.Pattern[str]:
        """Return the pattern of all that may follow the first word of a phrase of the lexicon."""
        return re.compile(rf"(?:{'|'.join(self._continuations[first])})(?!\w|'\w)", re.IGNORECASE)

    def forgiven(self, tokens: Tokens) -> Tokens | None:
        """Return the tokens with the one misspelt key word among them as it was meant; None when there is none, or
        several."""
        likely = ((at, self._key_words_near(word, 1)) for at, word in enumerate(tokens.words))
        misspelt = [(at, keys[0]) for at, keys in likely if len(keys) == 1]
        if len(misspelt) != 1:
            return None
        codes, words, (at, meant) = [*tokens.codes], [*tokens.words], misspelt[0]
        codes[at], words[at] = self._codes[meant], meant
        return tokens._replace(codes="".join(codes), words=words)

    def nearly(self, word: str) -> bool:
        """Return whether a word may be a key word with more errors than are forgiven, or is listed as `misspelt`."""
        # The beginning of a key word is mostly a word of its own: "Dienst".
        near = any(not key.startswith(word) for key in self._key_words_near(word, _ERRORS))
        return near or word in self.classes.get("misspelt", ())

    @lru_cache(16_384)  # noqa: B019 - there is one for each language, for good
    def _key_words_near(self, word: str, errors: int) -> Sequence[str]:
        """Return the key words that an unknown word may be with so many typing errors; a short one has one at most."""
        if word in self._codes or len(word) < _SHORTEST or "'" in word:
            return ()
        likely = (key for key in self.classes.get("keys", ()) if key[0] == word[0])
        return [key for key in likely if is_near(word, key, errors if len(key) > _LONGER else 1)]

    @cache  # noqa: B019 - there is one for each language, for good
    def word(self, text: str) -> Fragment:
        """Return the fragment of a word or a sign in a template; a sign behind a "_" is a tight one."""
        tight = text[1:].translate(_TIGHT) if text[0] == "_" else ""
        code = tight or (self._code(text) if text[0].isalpha() else text)
        return fragment(re.escape(code), code)

    @cache  # noqa: B019 - there is one for each language, for good
    def one_of(self, name: str) -> Fragment:
        """Return the fragment of a class in a template. ValueError when there is no such class."""
        codes = _CODES.get(name, "") + "".join(self._codes[word] for word in self.classes.get(name, ()))
        if not codes:
            raise ValueError(f"no class {name}")
        return fragment(f"[{re.escape(codes)}]", codes)

    def worth(self, name: str, text: str) -> Any:
        """Return what a token is worth in a class, such as 4 for "friday" as a `weekday`; None when it is not in it."""
        words = self.classes.get(name, {})
        if text in words:
            return words[text]
        if length := next((n for n in self._endings if f"*{text[-n:]}" in words), 0):
            return text[:-length]
        figures = _FIGURES.match(text)
        return int(figures[0]) if figures else words.get(f"+{text}")


def is_near(word: str, other: str, errors: int) -> bool:
    """Return whether two words differ by so many typing errors at most.

    An error is a letter that is wrong, missing, too many, or swapped with the next one.
    """
    if not word or not other:
        return len(word) + len(other) <= errors
    if word[0] == other[0]:
        return is_near(word[1:], other[1:], errors)
    # How many letters of either word an error takes.
    taken = [(1, 1), (1, 0), (0, 1)] + [(2, 2)] * (word[:2] == other[1::-1])
    return errors > 0 and any(is_near(word[mine:], other[its:], errors - 1) for mine, its in taken)


class Signs:
    """Reads the tokens of a language without spaces.

    A class is its words with what they are worth, or a pattern, the signs that it can begin with, and what reads its
    matches. A word never matches where one of `others` begins, which are longer words that say nothing of time; nor is
    the end of one of `tailed` a word of its own: "吧" in "酒吧". `fold` writes signs that have several forms in one of
    them, place by place. A text that does not match `ours` has no tokens.
    """

    # A word is mostly two tokens, with nothing between words; and a time may end anywhere.
    width, gap, boundary = 2, "", ""

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
        """Fold a text and cut it into tokens. The space behind a handle is one, since it ends the name."""
        if not self.ours.match(text):
            return Tokens(text, "", (), (), ())
        text = self._fold(text.translate(FOLD))
        handle_ends = ((match.end() - 1, match.end()) for match in _HANDLE.finditer(text))
        places = sorted({*(match.span() for match in _SIGN.finditer(text)), *handle_ends})
        words = "".join(" " if text[start].isspace() else text[start] for start, _ in places).translate(_ASCII_TO_LOWER)
        codes = self._tails.sub(TAIL, words)
        return Tokens(text, codes, words, [start for start, _ in places], [end for _, end in places])

    def forgiven(self, tokens: Tokens) -> Tokens | None:
        """Return the tokens with commas where needless spaces stand, which may be meant; None when there are none."""
        text = _SPACE_BEHIND_SIGN.sub(",", tokens.text)
        return self.read(text) if text != tokens.text else None

    def nearly(self, word: str) -> bool:
        """Return False: no typing errors are seen here."""
        return False

    @cache  # noqa: B019 - there is one for each language, for good
    def word(self, text: str) -> Fragment:
        """Return the fragment of a word or a sign in a template."""
        return fragment(self._alone(text), text[0], text[-1])

    def _alone(self, word: str) -> str:
        """Return the pattern of a word where none of `others` begins with it."""
        longer = [other[len(word) :] for other in self._others if other.startswith(word) and other != word]
        return re.escape(word) + (f"(?!{'|'.join(longer)})" if longer else "")

    @cache  # noqa: B019 - there is one for each language, for good
    def one_of(self, name: str) -> Fragment:
        """Return the fragment of a class in a template. ValueError when there is no such class."""
        if (members := self.classes.get(name)) is None:
            raise ValueError(f"no class {name}")
        if isinstance(members, tuple):
            return fragment(f"(?:{members[0]})", members[1], ANY)
        # The words of times are taken sign by sign: what can be cut in two ways takes for ever to match.
        words = sorted({*"".join(members), *",:/.-、~ "} if name == "timed" else members, key=len, reverse=True)
        patterns = {word: self._alone(word) for word in words}
        # Signs that may stand anywhere become one set: Python compiles and matches that sooner than a way for each.
        free = [patterns.pop(word) for word in words if len(word) == 1 and patterns[word] == re.escape(word)]
        pattern = "|".join([*patterns.values(), *([f"[{''.join(free)}]"] if free else [])])
        return fragment(f"(?:{pattern})", (word[0] for word in words), (word[-1] for word in words))

    def worth(self, name: str, text: str) -> Any:
        """Return what a word is worth in a class; None when it is not in it."""
        members = self.classes.get(name, {})
        return members[2](text) if isinstance(members, tuple) else members.get(text)


Alphabet = Words | Signs
