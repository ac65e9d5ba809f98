"""In the background memories and lines of the transcript get vectors, by which they are found in other words."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict

from core.capabilities.memory.models import MEMORY
from core.kernel.ports import Row, Tx
from core.store.conversation.history import MESSAGE
from core.store.text_index import vectors
from core.store.text_index.vectors import LONGEST, Encoder
from core.toolkit.services import Services

log = logging.getLogger(__name__)

# A batch takes less than a second; who has nothing to do looks again after so many seconds.
BATCH, NAP, NAP_AFTER_ERROR = 16, 5.0, 300.0
_TEXTS = {
    MEMORY: "SELECT m.id, m.content AS text FROM (VALUES :rows) AS v JOIN memory m ON m.id = v.column1",
    MESSAGE: "SELECT m.id, m.text FROM (VALUES :rows) AS v JOIN message m ON m.id = v.column1",
}


async def run(services: Services) -> None:
    """Make vectors of what has none, until cancelled; nothing where they are not switched on."""
    while (encoder := vectors.in_use()) is not None:
        nap = 0.0
        try:
            if not await batch(services, encoder):
                nap = NAP
        except Exception:  # a bug must not end it: then nothing new would be found by its meaning
            log.exception("no vectors could be made; next try in %.0f s", NAP_AFTER_ERROR)
            nap = NAP_AFTER_ERROR
        await services.clock.sleep(nap)


async def batch(services: Services, encoder: Encoder) -> int:
    """Make the next few vectors, memories first; return how many documents had none."""
    rows, texts = await services.db.read(_next)
    said = {row["id"]: text for row in rows if (text := texts.get((row["kind"], row["owner_id"]), "").strip())}
    made = await asyncio.to_thread(encoder.passages, [text[:LONGEST] for text in said.values()]) if said else []
    found = dict(zip(said, made, strict=True))
    if rows:
        kept = {row["id"]: (row["tokens"], found.get(row["id"], "")) for row in rows}
        await services.db.write(lambda tx: vectors.keep(tx, kept))
    return len(rows)


def _next(tx: Tx) -> tuple[list[Row], dict[tuple[str, int], str]]:
    rows = vectors.missing(tx, tuple(_TEXTS), BATCH)
    numbers = defaultdict(list)
    for row in rows:
        numbers[row["kind"]].append((row["owner_id"],))
    texts = {
        (kind, row["id"]): str(row["text"]) for kind, owners in numbers.items() for row in tx.many(_TEXTS[kind], owners)
    }
    return rows, texts
