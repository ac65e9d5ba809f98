"""What is due: one look at everything that waits for a time, and the instant of the next look."""

from __future__ import annotations

from core.ports import Clock, Database, Engine, Tx
from core.store import lanes, outbox
from core.types import Millis


class Scheduler:
    """Pokes due lanes and chats."""

    def __init__(self, db: Database, engine: Engine, clock: Clock) -> None:
        self._db, self._engine, self._clock = db, engine, clock

    async def due(self) -> Millis | None:
        """Poke what is due now; return when the next row is, or None."""
        now = self._clock.now()

        def sweep(tx: Tx) -> Millis | None:
            for lane_id in lanes.due(tx, now):
                self._engine.poke(tx, "lane", lane_id)
            for chat_id in outbox.due(tx, now):
                self._engine.poke(tx, "chat", chat_id)
            times = [at for at in (lanes.next_due(tx, now), outbox.next_due(tx, now)) if at is not None]
            return min(times, default=None)

        return await self._db.write(sweep)
