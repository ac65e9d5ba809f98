"""Whom something worth sharing is for: a score for each contact and item, and the best item of each contact.

Nothing here reads, sends or changes anything (TOOLS: contacts_candidate_rank).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.capabilities.contacts.repository import Contact
from core.kernel.types import HOUR, Millis

UNKNOWN_TOPIC, NO_WEIGHTS = 0.2, 0.3
LEAST_WEIGHT, MOST_WEIGHTS = 0.08, 16
MOST_LINKED = 4
_OTHERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that may be shared.

    `depth` is how well somebody should be known for it (0 to 1; 0: nobody said). `linked` are ids of what it belongs
    to. `public` when it is from a chat that others read, `sensitive` when not everybody should see it.
    """

    item_id: str
    topics: tuple[str, ...] = ()
    created_at: Millis = 0
    depth: float = 0.0
    linked: tuple[str, ...] = ()
    sensitive: bool = False
    public: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The best item for a contact. `score` is between 0 and 1."""

    contact_id: int
    item_id: str
    score: float
    linked: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known beside the contacts: `overlap` a model's feature for a contact and an item, between 0 and 1 (None:
    it gave none), `shared` the last item each contact was sent, `trusted` who is certainly who they say.
    """

    overlap: Callable[[int, str], float | None] = lambda contact_id, item_id: None
    shared: Mapping[int, str] = field(default_factory=dict)
    trusted: Callable[[Contact], bool] = lambda contact: contact.person_id is not None


def topic_key(topic: str) -> str:
    """Return a topic as weights name it: lower case, every run of other characters one `_`."""
    return _OTHERS.sub("_", topic.lower()).strip("_")


def topic_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights as they are kept: clipped to 0 to 1, those below 0.08 dropped, the 16 greatest, the greatest first."""
    clipped: dict[str, float] = {}
    for topic, weight in weights.items():
        key = topic_key(topic)
        clipped[key] = max(clip(weight), clipped.get(key, 0.0))
    kept = [(key, weight) for key, weight in clipped.items() if key and weight >= LEAST_WEIGHT]
    return dict(sorted(kept, key=lambda one: (-one[1], one[0]))[:MOST_WEIGHTS])


def clip(value: float, most: float = 1.0) -> float:
    """Return a number between 0 and `most`; what is no number is 0."""
    return 0.0 if math.isnan(value) else min(max(value, 0.0), most)


def score(contact: Contact, item: Item, now: Millis, known: Known) -> float:
    """Return how well an item suits a contact, between 0 and 1."""
    given = known.overlap(contact.contact_id, item.item_id)
    fresh = math.exp(-max(0, now - item.created_at) / HOUR / 24)
    penalty = 0.25 if item.sensitive and not known.trusted(contact) else 0.0
    novel = known.shared.get(contact.contact_id) != item.item_id
    return clip(
        0.40 * (overlap(contact, item) if given is None else clip(given))
        + 0.25 * fresh
        + 0.15 * depth_fit(contact, item)
        + 0.10 * clip(contact.reciprocity_norm)
        + 0.10 * novel
        - penalty
    )


def overlap(contact: Contact, item: Item) -> float:
    """Return the mean weight of the item's topics for a contact: 0.2 for an unknown one, 0.3 for who has no weights."""
    if not contact.topic_weights:
        return NO_WEIGHTS
    weights = [clip(contact.topic_weights.get(topic_key(topic), UNKNOWN_TOPIC)) for topic in item.topics]
    return sum(weights) / len(weights) if weights else UNKNOWN_TOPIC


def depth_fit(contact: Contact, item: Item) -> float:
    """1 when a contact is known as well as the item asks for, or the item does not say; 0 at the other end."""
    depth, wanted = clip(contact.understanding_depth / 100), clip(item.depth)
    return 1.0 if not wanted else 1.0 - abs(depth - wanted)


def rank(
    contacts: Iterable[Contact],
    items: Sequence[Item],
    now: Millis,
    *,
    known: Known,
    window: Millis = 72 * HOUR,
    linked: int = MOST_LINKED,
    public: bool = False,
) -> list[Choice]:
    """Return the best item of each active contact, the best first, ties by contact; items older than `window` are
    dropped.

    `linked` is the most of what an item belongs to; `public` lets items of chats that others read come to people, too.
    """
    fresh = [item for item in items if now - item.created_at <= window]
    found = []
    for contact in contacts:
        may = [item for item in fresh if public or not item.public or contact.kind != "human"]
        if contact.status != "active" or not may:
            continue
        scored = [(score(contact, item, now, known), item) for item in may]
        # The first of equal ones.
        best, item = max(scored, key=lambda one: one[0])
        found.append(
            Choice(contact_id=contact.contact_id, item_id=item.item_id, score=best, linked=item.linked[:linked])
        )
    return sorted((one for one in found if one.score > 0), key=lambda one: (-one.score, one.contact_id))
