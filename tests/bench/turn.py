"""What it costs a run to find memories that matter: among some that nearly all match, and where no room is left."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.capabilities.memory import finding, repository
from core.capabilities.memory.models import NewMemory
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Message, Role
from core.store.text_index import index
from core.store.text_index.index import Document
from tests.calling import claimed
from tests.fakes import house

ALIKE, FULL, LINES, TURNS = 150, 10_000, 90_000, 100
LINE = "line"  # what was said; the lines themselves are not needed


def alike(number: int) -> Iterator[str]:
    """Yield memories that have nearly all words in common."""
    for n in range(number):
        yield f"the recipe {n} of the otter dish {n % 7} takes {n % 9} spoons: " + "salt pepper butter flour " * 6


async def recalled(
    db: Database, memories: Sequence[str], lines: Sequence[str], questions: Sequence[str]
) -> tuple[float, float]:
    """Return the ms of CPU that a turn's recall takes this process, at the median and at the 95th percentile."""
    with tempfile.TemporaryDirectory() as folder:
        home = await house(db, Path(folder), "Well.")
        await home.hear("hello there, what do you think?")
        run = await claimed(home)
        await _fill(db, run.lane, memories, lines, home.clock.now())
        taken = []
        for question in questions:
            message = Message(inbox_id=1, text=question, sent_at=home.clock.now(), platform_id="1")
            began = time.process_time()
            await finding.matters(run.context(Role.TELLER), [message])
            taken.append((time.process_time() - began) * 1000)
    taken.sort()
    return taken[len(taken) // 2], taken[len(taken) * 95 // 100]


async def _fill(db: Database, lane: LaneKey, memories: Sequence[str], lines: Sequence[str], now: int) -> None:
    def remember(tx: Tx, some: Sequence[str]) -> None:
        for text in some:
            repository.insert(tx, lane, NewMemory(content=text, person_id=1), now)

    def talk(tx: Tx, some: Sequence[tuple[int, str]]) -> None:
        index.add(
            tx,
            [
                Document(
                    tenant_id=lane.tenant_id, scope_id=lane.scope_id, kind=LINE, owner_id=n, text=text, at=n * 60_000
                )
                for n, text in some
            ],
        )

    for begin in range(0, len(memories), 500):
        await db.write(lambda tx, some=memories[begin : begin + 500]: remember(tx, some))  # type: ignore[misc]
    numbered = list(enumerate(lines, 1_000_000))
    for begin in range(0, len(lines), 1_000):
        await db.write(lambda tx, some=numbered[begin : begin + 1_000]: talk(tx, some))  # type: ignore[misc]
    await db.write(lambda tx: tx.run("ANALYZE document"))


async def measured(db: Database, texts: Callable[[int], Iterator[str]], memories: int, lines: int) -> list[float]:
    """Return what `recalled` does, of so many memories and lines, for what people say in eight words of each text."""
    chance = random.Random(5)
    questions = [" ".join(chance.sample(text.split(), 8)) for text in texts(TURNS) if len(text.split()) >= 8]
    known = list(texts(memories + lines))
    return list(await recalled(db, known[:memories], known[memories:], questions))
