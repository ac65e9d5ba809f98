"""What is kept of somebody, and to be left alone in a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.capabilities.privacy import erasure, repository
from core.capabilities.privacy.models import Kind
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.store.conversation import inbox
from core.store.people import optouts
from core.toolkit.action import action
from core.toolkit.keeping import Keeps, Whose
from core.toolkit.services import OpenQuestions
from core.toolkit.tool import ToolContext


@dataclass(frozen=True, kw_only=True)
class OptedOut:
    """Whether somebody is left `out` in a group; not `changed` when it was so before. `erased` is how much was noted
    there about them, by its kind."""

    out: bool
    changed: bool
    erased: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """How much is kept of somebody in a chat, and `elsewhere`, by its kind; and for how many `days` the chat wants
    things to be kept."""

    counts: Mapping[str, int]
    elsewhere: Mapping[str, int]
    days: Mapping[Kind, int]


def kept(tx: Tx, context: ToolContext) -> Kept:
    """Return what is kept of the person here; what others noted elsewhere only where nobody else hears of it."""
    every, elsewhere = context.services.every(Keeps), Counter[str]()
    for keeps in every if not context.participant.group else ():
        if keeps.noted_elsewhere is not None:
            elsewhere.update(keeps.noted_elsewhere(tx, context.lane, context.principal.person_id))
    counts = erasure.counts(tx, erasure.everything(every), whose_of(tx, context))
    return Kept(counts=counts, elsewhere=elsewhere, days=repository.days_kept(tx, context.lane))


@action("privacy")
def opt_out(tx: Tx, context: ToolContext, out: bool) -> OptedOut:
    """Ignore the person's messages in this group from now on and keep none of them, nor anything about them, or (not
    `out`) no longer do so."""
    if not context.participant.group:
        raise Refused("optout_private")
    lane, person_id, erased = context.lane, context.principal.person_id, Counter[str]()
    if out:
        context.services.get(OpenQuestions).withdraw_all(tx, lane, person_id)
    changed = repository.opt_out(tx, lane.tenant_id, lane.scope_id, person_id, context.clock.now(), out=out)
    for alone in optouts.those(tx, lane) if out else ():
        if alone.person_id == person_id:
            for keeps in context.services.every(Keeps):
                erased.update(keeps.left_alone(tx, lane, alone) if keeps.left_alone is not None else {})
    if any(erased.values()):
        tx.scrub()
    return OptedOut(out=out, changed=changed, erased=dict(erased))


def whose_of(tx: Tx, context: ToolContext) -> Whose:
    """Return what is the person's here: in private everything, in a group what is theirs, up to what they say now."""
    person_id = context.principal.person_id if context.participant.group else None
    messages = inbox.of_run(tx, context.lane, context.run_id)
    return Whose(lane=context.lane, before=max((one.inbox_id for one in messages), default=0), person_id=person_id)
