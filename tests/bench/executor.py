"""What a tool call costs beside the tool: a read that does nothing, through the executor, in CPU microseconds.

The first figure is what it takes until the result is there, for which whoever called waits. Its step and its rows of
the ledger are committed with the run's next answer, as the model's loop does it: the second figure has that, too, but
not what the answer's transaction takes by itself. Raw SQLite writes the same rows in the same transactions and knows
them beforehand. Beside them stand an answer that makes several calls, a call that is committed alone, an empty
transaction and the handler alone.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from sqlite_utils.utils import sqlite3

from bot.runtime.run import GARBAGE
from core.kernel.ports import Tx
from core.kernel.replies import Step
from core.kernel.types import Json, Role, ToolCall
from core.store.conversation import runs as journal
from core.store.sqlite.database import STATEMENTS
from core.toolkit.executor import Executor
from core.toolkit.params import Params
from core.toolkit.tool import Registry, ToolContext, tool
from tests.calling import claimed
from tests.databases import Place, build
from tests.fakes import House, house

ANSWERS, ROUNDS, AIM = 200, 40, 100.0
# What a call writes.
TABLES = ("step", "ledger", "ledger_body")
# Calls of an answer that makes several.
TOGETHER = 4


class Nothing(Params):
    """No parameters."""


@tool(Role.TELLER)
async def nothing(params: Nothing, context: ToolContext) -> Json:
    """Do nothing."""
    return {"ok": True}


async def measure() -> str:
    """Return the quickest of some rounds, on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "teller.db"
        db = build(Place(name="sqlite", where=str(path)))
        await db.open()
        try:
            home = await house(db, Path(folder) / "house")
            home.app.container.get(Registry).register(nothing)
            # As the bot does at its start.
            gc.freeze()
            gc.set_threshold(GARBAGE)
            rounds = [await _Calls(home, await _run(home, n)).costs() for n in range(ROUNDS)]
        finally:
            await db.close()
        raw = _raw(path)
    # Others on the machine make all of it slower: the quickest round is the nearest to what it takes.
    answer, one, several, call, alone, empty, handler = (min(column) for column in zip(*rounds, strict=True))
    whole = one - answer
    return (
        f"executor: {call:.0f} µs CPU a call until its result is there (aim {AIM:.0f}); {whole:.0f} with its rows, "
        f"{whole / raw:.1f} times the {raw:.0f} of raw SQLite; {(several - answer) / TOGETHER:.0f} of {TOGETHER} at "
        f"once, {alone:.0f} of one that is committed alone; an answer {answer:.0f} µs, an empty transaction "
        f"{empty:.0f} µs, the handler {handler:.1f} µs"
    )


async def _run(home: House, n: int) -> ToolContext:
    """Return a run, in a chat of its own."""
    await home.hear("work", chat=str(100 + n))
    return (await claimed(home, str(100 + n))).context(Role.TELLER)


class _Calls:
    """The calls of a run."""

    def __init__(self, home: House, context: ToolContext) -> None:
        self._db, self._alone = home.db, context
        self._context = replace(context, unjournalled=journal.Unjournalled())
        self._executor = home.app.container.get(Executor)
        self._call = ToolCall(id="c", name="nothing", arguments={})
        self._steps = iter(range(10 * ANSWERS))

    async def costs(self) -> tuple[float, ...]:
        """Return what an answer costs, one with a call, one with several, a call until its result is there, one that is
        committed alone, an empty transaction and the handler."""
        context, handler = self._context, cast("Callable[..., Awaitable[object]]", nothing.handler)

        async def several() -> None:
            await asyncio.gather(
                *(self._executor.call(context, next(self._steps), self._call) for _ in range(TOGETHER))
            )
            await self._answer()

        async def one() -> None:
            await self._executor.call(context, next(self._steps), self._call)
            await self._answer()

        ways: Sequence[Callable[[], Awaitable[object]]] = (
            self._answer,
            one,
            several,
            lambda: self._executor.call(context, next(self._steps), self._call),
            lambda: self._executor.call(self._alone, next(self._steps), self._call),
            lambda: self._db.write(lambda tx: None),
            lambda: handler(Nothing(), context),
        )
        return tuple([await _cost(way) for way in ways])

    async def _answer(self) -> None:
        context = self._context

        def commit_answer(tx: Tx) -> None:
            context.begin(tx)
            step = Step(n=next(self._steps), kind="answer", state="done", call_id="", tool="", content="{}")
            journal.write(tx, context.lane, context.run_id, step, context.clock.now())

        await self._db.write(commit_answer)


def _raw(path: Path) -> float:
    """Return what the rows of a call take in the file, when they are there to be written."""
    conn = sqlite3.connect(path, isolation_level=None, cached_statements=STATEMENTS)
    conn.row_factory = sqlite3.Row
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
        conn.execute(f"PRAGMA {pragma}")
    newest = {table: conn.execute(f"SELECT * FROM {table} ORDER BY n DESC LIMIT 1").fetchone() for table in TABLES}
    inserts = {
        table: f"INSERT INTO {table} ({', '.join(row.keys())}) VALUES ({', '.join('?' * len(row))})"
        for table, row in newest.items()
    }
    numbers = iter(range(newest["ledger"]["n"] + 1, 10**9))

    def write(table: str) -> None:
        conn.execute(inserts[table], tuple({**newest[table], "n": next(numbers)}.values()))

    def commit(calls: int) -> float:
        before = time.process_time()
        for _ in range(ANSWERS):
            conn.execute("BEGIN IMMEDIATE")
            write("step")
            for _ in range(calls):
                for table in TABLES:
                    write(table)
                conn.execute("SELECT n, mac FROM ledger_head WHERE tenant_id = 1").fetchone()
                conn.execute("UPDATE ledger_head SET n = ? WHERE tenant_id = 1", (next(numbers),))
            conn.execute("COMMIT")
        return (time.process_time() - before) / ANSWERS * 1e6

    rounds = [(commit(0), commit(1)) for _ in range(ROUNDS)]
    conn.close()
    return min(one for _, one in rounds) - min(none for none, _ in rounds)


async def _cost(way: Callable[[], Awaitable[object]]) -> float:
    """Return what one of many takes, in CPU microseconds."""
    before = time.process_time()
    for _ in range(ANSWERS):
        await way()
    return (time.process_time() - before) / ANSWERS * 1e6
