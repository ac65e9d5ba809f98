"""Who can be written to in private: also who never wrote, where the platform lets the bot begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.capabilities.contacts.acquaintances import called
from core.capabilities.contacts.service import MOST
from core.kernel.types import Sender, ToolResult
from core.toolkit.command import CommandRun


async def reachable(run: CommandRun, person: Mapping[str, Any]) -> bool:
    """Whether something for one of `find_people` can come: in a group always, else to their private chat."""
    return run.group or await in_private(run, person)


async def know(run: CommandRun, names: Sequence[str]) -> bool:
    """Note in one's own book who has these names, of those with whom one shares a group or an invitation; whether there
    is anybody."""
    if run.group:
        return False
    lane, me = run.context.lane, run.context.principal.person_id
    if not run.replays("know_people") and not await run.context.db.read(lambda tx: called(tx, lane, me, names)):
        return False
    result = await run.call("know_people", names=list(names)[:MOST])
    return result.success and bool(result.result["known"])


async def find(run: CommandRun, names: Sequence[str]) -> ToolResult:
    """`find_people`, also among those with whom one shares a group or an invitation."""
    result = await run.call("find_people", names=list(names))
    if not result.success:
        return result
    missing = [name for name, some in zip(names, result.result["found"], strict=True) if not some]
    if not missing or not await know(run, missing):
        return result
    return await run.call("find_people", names=list(names))


async def acquaint(run: CommandRun, names: Sequence[str]) -> None:
    """See that what is for these can come, as far as it is clear who they are and the platform lets the bot begin."""
    result = await find(run, names)
    for some in result.result["found"] if result.success else ():
        if len(some) == 1:
            await reachable(run, some[0])


async def in_private(run: CommandRun, person: Mapping[str, Any]) -> bool:
    """Whether one of `find_people` or `show_contacts` has a private chat.

    Where they have none yet it is opened, if they have access; they see nothing of that.
    """
    if person["me"] or person["private"]:
        return True
    if run.replays("meet_person"):
        return await _met(run, Sender(address=""), "")
    address = next((one for one in person["addresses"] if ":@" not in one), "")
    found = await run.adapter.direct(run.context.participant.place, address) if run.adapter and address else None
    if found is None:
        return False
    return await _met(run, *found)


async def _met(run: CommandRun, sender: Sender, chat: str) -> bool:
    result = await run.call(
        "meet_person",
        address=sender.address,
        chat=chat,
        called=sender.name,
        language=sender.language,
        handle=sender.handle,
        kin=sender.kin,
        timezone=sender.timezone,
        unknown=sender.unknown,
    )
    return result.success and bool(result.result["met"])
