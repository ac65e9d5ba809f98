"""Erasing, in batches of a transaction each: open to everybody the bot has ever heard, removed people of a group too.

So a crash does not undo what is erased, nor does one transaction keep all others waiting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.privacy import erasure, repository
from core.capabilities.privacy.models import Kind, most
from core.capabilities.privacy.service import whose_of
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.types import DAY, Standing
from core.language import pick
from core.store.conversation import attachments
from core.store.files import Files
from core.store.people import people
from core.toolkit.action import action
from core.toolkit.keeping import Keep, Keeps, Whose, leave
from core.toolkit.services import OpenQuestions
from core.toolkit.tool import ToolContext

BATCH = 1_000


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """How much a batch `erased`, and whether anything may be `left`; `at_work` when an open run in another thread has
    something of it."""

    erased: int
    left: bool
    at_work: bool = False


@action("privacy")
def forget(tx: Tx, context: ToolContext) -> Forgotten:
    """Erase a batch of what is kept of the person here: in private everything, in a group their own words, and
    what they were answered.

    To be done until nothing is `left`; what a crash interrupts goes on with the next batch.
    """
    whose, keeps = whose_of(tx, context), context.services.every(Keeps)
    # First, while it is known which buttons are theirs.
    context.services.get(OpenQuestions).withdraw_all(tx, whose.lane, whose.person_id)
    for one in keeps:
        if one.closes is not None:
            one.closes(tx, context, whose)
    if not context.participant.group:
        # What the other side of a link was shown goes with it: later nobody knows that there was one.
        erasure.erase_shown(tx, keeps, context.principal.person_id)
        leave(tx, context, context.principal.person_id, "forget")
    erased, paths = erasure.erase(tx, erasure.everything(keeps), whose, context.clock.now(), BATCH)
    if not erased:  # files whose rows never came to name them, since something broke off
        paths = attachments.strays(tx, context.lane, context.services.get(Files).of_scope(context.lane.scope_id))
    if paths:
        tx.after_commit(lambda: _unlink(context, paths))
    if not erased:
        tx.scrub()
    if not erased and not context.participant.group:
        people.choose(tx, context.lane, context.principal.person_id, language="", timezone="", quiet="")
    at_work = not erased and erasure.at_work(tx, whose, context.run_id)
    return Forgotten(erased=erased, left=erased > 0, at_work=at_work)


@action("privacy")
def forget_older(tx: Tx, context: ToolContext, kind: Kind, days: int) -> Forgotten:
    """Erase a batch of what the chat wants to be kept for `days` only and is older."""
    check_days(tx, context, kind, days)
    now = context.clock.now()
    whose = Whose(lane=context.lane, before=0, until=now - days * DAY)
    erased, paths = erasure.erase(tx, erasure.older(kind), whose, now, BATCH)
    if paths:
        tx.after_commit(lambda: _unlink(context, paths))
    if not erased:
        tx.scrub()
    return Forgotten(erased=erased, left=erased > 0)


@dataclass(frozen=True, kw_only=True)
class Retained:
    """For how many `days` a kind is kept in a chat from now on, 0 as long as elsewhere; whether that is new."""

    days: int
    changed: bool


@action("privacy", concerns_all=lambda retained: retained.changed)
def keep_for(tx: Tx, context: ToolContext, kind: Kind, days: int) -> Retained:
    """Keep a kind of things of this chat for `days` only."""
    check_days(tx, context, kind, days)
    changed = repository.days_kept(tx, context.lane).get(kind) != days
    person_id, now = context.principal.person_id, context.clock.now()
    repository.keep_for(tx, context.lane, person_id, kind, days, now)
    return Retained(days=days, changed=changed)


@action("privacy", concerns_all=lambda retained: retained.changed)
def keep_as_others(tx: Tx, context: ToolContext) -> Retained:
    """Keep what is said in this chat as long as in others."""
    check_standing(context)
    return Retained(days=0, changed=bool(repository.keep_as_others(tx, context.lane)))


def check_days(tx: Tx, context: ToolContext, kind: Kind, days: int) -> None:
    """Raise `Refused` unless the person may have things kept for so many days here."""
    check_standing(context)
    limit = most(context.services.get(Keep), kind, repository.days_kept(tx, context.lane))
    if not 1 <= days <= limit:
        raise Refused("retention_wider", limit=pick(context.language).many("retention_days", limit))


def check_standing(context: ToolContext) -> None:
    """Raise `Refused` for who may not say how long things are kept: in a group its administrators may."""
    if not may(context.standing, Standing.ADMIN if context.participant.group else Standing.GUEST):
        raise Refused("not_permitted")


def _unlink(context: ToolContext, paths: Sequence[str]) -> None:
    """Delete files whose rows are erased. Where the process dies before that, the nightly retention deletes them."""
    context.services.get(Files).unlink(paths)
