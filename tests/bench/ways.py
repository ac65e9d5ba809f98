"""What of ours runs on the four ways of HOUSE.md, from what somebody does to what they see, and how often is written.

The whole program runs in this process with the emulated Telegram and model, its database's threads included. A way
begins when it has nothing to do, and ends when it has nothing to do again; each is gone once before it is traced, so
that what is made once is made. `python -m tests.bench.ways` prints the figures as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import TypeVar

# The library that the program uses: two of them in one process take each other's locks away.
from sqlite_utils.utils import sqlite3

from bot.app import build
from bot.config.config import load
from bot.runtime.wiring import adapters, database, model
from core.kernel.ports import Database, Tx
from core.language import warm_up
from tests.acceptance.harness import KEY, TOKEN, environment, model_settings
from tests.acceptance.nursery import ROOT
from tests.acceptance.sites import TelegramSite
from tests.databases import serve
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer
from tests.hurried import hurry
from tests.killable import AheadClock, Failpoint, KillableDatabase

T = TypeVar("T")
OURS = tuple(f"{ROOT / name}{os.sep}" for name in ("core", "bot"))
ANN = 1001
# What is said differs each time: of words that were just read it is known what they mean.
THINGS = ("stretch", "walk", "rest", "drink", "read", "write")
# Background work that comes by itself every few seconds is no part of a way.
RESTS = 1.0
# Between two looks whether all is done, and how long there must be nothing.
LOOK, QUIET = 0.02, 0.2
OPEN = (
    "SELECT (SELECT count(*) FROM inbox WHERE ended_at IS NULL) + (SELECT count(*) FROM outbox WHERE ended_at IS NULL)"
    " + (SELECT count(*) FROM lane WHERE owner IS NOT NULL)"
)


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What ran on one way."""

    functions: int
    modules: int
    writes: int


# What HOUSE.md found before the house was rebuilt, and what it aims at.
WAYS = ("plain message", "reminder set", "reminder fired", "press of Undo")
BEFORE = dict(zip(WAYS, ((421, 97, 4), (467, 108, 5), (229, 54, 5), (379, 93, 9)), strict=True))
AIMS = dict(zip(WAYS, ((300, 65, 4), (330, 72, 4), (165, 40, 4), (270, 62, 6)), strict=True))


class Tracer:
    """Notes which functions of ours begin to run, in all threads, while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.ran: set[tuple[str, str]] = set()
        self.writes = 0
        self.at = time.monotonic()
        # Not the profiler, which would also be told of each call of a built-in function.
        threading.settrace(self._seen)
        sys.settrace(self._seen)

    def _seen(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(OURS):
            return
        self.at = time.monotonic()
        if self.on and not frame.f_code.co_name.startswith("<"):
            self.ran.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Note what runs in the block."""
        self.ran, self.writes, self.on = set(), 0, True
        yield
        self.on = False

    @property
    def figures(self) -> Figures:
        """What was noted last."""
        return Figures(functions=len(self.ran), modules=len({file for file, _ in self.ran}), writes=self.writes)


class CountedDatabase(KillableDatabase):
    """Counts write transactions; its own work is not ours."""

    def __init__(self, db: Database, tracer: Tracer) -> None:
        super().__init__(db, Failpoint())
        self._tracer = tracer

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        """Run `fn` in a transaction."""
        self._tracer.writes += 1
        return await self._db.write(fn, order=order)


