"""Outgoing messages: rendered, on their way to the outbox, with what their buttons mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.kernel.replies import Offer
from core.kernel.types import LaneKey, Part
from core.store.conversation.outbox import NO_SOURCE, Source
from core.store.files import StoredFile


# Not frozen: thousands are written at once, and each would take three times as long.
@dataclass(slots=True, kw_only=True)
class OutgoingMessage:
    """A rendered message on its way to the outbox, with what its buttons mean.

    `offers` are its buttons, known by `token`; they are stored as a `KeyboardRow` that also has the `keyboard_fields`.
    `for_reply` when it asks people to reply to it. `only_for` is the address of the only person of a group who is to
    see it, where the platform can do that; `response_url` as in `Inbound`: only who asked there sees it. `kept` as in
    `Reply`. A `notice` says something of the bot itself, which no model needs to know; it is `foreign` when it has
    words that may be of anybody. With a `document`, the first part is that file.
    """

    key: str
    text: str
    parts: Sequence[Part]
    token: str = ""
    offers: tuple[Offer, ...] = ()
    for_reply: bool = False
    only_for: str = ""
    response_url: str = ""
    kept: str = ""
    notice: bool = False
    foreign: bool = False
    source: Source = NO_SOURCE
    document: StoredFile | None = None
    keyboard_fields: Mapping[str, Any] = field(default_factory=dict)


Addressed = tuple[LaneKey, OutgoingMessage]
