"""Letters: rendered messages on their way to the outbox, with what their buttons mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import LaneKey, Millis, Part, Urgency
from core.store.conversation import keyboards
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import ONLY_FOR, Queued
from core.store.conversation.provenance import NO_SOURCE, Source


# Not frozen: thousands are written at once, and each would take three times as long.
@dataclass(slots=True, kw_only=True)
class OutgoingMessage:
    """A rendered message on its way to the outbox, with what its buttons mean.

    `only_for` is the address of the only person of a group who is to see it, where the platform can do that;
    `response_url` as in `Inbound`: only who asked there sees it. `kept` as in `Reply`.
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
    source: Source = NO_SOURCE
    keyboard_row: Mapping[str, Any] = field(default_factory=dict)


Addressed = tuple[LaneKey, OutgoingMessage]


def as_queued(lane: LaneKey, outgoing: OutgoingMessage, reply_to: str, urgency: Urgency) -> Iterator[Queued]:
    """Yield the parts of a letter as they are queued; part n has the key `key:n`."""
    alone = {ONLY_FOR: outgoing.only_for} if outgoing.only_for else {}
    person_id = outgoing.keyboard_row.get("person_id")
    for n, part in enumerate(outgoing.parts):
        payload = {**part.payload, **alone} if alone else part.payload
        yield Queued(
            lane,
            f"{outgoing.key}:{n}",
            payload,
            urgency,
            "" if n else reply_to,
            person_id=person_id,
            response_url=outgoing.response_url,
            source=outgoing.source,
            whole_key=outgoing.key,
            n=n,
        )


def last_key(outgoing: OutgoingMessage) -> str:
    """The key of a letter's last part, below which its buttons hang."""
    return f"{outgoing.key}:{len(outgoing.parts) - 1}"


def hang(tx: Tx, outgoing_messages: Sequence[tuple[LaneKey, OutgoingMessage, str, Source]], now: Millis) -> None:
    """Store what the buttons of messages mean, below messages of these keys and sources."""
    keyboard_rows = [
        KeyboardRow(
            lane=lane,
            token=outgoing.token,
            message_key=message_key,
            text=outgoing.text,
            offers=outgoing.offers,
            source=source,
            **outgoing.keyboard_row,
        )
        for lane, outgoing, message_key, source in outgoing_messages
        if outgoing.token
    ]
    keyboards.insert(tx, keyboard_rows, now)
