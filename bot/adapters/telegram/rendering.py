"""From the core's Markdown to messages: text and entities, never parse_mode, so that no markup can be refused."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from telegram.constants import MessageLimit

from bot.adapters.telegram.parsing import clean
from bot.adapters.telegram.splitting import Entity, is_blank, split
from core.types import Part

log = logging.getLogger(__name__)

# Left free for the mark of a possible repeat.
HEAD_ROOM = 100
MOST_UNITS = MessageLimit.MAX_TEXT_LENGTH - HEAD_ROOM
# What is longer is cut; the whole stays in the transcript.
MOST_CHARACTERS = 32_000
CUT = "… (cut)"
# Converting holds up every chat, and the library goes over the rest of the text for each mark that is not closed: this
# many marks times characters take it about 50 ms at worst. What is more goes out as plain text.
MOST_WORK = 30_000_000
MARKS = re.compile(r"[\\`*_\[\]<>#|~$&]|(?:[-+]|\d[.)])\s|\n=")
# A formula's beginning is searched for its end more slowly.
FORMULA_MARKS = 9
BULLET = "•"
# Text without any of these means the same as Markdown: signs anywhere; list marks, rules, headings and indentation at
# the beginning of a line; blank ends and runs of blank lines, which Markdown folds.
MARKDOWN = re.compile(
    r"[\\`*_\[\]<>#|~$&\t\r\x00-\x08\x0b-\x1f]|^\s|\s$|^[-+=]|^\d+[.)]|\n[ \n]*\n[ \n]*\n|[^\S\n]$", re.MULTILINE
)


def render(text: str, choices: Sequence[str] = ()) -> list[Part]:
    """Return the messages for a Markdown text, with the choices as a list at its end; none for an empty text."""
    text = clean(text).strip()
    shown, entities = convert(text[:MOST_CHARACTERS].rstrip())
    end = CUT if len(text) > MOST_CHARACTERS else ""
    listed = "\n".join(f"{BULLET} {' '.join(clean(choice).split())}" for choice in choices)
    whole = "\n\n".join(filter(None, (shown.rstrip(), end, listed)))
    pieces = split(whole, entities, MOST_UNITS)
    return [Part(payload={"text": piece, "entities": found}) for piece, found in pieces]


def convert(text: str) -> tuple[str, Sequence[Entity]]:
    """Return plain text and its entities; what cannot be shown as Markdown is plain text as it stands."""
    if not MARKDOWN.search(text) or _work(text) > MOST_WORK:
        return text, ()
    shown, entities = _converted(text)
    # Markdown of which nothing is to be seen (an empty fence, a link's definition) is better than silence.
    if is_blank(shown) or len(shown) > MOST_CHARACTERS:
        return text, ()
    return shown, entities


def _work(text: str) -> int:
    marks = len(MARKS.findall(text)) + FORMULA_MARKS * (text.count(r"\(") + text.count(r"\["))
    return marks * len(text)


def _converted(text: str) -> tuple[str, Sequence[Entity]]:
    """Call the Markdown library, which is loaded only for text that has Markdown."""
    try:
        from bot.adapters.telegram import markdown  # noqa: PLC0415 - a parser that plain chat never needs

        return markdown.convert(text)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        # The library's parser is Rust, whose panics are no `Exception`. An answer without bold is still an answer.
        log.warning("Markdown that cannot be converted goes out as plain text", exc_info=True)
        return text, ()
