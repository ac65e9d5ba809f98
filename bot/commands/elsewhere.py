"""What a private chat shows of elsewhere: of groups, only where the platform says that the person is in them now, and
of those whom the person is linked with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.commands.run import CommandRun
from core import elsewhere
from core.ports import Tx
from core.store.today import Group, Linked, Source, of_groups, of_linked
from core.store.todos import Todo
from core.toolkit.matching import matching
from core.types import ToolResult


async def groups(run: CommandRun) -> list[Group]:
    """The groups where the person has something to do, and is: asked anew each time. Nothing in a group."""
    context = run.context
    if run.adapter is None or run.group:
        return []
    person_id, address = context.principal.person_id, context.principal.address
    return await elsewhere.groups(context.db, run.adapter, context.lane.tenant_id, person_id, address)


async def call(run: CommandRun, name: str, **arguments: Any) -> ToolResult:
    """Call a tool for what an id names: in a private chat, where that is unknown, of the groups that the person is
    in."""
    result = await run.call(name, **arguments)
    if run.group or not result.success or result.result.get("status") != "unknown":
        return result
    run.inside = frozenset(one.scope_id for one in await groups(run))
    return await run.call(name, **arguments) if run.inside else result


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
    return await elsewhere.beyond(context.db, run.adapters, context.access, context.principal.person_id)
