"""Texts as tools keep them: without control characters, and without marks that turn a line round."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator

from core.kernel.markdown import BLANK

# Marks of the direction of reading: a line is read as its letters say.
_TURNING = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
# What stands around a text and is no part of it: space, and characters without any width.
_AROUND = r"[\s\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff]+"
_ENDS = re.compile(rf"\A{_AROUND}|{_AROUND}\Z")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Mc", "Me", "Zl", "Zp", "Zs"})


def cleaned(text: str) -> str:
    """A text of one or more lines as it is kept; empty when nothing in it can be seen."""
    kept = []
    for line in text.splitlines():
        characters = (one for one in line if one not in _TURNING)
        kept.append("".join(" " if unicodedata.category(one) in {"Cc", "Cs"} else one for one in characters).rstrip())
    lines = _ENDS.sub("", "\n".join(kept))
    return lines if any(unicodedata.category(one) not in _UNSEEN and one not in BLANK for one in lines) else ""


def one_line(text: str) -> str:
    """The same on one line, with one space between words."""
    return " ".join(cleaned(text).split())


def _something(text: str) -> str:
    kept = cleaned(text)
    if not kept:
        raise ValueError("a text is needed, and something in it that can be seen")
    return kept


Text = Annotated[str, AfterValidator(_something)]
