"""Text as templates look at it: one code a token, so that a template is a pattern over codes.

`Words` is for scripts with spaces: a token is a word, a number or a sign, and every word of the lexicon has a code of
its own. `Signs` is for scripts without: there each character is a token, but for needless spaces, and the lexicon cuts
it, the longest word first. Both render a class, or a word, of a template as a pattern, and tell what it is worth where
it was found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain
from sys import intern
from typing import Any, NamedTuple

# One character for one, so that a place in the folded text is a place in what was written.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
FOLD = {**_WIDE, **str.maketrans("：，；。？！’‘`´“”„«»＠\u3000\u00a0\u202f\n\t", ":,;.?!''''" + '"""""' + "@     ")}
# Runs, links and signs; "p.m." is one token, also directly behind a number.
_TOKEN = re.compile(
    r"(?P<link>(?:https?://|www\.)\S+|@[^\W\d](?:[\w.]*\w)?)|(?P<half>(?<![^\W\d_])[apAP]\.\s?[mM]\b)"
    r"|(?P<run>\d+(?=[apAP]\.\s?[mM]\b)|\d\w*)|(?P<word>[^\W\d]\w*(?:'\w+)*)|(?P<sign>[^\w\s])|(?P<wide>\s{4,})"
)
_WORD = re.compile(r"[\w']+")
_PARTS = re.compile(r"\d+|[^\W\d]+")
# A sign, or a space that keeps words in Latin letters and figures apart.
_SIGN = re.compile(r"\S|(?<=[0-9A-Za-z])\s+(?=[0-9A-Za-z])")
# A letter of a language with spaces, or a tick, which says something in all of them.
_LETTER = re.compile(r".*?(?:[^\W\d_\u2e80-\U0010ffff]|[☑✅✔])", re.DOTALL)
_HANDLE = re.compile(r"@\S+\s")
_GAPS = re.compile(r"(?<=[^\x00-\x7f])\s(?=\S)")
_SPACE = re.compile(r"\s")
_SMALL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_DASHES = str.maketrans("–—−", "---")
# Codes of tokens that are no word of the lexicon. A tight sign stands between two others without a space.
OTHER, NAME, LINK, GLUED, WIDE, TAIL = "x", "X", "\ue002", "\ue000", "\ue001", "\ue004"
_UNKNOWN = OTHER + NAME
# No token's: of what can begin or end with any.
ANY = "\ue003"
_TIGHT, _FIRST_WORD, _FIGURE = 0xE100, 0xE200, 0xE010
# Numbers have codes by what they can be: one figure, two up to 24, 31, 59 and 99, three, four, more.
_SIZES = (24, 31, 59, 99)
FIGURES = {
    "one": (0,), "two": (1, 2, 3, 4), "hour": (0, 1), "monthday": (0, 1, 2), "dayfigure": (0, 1, 2),
    "minute": (1, 2, 3), "year": (6,), "small": (0, 1, 2, 3, 4), "hands": (5, 6), "number": tuple(range(7)),
    "count": tuple(range(7)),
}  # fmt: skip
_WITH_ORDINALS = frozenset({"nth", "monthday", "dayfigure", "count", "nthcount"})
_MONEY = frozenset("%€$£°/+'-")
# A word that is forgiven has so many letters at least. More errors than one are seen, but not forgiven.
_SHORTEST, _LONGER, _ERRORS = 5, 7, 2
_FIGURES = {str(n): chr(_FIGURE) for n in range(10)} | {
    f"{n:02}": chr(_FIGURE + 1 + next(kind for kind, most in enumerate(_SIZES) if n <= most)) for n in range(100)
}
_MANY = {3: chr(_FIGURE + 5), 4: chr(_FIGURE + 6), 5: chr(_FIGURE + 7)}
MAX_LENGTH = 2_000
# A pattern, and the codes that it can begin and end with.
Codes = tuple[str, frozenset[str], frozenset[str]]
# What kind it is of, its text, and where it begins and ends.
Piece = tuple[str, str, int, int]


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
def _pieces(text: str) -> tuple[str, Sequence[Piece]]:
    """A text folded, and the pieces of it of which languages with spaces make tokens."""
    folded = text.translate(FOLD)
    return folded, [(match.lastgroup or "", match[0], *match.span()) for match in _TOKEN.finditer(folded)]


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
        self, classes: Mapping[str, Mapping[str, Any]], *, glued: str, spelt: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.classes = {
            name: {word.casefold(): worth for word, worth in words.items()} for name, words in classes.items()
        }
        self._codes: dict[str, str] = {}
        self._known = lru_cache(8_192)(self._look_up)
        self._spelling = spelt
        self._written: dict[str, str] = {}
        self._ordinal = chr(_FIGURE + 15)
        self._glued = frozenset(glued.split())
        self._suffixes = frozenset(self.classes.get("suffix", ()))
        self._phrases: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
        for word in sorted(dict.fromkeys(chain.from_iterable(self.classes.values())), key=len, reverse=True):
            first, *rest = _WORD.findall(word) or [word]
            code = self._code(word)
            if rest:
                self._phrases.setdefault(first, []).append((tuple(rest), code, word))
                self._written[_plain(first, spelt)] = first
        self._ends = tuple((word[1:], code) for word, code in self._codes.items() if word[0] == "*" and word[1:])
        # A word of which the end alone is known may be a key word with an error, too: "Enkaufsliste".
        self._unsure = {*_UNKNOWN, *(code for _, code in self._ends)}
        # Key words by their first letter.
        self._spelt: dict[str, list[str]] = {}
        for word in self.classes.get("keys", ()):
            self._spelt.setdefault(word[0], []).append(word)
        tight = "".join(chr(_TIGHT + ord(sign)) for sign in "/-'+%")
        self.end = f"(?![{tight}{GLUED}]|[{''.join(chr(_TIGHT + ord(sign)) for sign in '.:,')}]{self.one_of('any')[0]})"

    def _code(self, word: str) -> str:
        """The code of a word of the lexicon or of a template, also as people write it."""
        if word not in self._codes:
            self._codes[word] = chr(_FIRST_WORD + len(self._codes))
            self._written[_plain(word, self._spelling)] = word
            # What was read before knows nothing of it.
            self._known.cache_clear()
            self.read.cache_clear()
        return self._codes[word]

    @lru_cache(16)  # noqa: B019 - there is one for each language, for good
    def read(self, text: str) -> Tokens:
        """The tokens of a text, which they have folded."""
        text, pieces = _pieces(text)
        rows: list[tuple[str, str, int, int]] = []
        joined: set[int] = set()
        known, phrases, behind = self._known, self._phrases, 0
        for at, (kind, word, start, end) in enumerate(pieces):
            if start < behind:
                continue  # it is a part of a phrase
            if kind == "word":
                code, low = known(word)
                if low not in phrases or not (phrase := self._phrase(pieces, at, low)):
                    rows.append((code, low, start, end))
                    continue
                code, low, last = phrase
                behind = pieces[last][3]
                rows.append((code, low, start, behind))
            elif kind == "run" and word not in _FIGURES:
                run = self._run(word, start)
                joined.update(range(len(rows) + 1, len(rows) + len(run)))
                rows += run
            else:
                rows.append((_FIGURES.get(word) or self._other(pieces, at), word.casefold(), start, end))
        codes, words, starts, ends = zip(*rows, strict=True) if rows else ("", (), (), ())
        return Tokens(text, "".join(codes), words, starts, ends, frozenset(joined))

    def _look_up(self, word: str) -> tuple[str, str]:
        """The code of a word, and how it is written in small letters."""
        low = word.casefold()
        low = low if low in self._codes else self._written.get(low, low)
        code = self._codes.get(low) or next((one for end, one in self._ends if low.endswith(end)), "")
        return code or (NAME if word[0].isupper() else OTHER), low

    def forgiven(self, tokens: Tokens) -> Tokens | None:
        """The same tokens with the one key word in them that has a typing error as it was meant; None when there is
        none, or several."""
        wrong = [at for at, code in enumerate(tokens.codes) if code in self._unsure and self._meant(tokens.words[at])]
        if len(wrong) != 1:
            return None
        at, meant = wrong[0], self._meant(tokens.words[wrong[0]])
        codes = f"{tokens.codes[:at]}{self._codes[meant]}{tokens.codes[at + 1 :]}"
        return tokens._replace(codes=codes, words=[*tokens.words[:at], meant, *tokens.words[at + 1 :]])

    @lru_cache(4_096)  # noqa: B019 - there is one for each language, for good
    def _meant(self, word: str) -> str:
        """The one key word that a word is with a single typing error; empty when there is none, or several."""
        likely = self._spelt.get(word[0], ()) if len(word) >= _SHORTEST else ()
        near = [one for one in likely if abs(len(one) - len(word)) <= 1 and apart(word, one) == 1]
        return near[0] if len(near) == 1 and len(near[0]) >= _SHORTEST else ""

    @lru_cache(4_096)  # noqa: B019 - there is one for each language, for good
    def nearly(self, word: str) -> bool:
        """Whether a word may be a key word with more errors than are forgiven, or is one in short (`misspelt`)."""
        if word in self.classes.get("misspelt", ()):
            return True
        if len(word) < _SHORTEST or word in self._codes or "'" in word:
            return False
        likely = [one for one in self._spelt.get(word[0], ()) if abs(len(one) - len(word)) <= _ERRORS]
        # The beginning of one is mostly another: "Dienst".
        return any(apart(word, one) <= 1 + (len(one) > _LONGER) for one in likely if not one.startswith(word))

    def begins(self, tokens: Tokens, at: int) -> bool:
        """Whether a token stands behind a space."""
        return not at or tokens.starts[at] > tokens.ends[at - 1]

    def _phrase(self, pieces: Sequence[Piece], at: int, first: str) -> tuple[str, str, int] | None:
        """The code of the longest phrase of the lexicon that begins at a piece, the phrase, and its last piece."""
        for rest, code, phrase in self._phrases[first]:
            end = at
            for part in rest:
                end += 1
                if end < len(pieces) and pieces[end][1] in "-–":
                    end += 1
                if end >= len(pieces) or pieces[end][1].casefold() != part:
                    break
            else:
                return code, phrase, end
        return None

    def _run(self, text: str, start: int) -> list[tuple[str, str, int, int]]:
        """A number with what is glued to it, or a long one: "5th", "2h30m", "15h30", "2026"."""
        low = text.casefold()
        if low in self._codes:
            return [(self._codes[low], low, start, start + len(text))]
        parts = [(one[0], start + one.start(), start + one.end()) for one in _PARTS.finditer(low)]
        if parts[-1][0] in self._suffixes and len(parts) == 1 + 1:
            return [(self._ordinal, low, start, start + len(text))]
        codes = [self._part(word) for word, *_ in parts]
        return [(OTHER if OTHER in codes else code, *part) for code, part in zip(codes, parts, strict=True)]

    def _part(self, word: str) -> str:
        """The code of a number, or of what is glued to one."""
        code = self._codes.get(f"+{word}") or (self._codes.get(word) if word in self._glued else "")
        return code or _FIGURES.get(word) or (_MANY.get(min(len(word), 5), OTHER) if word.isdigit() else OTHER)

    def _other(self, pieces: Sequence[Piece], at: int) -> str:
        """The code of a sign, a link or a wide gap."""
        kind, text, start, end = pieces[at]
        if kind == "half":
            return self._codes.get(f"{text[0].casefold()}.m", OTHER)
        if kind != "sign":
            return LINK if kind == "link" else WIDE
        sign = text.translate(_DASHES)
        behind = at > 0 and pieces[at - 1][3] == start
        before = at + 1 < len(pieces) and pieces[at + 1][2] == end and pieces[at + 1][0] != "sign"
        if behind and before and sign.isascii():
            return chr(_TIGHT + ord(sign))
        return GLUED if behind and sign in _MONEY and sign not in "-'" else sign

    @lru_cache(None)  # noqa: B019 - there is one for each language, for good
    def word(self, text: str) -> Codes:
        """The pattern of a word or sign of a template, and the codes that it can begin and end with."""
        if text[0] == "_" and len(text) > 1:
            found = chr(_TIGHT + ord(text[1]))
        else:
            found = self._code(text) if text[0].isalpha() else self._codes.get(text, text)
        return re.escape(found), frozenset(found), frozenset(found)

    @lru_cache(None)  # noqa: B019 - there is one for each language, for good
    def one_of(self, name: str) -> Codes:
        """The same for a class. ValueError when there is none."""
        codes = "".join(chr(_FIGURE + n) for n in FIGURES.get(name, ()))
        if name in _WITH_ORDINALS:
            codes += self._ordinal
        if name == "timed":
            codes += ",:./-" + "".join(chr(_TIGHT + ord(sign)) for sign in ",:./-'") + self._ordinal
        if name in {"any", "timed"}:
            codes += "".join(chr(_FIGURE + n) for n in range(9))
        if name in {"name", "unknown"}:
            codes += NAME + (OTHER if name == "unknown" else "")
        if name == "link":
            codes += LINK
        codes += "".join(self._codes[word] for word in self.classes.get(name, ()))
        if not codes:
            raise ValueError(f"no class {name}")
        each = frozenset(map(intern, codes))
        return f"[{re.escape(codes)}]", each, each

    def worth(self, name: str, text: str) -> Any:
        """What a token of a class says; None when it is none of it."""
        words = self.classes.get(name, {})
        if text in words:
            return words[text]
        for ending, _ in self._ends:
            if f"*{ending}" in words and text.endswith(ending):
                return text.removesuffix(ending)
        if text[0].isdigit():
            figures = _PARTS.match(text)
            return int(figures[0]) if figures else None
        return words.get(f"{text[0]}.m" if text[1:2] == "." else f"+{text}")


