"""Each event at its time is told once: whatever it is called, and however often its calendar is read meanwhile."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import pytest

from core.capabilities.calendars import syncing
from tests.capabilities.calendars.served import ADDRESS, BODY, KEY, told_by
from tests.capabilities.calendars.test_expanding import calendar
from tests.capabilities.web.net import web_house
from tests.commanding import GROUP, friend, pressed, said
from tests.conftest import DatabaseMaker, PlaceMaker
from tests.fakes import House
from tests.toolkit.fetch.servers import WebServer, page

FEED = "/private-canary/basic.ics"
FROZEN = Path(__file__).parents[2] / "frozen" / "calendars.db.gz"
WEEKLY = "UID:a\nDTSTART:20260901T080000Z\nRRULE:FREQ=WEEKLY\nSUMMARY:Yoga"


def series(*more: str) -> bytes:
    """Write a calendar of a weekly event and of what else has its uid."""
    body = calendar(*(f"BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n{one}\nEND:VEVENT\n" for one in (WEEKLY, *more)))
    assert body.count(b"UID:a") == 1 + len(more)
    return body


async def read_again(home: House, server: WebServer, body: bytes) -> None:
    """Read the calendar a quarter of an hour later, of which its events are told by then."""
    server.answers[FEED] = page(body)
    await home.db.write(lambda tx: tx.run("UPDATE calendar SET next_at = 0"))
    assert await syncing.sync_due(home.app.container)


@pytest.mark.databases("sqlite")
async def test_what_is_only_called_otherwise_is_not_told_again(home: House, server: WebServer) -> None:
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/calendar before 15")
    assert len(await told_by(home, -600)) == 1
    await read_again(home, server, BODY.replace(b"Dentist", b"Doctor"))
    assert await told_by(home, -540) == []
    assert "Doctor" in await said(home, "/today")
    # At another time it is told, and so is another event.
    await read_again(home, server, BODY.replace(b"0922T080000Z", b"0922T080100Z").replace(b"Dentist", b"Dinner"))
    assert len(await told_by(home, -480)) == 1
    await read_again(home, server, BODY.replace(b"Dentist", b"Lunch").replace(b"UID:2", b"UID:9"))
    [told] = await told_by(home, -420)
    assert "Lunch" in told


@pytest.mark.databases("sqlite")
async def test_one_time_of_a_series_that_is_called_otherwise_is_not_told_again(home: House, server: WebServer) -> None:
    at = "DTSTART:20260922T080000Z\nSUMMARY"
    server.answers[FEED] = page(series())
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/calendar before 15")
    assert len(await told_by(home, -600)) == 1
    await read_again(home, server, series(f"UID:a\nRECURRENCE-ID:20260922T080000Z\n{at}:Last yoga"))
    assert await told_by(home, -540) == []
    # Another time of it that is moved there is one of its own.
    await read_again(home, server, series(f"UID:a\nRECURRENCE-ID:20260929T080000Z\n{at}:Yoga that was next week"))
    [told] = await told_by(home, -480)
    assert "next week" in told


@pytest.mark.databases("sqlite")
async def test_events_of_a_chat_that_cannot_be_told_hold_up_no_others(home: House, server: WebServer) -> None:
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "hello", **friend())
    await said(home, f"/calendar add {ADDRESS}", **friend())
    for who in ({}, friend()):
        await said(home, "/calendar before 15", **who)
    first = "NEW.calendar_id = (SELECT min(id) FROM calendar)"
    poison = f"CREATE TRIGGER poison BEFORE UPDATE OF told ON calendar_event WHEN {first} BEGIN SELECT json('['); END"
    await home.db.write(lambda tx: tx.run(poison))
    assert len(await told_by(home, -600)) == 1
    assert home.adapter.texts("2")[-1].startswith("🗓")
    await home.db.write(lambda tx: tx.run("DROP TRIGGER poison"))
    assert len(await told_by(home, -540)) == 1
    assert home.adapter.texts("1")[-1].startswith("🗓")


@pytest.mark.parametrize("nothing", [calendar(), calendar("DTSTART:20260921T130000Z")])
@pytest.mark.databases("sqlite", "postgres")
async def test_what_was_away_for_a_moment_is_not_told_again(home: House, server: WebServer, nothing: bytes) -> None:
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/calendar before 15")
    assert len(await told_by(home, -600)) == 1
    for _ in range(2):
        await read_again(home, server, nothing)
        assert "Dentist" not in await said(home, "/today")
    await read_again(home, server, BODY)
    assert "Dentist" in await said(home, "/today")
    assert await told_by(home, -540) == []
    # What has begun is remembered no more.
    await read_again(home, server, nothing)
    assert await told_by(home, 1) == []
    await read_again(home, server, nothing)
    assert await home.column("SELECT told FROM calendar_event WHERE told <> 0") == []


TWO = calendar("DTSTART:20260922T080000Z", "DTSTART:20260923T080000Z")
WITHOUT_UIDS = TWO.replace(b"UID:0\n", b"").replace(b"UID:1\n", b"")


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("whole", "lacking"),
    [
        (series(), series().replace(b"RRULE", b"EXDATE:20260922T080000Z\nRRULE")),
        (TWO, TWO.replace(b"DTSTART:20260922", b"STATUS:CANCELLED\nDTSTART:20260922")),
        (WITHOUT_UIDS, WITHOUT_UIDS.replace(b"DTSTART:20260922", b"STATUS:CANCELLED\nDTSTART:20260922")),
    ],
)
async def test_what_was_away_while_another_of_its_name_was_there_is_not_told_again(
    home: House, server: WebServer, whole: bytes, lacking: bytes
) -> None:
    assert whole != lacking
    server.answers[FEED] = page(whole)
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/calendar before 15")
    assert len(await told_by(home, -600)) == 1
    await read_again(home, server, lacking)
    await read_again(home, server, whole)
    assert await told_by(home, -540) == []


@pytest.mark.databases("sqlite")
async def test_a_calendar_with_new_uids_at_each_reading_leaves_nothing_behind(home: House, server: WebServer) -> None:
    server.answers[FEED] = page(BODY)
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/calendar before 15")
    assert len(await told_by(home, -600)) == 1
    for n in range(3):
        await read_again(home, server, BODY.replace(b"UID:", b"UID:r%d" % n))
    assert await told_by(home, -540) == []
    assert len(await home.column("SELECT id FROM calendar_event WHERE told <> 0")) == 1


@pytest.mark.databases("sqlite")
async def test_what_is_moved_and_moved_back_is_told_for_each_of_its_times(home: House, server: WebServer) -> None:
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/calendar before 15")
    for seconds, minute in ((-600, b"00"), (-540, b"05"), (-480, b"00")):
        await read_again(home, server, BODY.replace(b"0922T080000Z", b"0922T08" + minute + b"00Z"))
        [told] = await told_by(home, seconds)
        assert f"08:{minute.decode()}" in told
        assert await told_by(home, seconds) == []


@pytest.mark.databases("sqlite")
async def test_who_was_out_of_a_group_for_a_moment_has_nothing_told_again_there(home: House, server: WebServer) -> None:
    await said(home, f"/calendar add {ADDRESS}")
    await said(home, "/help", **GROUP)
    await said(home, "/calendar add", **GROUP)
    await pressed(home, "Work")
    await syncing.sync_due(home.app.container)
    await said(home, "/calendar before 15", **GROUP)
    assert len(await told_by(home, -600)) == 1
    home.adapter.absent.add(("-5", "tg:1"))
    for _ in range(2):
        await read_again(home, server, BODY)
    assert "Dentist" not in await said(home, "/today", **GROUP)
    home.adapter.absent.clear()
    await read_again(home, server, BODY)
    assert "Dentist" in await said(home, "/today", **GROUP)
    assert await told_by(home, -540) == []


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("name", [b"Dentist", b"Doctor"])
async def test_what_the_version_before_uids_told_is_not_told_again_after_the_update(
    make_place: PlaceMaker, make_database: DatabaseMaker, tmp_path: Path, server: WebServer, name: bytes
) -> None:
    place = make_place("sqlite")
    Path(place.where).parent.mkdir(mode=0o700)
    await asyncio.to_thread(Path(place.where).write_bytes, gzip.decompress(FROZEN.read_bytes()))
    database = await make_database("sqlite", place)
    async with web_house(database, tmp_path / "house", server, model=False, secret_key=KEY) as home:
        assert await told_by(home, -590) == []
        # It is read anew at once, by the uids of its events.
        assert await syncing.sync_due(home.app.container) == 1
        assert await told_by(home, -580) == []
        assert "" not in await home.column("SELECT uid FROM calendar_event")
        await read_again(home, server, BODY.replace(b"Dentist", name))
        assert await told_by(home, -570) == []
        [told] = await told_by(home, 7 * 86_400 - 600)
        assert name.decode() in told
