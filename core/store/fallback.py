"""One row that is broken holds up no other: what cannot be done with it rests, and is logged."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable

from core.kernel.errors import StorageError
from core.kernel.ports import Database, Tx

log = logging.getLogger(__name__)


async def first_possible(db: Database, what: str, *attempts: Callable[[Tx], None], order: Hashable = None) -> bool:
    """Do the first of these that can be done, each in a transaction of its own; False when none can be.

    `what` is said in the log; `order` as in `Database.write`. Raises `StorageError`: that is not the row's fault.
    """
    for attempt in attempts:
        try:
            await db.write(attempt, order=order)
            return True
        except StorageError:
            raise
        except Exception:
            log.exception("%s: %s cannot be done", what, attempt.__name__)
    return False
