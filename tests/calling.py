"""Help for tests of tools: calls in a run that is still open."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from core.kernel.types import LaneKey, Role, ToolCall, ToolResult
from core.pipeline.runs.run_context import RunContext
from core.toolkit.action import Action
from tests.fakes import House, claim_lane

Ask = Callable[..., Awaitable[ToolResult]]


async def caller(home: House, chat: str = "1", role: Role = Role.TELLER) -> tuple[Ask, LaneKey]:
    """Calls tools for whoever was not answered yet in a chat, as `role` unless told otherwise; and the lane of that."""
    run = await claimed(home, chat)
    return calls_of(home, run, role), run.lane


async def claimed(home: House, chat: str = "1") -> RunContext:
    """Return the run of whoever was not answered yet in a chat."""
    (lane_id,) = await home.column(
        "SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.external_id = :chat", chat=chat
    )
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert run is not None
    return run


def calls_of(home: House, run: RunContext, usual: Role = Role.TELLER) -> Ask:
    """Call tools in a run, as `usual` unless told otherwise."""
    steps = iter(range(1, 300))

    async def call(name: str, role: Role = usual, **arguments: Any) -> ToolResult:
        executor = home.app.worker.answering.collaborators.loop._executor
        return await executor.call(run.context(role), next(steps), ToolCall(id="c", name=name, arguments=arguments))

    return call


Act = Callable[..., Awaitable[Any]]


def acts_of(home: House, run: RunContext) -> Act:
    """Do actions as the person of a run, each in a transaction of its own."""

    async def act(action: Action[..., Any], **arguments: Any) -> Any:
        return await home.db.write(lambda tx: action(tx, run.context(Role.PERSON), **arguments))

    return act


async def last_undo(home: House) -> tuple[str, dict[str, Any]]:
    """Return the tool, with its arguments, that takes the last change back."""
    [tool] = await home.column("SELECT tool FROM undo ORDER BY id DESC LIMIT 1")
    [arguments] = await home.column("SELECT arguments FROM undo ORDER BY id DESC LIMIT 1")
    return tool, json.loads(arguments)
