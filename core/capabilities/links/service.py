"""People who are linked: whose item an id means, and how a link ends. What changes is in the ledgers of both tenants.

What somebody linked has in their own chat may be looked at, done, put off and stopped by its id from the private chat
of who they are linked with: by that person only, never by a model, and never in a group. To-dos of groups that somebody
is in are done by their ids from their private chat in the same way, as they would do them there. In a group one's own
reminders of one's private chat are changed by their ids where nobody else sees the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from core.capabilities.links import repository as links
from core.capabilities.links import visibility
from core.capabilities.links.repository import Account
from core.capabilities.today.service import Linked
from core.capabilities.today.views import platform_name
from core.capabilities.todos import repository as todos
from core.delivery.notifier import Notifier
from core.kernel import ids
from core.kernel.access import may
from core.kernel.markdown import called, coded, labelled, quoted
from core.kernel.ports import Tx
from core.kernel.types import Json, LaneKey, Role, Standing
from core.scheduling import repository as triggers
from core.scheduling.repository import Deliver
from core.store.people import people
from core.store.people.standing import here
from core.toolkit.ledger.ledger import Ledger, Record
from core.toolkit.own_chat import own_chat
from core.toolkit.tool import ToolContext


def behind(tx: Tx, context: ToolContext, shown_id: str, tool: str = "") -> ToolContext:
    """The context in which there is something with this id (`t…` or `s…`): that of somebody linked when it is theirs,
    that of a group that the principal is `inside` when it has such a to-do, else the principal's own. In a group it is
    that of their private chat, where only they see the answer and it is a reminder there.

    A `tool` that changes it is named: then what it does stands in the ledger of its tenant, too.
    """
    if context.role is not Role.PERSON:
        return context
    if context.participant.group:
        return _reminding_apart(tx, context, shown_id)
    for one in visibility.linked(tx, context.access, context.principal.person_id):
        if _has(tx, one.lane, shown_id):
            if tool:
                hold(tx, context.lane.tenant_id, one.lane.tenant_id)
                witness(tx, context, one.person_id, one.lane, tool, {"id": shown_id.strip().lower()})
            return _at(tx, context, one)
    return _within(tx, context, shown_id) if context.inside else context


def _reminding_apart(tx: Tx, context: ToolContext, shown_id: str) -> ToolContext:
    own, number = own_chat(tx, context), ids.number("s", shown_id[:40])
    found = None if own is None or number is None else triggers.find(tx, own.lane, number)
    return own if own is not None and found is not None and found.deliver == Deliver.MESSAGE else context


def _within(tx: Tx, context: ToolContext, shown_id: str) -> ToolContext:
    """The principal as what they are in the group that has this to-do; what is taken back is noted here."""
    todo = ids.number("t", shown_id[:40])
    for scope_id in sorted(context.inside) if todo is not None else ():
        found = todos.find(tx, replace(context.lane, scope_id=scope_id), todo or 0)
        participant = None if found is None else people.participant(tx, found.lane, context.principal.person_id)
        standing = Standing.STRANGER if participant is None else here(context.access, participant)
        if found is not None and participant is not None and may(standing, Standing.GUEST):
            lease = replace(context.lease, lane=found.lane)
            asker = (context.lane, context.principal.person_id)
            return replace(
                context,
                lease=lease,
                principal=participant.person,
                participant=participant,
                standing=standing,
                asker=asker,
            )
    return context


def _has(tx: Tx, lane: LaneKey, shown_id: str) -> bool:
    todo, trigger = ids.number("t", shown_id[:40]), ids.number("s", shown_id[:40])
    if todo is not None and todos.find(tx, lane, todo) is not None:
        return True
    return trigger is not None and triggers.find(tx, lane, trigger) is not None


def _at(tx: Tx, context: ToolContext, one: Linked) -> ToolContext:
    """The principal as who they are there; what is taken back is noted here."""
    participant = people.participant(tx, one.lane, one.person_id)
    return replace(
        context,
        lease=replace(context.lease, lane=one.lane),
        principal=participant.person,
        participant=participant,
        standing=context.access.standing(
            participant.person.address, participant.standing, workspace=participant.place.tenant
        ),
        asker=(context.lane, context.principal.person_id),
    )


def hold(tx: Tx, *tenants: int) -> frozenset[int]:
    """Let nobody else change links of these tenants, nor write into their ledgers; returns them."""
    held = frozenset(tenants)
    tx.lock(*(("ledger_head", tenant_id) for tenant_id in sorted(held)))
    return held


def witness(tx: Tx, context: ToolContext, person_id: int, lane: LaneKey, tool: str, result: Mapping[str, Json]) -> None:
    """Write into the ledger of somebody's tenant what was done to them, or as them, from another one."""
    if lane.tenant_id == context.lane.tenant_id:
        return
    record = Record(
        lane=lane,
        run_id=context.run_id,
        trace_id=context.trace_id,
        person_id=person_id,
        role=context.role.value,
        tool=tool,
        at=context.clock.now(),
        arguments={},
        result=result,
    )
    context.services.get(Ledger).append(tx, record)


def has_access(context: ToolContext, one: Account) -> bool:
    """Whether somebody may talk to the bot in private now, where it still is."""
    standing = context.access.standing(one.address, one.standing, workspace=one.tenant)
    return not one.gone and may(standing, Standing.MEMBER)


def shown(one: Account) -> dict[str, str]:
    """An account as texts name it, in Markdown: its name, its platform, what it is there; `label` is for buttons."""
    parts = [quoted(one.workspace)] if one.workspace.strip() else []
    return {
        "name": called(one.name, one.address),
        "platform": platform_name(one.platform),
        "account": ", ".join([*parts, coded(one.address)]),
        "label": labelled(one.name, one.address),
    }


def tell(
    tx: Tx,
    context: ToolContext,
    to: Account,
    about: Account,
    *,
    key: str,
    text: str,
    offers: Sequence[tuple[str, str]] = (),
) -> None:
    """Tell somebody, where they talk to the bot and it is served, what concerns their link with another account."""
    if to.lane is not None and has_access(context, to):
        notifier = context.services.get(Notifier)
        notifier.tell(tx, to.lane, to.person_id, f"{key}:{to.person_id}", text, offers, **shown(about))


def part(tx: Tx, context: ToolContext, one: Account, other: Account, tool: str, held: Collection[int]) -> bool:
    """End a link; everybody but the principal is told. False when there was none.

    `held` are the tenants that are held. Somebody of another one was linked while these were waited for: that ends,
    too, but their ledger cannot be written any more.
    """
    if not links.part(tx, one.person_id, other.person_id):
        return False
    key = f"unlinked:{context.run_id}:{min(one.person_id, other.person_id)}:{max(one.person_id, other.person_id)}"
    for to, about in ((one, other), (other, one)):
        if to.person_id != context.principal.person_id:
            tell(tx, context, to, about, key=key, text="link_ended")
            if to.lane is not None and to.tenant_id in held:
                witness(tx, context, to.person_id, to.lane, tool, {"status": "ended"})
    return True


def leave(tx: Tx, context: ToolContext, tenant_id: int, person_id: int, tool: str) -> int:
    """End all links of somebody, and the codes they were given or have written; returns how many links there were."""
    held = hold(tx, tenant_id, *links.tenants(tx, links.others(tx, person_id)))
    links.drop_codes(tx, tenant_id, person_id)
    links.end_asked(tx, person_id, context.clock.now())
    one = links.account(tx, person_id)
    return sum(part(tx, context, one, links.account(tx, other), tool, held) for other in links.others(tx, person_id))
