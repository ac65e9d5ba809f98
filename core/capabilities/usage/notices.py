"""The notice that a day's limit is nearly used: to whom it is about, once a day."""

from __future__ import annotations

from core.agents.budget import Limit
from core.delivery.composer import Composer
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.people import people


def tell_near(composer: Composer, tx: Tx, lane: LaneKey, person_id: int, limit: Limit) -> None:
    """Say how much of a limit is used: of a person's to them in private, of a chat's there, of the day's to owners."""
    key = f"near:{limit.whose}:{'money' if limit.money else 'tokens'}:{limit.number}:{limit.day}"
    most = f"${limit.most / 1_000_000:,.2f}" if limit.money else f"{limit.most:,}"
    unit = "money" if limit.money else "tokens"
    if limit.whose == "day":
        composer.owners.tell_operators(tx, key, f"usage_near_day_{unit}", most=most)
        return
    place = lane if limit.whose == "chat" else people.private_lane(tx, lane.tenant_id, person_id)
    if place is not None:
        language = composer.language(people.participant(tx, place, person_id))
        most = most if limit.money else language.number(limit.most)
        composer.tell(tx, place, key, language.say(f"usage_near_{limit.whose}_{unit}", most=most))
