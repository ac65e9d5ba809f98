"""Tables as blocks of fixed width: Telegram has none, and Chinese or emoji take two columns there."""

from __future__ import annotations

import re
import unicodedata
from itertools import zip_longest

RULE = re.compile(r"\s*+\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-++:?+\s*+)*+\|?+\s*+")
CELL_BORDER = re.compile(r"(?<!\\)\|")
FENCE = re.compile(r"\s*(?:```|~~~)")
# A table with one very wide cell would be mostly blanks: beyond this many times its source it is not aligned.
MOST_GROWTH = 10
MARKS = re.compile(r"\*\*|`|(?<!\\)\\(?=[|*_])")


def align(text: str) -> str:
    """Replace the tables of a Markdown text by fenced blocks whose columns are aligned as displayed."""
    if "|" not in text:
        return text
    lines, done, place, fenced = text.split("\n"), list[str](), 0, False
    while place < len(lines):
        size = 0 if fenced else _table_size(lines, place)
        fenced ^= bool(FENCE.match(lines[place]))
        done += _drawn(lines[place : place + size]) if size else [lines[place]]
        place += size or 1
    return "\n".join(done)


def _table_size(lines: list[str], place: int) -> int:
    """Return how many lines the table beginning at `place` has, 0 when there is none."""
    heading, rule = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
    if "|" not in heading or "|" not in rule or not RULE.fullmatch(rule):
        return 0
    end = place + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return end - place


def _drawn(lines: list[str]) -> list[str]:
    rows = []
    for line in (lines[0], *lines[2:]):
        inner = line.strip().removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith(r"\|") else inner
        rows.append([MARKS.sub("", cell).strip() for cell in CELL_BORDER.split(inner)])
    widths = [max(map(width, column)) for column in zip_longest(*rows, fillvalue="")]
    if len(rows) * sum(widths) > MOST_GROWTH * sum(map(len, lines)):
        return ["```", *lines, "```"]
    drawn = []
    for row in rows:
        padded = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=False))
        drawn.append(" | ".join(padded).rstrip())
    drawn.insert(1, "-+-".join("-" * size for size in widths))
    return ["```", *drawn, "```"]


def width(text: str) -> int:
    """Return the columns a text takes in a fixed-width font."""
    columns = 0
    for character in text:
        if unicodedata.category(character) not in {"Mn", "Me", "Cf"}:
            columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return columns
