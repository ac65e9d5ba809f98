"""The sweep asks capabilities what is due."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.all import CAPABILITIES
from core.kernel.ports import Database, Tx
from core.kernel.types import Millis
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
