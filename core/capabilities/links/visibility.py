"""What a private view shows of elsewhere: of groups, only where the platform says that the person is in them now; and
of those whom the person is linked with, only while these have access.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.capabilities.links import repository as links
from core.capabilities.today import service as today
from core.capabilities.today.service import Group, Linked
from core.kernel.access import Access, may
from core.kernel.ports import Database, PeopleDirectory, Tx
from core.kernel.types import Standing

MOST_GROUPS = 10
PATIENCE = 5.0  # seconds: what the platform does not say by then is not shown


async def groups(db: Database, adapter: PeopleDirectory, tenant_id: int, person_id: int, address: str) -> list[Group]:
    """The groups where somebody has something to do, and is: asked anew each time."""
    found = await db.read(lambda tx: today.groups(tx, tenant_id, person_id, MOST_GROUPS))
    inside = await asyncio.gather(*(_belongs(adapter, group, address) for group in found))
    return [group for group, belongs in zip(found, inside, strict=True) if belongs]


async def having(db: Database, adapter: PeopleDirectory, tenant_id: int, todo_id: int, address: str) -> frozenset[int]:
    """The scope of the group that has a to-do, if somebody is in it now; else none."""
    group = await db.read(lambda tx: today.group_of(tx, tenant_id, todo_id))
    inside = group is not None and await _belongs(adapter, group, address)
    return frozenset({group.scope_id}) if group is not None and inside else frozenset()


def linked(tx: Tx, access: Access, person_id: int) -> list[Linked]:
    """Whom somebody is linked with and who has access themselves; without their groups."""
    found = links.of(tx, person_id)
    standings = [access.standing(one.address, one.standing, workspace=one.tenant) for one in found]
    return [one for one, standing in zip(found, standings, strict=True) if may(standing, Standing.MEMBER)]


async def beyond(
    db: Database, adapters: Mapping[str, PeopleDirectory], access: Access, person_id: int
) -> Sequence[Linked]:
    """The same, with the groups that they are in. Where their platform is not served here those are not shown."""
    found = await db.read(lambda tx: linked(tx, access, person_id))
    theirs = await asyncio.gather(*(_groups_of(db, adapters.get(one.platform), one) for one in found))
    return [replace(one, groups=tuple(groups)) for one, groups in zip(found, theirs, strict=True)]


async def _groups_of(db: Database, adapter: PeopleDirectory | None, one: Linked) -> Sequence[Group]:
    if adapter is None:
        return ()
    return await groups(db, adapter, one.lane.tenant_id, one.person_id, one.address)


async def _belongs(adapter: PeopleDirectory, group: Group, address: str) -> bool:
    with contextlib.suppress(Exception):  # whatever goes wrong there hides the group
        async with asyncio.timeout(PATIENCE):
            return await adapter.belongs(group.place, address)
    return False
