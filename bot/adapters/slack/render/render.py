"""From the core's Markdown to messages: Slack's `markdown` blocks, or its own markup where people are mentioned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.adapters.slack.render import blocks
from bot.adapters.slack.render.blocks import MOST_SECTION, MOST_SECTIONS, MOST_TEXT, NOTHING, Block, label
from bot.adapters.slack.render.mrkdwn import converted, hold, unconverted
from bot.adapters.slack.render.sanitize import clean, defused, fallback, repaired
from bot.adapters.slack.render.splitting import LEAST, split
from core.kernel.clean_text import is_blank
from core.kernel.markdown import literal
from core.kernel.types import Keyboard, Part

# Left free for the mark of a possible repeat.
HEAD_ROOM = 200
# What is longer is cut; the whole stays in the transcript.
MOST_CHARACTERS = 32_000
CUT = "… (cut)"
# What notifications show, and people who cannot see blocks.
MOST_FALLBACK = 3_000
MOST_CHOICES, LONGEST_CHOICE = 16, 100
# Markup is longer than its Markdown: pieces are cut so that most of them fit into a section.
SECTION_PIECE = 2_400


def render(text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> list[Part]:
    """Return the messages for a Markdown text; none when there is nothing to show. The last one has the keyboard.

    Choices are a list: nothing on Slack writes for somebody what they picked.
    """
    below = blocks.actions(keyboard or Keyboard(), text)
    room = MOST_TEXT - HEAD_ROOM - sum(map(len, blocks.labels(below)))
    text = clean(text).strip()
    held, people = hold(text)
    shown = [held if people else text]
    if len(shown[0]) > MOST_CHARACTERS:
        # Splitting closes a fence that the cut has left open.
        shown = [*split(shown[0][:MOST_CHARACTERS], 2 * MOST_CHARACTERS), CUT]
    listed = [label(choice, LONGEST_CHOICE) for choice in choices if not is_blank(choice)]
    shown.append("\n".join(f"- {literal(choice)}" for choice in listed[:MOST_CHOICES]))
    whole = "\n\n".join(filter(None, shown))
    if is_blank(whole):
        whole = NOTHING if below else ""
    if people:
        bodies = list(_sections(whole, people, room))
    else:
        pieces = split(defused(repaired(whole)), room)
        bodies = [([blocks.markdown(piece)], fallback(piece, MOST_FALLBACK)) for piece in pieces]
    for body in bodies[-1:]:
        body[0].extend(below)
    return [Part(payload={"text": told or NOTHING, "blocks": body}) for body, told in bodies]


def _sections(text: str, people: Sequence[str], room: int) -> Iterator[tuple[list[Block], str]]:
    """Yield messages of sections."""
    body, size = list[str](), 0
    for piece in split(repaired(text), SECTION_PIECE):
        for markup in _markups(piece, people):
            if body and (size + len(markup) > room or len(body) == MOST_SECTIONS):
                yield _message(body)
                body, size = [], 0
            body.append(markup)
            size += len(markup)
    if body:
        yield _message(body)


def _message(body: Sequence[str]) -> tuple[list[Block], str]:
    shown, most = "\n".join(body), MOST_FALLBACK
    # Markup is plain enough for notifications; whole lines, so that no mention or link is torn.
    if len(shown) > most:
        shown = shown[:most].rpartition("\n")[0] or NOTHING
    return [blocks.section(markup) for markup in body], shown


def _markups(piece: str, people: Sequence[str]) -> Iterator[str]:
    """Yield the markup of a piece, in parts where it has grown too long for one section."""
    markup = converted(piece, people)
    if len(markup) <= MOST_SECTION:
        if not is_blank(markup):
            yield markup
    elif len(piece) <= LEAST:
        # Every sign of it may have become six; a link is repeated where its looks change.
        yield unconverted(piece, people)
    else:
        for part in split(piece, max(LEAST, len(piece) // 2)):
            yield from _markups(part, people)