def _plain(word: str, spelt: Sequence[tuple[str, str]]) -> str:
    return reduce(lambda text, pair: text.replace(*pair), spelt, word)


def apart(one: str, other: str) -> int:
    """How many letters are wrong, missing, too many, or swapped with the next."""
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, outgoing in enumerate(one, 1):
        last, row, above = before, [i], row
        for j, sign in enumerate(other, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (outgoing != sign))
            if i > 1 and j > 1 and outgoing == other[j - 2] and one[i - 2] == sign:
                best = min(best, last[j - 2] + 1)
            row.append(best)
        before = above
    return row[-1]


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
        low = text.translate(_SMALL)
        if not _SPACE.search(text):
            places = range(len(text) + 1)
            return Tokens(text, self._tails.sub(TAIL, low), low, places[:-1], places[1:])
        signs = [match.span() for match in _SIGN.finditer(text)]
        if ends := [match.end() for match in _HANDLE.finditer(text)]:
            signs = sorted({*signs, *((end - 1, end) for end in ends)})
        codes = "".join(" " if low[start].isspace() else low[start] for start, _ in signs)
        whole = self._tails.sub(TAIL, codes)
        return Tokens(text, whole, codes, [start for start, _ in signs], [end for _, end in signs])

    def forgiven(self, tokens: Tokens) -> Tokens | None:
        """The same tokens with commas where there are spaces that are none; None when there are none."""
        text = _GAPS.sub(",", tokens.text)
        return self.read(text) if text != tokens.text else None

    def nearly(self, word: str) -> bool:
        """The same."""
        return False

    def begins(self, tokens: Tokens, at: int) -> bool:
        """Any token begins a word."""
        return True

    @lru_cache(None)  # noqa: B019 - there is one for each language, for good
    def word(self, text: str) -> Codes:
        return self._alone(text), frozenset(text[0]), frozenset(text[-1])

    def _alone(self, word: str) -> str:
        """The pattern of a word, but not where it is the beginning of another that says nothing of time."""
        longer = [one[len(word) :] for one in self._others if one.startswith(word) and one != word]
        return f"(?:{re.escape(word)}{f'(?!{chr(124).join(longer)})' if longer else ''})"

    @lru_cache(None)  # noqa: B019 - there is one for each language, for good
    def one_of(self, name: str) -> Codes:
        found = self.classes[name]
        if isinstance(found, tuple):
            return f"(?:{found[0]})", frozenset(found[1]), frozenset(ANY)
        # Signs of times are looked at one by one: what can be cut in two ways takes for ever.
        words = sorted({*"".join(found), *",:/.-、~ "} if name == "timed" else found, key=len, reverse=True)
        pattern = f"(?:{'|'.join(map(self._alone, words))})"
        return pattern, frozenset(word[0] for word in words), frozenset(word[-1] for word in words)

    def worth(self, name: str, text: str) -> Any:
        found = self.classes.get(name, {})
        return found[2](text) if isinstance(found, tuple) else found.get(text)


Alphabet = Words | Signs
