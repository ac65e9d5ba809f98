"""Accepting: an update is a committed row before it is acknowledged to the platform (STATES: Inbox).

The transaction that stores an update also decides who gets in, and notes which lanes have work. An answer ends its
question there, and `/stop` stops its run: neither waits for the lease of a lane.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable, Mapping, Sequence
from weakref import WeakValueDictionary

from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.errors import SenderUnknown, StorageError, StorageFull
from core.kernel.ports import Clock, Database, Engine, Tx
from core.kernel.types import Inbound, Millis, Press, Standing
from core.kernel.updates import (
    Deleted,
    Installed,
    Left,
    Moved,
    Opened,
    Presence,
    Profile,
    Returned,
    Skipped,
    Uninstalled,
    Unreadable,
    Update,
)
from core.language import pick
from core.pipeline.intake.admission import Admission, MessageReading, order_of
from core.pipeline.intake.batch import Batch
from core.pipeline.intake.departures import Departures
from core.pipeline.intake.messages import Messages
from core.pipeline.intake.presses import Presses
from core.pipeline.runs.answer_reading import AnswerUnread
from core.pipeline.runs.questions import Questions, refuses
from core.store.conversation import chat_migration, deletions, inbox, lanes
from core.store.people import chats, people, strangers, tenants
from core.toolkit.command import CommandTable

log = logging.getLogger(__name__)

SETTLED_CHECK = 0.05
MOST_THREADS, MOST_GONE = 100, 1000
# So many rows are erased in one transaction of a workspace that comes back while its erasing was under way.
ERASED_AT_ONCE = 500
STRANGERS_KEPT = 1000
# Only after so many new strangers the oldest are looked for again, since that goes through all that are kept.
STRANGERS_MORE = 100


class Inbox:
    """Implements the `Intake` port. `chats` is told what becomes of chats."""

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
        self._addressing, self._answers = admission.addressing, questions.reader
        self._acceptance = Acceptance(
            engine, clock, admission=admission, composer=composer, questions=questions, chats=chats
        )
        self._tenants: set[int] = set()
        # A lock for each chat: updates that have to be stored anew are not overtaken by later ones.
        self._in_turn: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        now = self._clock.now()

        def know_tenant(tx: Tx) -> int | None:
            # A workspace whose erasing was under way begins anew: the rest of it is erased first.
            if tenants.erase_rest(tx, platform, external_id, ERASED_AT_ONCE, now):
                return None
            found = people.tenant(tx, platform, external_id, name, now)
            for lane in tenants.wake(tx, found):
                self._chats.back(tx, lane)
            return found

        while (found := await self._db.write(know_tenant)) is None:
            pass
        self._tenants.add(found)
        return found

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        return await self._db.read(lambda tx: inbox.position(tx, tenant_id, name))

    async def threads(self, tenant_id: int, since: Millis) -> Sequence[tuple[str, str]]:
        return await self._db.read(lambda tx: lanes.spoken(tx, tenant_id, since, MOST_THREADS))

    async def gone(self, tenant_id: int) -> Sequence[str]:
        return await self._db.read(lambda tx: chats.gone(tx, tenant_id, MOST_GONE))

    async def tell_operators(self, key: str, text: str, **values: str) -> None:
        def tell_operators(tx: Tx) -> None:
            self._composer.owners.tell_operators(tx, key, text, **values)

        await self._db.write(tell_operators)

    async def accept(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None = None
    ) -> Mapping[str, str]:
        if not self._db.has_room():
            raise StorageFull("the disk is full, or cannot be written; updates stay with the platform")
        updates = [
            self._addressing.as_meant(one) if isinstance(one, Inbound) and one.sentence else one for one in updates
        ]
        *before, last = _parts(updates, self._commands)
        shown: dict[str, str] = {}
        for some in before:
            shown |= await self._store(tenant_id, some, None)
        return shown | await self._store(tenant_id, last, cursor)

    async def refuses(self, tenant_id: int, answer: Inbound) -> str:
        return await self._db.read(lambda tx: self._acceptance.refuses(tx, tenant_id, answer))

    async def _store(self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None) -> dict[str, str]:
        """Commit some updates together; one that cannot be stored is isolated."""

        def accept(tx: Tx) -> dict[str, str]:
            shown = self._acceptance.take(tx, tenant_id, updates, readings)
            if cursor is not None:
                inbox.set_position(tx, tenant_id, *cursor)
            return shown

        # Messages of one chat are stored in their order.
        where = {getattr(update, "chat", "") for update in updates}
        order = tenant_id, where.pop() if len(where) == 1 else ""
        try:
            # Words are read here, since a grammar must not hold up the transactions of others.
            readings = [self._addressing.read(one) if isinstance(one, Inbound) else MessageReading() for one in updates]
            in_turn = self._in_turn.setdefault(order, asyncio.Lock())
            behind = in_turn.locked()
            async with in_turn:
                while not behind:
                    try:
                        return await self._db.write(accept, order=order)
                    except AnswerUnread as unread:
                        # A question waits for this text: it is read as an answer, and the transaction is done anew.
                        self._answers.read(unread.text)
                # Others were stored in this chat meanwhile: all answers are read at once, so that the transaction need
                # not be done anew and can share its commit with those that follow.
                for reading in readings:
                    if reading.answer.reading is None:
                        self._answers.read(reading.answer)
                writing = asyncio.ensure_future(self._db.write(accept, order=order))
            return await writing
        except (StorageError, SenderUnknown):
            raise
        except Exception as error:
            return await self._isolate(tenant_id, updates, cursor, error)

    async def _isolate(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None, error: Exception
    ) -> dict[str, str]:
        """Find the update that cannot be stored, and keep it as a dead row; the others and the cursor go on."""
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
        # Only tenants that are received here are answered here.
        while await self._db.read(
            lambda tx: any(inbox.unsettled(tx, tenant_id, self._clock.now()) for tenant_id in self._tenants)
        ):
            await self._clock.sleep(SETTLED_CHECK)


class Acceptance:
    """Takes updates in, within a transaction. `chats` is told what becomes of chats."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        *,
        admission: Admission,
        composer: Composer,
        questions: Questions,
        chats: chat_migration.Chats,
    ) -> None:
        self._engine, self._clock = engine, clock
        self._admission, self._chats = admission, chats
        self._messages = Messages(engine, admission=admission, composer=composer, questions=questions)
        self._presses = Presses(engine, admission=admission, composer=composer, questions=questions)
        self._departures = Departures(composer, admission)
        # How many new strangers came, by tenant, since the oldest were last forgotten; not known for other tenants.
        self._new_strangers: dict[int, int] = {}

    def take(
        self, tx: Tx, tenant_id: int, updates: Sequence[Update], readings: Sequence[MessageReading]
    ) -> dict[str, str]:
        """Take updates in, each with the reading of its words; return what to show to whoever pressed a button, by the
        update's key."""
        batch = Batch(tx=tx, tenant_id=tenant_id, now=self._clock.now())
        for update, reading in zip(updates, readings, strict=True):
            match update:
                case Inbound():
                    edits = update.edits and update.chat_kind == "group"
                    message = chat_migration.edited_since(tx, tenant_id, update) if edits else update
                    self._messages.accept(batch, message, reading)
                case Press():
                    self._presses.accept(batch, update)
                case Opened():
                    self._opened(batch, update)
                case _:
                    self._note(batch, update)
        if batch.turned_away:
            # Strangers are counted all at once, and the oldest forgotten now and then: a flood of them holds up nobody.
            new = strangers.count(tx, tenant_id, batch.turned_away, batch.now)
            more = self._new_strangers.get(tenant_id, STRANGERS_MORE) + new
            if new and more >= STRANGERS_MORE:
                strangers.forget_oldest(tx, tenant_id, STRANGERS_KEPT)
                more = 0
            self._new_strangers[tenant_id] = more
        # All locks are taken together, in their order; then each update is carried out in the order in which it came.
        tx.lock(*{("lane", lane.lane_id) for lanes, _ in batch.deferred for lane in lanes})
        for _, call in batch.deferred:
            call()
        for lane_id in sorted(batch.with_work):
            lanes.mark(tx, lane_id)
            self._engine.poke(tx, "lane", lane_id)
        return batch.to_show

    def refuses(self, tx: Tx, tenant_id: int, answer: Inbound) -> str:
        """Return why an answer in a window (`Inbound.answers`) would answer nothing; empty when it would."""
        person_id, standing = self._admission.known(tx, tenant_id, answer.sender)
        owner, language = standing is Standing.OWNER, pick(answer.sender.language)
        return refuses(tx, tenant_id, answer, person_id, owner=owner, language=language)

    def _note(self, batch: Batch, update: Update) -> None:
        """Take in an update that asks for no answer."""
        tx, tenant_id = batch.tx, batch.tenant_id
        match update:
            case Moved():
                if (row := chats.find(tx, tenant_id, update.chat)) is not None:
                    tx.lock(("chat", row["id"]))
                    lane_ids = chat_migration.move(tx, tenant_id, update.chat, update.to, batch.now, hears=self._chats)
                    batch.with_work.update(dict.fromkeys(lane_ids))
            case Presence():
                self._admission.presence.changed(tx, tenant_id, update, batch.turned_away)
            case Left():
                self._departures.left(batch, update)
            case Returned():
                self._departures.returned(batch, update)
            case Deleted():
                batch.deferred.append(((), lambda: deletions.retract(tx, tenant_id, update, batch.now)))
            case Profile():
                self._admission.presence.profiles.keep(tx, tenant_id, update.sender)
                self._departures.reachable(batch, update)
            case Installed():
                self._admission.presence.installed(tx, tenant_id, update)
            case Uninstalled():
                tenants.end(tx, tenant_id, batch.now)
            case Unreadable():
                inbox.insert_unreadable(tx, tenant_id, update, batch.now)

    def _opened(self, batch: Batch, opened: Opened) -> None:
        """Note that somebody looks at their page; if they have access, their private chat is made if it is missing."""
        tx, tenant_id, sender = batch.tx, batch.tenant_id, opened.sender
        _, standing = self._admission.known(tx, tenant_id, sender)
        if not may(standing, Standing.MEMBER):
            return
        admitted = self._admission.conversations.in_private(tx, tenant_id, sender, opened.chat, standing)
        self._admission.presence.chat_returned(tx, admitted.lane)
        for capability in self._admission.capabilities:
            if capability.tells.looked is not None:
                capability.tells.looked(tx, self._engine, tenant_id, admitted.person_id, batch.now)


def _parts(updates: Sequence[Update], commands: CommandTable) -> list[list[Update]]:
    """Split updates, in their order, into parts that are stored together.

    A move of a chat is a part by itself, so that the updates behind it find the chat's new lanes. An interruption is
    the last of its part, so that it does not end what was written behind it.
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
