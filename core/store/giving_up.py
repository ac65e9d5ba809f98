"""What fails again and again is given up by one rule: after three tries it is a dead row, the owners get a notice, and
nothing waits for it (STATES: What fails again and again).

A run, and a message that may have arrived, depend on others: they are tried again later, and their rows count that.
What depends on the database alone is tried again at once. What the database itself refuses makes no dead row: it may do
tomorrow what it does not do today. It is tried again for ever, later and later, beside all others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Hashable

from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Database, Tx
from core.kernel.types import Millis

log = logging.getLogger(__name__)

TRIES = 3
# Seconds until what the database refused is tried again; with each try it is twice as long.
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 60.0


class RefusedRows:
    """Rows that the database refused since the start, by number: how often, and until when by the monotonic clock each
    is left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.rows: dict[int, tuple[int, float]] = {}

    def left_alone(self) -> list[int]:
        """Return the rows that are not tried now, by number."""
        now = self._clock.monotonic()
        return [number for number, (_, until) in self.rows.items() if until > now]

    def next_try(self) -> Millis | None:
        """Return when one of those is tried again, if there is one."""
        pauses = [self.rows[number][1] - self._clock.monotonic() for number in self.left_alone()]
        return self._clock.now() + round(min(pauses) * 1000) + 1 if pauses else None

    def put_off(self, number: int) -> tuple[int, float]:
        """Leave a row alone for a while; returns how often it was refused, and the seconds."""
        times = self.rows.get(number, (0, 0.0))[0] + 1
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(times - 1, 10))
        self.rows[number] = times, self._clock.monotonic() + pause
        return times, pause

    def keep(self, numbers: Collection[int]) -> None:
        """Forget all rows but these: the others were tried, and not refused."""
        self.rows = {number: self.rows[number] for number in numbers if number in self.rows}


async def try_or_give_up(
    db: Database, what: str, wanted: Callable[[Tx], None], *endings: Callable[[Tx], None], order: Hashable = None
) -> bool:
    """Do what is wanted, or the first of the `endings` that can be done; return False when none can be.

    Each is a transaction of its own: the last ending says nothing to anybody, and so can hardly fail. `what` is said in
    the log; `order` as in `Database.write`. Raises `StorageError`: that is not the row's fault.
    """
    for attempt in (*[wanted] * TRIES, *endings):
        try:
            await db.write(attempt, order=order)
            return True
        except StorageError:
            raise
        except Exception:
            log.exception("%s: %s cannot be done", what, attempt.__name__)
    return False
