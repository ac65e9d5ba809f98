"""What fails again and again is given up by one rule: after three tries it is a dead row, the owners get a notice, and
nothing waits for it (STATES: What fails again and again).

A run, and a message that may have arrived, depend on others: they are tried again later, and their rows count that.
What depends on the database alone is tried again at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable

from core.kernel.errors import StorageError
from core.kernel.ports import Database, Tx

log = logging.getLogger(__name__)

TRIES = 3


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
