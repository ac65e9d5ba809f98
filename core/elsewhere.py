"""The groups whose items a private view shows: only where the platform says that the person is in them now."""

from __future__ import annotations

import asyncio
import contextlib

from core.ports import Adapter, Database
from core.store import today
from core.store.today import Group

MOST_GROUPS = 10
PATIENCE = 5.0  # seconds: what the platform does not say by then is not shown


async def groups(db: Database, adapter: Adapter, tenant_id: int, person_id: int, address: str) -> list[Group]:
    """The groups where somebody has something to do, and is: asked anew each time."""
    found = await db.read(lambda tx: today.groups(tx, tenant_id, person_id, MOST_GROUPS))
    inside = await asyncio.gather(*(_belongs(adapter, group, address) for group in found))
    return [group for group, belongs in zip(found, inside, strict=True) if belongs]


async def _belongs(adapter: Adapter, group: Group, address: str) -> bool:
    with contextlib.suppress(Exception):  # whatever goes wrong there hides the group
        async with asyncio.timeout(PATIENCE):
            return await adapter.belongs(group.place, address)
    return False
