"""Help for tests of work in the background: what is delegated, and working on it without an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.capabilities.tasks import service
from core.capabilities.tasks.display import TaskDisplay
from core.capabilities.tasks.worker import TaskWorker
from core.kernel.ports import Tx
from core.kernel.types import Answer, LaneKey, ModelRequest, Role, ToolCall
from core.store.conversation import shown_tasks, tasks
from core.store.conversation.tasks import Task, TaskState
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


async def task_rows(home: House) -> list[dict[str, Any]]:
    """All tasks, the oldest first."""
    return await home.rows("SELECT * FROM task ORDER BY id")


async def looked(home: House) -> None:
    """Look at every task that people may see something of, as the sweep has it done, and send what came of it."""
    display = home.app.container.get(TaskDisplay)
    for task in await home.db.read(lambda tx: shown_tasks.visible(tx, 0)):
        await display.show(task.task_id)
    await home.send()


async def at_work(home: House, prompt: str = "compare the offers", *, chat: str = "1", **values: Any) -> Task:
    """Make a task of the one who spoke last in a chat, as if it was being worked on; `values` are columns of it."""
    (row,) = await home.rows(
        "SELECT l.id AS lane_id, l.scope_id, l.chat_id, i.person_id, i.run_id FROM inbox i"
        " JOIN lane l ON l.id = i.lane_id JOIN chat c ON c.id = l.chat_id WHERE c.external_id = :chat"
        " ORDER BY i.id DESC LIMIT 1",
        chat=chat,
    )
    person_id, made_in = row.pop("person_id"), row.pop("run_id")
    parent_id = values.pop("parent_id", None)
    columns = {"state": "running", "owner": "somebody", "started_at": home.clock.now(), **values}

    def add(tx: Tx) -> Task:
        task = Task(
            lane=LaneKey(tenant_id=home.tenant_id, **row),
            person_id=person_id,
            role=Role.PLANNER if parent_id is None else Role.WORKER,
            prompt=prompt,
            source_key=f"test:{next(home.keys)}",
            trace_id="trace",
            created_at=home.clock.now(),
            parent_id=parent_id,
            made_in=made_in if parent_id is None else None,
        )
        number = tasks.insert(tx, task)
        assert number is not None
        changed = ", ".join(f"{name} = :{name}" for name in columns)
        tx.run(f"UPDATE task SET {changed} WHERE id = :id", {"id": number, **columns})
        found = tasks.by_number(tx, number)
        assert found is not None
        return found

    return await home.db.write(add)


async def becomes(home: House, task: Task, **columns: Any) -> None:
    """Let rows of a task say something else."""
    changed = ", ".join(f"{name} = :{name}" for name in columns)
    await home.db.write(lambda tx: tx.run(f"UPDATE task SET {changed} WHERE id = :id", {"id": task.task_id, **columns}))


async def ends(home: House, task: Task, state: TaskState = TaskState.DONE, outcome: str = "B is best.") -> None:
    """End a task as its worker does."""
    services = home.app.container

    def end(tx: Tx) -> None:
        found = tasks.by_number(tx, task.task_id)
        assert found is not None
        service.end(tx, services, found, state, outcome=outcome)

    await home.db.write(end)
