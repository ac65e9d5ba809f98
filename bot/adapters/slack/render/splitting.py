"""Cutting Markdown into messages: between paragraphs where that is possible, with fences closed and opened again."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.adapters._shared.rendering import end_of_piece
from core.kernel.clean_text import is_blank

# A fence, its indentation in a list included. What is longer than anybody writes is not taken for one.
LINE = re.compile(r"(?P<indent>[ \t]{0,20})(?P<marks>`{3,20}(?=[^`\n]*$)|~{3,20}(?!~))(?P<info>[^\n]*)")
LONGEST_INFO = 20
# The longest line that closes a fence, with its end, and the longest that opens one.
CLOSING, OPENING = 41, 41 + LONGEST_INFO
# No piece is shorter than this, so that fences leave room for text.
LEAST = 4 * OPENING


class Fence(NamedTuple):
    """A block of code that is open: what closes it, and what opens it again."""

    closing: str
    opening: str


def split(text: str, most: int) -> list[str]:
    """Return the pieces of a Markdown text, none blank, each of `most` characters at most (`LEAST` at least)."""
    pieces, fence, rest = list[str](), None, text
    while rest:
        head = f"{fence.opening}\n" if fence else ""
        end = end_of_piece(rest, 0, most - len(head) - CLOSING)
        body, rest = rest[:end], rest[end:]
        fence, begun = _open(body, fence)
        if fence and begun and rest and is_blank(body[begun:].partition("\n")[2]) and not is_blank(body[:begun]):
            # No fence is opened in vain.
            body, rest, fence = body[:begun], body[begun:] + rest, None
        tail = f"\n{fence.closing}" if fence else ""
        if not is_blank(body):
            pieces.append(f"{head}{_trimmed(body)}{tail}" if head or tail else _trimmed(body))
        line, _, after = rest.lstrip("\n").partition("\n")
        found = LINE.fullmatch(line)
        if fence and found and _closes(found, fence):
            # The line behind a cut only closes what the cut has closed.
            fence, rest = None, after
        elif fence and is_blank(rest):
            # Nothing is open behind the end.
            rest = ""
    return pieces


def _trimmed(body: str) -> str:
    return body.lstrip("\n").rstrip()


def _open(body: str, fence: Fence | None) -> tuple[Fence | None, int]:
    """Return the fence that is open at the end of a piece, and where its line begins (0 when that is not in it)."""
    place = begun = 0
    for line in body.split("\n"):
        found = LINE.fullmatch(line)
        if found and fence is None:
            closing, info = f"{found['indent']}{found['marks']}", found["info"].strip()
            fence, begun = Fence(closing, closing + (info if len(info) < LONGEST_INFO else "")), place
        elif found and fence and _closes(found, fence):
            fence = None
        place += len(line) + 1
    return fence, begun if fence else 0


def _closes(found: re.Match[str], fence: Fence) -> bool:
    return not found["info"].strip() and found["marks"].startswith(fence.closing.strip())
