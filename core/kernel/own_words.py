"""What somebody says themselves in a message, beside what they show, quote or point to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from core.kernel.markdown import folded

# What is shown or pointed to, and not said: code, and addresses of pages.
_SHOWN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|(?:https?://|www\.)\S+", re.DOTALL | re.IGNORECASE)
_REST, _QUOTE = ">>>", ">"
# Where no space parts words, each character is one.
_SPACELESS = r"\u3040-\u30ff\u3400-\u9fff"
_LOOKS = "\ufe0e\ufe0f"
_WORDS = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")
_PARTS = re.compile(rf"{_WORDS.pattern}|\S")


def own_words(text: str) -> str:
    """Return what a message itself says: without quoted lines, code and addresses of pages."""
    lines = []
    for line in _SHOWN.sub(" ", text).splitlines():
        if line.lstrip().startswith(_REST):
            break
        if not line.lstrip().startswith(_QUOTE):
            lines.append(line)
    return "\n".join(lines)


def _in_words(text: str) -> str:
    """Return the words of a text between spaces: what a platform shows has no signs of Markdown."""
    return f" {' '.join(_WORDS.findall(folded(text)))} "


def stands_in(lines: Iterable[str], quoted: str) -> bool:
    """Return whether one of these lines has what is quoted, word for word.

    Punctuation may differ, but the quote has no other sign that the line lacks. A quote without words, such as some
    emojis, must stand in the line as it is."""
    words = _in_words(quoted)
    if not words.strip():
        return any(folded(quoted) in folded(line) for line in lines)
    return any(words in _in_words(line) and _signs(quoted) <= _signs(line) for line in lines)


def _signs(text: str) -> set[str]:
    """Return the signs of a text that are no words, also those that nobody sees.

    Punctuation and the looks of an emoji are none: platforms change them."""
    return {
        sign
        for sign in folded(text)
        if not (sign.isascii() or sign.isalnum() or sign in _LOOKS or unicodedata.category(sign)[0] in "PZ")
    }


def says(own: Iterable[str], text: str) -> bool:
    """Return whether somebody said a text: one of their `own` messages says all its words and signs, in that order, as
    "call my mum" says "call mum". What no space parts must stand there in one piece.

    Signs count, too: a model reads some that nobody sees."""
    pieces = [_in_parts(piece) for piece in folded(text).split()]
    return any(_in_order(pieces, _in_parts(folded(said))) for said in map(own_words, own))


def _in_parts(text: str) -> str:
    return f" {' '.join(_PARTS.findall(text))} "


def _in_order(pieces: Iterable[str], said: str) -> bool:
    end = 0
    for piece in pieces:
        if (begin := said.find(piece, end)) < 0:
            return False
        # The space behind one piece may be the one before the next.
        end = begin + len(piece) - 1
    return True
