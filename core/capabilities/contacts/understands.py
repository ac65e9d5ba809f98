"""Whom messages make known."""

from __future__ import annotations

from core.capabilities.contacts import repository as contacts
from core.kernel.ports import Tx
from core.kernel.types import Inbound, LaneKey, Millis
from core.toolkit.capability import Understands

NAMED_AT_ONCE = 20


def _learn(tx: Tx, lane: LaneKey, person_id: int, message: Inbound, now: Millis, *, noted: bool) -> None:
    """Note whoever is heard in a scope as a contact there, and whom a message names; nobody without a name of their
    own."""
    if not noted and not message.sender.anonymous:
        contacts.learn(tx, lane, person_id, message.sender, now)
    for person in message.mentioned[:NAMED_AT_ONCE]:
        contacts.learn(tx, lane, None, person, now)


UNDERSTANDS = Understands(learns=_learn)
