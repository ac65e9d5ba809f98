"""Cleaning of foreign texts, which are hostile and not always text: for the database, for a name, for a tool."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator

from core.kernel.markdown import BLANK

REPLACEMENT = "\ufffd"
LONGEST_LABEL = 100
BRACKETS = str.maketrans("[]", "()")
# Categories of Unicode: of what may hide something in a name; of what shows nothing without other signs, so that a text
# of it alone is empty; of what takes no room.
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_NOTHING_ALONE = frozenset({"Cc", "Cf", "Cs", "Mn", "Mc", "Me", "Zl", "Zp", "Zs"})
_NO_WIDTH = frozenset({"Cc", "Cf"})
# Marks that turn the direction of reading: a line is read as its letters say.
_TURNING = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
# What stands around a text and is no part of it: space, and characters without any width.
_AROUND = r"[\s\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff]+"
_ENDS = re.compile(rf"\A{_AROUND}|{_AROUND}\Z")


def storable(text: str) -> str:
    """Return a text in which what no database takes (NUL, halves of surrogate pairs) is replaced."""
    text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_blank(text: str) -> bool:
    """Return whether nothing of the text is to be seen: platforms refuse a message of blanks and joiners."""
    return all(character.isspace() or unicodedata.category(character) in _NO_WIDTH for character in text)


def label(text: object, most: int = LONGEST_LABEL) -> str:
    """Return a foreign name as one line that cannot close a bracket around it, at most `most` characters long."""
    if not isinstance(text, str):
        return ""
    # Ten times as many are looked at, since a name may be stuffed with characters that hide something. The joiner of an
    # emoji is of such a category, too.
    characters = (
        character if character == "\u200d" or unicodedata.category(character) not in _HIDING else " "
        for character in text[: 10 * most]
    )
    line = " ".join("".join(characters).split()).translate(BRACKETS)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def cleaned(text: str) -> str:
    """Return a text as tools keep it: without control characters, and without marks that turn a line round.

    It has one or more lines, and is empty when nothing in it can be seen.
    """
    kept = []
    for line in text.splitlines():
        characters = (one for one in line if one not in _TURNING)
        kept.append("".join(" " if unicodedata.category(one) in {"Cc", "Cs"} else one for one in characters).rstrip())
    lines = _ENDS.sub("", "\n".join(kept))
    return lines if any(unicodedata.category(one) not in _NOTHING_ALONE and one not in BLANK for one in lines) else ""


def one_line(text: str) -> str:
    """Return a text as `cleaned` does, on one line, with one space between words."""
    return " ".join(cleaned(text).split())


def _not_empty(text: str) -> str:
    kept = cleaned(text)
    if not kept:
        raise ValueError("a text is needed, and something in it that can be seen")
    return kept


# A text that somebody gives to a tool.
Text = Annotated[str, AfterValidator(_not_empty)]
