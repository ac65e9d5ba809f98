"""Whether the ledger is whole: every night all of it is walked through, and owners are told what is not."""

from __future__ import annotations

import hashlib
import logging

from core.delivery.composer import Composer
from core.kernel.errors import StorageError
from core.kernel.markdown import lines
from core.kernel.ports import Tx
from core.toolkit.ledger.ledger import Ledger
from core.toolkit.services import Services

log = logging.getLogger(__name__)

# Seconds between two pages: messages go first. And until a page that failed is read again, and how often.
PAUSE, AGAIN, TRIES = 0.02, 60.0, 5
TOLD = 3


async def verify(services: Services) -> None:
    """Walk through the ledger page by page, and tell the owners once of each finding. Raises `StorageError`.

    A page that could not be read is read again later: the walk goes on from there.
    """
    walk, more, failed = services.get(Ledger).verification(), True, 0
    while more:
        try:
            more = await services.db.read(walk.page)
            pause, failed = PAUSE, 0
        except StorageError:
            failed += 1
            if failed == TRIES:
                raise
            pause = AGAIN
        await services.clock.sleep(pause)
    if not walk.report.problems:
        log.info("the ledger is whole: %s rows, %s of them with erased bodies", walk.report.rows, walk.report.erased)
        return
    problems = walk.report.problems
    log.error("the ledger is NOT whole (%s findings): %s", len(problems), "; ".join(problems[:TOLD]))

    def tell_broken_ledger(tx: Tx) -> None:
        # What is found again the next night is the same finding, however many rows there are by then.
        known = "\n".join(sorted(one.partition(",")[0] for one in problems))
        key = f"ledger:{hashlib.sha256(known.encode()).hexdigest()[:16]}"
        told = lines("\n".join([*problems[:TOLD], *(["…"] if len(problems) > TOLD else [])]))
        owners = services.get(Composer).owners
        owners.tell_operators(tx, key, "ledger_broken_owner", n=len(problems), problems=told)

    await services.db.write(tell_broken_ledger)
