"""What becomes of updates, in the transaction that stores them: who gets in, and which lanes have work.

There a press or a text decides the question it answers, and a stop reaches the run it stops: both go past the lane's
lease.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.intent import Intent
from core.kernel.markdown import called, literal
from core.kernel.ports import Clock, Engine, Tx
from core.kernel.types import Inbound, LaneKey, Millis, Press, Standing
from core.kernel.updates import (
    Deleted,
    Installed,
    Left,
    Moved,
    Opened,
    Presence,
    Profile,
    Returned,
    Uninstalled,
    Unreadable,
    Update,
)
from core.language import Language, pick
from core.pipeline.intake.admission import Admission, order_of
from core.pipeline.intake.conversations import Admitted
from core.pipeline.intake.interrupts import Interruption, Interruptions
from core.pipeline.intake.others_questions import is_for_another
from core.pipeline.runs.answer_reader import thread_question
from core.pipeline.runs.questions import Questions
from core.scheduling import repository as triggers
from core.store.conversation import attachments, chat_migration, deletions, inbox, keyboards, lanes
from core.store.conversation import runs as journal
from core.store.conversation.inbox import InboxState
from core.store.conversation.keyboards import SHARE, KeyboardRow
from core.store.people import chats, people, strangers, tenants
from core.store.people.chats import Place
from core.toolkit.keeping import DAY, Departed

log = logging.getLogger(__name__)

STRANGERS_KEPT = 1000
# How much is named of what was given to somebody who left a group.
GIVEN_MOST, GIVEN_SHOWN = 20, 100
# So many new ones may come between two looks for the oldest, which go through all that are kept.
STRANGERS_MORE = 100
# The parts of an album come one by one; each waits this long for the next.
ALBUM_WAIT: Millis = 1_000
# So long after it was written an edit may make of it a message to the bot.
EDITED_WITHIN: Millis = 3_600_000
PRESSED = re.compile(r"([A-Za-z0-9_-]{22}):(0|[1-9][0-9]?)")


@dataclass(frozen=True, kw_only=True)
class _Batch:
    """Updates being accepted in one transaction. What needs a lane's lock waits for all locks to be taken together."""

    tx: Tx
    tenant_id: int
    now: Millis
    away: Counter[str] = field(default_factory=Counter)
    shown: dict[str, str] = field(default_factory=dict)
    work: dict[int, None] = field(default_factory=dict)
    locked: list[tuple[LaneKey, Callable[[], None]]] = field(default_factory=list)

    def later(self, lane: LaneKey, call: Callable[[], None]) -> None:
        """Do something for a lane once it is locked."""
        self.locked.append((lane, call))


