"""/stop, and a bare /cancel, are carried out when they are accepted, and wait for no lease."""

from __future__ import annotations

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
    """An interruption, and what came of it so far: messages left unanswered, lanes and tasks stopped, a question
    withdrawn."""

    def __init__(self, tx: Tx, admitted: Admitted, message: Inbound, now: Millis) -> None:
        self.tx, self.admitted, self.message, self.now = tx, admitted, message, now
        self.name = command_name(message.text)
        self.waiting, self.tasks, self.withdrawn = 0, 0, False
        self.stopped: dict[int, None] = {}


class Interruptions:
    """Carries out interruptions, lane by lane; each lane is locked by the caller."""

    def __init__(self, composer: Composer, engine: Engine, questions: Questions) -> None:
        self._composer, self._engine, self._questions = composer, engine, questions

    def reach(self, tx: Tx, admitted: Admitted, message: Inbound) -> list[LaneKey]:
        """Return the lanes that an interruption is for.

        Where threads are conversations, one that is written outside of them is for all of them (Slack: it cannot be
        written in one). One whose answer only its sender sees is also for their private conversation, where what they
        asked that way is worked on.
        """
        lane = admitted.lane
        around = message.converses or message.chat_kind == "private"
        beside = lanes.beside(tx, lane) if around and not message.thread else []
        own = people.private_lane(tx, lane.tenant_id, admitted.person_id) if message.response_url else None
        private = [] if own is None or own.chat_id == lane.chat_id else [own, *lanes.beside(tx, own)]
        return [lane, *beside, *private]

    def within(self, interruption: Interruption, lane: LaneKey) -> None:
        """Carry an interruption out in one lane."""
        tx, admitted, message = interruption.tx, interruption.admitted, interruption.message
        if interruption.name == STOP:
            # End what was sent before it; a stop without a place among the messages follows all that is accepted.
            upto = message.sent_at if message.message_id else None
            interruption.waiting += inbox.drop_waiting(tx, lane, admitted.person_id, interruption.now, upto=upto)
            anybody = admitted.standing is Standing.OWNER
            if lanes.stop(tx, lane, admitted.person_id, anybody=anybody, upto=upto):
                self._engine.poke(tx, "stop", lane.lane_id)
                interruption.stopped[lane.lane_id] = None
            for task_id in tasks.stop_in(tx, lane, admitted.person_id):
                self._engine.poke(tx, STOP_TASK, task_id)
                interruption.tasks += 1
        elif not interruption.withdrawn:
            interruption.withdrawn = self._questions.withdraw(tx, lane, admitted.person_id)

    def end(self, interruption: Interruption) -> dict[int, None]:
        """Say what came of an interruption, unless a run or task that was stopped says so itself; return the lanes that
        have work now."""
        if interruption.stopped or interruption.tasks:
            return interruption.stopped
        tx, message, lane = interruption.tx, interruption.message, interruption.admitted.lane
        texts = self._composer.language(people.participant(tx, lane, interruption.admitted.person_id))
        if interruption.name == CANCEL:
            words = texts["cancelled" if interruption.withdrawn else "nothing_to_cancel"]
        elif interruption.waiting:
            words = texts.say("stopped_waiting", count=interruption.waiting)
        else:
            words = texts["nothing_to_stop"]
        self._composer.tell(
            tx,
            lane,
            f"{interruption.name}:{message.key}",
            words,
            response_url=message.response_url,
            only_for=message.sender.address if message.response_url else "",
        )
        return interruption.stopped
