"""Questions whose time is up: they end only where the platform is heard, since a press made in time may still lie with
it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from core.kernel.errors import StorageAway, StorageError
from core.kernel.ports import Clock, Database, Serves, Tx
from core.pipeline.runs.question_ends import QuestionEnds
from core.store.conversation import questions
from core.store.conversation.questions import Question
from core.store.giving_up import RefusedRows, try_or_give_up
from core.store.people import people

log = logging.getLogger(__name__)

# So many end in one transaction when their time is up.
EXPIRED_AT_ONCE = 500
# Whether a tenant of a platform is heard now.
Hears = Callable[[str, str], bool]


class Expiry:
    """Ends questions in time."""

    def __init__(self, ends: QuestionEnds, db: Database, clock: Clock, hears: Hears, serves: Serves) -> None:
        self._ends, self._db, self._clock, self._hears, self._serves = ends, db, clock, hears, serves
        self._refused = RefusedRows(clock)

    async def expire(self) -> bool:
        """End every open question whose time is up; return whether to look again soon.

        What is due where it is served, and not heard just now, is looked at again soon; so are more than one look
        takes. One that cannot be ended is withdrawn, which the owners are told, and holds up nobody; one that the
        database refuses to end is tried again later.
        """
        left_alone = self._refused.left_alone() if self._refused.rows else []

        def expire_questions(tx: Tx) -> bool:
            due, more = self._look(tx, left_alone)
            tx.lock(*(("lane", question.lane.lane_id) for question in due))
            for question in due:
                self._ends.expire(tx, question)
            return more

        # Hardly ever is there one, and only then is anything written.
        due, more = await self._db.read(lambda tx: self._look(tx, left_alone))
        if not due:
            return more
        try:
            more = await self._db.write(expire_questions)
            self._refused.keep(left_alone)
            return more
        except StorageAway:
            raise
        except Exception as error:
            log.error("questions cannot be ended together; one by one", exc_info=not isinstance(error, StorageError))
            ended = [await self._expire_alone(question) for question in due]
            return any(ended) and more

    def _look(self, tx: Tx, left_alone: Collection[int]) -> tuple[list[Question], bool]:
        """Return what is due, and whether there is more: also of tenants that are served here and not heard just now.

        Who is heard is asked once: a platform may be heard again at any moment, and what it held up until then would
        count as neither.
        """
        now, not_heard = self._clock.now(), people.elsewhere(tx, self._hears)
        due = questions.due(tx, now, EXPIRED_AT_ONCE, elsewhere=not_heard, left_alone=left_alone)
        unheard = set(not_heard).difference(people.elsewhere(tx, self._serves)) if not_heard else ()
        return due, len(due) == EXPIRED_AT_ONCE or questions.any_due(tx, now, unheard)

    async def _expire_alone(self, question: Question) -> bool:
        def expire_question(tx: Tx) -> None:
            tx.lock(("lane", question.lane.lane_id))
            self._ends.expire(tx, question)

        def give_up_question(tx: Tx) -> None:
            self._ends.let_go(tx, question, tells=True)

        def withdraw_question(tx: Tx) -> None:
            self._ends.let_go(tx, question, tells=False)

        what = f"the end of question {question.question_id}"
        try:
            done = await try_or_give_up(self._db, what, expire_question, give_up_question, withdraw_question)
            self._refused.rows.pop(question.question_id, None)
            return done
        except StorageAway:
            raise
        except StorageError as error:
            times, pause = self._refused.put_off(question.question_id)
            log.error("%s: the database refuses it: %s; try %s is in %.0f s", what, error, times + 1, pause)
            return False
