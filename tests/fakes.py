"""Fakes that implement the ports, and a house built of them by the real composition root."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bot.app import App, build
from bot.config.config import Config
from bot.config.sections import AccessSection, BudgetSection, TelegramSection
from core.agents.llm.scripted import Rule, Said, ScriptedModel
from core.agents.loop import NO_WORDS
from core.capabilities.all import CAPABILITIES
from core.kernel.errors import StorageAway, StorageFull
from core.kernel.ports import Database, Handler, Tx
from core.kernel.types import Answer, Inbound, Millis, ModelRequest, Press, Sender
from core.pipeline.runs.run_context import Readings, RunContext
from core.store.conversation import inbox, lanes, outbox
from core.toolkit.capability import Capability
from core.toolkit.fetch.client import Fetcher
from tests.fake_adapter import FakeAdapter, Hitch, Sent

# Beside what is defined here.
__all__ = ["FakeAdapter", "Hitch", "Sent"]

T = TypeVar("T")
START: Millis = 1_790_000_000_000  # an instant of September 2026
OWNER, FRIEND, STRANGER = "tg:1", "tg:2", "tg:99"


class FakeClock:
    """A clock that moves when told to. `waits` makes `sleep` wait for `advance`; else sleeping itself moves it."""

    def __init__(self, *, waits: bool = False) -> None:
        self._now, self._monotonic, self._waits = START, 1000.0, waits
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._asleep = asyncio.Event()

    def now(self) -> Millis:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        if not self._waits:
            self.advance(seconds)
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._monotonic + seconds, future))
        self._asleep.set()
        await future

    async def until_asleep(self) -> None:
        """Wait until somebody sleeps."""
        await asyncio.wait_for(self._asleep.wait(), 10)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.jump(seconds)
        self._monotonic += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._monotonic]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper not in due]
        self._asleep.clear()
        for _, future in due:
            if not future.done():
                future.set_result(None)

    def jump(self, seconds: float) -> None:
        """Set the wall clock forward or back; no time passes."""
        self._now += round(seconds * 1000)


class FakeEngine:
    """Notes what it is told; `pokes` only those whose transaction was committed."""

    def __init__(self) -> None:
        self.pokes: list[tuple[str, int]] = []
        self.wakes: list[Millis] = []

    def poke(self, tx: Tx, kind: str, key: int, *, bulk: bool = False) -> None:
        tx.after_commit(lambda: self.pokes.append((kind, key)))

    def wake(self, at: Millis) -> None:
        self.wakes.append(at)

    async def run(self, handlers: Mapping[str, Handler], due: Callable[[], Awaitable[Millis | None]]) -> None:
        await due()

    async def stop(self, grace: float) -> None:
        self.pokes.clear()


class FakeModel(ScriptedModel):
    """A scripted model that can say whether it is reachable. What asks for one token only learns whether it is
    there: of a function, or by whether an error stands next in the script; an answer stays there. A script's answer
    without words is meant as silence, unless `speechless`."""

    def __init__(self, *script: Said | Rule) -> None:
        super().__init__(*script)
        self.reachable = True
        self.closed = self.speechless = False
        self.shown: int | None = None

    async def complete(self, request: ModelRequest) -> Answer:
        """Answer, or say by the next line of the script whether there is anybody."""
        if not self.speechless and request.messages[-1].get("content") == NO_WORDS:
            return Answer(text=".")
        if request.most_tokens != 1 or self._always is not None:
            return await super().complete(request)
        if not (self._script and isinstance(self._script[0], BaseException)):
            return Answer(text="ok")
        return await super().complete(request)

    async def window(self) -> int | None:
        """What a test has said that the model is shown."""
        return self.shown

    async def close(self) -> None:
        """Note that nobody asks any more."""
        self.closed = True

    def forget(self) -> None:
        """Drop the answers that were not given."""
        self._script.clear()

    def always(self, rule: Rule) -> None:
        """From now on one function answers everything."""
        self._script.clear()
        self._always = rule


def inbound(
    text: str, *, key: str, chat: str = "1", sender: str = OWNER, sent_at: Millis = START, **more: Any
) -> Inbound:
    """A message; `message_id` is the key unless given. `handle`, `kin` and `timezone` are the sender's."""
    told: dict[str, Any] = {name: str(more.pop(name, "")) for name in ("handle", "kin", "timezone")}
    person = Sender(address=sender, name=f"Name of {sender}", language="en", **told)
    fields = {"message_id": key, "raw": "{}", **more}
    return Inbound(key=key, chat=chat, sender=person, text=text, sent_at=sent_at, **fields)


