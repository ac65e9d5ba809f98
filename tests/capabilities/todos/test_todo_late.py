"""The time within an item is meant from when it was written, whenever it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import home

pytestmark = pytest.mark.databases("sqlite")

DAY = 86_400
# The house's clock begins on 21 September 2026.
ON_TUESDAY = {"content": "call Bob", "due_on": "2026-09-22", "due_at": None}
AT_FIVE = {"content": "call Bob", "due_on": "", "due_at": 1_790_096_400_000}


@pytest.mark.parametrize(
    ("words", "item"),
    [
        ("/todo call Bob tomorrow 5pm", AT_FIVE),
        ("/todo call Bob by tomorrow", ON_TUESDAY),
        ("/todo call Bob tomorrow, buy milk", ON_TUESDAY),
        ("add call Bob tomorrow at 5pm to my list", AT_FIVE),
        ("put call Bob tomorrow on my list", ON_TUESDAY),
    ],
)
async def test_tomorrow_is_the_day_after_the_message(
    database: Database, tmp_path: Path, words: str, item: dict[str, object]
) -> None:
    house = await home(database, tmp_path)
    await house.hear(words)
    house.clock.advance(2 * DAY)
    await house.work()
    assert (await house.rows("SELECT content, due_on, due_at FROM todo ORDER BY id"))[0] == item
