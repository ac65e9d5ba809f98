"""How somebody who is linked is named and told, and how a link ends. What changes is in the ledgers of both tenants."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.delivery.notifier import Notifier
from core.kernel.access import may
from core.kernel.markdown import called, coded, labelled, platform_name, quoted
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import Standing
from core.store.people import links
from core.store.people.links import Account
from core.toolkit.acting_as import hold, witness
from core.toolkit.tool import ToolContext


def has_access(context: ToolContext, one: Account) -> bool:
    """Return whether somebody may talk to the bot in private now, where it still is."""
    standing = context.access.standing(one.address, one.standing, workspace=one.tenant)
    return not one.gone and may(standing, Standing.MEMBER)


def shown(one: Account) -> dict[str, str]:
    """Return an account as texts name it, in Markdown: its name, its platform, what it is there; `label` is for
    buttons."""
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
    offers: Sequence[Offer] = (),
) -> None:
    """Tell somebody, where they talk to the bot and it is served, what concerns their link with another account."""
    if to.lane is not None and has_access(context, to):
        notifier = context.services.get(Notifier)
        notifier.tell(tx, to.lane, to.person_id, f"{key}:{to.person_id}", text, offers, foreign=False, **shown(about))


def unlink(tx: Tx, context: ToolContext, one: Account, other: Account, tool: str, held: Collection[int]) -> bool:
    """End a link; everybody but the principal is told. False when there was none.

    `held` are the tenants that are held. Somebody of another one was linked while these were waited for: that ends,
    too, but their ledger cannot be written any more.
    """
    if not links.unlink(tx, one.person_id, other.person_id):
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
    return sum(unlink(tx, context, one, links.account(tx, other), tool, held) for other in links.others(tx, person_id))
