"""Accepting: an update is a committed row before it is acknowledged (STATES: Inbox)."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence

from core.acceptance import Acceptance
from core.door import Door
from core.errors import StorageError, StorageFull
from core.ports import Clock, Database, Engine, Tx
from core.questions import Questions
from core.store import arrivals, cursors, inbox, lanes, moves, people, tenants
from core.types import Inbound, Millis
from core.updates import Arrival, Moved, Skipped, Unreadable, Update
from core.voice import Voice

log = logging.getLogger(__name__)

SETTLED_CHECK = 0.05
MOST_THREADS = 100
MOST_ARRIVALS = 500


class Inbox:
    """The `Intake` port. `back` hears that a chat is there again."""

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        *,
        door: Door,
        voice: Voice,
        questions: Questions,
        back: moves.Back,
    ) -> None:
        self._db, self._clock, self._back = db, clock, back
        self._acceptance = Acceptance(engine, clock, door=door, voice=voice, questions=questions, back=back)
        self._tenants: set[int] = set()

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        now = self._clock.now()

        def know_tenant(tx: Tx) -> int:
            found = people.tenant(tx, platform, external_id, name, now)
            for lane in tenants.wake(tx, found):
                self._back(tx, lane)
            return found

        found = await self._db.write(know_tenant)
        self._tenants.add(found)
        return found

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        return await self._db.read(lambda tx: cursors.at(tx, tenant_id, name))

    async def threads(self, tenant_id: int, since: Millis) -> Sequence[tuple[str, str]]:
        return await self._db.read(lambda tx: lanes.spoken(tx, tenant_id, since, MOST_THREADS))

    async def keep(self, tenant_id: int, body: str, cursor: tuple[str, str] | None = None) -> Arrival | None:
        self._room()
        key = hashlib.sha256(body.encode()).hexdigest()

        def keep_arrival(tx: Tx) -> Arrival | None:
            if cursor is not None:
                cursors.put(tx, tenant_id, *cursor)
            return arrivals.keep(tx, tenant_id, key, body, self._clock.now())

        return await self._db.write(keep_arrival, order=("arrival", tenant_id))

    async def kept(self, tenant_id: int) -> Sequence[Arrival]:
        return await self._db.read(lambda tx: arrivals.waiting(tx, tenant_id, MOST_ARRIVALS))

    async def accept(
        self,
        tenant_id: int,
        updates: Sequence[Update],
        cursor: tuple[str, str] | None = None,
        *,
        arrival_id: int | None = None,
    ) -> Mapping[str, str]:
        self._room()

        def finish(tx: Tx) -> None:
            if cursor is not None:
                cursors.put(tx, tenant_id, *cursor)
            if arrival_id is not None:
                arrivals.end(tx, tenant_id, arrival_id)

        *before, last = _apart(updates)
        shown: dict[str, str] = {}
        for some in before:
            shown |= await self._store(tenant_id, some, _nothing)
        return shown | await self._store(tenant_id, last, finish)

    def _room(self) -> None:
        if not self._db.has_room():
            raise StorageFull("the disk is full; updates stay with the platform")

    async def refuses(self, tenant_id: int, answer: Inbound) -> str:
        return await self._db.read(lambda tx: self._acceptance.refuses(tx, tenant_id, answer))

    async def _store(self, tenant_id: int, updates: Sequence[Update], finish: Callable[[Tx], None]) -> dict[str, str]:
        """Commit some updates together, and what is to `finish` with them; one that cannot be stored is kept aside."""

        def accept(tx: Tx) -> dict[str, str]:
            shown = self._acceptance.take(tx, tenant_id, updates)
            finish(tx)
            return shown

        try:
            return await self._db.write(accept, order=_order(tenant_id, updates))
        except StorageError:
            raise
        except Exception as error:
            return await self._isolate(tenant_id, updates, finish, error)

    async def _isolate(
        self, tenant_id: int, updates: Sequence[Update], finish: Callable[[Tx], None], error: Exception
    ) -> dict[str, str]:
        """One update cannot be stored: find it, keep it as a dead row, and let the rest and the cursor go on."""
        match updates:
            case [Unreadable()] | []:
                raise StorageError(f"an update cannot be stored: {type(error).__name__}") from error
            case [update]:
                log.error("an update cannot be stored: %s", update.key, exc_info=error)
                bad = Unreadable(key=update.key, raw=ascii(update), error=f"{type(error).__name__}: {error}"[:500])
                return await self._store(tenant_id, [bad], finish)
            case _:
                each = [await self._store(tenant_id, [update], _nothing) for update in updates]
                await self._store(tenant_id, [Skipped(key=updates[-1].key)], finish)
                return dict(pair for shown in each for pair in shown.items())

    async def settled(self) -> None:
        while await self._db.read(self._unsettled):
            await self._clock.sleep(SETTLED_CHECK)

    def _unsettled(self, tx: Tx) -> bool:
        """Only tenants that are received here are answered here."""
        now = self._clock.now()
        return any(inbox.unsettled(tx, one, now) or arrivals.waiting(tx, one, 1) for one in self._tenants)


def _nothing(_tx: Tx) -> None:
    """Where nothing is to be finished."""


def _order(tenant_id: int, updates: Sequence[Update]) -> tuple[int, str]:
    """What is said in one chat is to be stored in its order."""
    chats = {getattr(update, "chat", "") for update in updates}
    return tenant_id, chats.pop() if len(chats) == 1 else ""


def _apart(updates: Sequence[Update]) -> list[list[Update]]:
    """Updates in their order, each move of a chat by itself: what comes after it is to find the chat's new lanes."""
    found: list[list[Update]] = [[]]
    for update in updates:
        if isinstance(update, Moved):
            found += [[update], []]
        else:
            found[-1].append(update)
    return [some for some in found if some] or [[]]
