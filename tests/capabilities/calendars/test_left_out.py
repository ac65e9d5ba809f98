"""What is left out of a calendar is counted, and said in the list of calendars."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.capabilities.calendars import expanding
from core.capabilities.calendars.expanding import expand
from core.capabilities.calendars.models import LeftOut
from tests.capabilities.calendars.served import ADDRESS, BODY
from tests.capabilities.calendars.test_expanding import WEEKS, calendar, dav, instant, times
from tests.capabilities.calendars.test_told_once import FEED, read_again
from tests.commanding import said
from tests.fakes import House
from tests.toolkit.fetch.servers import WebServer, page

HOURLY = ",".join(map(str, range(24)))
OFTEN = f"DTSTART:20260901T000000Z\nRRULE:FREQ=DAILY;BYHOUR={HOURLY}"
BROKEN = "DTSTART:20261020T070000Z\nRRULE:FREQ=NONSENSE"
FINE = "DTSTART:20261021T070000Z"


def left_out(body: bytes, *, dav: bool = False) -> LeftOut:
    found = expand(body, start=instant(WEEKS[0]), end=instant("2027-11-30"), zone="Europe/Berlin", dav=dav)
    return LeftOut(**found["left_out"])


@pytest.mark.parametrize(
    "lines",
    [
        BROKEN, "DTSTART:garbage", "DTSTART:20261320T990000Z", "SUMMARY:no time",
        "DTSTART:20261020T070000Z\nRRULE:FREQ=DAILY;UNTIL=garbage", "DTSTART:20261020T070000Z\nEXDATE:garbage",
        "DTSTART:20261020T070000Z\nRECURRENCE-ID:garbage",
    ],
)  # fmt: skip
def test_what_is_not_understood_is_counted(lines: str) -> None:
    assert left_out(calendar(lines, FINE, lines)) == LeftOut(unclear=2)


@pytest.mark.parametrize("lines", [OFTEN, "DTSTART:00010101T000000Z\nRRULE:FREQ=SECONDLY"])
def test_what_comes_too_often_or_takes_too_long_is_counted(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # An event may take a tenth of this; that of the program is what test_expanding waits for.
    monkeypatch.setattr(expanding, "ALL_SECONDS", 4.0)
    assert left_out(calendar(lines, FINE)) == LeftOut(busy=1)


def test_times_for_which_there_is_no_room_are_counted() -> None:
    daily = ["DTSTART:20260901T000000Z\nRRULE:FREQ=DAILY;BYHOUR=0,4,8,12,16"] * 3
    days = (instant("2027-11-30") - instant(WEEKS[0])) // 86_400_000
    assert 0 <= left_out(calendar(*daily)).crowded - (3 * 5 * days - 5_000) < 3 * 5
    assert left_out(calendar(*daily[:2])) == LeftOut()


@pytest.mark.parametrize("lines", [FINE, f"{FINE}\nSTATUS:CANCELLED", "DTSTART:19990101T000000Z", f"{FINE}\nX-A:\\\n"])
def test_of_what_is_shown_or_is_not_on_nothing_is_left_out(lines: str) -> None:
    assert left_out(calendar(lines)) == LeftOut()


def test_what_is_no_calendar_in_an_account_is_counted() -> None:
    answer = dav(calendar(FINE).decode(), "garbage", calendar(BROKEN).decode().replace("UID:0", "UID:1"))
    assert left_out(answer, dav=True) == LeftOut(unclear=2)


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_answer_of_an_account_is_no_event(empty: str) -> None:
    assert left_out(dav(calendar(FINE).decode(), empty), dav=True) == LeftOut()


def event(*lines: str) -> str:
    return "\n".join(("BEGIN:VEVENT", "DTSTAMP:20260101T000000Z", "SUMMARY:it", *lines, "END:VEVENT\n"))


def test_an_empty_uid_is_none_and_one_of_several_events_is_counted() -> None:
    starts = [f"DTSTART:202610{day}T070000Z" for day in (20, 21, 22)]
    assert len(times(calendar(*(event("UID:", start) for start in starts)), WEEKS[0], "2027-11-30")) == 3
    assert left_out(calendar(*(event("UID:", start) for start in starts))) == LeftOut()
    assert left_out(calendar(*(event("UID:a", start) for start in starts))) == LeftOut(unclear=2)
    assert left_out(calendar(*[event("UID:a", starts[0])] * 3)) == LeftOut()


@pytest.mark.parametrize(
    "lines",
    [
        "RECURRENCE-ID:garbage",
        "RECURRENCE-ID:garbage\nDTSTART:20261027T080000Z",
        "RECURRENCE-ID:20261027T070000Z\nDTSTART:broken",
        "RECURRENCE-ID:20261027T070000Z\nRECURRENCE-ID:20261103T080000Z",
    ],
)
def test_an_exception_that_is_not_understood_is_counted_and_hides_nothing_of_its_series(lines: str) -> None:
    series = event("UID:a", "DTSTART:20261020T070000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    body = calendar(series, event("UID:a", lines))
    assert times(body, WEEKS[0], "2027-11-30") == ["10-20 09:00", "10-27 08:00", "11-03 08:00"]
    assert left_out(body) == LeftOut(unclear=1)


@pytest.mark.parametrize("lines", ["RECURRENCE-ID:garbage", "RECURRENCE-ID:20261110T070000Z\nDTSTART:broken"])
def test_beside_a_broken_exception_the_others_stay_cancelled_and_moved(lines: str) -> None:
    series = event("UID:a", "DTSTART:20261020T070000Z", "RRULE:FREQ=WEEKLY;COUNT=4")
    cancelled = event("UID:a", "RECURRENCE-ID:20261027T070000Z", "DTSTART:20261027T070000Z", "STATUS:CANCELLED")
    moved = event("UID:a", "RECURRENCE-ID:20261103T070000Z", "DTSTART:20261104T120000Z")
    broken = event("UID:a", lines)
    for parts in ((series, cancelled, moved, broken), (broken, moved, broken, cancelled, series)):
        body = calendar(*parts)
        assert times(body, WEEKS[0], "2027-11-30") == ["10-20 09:00", "11-04 13:00", "11-10 08:00"]
        assert left_out(body) == LeftOut(unclear=parts.count(broken))


def test_several_broken_ones_among_hundreds_of_exceptions_take_no_time_of_the_others() -> None:
    days = [date(2022, 1, 3) + timedelta(days=3 * n) for n in range(500)]
    ids = ["garbage" if n % 25 == 0 else f"{day:%Y%m%d}T070000Z" for n, day in enumerate(days)]
    series = event("UID:a", "DTSTART:20220103T070000Z", "RRULE:FREQ=DAILY;UNTIL=20261022T070000Z")
    moved = [
        event("UID:a", f"RECURRENCE-ID:{one}", f"DTSTART:{day:%Y%m%d}T080000Z")
        for one, day in zip(ids, days, strict=True)
    ]
    body = calendar(series, *moved)
    assert left_out(body) == LeftOut(unclear=20)
    assert "10-22 09:00" in times(body, WEEKS[0], "2027-11-30")


@pytest.mark.parametrize("lines", ["SUMMARY:no time", "DTSTART:garbage", f"{FINE}\nSEQUENCE:garbage"])
def test_a_broken_event_with_the_uid_of_a_good_one_is_counted_and_hides_it_not(lines: str) -> None:
    good, broken = event("UID:b", "DTSTART:20261020T070000Z"), event("UID:b", lines)
    for parts in ((good, broken), (broken, good), (broken, good, broken)):
        body = calendar(*parts)
        assert times(body, WEEKS[0], "2027-11-30") == ["10-20 09:00"]
        assert left_out(body) == LeftOut(unclear=parts.count(broken))


@pytest.mark.parametrize(
    "former", ["DTSTART:20261020T070000Z", "DTSTART:20261020T070000Z\nSEQUENCE:1", "DTSTART:garbage"]
)
def test_a_revision_that_a_later_one_replaces_is_not_counted(former: str) -> None:
    parts = [event("UID:c", former), event("UID:c", FINE, "SEQUENCE:2")]
    for body in (calendar(*parts), calendar(*reversed(parts))):
        assert times(body, WEEKS[0], "2027-11-30") == ["10-21 09:00"]
        assert left_out(body) == LeftOut()


@pytest.mark.parametrize(
    ("long", "own", "minutes"),
    [("DTEND:20261020T080000Z", "", 60), ("DURATION:PT1H", "", 60), ("DTEND:20261020T080000Z", "DURATION:PT2H", 120)],
)
def test_an_exception_without_a_start_lasts_as_long_as_its_series_says(long: str, own: str, minutes: int) -> None:
    series = event("UID:a", "DTSTART:20261020T070000Z", long, "RRULE:FREQ=WEEKLY;COUNT=3")
    body = calendar(event("UID:a", "RECURRENCE-ID:20261027T070000Z", own or "LOCATION:Room 5"), series)
    found = expand(body, start=instant(WEEKS[0]), end=instant("2027-11-30"), zone="Europe/Berlin")["events"]
    assert [(one["until"] - one["at"]) // 60_000 for one in found] == [60, minutes, 60]


@pytest.mark.databases("sqlite")
async def test_the_list_of_calendars_says_what_is_left_out_and_why(home: House, server: WebServer) -> None:
    server.answers[FEED] = page(calendar(BROKEN, FINE, BROKEN, OFTEN))
    await said(home, f"/calendar add {ADDRESS}")
    for language, told in (
        ("en", ", ⚠️ left out: 2 events that I don't understand and 1 event that comes too often"),
        ("de", ", ⚠️ nicht dabei: 2 unverständliche Termine und 1 zu häufiger Termin"),
        ("zh", "，⚠️ 略去：2 个看不懂的日程和1 个过于频繁的日程"),
    ):
        await said(home, f"/language {language}")
        assert (await said(home, "/calendar")).endswith(told)
    # Where nothing is left out nothing is said.
    await read_again(home, server, BODY)
    assert "⚠️" not in await said(home, "/calendar")
