"""What came of a reminder is shown on its messages, which are edited."""

from __future__ import annotations

import secrets

from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.repository import Reminded, RemindedState, Reminder
from core.capabilities.reminders.views import ReminderTexts
from core.delivery.composer import Composer
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.scheduling import repository as triggers
from core.store.conversation.outbox import Source, SourceKind


class ReminderEdits:
    """Keeps the messages of reminders up to date."""

    def __init__(self, composer: Composer, texts: ReminderTexts) -> None:
        self._composer, self._texts = composer, texts

    def show_outcome(self, tx: Tx, first: Reminder, *, stopped: bool = False) -> None:
        """Show on every message of it what came of it; what is done, or `stopped`, has no buttons any more."""
        rows, recurring = reminders.people(tx, first.first_id), self._texts.recurs(tx, first)
        if not rows and first.everybody:
            # Nobody has done what is for everybody: who put it off, did so for all.
            rows = [
                Reminded(person_id=one.person_id, contact_id=None, state=RemindedState.SNOOZED, until=one.next_at)
                for one in snoozes(tx, first)
            ]
        change = secrets.token_hex(8)  # several in a millisecond are several edits
        for one in reminders.chain(tx, first.first_id):
            mine = [row for row in rows if one.person_id in {None, row.person_id}]
            participant = self._texts.participant(tx, one, mine)
            language = self._composer.language(participant)
            text = self._texts.shown(tx, one, mine, participant, language)
            text = f"{text}\n{language['reminder_stopped']}" if stopped else text
            done = (
                bool(mine)
                and all(row.state == RemindedState.DONE for row in mine)
                and not (one.everybody and recurring)
            )
            offers = (
                () if done or stopped else self._texts.offers(tx, one, mine, participant, language, recurring=recurring)
            )
            fields = self._texts.keyboard_fields(one, mine)
            key = f"{one.message_key}:{change}"
            source = Source(SourceKind.TRIGGER, one.trigger_id)
            outgoing = self._composer.outgoing(participant.platform, key, text, offers, source=source, **fields)
            self._composer.edits.replace(tx, one.lane, outgoing, f"{one.message_key}:0")


def snoozes(tx: Tx, first: Reminder) -> list[Trigger]:
    """Return what brings a reminder again since somebody snoozed it."""
    return [one for one in triggers.bringing_again(tx, first.first_id) if not one.round]
