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


# START is Monday 21 September 2026, 14:13:20 UTC.
@pytest.mark.parametrize(
    ("first", "own"),
    [
        ("remind me tomorrow at 9 to call mom", "call mom"),
        ("/every day at 9 call mom", "call mom"),
        ("add milk tomorrow to my list", "milk"),
        ("add milk, eggs to my list", "milk, eggs"),
        ("/todo buy milk tomorrow at 17:00", "buy milk"),
    ],
)
@pytest.mark.parametrize(
    "words", ["remind me on friday at 9", "remind me of this friday at 9", "/remind friday at 9", "周五上午9点提醒我"]
)
async def test_what_replies_to_what_was_read_back_is_about_its_text(
    make_database: DatabaseMaker, tmp_path: Path, first: str, own: str, words: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, first)
    answer = house.shown()[-1]
    assert answer.text != own
    reply = {"reply_to": answer.platform_id, "quoted": answer.text}
    assert "Fri 25 Sep 09:00" in (told := await said(house, words, **reply)) or "9月25日" in told
    assert told.endswith((f": {own}", f"：{own}")), told
    assert await house.column("SELECT text FROM trigger ORDER BY id DESC LIMIT 1") == [own]


@pytest.mark.parametrize("words", ["remind me again on friday at 9", "erinnere mich nochmal am Freitag um 9"])
async def test_what_is_on_the_list_may_be_brought_again(
    make_database: DatabaseMaker, tmp_path: Path, words: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "add milk to my list")
    answer = house.shown()[-1]
    await said(house, words, reply_to=answer.platform_id, quoted=answer.text)
    assert await house.column("SELECT text FROM trigger") == ["milk"]


async def test_without_a_time_it_is_asked_when_its_text_shall_come(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me tomorrow at 9 to call mom")
    answer = house.shown()[-1]
    asked = await said(house, "remind me of this", reply_to=answer.platform_id, quoted=answer.text)
    assert asked == "When exactly? “call mom” – for example: tomorrow at 5pm"
    assert "☐ call mom" in await said(house, "add this to my list", reply_to=answer.platform_id, quoted=answer.text)


async def test_what_was_moved_since_it_was_set_is_meant_as_well(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me tomorrow at 9 to call mom")
    await said(house, "move the mom reminder to 11:00")
    moved = house.shown()[-1]
    await said(house, "remind me of this friday at 9", reply_to=moved.platform_id, quoted=moved.text)
    assert await house.column("SELECT text FROM trigger ORDER BY id") == ["call mom", "call mom"]


async def test_of_what_is_quoted_in_part_only_that_counts(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me tomorrow at 9 to call mom")
    answer = house.shown()[-1]
    await said(house, "remind me friday at 9", reply_to=answer.platform_id, quoted="mom")
    assert await house.column("SELECT text FROM trigger ORDER BY id") == ["call mom", "mom"]


async def test_a_list_is_about_no_single_thing_of_it(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "remind me tomorrow at 9 to call mom")
    await said(house, "remind me tomorrow at 10 to call dad")
    tasks = await said(house, "/tasks")
    page = house.shown()[-1]
    await said(house, "remind me friday at 9", reply_to=page.platform_id, quoted=tasks)
    (text,) = await house.column("SELECT text FROM trigger ORDER BY id DESC LIMIT 1")
    assert "call mom" in str(text)
    assert "call dad" in str(text)
