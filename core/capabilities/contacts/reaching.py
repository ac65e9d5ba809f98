"""Who can be written to in private: also who never wrote, where the platform lets the bot begin.

What is learnt here is committed at once, as a step of the run (`Actor.commit`), and not by the transaction that ends
it: names are looked up again afterwards, and a command may go on asking. After a crash whoever was noted or met is
found so, and noting them twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.contacts.acquaintances import called
from core.capabilities.contacts.actions import know_people, meet_person
from core.capabilities.contacts.service import MOST, Person, candidates
from core.kernel.errors import Refused
from core.toolkit.command import CommandRun

LONGEST_NAME = 80


async def find(run: CommandRun, names: Sequence[str]) -> Sequence[Sequence[Person]]:
    """Return for each name whom it may mean, also of those with whom one shares a group or an invitation.

    An id (c12ab34), an address or a handle (@anna) means one. Raises `Refused` for more than `MOST` names.
    """
    if len(names) > MOST:
        raise Refused("invalid")
    people = await _candidates(run, names)
    missing = [name for name, some in zip(names, people, strict=True) if not some]
    return await _candidates(run, names) if missing and await know(run, missing) else people


async def _candidates(run: CommandRun, names: Sequence[str]) -> Sequence[Sequence[Person]]:
    return await run.context.db.read(lambda tx: [candidates(tx, run.context, name[:LONGEST_NAME]) for name in names])


async def know(run: CommandRun, names: Sequence[str]) -> bool:
    """Note in one's own book who has these names, of those with whom one shares a group or an invitation; return
    whether there is anybody."""
    if run.group:
        return False
    lane, me = run.context.lane, run.context.principal.person_id
    if not await run.context.db.read(lambda tx: called(tx, lane, me, names)):
        return False
    return bool((await run.actor.commit(know_people, names=list(names)[:MOST])).known)


async def reachable(run: CommandRun, person: Person) -> bool:
    """Return whether something for somebody can come: in a group always, else to their private chat."""
    return run.group or await in_private(run, person)


async def acquaint(run: CommandRun, names: Sequence[str]) -> None:
    """See that what is for these can come, as far as it is clear who they are and the platform lets the bot begin."""
    for people in await find(run, names) if len(names) <= MOST else ():
        if len(people) == 1:
            await reachable(run, people[0])


async def in_private(run: CommandRun, person: Person) -> bool:
    """Return whether somebody has a private chat.

    Where they have none yet it is opened, if they have access; they see nothing of that.
    """
    if person.me or person.private:
        return True
    address = next((address for address in person.addresses if ":@" not in address), "")
    opened = await run.adapter.direct(run.context.participant.place, address) if run.adapter and address else None
    if opened is None:
        return False
    sender, chat = opened
    return (await run.actor.commit(meet_person, sender=sender, chat=chat)).met
