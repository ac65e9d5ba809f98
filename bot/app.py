"""The composition root: the only place where concrete classes meet. Tests call `build` with fakes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass

import core.tools
from bot.commands import Commands
from bot.config import Config
from core.access import Access, access
from core.agents.loop import Loop
from core.budget import Budget
from core.case import CaseBook, Desktop
from core.desk import Desk, Staff
from core.door import Door
from core.engine.embedded import EmbeddedEngine
from core.errors import StorageError
from core.events import EventBus
from core.files import Files
from core.filing import Filing, Limits
from core.health import Health, ReachableModel
from core.inbox import Inbox
from core.language import pick
from core.leases import keep, new_owner
from core.ledger import Ledger, load_key
from core.llm.offline import Offline
from core.outbox import Outbox
from core.ports import Adapter, Clock, Database, Tx
from core.questions import Questions
from core.retention import Keep, Retention
from core.scheduler import Scheduler
from core.showing import Showing
from core.store import lanes, people
from core.toolkit.executor import Executor
from core.toolkit.registry import Registry, discover
from core.toolkit.tool import Tell
from core.types import LaneKey
from core.voice import Voice

log = logging.getLogger(__name__)

# A stop takes ten seconds at most: runs, then the sends of what they said.
GRACE = 8.0
SEND_GRACE = 1.0
ANCHOR_EVERY = 10.0
BACKLOG = 3.0
BYTES_A_TOKEN = 4
# What an answer is taken to need of the budget while it is under way, where no limit is set.
OUTPUT_TOKENS = 1_000

# A door to the running house: open while it serves. Its error at opening ends the start.
Service = Callable[["App"], AbstractAsyncContextManager[object]]


@dataclass(frozen=True, kw_only=True)
class App:
    """The running house. `owner` is the name its leases carry."""

    config: Config
    clock: Clock
    db: Database
    engine: EmbeddedEngine
    adapters: Mapping[str, Adapter]
    model: ReachableModel | None
    inbox: Inbox
    outbox: Outbox
    desk: Desk
    showing: Showing
    scheduler: Scheduler
    ledger: Ledger
    registry: Registry
    retention: Retention
    services: Sequence[Service]
    owner: str
    access: Access
    stopping: asyncio.Event

    async def run(self, ready: Callable[[App], Awaitable[None]] | None = None) -> None:
        """Open the data, take up what was left, serve until `stop` or until every adapter's input has ended."""
        await self.db.open()
        try:
            await self._take_up()
            async with AsyncExitStack() as doors:
                for service in self.services:
                    await doors.enter_async_context(service(self))
                await self._serve(ready)
        finally:
            await self.db.close()
            for adapter in self.adapters.values():
                await adapter.close()

    def stop(self) -> None:
        """Ask for a stop; `run` returns when runs and sends have ended, within about ten seconds."""
        self.stopping.set()

    async def _take_up(self) -> None:
        """Everything a former process left: its leases end, its sends in flight are in doubt."""

        def take_over(tx: Tx) -> int:
            return lanes.take_over(tx)

        left = await self.db.write(take_over)
        doubtful = await self.outbox.settle_all()
        if left or doubtful:
            log.warning("taken up after a crash: %s open runs, %s sends in doubt", left, doubtful)

    async def _serve(self, ready: Callable[[App], Awaitable[None]] | None) -> None:
        intake = [asyncio.create_task(self._receive(adapter)) for adapter in self.adapters.values()]
        await self._take_in()
        background = [
            asyncio.create_task(self.engine.run(self._handlers(), self.scheduler.due)),
            asyncio.create_task(keep(self.db, self.clock, self.owner, lambda: sorted(self.desk.at_work))),
            asyncio.create_task(self._anchor_often()),
            asyncio.create_task(self.retention.run()),
        ]
        inputs = asyncio.create_task(self._until_inputs_end(intake))
        try:
            if ready is not None:
                await ready(self)
            log.info("ready: %s", ", ".join(self.adapters) or "no platform")
            stop = asyncio.create_task(self.stopping.wait())
            await asyncio.wait([stop, inputs], return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
        finally:
            await _cancel([inputs, *intake])
            await self.engine.stop(GRACE)
            await asyncio.gather(self.outbox.finish(SEND_GRACE), self.showing.finish(SEND_GRACE))
            await _cancel(background)
            await self.anchor()

    async def _take_in(self) -> None:
        """Take the platforms' backlog in before answering, so that it is one run a lane; no longer than a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BACKLOG):
                await asyncio.gather(*(adapter.caught_up.wait() for adapter in self.adapters.values()))

    def _handlers(self) -> Mapping[str, Callable[[int], Awaitable[None]]]:
        return {"lane": self.desk.answer, "chat": self.outbox.pump, "stop": self.desk.stop}

    async def _receive(self, adapter: Adapter) -> None:
        """Run an adapter; one that fails by a bug is started again, visibly, and the others go on."""
        while True:
            try:
                await adapter.run(self.inbox)
            except Exception:
                log.exception("the %s adapter failed; it is started again in 5 s", adapter.platform)
                await self.clock.sleep(5.0)
            else:
                return

    async def _until_inputs_end(self, intake: list[asyncio.Task[None]]) -> None:
        """A console's input ends: then what was accepted is answered before we stop."""
        await asyncio.gather(*intake)
        await self.inbox.settled()

    async def _anchor_often(self) -> None:
        while True:
            await self.anchor()
            await self.clock.sleep(ANCHOR_EVERY)

    async def anchor(self) -> None:
        """Write the heads of the ledger to the anchor file."""
        now = self.clock.now()
        try:
            await self.db.read(lambda tx: self.ledger.anchor(tx, now))
        except (OSError, StorageError):
            log.exception("the ledger could not be anchored")


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(frozen=True, kw_only=True)
class _Ground:
    """What everything in the house stands on."""

    config: Config
    db: Database
    clock: Clock
    adapters: Mapping[str, Adapter]
    model: ReachableModel | None
    engine: EmbeddedEngine
    ledger: Ledger
    owner: str
    access: Access
    showing: Showing

    def serves(self, platform: str, tenant: str) -> bool:
        """Whether a tenant's messages are received and sent by this process."""
        adapter = self.adapters.get(platform)
        return adapter is not None and adapter.serves(tenant)

    def hears(self, platform: str, tenant: str) -> bool:
        """Whether what the platform kept for a tenant is taken in, and nothing stands in the way of what comes."""
        adapter = self.adapters.get(platform)
        if adapter is None or not adapter.serves(tenant) or not adapter.caught_up.is_set():
            return False
        health = adapter.health()
        return bool(health.get("hears", health.get("ok")))


def build(
    config: Config,
    adapters: Mapping[str, Adapter],
    *,
    db: Database,
    clock: Clock,
    model: ReachableModel | None = None,
    redact: Callable[[str], str] = str,
    services: Sequence[Service] = (),
) -> App:
    """Put the house together around the given database, platforms and model; `services` are its further doors."""
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    ground = _Ground(
        config=config,
        db=db,
        clock=clock,
        adapters=adapters,
        model=model,
        engine=EmbeddedEngine(config.engine.concurrency),
        ledger=Ledger(load_key(config.data_dir / "ledger.key"), config.data_dir / "ledger.anchor", redact),
        owner=new_owner(),
        access=access(config.access.mode, config.owners, config.access.allow),
        showing=Showing(adapters),
    )
    voice = Voice(adapters, ground.engine, clock, owners=config.owners, language=config.language)
    questions = Questions(voice, ground.engine, clock)
    door = Door(ground.access, voice, clock, questions.expects, config.language)
    outbox = _outbox(ground, voice, questions)
    registry, executor = _toolkit(ground)
    return App(
        **vars(ground),
        inbox=Inbox(db, ground.engine, clock, door=door, voice=voice, questions=questions),
        outbox=outbox,
        desk=_desk(ground, registry, executor, outbox, voice, questions),
        scheduler=_scheduler(ground, outbox, questions),
        registry=registry,
        retention=_retention(ground),
        services=services,
        stopping=asyncio.Event(),
    )


def _scheduler(ground: _Ground, outbox: Outbox, questions: Questions) -> Scheduler:
    return Scheduler(
        ground.db,
        ground.engine,
        ground.clock,
        ground.serves,
        settle=outbox.settle,
        expire=lambda tx: questions.expire(tx, ground.hears),
    )


def _outbox(ground: _Ground, voice: Voice, questions: Questions) -> Outbox:
    config = ground.config
    doubt = {"telegram": config.telegram.doubt}
    mark = pick(config.language)["repeated_mark"]
    return Outbox(
        ground.db,
        ground.engine,
        ground.clock,
        ground.adapters,
        doubt=doubt,
        mark=mark,
        held=voice.held,
        refused=questions.unseen,
        serves=ground.serves,
    )


def _retention(ground: _Ground) -> Retention:
    return Retention(ground.db, ground.clock, ground.config.zone, _keep(ground.config), _filing(ground))


def _keep(config: Config) -> Keep:
    days = config.retention
    return Keep(
        inbox=days.inbox_days,
        outbox=days.outbox_days,
        journal=days.journal_days,
        files=days.files_days,
        readalong=days.readalong_days,
    )


def _toolkit(ground: _Ground) -> tuple[Registry, Executor]:
    bus = EventBus()
    registry = Registry(bus)
    registry.register_many(discover(core.tools))
    return registry, Executor(registry, ground.db, ground.ledger, ground.clock, bus)


def _desk(
    ground: _Ground, registry: Registry, executor: Executor, outbox: Outbox, voice: Voice, questions: Questions
) -> Desk:
    config, db, clock, engine = ground.config, ground.db, ground.clock, ground.engine
    prices = (config.llm.input_price, config.llm.output_price)
    expected = config.llm.max_output_tokens or OUTPUT_TOKENS
    shared = config.access.mode == "open"
    budget = Budget(config.budget.daily_tokens, config.zone, clock, prices, output_tokens=expected, shared=shared)
    staff = Staff(
        loop=Loop(executor, registry, db, budget.count),
        model=ground.model,
        offline=lambda notice: Offline(notice=notice),
        commands=Commands(executor, ground.adapters, _keep(config)),
        filing=_filing(ground),
        showing=ground.showing,
        changes=registry.changes,
    )
    return Desk(
        db,
        engine,
        clock,
        staff=staff,
        cases=CaseBook(_desktop(ground, voice, questions), engine, voice.give_up),
        voice=voice,
        questions=questions,
        ledger=ground.ledger,
        budget=budget,
        claim_post=outbox.claim_next,
        retry_seconds=config.llm.retry_seconds,
    )


def _filing(ground: _Ground) -> Filing:
    config = ground.config
    limits = Limits(
        file_bytes=config.files.max_mb << 20,
        scope_bytes=config.files.scope_mb << 20,
        most_seconds=config.files.fetch_seconds,
    )
    vision = config.llm.vision and ground.model is not None
    files = Files(config.data_dir / "files")
    return Filing(files, ground.db, ground.clock, ground.adapters, limits, vision=vision)


def _desktop(ground: _Ground, voice: Voice, questions: Questions) -> Desktop:
    config = ground.config
    files = Files(config.data_dir / "files")
    return Desktop(
        serves=ground.serves,
        access=ground.access,
        owner=ground.owner,
        clock=ground.clock,
        db=ground.db,
        zone=config.zone,
        language=config.language,
        history_bytes=BYTES_A_TOKEN * config.llm.context_tokens,
        states={"health": Health(ground.adapters, ground.model, ground.clock)},
        tell=_tell(voice),
        unlink=files.unlink,
        stored=files.of_scope,
        withdraw=questions.withdraw_all,
    )


def _tell(voice: Voice) -> Tell:
    """How tools reach other people: in their own language."""

    def tell(tx: Tx, lane: LaneKey, person_id: int, key: str, text: str, **values: object) -> None:
        language = voice.language(people.seat(tx, lane, person_id))
        voice.tell(tx, lane, key, language.say(text, **values))

    return tell
