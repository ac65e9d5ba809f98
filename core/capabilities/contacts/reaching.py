"""Who can be written to in private: also who never wrote, where the platform lets the bot begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.kernel.types import Sender
from core.toolkit.command import CommandRun


async def reachable(run: CommandRun, person: Mapping[str, Any]) -> bool:
    """Whether something for one of `find_people` can come: in a group always, else to their private chat."""
    return run.group or await in_private(run, person)


async def acquaint(run: CommandRun, names: Sequence[str]) -> None:
    """See that what is for these can come, as far as it is clear who they are and the platform lets the bot begin."""
    result = await run.call("find_people", names=list(names))
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
