"""Erasing, in batches of a transaction each: open to everybody the bot has ever heard, removed people of a group too.

So a crash does not undo what is erased, nor does one transaction keep all others waiting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.privacy import erasure
from core.capabilities.privacy.service import whose_of
from core.kernel.ports import Tx
from core.store.conversation import attachments
from core.store.files import Files
from core.store.people import people
from core.toolkit.action import action
from core.toolkit.keeping import Keeps, leave
from core.toolkit.services import OpenQuestions
from core.toolkit.tool import ToolContext

BATCH = 1_000


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """How much a batch `erased`, and whether anything may be `left`."""

    erased: int
    left: bool


@action("privacy")
def forget(tx: Tx, context: ToolContext) -> Forgotten:
    """Erase a batch of what is kept of the person here: in private everything, in a group their own words, and
    what they were answered.

    To be done until nothing is `left`; what a crash interrupts goes on with the next batch.
    """
    whose, keeps = whose_of(tx, context), context.services.every(Keeps)
    # First, while it is known which buttons are theirs.
    context.services.get(OpenQuestions).withdraw_all(tx, whose.lane, whose.person_id)
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
    return Forgotten(erased=erased, left=erased > 0)


def _unlink(context: ToolContext, paths: Sequence[str]) -> None:
    """What this misses, since the process dies here, retention finds."""
    context.services.get(Files).unlink(paths)
