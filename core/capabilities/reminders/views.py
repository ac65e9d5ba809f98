"""What the message of a reminder shows: the text, for whom it is, what they did, and its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from core.capabilities.contacts import repository as contacts
from core.capabilities.reminders.repository import Reminded, RemindedState, Reminder
from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.intent import Intent
from core.kernel.markdown import called, labelled, lines
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.timing.trigger import TriggerState
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Millis
from core.language import Language
from core.scheduling import repository as triggers
from core.scheduling.repository import TriggerKind
from core.scheduling.views import by_both_clocks
from core.store.conversation.keyboards import EVERYBODY
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit import intents

# What its buttons ask for (core.capabilities.reminders.answers).
DONE, SNOOZE = "reminders.done", "reminders.snooze"
# So many people may be named by one message; the names of others stand in messages before it.
MOST_MENTIONS = 20


class ReminderTexts:
    """Words the messages of reminders. `zone` is that of people who have chosen none."""

    def __init__(self, composer: Composer, zone: ZoneInfo) -> None:
        self._composer, self._zone = composer, zone

    def participant(self, tx: Tx, reminder: Reminder, mine: Sequence[Reminded]) -> Participant:
        """Return the participant in whose language and zone a reminder is worded: the first whom it is for, or who
        asked, where it is for everybody, whoever has done it."""
        known = [one.person_id for one in mine if one.person_id is not None and not reminder.everybody]
        return people.participant(tx, reminder.lane, next(iter(known), reminder.asker_id))

    def person(self, tx: Tx, reminder: Reminder, one: Reminded) -> int | None:
        """Return the person of a row; also if the bot met the contact only after the reminder was made."""
        if one.person_id is not None or one.contact_id is None:
            return one.person_id
        reach = contacts.reach(tx, reminder.lane, one.contact_id)
        return None if reach is None else reach.person_id

    def recurs(self, tx: Tx, first: Reminder) -> bool:
        """Return whether the trigger of a reminder comes again at its own times."""
        made = triggers.load(tx, first.lane.tenant_id, first.trigger_id)
        return (
            made is not None
            and made.kind != TriggerKind.ONCE
            and made.state in {TriggerState.ACTIVE, TriggerState.PAUSED}
        )

    def keyboard_fields(self, reminder: Reminder, mine: Sequence[Reminded]) -> dict[str, Any]:
        """Return how the keyboard of a reminder is stored (fields of `KeyboardRow`): it is forgotten with the words of
        whoever asked for the reminder."""
        known = [one.person_id for one in mine if one.person_id is not None]
        # Whom it is for may press, and who asked; everybody where somebody is only known by a handle.
        anybody = reminder.everybody or len(known) < len(mine)
        pressers = (EVERYBODY,) if anybody else tuple(dict.fromkeys((*known, reminder.asker_id)))
        return {"once": False, "people": pressers, "person_id": reminder.asker_id}

    def shown(
        self,
        tx: Tx,
        reminder: Reminder,
        mine: Sequence[Reminded],
        participant: Participant,
        language: Language,
    ) -> str:
        """Return the text of the message: what to do, for whom, what they did, and who else closed it."""
        text, others = lines(reminder.text), any(one.person_id != reminder.asker_id for one in mine)
        name = called(people.name(tx, reminder.lane, reminder.asker_id), "–") if others else ""
        if participant.group and mine and not reminder.everybody:
            who = language.joined([self._mention(tx, participant, reminder, one) for one in mine])
            key = "reminder_to_from" if others else "reminder_to"
            shown = language.say(key, who=who, name=name, text=text)
        elif not participant.group and others:
            shown = language.say("reminder_from", name=name, text=text)
        else:
            present = self.everybody(tx, reminder, participant) if reminder.everybody and participant.group else []
            key = "reminder_everybody" if present else "reminder"
            who = language.joined(present[:MOST_MENTIONS]) if present else ""
            shown = language.say(key, who=who, n=len(present), text=text)
        if all(one.state == RemindedState.OPEN for one in mine):
            return shown
        named = reminder.everybody or (participant.group and others)
        state = self._state(tx, reminder, mine, language, self.zone(participant), named=named)
        # Whoever presses for somebody who is only known by a handle may be that one.
        whose = {self.person(tx, reminder, one) for one in mine if one.state == RemindedState.DONE}
        closers = dict.fromkeys(one.closer_id for one in mine if one.closer_id is not None)
        if None in whose or whose.issuperset(closers):
            return f"{shown}\n{state}"
        names = [called(people.name(tx, reminder.lane, one), "–") for one in closers if one not in whose]
        return f"{shown}\n{state} {language.say('reminder_closed', name=language.joined(names))}"

    def everybody(self, tx: Tx, reminder: Reminder, participant: Participant) -> list[str]:
        """Return mentions of those who are in the group; of nobody where it is only who asked."""
        who = contacts.present(tx, reminder.lane)
        mentions = [self._composer.mention(participant.platform, one.address, one.name) for one in who]
        return mentions if len(mentions) > 1 else []

    def _state(
        self,
        tx: Tx,
        reminder: Reminder,
        mine: Sequence[Reminded],
        language: Language,
        zone: ZoneInfo,
        *,
        named: bool,
    ) -> str:
        """Return what people did with it; `named` when their names are said, even of a single one."""
        if len(mine) > 1 and not reminder.everybody:
            done = sum(one.state == RemindedState.DONE for one in mine)
            each = []
            for one in mine:
                name, mark = self.name(tx, reminder, one), "✅" if one.state == RemindedState.DONE else "·"
                snoozed = one.state == RemindedState.SNOOZED
                each.append(f"💤 {name} {clock(language, one.until or 0, zone)}" if snoozed else f"{mark} {name}")
            return language.say("reminder_progress", done=done, all=len(mine), people=" ".join(each))
        one = mine[0]
        by = "_by" if named else ""
        name = self.name(tx, reminder, one) if named else ""
        if one.state == RemindedState.DONE:
            return language.say(f"reminder_done{by}", clock=clock(language, one.ended_at or 0, zone), name=name)
        own = "" if one.person_id is None else people.participant(tx, reminder.lane, one.person_id).person.timezone
        when = by_both_clocks(language, one.until or 0, zone, zone_named(own) or zone)
        return language.say(f"reminder_put_off{by}", when=when, name=name)

    def _mention(self, tx: Tx, participant: Participant, reminder: Reminder, one: Reminded) -> str:
        if one.contact_id is not None:
            reach = contacts.reach(tx, reminder.lane, one.contact_id)
            if reach is not None:
                return self._composer.mention(participant.platform, reach.address, reach.name)
        person = people.participant(tx, reminder.lane, one.person_id).person if one.person_id is not None else None
        if person is None or person.anonymous:
            return self.name(tx, reminder, one)
        return self._composer.mention(participant.platform, person.address, person.name)

    def name(self, tx: Tx, reminder: Reminder, one: Reminded) -> str:
        """Return what somebody is called, as Markdown."""
        if one.person_id is not None:
            return called(people.name(tx, reminder.lane, one.person_id), "–")
        reach = contacts.reach(tx, reminder.lane, one.contact_id) if one.contact_id is not None else None
        return called("" if reach is None else reach.name, "–")

    def offers(
        self,
        tx: Tx,
        reminder: Reminder,
        mine: Sequence[Reminded],
        participant: Participant,
        language: Language,
        *,
        recurring: bool = False,
    ) -> list[Offer]:
        person = participant.person
        if person.anonymous and [one.person_id for one in mine] == [person.person_id]:
            # Who writes as the group presses as themselves, whom it is not for.
            return []
        this = ids.ref("r", reminder.reminder_id)
        if reminder.everybody and recurring:
            that = ids.ref("s", reminder.trigger_id)
            acts = {
                "button_skip_next": intents.skip(that),
                "button_pause": intents.pause(that),
                "button_stop": intents.cancel(that),
            }
            return [(language[label], act) for label, act in acts.items()]
        # Whoever of several put it off has their own.
        snooze = reminder.root_id is not None and reminder.person_id is not None
        if not reminder.everybody and not snooze and len(mine) == 1 and mine[0].person_id != reminder.asker_id:
            name = labelled(people.name(tx, reminder.lane, reminder.asker_id), "–")
            mute = (language.say("button_mute", name=name), intents.mute(ids.ref("p", reminder.asker_id)))
            return [(language["button_ok"], Intent(DONE, {"reminder": this})), mute]
        later = (("button_ten_minutes", "10m"), ("button_hour", "1h"), ("button_tomorrow", "tomorrow"))
        done = (language["button_done"], Intent(DONE, {"reminder": this}))
        return [done, *[(language[label], Intent(SNOOZE, {"reminder": this, "words": time})) for label, time in later]]

    def zone(self, participant: Participant) -> ZoneInfo:
        return zone_named(participant.timezone) or self._zone


def clock(language: Language, at: Millis, zone: ZoneInfo) -> str:
    """Return the time of day of an instant."""
    return language.clock(to_local(at, zone))
