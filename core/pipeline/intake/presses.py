"""Presses of buttons as they are accepted."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from core.delivery.composer import Composer
from core.kernel import ids
from core.kernel.access import may
from core.kernel.intent import Intent
from core.kernel.markdown import literal
from core.kernel.ports import Engine, Tx
from core.kernel.types import Inbound, Press, Standing
from core.language import pick
from core.pipeline.intake.admission import Admission
from core.pipeline.intake.batch import Batch
from core.pipeline.intake.conversations import Admitted
from core.pipeline.runs.questions import Questions
from core.store.conversation import inbox, keyboards, tasks
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.shown_tasks import SHOW_TASK
from core.store.conversation.tasks import STOP_TASK
from core.store.people import groups, people
from core.toolkit import intents
from core.toolkit.former_lines import SHARES

PRESSED = re.compile(r"([A-Za-z0-9_-]{22}):(0|[1-9][0-9]?)")


class Presses:
    """Accepts presses: one decides the question it answers, or says what the button says."""

    def __init__(self, engine: Engine, *, admission: Admission, composer: Composer, questions: Questions) -> None:
        self._engine = engine
        self._admission, self._composer, self._questions = admission, composer, questions
        self._shows = [one.tells.shows for one in admission.capabilities if one.tells.shows is not None]

    def accept(self, batch: Batch, press: Press) -> None:
        """A button was pressed; whoever has access is shown what became of it."""
        tx, tenant_id = batch.tx, batch.tenant_id
        press = self._where_it_hangs(tx, tenant_id, press) if press.chat_kind == "group" else press
        standing, opted_out = self._admission.presser(tx, tenant_id, press, batch.away)
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
        if opted_out and not heard_always:
            batch.shown[press.key] = self._composer.texts(tx, keyboard_row.lane, press.sender.language)["ignored_press"]
            return
        person_id, _ = self._admission.presence.profiles.meet(tx, tenant_id, press.sender)
        admitted = Admitted(person_id=person_id, lane=keyboard_row.lane, standing=standing)
        n = int(found[2])
        batch.shown[press.key] = ""
        batch.later.append(([keyboard_row.lane], lambda: self._pressed(batch, press, admitted, keyboard_row, n)))

    def _where_it_hangs(self, tx: Tx, tenant_id: int, press: Press) -> Press:
        """Return a press in a group that names its former id, below what was shown before it moved, as one there.

        Who has left it since presses in no chat, and so does who is let in by the group alone and was not heard there.
        """
        moved = groups.moved(tx, tenant_id, press.chat, press.sender.address)
        if moved is None:
            return press
        to, there = moved
        if there is None:
            there = may(self._admission.known(tx, tenant_id, press.sender)[1], Standing.MEMBER)
        return replace(press, chat=to) if there else press

    def _pressed(self, batch: Batch, press: Press, admitted: Admitted, keyboard_row: KeyboardRow, n: int) -> None:
        owner, asks = admitted.standing is Standing.OWNER, keyboard_row.offers[n][1]
        language = self._composer.language(people.participant(batch.tx, keyboard_row.lane, admitted.person_id))
        if keyboard_row.question_id is not None:
            seen: dict[str, Any] = {"owner": owner, "language": language, "response_url": press.response_url}
            shown = self._questions.press(batch.tx, keyboard_row, n, admitted.person_id, **seen)
        elif not keyboard_row.is_for(admitted.person_id) and not (owner and not self._admission.commands.named(asks)):
            shown = language["not_your_button"]
        else:
            shown = self._say(batch, press, admitted, keyboard_row, n) or language["already_pressed"]
            # A page shows by itself what became of a press.
            shown = "" if any(shows(keyboard_row) for shows in self._shows) else shown
        counts = shown == keyboard_row.offers[n][0]
        batch.shown[press.key] = "" if counts and not press.toasts else shown

    def _say(self, batch: Batch, press: Press, admitted: Admitted, keyboard_row: KeyboardRow, n: int) -> str:
        """A button asks for something for whoever presses it, with their rights; nothing when it was used up.

        Of an intent its label is the text.
        """
        label, said = keyboard_row.offers[n]
        if keyboard_row.once and said in SHARES:
            # What is shared stays to be taken back.
            if not keyboards.end(batch.tx, keyboard_row, batch.now):
                return ""
        elif keyboard_row.once:
            line = " — ".join(literal(part) for part in (label, press.sender.name) if part)
            if not self._composer.edits.close(batch.tx, keyboard_row, f"✅ {line}", response_url=press.response_url):
                return ""
        if isinstance(said, Intent) and said.name == intents.STOP_TASK:
            if keyboard_row.ended:
                return ""
            self._stop_task(batch, admitted, keyboard_row, str(said.arguments["task"]))
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

    def _stop_task(self, batch: Batch, admitted: Admitted, keyboard_row: KeyboardRow, task_id: str) -> None:
        """A task of the chat is stopped when the press is accepted, whoever holds the lane: by its person and owners.
        Of anybody else the platform must be asked whether they may, when the press is carried out."""
        number = ids.number("t", task_id)
        task = None if number is None else tasks.find(batch.tx, keyboard_row.lane, number)
        if task is None or task.lane.lane_id != keyboard_row.lane.lane_id:
            return
        if task.person_id != admitted.person_id and admitted.standing is not Standing.OWNER:
            return
        if tasks.stop(batch.tx, task):
            if keyboard_row.message_key == f"{task.message_key}:0":
                keyboards.end(batch.tx, keyboard_row, batch.now)
            self._engine.poke(batch.tx, STOP_TASK, task.task_id)
            self._engine.poke(batch.tx, SHOW_TASK, task.task_id)
