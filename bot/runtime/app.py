"""The running house: taken up at the start, served, put down at a stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import partial

from bot.config.config import Config
from bot.runtime.spending import limits_that_may_not_hold, unpriced
from core.capabilities.tasks.models import TaskSettings
from core.delivery.sender import Outbox
from core.kernel.access import Access
from core.kernel.background import cancel
from core.kernel.errors import ConfigError, StorageError
from core.kernel.markdown import literal
from core.kernel.ports import Adapter, Clock, Database, ReachableModel, Tx
from core.language import warm_up
from core.pipeline.intake.inbox import Inbox
from core.pipeline.runs.leases import keep
from core.pipeline.runs.progress import ProgressDisplay
from core.pipeline.runs.sweep import Scheduler
from core.pipeline.runs.worker import RunWorker
from core.scheduling.engine.embedded import EmbeddedEngine
from core.store.conversation import lanes, tasks
from core.toolkit.capability import Capability, Schedules
from core.toolkit.command import CommandTable
from core.toolkit.ledger.ledger import Ledger
from core.toolkit.services import Services
from core.toolkit.tool import Registry

log = logging.getLogger(__name__)

# A stop takes ten seconds at most: runs, then the sends of what they said.
GRACE = 8.0
SEND_GRACE = 1.0
ANCHOR_EVERY = 10.0
# Messages come first while the grammars get ready.
WARM_UP_PAUSE = 0.01
BACKLOG = 3.0
# After how long what a bug has ended is started again.
WORK_AGAIN = 60.0
# What a request says beside the past, in tokens: the prompt, the tools, the message with what it replies to.
BESIDE_HISTORY = 2_000

# Something that goes on beside the running bot, as long as it serves. Its error at opening ends the start.
Service = Callable[["App"], AbstractAsyncContextManager[object]]


@dataclass(frozen=True, kw_only=True)
class App:
    """The running house. `owner` is the name its leases carry; `container` has what capabilities made for it."""

    config: Config
    clock: Clock
    db: Database
    engine: EmbeddedEngine
    adapters: Mapping[str, Adapter]
    model: ReachableModel | None
    inbox: Inbox
    outbox: Outbox
    worker: RunWorker
    progress: ProgressDisplay
    capabilities: Sequence[Capability]
    commands: CommandTable
    scheduler: Scheduler
    ledger: Ledger
    registry: Registry
    container: Services
    services: Sequence[Service]
    owner: str
    access: Access
    stopping: asyncio.Event
    # Why the tokens of platforms were rejected.
    rejected: dict[str, str] = field(default_factory=dict)

    async def run(self, ready: Callable[[App], Awaitable[None]] | None = None) -> None:
        """Take up what was left in the open data, serve until `stop` or until every adapter's input has ended."""
        try:
            await self._take_up()
            async with AsyncExitStack() as services:
                for service in self.services:
                    await services.enter_async_context(service(self))
                await self._serve(ready)
        finally:
            for adapter in self.adapters.values():
                await adapter.close()
            if self.model is not None:
                await self.model.close()

    def stop(self) -> None:
        """Ask for a stop; `run` returns when runs and sends have ended, within about ten seconds."""
        self.stopping.set()

    async def _take_up(self) -> None:
        """Take up what a former process left: its leases end, its sends in flight are in doubt."""
        most = self.config.llm.past_tokens + BESIDE_HISTORY

        def take_over(tx: Tx) -> tuple[int, int]:
            calls = self.worker.answering.count_broken_off(tx, most)
            return lanes.take_over(tx) + tasks.take_over(tx), calls

        left, calls = await self.db.write(take_over)
        doubtful = await self.outbox.doubts.settle()
        if left or doubtful or calls:
            log.warning(
                "taken up after a crash: %s open runs, %s sends in doubt, %s model calls counted as if answered",
                left,
                doubtful,
                calls,
            )

    async def _serve(self, ready: Callable[[App], Awaitable[None]] | None) -> None:
        intake = [asyncio.create_task(self._receive(adapter)) for adapter in self.adapters.values()]
        # The platforms' backlog is taken in before answering, so that it is one run a lane; no longer than a moment.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BACKLOG):
                await asyncio.gather(*(adapter.caught_up.wait() for adapter in self.adapters.values()))
        at_work = self.container.get(TaskSettings).at_work
        background = [
            asyncio.create_task(self.engine.run(self._handlers(), self.scheduler.due)),
            asyncio.create_task(keep(self.db, self.clock, self.owner, lambda: sorted(self.worker.at_work), at_work)),
            asyncio.create_task(self._anchor_often()),
            *(
                asyncio.create_task(self._keep_working(capability.name, partial(capability.background, self.container)))
                for capability in self.capabilities
                if capability.background is not None
            ),
        ]
        await self._tell_of_model()
        inputs = asyncio.create_task(self._until_inputs_end(intake))
        try:
            if ready is not None:
                await ready(self)
            log.info("ready: %s", ", ".join(self.adapters) or "no platform")
            # It takes a second or more, for which no stop waits.
            threading.Thread(target=warm_up, args=(WARM_UP_PAUSE,), name="grammars", daemon=True).start()
            stop = asyncio.create_task(self.stopping.wait())
            await asyncio.wait([stop, inputs], return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            if inputs.done():
                inputs.result()
        finally:
            await cancel([inputs, *intake])
            await self.engine.stop(GRACE)
            await asyncio.gather(self.outbox.finish(SEND_GRACE), self.progress.finish(SEND_GRACE))
            await cancel(background)
            await self.anchor()

    def _handlers(self) -> Mapping[str, Callable[[int], Awaitable[None]]]:
        found: dict[str, Callable[[int], Awaitable[None]]] = {
            kind: partial(handler, self.container)
            for hooks in self.container.every(Schedules)
            for kind, handler in hooks.handlers.items()
        }
        return {**found, "lane": self.worker.answer, "chat": self.outbox.pump, "stop": self.worker.stop}

    async def _receive(self, adapter: Adapter) -> None:
        """Run an adapter; one that fails by a bug is started again, visibly, and the others go on.

        One whose token is rejected is down until the next start, and the owners are told; raises `ConfigError` when no
        other platform is left.
        """
        while True:
            try:
                await adapter.run(self.inbox)
            except Exception as error:
                if rejected := _rejected(error):
                    self.rejected[adapter.platform] = str(rejected)
                    if len(self.rejected) == len(self.adapters):
                        raise ConfigError("\n".join(self.rejected.values())) from error
                    log.error("%s is down until the next start, the others go on: %s", adapter.platform, rejected)
                    await self._tell_down(adapter.platform, str(rejected))
                    return
                log.exception("the %s adapter failed; it is started again in 5 s", adapter.platform)
                await self.clock.sleep(5.0)
            else:
                return

    async def _keep_working(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do what a capability does as long as the house lives; what a bug ends is started again, visibly."""
        while True:
            try:
                await work()
            except Exception:
                log.exception("the background work of %s failed; it is started again in %.0f s", name, WORK_AGAIN)
                await self.clock.sleep(WORK_AGAIN)
            else:
                return

    async def _tell_down(self, platform: str, why: str) -> None:
        """Tell the owners on the other platforms, once a start."""
        name = platform.capitalize()
        key = f"down:{platform}:{self.owner}"
        await self._tell_operators(key, "platform_down_owner", platform=name, why=literal(why))

    async def _tell_of_model(self) -> None:
        """Tell the owners, once, that what their configuration calls `full` or `brief` is an assistant now; and which
        models have no known price although there is a limit in money."""
        config = self.config
        if self.model is None:
            return
        if config.roles.former:
            log.warning("roles.preset: %s means assistant now; write that, or strict", config.roles.preset)
            await self._tell_operators("preset:assistant", "preset_owner", preset=config.roles.preset)
        if models := unpriced(config.budget, config.llm):
            log.warning("%s", limits_that_may_not_hold(config.budget, config.llm))
            await self._tell_operators(f"unpriced:{models}", "usage_unpriced_owner", models=models)

    async def _tell_operators(self, key: str, text: str, **values: str) -> None:
        try:
            await self.inbox.tell_operators(key, text, **values)
        except StorageError:
            log.exception("the owners could not be told: %s", text)

    async def _until_inputs_end(self, intake: list[asyncio.Task[None]]) -> None:
        """Wait until a console's input has ended and what was accepted of it is answered."""
        await asyncio.gather(*intake)
        await self.inbox.settled()

    async def _anchor_often(self) -> None:
        told = ""
        while True:
            told = await self.anchor(told)
            await self.clock.sleep(ANCHOR_EVERY)

    async def anchor(self, told: str = "") -> str:
        """Write the heads of the ledger to the anchor file; return why that failed, which is logged unless it was
        `told` before."""
        now = self.clock.now()
        try:
            await self.db.read(lambda tx: self.ledger.anchor(tx, now))
        except (OSError, StorageError) as error:
            if str(error) != told:
                log.error("the ledger cannot be anchored, it is tried again every %.0f s: %s", ANCHOR_EVERY, error)
            return str(error)
        if told:
            log.warning("the ledger is anchored again")
        return ""


def serves(adapters: Mapping[str, Adapter], platform: str, tenant: str) -> bool:
    """Return whether a tenant's messages are received and sent by this process."""
    adapter = adapters.get(platform)
    return adapter is not None and adapter.serves(tenant)


def hears(adapters: Mapping[str, Adapter], platform: str, tenant: str) -> bool:
    """Return whether what the platform kept for a tenant is taken in, and nothing stands in the way of what comes."""
    adapter = adapters.get(platform)
    return adapter is not None and adapter.serves(tenant) and adapter.hears(tenant)


def _rejected(error: BaseException) -> ConfigError | None:
    """Return what somebody has to put right in the configuration, if that is what an adapter failed by."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_rejected, error.exceptions)), None)
    return error if isinstance(error, ConfigError) else None