class RestingClock(AheadClock):
    """A clock on which background work rests for ever after its first time."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await (asyncio.sleep(seconds) if seconds < RESTS else asyncio.Event().wait())


@dataclass(frozen=True, kw_only=True)
class Stage:
    """The running program, and what people do on their side."""

    server: TelegramServer
    tracer: Tracer
    wake: Callable[[], None]
    ahead: Path
    data: Path
    things: Iterator[str]

    async def settled(self) -> None:
        """Wait until nothing is open, and nothing of ours runs."""
        while self._open() or time.monotonic() - self.tracer.at < QUIET:  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(LOOK)

    def _open(self) -> int:
        conn = sqlite3.connect(f"file:{self.data}?mode=ro", uri=True)
        try:
            found: int = conn.execute(OPEN).fetchone()[0]
            return found
        finally:
            conn.close()

    async def answered(self, act: Callable[[], object]) -> None:
        """Let somebody do something, and wait for what comes of it."""
        before = len(self.server.sent(ANN))
        act()
        await self.server.wait_sent(before + 1, ANN, 60)
        await self.settled()

    async def said(self, words: str) -> None:
        """Let somebody write."""
        now = int(time.time() + float(self.ahead.read_text()))
        await self.answered(lambda: self.server.say(words, user=ANN, date=now))

    async def plain(self) -> None:
        """Somebody writes to the model."""
        await self.said(f"How are {next(self.things)}s today?")

    async def set(self) -> None:
        """Somebody sets a reminder by a sentence."""
        await self.said(f"remind me in 20 minutes to {next(self.things)}")

    async def fired(self) -> None:
        """It comes."""
        self.ahead.write_text(str(float(self.ahead.read_text()) + 20 * 60 + 1))
        await self.answered(self.wake)

    async def undone(self) -> None:
        """Somebody takes another one back."""
        message = [one for one in self.server.sent(ANN) if "Undo" in str(one.keyboard)][-1]
        await self.answered(lambda: self.server.press(message, "Undo", user=ANN))


@asynccontextmanager
async def stage(folder: Path, tracer: Tracer) -> AsyncIterator[Stage]:
    """Start the program, and stop it."""
    async with TelegramServer(token=TOKEN) as server, OpenAIServer(key=KEY) as llm:
        llm.reply_with(lambda request: f"You said: {request.last_user_text}")
        everywhere = {"DATA_DIR": str(folder), "TIMEZONE": "UTC"}
        os.environ.update(environment({**TelegramSite(server).settings, **everywhere, **model_settings(llm)}))
        ahead = folder / "clock"
        ahead.write_text("0")
        config, clock = load(None), RestingClock(str(ahead))
        db = database(config, clock)
        found = adapters(config, clock, console=False, db=db)
        app = build(config, found, db=CountedDatabase(db, tracer), clock=clock, model=model(config, clock))
        ready = asyncio.Event()

        async def listening(_app: object) -> None:
            ready.set()

        running = asyncio.create_task(serve(app, listening))
        await ready.wait()
        wake = lambda: app.engine.wake(0)  # noqa: E731
        data, things = folder / "teller.db", iter(THINGS)
        yield Stage(server=server, tracer=tracer, wake=wake, ahead=ahead, data=data, things=things)
        app.stop()
        await running


async def trace() -> dict[str, Figures]:
    """Go each way twice, and trace it the second time. Who comes sooner than a second later waits, which is another
    way: a chat's pace is hurried. Patterns are compiled before, which the program does beside its first messages.
    """
    hurry()
    warm_up()
    tracer, found = Tracer(), {}
    with tempfile.TemporaryDirectory() as folder:
        async with stage(Path(folder), tracer) as on:
            for _ in range(2):
                for way, go in zip(WAYS, (on.plain, on.set, on.fired, on.undone), strict=True):
                    if way == WAYS[-1]:
                        await on.set()
                    await on.settled()
                    with tracer.tracing():
                        await go()
                    found[way] = tracer.figures
    return found


async def apart() -> dict[str, dict[str, int]]:
    """The figures of a process of their own, in which nothing else has run."""
    words = (sys.executable, "-m", "tests.bench.ways")
    process = await asyncio.create_subprocess_exec(*words, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    written, _ = await process.communicate()
    assert process.returncode == 0, "the tracer failed; see above"
    found: dict[str, dict[str, int]] = json.loads(written)
    return found


async def measure() -> str:
    """Today's figures beside those from before the rebuilding, and the aims."""
    lines = [f"{'functions / modules that ran · writes':40}{'before':>16}{'now':>16}{'aim':>16}"]
    for way, now in (await apart()).items():
        columns = (BEFORE[way], tuple(now.values()), AIMS[way])
        lines.append(f"{way:40}" + "".join(f"{f'{a} / {b} · {c}':>16}" for a, b, c in columns))
    return "\n".join(lines)


if __name__ == "__main__":
    print(json.dumps({way: asdict(figures) for way, figures in asyncio.run(trace()).items()}))
