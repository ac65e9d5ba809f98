"""A clock that goes on while it is looked at, as real ones do: nothing may need two looks to show the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Millis
from tests.commanding import said
from tests.fakes import FakeClock, house

pytestmark = pytest.mark.databases("sqlite")


class Ticking(FakeClock):
    """A clock that is a millisecond later with each look."""

    def now(self) -> Millis:
        self.jump(0.001)
        return super().now()


async def test_done_is_about_the_reminder_that_was_the_last_thing_said(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False, clock=Ticking())
    await said(home, "hello")
    for text in ("rest", "stretch"):
        await said(home, f"/remind in 1 minute to {text}")
        home.clock.advance(61)
        await home.sweep()
    assert await said(home, "done") == "⏰ stretch\n✅ 14:15\n✅"
    assert await home.column("SELECT state FROM reminder ORDER BY id") == ["open", "done"]
