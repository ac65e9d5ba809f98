"""Whom something is for: names as people write them, turned into contacts of the scope (TOOLS: Schedule, Contacts)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts.repository import Contact, Reach
from core.capabilities.messages import repository as errands
from core.capabilities.messages.repository import Refusal
from core.kernel import ids
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Schedule
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import is_zone
from core.kernel.types import Millis, Sender
from core.language.grammar import ME
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.toolkit.tool import ToolContext

HANDLE = re.compile(r"@\w{2,64}")
MOST = 10


def candidates(tx: Tx, context: ToolContext, called: str) -> list[dict[str, Any]]:
    """Whom a name may mean here: id, name, addresses, zone (empty when unknown), whether something for them can be set
    here, and whether it is the principal.
    """
    shown = []
    for contact in _named(tx, context, called)[:MOST]:
        reach = contacts.reach(tx, context.lane, contact.contact_id)
        if reach is None:
            continue
        name, zone = _told(tx, context, contact)
        shown.append({
            "contact": ids.ref("c", contact.contact_id),
            "name": name,
            "addresses": list(contact.addresses),
            "zone": zone,
            "private": reach.lane is not None,
            "me": _is_me(context, contact),
        })
    return shown


def seen(tx: Tx, context: ToolContext, contact: Contact) -> Reach | None:
    """How a contact is reached, for the eyes of the principal: None unless they have met here or in a group.

    The zone that somebody has chosen, and that they use the bot at all, is not for whoever guesses an id.
    """
    reach, me = contacts.reach(tx, context.lane, contact.contact_id), context.principal.person_id
    if reach is None or reach.person_id is None:
        return None
    met = _is_me(context, contact) or contacts.acquainted(tx, context.lane, me, reach.person_id)
    return reach if met else None


def names(tx: Tx, context: ToolContext, numbers: Sequence[int], maker_id: int) -> dict[str, Any]:
    """Whom something is for that `maker_id` made: their names, and the zone of the only one, when that is another."""
    found = [one for number in numbers if (one := contacts.find(tx, context.lane, number)) is not None]
    alone = len(found) == 1 and found[0].person_id != maker_id
    told = [_told(tx, context, one) for one in found]
    return {"names": [name for name, _ in told], "zone": told[0][1] if alone else ""}


def _told(tx: Tx, context: ToolContext, contact: Contact) -> tuple[str, str]:
    """Name and zone of somebody, as far as the principal may know them."""
    told = seen(tx, context, contact)
    name, zone = (contact.name, contact.timezone) if told is None else (told.name, told.zone)
    return name, zone if is_zone(zone) else ""


def resolve(tx: Tx, context: ToolContext, tool: str, names: Sequence[str], schedule: Schedule) -> list[int]:
    """The contacts that are meant; nobody when that is the principal alone.

    In a group a handle that nobody has written under yet is noted. Raises `ToolError` for whom nobody knows, who cannot
    be told from others, who cannot be reached, or who has enough of what comes by `schedule`.
    """
    found = [_one(tx, context, tool, name.strip()) for name in names]
    if len(found) > MOST:
        raise ToolError(tool, f"at most {MOST} people at once")
    if all(_is_me(context, one) for one in found):
        return []
    at = scheduling.first_at(tool, context, schedule)
    for one in found:
        _check(tx, context, tool, one, at)
    return [one.contact_id for one in found]


def _named(tx: Tx, context: ToolContext, name: str) -> list[Contact]:
    """The contacts a name may mean; `ME` is who asks, among others: "Bob and me"."""
    me = contacts.of_person(tx, context.lane, context.principal.person_id) if name == ME else None
    return contacts.named(tx, context.lane, name) if me is None else [me]


def _one(tx: Tx, context: ToolContext, tool: str, name: str) -> Contact:
    found = _named(tx, context, name)
    if not found and context.participant.group and HANDLE.fullmatch(name):
        found = note(tx, context, name)
    if not found:
        raise ToolError(tool, f"nobody here is called {name[:60]!r}; contacts_list shows who is known")
    if len(found) > 1:
        shown = ", ".join(f"{ids.ref('c', one.contact_id)} {one.nickname[:40]}" for one in found[:MOST])
        raise ToolError(tool, f"{name[:60]!r} may be one of several, so use an id: {shown}")
    return found[0]


def notable(tx: Tx, context: ToolContext, name: str) -> bool:
    """Whether a handle can be noted as a contact of this chat."""
    handle = context.participant.group and HANDLE.fullmatch(name)
    return bool(handle) and contacts.welcome(tx, context.lane, _sender(context, name))


def _sender(context: ToolContext, name: str) -> Sender:
    platform, handle = context.principal.address.partition(":")[0], name.lower()
    return Sender(address=f"{platform}:{handle}", name=handle, handle=handle)


def note(tx: Tx, context: ToolContext, name: str) -> list[Contact]:
    """Note whom a handle names as a contact; nobody when they want to be left alone here."""
    sender = _sender(context, name)
    noted = contacts.find(tx, context.lane, contacts.learn(tx, context.lane, None, sender, context.clock.now()))
    return [] if noted is None else [noted]


def _check(tx: Tx, context: ToolContext, tool: str, contact: Contact, at: Millis) -> None:
    if _is_me(context, contact):
        return
    reach = contacts.reach(tx, context.lane, contact.contact_id)
    if reach is None or (reach.lane is None and not context.participant.group):
        raise ToolError(tool, f"{contact.nickname[:40]!r} has never talked to me in private, so I cannot reach them")
    if reach.person_id is None:
        return
    me, to = context.principal.person_id, (reach.person_id, contact.contact_id)
    refusal = errands.refusal_at(tx, context.lane.tenant_id, me, to, at)
    if refusal is not None:
        raise _refused(context, tool, contact.contact_id, refusal)


def check_room(tx: Tx, context: ToolContext, tool: str, trigger: Trigger, at: Millis) -> None:
    """Raise `ToolError` where others whom a trigger is for have no room for it at another time."""
    for number in triggers.contacts(tx, trigger.trigger_id):
        reach = contacts.reach(tx, trigger.lane, number)
        if reach is None or reach.person_id in {None, trigger.person_id}:
            continue
        to = (reach.person_id or 0, number)
        tenant_id, maker = trigger.lane.tenant_id, trigger.person_id
        refusal = errands.refusal_at(tx, tenant_id, maker, to, at, but=trigger.trigger_id)
        if refusal is not None:
            raise _refused(context, tool, number, refusal)


def _refused(context: ToolContext, tool: str, contact_id: int, refusal: Refusal) -> ToolError:
    return ToolError(tool, f"{ids.ref('c', contact_id)} cannot be reminded then ({reason(context, refusal)})")


def reason(context: ToolContext, refusal: Refusal) -> str:
    """Why a message may not go, as an error tells it."""
    if not refusal.most:
        return f"reason={refusal.reason}"
    until = scheduling.moment(refusal.until, context.zone)
    return f"reason={refusal.reason}; most={refusal.most}; until={until}"


def _is_me(context: ToolContext, contact: Contact) -> bool:
    return contact.person_id == context.principal.person_id
