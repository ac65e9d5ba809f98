"""What the platforms have in common where text is rendered: where it may be cut, and Markdown of language models.

It is cut between paragraphs, lines or words, and never within a sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telegramify_markdown.config import RenderConfig

# Joiner of emoji, skin tones, halves of flags.
JOINER = "\u200d"
SKIN_TONES = "\U0001f3fb", "\U0001f3ff"
FLAG_HALVES = "\U0001f1e6", "\U0001f1ff"
# How far a cut may move back to keep a cluster such as a flag or a family whole.
LONGEST_CLUSTER = 32


def end_of_piece(text: str, start: int, limit: int) -> int:
    """Return the index, `limit` at most, at which the piece beginning at `start` ends; always beyond `start`."""
    if limit >= len(text):
        return len(text)
    for mark in ("\n\n", "\n", " "):
        found = text.rfind(mark, start + (limit - start) // 2, limit)
        if found > start:
            return found + len(mark)
    end = limit
    while end > max(start + 1, limit - LONGEST_CLUSTER) and _continues(text, end):
        end -= 1
    return limit if _continues(text, end) else end


def _continues(text: str, index: int) -> bool:
    """Return whether the character at `index` belongs to the one before: an accent, half a flag, an escaped sign."""
    before, after = text[index - 1], text[index]
    if before == "\\" or JOINER in (after, before) or unicodedata.category(after) in {"Mn", "Me"}:
        return True
    if SKIN_TONES[0] <= after <= SKIN_TONES[1]:
        return True
    halves = 0
    while halves < min(index, LONGEST_CLUSTER) and _is_flag_half(text[index - 1 - halves]):
        halves += 1
    return _is_flag_half(after) and halves % 2 == 1


def _is_flag_half(character: str) -> bool:
    return FLAG_HALVES[0] <= character <= FLAG_HALVES[1]


# Signs of somebody who writes formulas: \( x \), \[ x \] and commands. Without them brackets that are escaped, as in
# what people wrote, are brackets.
FORMULA = re.compile(r"(?<!\\)(?:\\\\)*+\\(?:\(|\[\s|[A-Za-z])")
# A pattern, and what stands in place of it.
Repair = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

# CommonMark drops what people mean literally.
LITERAL: tuple[Repair, ...] = (
    # Products: 2*3*4 is no emphasis.
    (re.compile(r"(?<=\d)\*(?=\d)"), r"\\*"),
    # Names of Python: __init__ is not bold.
    (re.compile(r"(?<![\\_])__([a-z0-9]++(?:_[a-z0-9]++)*+)__(?!_)"), r"\\_\\_\1\\_\\_"),
)


def repaired_outside_code(text: str, code: re.Pattern[str], repairs: Sequence[Repair]) -> str:
    """Return a text whose prose is repaired, one repair after the other; what the pattern takes for code stays."""
    changed, place = "", 0
    for block in (*code.finditer(text), None):
        prose = text[place : block.start() if block else None]
        for pattern, replacement in repairs:
            prose = pattern.sub(replacement, prose)
        changed += prose + (block.group() if block else "")
        place = block.end() if block else len(text)
    return changed


@cache
def style() -> RenderConfig:
    """Return how the library is to write lists and headings: without decoration of its own."""
    from telegramify_markdown.config import RenderConfig  # noqa: PLC0415 - a parser that plain chat never needs

    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    symbols.heading_level_1 = symbols.heading_level_2 = symbols.heading_level_3 = symbols.heading_level_4 = ""
    symbols.unordered_list_item = "•"
    symbols.task_uncompleted = "☐"
    return config
