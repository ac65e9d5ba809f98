"""What others wrote is what a reminder is about; it says neither when nor for whom that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commanding import GROUP, group, pressed, said
from tests.conftest import DatabaseMaker


@pytest.mark.parametrize("quoted", ["everybody to pay the rent", "@anna and @bob to pay", "tomorrow at 8 to pay"])
async def test_what_others_wrote_does_not_say_for_whom(
    make_database: DatabaseMaker, tmp_path: Path, quoted: str
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/remind me of this", quoted=quoted, reply_to="z1", **GROUP)
    await pressed(house, "Tomorrow 9:00", chat="-5", chat_kind="group")
    assert await house.rows("SELECT text, everybody FROM trigger") == [{"text": quoted, "everybody": 0}]
    assert await house.column("SELECT contact_id FROM addressee") == []
