"""What the spine asks of reminders: they are posted when they are due, written when they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.capabilities.reminders.again import Again
from core.capabilities.reminders.edits import ReminderEdits
from core.capabilities.reminders.outcomes import Outcomes
from core.capabilities.reminders.posting import Posting, Writing
from core.capabilities.reminders.recipients import Recipients
from core.capabilities.reminders.service import Reminders
from core.capabilities.reminders.views import Words
from core.delivery.composer import Composer
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.scheduling.notices import Notices
from core.store.conversation.outbox import UNWRITTEN, Post
from core.store.people.people import Participant
from core.toolkit.services import Services


def services(house: Services) -> Sequence[object]:
    """Return what posts reminders and writes them, what tells of them, and what people do with them."""
    composer, engine, clock = house.get(Composer), house.engine, house.clock
    words = Words(composer, house.zone)
    outcomes = Outcomes(composer, clock, words=words, notices=house.get(Notices))
    recipients, again = Recipients(clock, house.access, outcomes), Again(engine, clock, words=words, outcomes=outcomes)
    posting = Posting(composer, engine, clock, words=words, recipients=recipients, again=again)
    writing = Writing(composer, clock, words)
    edits = ReminderEdits(composer, words)
    return outcomes, posting, writing, Reminders(clock, words=words, edits=edits, again=again, outcomes=outcomes)


def deliver(house: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Post the reminders of triggers that were fired."""
    house.get(Posting).post(tx, due, participants)


def write(house: Services, tx: Tx, post: Post) -> Mapping[str, Any] | None:
    """Write a reminder as it is to be sent now; None when it is not wanted any more."""
    unwritten = post.payload.get(UNWRITTEN)
    if isinstance(unwritten, dict):
        return house.get(Writing).write_names(tx, post, *unwritten["of"])
    return house.get(Writing).write(tx, post)


def refused(house: Services, tx: Tx, post: Post, blocked: bool) -> bool:
    """Tell who asked that nobody saw it."""
    return house.get(Outcomes).refused(tx, post, blocked=blocked)
