"""Help for tests of triggers: make one without a command, and see what came of it."""

from __future__ import annotations

from typing import Any

from core.kernel.timing.schedule import Once, Schedule, dump, next_after
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey, Millis
from core.scheduling import repository as triggers
from tests.fakes import OWNER, House


async def lane_of(home: House, chat: str = "1") -> LaneKey:
    """The (first) lane of a chat."""
    row = (
        await home.rows(
            "SELECT l.id, l.tenant_id, l.scope_id, l.chat_id FROM lane l JOIN chat c ON c.id = l.chat_id"
            " WHERE c.external_id = :chat ORDER BY l.id LIMIT 1",
            chat=chat,
        )
    )[0]
    return LaneKey(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["id"])


async def person_of(home: House, address: str = OWNER) -> int:
    """The number of somebody the bot has seen."""
    (found,) = await home.column("SELECT person_id FROM address WHERE external_id = :address", address=address)
    return int(found)


async def trigger(
    home: House,
    text: str = "call Oma",
    when: Schedule | float = 60.0,
    *,
    chat: str = "1",
    by: str = OWNER,
    **fields: Any,
) -> int:
    """Make a trigger: a schedule, or so many seconds from now."""
    lane, person_id, now = await lane_of(home, chat), await person_of(home, by), home.clock.now()
    schedule = Once(at=now + round(when * 1000)) if isinstance(when, int | float) else when
    contacts = fields.pop("contacts", ())
    first = next_after(schedule, now - 1 if isinstance(schedule, Once) else now)
    assert first is not None
    made = Trigger(
        lane=lane,
        person_id=person_id,
        deliver=fields.pop("deliver", "message"),
        kind=type(schedule).__name__.lower(),
        spec=dump(schedule),
        text=text,
        next_at=first,
        **fields,
    )
    return await home.db.write(lambda tx: triggers.insert(tx, made, now, contacts))


async def passes(home: House, seconds: float) -> None:
    """Let time pass, then do what is due."""
    home.clock.advance(seconds)
    await home.sweep()


async def contact_of(house: House, address: str, chat: str = "-5") -> int:
    """The contact that somebody is in a chat's scope."""
    (found,) = await house.column(
        "SELECT k.id FROM contact k JOIN chat c ON c.scope_id = k.scope_id JOIN address a ON a.person_id = k.person_id"
        " WHERE c.external_id = :chat AND a.external_id = :address",
        chat=chat,
        address=address,
    )
    return int(found)


async def state(home: House, trigger_id: int) -> tuple[str, str, Millis | None, int]:
    """State, reason, next time and epoch of a trigger."""
    (row,) = await home.rows("SELECT state, reason, next_at, epoch FROM trigger WHERE id = :id", id=trigger_id)
    return row["state"], row["reason"], row["next_at"], row["epoch"]


async def mute(home: House, person: str, muted: str) -> None:
    """Somebody does not want to hear from somebody."""
    one, other = await person_of(home, person), await person_of(home, muted)
    lane = await lane_of(home)

    def insert(tx: Any) -> None:
        tx.run(
            "INSERT INTO mute (tenant_id, scope_id, person_id, muted_id, created_at)"
            " VALUES (:tenant_id, :scope_id, :one, :other, 0)",
            {**lane.params(), "one": one, "other": other},
        )

    await home.db.write(insert)


__all__ = ["contact_of", "lane_of", "mute", "passes", "person_of", "state", "trigger"]
