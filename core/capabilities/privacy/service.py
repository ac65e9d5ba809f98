"""What is kept of somebody, and to be left alone in a group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.capabilities.privacy import erasure, repository
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.store.conversation import inbox
from core.toolkit.action import action
from core.toolkit.keeping import Keeps, Whose
from core.toolkit.services import OpenQuestions
from core.toolkit.tool import ToolContext


@dataclass(frozen=True, kw_only=True)
class OptedOut:
    """Whether somebody is left `out` in a group; not `changed` when it was so before."""

    out: bool
    changed: bool


def kept(tx: Tx, context: ToolContext) -> Mapping[str, int]:
    """Return how much is kept of the person here, by its kind."""
    return erasure.counts(tx, erasure.everything(context.services.every(Keeps)), whose_of(tx, context))


@action("privacy")
def opt_out(tx: Tx, context: ToolContext, out: bool) -> OptedOut:
    """Ignore the person's messages in this group from now on and keep none of them, or (not `out`) no longer do so."""
    if not context.participant.group:
        raise Refused("optout_private")
    lane, person_id = context.lane, context.principal.person_id
    if out:
        context.services.get(OpenQuestions).withdraw_all(tx, lane, person_id)
    changed = repository.opt_out(tx, lane.tenant_id, lane.scope_id, person_id, context.clock.now(), out=out)
    return OptedOut(out=out, changed=changed)


def whose_of(tx: Tx, context: ToolContext) -> Whose:
    """Return what is the person's here: in private everything, in a group what is theirs, up to what they say now."""
    person_id = context.principal.person_id if context.participant.group else None
    messages = inbox.of_run(tx, context.lane, context.run_id)
    return Whose(lane=context.lane, before=max((one.inbox_id for one in messages), default=0), person_id=person_id)
