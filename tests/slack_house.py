"""A bot on the emulated Slack, with an intake in memory: what the tests of receiving stand on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from bot.adapters.slack import SlackAdapter, SlackApp, Timing
from bot.runtime.http import Checks
from core.kernel.types import Inbound
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

QUICK = Timing(first=0.02, most=0.1, named=0.1, ping=1.0, hello=5.0)
NAMES = ("help", "todo", "remind", "stop")
USER = "U1001"


class Writes:
    """As much of a database as the checks of the web server look at."""

    async def write(self, fn: object) -> None:
        """Take everything."""

    def has_room(self) -> bool:
        """There is."""
        return True


class SlackHouse:
    """One bot; `receiving` lets it run."""

    def __init__(
        self,
        server: SlackServer,
        *,
        socket: bool = True,
        timing: Timing = QUICK,
        clock: RealClock | None = None,
        scarce: bool = False,
    ) -> None:
        self.server, self.intake, self.clock = server, MemoryIntake(), clock or RealClock()
        self.intake.cursors[1, "heard"] = ""
        app = server.world.app
        slack_app = SlackApp(
            bot_token=server.team.bot_token,
            base_url=server.api,
            names=NAMES,
            app_token=app.app_token if socket else "",
            signing_secret="" if socket else app.signing_secret,
            scarce=scarce,
        )
        self.adapter = SlackAdapter(slack_app, self.clock, timing=timing)

    @property
    def checks(self) -> Checks:
        """What the web server asks."""
        return Checks(Writes(), {"slack": self.adapter}, self.clock)  # type: ignore[arg-type] # as much of a database as is used

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Let the adapter run."""
        task = asyncio.create_task(self.adapter.run(self.intake))
        try:
            yield
            assert not task.done(), task
        finally:
            task.cancel()
            await asyncio.wait([task])
            await self.adapter.close()

    @contextlib.asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        """Let the adapter run, once it has caught up."""
        async with self.running():
            await asyncio.wait_for(self.adapter.caught_up.wait(), DEADLINE)
            yield

    async def arrived(self) -> list[Inbound]:
        """Wait until everything is acknowledged or given up, and return what was taken in."""
        await self.server.wait_until(lambda: not self.server.pending(), DEADLINE)
        return self.intake.inbound()
