"""What is due: one look at everything that waits for a time, and the instant of the next look."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from core.kernel.ports import Tx
from core.kernel.types import MINUTE, Millis
from core.scheduling import repository as triggers
from core.scheduling.firing import Triggers
from core.store.conversation import lanes, outbox, questions
from core.store.people import people
from core.toolkit.capability import Schedules
from core.toolkit.services import Services

log = logging.getLogger(__name__)

JUMP: Millis = 10_000
LOST_AFTER: Millis = MINUTE
SOON: Millis = 1_000
# What failed is due still: so long it waits for the next look.
AGAIN: Millis = 5_000


class Scheduler:
    """Pokes due lanes and chats, ends questions whose time is up, fires triggers, and asks capabilities what is due."""

    def __init__(
        self,
        services: Services,
        *,
        settle: Callable[[Millis], Awaitable[int]],
        expire: Callable[[], Awaitable[bool]],
    ) -> None:
        self._services, self._settle, self._expire = services, settle, expire
        self._db, self._engine, self._clock = services.db, services.engine, services.clock
        self._serves, self._triggers = services.serves, services.get(Triggers)
        self._asked = [hooks.due for hooks in services.every(Schedules) if hooks.due is not None]
        self._drift = self._wall_ahead()
        self._looked = False

    async def due(self) -> Millis | None:
        """Poke what is due now; return when the next row is, or None."""
        now, before = self._clock.now(), self._drift
        self._drift = self._wall_ahead()
        set_back = before - self._drift > JUMP
        if set_back:
            ahead = (before - self._drift) / 1000
            log.warning("the wall clock was set back by %.0f s; what waits is tried now", ahead)
        more, failed = False, False
        try:
            more = await self._expire()
        except Exception:
            # Whatever is wrong with questions, it keeps nothing else waiting.
            log.exception("questions could not be ended; next try with the next look")
            failed = True
        try:
            await self._fire_triggers(now, set_back=set_back or not self._looked)
        except Exception:
            log.exception("triggers could not be fired; next try with the next look")
            failed = True
        try:
            if await self._settle(now - LOST_AFTER):
                log.warning("sends whose outcome was lost are in doubt")
        except Exception:
            log.exception("sends in doubt could not be decided; next try with the next look")
            failed = True

        # In this order: a pause that ends in between is looked at once too often, not left out.
        refused = self._triggers.broken.refused
        next_try, left_alone = (refused.next_try(), refused.left_alone()) if refused.rows else (None, [])

        def sweep(tx: Tx) -> Millis | None:
            if set_back:
                lanes.forget_times(tx)
            elsewhere = people.elsewhere(tx, self._serves)
            due = lanes.due(tx, now, elsewhere=elsewhere)
            for lane_id in due:
                self._engine.poke(tx, "lane", lane_id)
            for chat_id, bulk in outbox.due(tx, now).items():
                self._engine.poke(tx, "chat", chat_id, bulk=bulk)
            waits = (
                lanes.next_due(tx, now),
                outbox.next_due(tx, now),
                questions.next_due(tx, now),
                triggers.next_due(tx, elsewhere, left_alone, after=now if failed else 0),
                next_try,
                *(ask(self._services, tx, now) for ask in self._asked),
                # More may be due than one look finds: the next look is soon.
                now + SOON if more or len(due) == lanes.DUE else None,
                now + AGAIN if failed else None,
            )
            # What comes due meanwhile is not late for what failed.
            times = [at for at in waits if at is not None and (at > now or not failed)]
            return min(times, default=None)

        return await self._db.write(sweep)

    async def _fire_triggers(self, now: Millis, *, set_back: bool) -> None:
        """All that is due by `now`, some at a time, so that nobody else waits for it long.

        What comes due meanwhile is for the next look, so that this one ends. A clock set back while nobody looked, and
        whom a changed configuration lets in again, are found at the first look.
        """
        if not self._looked:
            await self._db.write(self._triggers.let_in)
        if set_back:
            await self._db.write(self._triggers.set_back)
        self._looked = True
        while await self._triggers.fire(self._db, lambda tx: people.elsewhere(tx, self._serves), now):
            pass

    def _wall_ahead(self) -> Millis:
        """Return how far the wall clock is ahead of the monotonic one; constant unless somebody sets it."""
        return self._clock.now() - round(self._clock.monotonic() * 1000)
