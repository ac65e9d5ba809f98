"""A text as the tokens by which it is found: stems of words, and of scripts without spaces single characters and pairs.

Both databases index these tokens, and the ranking counts them: so nothing depends on a database's own idea of a word.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import snowballstemmer

from core.store.text_index.irregular import BASE
from core.store.text_index.stop_words import ONLY_ENGLISH, ONLY_GERMAN, STOP_WORDS

# Scripts that are written without spaces: Han, kana, Bopomofo, Hangul (whose words carry particles), Thai, Lao,
# Tibetan, Burmese, Khmer.
_UNSPACED = (
    "\u3005\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u1100-\u11ff\uac00-\ud7af\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
)
_RUNS = re.compile(f"([{_UNSPACED}]+)|[^{_UNSPACED}]+")
_SIGN = re.compile(f"([{_UNSPACED}])")
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
# Of a longer word only the beginning counts; more marks than these on one letter are no writing.
_LONGEST_WORD, _MOST_MARKS = 48, 8
_FORMAT, _LETTERS_DIGITS_MARKS = "Cf", "LNM"

# The stemmers of languages, and the language of words whose script tells it.
_STEMMERS: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish",
}  # fmt: skip
_SCRIPTS: Sequence[tuple[str, str, str]] = (
    ("\u0370", "\u03ff", "el"),
    ("\u0400", "\u052f", "ru"),
    ("\u0530", "\u058f", "hy"),
    ("\u0600", "\u06ff", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0b80", "\u0bff", "ta"),
)
_stemmers = threading.local()  # a stemmer keeps the word it works on


def tokens(text: str, language: str = "") -> list[str]:
    """Return the tokens of a text in their order, as often as they occur.

    `language` is the code of the language it is probably in; without one it is English or German, whichever its
    common words say. Texts that differ only in their Unicode form or in case have the same tokens.
    """
    parts = words(text)
    language = _language_of(parts, language)
    return [token for part in _meaning(parts, language) for token in _of_word(part, language)]


def query_tokens(text: str, language: str = "") -> list[str]:
    """Return each token by which documents are sought: a question may be too short to tell its language, so its words
    are stemmed in all that documents may be in."""
    parts = words(text)
    guess = _language_of(parts, language)
    wanted, variants = _meaning(parts, guess), dict.fromkeys((guess, "en", "de"))
    return list(dict.fromkeys(token for part in wanted for code in variants for token in _of_word(part, code)))


def _meaning(parts: list[str], language: str) -> list[str]:
    """Return the words that are not stop words; all of them where there are no others, as in "I will"."""
    common = STOP_WORDS.get(language, frozenset())
    return [part for part in parts if part not in common] or parts


def words(text: str) -> list[str]:
    """Split a text into words without regard to case, Unicode form, accents' order and punctuation."""
    if text.isascii():
        return [word[:_LONGEST_WORD] for word in _ASCII_WORDS.findall(text.lower())]
    folded = unicodedata.normalize("NFKC", "".join(_few_marks(text))).casefold()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())
    kept = "".join(_kept(folded)).split()
    return [word for part in kept for word in _shortened(part) if any(map(str.isalnum, word))]


def spaced(text: str) -> str:
    """Return the words of a text with a space before and behind each, and the signs of scripts without spaces as words
    of their own: a text has the words of another one where this holds the other's."""
    return " ".join(["", *words(_SIGN.sub(r" \1 ", text)), ""])


def _few_marks(text: str) -> Iterator[str]:
    """Yield the characters of a text with few marks on each letter: to sort them takes the square of their number."""
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MOST_MARKS:
            yield character


def _kept(text: str) -> Iterator[str]:
    for character in text:
        category = unicodedata.category(character)
        if category[0] in _LETTERS_DIGITS_MARKS:
            yield character
        elif category != _FORMAT:
            yield " "


def _shortened(part: str) -> Iterator[str]:
    """Yield the runs of one kind of script in what stands between spaces."""
    for run in _RUNS.finditer(part):
        yield run[0] if run[1] else run[0][:_LONGEST_WORD]


def _language_of(parts: Sequence[str], probably: str) -> str:
    if (code := probably.partition("-")[0]) in _STEMMERS:
        return code
    german = sum(word in ONLY_GERMAN or "ä" in word or "ö" in word or "ü" in word for word in parts)
    return "de" if german > sum(word in ONLY_ENGLISH for word in parts) else "en"


def _of_word(word: str, language: str) -> Sequence[str]:
    if word.isascii():
        return (_stem(word, language),)
    if _RUNS.fullmatch(word)[1]:  # type: ignore[index] # every word is one run
        singles = [character for character in word if character.isalnum()]
        return [*singles, *(word[n : n + 2] for n in range(len(word) - 1))]
    return (_stem(word, next((code for first, last, code in _SCRIPTS if first <= word[0] <= last), language)),)


@lru_cache(maxsize=8192)
def _stem(word: str, language: str) -> str:
    if word.isdigit():
        return word
    stemmer: Any = getattr(_stemmers, language, None)
    if stemmer is None:
        stemmer = snowballstemmer.stemmer(_STEMMERS[language])
        setattr(_stemmers, language, stemmer)
    word = BASE.get(word, word) if language == "en" else word
    # A stem may end where an accent stood alone, or be nothing.
    return unicodedata.normalize("NFKC", stemmer.stemWord(word)) or word