@dataclass(kw_only=True)
class House:
    """A whole house without a running engine: `work` does by hand what is due, deterministically."""

    app: App
    db: Database
    clock: FakeClock
    adapter: FakeAdapter
    model: FakeModel | None
    tenant_id: int
    keys: Iterator[int]

    async def hear(self, text: str, **fields: Any) -> str:
        """Let a message arrive and return its key."""
        key = str(fields.pop("key", None) or f"u{next(self.keys)}")
        message = inbound(text, key=key, **{"sent_at": self.clock.now(), **fields})
        await self.app.inbox.accept(self.tenant_id, [message])
        return key

    async def press(
        self, label: str, *, sender: str = OWNER, chat: str = "1", data: str = "", **fields: Any
    ) -> str | None:
        """Press the newest button with this label that a chat shows (or any `data`); returns what the presser sees."""
        key = str(fields.pop("key", None) or f"p{next(self.keys)}")
        person = Sender(address=sender, name=f"Name of {sender}", language="en")
        press = Press(key=key, chat=chat, sender=person, data=data or self.button(label, chat), raw="{}", **fields)
        return (await self.app.inbox.accept(self.tenant_id, [press])).get(key)

    def button(self, label: str, chat: str = "1") -> str:
        """What the newest shown button with this label carries."""
        buttons = [
            button
            for message in self.shown(chat)
            if message.keyboard is not None
            for button in message.keyboard.buttons
            if button.label == label
        ]
        assert buttons, [(message.text, message.keyboard) for message in self.shown(chat)]
        return buttons[-1].data

    def shown(self, chat: str = "1") -> list[Sent]:
        """The messages of a chat as they read now, edits applied."""
        return list({sent.platform_id: sent for sent in self.adapter.sent if sent.to.chat == chat}.values())

    async def sweep(self) -> None:
        """Look for what is due, as the engine does, then do it."""
        await self.app.scheduler.due()
        await self.work()

    async def work(self, rounds: int = 400) -> None:
        """Answer and send until nothing is due now."""
        for _ in range(rounds):
            if not await self.answer() + await self.send():
                return
        raise AssertionError("there is always something due")

    async def answer(self) -> int:
        """Work on the lanes that are due, and send what came of it; returns how many."""
        found = await self.db.read(lambda tx: lanes.due(tx, self.clock.now()))
        for lane_id in found:
            await self.app.worker.answer(lane_id)
            await self.app.outbox.pump(await self.chat_of(lane_id))
        return len(found)

    async def chat_of(self, lane_id: int) -> int:
        """The chat a lane belongs to."""
        return int((await self.column("SELECT chat_id FROM lane WHERE id = :id", id=lane_id))[0])

    async def send(self) -> int:
        """Send what is due; returns how many sends were tried, and messages ended."""
        due, ended = await self.db.read(lambda tx: (outbox.due(tx, self.clock.now()), _ended(tx)))
        if not due:
            return 0
        tried = len(self.adapter.tried)
        for chat_id in due:
            await self.app.outbox.pump(chat_id)
        return len(self.adapter.tried) - tried + await self.db.read(_ended) - ended

    async def later(self, seconds: float) -> None:
        """Let time pass, then do what is due."""
        self.clock.advance(seconds)
        await self.work()

    async def rows(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        """Read rows as plain dictionaries."""
        found = await self.db.read(lambda tx: tx.all(sql, params))
        return [{name: row[name] for name in row.keys()} for row in found]  # noqa: SIM118 - sqlite3.Row

    async def column(self, sql: str, **params: Any) -> list[Any]:
        """Read the first column."""
        return [next(iter(row.values())) for row in await self.rows(sql, **params)]


def _ended(tx: Tx) -> int:
    row = tx.one("SELECT count(*) AS ended FROM outbox WHERE ended_at IS NOT NULL")
    assert row is not None
    return int(row["ended"])


def config(folder: Path, **sections: Any) -> Config:
    """A configuration for tests: tg:1 owns the bot, tg:2 is allowed, everybody else is a stranger."""
    defaults: dict[str, Any] = {
        "data_dir": folder,
        "owners": (OWNER,),
        "access": AccessSection(mode="allowlist", allow=(FRIEND,)),
        "timezone": "UTC",
        "language": "en",
    }
    return Config(**{**defaults, **sections})


def settings(
    folder: Path, *, doubt: str = "resend", daily_tokens: int | None = None, concurrency: int = 8, **sections: Any
) -> Config:
    """The configuration with what tests vary."""
    telegram = TelegramSection.model_validate({"doubt": doubt})
    engine = {"concurrency": concurrency}
    return config(folder, telegram=telegram, budget=BudgetSection(daily_tokens=daily_tokens), engine=engine, **sections)


async def house(
    db: Database,
    folder: Path,
    *script: Said | Rule,
    model: bool = True,
    clock: FakeClock | None = None,
    adapter: FakeAdapter | None = None,
    capabilities: Sequence[Capability] = CAPABILITIES,
    fetcher: Fetcher | None = None,
    **options: Any,
) -> House:
    """Build a house over an open database. `script` is what the model says; `options` go to `settings`, and the web is
    reached by `fetcher`."""
    clock, adapter = clock or FakeClock(), adapter or FakeAdapter()
    scripted = FakeModel(*script) if model else None
    app = build(
        settings(folder, **options),
        {adapter.platform: adapter},
        db=db,
        clock=clock,
        model=scripted,
        capabilities=capabilities,
        fetcher=fetcher,
    )
    tenant_id = await app.inbox.tenant(adapter.platform, "T1" if adapter.platform == "slack" else "bot")
    return House(
        app=app, db=db, clock=clock, adapter=adapter, model=scripted, tenant_id=tenant_id, keys=itertools.count(1)
    )


def claim_lane(home: House, tx: Tx, lane_id: int, *, alone: bool = False) -> RunContext | None:
    """Claim a lane as the run worker does, with what waits in it read before."""
    opener = home.app.worker._opener
    readings = Readings(opener.services.interpreter)
    if readings.interpreter is not None:
        readings.read(inbox.to_read(tx, lane_id))
    return opener.open(tx, lane_id, readings, alone=alone)


class Crash(BaseException):
    """The process dies here."""


class CrashingDatabase:
    """A database whose process dies before or right after a commit. After that nothing of this process gets through."""

    def __init__(self, inner: Database) -> None:
        self.inner, self.name = inner, inner.name
        self.left: int | None = None
        self.after = False
        self.dead = False
        self.commits = 0

    def arm(self, commits: int, *, after: bool) -> None:
        """Die at the `commits`-th transaction from now: before it, or right after its commit."""
        self.left, self.after = commits, after

    def disarm(self) -> None:
        """Live on."""
        self.left = None

    def die(self) -> Crash:
        """Die now."""
        self.dead = True
        return Crash()

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        if self.dead:
            raise Crash
        hit = self._count()
        if hit and not self.after:
            raise self.die()
        result = await self.inner.write(fn, order=order)
        self.commits += 1
        if hit:
            raise self.die()
        return result

    def _count(self) -> bool:
        if self.left is None:
            return False
        self.left -= 1
        return self.left <= 0

    async def read(self, fn: Callable[[Tx], T]) -> T:
        if self.dead:
            raise Crash
        return await self.inner.read(fn)

    async def open(self, *, upgrade: bool = True) -> str:
        raise AssertionError("the tests open it")

    async def close(self) -> None:
        raise AssertionError("the tests close it")

    def has_room(self) -> bool:
        return self.inner.has_room()

    async def backup(self, path: str) -> str:
        return await self.inner.backup(path)


class FullDatabase(CrashingDatabase):
    """A database that has no room for the transactions of one name, or is away by another `error`, so many times."""

    def __init__(self, inner: Database, name: str, times: int, error: StorageAway | None = None) -> None:
        super().__init__(inner)
        self._full, self._times, self._error = name, times, error or StorageFull("no space left")

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        if self._times and fn.__name__ == self._full:
            self._times -= 1
            raise self._error
        return await super().write(fn, order=order)
