"""Block Kit as far as messages need it, and its limits (https://docs.slack.dev/reference/block-kit)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    ButtonElement,
    MarkdownBlock,
    Option,
    SectionBlock,
    StaticSelectElement,
)

from bot.adapters.slack.render.sanitize import clean
from core.kernel.clean_text import is_blank
from core.kernel.types import Keyboard
from core.language import detect, pick

Block = dict[str, Any]

# All the text of one message (https://docs.slack.dev/reference/block-kit/blocks/markdown-block).
MOST_TEXT = MarkdownBlock.text_max_length
MOST_SECTION = SectionBlock.text_max_length
# 50 a message; some are left to buttons and marks.
MOST_SECTIONS = 45
MOST_LABEL = min(ButtonElement.text_max_length, Option.label_max_length)
MOST_BUTTONS = ActionsBlock.elements_max_length
MOST_OPTIONS = StaticSelectElement.options_max_length
MOST_DATA = Option.value_max_length
# More options than this, with a label longer than that, are chosen from a list.
FEW, SHORT_LABEL = 5, 24
ACTION, SELECT, ANSWER = "teller:", "teller:select", "teller:answer"
# Where the core names none.
ANSWER_LABEL = "✍️ Answer…"
NOTHING = "…"
# Marks that reverse the direction of reading: a label could seem to say something else.
REVERSING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def label(text: str, most: int = MOST_LABEL) -> str:
    """Return one line of at most `most` characters, never empty."""
    line = " ".join(clean(text).translate(REVERSING).split())
    if is_blank(line):
        return NOTHING
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}{NOTHING}"


def plain(text: str) -> Block:
    """Return a text object in which nothing means anything but itself."""
    return {"type": "plain_text", "text": text, "emoji": True}


def markdown(text: str) -> Block:
    """Return a block of Markdown."""
    return {"type": "markdown", "text": text}


def section(text: str) -> Block:
    """Return a block of Slack's own markup, in which mentions tell people."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def context(text: str) -> Block:
    """Return a small line."""
    return {"type": "context", "elements": [plain(text)]}


def actions(keyboard: Keyboard, text: str = "") -> list[Block]:
    """Return what a message offers below its text, nothing or one block; a list is in the language of the text.

    Raises `ValueError` for more than a list can hold, and for data that Slack would refuse.
    """
    if len(keyboard.buttons) > MOST_OPTIONS:
        raise ValueError(f"{len(keyboard.buttons)} buttons are too many for a message")
    shown = keyboard.buttons
    for size in (len(button.data) for button in shown):
        if not 1 <= size <= MOST_DATA:
            raise ValueError(f"the data of a button has {size} characters, it may have 1 to {MOST_DATA}")
    faces: list[Block] = [{"text": plain(label(button.label)), "value": button.data} for button in shown]
    wide = len(shown) > FEW and any(len(button.label) > SHORT_LABEL for button in shown)
    if wide or len(shown) >= MOST_BUTTONS:
        hint = plain(pick(detect(text) or "")["slack_choose"])
        elements: list[Block] = [{"type": "static_select", "action_id": SELECT, "placeholder": hint, "options": faces}]
    else:
        elements = [{"type": "button", "action_id": f"{ACTION}{n}", **face} for n, face in enumerate(faces)]
    if keyboard.reply:
        elements.append({"type": "button", "action_id": ANSWER, "text": plain(label(keyboard.label or ANSWER_LABEL))})
    return [{"type": "actions", "elements": elements}] if elements else []


def labels(blocks: Sequence[Block]) -> list[str]:
    """Return what is written on the buttons and options of blocks."""
    found = [element for block in blocks if block["type"] == "actions" for element in block["elements"]]
    choices = [choice for element in found for choice in element.get("options", (element,))]
    return [choice["text"]["text"] for choice in choices]


def texts(blocks: Sequence[Block]) -> list[str]:
    """Return the texts of blocks of Markdown or markup, and of small lines."""
    bodies = [block["text"] for block in blocks if block["type"] in ("markdown", "section")]
    return [body if isinstance(body, str) else body["text"] for body in bodies]
