"""Contacts: the people a scope knows, and how each can be reached (TOOLS: Contacts; seed 002)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.ports import Tx
from core.types import LaneKey, Millis, Sender


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One person, as a scope knows them. `person_id` once they have written to the bot anywhere in the tenant."""

    contact_id: int
    person_id: int | None
    nickname: str
    addresses: tuple[str, ...] = ()
    kind: str = "human"
    status: str = "active"
    subject_id: str = ""
    persona_brief: str = ""
    persona_traits: Mapping[str, float] = field(default_factory=dict)
    pronouns: str = ""
    timezone: str = ""
    preference_context: str = ""
    understanding_depth: float = 30.0
    topic_weights: Mapping[str, float] = field(default_factory=dict)
    reciprocity_norm: float = 0.5
    created_at: Millis = 0
    updated_at: Millis = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a contact is reached now.

    `address` is what they are mentioned by (`tg:1001`, or `tg:@anna` as long as nobody has seen them). `zone` is theirs
    (what they chose, else what the contact says; empty when unknown). `lane` is that of their private chat, if they have
    talked to the bot there and it is not gone.
    """

    contact_id: int
    person_id: int | None
    name: str
    address: str
    zone: str
    lane: LaneKey | None


def find(tx: Tx, lane: LaneKey, contact_id: int) -> Contact | None:
    """A contact of the lane's scope; one of another scope is as one that never was."""


def named(tx: Tx, lane: LaneKey, name: str) -> list[Contact]:
    """The active contacts a name may mean: an id (`c…`), an address or a handle (`@anna`) means one; else those whose
    whole name it is (folded), else those with a name that begins with it as a word."""


def of_person(tx: Tx, lane: LaneKey, person_id: int) -> Contact | None:
    """The contact that a person is in the lane's scope."""


def learn(tx: Tx, lane: LaneKey, person_id: int | None, sender: Sender, now: Millis) -> int:
    """Note somebody who spoke to the bot in this scope (`person_id`), or whom a message named (None); returns the
    contact. What people wrote into it themselves is kept."""


def reach(tx: Tx, lane: LaneKey, contact_id: int) -> Reach | None:
    """How a contact of the lane's scope is reached now."""
