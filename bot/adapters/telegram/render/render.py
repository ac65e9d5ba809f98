"""From the core's Markdown to messages: text and entities, never parse_mode, so that no markup can be refused."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from telegram.constants import MessageLimit

from bot.adapters._shared.cutting import is_blank
from bot.adapters.telegram.render.keyboards import LONGEST_CHOICE, MOST_CHOICES, NOTHING, label, listed, stored
from bot.adapters.telegram.render.splitting import Entity, Piece, cut, split, units
from core.kernel.types import Keyboard, Part
from core.kernel.untrusted import clean

log = logging.getLogger(__name__)

# Left free for the mark of a possible repeat.
HEAD_ROOM = 100
MOST_UNITS = MessageLimit.MAX_TEXT_LENGTH - HEAD_ROOM
# So many characters fit, whatever they are.
PLAIN = MOST_UNITS // 2
# What is longer is cut; the whole stays in the transcript.
MOST_CHARACTERS = 32_000
CUT = "… (cut)"
# Converting holds up every chat, and the library goes over the rest of the text for each mark that is not closed: this
# many marks times characters take it about 50 ms at worst. What is more goes out as plain text.
MOST_WORK = 30_000_000
MARKS = re.compile(r"[\\`*_\[\]<>#|~$&]|(?:[-+]|\d[.)])\s|\n=")
# A formula's beginning is searched for its end more slowly.
FORMULA_MARKS = 9
# A draft is shown again and again: more Markdown than this takes longer than a few milliseconds each time.
MOST_DRAFT_CHARACTERS = 2000
MOST_DRAFT_WORK = 700_000
GAP = "\n\n"
# Text without any of these means the same as Markdown: signs anywhere; list marks, rules, headings and indentation at
# the beginning of a line; blank ends and runs of blank lines, which Markdown folds.
MARKDOWN = re.compile(
    r"[\\`*_\[\]<>#|~$&\t\r\x00-\x08\x0b-\x1f]|^\s|\s$|^[-+=]|^\d+[.)]|\n[ \n]*\n[ \n]*\n|[^\S\n]$", re.MULTILINE
)


def render(text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> list[Part]:
    """Return the messages for a Markdown text; none when there is nothing to show.

    The last one's payload has `choices` and `keyboard`, and room for the choices as a list, which they become where
    everybody would see their buttons.
    """
    text, buttons = clean(text).strip(), stored(keyboard) if keyboard else {}
    # Each on one line; more than a person reads are left out.
    choices = [label(choice, LONGEST_CHOICE) for choice in choices if not is_blank(choice)][:MOST_CHOICES]
    pieces: list[Piece]
    if len(text) <= PLAIN and not choices and not MARKDOWN.search(text):
        pieces = [] if is_blank(text) else [(text, [])]
    else:
        shown, entities = convert(text[:MOST_CHARACTERS].rstrip())
        end = CUT if len(text) > MOST_CHARACTERS else ""
        whole = "\n\n".join(filter(None, (shown.rstrip(), end)))
        # Room for the choices as a list is left in each message, if it is not there anyway.
        size = units(GAP + listed(choices)) if choices else 0
        pieces = split(whole, entities, MOST_UNITS - (0 if units(whole) + size <= MOST_UNITS else size))
    if not pieces and (choices or buttons):
        pieces = [("" if choices else NOTHING, [])]
    payloads: list[dict[str, Any]] = [{"text": piece, "entities": found} for piece, found in pieces]
    if choices and payloads:
        payloads[-1]["choices"] = choices
    if buttons and payloads:
        payloads[-1]["keyboard"] = buttons
    return [Part(payload=payload) for payload in payloads]


def preview(text: str, most_units: int) -> tuple[str, list[dict[str, Any]]]:
    """Return the beginning of a text that is still being written, in one piece."""
    text = clean(text).strip()
    if len(text) > MOST_DRAFT_CHARACTERS or _work(text) > MOST_DRAFT_WORK:
        return cut(text, most_units).rstrip(), []
    pieces = split(*convert(text), most_units)
    return pieces[0] if pieces else ("", [])


def convert(text: str) -> tuple[str, Sequence[Entity]]:
    """Return plain text and its entities; what cannot be shown as Markdown is plain text as it stands."""
    if not MARKDOWN.search(text) or _work(text) > MOST_WORK:
        return text, ()
    try:
        from bot.adapters.telegram.render import markdown  # noqa: PLC0415 - a parser that plain chat never needs

        shown, entities = markdown.convert(text)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        # The library's parser is Rust, whose panics are no `Exception`. An answer without bold is still an answer.
        log.warning("Markdown that cannot be converted goes out as plain text", exc_info=True)
        return text, ()
    # Markdown of which nothing is to be seen (an empty fence, a link's definition) is better than silence.
    if is_blank(shown) or len(shown) > MOST_CHARACTERS:
        return text, ()
    return shown, entities


def _work(text: str) -> int:
    marks = len(MARKS.findall(text)) + FORMULA_MARKS * (text.count(r"\(") + text.count(r"\["))
    return marks * len(text)
