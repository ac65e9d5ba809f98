"""Buttons below a message: labels that can be read, rows that fit a phone, and the markups of the Bot API.

Rules: https://core.telegram.org/bots/api#inlinekeyboardbutton, #replykeyboardmarkup and #forcereply.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby, takewhile
from typing import Any

from telegram.constants import InlineKeyboardButtonLimit, InlineKeyboardMarkupLimit

from core.kernel.clean_text import is_blank, storable
from core.kernel.types import Keyboard

# As long as an option may be: none is cut.
MOST_LABEL = 75
MOST_CHOICES = 16
LONGEST_CHOICE = 100
MOST_BUTTONS = InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER
LEAST_DATA_BYTES = int(InlineKeyboardButtonLimit.MIN_CALLBACK_DATA)
MOST_DATA_BYTES = int(InlineKeyboardButtonLimit.MAX_CALLBACK_DATA)
NOTHING = "…"
# Marks that reverse the direction of reading: a label could seem to say something else.
REVERSING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
BULLET = "•"
# The widest label, in columns, of which so many fit side by side on a phone.
WIDEST_OF_THREE, WIDEST_OF_TWO = 10, 16
THREE, TWO, LIST = 3, 2, 2
# Enough of a label to fill one, whatever of it is not to be seen; and how many keyboards are kept.
LONGEST_KEPT, KEPT_LAYOUTS = 640, 1024

# As the Bot API takes it: the library would make an object of each button, to write them all down again.
Markup = Mapping[str, Any]


def width(text: str) -> int:
    """Return the columns a text takes in a fixed-width font."""
    columns = 0
    for character in text:
        if unicodedata.category(character) not in {"Mn", "Me", "Cf"}:
            columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return columns


def stored(keyboard: Keyboard) -> dict[str, Any]:
    """Return a keyboard as JSON, laid out in rows; raise `ValueError` for buttons the Bot API would refuse."""
    if not keyboard.buttons:
        return {"reply": True} if keyboard.reply else {}
    if len(keyboard.buttons) > MOST_BUTTONS:
        raise ValueError(f"{len(keyboard.buttons)} buttons are too many for a keyboard")
    for button in keyboard.buttons:
        if not LEAST_DATA_BYTES <= (size := len(button.data.encode())) <= MOST_DATA_BYTES:
            raise ValueError(f"the data of a button has {size} bytes, it may have 1 to {MOST_DATA_BYTES}")
    found, shown = iter(keyboard.buttons), _laid(tuple([button.label[:LONGEST_KEPT] for button in keyboard.buttons]))
    return {"rows": [[{"text": text, "data": next(found).data} for text in row] for row in shown]}


def label(text: str, most: int = MOST_LABEL) -> str:
    """Return one line of at most `most` characters, never empty."""
    line = " ".join(storable(text).translate(REVERSING).split())
    if is_blank(line):
        return NOTHING
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}{NOTHING}"


def rows(labels: Sequence[str]) -> list[list[str]]:
    """Lay labels out in their order, side by side as long as they can be read."""
    found: list[list[str]] = []
    # Labels that say nothing, as those that turn the pages of a list, get rows of their own.
    for _, run in groupby(labels, key=lambda text: any(character.isalnum() for character in text)):
        rest = list(run)
        widths = [width(text) for text in rest]
        # Several that need a row each are a list: its short items look lost side by side.
        is_list = sum(size > WIDEST_OF_TWO for size in widths) >= LIST
        while rest:
            size = 1 if is_list else _together(widths)
            found.append(rest[:size])
            rest, widths = rest[size:], widths[size:]
    return found


# Thousands of reminders have the same four buttons, within one transaction.
@lru_cache(KEPT_LAYOUTS)
def _laid(labels: tuple[str, ...]) -> list[list[str]]:
    """Return labels as they are shown, in rows."""
    return rows([label(text) for text in labels])


def _together(widths: list[int]) -> int:
    """Return how many share the next row."""
    short = sum(1 for _ in takewhile(lambda size: size <= WIDEST_OF_THREE, widths))
    # Four short ones read better as two and two.
    if short >= THREE and short != THREE + 1:
        return THREE
    return TWO if len(widths) >= TWO and max(widths[:TWO]) <= WIDEST_OF_TWO else 1


def listed(labels: Sequence[str]) -> str:
    """Return labels as lines of text."""
    return "\n".join(f"{BULLET} {text}" for text in labels)


def labels_of(keyboard: Mapping[str, Any]) -> list[str]:
    """Return what is written on the buttons of a stored keyboard."""
    return [button["text"] for row in keyboard.get("rows", ()) for button in row]


def markup(keyboard: Mapping[str, Any]) -> Markup | None:
    """Return the markup of a stored keyboard; None when it has nothing."""
    if keyboard.get("rows"):
        shown = [[{"text": b["text"], "callback_data": b["data"]} for b in row] for row in keyboard["rows"]]
        return {"inline_keyboard": shown}
    # Selective: only who is replied to gets the field, not the whole group.
    return {"force_reply": True, "selective": True} if keyboard.get("reply") else None


def pick(choices: Sequence[str]) -> Markup:
    """Return buttons that write a choice for the person, and vanish after one press."""
    return {"keyboard": rows(choices), "resize_keyboard": True, "one_time_keyboard": True}
