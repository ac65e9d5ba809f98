"""What the database takes of a message: accept, claim, finish and sent, in CPU microseconds, beside raw SQLite."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from core.kernel.ports import Database, Tx
from core.kernel.replies import Outcome, Reply, Step
from core.kernel.types import Usage
from core.pipeline.runs.finish import End
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import outbox
from core.store.conversation.outbox import Post
from tests.databases import Place, build
from tests.fakes import House, house, inbound
from tests.fakes import claim_lane as take_lane
from tests.postgres_server import PostgresServer

MESSAGES = 500
T = TypeVar("T")
R = TypeVar("R")
ANSWER = Step(n=1, kind="answer", state="done", call_id="", tool="", content='{"text": "Fine.", "calls": []}')
USAGE = Usage(model="bench", tokens_in=300, tokens_out=20)


class Stopwatch:
    """CPU microseconds of this process a step; the Postgres server's own are not in it."""

    def __init__(self) -> None:
        self.figures: dict[str, float] = {}

    async def each(self, name: str, work: Callable[[T], Awaitable[R]], items: Sequence[T]) -> list[R]:
        """Do `work` for each item, one after the other."""
        before = time.process_time()
        results = [await work(item) for item in items]
        self.figures[name] = (time.process_time() - before) / len(items) * 1e6
        return results


async def turn(db: Database, folder: Path) -> dict[str, float]:
    """Every transaction of a plain message, for messages of as many people."""
    watch, home = Stopwatch(), await house(db, folder, model=False)
    people = range(2, MESSAGES + 2)
    await watch.each("accept, first message of a chat", lambda n: _accept(home, n, "first"), people)
    for lane_id in await home.column("SELECT id FROM lane ORDER BY id"):
        await home.app.worker.answer(lane_id)
    for chat_id in list(home.app.outbox.claims.ready):
        await home.app.outbox.pump(chat_id)
    await watch.each("accept", lambda n: _accept(home, n, "second"), people)
    lanes = await home.column("SELECT id FROM lane ORDER BY id")
    runs = await watch.each("claim", lambda lane: _claim(home, lane), lanes)
    await watch.each("finish (claims the post)", lambda run: _finish(home, run), runs)
    posts = list(home.app.outbox.claims.ready.values())
    home.app.outbox.claims.ready.clear()
    await watch.each("sent", lambda post: _sent(home, post), posts)
    return watch.figures


async def _accept(home: House, n: int, word: str) -> None:
    message = inbound(word, key=f"{word}{n}", chat=str(n), sender="tg:1", raw='{"update_id": 1}' * 20)
    await home.app.inbox.accept(home.tenant_id, [message], ("offset", str(n)))


async def _claim(home: House, lane_id: int) -> RunContext:
    def claim_lane(tx: Tx) -> RunContext:
        run = take_lane(home, tx, lane_id)
        assert run is not None
        return run

    return await home.db.write(claim_lane)


async def _finish(home: House, run: RunContext) -> bool:
    outcome = Outcome(replies=[Reply(n=1, text="Fine, and you?")], last=ANSWER, usage=USAGE)
    return await home.app.worker._finish(run, End(outcome=outcome))


async def _sent(home: House, post: Post) -> None:
    await home.app.outbox._record(post, lambda tx: outbox.sent(tx, post.outbox_id, "1", 0))


def raw_sqlite(folder: Path) -> float:
    """CPU microseconds of the plainest durable thing: one insert and commit in WAL mode."""
    conn = sqlite3.connect(folder / "raw.db", isolation_level=None)
    conn.execute("PRAGMA journal_mode = WAL")
    conn.execute("PRAGMA synchronous = NORMAL")
    conn.execute("CREATE TABLE inbox (id INTEGER PRIMARY KEY, body TEXT)")
    before = time.process_time()
    for _ in range(MESSAGES):
        conn.execute("INSERT INTO inbox (body) VALUES (?)", ("x" * 200,))
    taken = (time.process_time() - before) / MESSAGES * 1e6
    conn.close()
    return taken


async def measure() -> str:
    """Both databases, as a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raw = raw_sqlite(folder)
        sqlite = await _with(Place(name="sqlite", where=str(folder / "teller.db")), folder)
        server = PostgresServer()
        try:
            postgres = await _with(Place(name="postgres", where=server.create()), folder)
        finally:
            server.stop()
    return "\n".join(_lines(raw, sqlite, postgres))


async def _with(place: Place, folder: Path) -> dict[str, float]:
    db = build(place)
    await db.open()
    try:
        return await turn(db, folder / place.name)
    finally:
        await db.close()


def _lines(raw: float, sqlite: dict[str, float], postgres: dict[str, float]) -> Iterable[str]:
    yield f"{'CPU a transaction, µs':40}{'SQLite':>10}{'Postgres':>10}{'SQLite / raw insert':>22}"
    for name, figure in sqlite.items():
        yield f"{name:40}{figure:10.0f}{postgres[name]:10.0f}{figure / raw:22.1f}"
    yield f"{'raw SQLite: one insert and commit':40}{raw:10.0f}"
