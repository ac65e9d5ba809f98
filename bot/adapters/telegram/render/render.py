"""From the core's Markdown to messages: text and entities, never parse_mode, so that no markup can be refused.

A text is cut with its entities; the measure are UTF-16 code units (https://core.telegram.org/api/entities#entity-length).
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any

from telegram.constants import MessageLimit

from bot.adapters._shared.rendering import FORMULA, end_of_piece
from bot.adapters.telegram.render.keyboards import LONGEST_CHOICE, MOST_CHOICES, NOTHING, label, listed, stored
from core.kernel.clean_text import is_blank, storable
from core.kernel.types import Keyboard, Part

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
# many marks times characters take it about 50 ms at worst. What is more goes out as plain text. A sign that is escaped
# is one mark.
MOST_WORK = 30_000_000
MARKS = re.compile(r"\\[!-/:-@\[-`{-~]|[\\`*_\[\]<>#|~$&]|(?:[-+]|\d[.)])\s|\n=")
# A formula's beginning is searched for its end more slowly, where there are formulas.
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
MOST_ENTITIES = 100
# Characters above it take two units.
LAST_OF_ONE_UNIT = "\uffff"

Entity = Mapping[str, Any]
Piece = tuple[str, list[dict[str, Any]]]


def units(text: str) -> int:
    """Return the length of the text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, most: int) -> str:
    """Return the beginning of the text that fits into `most` units."""
    while units(text) > most:
        text = text[: len(text) - max(1, (units(text) - most) // 2)]
    return text


def split(text: str, entities: Sequence[Entity], most_units: int) -> list[Piece]:
    """Return pieces of at most `most_units` UTF-16 units and 100 entities, preferably whole lines."""
    if len(entities) <= MOST_ENTITIES and units(text) <= most_units:
        return list(_piece(text, entities, 0, units(text)))
    ordered = sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))
    # The offset in units of each character, and of the end.
    offsets = list(accumulate((2 if character > LAST_OF_ONE_UNIT else 1 for character in text), initial=0))
    pieces, start = list[Piece](), 0
    # Entities that go on from the piece before, and the first one that has not begun yet: each is looked at once more
    # only in the pieces it reaches into.
    going, place = list[Entity](), 0
    while start < len(text):
        limit = _before_too_many(offsets, ordered, place + max(0, MOST_ENTITIES - len(going)), start)
        end = end_of_piece(text, start, min(limit, bisect_right(offsets, offsets[start] + most_units) - 1))
        behind = bisect_left(ordered, offsets[end], place, key=itemgetter("offset"))
        inside = going + ordered[place:behind]
        pieces += _piece(text[start:end], inside, offsets[start], offsets[end])
        going = [entity for entity in inside if entity["offset"] + entity["length"] > offsets[end]]
        place, start = behind, end
    return pieces


def _before_too_many(offsets: list[int], ordered: Sequence[Entity], first: int, start: int) -> int:
    """Return the index at which the entity begins that is one too many for a piece from `start`."""
    if first >= len(ordered):
        return len(offsets) - 1
    index = bisect_right(offsets, ordered[first]["offset"]) - 1
    # More than 100 at one spot cannot be told apart by a cut: the piece then drops what is too many.
    return index if index > start else len(offsets) - 1


def _piece(text: str, entities: Sequence[Entity], begin: int, end: int) -> Iterator[Piece]:
    """Yield the text without blank edges (the server drops them) and its share of the entities, if anything is left."""
    lead = len(text) - len(text.lstrip("\n"))
    shown = text.lstrip("\n").rstrip()
    if not is_blank(shown):
        begin += lead
        end = min(begin + units(shown), end)
        clipped = []
        for entity in entities:
            first, last = max(entity["offset"], begin), min(entity["offset"] + entity["length"], end)
            if first < last:
                clipped.append({**entity, "offset": first - begin, "length": last - first})
        yield shown, clipped[:MOST_ENTITIES]


def render(text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> list[Part]:
    """Return the messages for a Markdown text; none when there is nothing to show.

    The last one's payload has `choices` and `keyboard`, and room for the choices as a list, which they become where
    everybody would see their buttons.
    """
    text, buttons = storable(text).strip(), stored(keyboard) if keyboard else {}
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
    text = storable(text).strip()
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
    marks = len(MARKS.findall(text))
    if FORMULA.search(text):
        marks += FORMULA_MARKS * (text.count(r"\(") + text.count(r"\["))
    return marks * len(text)
