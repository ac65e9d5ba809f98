"""A to-do whose reminder was put off, and that is changed meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, friend, group, home, open_items, pressed, said
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

HOUR = 3600
# START is Monday 21 September 2026, 14:13:20 UTC.


async def put_off(house: House) -> None:
    """A to-do has come at 15:00, and is put off until 16:13."""
    await said(house, "/todo parcel today at 15:00")
    await passes(house, HOUR)
    await pressed(house, "+1 h")


@pytest.mark.parametrize(
    "change", ["/todo due parcel tomorrow at 9:00", "/todo due parcel off", "/todo due parcel friday"]
)
async def test_what_is_due_at_another_time_does_not_come_as_it_was_put_off(
    database: Database, tmp_path: Path, change: str
) -> None:
    house = await home(database, tmp_path)
    await put_off(house)
    await said(house, change)
    (message,) = [sent for sent in house.shown() if sent.text.startswith("⏰ parcel")]
    assert (message.text, message.keyboard) == ("⏰ parcel\n🗑 Stopped", None)
    before = len(house.adapter.texts("1"))
    await passes(house, 2 * HOUR)
    assert len(house.adapter.texts("1")) == before
    assert await open_items(house) == ["parcel"]


async def test_another_text_is_what_comes_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await put_off(house)
    await said(house, "/todo edit parcel: the big parcel")
    assert "16:13: the big parcel" in await said(house, "/tasks")
    await passes(house, HOUR)
    assert house.shown()[-1].text == "⏰ the big parcel"
    await pressed(house, "Done")
    assert await open_items(house) == []


async def test_what_is_of_somebody_else_does_not_come_to_who_put_it_off(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await said(house, "hello", **friend())
    await said(house, "/todo bank today at 15:00", **GROUP)
    await passes(house, HOUR)
    await pressed(house, "+1 h", chat="-5", chat_kind="group")
    await said(house, f"/todo assign bank {FRIEND}", **GROUP)
    (whose,) = await house.column("SELECT count(*) FROM assignee")
    assert whose == 1
    assert await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL") == [0]


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ("/todo done parcel", "/undo"),
        ("/todo done parcel", "/todo reopen parcel"),
        ("remove parcel from my list", "/undo"),
        ("/done", "/todo reopen parcel"),
    ],
)
async def test_what_is_open_again_comes_as_it_was_put_off(
    database: Database, tmp_path: Path, change: str, back: str
) -> None:
    house = await home(database, tmp_path)
    await put_off(house)
    posted = next(sent for sent in house.shown() if sent.text.startswith("⏰ parcel"))
    await said(house, change, **({"reply_to": posted.platform_id} if change == "/done" else {}))
    await said(house, back)
    assert posted.text in [sent.text for sent in house.shown() if sent.platform_id == posted.platform_id]
    assert "16:13: parcel" in await said(house, "/tasks")
    await passes(house, HOUR)
    assert house.shown()[-1].text == "⏰ parcel"
    await pressed(house, "Done")
    assert await open_items(house) == []


async def test_so_does_what_was_cleared(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await put_off(house)
    await said(house, "/todo clear")
    await pressed(house, "Clear the list")
    await pressed(house, "Undo")
    assert "16:13: parcel" in await said(house, "/tasks")


async def test_what_it_was_put_off_until_is_over_and_it_waits(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await put_off(house)
    await said(house, "/todo done parcel")
    await passes(house, 2 * HOUR)
    await said(house, "/undo")
    (message,) = [sent for sent in house.shown() if sent.text.startswith("⏰ parcel")]
    assert message.text == "⏰ parcel"
    assert message.keyboard is not None


async def test_what_somebody_else_closed_waits_again_for_whose_it_is(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await said(house, "hello", **friend())
    await said(house, f"/todo bank today at 15:00 for Name of {FRIEND}", **GROUP)
    await passes(house, HOUR)
    (posted,) = [sent for sent in house.shown("2") if "bank" in sent.text]
    await said(house, "/todo done bank", **GROUP)
    assert "closed by" in next(sent.text for sent in house.shown("2") if sent.platform_id == posted.platform_id)
    await said(house, "/undo", **GROUP)
    again = next(sent for sent in house.shown("2") if sent.platform_id == posted.platform_id)
    assert again.keyboard is not None
    assert "closed by" not in again.text


async def test_what_somebody_put_off_themselves_comes_then_and_not_when_who_asked_did(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await said(house, "/todo bank today at 15:00", **GROUP)
    await said(house, f"/todo assign bank Name of {FRIEND}, @carla_x", **GROUP)
    await passes(house, HOUR)
    posted = house.shown("-5")[-1].platform_id
    await house.press("+1 h", chat="-5", chat_kind="group", sender=FRIEND)
    await said(house, "in 2 hours", reply_to=posted, **GROUP)
    await said(house, "/todo done bank", **GROUP)
    await said(house, "/undo", **GROUP)
    (text,) = [sent.text for sent in house.shown("-5") if sent.platform_id == posted]
    assert f"💤 Name of {FRIEND} 16:13 💤 @carla\\_x 17:13" in text
    await passes(house, HOUR)
    assert house.shown("-5")[-1].text == f"⏰ [Name of {FRIEND}]({FRIEND}) (from Name of tg:1): bank"


async def test_who_has_done_it_is_reminded_again_when_others_never_said_so(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Ann {FRIEND}")
    await said(house, "/todo bank today at 15:00")
    await said(house, "/todo assign bank Ann, me")
    await passes(house, HOUR)
    posted = next(sent.platform_id for sent in house.shown() if sent.text.startswith("⏰ bank"))
    await pressed(house, "Done")
    assert next(sent.keyboard for sent in house.shown() if sent.platform_id == posted) is None
    await said(house, "/todo reopen bank")
    assert next(sent.keyboard for sent in house.shown() if sent.platform_id == posted) is not None


async def test_other_words_for_an_open_item_do_not_open_a_reminder_that_is_done(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo parcel today at 15:00")
    await passes(house, HOUR)
    await said(house, "/todo done parcel")
    # So a former version has left an item that was opened again.
    await house.app.db.write(lambda tx: tx.run("UPDATE todo SET state = 'open', done_by = NULL", {}))
    await said(house, "/todo edit parcel: the big parcel")
    assert await open_items(house) == ["the big parcel"]
    assert await house.column("SELECT state FROM reminder") == ["done"]
