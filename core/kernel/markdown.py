"""The core speaks Markdown; what others wrote is put into it as it stands."""

from __future__ import annotations

import re
import unicodedata

# A formula ($x$) and an entity (&lt;) are read as such, too; and what a line begins with: headings, lists, rules.
_SIGNS = re.compile(r"([\\`*_\[\]<>~|$]|&(?=#?\w+;)|\A[#+-])")
_NUMBERED = re.compile(r"\A(\d+)([.)])")


def literal(text: str) -> str:
    """One line of text with nothing in it that Markdown would read as its own: names, titles, answers."""
    line = " ".join(text.split())
    # Most lines have nothing of it, and to look for it takes a fifth of the time.
    if _SIGNS.search(line):
        line = _SIGNS.sub(r"\\\1", line)
    return _NUMBERED.sub(r"\1\\\2", line) if _NUMBERED.match(line) else line


def lines(text: str) -> str:
    """Text of several lines with nothing in it that Markdown would read as its own."""
    return "\n".join(literal(line) for line in text.splitlines() if line.strip())


def folded(text: str) -> str:
    """A text for comparing what people typed: one space, no case, one form for each character (NFKC)."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


LONGEST_NAME, LONGEST_LABEL = 64, 24
# Letters that show nothing: fillers of Hangul, and the empty Braille pattern.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def visible(name: str) -> str:
    """A name on one line without what cannot be seen or turns the line round; empty when nothing is left."""
    shown = "".join(
        " " if one.isspace() else one
        for one in name[:1000]
        if one.isspace() or (unicodedata.category(one)[0] != "C" and one not in BLANK)
    )
    words = " ".join(shown.split())
    return words if any(unicodedata.category(one)[0] != "M" for one in words) else ""


def called(name: str, address: str) -> str:
    """How somebody is named in a text: their name, cut, as it stands; their address when they have none."""
    return literal(_cut(visible(name) or address, LONGEST_NAME))


def quoted(name: str) -> str:
    """A name, cut, that cannot be taken for anything else of its line: as code, which no platform makes a link of."""
    shown = _cut(visible(name.replace("`", "'")), LONGEST_NAME)
    return f"“{coded(shown)}”" if shown else "–"


def coded(text: str) -> str:
    """An id or an address as code."""
    return f"`{' '.join(text.replace('`', '').split())}`"


def labelled(name: str, address: str) -> str:
    """How somebody is named on a button."""
    return _cut(visible(name) or address, LONGEST_LABEL)


def platform_name(platform: str) -> str:
    """How people call a platform: Telegram."""
    return literal(platform.capitalize())


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