class Acceptance:
    """Takes updates in. `chats` hears what becomes of chats."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        *,
        admission: Admission,
        composer: Composer,
        questions: Questions,
        chats: chat_migration.Chats,
    ) -> None:
        self._engine, self._clock = engine, clock
        self._admission, self._composer, self._questions, self._chats = admission, composer, questions, chats
        self._capabilities = admission.capabilities
        self._shows = [one.tells.shows for one in admission.capabilities if one.tells.shows is not None]
        self._interruptions = Interruptions(composer, engine, questions)
        # By tenant, since the oldest were last forgotten; of a tenant without an entry that is not known.
        self._new_strangers: dict[int, int] = {}

    def take(self, tx: Tx, tenant_id: int, updates: Sequence[Update]) -> dict[str, str]:
        """Take updates in, and return what to show to whoever pressed a button, by the update's key."""
        batch = _Batch(tx=tx, tenant_id=tenant_id, now=self._clock.now())
        for update in updates:
            self._accept(batch, update)
        self._count_strangers(batch)
        self._work(batch)
        return batch.shown

    def _count_strangers(self, batch: _Batch) -> None:
        """Count them all at once, and forget the oldest now and then: a flood of them is to hold up nobody else."""
        if not batch.away:
            return
        new = strangers.count(batch.tx, batch.tenant_id, batch.away, batch.now)
        more = self._new_strangers.get(batch.tenant_id, STRANGERS_MORE) + new
        if new and more >= STRANGERS_MORE:
            strangers.forget_oldest(batch.tx, batch.tenant_id, STRANGERS_KEPT)
            more = 0
        self._new_strangers[batch.tenant_id] = more

    def refuses(self, tx: Tx, tenant_id: int, answer: Inbound) -> str:
        """Why what would be nothing but an answer answers nothing; empty when it is one."""
        person_id, standing = self._admission.known(tx, tenant_id, answer.sender)
        seen: dict[str, Any] = {"owner": standing is Standing.OWNER, "language": pick(answer.sender.language)}
        return self._questions.refuses(tx, tenant_id, answer, person_id, **seen)

    def _accept(self, batch: _Batch, update: Update) -> None:
        match update:
            case Inbound():
                self._message(batch, update)
            case Press():
                self._press(batch, update)
            case Moved():
                self._move(batch, update)
            case Opened():
                self._opened(batch, update)
            case _:
                self._note(batch, update)

    def _note(self, batch: _Batch, update: Update) -> None:
        """What asks for no answer."""
        tx, tenant_id = batch.tx, batch.tenant_id
        match update:
            case Presence():
                self._admission.presence.changed(tx, tenant_id, update, batch.away)
            case Left():
                self._left(batch, update)
            case Returned():
                self._returned(batch, update)
            case Deleted():
                deletions.retract(tx, tenant_id, update, batch.now)
            case Profile():
                self._admission.presence.profiles.keep(tx, tenant_id, update.sender)
            case Installed():
                self._admission.presence.installed(tx, tenant_id, update)
            case Uninstalled():
                tenants.end(tx, tenant_id, batch.now)
            case Unreadable():
                inbox.insert_unreadable(tx, tenant_id, update, batch.now)

    def _left(self, batch: _Batch, left: Left) -> None:
        """Somebody is not in a group any more: who gave them something there is told once."""
        tx, tenant_id, now = batch.tx, batch.tenant_id, batch.now
        triggers.leave(tx, tenant_id, left.address, left.chat, now)
        group, person = chats.find(tx, tenant_id, left.chat), people.known(tx, tenant_id, left.address)
        if group is None or group["kind"] != "group" or person is None:
            return
        departed = Departed(tenant_id=tenant_id, scope_id=group["scope_id"], person_id=person["id"], at=now)
        given: dict[int, list[str]] = {}
        for capability in self._capabilities:
            hears = None if capability.keeps is None else capability.keeps.departed
            for giver_id, text in () if hears is None else hears(tx, departed):
                given.setdefault(giver_id, []).append(f"- {literal(text[:GIVEN_SHOWN])}")
        for giver_id, items in given.items():
            lane = people.private_lane(tx, tenant_id, giver_id)
            lane = lane or chats.lane(tx, tenant_id, Place(chat=left.chat, kind="group"), 0, now)
            shown = {"name": called(person["name"], "–"), "title": called(group["title"], "–")}
            said = self._texts(batch, lane, giver_id).say(
                "left_with_open", items="\n".join(items[:GIVEN_MOST]), **shown
            )
            self._composer.tell(tx, lane, f"left:{group['id']}:{person['id']}:{giver_id}:{now // DAY}", said)

    def _returned(self, batch: _Batch, back: Returned) -> None:
        """Somebody is in a group again: nobody is made of whom nobody has met."""
        tx, tenant_id = batch.tx, batch.tenant_id
        group, person = chats.find(tx, tenant_id, back.chat), people.known(tx, tenant_id, back.address)
        if group is None or group["kind"] != "group" or person is None:
            return
        returned = Departed(tenant_id=tenant_id, scope_id=group["scope_id"], person_id=person["id"], at=batch.now)
        for capability in self._capabilities:
            if capability.keeps is not None and capability.keeps.returned is not None:
                capability.keeps.returned(tx, returned)

    def _opened(self, batch: _Batch, opened: Opened) -> None:
        """Somebody with access looks at their page."""
        admitted = self._admission.visitor(batch.tx, batch.tenant_id, opened)
        if admitted is not None:
            for capability in self._capabilities:
                if capability.tells.looked is not None:
                    capability.tells.looked(batch.tx, self._engine, batch.tenant_id, admitted.person_id, batch.now)

    def _move(self, batch: _Batch, moved: Moved) -> None:
        row = chats.find(batch.tx, batch.tenant_id, moved.chat)
        if row is not None:
            batch.tx.lock(("chat", row["id"]))
            found = chat_migration.move(batch.tx, batch.tenant_id, moved.chat, moved.to, batch.now, hears=self._chats)
            batch.work.update(dict.fromkeys(found))

    def _work(self, batch: _Batch) -> None:
        """Take all locks, in order; then do what waited for them, and wake the lanes."""
        lane_ids = {lane.lane_id for lane, _ in batch.locked}
        batch.tx.lock(*(("lane", lane_id) for lane_id in lane_ids))
        for _, call in batch.locked:
            call()
        for lane_id in sorted(batch.work):
            lanes.mark(batch.tx, lane_id)
            self._engine.poke(batch.tx, "lane", lane_id)

    # Messages.

    def _message(self, batch: _Batch, message: Inbound) -> None:
        admitted = self._admission.message(batch.tx, batch.tenant_id, message, batch.away)
        if admitted is None:
            if told := self._admission.refusal(batch.tx, batch.tenant_id, message, batch.away):
                batch.shown[message.key] = told
            return
        message = self._as_new(batch, admitted, message)
        if refused := self._refused(batch, admitted, message):
            batch.shown[message.key] = refused
        elif message.edits:
            self._correct(batch, admitted, message)
        elif admitted.overheard:
            self._overhear(batch, admitted, message)
        elif self._admission.commands.interrupts(order_of(message)):
            self._interrupt(batch, admitted, message)
        else:
            self._enter(batch, admitted, message)

    def _as_new(self, batch: _Batch, admitted: Admitted, message: Inbound) -> Inbound:
        """An edit by which a group's message first speaks to the bot is said then: its mention was forgotten.

        What was overheard of it gives way; that keeps the key it had.
        """
        late = batch.now - message.sent_at > EDITED_WITHIN
        if not message.edits or message.chat_kind != "group" or not message.addressed or admitted.overheard or late:
            return message
        key = message.origin or message.key
        if inbox.is_from(batch.tx, admitted.lane, admitted.person_id, message.edits):
            if not journal.unhear(batch.tx, admitted.lane, admitted.person_id, message.edits):
                return message
            key = message.key
        return replace(message, key=key, edits="", sent_at=batch.now)

    def _refused(self, batch: _Batch, admitted: Admitted, message: Inbound) -> str:
        """Why what is nothing but an answer answers nothing."""
        if not message.answers:
            return ""
        seen: dict[str, Any] = {"owner": admitted.standing is Standing.OWNER}
        seen["language"] = self._texts(batch, admitted.lane, admitted.person_id)
        return self._questions.refuses(batch.tx, batch.tenant_id, message, admitted.person_id, **seen)

    def _enter(self, batch: _Batch, admitted: Admitted, message: Inbound) -> None:
        """A message to be answered."""
        until = batch.now + ALBUM_WAIT if message.album else 0
        row = inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, held_until=until)
        if row is None:
            log.debug("delivered twice: %s", message.key)
            return
        if message.attachments:
            attachments.insert(batch.tx, admitted.lane, row, message.attachments, batch.now)
        if message.album:
            inbox.wait_for_album(batch.tx, admitted.lane, message.album, until)
            batch.tx.after_commit(lambda: self._engine.wake(until))
        owner = admitted.standing is Standing.OWNER
        began = thread_question(batch.tx, batch.tenant_id, message)
        if began is not None:
            # Its lane is locked in turn.
            batch.later(began.lane, lambda: None)
        batch.later(
            admitted.lane,
            lambda: self._hear(batch, admitted, message, row, owner=owner),
        )

    def _hear(self, batch: _Batch, admitted: Admitted, message: Inbound, row: int, *, owner: bool) -> None:
        if not owner and is_for_another(batch.tx, batch.tenant_id, message, admitted.person_id):
            inbox.settle(batch.tx, admitted.lane, row, batch.now)
            words = self._texts(batch, admitted.lane, admitted.person_id)["not_your_question"]
            audience: dict[str, Any] = (
                {"response_url": message.response_url, "only_for": message.sender.address}
                if message.response_url
                else {}
            )
            self._composer.tell(batch.tx, admitted.lane, f"not-yours:{message.key}", words, **audience)
            return
        self._questions.hear(batch.tx, admitted.lane, admitted.person_id, message, row, owner=owner)
        batch.work[admitted.lane.lane_id] = None

    def _correct(self, batch: _Batch, admitted: Admitted, message: Inbound) -> None:
        """An edit: no second answer, but what the message has set is changed."""
        before = inbox.answered_by(batch.tx, admitted.lane, admitted.person_id, message.edits)
        if inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE) is None:
            return
        batch.later(admitted.lane, lambda: inbox.correct(batch.tx, admitted.lane, message))
        if before is not None and before[1].strip() != message.text.strip() and not message.forwarded:
            batch.later(admitted.lane, lambda: self._change(batch, admitted, message, before[0]))

    def _change(self, batch: _Batch, admitted: Admitted, message: Inbound, run_id: int) -> None:
        """What stands now in a message that a run has answered goes to what that has set, as a button there would."""
        lane, person_id, text = admitted.lane, admitted.person_id, message.text.strip()
        hooks = (capability.understands.edited for capability in self._capabilities)
        changes = (edited(batch.tx, lane, person_id, run_id, text) for edited in hooks if edited is not None)
        found = next(filter(None, changes), None)
        if found is None:
            return
        keyboard_id, line = found
        said = replace(message, key=f"edit:{message.key}", origin="", edits="", text=line)
        if inbox.insert(batch.tx, lane, person_id, said, batch.now, pressed=keyboard_id) is not None:
            batch.work[lane.lane_id] = None

    def _overhear(self, batch: _Batch, admitted: Admitted, message: Inbound) -> None:
        row = inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE)
        if row is None:
            return
        name, text = message.sender.name, message.text
        if text:
            journal.overhear(batch.tx, admitted.lane, admitted.person_id, name, text, message.sent_at, inbox_id=row)

    # What passes the lane's lease.

    def _interrupt(self, batch: _Batch, admitted: Admitted, message: Inbound) -> None:
        """/stop and /cancel are done at once, whoever holds the lane."""
        if inbox.insert(batch.tx, admitted.lane, admitted.person_id, message, batch.now, state=InboxState.DONE) is None:
            return
        interruption = Interruption(batch.tx, admitted, message, batch.now)
        for lane in self._interruptions.reach(interruption):
            batch.later(lane, partial(self._interruptions.within, interruption, lane))
        batch.later(admitted.lane, lambda: batch.work.update(self._interruptions.end(interruption)))

    def _texts(self, batch: _Batch, lane: LaneKey, person_id: int) -> Language:
        return self._composer.language(people.participant(batch.tx, lane, person_id))

    # Buttons.

    def _press(self, batch: _Batch, press: Press) -> None:
        """A button was pressed; whoever has access is shown what became of it."""
        tx, tenant_id = batch.tx, batch.tenant_id
        standing = self._admission.presser(tx, tenant_id, press, batch.away)
        if not may(standing, Standing.GUEST):
            return
        found = PRESSED.fullmatch(press.data)
        # What only they see may belong to their own conversation, though it is shown here.
        own = press.sender.address if press.response_url else ""
        keyboard_row = keyboards.find(tx, tenant_id, press.chat, found[1], own) if found is not None else None
        if keyboard_row is None or found is None or int(found[2]) >= len(keyboard_row.offers):
            batch.shown[press.key] = pick(press.sender.language)["unknown_button"]
            return
        heard_always = keyboard_row.question_id is None and self._admission.commands.for_everybody(
            keyboard_row.offers[int(found[2])][1]
        )
        if not heard_always and self._admission.ignores(tx, tenant_id, press):
            batch.shown[press.key] = self._composer.texts(tx, keyboard_row.lane, press.sender.language)["ignored_press"]
            return
        person_id, _ = self._admission.presence.profiles.meet(tx, tenant_id, press.sender)
        admitted = Admitted(person_id=person_id, lane=keyboard_row.lane, standing=standing)
        n = int(found[2])
        batch.shown[press.key] = ""
        batch.later(keyboard_row.lane, lambda: self._pressed(batch, press, admitted, keyboard_row, n))

    def _pressed(self, batch: _Batch, press: Press, admitted: Admitted, keyboard_row: KeyboardRow, n: int) -> None:
        owner = admitted.standing is Standing.OWNER
        language = self._texts(batch, keyboard_row.lane, admitted.person_id)
        if keyboard_row.question_id is not None:
            seen: dict[str, Any] = {"owner": owner, "language": language, "response_url": press.response_url}
            shown = self._questions.press(batch.tx, keyboard_row, n, admitted.person_id, **seen)
        elif not (keyboard_row.is_for(admitted.person_id) or owner):
            shown = language["not_your_button"]
        else:
            shown = self._say(batch, press, admitted, keyboard_row, n) or language["already_pressed"]
            # A page shows by itself what became of a press.
            shown = "" if any(shows(keyboard_row) for shows in self._shows) else shown
        counts = shown == keyboard_row.offers[n][0]
        batch.shown[press.key] = "" if counts and not press.toasts else shown

    def _say(self, batch: _Batch, press: Press, admitted: Admitted, keyboard_row: KeyboardRow, n: int) -> str:
        """A button asks for something for whoever presses it, with their rights; nothing when it was used up.

        Of an intent its label is the text.
        """
        label, said = keyboard_row.offers[n]
        if keyboard_row.once and said == SHARE:
            # What is shared stays to be taken back.
            if not keyboards.end(batch.tx, keyboard_row, batch.now):
                return ""
        elif keyboard_row.once:
            line = " — ".join(literal(part) for part in (label, press.sender.name) if part)
            if not self._composer.edits.close(batch.tx, keyboard_row, f"✅ {line}", response_url=press.response_url):
                return ""
        message = Inbound(
            key=press.key,
            chat=press.chat,
            sender=press.sender,
            text=label if isinstance(said, Intent) else said,
            sent_at=batch.now,
            raw=press.raw,
            thread=press.thread,
            chat_kind=press.chat_kind,
            response_url=press.response_url,
        )
        asks: dict[str, Any] = {
            "pressed": keyboard_row.keyboard_id,
            "intent": said if isinstance(said, Intent) else None,
        }
        if inbox.insert(batch.tx, keyboard_row.lane, admitted.person_id, message, batch.now, **asks) is not None:
            batch.work[keyboard_row.lane.lane_id] = None
        return label
