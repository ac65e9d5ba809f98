"""Recipients: whom a reminder for other people reaches, and where; who asked learns whom it does not."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.contacts import rows as contact_rows
from core.capabilities.contacts.repository import Reach
from core.capabilities.reminders import repository as reminders
from core.capabilities.reminders.outcomes import LEFT, Outcomes
from core.capabilities.reminders.repository import Draft, Reminded
from core.kernel.access import Access, may
from core.kernel.markdown import called
from core.kernel.ports import Clock, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey, Standing
from core.scheduling import between_people, pausing
from core.scheduling import repository as triggers
from core.scheduling.firing import BLOCKED, GONE, NEVER
from core.scheduling.repository import TriggerKind
from core.store.people import chats, people
from core.store.people.people import Participant


class Recipients:
    """Drafts the reminders of a trigger for contacts, and counts them among what its maker makes the bot send."""

    def __init__(self, clock: Clock, access: Access, outcomes: Outcomes) -> None:
        self._clock, self._access, self._outcomes = clock, access, outcomes

    def drafts(self, tx: Tx, trigger: Trigger, participant: Participant, others: Sequence[Reach]) -> list[Draft]:
        """Draft one reminder for several of a group, else one for each; `participant` is the trigger's maker."""
        if participant.group and len(others) > 1:
            return self._for_several(tx, trigger, others)
        drafted: list[Draft] = []
        missed: list[tuple[Reach, str]] = []
        for n, one in enumerate(others):
            lane = self._where(tx, trigger, participant, one)
            if lane is None:
                own = people.private_lane(tx, trigger.lane.tenant_id, one.person_id or 0)
                why = BLOCKED if own is not None and chats.state(tx, own) == GONE else NEVER
            else:
                why = self._refusal(tx, trigger, one)
            if participant.group:
                why = _left(tx, trigger, one) or why
            if lane is None or why:
                missed.append((one, why))
                continue
            key = triggers.key_of(trigger)
            drafted.append(reminders.draft(trigger, lane, f"{key}:{n}" if n else key, [_reminded(one)]))
            self._count(tx, trigger, one, drafted[-1].reminder.message_key)
        self._missed(tx, trigger, missed, alone=not drafted)
        return drafted

    def _for_several(self, tx: Tx, trigger: Trigger, others: Sequence[Reach]) -> list[Draft]:
        """Draft one in their group; not for those who do not want it."""
        whys = [(one, _left(tx, trigger, one) or self._refusal(tx, trigger, one)) for one in others]
        wanted = [one for one, why in whys if not why]
        self._missed(tx, trigger, [(one, why) for one, why in whys if why], alone=not wanted)
        if not wanted:
            return []
        draft = reminders.draft(trigger, trigger.lane, triggers.key_of(trigger), [_reminded(one) for one in wanted])
        for one in wanted:
            self._count(tx, trigger, one, f"{draft.reminder.message_key}:{one.contact_id}")
        return [draft]

    def _where(self, tx: Tx, trigger: Trigger, participant: Participant, reach: Reach) -> LaneKey | None:
        """Return where somebody is reminded: in private if they have talked to the bot, else in the group where it was
        asked for, which is also where a guest's reminders come."""
        if reach.person_id == trigger.person_id:
            return trigger.lane
        here = trigger.lane if participant.group else None
        if reach.lane is None or reach.person_id is None or not self._is_member(participant):
            return here
        # Somebody who only waits for access, or was removed, is not written to in private.
        return reach.lane if self._is_member(people.participant(tx, reach.lane, reach.person_id)) else here

    def _is_member(self, participant: Participant) -> bool:
        return may(
            self._access.standing(participant.person.address, participant.standing, workspace=participant.place.tenant),
            Standing.MEMBER,
        )

    def _refusal(self, tx: Tx, trigger: Trigger, reach: Reach) -> str:
        """Return why a reminder may not go to somebody; empty when it may."""
        if reach.person_id is None:
            # Without an address they were forgotten: their reminder is not for those who read along in a group.
            return "" if reach.address else NEVER
        if reach.person_id == trigger.person_id:
            return ""
        tenant_id, now = trigger.lane.tenant_id, self._clock.now()
        if trigger.kind == TriggerKind.ONCE and not triggers.is_of_todo(tx, trigger):
            # The limits were checked when it was set.
            return "muted" if between_people.muted(tx, tenant_id, reach.person_id, trigger.person_id) else ""
        return between_people.refusal(tx, tenant_id, trigger.person_id, reach.person_id, now)

    def _missed(self, tx: Tx, trigger: Trigger, missed: Sequence[tuple[Reach, str]], *, alone: bool) -> None:
        """Tell whoever asked whom a reminder does not reach. If it reaches nobody, it is paused, unless a limit of the
        day is why."""
        whys = [why for _, why in missed]
        rests = alone and not any(why.endswith("_limit") for why in whys)
        if rests:
            # If somebody is not there, it is resumed by itself when they are.
            reason = next((why for why in whys if why in {BLOCKED, NEVER}), whys[0])
            rests = pausing.pause(tx, trigger.trigger_id, reason)
        for reach, why in missed:
            # Whoever asked was told when they left; they are told again only if it is paused now.
            told = why == LEFT and contact_rows.has_left(tx, trigger.lane, reach.contact_id, since=trigger.created_at)
            if told and not rests:
                continue
            self._outcomes.undelivered(tx, trigger, called(reach.name, "–"), why, rests=rests)

    def _count(self, tx: Tx, trigger: Trigger, reach: Reach, key: str) -> None:
        """Count a reminder for another person among the messages that somebody makes the bot send; repeats count
        once."""
        if reach.person_id not in {None, trigger.person_id}:
            between_people.note(tx, trigger.lane, trigger.person_id, reach.person_id or 0, key, self._clock.now())


def _left(tx: Tx, trigger: Trigger, reach: Reach) -> str:
    """Return why somebody is not reminded in the trigger's group: they have left it; empty if they have not."""
    return LEFT if contact_rows.has_left(tx, trigger.lane, reach.contact_id) else ""


def _reminded(reach: Reach) -> Reminded:
    return Reminded(person_id=reach.person_id, contact_id=reach.contact_id)
