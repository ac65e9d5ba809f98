"""Whom something is for: names as people write them, turned into contacts of the scope (TOOLS: Schedule, Contacts)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core import ids
from core.errors import ToolError
from core.ports import Tx
from core.store import contacts, errands
from core.store.contacts import Contact
from core.toolkit.tool import ToolContext
from core.types import Sender

HANDLE = re.compile(r"@\w{2,64}")
MOST = 10


def candidates(tx: Tx, context: ToolContext, name: str) -> list[dict[str, Any]]:
    """Whom a name may mean here: id, name, zone (empty when unknown), whether they can be reached in private, and
    whether it is the principal.
    """
    shown = []
    for contact in contacts.named(tx, context.lane, name)[:MOST]:
        reach = contacts.reach(tx, context.lane, contact.contact_id)
        if reach is None:
            continue
        shown.append({
            "contact": ids.ref("c", contact.contact_id),
            "name": reach.name,
            "zone": reach.zone,
            "private": reach.lane is not None,
            "me": _is_me(context, contact),
        })
    return shown


def resolve(tx: Tx, context: ToolContext, tool: str, names: Sequence[str]) -> list[int]:
    """The contacts that are meant; nobody when that is the principal alone.

    In a group a handle that nobody has written under yet is noted. Raises `ToolError` for whom nobody knows, who cannot
    be told from others, or who cannot be reached.
    """
    found = [_one(tx, context, tool, name.strip()) for name in names]
    if len(found) > MOST:
        raise ToolError(tool, f"at most {MOST} people at once")
    if all(_is_me(context, one) for one in found):
        return []
    for one in found:
        _check(tx, context, tool, one)
    return [one.contact_id for one in found]


def _one(tx: Tx, context: ToolContext, tool: str, name: str) -> Contact:
    found = contacts.named(tx, context.lane, name)
    if not found and context.seat.group and HANDLE.fullmatch(name):
        found = _note(tx, context, name.lower())
    if not found:
        raise ToolError(tool, f"nobody here is called {name[:60]!r}; contacts_list shows who is known")
    if len(found) > 1:
        shown = ", ".join(f"{ids.ref('c', one.contact_id)} {one.nickname[:40]}" for one in found[:MOST])
        raise ToolError(tool, f"{name[:60]!r} may be one of several, so use an id: {shown}")
    return found[0]


def _note(tx: Tx, context: ToolContext, handle: str) -> list[Contact]:
    platform = context.principal.address.partition(":")[0]
    sender = Sender(address=f"{platform}:{handle}", name=handle, handle=handle)
    noted = contacts.find(tx, context.lane, contacts.learn(tx, context.lane, None, sender, context.clock.now()))
    return [] if noted is None else [noted]


def _check(tx: Tx, context: ToolContext, tool: str, contact: Contact) -> None:
    if _is_me(context, contact):
        return
    reach = contacts.reach(tx, context.lane, contact.contact_id)
    if reach is None or (reach.lane is None and not context.seat.group):
        raise ToolError(tool, f"{contact.nickname[:40]!r} has never talked to me in private, so I cannot reach them")
    if reach.person_id is None:
        return
    me, now = context.principal.person_id, context.clock.now()
    refusal = errands.refusal(tx, context.lane.tenant_id, me, reach.person_id, now)
    if refusal:
        raise ToolError(tool, f"{ids.ref('c', contact.contact_id)} cannot be reminded now (reason={refusal})")


def _is_me(context: ToolContext, contact: Contact) -> bool:
    return contact.person_id == context.principal.person_id
