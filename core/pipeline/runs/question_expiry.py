"""Questions whose time is up: each gets its default, or ends without an answer."""

from __future__ import annotations

import logging

from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Database, Serves, Tx
from core.pipeline.runs.questions import Hears, Questions
from core.store.conversation import questions
from core.store.conversation.questions import Question
from core.store.giving_up import try_or_give_up
from core.store.people import people

log = logging.getLogger(__name__)

AT_ONCE = 500


class Expiry:
    """Ends questions in time: only where the platform is heard, since a press made in time may still lie with it."""

    def __init__(self, asked: Questions, db: Database, clock: Clock, hears: Hears, serves: Serves) -> None:
        self._asked, self._db, self._clock, self._hears, self._serves = asked, db, clock, hears, serves

    async def expire(self) -> bool:
        """End every open question whose time is up; returns whether to look again soon.

        What is due where it is served, and not heard just now, is looked at again soon; so are more than one look
        takes. One that cannot be ended is withdrawn, which the owners are told, and holds up nobody.
        """

        def expire_questions(tx: Tx) -> None:
            due = self._due(tx)
            tx.lock(*(("lane", question.lane.lane_id) for question in due))
            for question in due:
                self._asked.expire(tx, question)

        # Hardly ever is there one: only then is anything written.
        due, more = await self._db.read(self._look)
        if not due:
            return more
        try:
            await self._db.write(expire_questions)
            return more
        except StorageError:
            raise
        except Exception:
            log.exception("questions cannot be ended together; one by one")
            ended = [await self._alone(question) for question in due]
            return any(ended) and more

    def _look(self, tx: Tx) -> tuple[list[Question], bool]:
        """Return what is due, and whether more is: of tenants that are served here and not heard, too."""
        due, deaf = self._due(tx), people.elsewhere(tx, self._hears)
        unheard = set(deaf).difference(people.elsewhere(tx, self._serves)) if deaf else ()
        return due, len(due) == AT_ONCE or questions.any_due(tx, self._clock.now(), unheard)

    def _due(self, tx: Tx) -> list[Question]:
        return questions.due(tx, self._clock.now(), AT_ONCE, elsewhere=people.elsewhere(tx, self._hears))

    async def _alone(self, question: Question) -> bool:
        def expire_question(tx: Tx) -> None:
            tx.lock(("lane", question.lane.lane_id))
            self._asked.expire(tx, question)

        def give_up_question(tx: Tx) -> None:
            self._asked.let_go(tx, question, tells=True)

        def withdraw_question(tx: Tx) -> None:
            self._asked.let_go(tx, question, tells=False)

        what = f"the end of question {question.question_id}"
        return await try_or_give_up(self._db, what, expire_question, give_up_question, withdraw_question)
