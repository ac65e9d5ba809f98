"""Questions whose time is up: each gets its default, or ends without an answer."""

from __future__ import annotations

import logging

from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Database, Serves, Tx
from core.pipeline.runs.questions import Hears, Questions
from core.store.conversation import questions
from core.store.conversation.questions import Question
from core.store.fallback import first_possible
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
        takes. One that cannot be ended so is withdrawn without a word, and holds up nobody.
        """

        def expire_questions(tx: Tx) -> bool:
            due = self._due(tx)
            tx.lock(*(("lane", question.lane.lane_id) for question in due))
            for question in due:
                self._asked.expire(tx, question)
            return self._more(tx, len(due))

        try:
            return await self._db.write(expire_questions)
        except StorageError:
            raise
        except Exception:
            log.exception("questions cannot be ended together; one by one")
            return await self._isolate()

    async def _isolate(self) -> bool:
        due = await self._db.read(self._due)
        ended = [await self._alone(question) for question in due]
        return any(ended) and await self._db.read(lambda tx: self._more(tx, len(due)))

    async def _alone(self, question: Question) -> bool:
        def expire_question(tx: Tx) -> None:
            tx.lock(("lane", question.lane.lane_id))
            self._asked.expire(tx, question)

        def withdraw_question(tx: Tx) -> None:
            self._asked.let_go(tx, question)

        what = f"the end of question {question.question_id}"
        return await first_possible(self._db, what, expire_question, withdraw_question)

    def _due(self, tx: Tx) -> list[Question]:
        return questions.due(tx, self._clock.now(), AT_ONCE, elsewhere=people.elsewhere(tx, self._hears))

    def _more(self, tx: Tx, found: int) -> bool:
        deaf = people.elsewhere(tx, self._hears)
        unheard = set(deaf).difference(people.elsewhere(tx, self._serves)) if deaf else ()
        return found == AT_ONCE or questions.any_due(tx, self._clock.now(), unheard)
