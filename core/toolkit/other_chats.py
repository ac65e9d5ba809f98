"""The chats whose things somebody's private chat shows, too.

These are the groups that they are in, of which the platform is asked anew each time; and the chats of those they are
linked with, who are the same person on another platform, as long as these have access.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.kernel.access import Access, may
from core.kernel.markdown import platform_name, quoted
from core.kernel.ports import Database, PeopleDirectory, Tx
from core.kernel.types import Destination, Standing
from core.language import Language
from core.store.people import groups, links
from core.store.people.groups import Group
from core.store.people.links import Linked
from core.store.people.people import Participant
from core.toolkit.command import CommandRun

MOST_GROUPS = 10
PATIENCE = 5.0  # seconds: what the platform does not say by then is not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherChats:
    """The groups that somebody is in now and where something is theirs, and whom they are linked with; the groups that
    the bot is `gone` from, where what they made rests: nothing else of those is shown, since nobody says who is there.
    """

    groups: Sequence[Group] = ()
    gone: Sequence[Group] = ()
    linked: Sequence[Linked] = ()


NO_OTHERS = OtherChats()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an item is, for who reads it elsewhere: the title of a group and the platform of somebody linked, or
    either. Both are empty for this chat's own."""

    group: str = ""
    platform: str = ""


HERE = Source()


def named(source: Source, language: Language) -> str:
    """Return a group by its title and a platform by its name, as Markdown; empty for this chat."""
    parts = (quoted(source.group, language.quotes) if source.group else "", platform_name(source.platform))
    return " · ".join(filter(None, parts))


async def of_run(run: CommandRun) -> OtherChats:
    """Return the chats that the answer to a command may show: none in a group, where others would see it."""
    context = run.context
    if run.group:
        return NO_OTHERS
    return await find(context.db, run.adapters, context.access, context.lane.tenant_id, context.participant)


async def find(
    db: Database,
    adapters: Mapping[str, PeopleDirectory],
    access: Access,
    tenant_id: int,
    participant: Participant,
) -> OtherChats:
    """Return the chats that somebody's private chat shows. Groups of a platform that is not served are not among
    them."""
    me = participant.person
    known = await db.read(lambda tx: linked(tx, access, me.person_id))
    gone = await db.read(lambda tx: groups.gone_of_person(tx, tenant_id, me.person_id, MOST_GROUPS))
    own, *theirs = await asyncio.gather(
        _inside(db, adapters.get(participant.platform), tenant_id, me.person_id, me.address),
        *(_inside(db, adapters.get(one.platform), one.lane.tenant_id, one.person_id, one.address) for one in known),
    )
    return OtherChats(
        groups=own,
        gone=gone,
        linked=[replace(one, groups=their_groups) for one, their_groups in zip(known, theirs, strict=True)],
    )


async def _inside(
    db: Database, adapter: PeopleDirectory | None, tenant_id: int, person_id: int, address: str
) -> tuple[Group, ...]:
    """Return the groups where somebody has something to do, and is."""
    if adapter is None:
        return ()
    found = await db.read(lambda tx: groups.of_person(tx, tenant_id, person_id, MOST_GROUPS))
    present = await asyncio.gather(*(belongs(adapter, group.place, address) for group in found))
    return tuple(group for group, is_in in zip(found, present, strict=True) if is_in)


def linked(tx: Tx, access: Access, person_id: int) -> list[Linked]:
    """Return whom somebody is linked with and who has access themselves, without their groups."""
    found = links.of(tx, person_id)
    standings = [access.standing(other.address, other.standing, workspace=other.tenant) for other in found]
    return [other for other, standing in zip(found, standings, strict=True) if may(standing, Standing.MEMBER)]


async def inside(run: CommandRun, todo_id: int | None) -> frozenset[int]:
    """Return the scope of the group that has a to-do, if a private chat may change it: the person is in that group."""
    context, adapter = run.context, run.adapter
    if run.group or todo_id is None or adapter is None:
        return frozenset()
    group = await context.db.read(lambda tx: groups.of_todo(tx, context.lane.tenant_id, todo_id))
    if group is None or not await belongs(adapter, group.place, context.principal.address):
        return frozenset()
    return frozenset({group.scope_id})


async def belongs(adapter: PeopleDirectory, place: Destination, address: str, *, fresh: bool = False) -> bool:
    """Return whether somebody is in a chat now, as far as the platform says so; `fresh` as in `PeopleDirectory`."""
    with contextlib.suppress(Exception):  # whatever goes wrong there hides the group
        async with asyncio.timeout(PATIENCE):
            return await adapter.belongs(place, address, fresh=fresh)
    return False
