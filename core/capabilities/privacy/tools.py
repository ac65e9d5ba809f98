"""Privacy tools: open to everybody the bot has ever heard, removed people of a group too (DESIGN: promise 6)."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.members import repository as members
from core.capabilities.privacy import erasure
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.store.conversation import attachments, inbox
from core.store.files import Files
from core.store.people import chats, people
from core.toolkit.keeping import Keeps, Whose
from core.toolkit.params import Params
from core.toolkit.services import OpenQuestions
from core.toolkit.tool import Effect, ToolContext, tool

BATCH = 1_000


class NoParams(Params):
    """Nothing is asked."""


@tool(Role.PERSON, idempotent=True)
async def describe_chat(params: NoParams, context: ToolContext) -> Json:
    """Whether the bot reads along here, and how much it keeps of the person."""
    lane = context.lane

    def look(tx: Tx) -> Json:
        row = chats.find(tx, lane.tenant_id, context.participant.place.chat)
        kept = erasure.counts(tx, erasure.everything(context.services.every(Keeps)), _whose(tx, context))
        return {"reads_along": row is not None and bool(row["reads_along"]), **kept}

    return await context.db.read(look)


class OptOutParams(Params):
    """`out`: whether the bot is to ignore the person in this group."""

    out: bool


@tool(Role.PERSON, effect=Effect.WRITE)
def opt_out(params: OptOutParams, context: ToolContext, tx: Tx) -> Json:
    """Ignore the person's messages in this group from now on and keep none of them, or no longer do so."""
    if not context.participant.group:
        raise ToolError("opt_out", "only in a group")
    lane, person_id = context.lane, context.principal.person_id
    if params.out:
        context.services.get(OpenQuestions).withdraw_all(tx, lane, person_id)
    changed = members.opt_out(tx, lane.tenant_id, lane.scope_id, person_id, context.clock.now(), out=params.out)
    return {"out": params.out, "changed": changed}


@tool(Role.PERSON, effect=Effect.WRITE)
def forget(params: NoParams, context: ToolContext, tx: Tx) -> Json:
    """Erase a batch of what is kept of the person here: in private everything, in a group their own words, and
    what they were answered.

    To be called until nothing is `left`; what a crash interrupts goes on with the next call.
    """
    whose = _whose(tx, context)
    # First, while it is known which buttons are theirs.
    context.services.get(OpenQuestions).withdraw_all(tx, whose.lane, whose.person_id)
    if not context.participant.group:
        _leave(tx, context)
    erased, paths = erasure.erase(
        tx, erasure.everything(context.services.every(Keeps)), whose, context.clock.now(), BATCH
    )
    if not erased:  # files whose rows never came to name them, since something broke off
        paths = attachments.strays(tx, context.lane, context.services.get(Files).of_scope(context.lane.scope_id))
    if paths:
        tx.after_commit(lambda: _unlink(context, paths))
    if not erased:
        tx.scrub()
    if not erased and not context.participant.group:
        people.choose(tx, context.lane, context.principal.person_id, language="", timezone="", quiet="")
    return {"erased": erased, "left": erased > 0}


def _leave(tx: Tx, context: ToolContext) -> None:
    """What the other side of a link was shown goes with it: later nobody knows that there was one."""
    me, keeps = context.principal.person_id, context.services.every(Keeps)
    for one in keeps:
        for lane, since in one.shown_to(tx, me) if one.shown_to is not None else ():
            erasure.erase_shown(tx, keeps, lane, since)
    for one in keeps:
        if one.left is not None:
            one.left(tx, context, me, "forget")


def _unlink(context: ToolContext, paths: Sequence[str]) -> None:
    """What this misses, since the process dies here, retention finds."""
    context.services.get(Files).unlink(paths)


def _whose(tx: Tx, context: ToolContext) -> Whose:
    person_id = context.principal.person_id if context.participant.group else None
    messages = inbox.of_run(tx, context.lane, context.run_id)
    return Whose(lane=context.lane, before=max((one.inbox_id for one in messages), default=0), person_id=person_id)
