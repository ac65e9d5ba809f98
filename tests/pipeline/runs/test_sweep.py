"""The sweep asks capabilities what is due."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.all import CAPABILITIES
from core.kernel.errors import StorageAway
from core.kernel.ports import Database, Tx
from core.kernel.types import Millis
from core.pipeline.runs.sweep import AGAIN
from core.toolkit.capability import Capability, Schedules
from core.toolkit.services import Services
from tests.fakes import START, house

pytestmark = pytest.mark.databases("sqlite")


async def test_a_capability_says_when_its_next_row_is_due(database: Database, tmp_path: Path) -> None:
    asked: list[Millis] = []

    def due(services: Services, tx: Tx, now: Millis) -> Millis | None:
        asked.append(now)
        return now + 7_000 if len(asked) == 1 else None

    capability = Capability(name="pigeons", schedules=Schedules(due=due))
    home = await house(database, tmp_path, model=False, capabilities=(*CAPABILITIES, capability))
    assert await home.app.scheduler.due() == START + 7_000
    assert await home.app.scheduler.due() is None
    assert asked == [START, START]


class Refusing:
    """A database that reads, and takes none of the writes that are named."""

    def __init__(self, db: Database, *refused: str) -> None:
        self._db, self.refused = db, refused
        self.seen: list[str] = []

    async def write(self, fn: Callable[[Tx], Any], **options: Any) -> Any:
        self.seen.append(getattr(fn, "__name__", ""))
        if self.seen[-1] in self.refused:
            raise StorageAway("cannot execute UPDATE in a read-only transaction")
        return await self._db.write(fn, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


async def test_what_cannot_be_fired_is_not_tried_again_at_once(database: Database, tmp_path: Path) -> None:
    refusing: Any = Refusing(database)
    home = await house(refusing, tmp_path, model=False)
    await home.hear("remind me in 1 minute to stretch")
    await home.work()
    home.clock.advance(120)
    refusing.refused = ("fire_triggers",)
    assert await home.app.scheduler.due() == home.clock.now() + AGAIN
    refusing.refused = ()
    await home.app.scheduler.due()
    assert await home.column("SELECT state FROM trigger") == ["done"]


async def test_what_comes_due_is_not_late_for_what_cannot_be_fired(database: Database, tmp_path: Path) -> None:
    refusing: Any = Refusing(database)
    home = await house(refusing, tmp_path, model=False)
    for minutes in (1, 2):
        await home.hear(f"remind me in {minutes} minutes to stretch")
        await home.work()
    (soon,) = await home.column("SELECT max(next_at) FROM trigger")
    home.clock.advance(118)
    refusing.refused = ("fire_triggers",)
    assert await home.app.scheduler.due() == soon < home.clock.now() + AGAIN


async def test_what_only_the_first_look_finds_is_looked_for_until_that_went_well(
    database: Database, tmp_path: Path
) -> None:
    refusing: Any = Refusing(database, "let_in")
    home = await house(refusing, tmp_path, model=False)
    await home.app.scheduler.due()
    refusing.refused, refusing.seen = (), []
    await home.app.scheduler.due()
    await home.app.scheduler.due()
    assert refusing.seen.count("let_in") == 1
