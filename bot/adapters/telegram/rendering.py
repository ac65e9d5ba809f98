"""From the core's Markdown to messages: text and entities, never parse_mode, so that no markup can be refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from telegram.constants import MessageLimit

from bot.adapters.telegram.parsing import clean
from bot.adapters.telegram.splitting import Entity, split
from core.types import Part

# Left free for the mark of a possible repeat.
HEAD_ROOM = 100
MOST_UNITS = MessageLimit.MAX_TEXT_LENGTH - HEAD_ROOM
BULLET = "•"
# Text without any of these means the same as Markdown: signs anywhere; list marks, rules, headings and indentation at
# the beginning of a line; blank ends and runs of blank lines, which Markdown folds.
MARKDOWN = re.compile(
    r"[\\`*_\[\]<>#|~$&\t\r\x00-\x08\x0b-\x1f]|^\s|\s$|^[-+=]|^\d+[.)]|\n[ \n]*\n[ \n]*\n|[^\S\n]$", re.MULTILINE
)


def render(text: str, choices: Sequence[str] = ()) -> list[Part]:
    """Return the messages for a Markdown text, with the choices as a list at its end; none for an empty text."""
    shown, entities = convert(clean(text).strip())
    listed = "\n".join(f"{BULLET} {' '.join(clean(choice).split())}" for choice in choices)
    whole = "\n\n".join(filter(None, (shown.rstrip(), listed)))
    pieces = split(whole, entities, MOST_UNITS)
    return [Part(payload={"text": piece, "entities": found}) for piece, found in pieces]


def convert(text: str) -> tuple[str, Sequence[Entity]]:
    """Return plain text and its entities; the Markdown library is loaded only for text that has Markdown."""
    if not MARKDOWN.search(text):
        return text, ()
    from bot.adapters.telegram import markdown  # noqa: PLC0415 - a parser that plain chat never needs

    return markdown.convert(text)
