"""Accepting presses of buttons."""

from __future__ import annotations

import re
from dataclasses import replace

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
    """Accepts presses: a press answers the question of its button, or counts as a message that asks for its intent."""

    def __init__(self, engine: Engine, *, admission: Admission, composer: Composer, questions: Questions) -> None:
        self._engine = engine
        self._admission, self._composer, self._questions = admission, composer, questions
        self._shows = [one.tells.shows for one in admission.capabilities if one.tells.shows is not None]

    def accept(self, batch: Batch, press: Press) -> None:
        """Take a press in, and note what the platform shows to whoever pressed, if they have access."""
        tx, tenant_id = batch.tx, batch.tenant_id
        press = self._where_it_hangs(tx, tenant_id, press) if press.chat_kind == "group" else press
        standing, opted_out = self._admission.presser(tx, tenant_id, press, batch.turned_away)
        if not may(standing, Standing.GUEST):
            return
        found = PRESSED.fullmatch(press.data)
        # A message that only they see may belong to their own conversation, though it is shown here.
        own = press.sender.address if press.response_url else ""
        keyboard_row = keyboards.find(tx, tenant_id, press.chat, found[1], own) if found is not None else None
        if keyboard_row is None or found is None or int(found[2]) >= len(keyboard_row.offers):
            batch.to_show[press.key] = pick(press.sender.language)["unknown_button"]
            return
        heard_always = keyboard_row.question_id is None and self._admission.commands.for_everybody(
            keyboard_row.offers[int(found[2])][1]
        )
        if opted_out and not heard_always:
            batch.to_show[press.key] = self._composer.texts(tx, keyboard_row.lane, press.sender.language)[
                "ignored_press"
            ]
            return
        person_id, _ = self._admission.presence.profiles.meet(tx, tenant_id, press.sender)
        admitted = Admitted(person_id=person_id, lane=keyboard_row.lane, standing=standing)
        n = int(found[2])
        batch.to_show[press.key] = ""
        batch.deferred.append(([keyboard_row.lane], lambda: self._pressed(batch, press, admitted, keyboard_row, n)))

    def _where_it_hangs(self, tx: Tx, tenant_id: int, press: Press) -> Press:
        """Return a press below a message that a group had before it moved to another id as a press in the group.

        It stays in the former chat, where nothing is found, for somebody who has left the group since, or whom only the
        group lets in and who was never heard there.
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
            shown = self._questions.press(
                batch.tx,
                keyboard_row,
                n,
                admitted.person_id,
                owner=owner,
                language=language,
                response_url=press.response_url,
            )
        elif not keyboard_row.is_for(admitted.person_id) and not (owner and not self._admission.commands.named(asks)):
            shown = language["not_your_button"]
        else:
            shown = self._say(batch, press, admitted, keyboard_row, n) or language["already_pressed"]
            # A page shows by itself what became of a press.
            shown = "" if any(shows(keyboard_row) for shows in self._shows) else shown
        counts = shown == keyboard_row.offers[n][0]
        batch.to_show[press.key] = "" if counts and not press.toasts else shown

    def _say(self, batch: Batch, press: Press, admitted: Admitted, keyboard_row: KeyboardRow, n: int) -> str:
        """Store what the button asks for as a message of whoever pressed it, with their rights, and return its label;
        nothing when the button was used up.

        The text of the message is the label; of a button of a former version it is the command line.
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
        row = inbox.insert(
            batch.tx,
            keyboard_row.lane,
            admitted.person_id,
            message,
            batch.now,
            pressed=keyboard_row.keyboard_id,
            intent=said if isinstance(said, Intent) else None,
        )
        if row is not None:
            batch.with_work[keyboard_row.lane.lane_id] = None
        return label

    def _stop_task(self, batch: Batch, admitted: Admitted, keyboard_row: KeyboardRow, task_id: str) -> None:
        """Stop a task of the chat at once, whoever holds the lane, if its own person or an owner pressed.

        Whether anybody else may stop it is asked of the platform, when the press is carried out.
        """
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
