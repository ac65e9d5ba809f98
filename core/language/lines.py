"""Shortens lists and lines to as much as anybody reads."""

from __future__ import annotations

from collections.abc import Sequence

from core.kernel.markdown import literal
from core.language import Language

LONGEST_LINE, MOST_LINES = 120, 15


def shortened(language: Language, lines: Sequence[str], most: int = MOST_LINES) -> list[str]:
    """Return as many lines as anybody reads, and how many more there would be."""
    more = len(lines) - most
    return [*lines[:most], *([language.say("today_more", count=more)] if more > 0 else [])]


def cut(text: str, most: int = LONGEST_LINE) -> str:
    """Return a text of anybody's on one line of `most` characters, written as it stands (no markup)."""
    line = " ".join(text[: 4 * most].split())
    return literal(line if len(line) <= most else f"{line[: most - 1]}…")
