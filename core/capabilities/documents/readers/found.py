"""What a reader finds, and why it finds nothing. Little is imported from the rest of the program: the process that
reads documents starts in little time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.toolkit.confined.child import Refusal

# Of a document are told so many characters in so many parts, and so many links.
MOST_TEXT, MOST_PARTS, MOST_LINKS = 2_000_000, 5_000, 400
_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")
_LINES = re.compile(r" ?\n ?")
_GAPS = re.compile(r"\n{3,}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


# Why a document gives no text, by code: `unknown` (none of the kinds that are read), `damaged`, `encrypted`, `empty`
# (no text is in it, such as in a scan), `mismatch` (it is not what its name says), `bomb` (it unfolds into more than is
# read), `slow`, `huge`.
Unreadable = Refusal


@dataclass(slots=True)
class Found:
    """A document's `kind` (pdf, docx, html, …), its title and date where it says them, its text in parts (pages,
    sheets, slides, chapters; `unit` is what they are) and where the `[n]` in it lead."""

    kind: str
    unit: str = ""
    title: str = ""
    date: str = ""
    parts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    truncated: bool = False


def tidy(text: str) -> str:
    """Return a text without runs of blanks and of empty lines, and without control characters."""
    text = _BLANKS.sub(" ", _CONTROL.sub("", text.replace("\r\n", "\n")))
    return _GAPS.sub("\n\n", _LINES.sub("\n", text)).strip()


def row(cells: Iterable[str]) -> str:
    """Return the line of a table; empty for a row without anything."""
    said = [tidy(cell).replace("\n", " ") for cell in cells]
    while said and not said[-1]:
        said.pop()
    return " | ".join(said)


def fitted(found: Found) -> Found:
    """Cut what is more than is told; raises `Unreadable` where there is no text at all."""
    left = MOST_TEXT
    kept: list[str] = []
    for part in found.parts[:MOST_PARTS]:
        kept.append(part[:left])
        left -= len(kept[-1])
        if left <= 0:
            break
    found.truncated = found.truncated or sum(map(len, kept)) < sum(map(len, found.parts))
    found.parts, found.links = kept, found.links[:MOST_LINKS]
    found.title, found.date = tidy(found.title)[:300].replace("\n", " "), found.date[:40]
    if not any(part.strip() for part in found.parts):
        raise Unreadable("empty")
    return found
