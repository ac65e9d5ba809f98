"""Help for tests of work in the background: what is delegated, and working on it without an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.capabilities.tasks.worker import TaskWorker
from core.kernel.types import Answer, ModelRequest, Role, ToolCall
from core.store.conversation import tasks
from tests.fakes import House

# What a model of a role says, from its requests.
WORKING = (Role.PLANNER, Role.WORKER)
Says = Callable[[ModelRequest], Answer | str]


def call(tool: str, /, **arguments: Any) -> ToolCall:
    """A call of a tool."""
    return ToolCall(id=f"{tool}_{abs(hash(str(arguments)))}", name=tool, arguments=arguments)


def calling(*calls: ToolCall, text: str = "") -> Answer:
    """An answer with calls."""
    return Answer(text=text, calls=calls)


def scripted(**roles: list[Answer | str | BaseException | Says]) -> Callable[[ModelRequest], Any]:
    """A model that gives the answers of each role in their order."""
    left = {Role(name): list(answers) for name, answers in roles.items()}

    def answer(request: ModelRequest) -> Any:
        found = left[request.role].pop(0)
        return found(request) if callable(found) else found

    return answer


async def background(home: House, rounds: int = 40) -> None:
    """Do what is due: in lanes, on tasks, and what is to be sent; until nothing is."""
    worker = home.app.container.get(TaskWorker)
    for _ in range(rounds):
        await home.work()
        now = home.clock.now()
        stopped = await home.db.read(tasks.marked)
        for number in stopped:
            await worker.stop(number)
        due = [role for role in WORKING if await _queued(home, role, now)]
        if not (due or stopped):
            return
        for role in due:
            await worker.serve(role)
    raise AssertionError("there is always a task to work on")


async def _queued(home: House, role: Role, now: int) -> list[int]:
    return await home.db.read(lambda tx: tasks.queued(tx, role, now, 1))


def told(request: ModelRequest, tool: str = "") -> str:
    """The last message of a request."""
    return str(request.messages[-1]["content"])


async def task_rows(home: House) -> list[Mapping[str, Any]]:
    """All tasks, the oldest first."""
    return await home.rows("SELECT * FROM task ORDER BY id")
