"""Accepting: an update is a committed row before it is acknowledged (STATES: Inbox)."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.access import Access
from core.errors import StorageError, StorageFull
from core.ports import Clock, Database, Engine, Tx
from core.store import inbox, lanes, people
from core.types import Inbound, LaneKey, Skipped, Unreadable, Update

log = logging.getLogger(__name__)

STRANGERS_KEPT = 1000
SETTLED_CHECK = 0.05
Edit = tuple[LaneKey, Inbound]


class Inbox:
    """The `Intake` port."""

    def __init__(self, db: Database, engine: Engine, clock: Clock, access: Access) -> None:
        self._db, self._engine, self._clock, self._access = db, engine, clock, access
        self._tenants: set[int] = set()

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        now = self._clock.now()

        def know_tenant(tx: Tx) -> int:
            return people.tenant(tx, platform, external_id, name, now)

        found = await self._db.write(know_tenant)
        self._tenants.add(found)
        return found

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        return await self._db.read(lambda tx: people.cursor(tx, tenant_id, name))

    async def accept(self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None = None) -> None:
        if not self._db.has_room():
            raise StorageFull("the disk is full; updates stay with the platform")

        def accept(tx: Tx) -> None:
            edits: list[Edit] = []
            found = [self._accept(tx, tenant_id, update, edits) for update in updates]
            marked = {lane_id for lane_id in found if lane_id is not None}
            tx.lock(*(("lane", lane_id) for lane_id in marked | {lane.lane_id for lane, _ in edits}))
            for lane, message in edits:
                inbox.correct(tx, lane, message)
            for lane_id in sorted(marked):
                lanes.mark(tx, lane_id)
                self._engine.poke(tx, "lane", lane_id)
            if cursor is not None:
                people.set_cursor(tx, tenant_id, *cursor)

        try:
            await self._db.write(accept)
        except StorageError:
            raise
        except Exception as error:
            await self._isolate(tenant_id, updates, cursor, error)

    async def _isolate(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None, error: Exception
    ) -> None:
        """One update cannot be stored: find it, keep it as a dead row, and let the rest and the cursor go on."""
        match updates:
            case [Unreadable()] | []:
                raise StorageError(f"an update cannot be stored: {type(error).__name__}") from error
            case [update]:
                log.error("an update cannot be stored: %s", update.key, exc_info=error)
                bad = Unreadable(key=update.key, raw=ascii(update), error=f"{type(error).__name__}: {error}"[:500])
                await self.accept(tenant_id, [bad], cursor)
            case _:
                for update in updates:
                    await self.accept(tenant_id, [update])
                await self.accept(tenant_id, [Skipped(key=updates[-1].key)], cursor)

    async def settled(self) -> None:
        while await self._db.read(self._unsettled):
            await self._clock.sleep(SETTLED_CHECK)

    def _unsettled(self, tx: Tx) -> bool:
        """Only tenants that are received here are answered here."""
        now = self._clock.now()
        return any(inbox.unsettled(tx, tenant_id, now) for tenant_id in self._tenants)

    def _accept(self, tx: Tx, tenant_id: int, update: Update, edits: list[Edit]) -> int | None:
        """Store one update and return the lane that has work because of it; an edit waits for its lane's lock."""
        match update:
            case Skipped():
                return None
            case Unreadable():
                inbox.insert_unreadable(tx, tenant_id, update, self._clock.now())
                return None
            case Inbound() if not self._access.admits(update):
                people.count_stranger(tx, tenant_id, update.sender.address, self._clock.now(), STRANGERS_KEPT)
                return None
            case _:
                return self._admit(tx, tenant_id, update, edits)

    def _admit(self, tx: Tx, tenant_id: int, message: Inbound, edits: list[Edit]) -> int | None:
        now = self._clock.now()
        person_id, lane = people.find(tx, tenant_id, message) or people.settle(tx, tenant_id, message, now)
        state = "done" if message.edits else "new"
        if inbox.insert(tx, lane, person_id, message, now, state=state) is None:
            log.info("delivered twice: %s", message.key)
            return None
        if message.edits:
            edits.append((lane, message))
            return None
        return lane.lane_id
