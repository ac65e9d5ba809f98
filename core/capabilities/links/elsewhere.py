"""What a private chat shows of elsewhere: of groups, only where the platform says that the person is in them now, and
of those whom the person is linked with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.capabilities.links import visibility
from core.capabilities.today.service import Group, Linked, Source, of_groups, of_linked
from core.capabilities.todos.repository import Todo
from core.kernel import ids
from core.kernel.ports import Tx
from core.kernel.types import ToolResult
from core.language.matching import matching
from core.toolkit.command import CommandRun


async def groups(run: CommandRun) -> list[Group]:
    """The groups where the person has something to do, and is: asked anew each time. Nothing in a group."""
    context = run.context
    if run.adapter is None or run.group:
        return []
    person_id, address = context.principal.person_id, context.principal.address
    return await visibility.groups(context.db, run.adapter, context.lane.tenant_id, person_id, address)


async def call(run: CommandRun, name: str, **arguments: Any) -> ToolResult:
    """Call a tool for what a `todo_id` names: in a private chat, where that is unknown, in its group if the person is
    in that. With `undoing` as `CommandRun.call`."""
    result = await run.call(name, **arguments)
    todo_id = ids.number("t", str(arguments.get("todo_id", ""))[:40])
    if run.group or todo_id is None or not result.success or result.result.get("status") != "unknown":
        return result
    if not run.replays(name):
        run.inside = await _having(run, todo_id)
    return await run.call(name, **arguments) if run.inside or run.replays(name) else result


async def inside(run: CommandRun, todo_id: int | None) -> frozenset[int]:
    """Return the scope of the group that has a to-do, if a private chat may change it: the person is in that group."""
    return frozenset() if run.group or todo_id is None else await _having(run, todo_id)


async def _having(run: CommandRun, todo_id: int) -> frozenset[int]:
    if run.adapter is None:
        return frozenset()
    context = run.context
    tenant_id, address = context.lane.tenant_id, context.principal.address
    return await visibility.having(context.db, run.adapter, tenant_id, todo_id, address)


async def shown(run: CommandRun) -> list[tuple[Source, Todo]]:
    """The open to-dos elsewhere that a private chat shows: in the person's groups, and of those whom they are linked
    with, in their own chats and groups."""
    inside, others = await groups(run), await linked(run)
    if not inside and not others:
        return []
    context = run.context
    tenant_id, me = context.lane.tenant_id, context.principal.person_id

    def look(tx: Tx) -> list[tuple[Source, Todo]]:
        return [*of_linked(tx, others), *of_groups(tx, tenant_id, me, inside)]

    return await context.db.read(look)


async def meant(run: CommandRun, words: str) -> list[tuple[Source, Todo]]:
    """What words mean of these."""
    there = await shown(run)
    found = {one.todo_id for one in matching(words, [todo for _, todo in there])}
    return [(source, todo) for source, todo in there if todo.todo_id in found]


async def linked(run: CommandRun) -> Sequence[Linked]:
    """Whom the person is linked with, with their groups. Nobody in a group."""
    if run.group:
        return []
    context = run.context
    return await visibility.beyond(context.db, run.adapters, context.access, context.principal.person_id)
