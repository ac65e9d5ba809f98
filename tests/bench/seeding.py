"""A database with many people, each in a private chat of their own, and triggers that wait there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey, Millis, Sender
from core.scheduling import repository as triggers
from core.store.people import chats, people
from core.store.people.chats import Place

T = TypeVar("T")

AT_ONCE = 1_000  # to a transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """Somebody and their private chat."""

    person_id: int
    lane: LaneKey


async def settle(db: Database, tenant: str, users: Sequence[int], now: Millis) -> list[Resident]:
    """Make people of a tenant of Telegram, by the ids of their accounts."""
    tenant_id = await db.write(lambda tx: people.tenant(tx, "telegram", tenant, "", now))

    found: list[Resident] = []
    for some in batched(users):

        def settle_some(tx: Tx, some: Sequence[int] = some) -> list[Resident]:
            return [_resident(tx, tenant_id, user, now) for user in some]

        found += await db.write(settle_some)
    return found


def _resident(tx: Tx, tenant_id: int, user: int, now: Millis) -> Resident:
    sender = Sender(address=f"tg:{user}", name=f"Person {user}", language="en")
    person_id, scope_id = people.meet(tx, tenant_id, sender, now)
    lane = chats.lane(tx, tenant_id, Place(chat=str(user)), scope_id, now)
    return Resident(person_id=person_id, lane=lane)


def reminder(one: Resident, at: Millis) -> Trigger:
    """A reminder for themselves at an instant."""
    return Trigger(
        lane=one.lane,
        person_id=one.person_id,
        deliver="message",
        kind="once",
        spec=dump(Once(at=at)),
        text="call Oma",
        next_at=at,
    )


async def plan(db: Database, wanted: Iterable[Trigger], now: Millis) -> None:
    """Store triggers, many to a transaction."""
    for some in batched(wanted):

        def plan_some(tx: Tx, some: Sequence[Trigger] = some) -> None:
            for trigger in some:
                triggers.insert(tx, trigger, now)

        await db.write(plan_some)


def batched(items: Iterable[T]) -> Iterator[list[T]]:
    """As many at a time as go into a transaction."""
    left = iter(items)
    while some := list(islice(left, AT_ONCE)):
        yield some
