"""To-dos of the other chats that a private chat shows, with where each is."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.todos import lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import Todo
from core.kernel.ports import Tx
from core.language.matching import matching
from core.store.people.groups import Group
from core.store.people.links import Linked
from core.toolkit import other_chats
from core.toolkit.command import CommandRun
from core.toolkit.other_chats import Source


def of_groups(
    tx: Tx, tenant_id: int, person_id: int, groups: Sequence[Group], platform: str = ""
) -> list[tuple[Source, Todo]]:
    """Return what is open of somebody in these groups, on their `platform` if that is another."""
    return [
        (Source(group=group.title, platform=platform), todo)
        for group in groups
        for todo in todos.mine_of(tx, tenant_id, group.scope_id, person_id)
    ]


def of_linked(tx: Tx, linked: Sequence[Linked]) -> list[tuple[Source, Todo]]:
    """Return what is open of those whom somebody is linked with, in their own chats and in their groups."""
    found = []
    for other in linked:
        found += [(Source(platform=other.platform), todo) for todo in todos.open_of(tx, other.lane)]
        found += of_groups(tx, other.lane.tenant_id, other.person_id, other.groups, other.platform)
    return found


async def shown(run: CommandRun) -> list[tuple[Source, Todo]]:
    """Return the open to-dos of other chats that a private chat shows."""
    others = await other_chats.of_run(run)
    if not others.groups and not others.linked:
        return []
    context = run.context
    tenant_id, me = context.lane.tenant_id, context.principal.person_id
    return await context.db.read(
        lambda tx: [*of_linked(tx, others.linked), *of_groups(tx, tenant_id, me, others.groups)]
    )


async def meant(run: CommandRun, words: str, on: str = "") -> list[tuple[Source, Todo]]:
    """Return those of them that words mean, on the list that the words `on` name or on any."""
    there = await shown(run)
    found = {todo.todo_id for todo in matching(words, lists.on_named([todo for _, todo in there], on))}
    return [(source, todo) for source, todo in there if todo.todo_id in found]
