"""What others wrote is what a reminder is about; it says neither when nor for whom that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commanding import GROUP, group, home, pressed, said
from tests.conftest import DatabaseMaker
from tests.triggering import passes


@pytest.mark.parametrize("quoted", ["everybody to pay the rent", "@anna and @bob to pay", "tomorrow at 8 to pay"])
async def test_what_others_wrote_does_not_say_for_whom(
    make_database: DatabaseMaker, tmp_path: Path, quoted: str
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/remind me of this", quoted=quoted, reply_to="z1", **GROUP)
    await pressed(house, "Tomorrow 9:00", chat="-5", chat_kind="group")
    assert await house.rows("SELECT text, everybody FROM trigger") == [{"text": quoted, "everybody": 0}]
    assert await house.column("SELECT contact_id FROM addressee") == []


@pytest.mark.parametrize("words", ["/remind tomorrow at 18:00", "remind me tomorrow at 18:00", "明天18点提醒我"])
async def test_what_replies_to_a_reminder_is_about_its_text_and_not_about_what_its_message_says_of_it(
    make_database: DatabaseMaker, tmp_path: Path, words: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me in 1 minute to pay the rent until done")
    await passes(house, 61)
    await passes(house, 601)
    again = house.shown()[-1]
    assert again.text == "⏰ pay the rent\n(once more, 1 of 3)"
    await said(house, words, reply_to=again.platform_id, quoted=again.text)
    assert set(await house.column("SELECT text FROM trigger")) == {"pay the rent"}
    assert await house.column("SELECT count(*) FROM trigger WHERE reminder_id IS NULL") == [2]
