"""Firing triggers: each that is due is carried out once an epoch, and moves on to its next time (STATES: Trigger).

Firing is one transaction, with the next epoch, the next time, and the reminder, the wake-up or the brief that comes of
it, whose key is made of trigger and epoch. So a crash leaves all of it or nothing, and nothing is done twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from core.delivery.composer import Composer
from core.kernel.errors import StorageAway, StorageError
from core.kernel.markdown import lines
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import last_before, load, next_after
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.types import DAY, MINUTE, LaneKey, Millis, Standing, Urgency
from core.language import Language
from core.scheduling import between_people, pausing
from core.scheduling import repository as triggers
from core.scheduling.broken import BrokenTriggers
from core.scheduling.notices import Notices
from core.scheduling.repository import Deliver, TriggerKind
from core.store.conversation.outbox import NO_SOURCE, UNWRITTEN, Post
from core.store.giving_up import try_or_give_up
from core.store.people import people
from core.store.people.chats import ChatState
from core.store.people.people import Participant
from core.toolkit.capability import Delivery, Schedules
from core.toolkit.services import Services

log = logging.getLogger(__name__)

# So many triggers share a transaction: with fewer, the way to the database and back takes most of the time; with more,
# whoever is answered meanwhile waits for it again and again.
MOST_AT_ONCE = 256
# From so late on a time counts as missed: the trigger's late policy says whether it still comes.
MISSED: Millis = MINUTE
NO_ACCESS = "no access"
# Triggers of these kinds wake their lane: a task or a run does what is due.
WAKING = (Deliver.TASK, Deliver.SUMMARY, Deliver.BRIEF)
# Why a trigger is paused: its chat is gone, or the platform refused the message; or somebody whom it reminds never
# wrote to the bot, or blocked it, and may come back.
GONE, REFUSED, NEVER, BLOCKED = "gone", "refused", "never", "blocked"
SHUT, AWAY = (GONE, REFUSED), (NEVER, BLOCKED)


class Triggers:
    """Fires triggers. The capability that brings a kind of trigger does what is due; a `note` is said here.

    `broken` tells people of triggers that cannot be fired.
    """

    def __init__(self, services: Services, composer: Composer, notices: Notices) -> None:
        self._services, self._composer, self._notices = services, composer, notices
        self.broken = BrokenTriggers(composer, services.clock)
        self._engine, self._clock, self._access = services.engine, services.clock, services.access
        self.since = services.clock.now()
        theirs = (item for hooks in services.every(Schedules) for item in hooks.deliver.items())
        self._deliveries: Mapping[str, Delivery] = {**dict(theirs), **OUR_DELIVERIES}

    async def fire(self, db: Database, elsewhere: Callable[[Tx], Sequence[int]], until: Millis) -> bool:
        """Fire some of the triggers that were due `until` an instant; return whether there are more.

        One that cannot be fired is paused, visibly, and holds up no other; one that the database refuses is tried again
        later. Raises `StorageError` where it refuses all of as many as are tried at once: no others are tried now.
        """
        refused = self.broken.refused
        left_alone = refused.left_alone() if refused.rows else []

        def fire_triggers(tx: Tx) -> int:
            found = triggers.due(tx, until, MOST_AT_ONCE, elsewhere(tx), left_alone)
            # The lanes that are woken are locked together, so that the order of locks is the same everywhere.
            tx.lock(*(("lane", trigger.lane.lane_id) for trigger in found if trigger.deliver in WAKING))
            for some in _in_groups(found):
                self._fire(tx, some)
            return len(found)

        try:
            done_together = await db.write(fire_triggers)
            if refused.rows:
                refused.keep(left_alone)
            return done_together == MOST_AT_ONCE
        except StorageAway:
            raise
        except StorageError as error:
            log.warning("triggers cannot be fired together; one by one: %s", error)
        except Exception:
            log.exception("triggers cannot be fired together; one by one")
        found = await db.read(lambda tx: triggers.due(tx, until, MOST_AT_ONCE, elsewhere(tx), left_alone))
        done, refused_now = [], list[tuple[Trigger, StorageError]]()
        for trigger in found:
            try:
                done.append(await self._alone(db, trigger))
            except StorageAway:
                raise
            except StorageError as error:
                refused_now.append((trigger, error))
        await self.broken.put_off(db, refused_now, MOST_AT_ONCE)
        if len(refused_now) == MOST_AT_ONCE:
            raise refused_now[-1][1]
        # Without this, triggers that can neither be fired nor paused would be found again and again.
        return len(found) == MOST_AT_ONCE and (any(done) or bool(refused_now))

    async def _alone(self, db: Database, trigger: Trigger) -> bool:
        def fire_trigger(tx: Tx) -> None:
            self._fire(tx, [trigger])

        def pause_trigger(tx: Tx) -> None:
            pausing.pause(tx, trigger.trigger_id, triggers.ERROR)
            self.broken.tell(tx, trigger)

        def rest_trigger(tx: Tx) -> None:
            pausing.pause(tx, trigger.trigger_id, triggers.ERROR)

        what = f"trigger {trigger.trigger_id}"
        done = await try_or_give_up(db, what, fire_trigger, pause_trigger, rest_trigger)
        self.broken.refused.rows.pop(trigger.trigger_id, None)
        return done

    def _fire(self, tx: Tx, found: Sequence[Trigger]) -> None:
        """Fire the triggers of one group (`_in_groups`), each step for all of them."""
        now, participants = self._clock.now(), triggers.participants(tx, found)
        due = [
            # A trigger with a cooldown has its next time after that.
            (one, next_after(load(one.spec), max(now + max(0, one.cooldown_s * 1000 - 1), one.next_at)))
            for one in found
            if self._may_fire(tx, one, participants[one.trigger_id], now)
        ]
        fired = triggers.fire(tx, due, now)
        done = [(one, next_at) for one, next_at in due if one.trigger_id in fired]
        first = min((next_at for _, next_at in done if next_at is not None), default=None)
        if first is not None:
            tx.after_commit(partial(self._engine.wake, first))
        # A trigger that watches ends when it is due by the clock, and that is said.
        for one in (one for one, _ in done if one.watches):
            text = self._composer.language(participants[one.trigger_id]).say("watch_over", text=lines(one.text))
            self._notices.note(tx, one.lane, one.person_id, f"watched:{one.trigger_id}", text, foreign=one.tainted)
        wanted = [one for one in (_unless_late(one, now) for one, _ in done if not one.watches) if one is not None]
        for kind, some in groupby(wanted, lambda one: one.deliver):
            self._deliveries[kind](self._services, tx, list(some), participants)

    def came_true(self, tx: Tx, lane: LaneKey, trigger_id: int, files: Sequence[str], more: int) -> bool:
        """Fire a trigger whose condition has come true, by these `files` and so many `more`, if by any; the caller has
        locked its lane.

        False when it may not fire now: then the condition is to be checked again.
        """
        found, now = triggers.find(tx, lane, trigger_id), self._clock.now()
        if found is None or found.state != TriggerState.ACTIVE:
            return False
        participants = triggers.participants(tx, [found])
        if not self._may_fire(tx, found, participants[trigger_id], now) or not triggers.came_true(tx, found, now):
            return False
        due = replace(found, next_at=now, files=tuple(files), more_files=more)
        self._deliveries[found.deliver](self._services, tx, [due], participants)
        return True

    def _may_fire(self, tx: Tx, trigger: Trigger, participant: Participant, now: Millis) -> bool:
        """Return whether a trigger may fire now: its chat is there, whoever made it has access, and the bot may speak
        by itself."""
        if participant.chat_state == ChatState.GONE:
            self._pause_gone(tx, trigger, "gone" if participant.group else "blocked")
            return False
        standing = people.standing_here(self._access, participant)
        if standing is Standing.STRANGER and not self._outlives_maker(tx, trigger, participant):
            return False
        until = self._notices.held(tx, trigger.lane) if _chosen_by_bot(trigger) else None
        if until is not None and not trigger.watches:
            # `release_held` tells it from a time of the trigger's own by the millisecond.
            held_until = until + 1
            triggers.move(tx, trigger.trigger_id, held_until)
            tx.after_commit(lambda: self._engine.wake(held_until))
        return until is None

    def _pause_gone(self, tx: Tx, trigger: Trigger, why: str) -> None:
        """Pause a trigger whose chat is gone until it is back; tell whoever made it in private, if that is another
        chat."""
        pausing.pause(tx, trigger.trigger_id, GONE)
        lane = people.private_lane(tx, trigger.lane.tenant_id, trigger.person_id)
        if lane is None or lane.chat_id == trigger.lane.chat_id:
            return
        participant = people.participant(tx, lane, trigger.person_id)
        if participant.chat_state == ChatState.GONE:
            return
        language = self._composer.language(participant)
        text = language.say("reminder_undelivered", text=lines(trigger.text), reason=language[f"why_{why}"])
        if trigger.reminder_id is None:
            text = language.say("reminder_waits", said=text)
        key = f"gone:{trigger.trigger_id}:{trigger.epoch}"
        self._notices.note(tx, lane, trigger.person_id, key, text, foreign=trigger.tainted)

    def _outlives_maker(self, tx: Tx, trigger: Trigger, participant: Participant) -> bool:
        """Return whether a trigger fires although its maker has no access.

        One that was for them alone is paused until they have access. One that is for a whole group goes on, with its
        brief and the items of its list, and that is said once. Work of a group is not done any more: its prompt is said
        as it stands. Work that is `silent` where nothing is new, and a summary, end.
        """
        if participant.group and trigger.deliver == Deliver.NOTE:
            return True
        work, summary = trigger.deliver == Deliver.TASK, trigger.deliver == Deliver.SUMMARY
        if participant.group and (summary or (work and trigger.silent)):
            self.give_up_work(tx, trigger, participant)
            return False
        reminds_all = trigger.everybody and trigger.deliver == Deliver.MESSAGE
        for_all = reminds_all or trigger.deliver in {Deliver.ITEM, Deliver.BRIEF}
        if not participant.group or not (work or for_all):
            pausing.pause(tx, trigger.trigger_id, NO_ACCESS)
            return False
        key, text = f"{trigger.trigger_id}:maker-gone", "maker_gone_work" if work else "maker_gone"
        language = self._composer.language(participant)
        what = language["brief_name"] if trigger.deliver == Deliver.BRIEF else lines(trigger.text)
        said = language.say(text, text=what)
        self._notices.note(tx, trigger.lane, trigger.person_id, key, said, foreign=trigger.tainted)
        return True

    def give_up_work(self, tx: Tx, trigger: Trigger, participant: Participant) -> None:
        """End work of a group whose maker has no access any more, and say so there."""
        triggers.end(tx, trigger.trigger_id, TriggerState.CANCELLED, self._clock.now(), NO_ACCESS)
        words = self._composer.language(participant).say("maker_left_work", text=lines(trigger.text))
        key = f"{trigger.trigger_id}:maker-left"
        self._notices.note(tx, trigger.lane, trigger.person_id, key, words, foreign=trigger.tainted)

    def say(
        self,
        tx: Tx,
        trigger: Trigger,
        participant: Participant,
        text: str,
        *,
        foreign: bool = False,
        due_at: Millis | None = None,
        **options: Any,
    ) -> None:
        """Say a text, in Markdown, as the message of a trigger that was fired. Where it was `due_at` an instant, a line
        below it says how late it is. `foreign` when it has words of others, as the text of a tainted trigger has."""
        language = self._composer.language(participant)
        text = text if due_at is None else told_late(language, text, due_at, self._clock.now(), self.since)
        # A notice that was held back has the key that it would have had at once; nothing is looked up by its source.
        key, source = triggers.key_of(trigger), triggers.source_of(trigger)
        if trigger.link:
            key, source = trigger.link, NO_SOURCE
        outgoing = self._composer.outgoing(participant.platform, key, text, source=source, **options)
        outgoing.foreign = foreign or trigger.tainted
        self._composer.say(tx, trigger.lane, outgoing, urgency=Urgency.REMINDER)

    def release_held(self, tx: Tx, lane: LaneKey) -> None:
        """Make triggers due that were held back in a chat, since its quiet hours may have changed.

        One that still must wait is held back anew when it fires. One whose own next time is within a minute gets that.
        """
        now = self._clock.now()
        for trigger in filter(_chosen_by_bot, triggers.to_come(tx, lane, now)):
            # Only a trigger that waits for no time of its own was held back; a notice never has such a time.
            schedule = load(trigger.spec)
            own = next_after(schedule, trigger.next_at - 1) == trigger.next_at
            if trigger.deliver == Deliver.NOTE or not own:
                soon = next_after(schedule, now)
                triggers.move(tx, trigger.trigger_id, soon if soon is not None and soon - now < MISSED else now)
        tx.after_commit(partial(self._engine.wake, now))

    # Clocks, chats and people that come back.

    def set_back(self, tx: Tx) -> None:
        """Bring triggers forward that were fired at a time that is still to come, since the wall clock was set back.

        One that somebody skipped, or paused until a day, keeps its later time.
        """
        now = self._clock.now()
        for trigger in triggers.from_the_future(tx, now):
            schedule, last_at = load(trigger.spec), trigger.last_at or 0
            regular = next_after(schedule, max(trigger.fired_at or 0, last_at))
            skips = regular is not None and trigger.next_at > regular
            next_at = trigger.next_at if skips else next_after(schedule, max(now, last_at))
            if next_at is not None:
                triggers.move(tx, trigger.trigger_id, next_at, now=now)

    def back(self, tx: Tx, lane: LaneKey) -> None:
        """Resume what was paused since a chat was gone, or since the person whose private chat it is could not be
        reminded: it is there again, or the bot has other rights there."""
        # Other rows wait for the chat, too: a sweep finds them.
        tx.after_commit(partial(self._engine.wake, self._clock.now()))
        self._resume_all(
            tx, (*pausing.paused_in_chat(tx, lane.chat_id, SHUT), *pausing.paused_reminding(tx, lane, AWAY))
        )

    def let_in(self, tx: Tx, tenant_id: int = 0, person_id: int | None = None) -> None:
        """Resume what was paused since its maker, or whoever it reminds, had no access: they have it again.

        But a notice of ours, or a repeat, that was due more than a day ago ends, since it would come as if it were new.
        `person_id` is None where it may be anybody, since the configuration may have changed.
        """
        found, now = pausing.paused_of(tx, NO_ACCESS, person_id), self._clock.now()
        makers = triggers.participants(tx, found)
        inside = [
            one for one in found if people.standing_here(self._access, makers[one.trigger_id]) is not Standing.STRANGER
        ]
        for one in inside:
            ours = one.deliver == Deliver.NOTE and not between_people.noted(tx, one.lane.tenant_id, one.link)
            if (ours or one.round) and one.next_at < now - DAY:
                triggers.end(tx, one.trigger_id, TriggerState.CANCELLED, now, NO_ACCESS)
        self._resume_all(tx, inside)
        lane = None if person_id is None else people.private_lane(tx, tenant_id, person_id)
        if lane is None or person_id is None:
            return
        if people.standing_here(self._access, people.participant(tx, lane, person_id)) is not Standing.STRANGER:
            self._resume_all(tx, pausing.paused_reminding(tx, lane, AWAY))

    def _resume_all(self, tx: Tx, found: Sequence[Trigger]) -> None:
        """Resume paused triggers: each at its next time that was not skipped, or at once when it comes once and is
        overdue. A series that is past its end is done."""
        now = self._clock.now()
        for trigger in found:
            next_at = pausing.next_of(trigger, max(now, trigger.next_at - 1))
            if next_at is None and trigger.kind != TriggerKind.ONCE:
                pausing.finish_paused(tx, trigger.trigger_id, now)
            elif pausing.resume(tx, trigger.trigger_id, at := trigger.next_at if next_at is None else next_at):
                tx.after_commit(partial(self._engine.wake, max(now, at)))


def _note(services: Services, tx: Tx, due: Sequence[Trigger], participants: Mapping[int, Participant]) -> None:
    """Say the text of each trigger as it stands."""
    for trigger in due:
        participant = participants[trigger.trigger_id]
        services.get(Triggers).say(tx, trigger, participant, trigger.text, person_id=trigger.person_id)


# The kinds of triggers that no capability brings.
OUR_DELIVERIES: Mapping[str, Delivery] = {"note": _note}


def _in_groups(found: Sequence[Trigger]) -> Iterator[Sequence[Trigger]]:
    """Yield triggers that can be fired by the same statements: plain reminders that are due next to each other; any
    other trigger alone."""
    # A plain reminder neither depends on what was posted before, nor ends it, nor is held back.
    for plain, some in groupby(
        found,
        lambda one: (
            one.deliver == Deliver.MESSAGE
            and not one.until_done
            and one.reminder_id is None
            and not _chosen_by_bot(one)
        ),
    ):
        if plain:
            yield list(some)
        else:
            yield from ([one] for one in some)


def _unless_late(trigger: Trigger, now: Millis) -> Trigger | None:
    """Return a trigger as it was due the last time that was missed, which is the one that comes; None when that is too
    late by its late policy. No two times of a trigger are nearer than `MISSED`."""
    last, late = trigger.next_at, trigger.late
    if now - last >= MISSED:
        last = max(last, last_before(load(trigger.spec), now + 1) or 0)
    by = now - last
    if late != "run" and by >= MISSED and (late == "skip" or by > int(late) * 1000):
        log.info("a trigger came too late and is left out, as it wants: %s", trigger.trigger_id)
        return None
    return trigger if last == trigger.next_at else replace(trigger, next_at=last)


def told_late(language: Language, text: str, due_at: Millis, now: Millis, since: Millis) -> str:
    """Return a text that was due at an instant, with a line below it that says how late it is, if it is; `since` is
    when the program began."""
    late, key = now - due_at, "late_offline" if due_at < since else "late"
    return text if late < MISSED else f"{text}\n{language.say(key, duration=language.duration(late))}"


def _chosen_by_bot(trigger: Trigger) -> bool:
    """Return whether the bot chose the time of a trigger: it is a repeat, a notice, or made by a run that no person
    began."""
    return trigger.round > 0 or trigger.depth > 1 or trigger.deliver == Deliver.NOTE


# Each capability is asked in turn: the hooks of `Schedules` about a trigger and its message.


def write_message(services: Services, tx: Tx, post: Post) -> Mapping[str, Any] | None:
    """Return the payload of a message as it is to be sent now; None when it is not wanted any more."""
    written = UNWRITTEN not in post.payload
    for hooks in services.every(Schedules):
        if written and hooks.rewrite is not None:
            post = replace(post, payload=hooks.rewrite(services, tx, post))
        if hooks.write is not None:
            payload = hooks.write(services, tx, post)
            if payload is None:
                return None
            post = replace(post, payload=payload)
    return post.payload


def trigger_moved(services: Services, tx: Tx, trigger: Trigger) -> None:
    """Tell capabilities of a trigger that is due at another time now, and see that the engine is awake then."""
    for hooks in services.every(Schedules):
        if hooks.moved is not None:
            hooks.moved(services, tx, trigger)
    tx.after_commit(lambda: services.engine.wake(trigger.next_at))
