"""What a tool call costs beside the tool: a read that does nothing, through the executor, in CPU microseconds.

Its step and its row of the ledger are committed in one transaction. Beside it stand the handler alone, a transaction
that does nothing, and the calls of one answer, which are made at the same time.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path

from bot.runtime.run import GARBAGE
from core.kernel.types import Json, Role, ToolCall
from core.toolkit.executor import Executor
from core.toolkit.params import Params
from core.toolkit.tool import Registry, ToolContext, tool
from tests.calling import claimed
from tests.databases import Place, build
from tests.fakes import House, house

CALLS, ROUNDS, AIM = 200, 40, 100.0
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
        db = build(Place(name="sqlite", where=str(Path(folder) / "teller.db")))
        await db.open()
        try:
            home = await house(db, Path(folder) / "house")
            # As the bot does at its start.
            gc.freeze()
            gc.set_threshold(GARBAGE)
            rounds = [await _calls(home, n) for n in range(ROUNDS)]
        finally:
            await db.close()
    # Others on the machine make all of it slower: the quickest round is the nearest to what it takes.
    whole, together, empty, alone = (min(column) for column in zip(*rounds, strict=True))
    return (
        f"executor: {whole:.0f} µs CPU a call (aim {AIM:.0f}), {together:.0f} where an answer makes {TOGETHER} calls; "
        f"an empty transaction {empty:.0f} µs, the handler alone {alone:.1f} µs"
    )


async def _calls(home: House, n: int) -> tuple[float, float, float, float]:
    """Make the calls of one run, in a chat of its own."""
    await home.hear("work", chat=str(100 + n))
    context = (await claimed(home, str(100 + n))).context(Role.TELLER)
    executor, registry = home.app.container.get(Executor), home.app.container.get(Registry)
    if registry.get("nothing") is None:
        registry.register(nothing)
    call, params = ToolCall(id="c", name="nothing", arguments={}), Nothing()

    async def apart() -> None:
        for step in range(CALLS):
            await executor.call(context, step, call)

    async def at_once() -> None:
        for first in range(CALLS, 2 * CALLS, TOGETHER):
            await asyncio.gather(*(executor.call(context, first + place, call) for place in range(TOGETHER)))

    async def empty() -> None:
        for _ in range(CALLS):
            await home.db.write(lambda tx: None)

    async def handler_alone() -> None:
        for _ in range(CALLS):
            await nothing.handler(params, context)  # type: ignore[call-arg, misc]

    return await _cost(apart()), await _cost(at_once()), await _cost(empty()), await _cost(handler_alone())


async def _cost(calls: Coroutine[None, None, None]) -> float:
    """Return what a call of them takes, in CPU microseconds."""
    before = time.process_time()
    await calls
    return (time.process_time() - before) / CALLS * 1e6
