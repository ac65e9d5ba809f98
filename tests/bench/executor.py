"""What a tool call costs beside the tool: a read that does nothing, through the executor, in CPU microseconds.

Its step and its row of the ledger are committed in one transaction. Beside it stands the handler alone.
"""

from __future__ import annotations

import gc
import tempfile
import time
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
    whole, alone = min(rounds)
    return f"executor: {whole:.0f} µs CPU a call (aim {AIM:.0f}); the handler alone {alone:.1f} µs"


async def _calls(home: House, n: int) -> tuple[float, float]:
    """Make the calls of one run, in a chat of its own."""
    await home.hear("work", chat=str(100 + n))
    context = (await claimed(home, str(100 + n))).context(Role.TELLER)
    executor, registry = home.app.container.get(Executor), home.app.container.get(Registry)
    if registry.get("nothing") is None:
        registry.register(nothing)
    before = time.process_time()
    for step in range(1, CALLS + 1):
        await executor.call(context, step, ToolCall(id="c", name="nothing", arguments={}))
    after, params = time.process_time(), Nothing()
    for _ in range(CALLS):
        await nothing.handler(params, context)  # type: ignore[call-arg, misc]
    return (after - before) / CALLS * 1e6, (time.process_time() - after) / CALLS * 1e6
