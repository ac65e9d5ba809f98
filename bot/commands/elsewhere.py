"""What a private chat shows of groups: only where the platform says that the person is in them now."""

from __future__ import annotations

from bot.commands.run import CommandRun
from core import elsewhere
from core.store.today import Group


async def groups(run: CommandRun) -> list[Group]:
    """The groups where the person has something to do, and is: asked anew each time. Nothing in a group."""
    context = run.context
    if run.adapter is None or run.group:
        return []
    person_id, address = context.principal.person_id, context.principal.address
    return await elsewhere.groups(context.db, run.adapter, context.lane.tenant_id, person_id, address)
