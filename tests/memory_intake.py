"""What the adapters' tests stand on: an `Intake` in memory, and a clock that tells what it was asked to wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from core.kernel.types import Inbound, Millis
from core.kernel.updates import Profile, Update

DEADLINE = 60.0
LONGEST_SLEEP = 0.1


class RealClock:
    """The machine's clock; it remembers how long it was asked to wait, and waits a tenth of a second at most."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.on_sleep: Callable[[], None] = lambda: None
        self._slept = asyncio.Event()

    def now(self) -> Millis:
        return int(time.time() * 1000)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.on_sleep()
        self._slept.set()
        await asyncio.sleep(min(seconds, LONGEST_SLEEP))

    async def wait_sleeps(self, count: int) -> None:
        """Wait until it was asked to wait `count` times."""
        async with asyncio.timeout(DEADLINE):
            while len(self.slept) < count:
                self._slept.clear()
                await self._slept.wait()


class SkippingClock(RealClock):
    """The machine's clock, put forward by whoever waits: a minute is over at once."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self._ahead

    async def sleep(self, seconds: float) -> None:
        await super().sleep(0.0)
        self.slept[-1] = seconds
        self._ahead += seconds


class MemoryIntake:
    """The contract of `Intake`: one transaction, the first of a key wins; errors on demand.

    `told` says what is shown to whoever pressed a button, None for nothing at all.
    """

    def __init__(self) -> None:
        self.tenants: set[tuple[str, str]] = set()
        self.cursors: dict[tuple[int, str], str] = {}
        self.rows: dict[str, Update] = {}
        # What the list of a workspace's people said at the start (Slack): no test need wait for that.
        self.listed: dict[str, Profile] = {}
        self.failures: list[Exception] = []
        self.tenant_failures: list[Exception] = []
        self.blocked: list[str] = []
        self.spoken: list[tuple[str, str]] = []
        self.refusal: Callable[[Inbound], str] = lambda answer: ""
        self.on_accept: Callable[[], None] = lambda: None
        self.told: Callable[[Update], str | None] = lambda update: None
        self._changed = asyncio.Event()

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        if self.tenant_failures:
            raise self.tenant_failures.pop(0)
        self.tenants.add((platform, external_id))
        return 1

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        return self.cursors.get((tenant_id, name))

    async def threads(self, tenant_id: int, since: Millis) -> Sequence[tuple[str, str]]:
        return self.spoken

    async def gone(self, tenant_id: int) -> Sequence[str]:
        return self.blocked

    async def tell_operators(self, key: str, text: str, **values: str) -> None:
        """Nobody is there to be told."""

    async def accept(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None = None
    ) -> Mapping[str, str]:
        listed = [one for one in updates if isinstance(one, Profile) and one.key.endswith(":listed")]
        if listed:
            self.listed |= {one.sender.address: one for one in listed}
            self._changed.set()
            return {}
        self.on_accept()
        if self.failures:
            raise self.failures.pop(0)
        for update in updates:
            self.rows.setdefault(update.key, update)
        if cursor:
            self.cursors[tenant_id, cursor[0]] = cursor[1]
        self._changed.set()
        told = {update.key: self.told(update) for update in updates}
        return {key: text for key, text in told.items() if text is not None}

    async def refuses(self, tenant_id: int, answer: Inbound) -> str:
        return self.refusal(answer)

    async def settled(self) -> None:
        """Nothing is answered here, so nothing is waited for."""

    def inbound(self) -> list[Inbound]:
        """Return the messages that were accepted."""
        return [row for row in self.rows.values() if isinstance(row, Inbound)]

    def messages(self) -> list[str]:
        """Return their texts."""
        return [row.text for row in self.inbound()]

    async def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds, looking after each acceptance; raise `TimeoutError`."""
        async with asyncio.timeout(DEADLINE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def wait_messages(self, *texts: str) -> None:
        """Wait until exactly these messages are there."""
        try:
            await self.wait(lambda: len(self.messages()) >= len(texts))
        finally:
            assert self.messages() == list(texts)
