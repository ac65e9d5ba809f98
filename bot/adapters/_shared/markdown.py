"""What the platforms have in common where Markdown of language models is converted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telegramify_markdown.config import RenderConfig

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
