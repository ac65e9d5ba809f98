"""What one call that sends or edits a message carries, and how it gets simpler when the Bot API refuses a piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from telegram.constants import MessageLimit

from bot.adapters._shared.cutting import is_blank
from bot.adapters.telegram.render.keyboards import Markup, labels_of, listed, markup, pick
from bot.adapters.telegram.render.units import cut, units
from bot.adapters.telegram.send.client import is_group, number
from core.kernel.errors import SendRefused
from core.kernel.types import Destination, Part
from core.kernel.untrusted import clean

NO_THREAD = "message thread not found"
# In this order: a button's text or address is refused with the words of the second list too.
BAD_KEYBOARD = ("button", "keyboard", "reply markup", "reply_markup")
BAD_ENTITIES = ("entit", "can't parse", "url")
GAP = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call; `replaces` is the id of the message to edit, `labels` what `markup` offers."""

    chat: str
    text: str
    entities: Sequence[Mapping[str, Any]]
    thread: int | None
    reply_to: int | None
    replaces: int | None
    markup: Markup | None = None
    labels: Sequence[str] = ()

    def simpler(self, refusal: str) -> Attempt | None:
        """Return this without what the Bot API refused, or None when that is the message itself."""
        reason = refusal.lower()
        if self.thread is not None and NO_THREAD in reason:
            return replace(self, thread=None)
        if self.markup is not None and any(word in reason for word in BAD_KEYBOARD):
            # The question can still be answered by text.
            return replace(self, markup=None, labels=(), text=with_list(self.text, self.labels))
        if self.entities and any(word in reason for word in BAD_ENTITIES):
            return replace(self, entities=())
        return None


def attempt(to: Destination, part: Part, repeated: str) -> Attempt:
    """Put a call together; raise `SendRefused` for ids that are none and parts that are not ours."""
    try:
        return _attempt(to, part.payload, repeated)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SendRefused(f"the message cannot be put together ({type(error).__name__})") from error


def _attempt(to: Destination, payload: Mapping[str, Any], repeated: str) -> Attempt:
    text, labels, buttons = _offered(to, payload)
    shown, entities = _marked(text, payload.get("entities", ()), repeated)
    return Attempt(
        chat=to.chat,
        text=shown,
        entities=entities,
        thread=number(to.thread),
        reply_to=number(to.reply_to),
        replaces=number(to.replaces),
        markup=buttons,
        labels=labels,
    )


def _offered(to: Destination, payload: Mapping[str, Any]) -> tuple[str, Sequence[str], Markup | None]:
    """Return the text and what is below it. Suggestions are buttons in private, a list where others would see them."""
    text, choices, keyboard = payload["text"], payload.get("choices", ()), payload.get("keyboard", {})
    buttons = markup(keyboard) if keyboard.get("rows") or not to.replaces else None
    if not choices:
        return text, labels_of(keyboard), buttons
    if buttons is None and not to.replaces and not is_group(to.chat) and not is_blank(text):
        return text, choices, pick(choices)
    return with_list(text, choices), labels_of(keyboard), buttons


def with_list(text: str, labels: Sequence[str]) -> str:
    """Put labels below a text as a list, as much of it as there is room for."""
    if not text:
        return listed(labels)
    lines = cut(listed(labels), max(0, MessageLimit.MAX_TEXT_LENGTH - units(text + GAP)))
    return f"{text}{GAP}{lines}" if lines else text


def _marked(text: str, entities: Sequence[Mapping[str, Any]], repeated: str) -> tuple[str, Sequence[Mapping[str, Any]]]:
    """Give the mark of a possible repeat a line of its own, cut to the room that is left."""
    mark = cut(clean(repeated).strip(), max(0, MessageLimit.MAX_TEXT_LENGTH - units(text) - 1))
    if not mark:
        return text, entities
    shift = units(mark) + 1
    return f"{mark}\n{text}", [{**entity, "offset": entity["offset"] + shift} for entity in entities]
