"""Accepting: an update is a committed row before it is acknowledged (STATES: Inbox)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from core.delivery.composer import Composer
from core.kernel.errors import SenderUnknown, StorageError, StorageFull
from core.kernel.ports import Clock, Database, Engine, Tx
from core.kernel.types import Inbound, Millis
from core.kernel.updates import Moved, Skipped, Unreadable, Update
from core.pipeline.intake.accept import Acceptance
from core.pipeline.intake.admission import Admission, order_of
from core.pipeline.runs.questions import Questions
from core.store.conversation import chat_migration, cursors, inbox, lanes
from core.store.people import people, tenants
from core.toolkit.command import CommandTable

log = logging.getLogger(__name__)

SETTLED_CHECK = 0.05
MOST_THREADS = 100


class Inbox:
    """The `Intake` port. `chats` hears what becomes of chats."""

    def __init__(
        self,
        db: Database,
        engine: Engine,
        clock: Clock,
        *,
        admission: Admission,
        composer: Composer,
        questions: Questions,
        chats: chat_migration.Chats,
    ) -> None:
        self._db, self._clock, self._chats = db, clock, chats
        self._composer, self._commands = composer, admission.commands
        self._acceptance = Acceptance(
            engine, clock, admission=admission, composer=composer, questions=questions, chats=chats
        )
        self._tenants: set[int] = set()

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        now = self._clock.now()

        def know_tenant(tx: Tx) -> int:
            found = people.tenant(tx, platform, external_id, name, now)
            for lane in tenants.wake(tx, found):
                self._chats.back(tx, lane)
            return found

        found = await self._db.write(know_tenant)
        self._tenants.add(found)
        return found

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        return await self._db.read(lambda tx: cursors.at(tx, tenant_id, name))

    async def threads(self, tenant_id: int, since: Millis) -> Sequence[tuple[str, str]]:
        return await self._db.read(lambda tx: lanes.spoken(tx, tenant_id, since, MOST_THREADS))

    async def tell_operators(self, key: str, text: str, **values: str) -> None:
        def tell_operators(tx: Tx) -> None:
            self._composer.owners.tell_operators(tx, key, text, **values)

        await self._db.write(tell_operators)

    async def accept(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None = None
    ) -> Mapping[str, str]:
        if not self._db.has_room():
            raise StorageFull("the disk is full; updates stay with the platform")
        *before, last = _apart(updates, self._commands)
        shown: dict[str, str] = {}
        for some in before:
            shown |= await self._store(tenant_id, some, None)
        return shown | await self._store(tenant_id, last, cursor)

    async def refuses(self, tenant_id: int, answer: Inbound) -> str:
        return await self._db.read(lambda tx: self._acceptance.refuses(tx, tenant_id, answer))

    async def _store(self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None) -> dict[str, str]:
        """Commit some updates together; one that cannot be stored is kept aside."""

        def accept(tx: Tx) -> dict[str, str]:
            shown = self._acceptance.take(tx, tenant_id, updates)
            if cursor is not None:
                cursors.put(tx, tenant_id, *cursor)
            return shown

        try:
            return await self._db.write(accept, order=_order(tenant_id, updates))
        except (StorageError, SenderUnknown):
            raise
        except Exception as error:
            return await self._isolate(tenant_id, updates, cursor, error)

    async def _isolate(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None, error: Exception
    ) -> dict[str, str]:
        """One update cannot be stored: find it, keep it as a dead row, and let the rest and the cursor go on."""
        match updates:
            case [Unreadable()] | []:
                raise StorageError(f"an update cannot be stored: {type(error).__name__}") from error
            case [update]:
                log.error("an update cannot be stored: %s", update.key, exc_info=error)
                bad = Unreadable(key=update.key, raw=ascii(update), error=f"{type(error).__name__}: {error}"[:500])
                return await self._store(tenant_id, [bad], cursor)
            case _:
                each = [await self._store(tenant_id, [update], None) for update in updates]
                await self._store(tenant_id, [Skipped(key=updates[-1].key)], cursor)
                return dict(pair for shown in each for pair in shown.items())

    async def settled(self) -> None:
        while await self._db.read(self._unsettled):
            await self._clock.sleep(SETTLED_CHECK)

    def _unsettled(self, tx: Tx) -> bool:
        """Only tenants that are received here are answered here."""
        now = self._clock.now()
        return any(inbox.unsettled(tx, tenant_id, now) for tenant_id in self._tenants)


def _order(tenant_id: int, updates: Sequence[Update]) -> tuple[int, str]:
    """What is said in one chat is to be stored in its order."""
    chats = {getattr(update, "chat", "") for update in updates}
    return tenant_id, chats.pop() if len(chats) == 1 else ""


def _apart(updates: Sequence[Update], commands: CommandTable) -> list[list[Update]]:
    """Split updates, in their order, into what is stored together.

    A move of a chat stands by itself: what comes after it is to find the chat's new lanes. An interruption is the last
    of its part: what comes after it is not there yet when it ends what waits.
    """
    found: list[list[Update]] = [[]]
    for update in updates:
        if isinstance(update, Moved):
            found += [[update], []]
            continue
        found[-1].append(update)
        if isinstance(update, Inbound) and commands.interrupts(order_of(update)):
            found.append([])
    return [some for some in found if some] or [[]]
