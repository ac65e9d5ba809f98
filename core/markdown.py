"""The core speaks Markdown; what others wrote is put into it as it stands."""

from __future__ import annotations

import re
import unicodedata

# A formula ($x$) and an entity (&lt;) are read as such, too; and what a line begins with: headings, lists, rules.
_SIGNS = re.compile(r"([\\`*_\[\]<>~|$]|&(?=#?\w+;)|\A[#+-])")
_NUMBERED = re.compile(r"\A(\d+)([.)])")


def literal(text: str) -> str:
    """One line of text with nothing in it that Markdown would read as its own: names, titles, answers."""
    return _NUMBERED.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", " ".join(text.split())))


def folded(text: str) -> str:
    """A text for comparing what people typed: one space, no case, one form for each character (NFKC)."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
