"""Help for tests of files: a house in which a Worker can be played, and where its files lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.capabilities.files.service import ScopeFiles
from core.kernel.ports import Database
from core.kernel.types import LaneKey, Role, ToolCall, ToolResult
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import lanes
from core.store.conversation import runs as journal
from tests.calling import claimed
from tests.fakes import House, house


@dataclass
class Work:
    """A run of a Worker that is still open; `tainted` once it has read others' words."""

    home: House
    run: RunContext
    own: Path
    tainted: bool = False
    n: int = 0

    @property
    def lane(self) -> LaneKey:
        return self.run.lane

    @property
    def files(self) -> ScopeFiles:
        return self.home.app.container.get(ScopeFiles)

    @property
    def cache(self) -> Path:
        return self.own / "file_cache_dir"

    async def call(self, name: str, **arguments: Any) -> ToolResult:
        """Call a tool as the Worker, and do on the disk what came of it."""
        self.n += 1
        return await self.again(name, **arguments)

    async def again(self, name: str, **arguments: Any) -> ToolResult:
        """Make the last call once more, as a process does that takes the run over: with the steps that are stored."""
        executor = self.home.app.worker.answering.collaborators.loop._executor
        steps = await self.home.db.read(lambda tx: journal.steps(tx, self.lane, self.run.run_id))
        known = {step.n: step for step in steps}
        context = replace(self.run.context(Role.WORKER), tainted=self.tainted, steps=known)
        result = await executor.call(context, self.n, ToolCall(id=f"c{self.n}", name=name, arguments=arguments))
        await self.files.settle(self.lane.scope_id)
        return result

    async def end(self) -> None:
        """End the run, so that the chat can go on; its calls are no answers of a model, which it would replay."""
        await self.home.db.write(lanes.take_over)
        await self.home.db.write(lambda tx: tx.run("DELETE FROM step"))
        await self.home.work()

    async def gives(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, and return what it gives."""
        result = await self.call(name, **arguments)
        assert result.success, result.error
        found: dict[str, Any] = result.result
        return found

    async def fails(self, name: str, **arguments: Any) -> str:
        """Call a tool that refuses, and return what it says."""
        result = await self.call(name, **arguments)
        assert not result.success, result.result
        return result.error


async def at_work(
    database: Database, folder: Path, *, chat: str = "1", home: House | None = None, **options: Any
) -> Work:
    """A house, or one that is there, in whose chat something is to be done: `options` are of the one or the other."""
    message: dict[str, Any] = {} if chat == "1" else {"chat": chat, "sender": f"tg:{chat.lstrip('-')}"}
    if home is None:
        home = await house(database, folder, model=False, **options)
    else:
        message |= options
    await home.hear("do something", **message)
    run = await claimed(home, chat)
    return Work(home, run, folder / "folders" / str(run.lane.scope_id))
