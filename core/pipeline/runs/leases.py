"""Keeping the leases of this process alive."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Callable, Collection

from core.kernel.ports import Clock, Database, Tx
from core.store.conversation import lanes, tasks

log = logging.getLogger(__name__)

TTL = 60.0


def new_owner() -> str:
    """Return a name no other process has: host, process and a random part."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


async def keep(
    db: Database,
    clock: Clock,
    owner: str,
    at_work: Callable[[], Collection[int]],
    tasks_at_work: Collection[int] = (),
    ttl: float = TTL,
) -> None:
    """Renew the leases of the lanes and tasks `at_work` every third of `ttl` seconds, for ever; say so when the loop
    lagged.

    A lease that nobody works under runs out, so that the lane is found again; one that ran out meanwhile does no harm:
    every write of its holder is fenced by the epoch.
    """
    while True:
        before = clock.monotonic()
        await clock.sleep(ttl / 3)
        lag = clock.monotonic() - before - ttl / 3
        if lag > ttl / 3:
            log.warning("the event loop lagged %.1f s; leases may have run out", lag)

        def renew(tx: Tx) -> int:
            until = round(ttl * 1000)
            return lanes.renew(tx, owner, at_work(), until) + tasks.renew(tx, owner, list(tasks_at_work), until)

        try:
            await db.write(renew)
        except Exception:  # a bug must not end it: without renewal every lane is lost
            log.exception("leases could not be renewed; next try in %.0f s", ttl / 3)
