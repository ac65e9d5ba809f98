"""/stop, and /cancel with nothing behind it: done when they are accepted, past every lease (DESIGN: promise 7)."""

from __future__ import annotations

from typing import Any

from core.delivery.composer import Composer
from core.kernel.access import command_name
from core.kernel.ports import Engine, Tx
from core.kernel.types import Inbound, LaneKey, Millis, Standing
from core.pipeline.intake.conversations import Admitted
from core.pipeline.runs.questions import Questions
from core.store.conversation import inbox, lanes, tasks
from core.store.conversation.tasks import STOP_TASK
from core.store.people import people

STOP, CANCEL = "stop", "cancel"


class Interruption:
    """One of them, and what came of it so far: messages left unanswered, lanes and tasks stopped, a question
    withdrawn."""

    def __init__(self, tx: Tx, admitted: Admitted, message: Inbound, now: Millis) -> None:
        self.tx, self.admitted, self.message, self.now = tx, admitted, message, now
        self.name = command_name(message.text)
        self.waiting, self.tasks, self.withdrawn = 0, 0, False
        self.stopped: dict[int, None] = {}


class Interruptions:
    """Carries them out, lane by lane; each is locked by then."""

    def __init__(self, composer: Composer, engine: Engine, questions: Questions) -> None:
        self._composer, self._engine, self._questions = composer, engine, questions

    def reach(self, tx: Tx, admitted: Admitted, message: Inbound) -> list[LaneKey]:
        """The lanes that one is for. Where threads are conversations, one outside of all of them (Slack: it cannot be
        written elsewhere) is for each; and what somebody asked for their eyes alone is worked on in their own
        conversation."""
        lane = admitted.lane
        around = message.converses or message.chat_kind == "private"
        beside = lanes.beside(tx, lane) if around and not message.thread else []
        own = people.private_lane(tx, lane.tenant_id, admitted.person_id) if message.response_url else None
        apart = [] if own is None or own.chat_id == lane.chat_id else [own, *lanes.beside(tx, own)]
        return [lane, *beside, *apart]

    def within(self, one: Interruption, lane: LaneKey) -> None:
        """Carry it out in one lane."""
        if one.name == STOP:
            # End what was sent before it; a stop without a place among the messages follows all that is accepted.
            upto = one.message.sent_at if one.message.message_id else None
            one.waiting += inbox.drop_waiting(one.tx, lane, one.admitted.person_id, one.now, upto=upto)
            anybody = one.admitted.standing is Standing.OWNER
            if lanes.stop(one.tx, lane, one.admitted.person_id, anybody=anybody, upto=upto):
                self._engine.poke(one.tx, "stop", lane.lane_id)
                one.stopped[lane.lane_id] = None
            for task_id in tasks.stop_in(one.tx, lane, one.admitted.person_id):
                self._engine.poke(one.tx, STOP_TASK, task_id)
                one.tasks += 1
        elif not one.withdrawn:
            one.withdrawn = self._questions.withdraw(one.tx, lane, one.admitted.person_id)

    def end(self, one: Interruption) -> dict[int, None]:
        """Say what came of it, where no run or task that was stopped says so itself; returns the lanes that have work
        now."""
        if not (one.stopped or one.tasks):
            response_url = one.message.response_url
            audience: dict[str, Any] = (
                {"response_url": response_url, "only_for": one.message.sender.address} if response_url else {}
            )
            lane = one.admitted.lane
            texts = self._composer.language(people.participant(one.tx, lane, one.admitted.person_id))
            if one.name == CANCEL:
                words = texts["cancelled" if one.withdrawn else "nothing_to_cancel"]
            else:
                words = texts.say("stopped_waiting", count=one.waiting) if one.waiting else texts["nothing_to_stop"]
            self._composer.tell(one.tx, lane, f"{one.name}:{one.message.key}", words, **audience)
        return one.stopped
