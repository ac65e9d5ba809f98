"""Events as real calendars write them, over changes of the clock; and calendars that are made to harm."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.capabilities.calendars.expanding import MOST_EVENTS, expand, without_others
from core.toolkit.confined.child import Refusal
from core.toolkit.confined.parent import run_confined

BERLIN = ZoneInfo("Europe/Berlin")
CHILD = "core.capabilities.calendars.expanding"
BERLIN_ZONE = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
"""


def calendar(*parts: str, head: str = "") -> bytes:
    """Write a calendar of events, each given by its lines."""
    events = "".join(
        f"BEGIN:VEVENT\nUID:{number}\nDTSTAMP:20260101T000000Z\nSUMMARY:it\n{part}\nEND:VEVENT\n"
        if not part.startswith("BEGIN")
        else part
        for number, part in enumerate(parts)
    )
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\n{head}{events}END:VCALENDAR\n".replace(
        "\n", "\r\n"
    ).encode()


def dav(*calendars: str) -> bytes:
    """Write an answer of CalDAV that has some calendars."""
    data = "".join(f"<C:calendar-data>{one}</C:calendar-data>" for one in calendars)
    return f'<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">{data}</D:multistatus>'.encode()


def instant(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp() * 1000)


def times(body: bytes, start: str, end: str) -> list[str]:
    """Return when something begins in Berlin: a day, or a day and a time."""
    found = expand(body, start=instant(start), end=instant(end), zone="Europe/Berlin")["events"]
    return [one["day"] or datetime.fromtimestamp(one["at"] / 1000, BERLIN).strftime("%m-%d %H:%M") for one in found]


WEEKS = "2026-10-19", "2026-11-03"  # summer time ends on the 25th of October
SPRING = "2026-03-23", "2026-04-07"  # and begins on the 29th of March


@pytest.mark.parametrize(
    ("body", "span", "found"),
    [
        (calendar("DTSTART:20261020T070000Z\nDTEND:20261020T080000Z"), WEEKS, ["10-20 09:00"]),
        (calendar("DTSTART:20261027T070000Z\nDURATION:PT1H"), WEEKS, ["10-27 08:00"]),
        (calendar("DTSTART;TZID=Europe/Berlin:20261020T090000"), WEEKS, ["10-20 09:00"]),
        (calendar("DTSTART;TZID=America/New_York:20261027T090000"), WEEKS, ["10-27 14:00"]),
        (calendar("DTSTART:20261020T090000"), WEEKS, ["10-20 09:00"]),
        (calendar("DTSTART;VALUE=DATE:20261020\nDTEND;VALUE=DATE:20261022"), WEEKS, ["2026-10-20"]),
        (calendar("DTSTART;VALUE=DATE:20261025"), WEEKS, ["2026-10-25"]),
        (
            calendar("DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO"),
            WEEKS,
            ["10-19 09:00", "10-26 09:00", "11-02 09:00"],
        ),
        (
            calendar("DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO"),
            SPRING,
            ["03-23 09:00", "03-30 09:00", "04-06 09:00"],
        ),
        (
            calendar("DTSTART:20260105T080000Z\nRRULE:FREQ=WEEKLY"),
            WEEKS,
            ["10-19 10:00", "10-26 09:00", "11-02 09:00"],
        ),
        (
            calendar(
                "DTSTART;TZID=Europe/Berlin:20261019T090000\nRRULE:FREQ=DAILY;COUNT=3\n"
                "EXDATE;TZID=Europe/Berlin:20261020T090000"
            ),
            WEEKS,
            ["10-19 09:00", "10-21 09:00"],
        ),
        (
            calendar("DTSTART;TZID=Europe/Berlin:20261019T090000\nRDATE;TZID=Europe/Berlin:20261022T110000"),
            WEEKS,
            ["10-19 09:00", "10-22 11:00"],
        ),
        (
            calendar(
                "UID:a\nDTSTART;TZID=Europe/Berlin:20261019T090000\nRRULE:FREQ=WEEKLY;COUNT=2",
                "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261026T090000\nDTSTART;TZID=Europe/Berlin:20261027T150000",
            ).replace(b"UID:0\r\n", b"").replace(b"UID:1\r\n", b""),
            WEEKS,
            ["10-19 09:00", "10-27 15:00"],
        ),
        (
            calendar(
                "UID:a\nDTSTART;TZID=Europe/Berlin:20261019T090000\nRRULE:FREQ=WEEKLY;COUNT=2",
                "UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261026T090000\nDTSTART;TZID=Europe/Berlin:20261026T090000\n"
                "STATUS:CANCELLED",
            ).replace(b"UID:0\r\n", b"").replace(b"UID:1\r\n", b""),
            WEEKS,
            ["10-19 09:00"],
        ),
        (
            calendar("DTSTART;TZID=Europe/Berlin:20260101T100000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR"),
            WEEKS,
            ["10-30 10:00"],
        ),
        (calendar("DTSTART;VALUE=DATE:19801027\nRRULE:FREQ=YEARLY"), WEEKS, ["2026-10-27"]),
        (
            calendar("DTSTART;TZID=Europe/Berlin:20261019T090000\nRRULE:FREQ=DAILY;UNTIL=20261020T070000Z"),
            WEEKS,
            ["10-19 09:00", "10-20 09:00"],
        ),
        (
            calendar(
                "DTSTART;TZID=W. Europe Standard Time:20261026T090000",
                head=BERLIN_ZONE.format(name="W. Europe Standard Time"),
            ),
            WEEKS,
            ["10-26 09:00"],
        ),
        (calendar("DTSTART;TZID=W. Europe Standard Time:20261026T090000"), WEEKS, ["10-26 09:00"]),
        (
            calendar("DTSTART;TZID=Our office:20261020T090000", head=BERLIN_ZONE.format(name="Our office")),
            WEEKS,
            ["10-20 09:00"],
        ),
        (
            calendar("DTSTART:20261026T080000Z", head="X-WR-TIMEZONE:Europe/Berlin\n"),
            WEEKS,
            ["10-26 09:00"],
        ),
        (calendar("DTSTART;TZID=Europe/Berlin:20261018T230000\nDURATION:PT4H"), WEEKS, ["10-18 23:00"]),
        *(
            (
                calendar("DTSTART:20261026T090000", "DTSTART:20261027T080000Z", head=f"X-WR-TIMEZONE:{name}\n"),
                WEEKS,
                [f"10-26 {at}", "10-27 09:00"],
            )
            for name, at in (
                *(("America/New_York", "14:00"), ("Eastern Standard Time", "14:00")),
                *((unknown, "09:00") for unknown in ("Customized Time Zone", "Nowhere/Land", "", "America", "../x")),
            )
        ),
        *(
            (
                calendar(
                    "UID:a\nDTSTART;TZID=Europe/Berlin:20261019T090000\nRRULE:FREQ=WEEKLY",
                    f"UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261026T090000\n{state}",
                ).replace(b"UID:0\r\n", b"").replace(b"UID:1\r\n", b""),
                WEEKS,
                found,
            )
            for state, found in (
                ("STATUS:CANCELLED", ["10-19 09:00", "11-02 09:00"]),
                ("SUMMARY:other", ["10-19 09:00", "10-26 09:00", "11-02 09:00"]),
            )
        ),
        (calendar("DTSTART;TZID=Europe/Berlin:20261020T090000\nSTATUS:CANCELLED"), WEEKS, []),
        (
            calendar("DTSTART;TZID=Europe/Berlin:20261019T090000\nRRULE:FREQ=WEEKLY;INTERVAL=2"),
            WEEKS,
            ["10-19 09:00", "11-02 09:00"],
        ),
    ],
)  # fmt: skip
def test_an_event_comes_when_its_calendar_says(body: bytes, span: tuple[str, str], found: list[str]) -> None:
    assert times(body, *span) == found


def test_only_what_is_surely_on_other_days_is_left_unread() -> None:
    gone = calendar(
        "DTSTART:20260901T070000Z\nDTEND:20260901T080000Z",
        "DTSTART;TZID=Europe/Berlin:20200901T070000\nDURATION:PT48H",
        "DTSTART;VALUE=DATE:20200901",
        "DTSTART;VALUE=DATE:20261201\nDTEND;VALUE=DATE:20261202",
    )
    kept = calendar(
        "DTSTART:20200101T070000Z\nDTEND:20261020T080000Z",
        "DTSTART:20260101T070000Z\nDURATION:P300D",
        'DTSTART;TZID="GMT+02:00":20261020T090000',
        "DTSTART;TZID=Europe/Berlin:20200101T090000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=21",
        "DTSTART:20200101T090000Z\nRDATE:20261022T090000Z",
        "DTSTART;\n VALUE=DATE:20261023",
        "DESCRIPTION:and\n DTSTART:20200101T090000Z\nDTSTART:20261024T090000Z",
    )
    first, last = (datetime.fromisoformat(one).replace(tzinfo=BERLIN) for one in WEEKS)
    assert b"VEVENT" not in without_others(gone, first, last)
    assert without_others(kept, first, last) == kept
    assert len(times(kept, *WEEKS)) == 7


def test_an_event_has_a_title_a_place_and_an_end() -> None:
    body = calendar(
        "SUMMARY:Dentist\\, at last\nLOCATION:Main\\nStreet 1\nDTSTART;TZID=Europe/Berlin:20261020T090000\n"
        "DURATION:PT45M"
    )
    body = body.replace(b"SUMMARY:it\r\n", b"")
    found = expand(body, start=instant(WEEKS[0]), end=instant(WEEKS[1]), zone="Europe/Berlin")
    [event] = found["events"]
    assert (event["title"], event["place"]) == ("Dentist, at last", "Main Street 1")
    assert event["until"] - event["at"] == 45 * 60_000


HOURS, MINUTES = ",".join(map(str, range(24))), ",".join(map(str, range(60)))
BUSY_ZONE = BERLIN_ZONE.replace("FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "FREQ={often}")
TIMES = ",".join(
    f"202611{day:02}T{hour:02}{minute:02}00Z" for day in range(1, 5) for hour in range(24) for minute in range(60)
)


@pytest.mark.parametrize(
    ("lines", "head"),
    [
        ("DTSTART:19700101T000000Z\nRRULE:FREQ=SECONDLY", ""),
        ("DTSTART:19700101T000000Z\nRRULE:FREQ=MINUTELY;COUNT=1000000000", ""),
        ("DTSTART:19700101T000000Z\nRRULE:FREQ=HOURLY", ""),
        (f"DTSTART:20260901T000000Z\nRRULE:FREQ=DAILY;BYHOUR={HOURS}", ""),
        (f"DTSTART:20260901T000000Z\nRRULE:FREQ=DAILY;BYHOUR={HOURS};BYMINUTE={MINUTES}", ""),
        (f"DTSTART:00010101T000000Z\nRRULE:FREQ=DAILY;BYHOUR={HOURS};BYMINUTE={MINUTES};BYSECOND={MINUTES}", ""),
        (f"DTSTART:20261020T000000Z\nRDATE:{TIMES}", ""),
        ("DTSTART;TZID=Own:20261020T000000", BUSY_ZONE.format(name="Own", often="SECONDLY")),
        ("DTSTART;TZID=Own:20261020T000000", "X-WR-TIMEZONE:UTC\n" + BUSY_ZONE.format(name="Own", often="MINUTELY")),
    ],
)  # fmt: skip
async def test_an_event_that_comes_too_often_or_takes_too_long_hides_no_other(lines: str, head: str) -> None:
    days = [
        f"DTSTART:{at:%Y%m%d}T070000Z"
        for at in (datetime(2026, 10, 19, tzinfo=UTC) + timedelta(days=n) for n in range(400))
    ]
    options = {"start": instant(WEEKS[0]), "end": instant("2027-11-30"), "zone": "Europe/Berlin"}
    found = await run_confined(CHILD, options, calendar(lines, *days, head=head), seconds=30)
    assert [one["uid"] for one in found["events"]] == [str(n + 1) for n in range(len(days))]


def test_where_not_all_times_have_room_each_event_keeps_its_next_ones() -> None:
    often = [f"DTSTART:20260901T00{n:02}00Z\nRRULE:FREQ=DAILY;BYHOUR=0,4,8,12,16" for n in range(3)]
    body = calendar(*often, "DTSTART:20271019T070000Z", "DTSTART;VALUE=DATE:20261020\nRRULE:FREQ=WEEKLY")
    events = expand(body, start=instant(WEEKS[0]), end=instant("2027-11-30"), zone="Europe/Berlin")["events"]
    assert len(events) == MOST_EVENTS
    assert [sum(one["uid"] == uid for one in events) for uid in "34"] == [1, 58]
    assert all(events[n]["at"] <= events[n + 1]["at"] for n in range(MOST_EVENTS - 1))


@pytest.mark.parametrize("name", ["Customized Time Zone", "W. Europe Standard Time", "Our office"])
def test_each_event_of_caldav_has_the_zones_that_come_with_it(name: str) -> None:
    zone = (
        "BEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:{off}\nTZOFFSETTO:{off}\n"
        "END:STANDARD\nEND:VTIMEZONE\n"
    )
    one, other, none = (
        calendar(f"DTSTART;TZID={name}:20261020T090000", head=zone.format(name=name, off=off) if off else "")
        .decode().replace("UID:0", f"UID:{off}")
        for off in ("+1200", "+0300", "")
    )  # fmt: skip
    found = expand(dav(one, other, none), start=instant(WEEKS[0]), end=instant(WEEKS[1]), zone="UTC", dav=True)
    at = {event["uid"]: datetime.fromtimestamp(event["at"] / 1000, UTC).hour for event in found["events"]}
    assert (at["+1200"], at["+0300"]) == (21, 6)
    # A zone that nothing defines is known by Windows' names alone.
    assert at[""] == (7 if "Europe" in name else 9)


@pytest.mark.parametrize(
    "lines",
    [
        "DTSTART:garbage", "DTSTART:20261020T070000Z\nRRULE:FREQ=NONSENSE", "DTSTART:20261320T990000Z",
        "DTSTART;TZID=Nowhere/Land:20261020T090000", "DTSTART:20261020T070000Z\nDTEND:20200101T000000Z",
        "DTSTART:20261020T070000Z\nRRULE:FREQ=DAILY;UNTIL=garbage", "SUMMARY",
        "DTSTART:20261020T070000Z\nEXDATE:garbage",
    ],
)  # fmt: skip
def test_one_bad_event_does_not_hide_the_others(lines: str) -> None:
    assert "10-21 09:00" in times(calendar(lines, "DTSTART:20261021T070000Z"), *WEEKS)


@pytest.mark.parametrize("body", [b"", b"<html>", b"BEGIN:VCARD\r\nEND:VCARD", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"])
def test_what_is_no_calendar_is_refused(body: bytes) -> None:
    with pytest.raises(Refusal, match="damaged"):
        expand(body, start=0, end=10**12, zone="UTC")


def test_an_answer_of_caldav_has_many_calendars_and_none_that_unfolds() -> None:
    events = [calendar(f"DTSTART:2026102{day}T070000Z").decode().replace("UID:0", f"UID:{day}") for day in (0, 1)]
    answer = dav(*events, "garbage", "BEGIN:VCALENDAR").decode()
    span = {"start": instant(WEEKS[0]), "end": instant(WEEKS[1])}
    found = expand(answer.encode(), **span, zone="Europe/Berlin", dav=True)
    assert len(found["events"]) == len(events)
    for bad in ("<D:multistatus", f'<!DOCTYPE x [<!ENTITY a "{"a" * 99}">]>{answer.replace("garbage", "&a;")}'):
        with pytest.raises(Refusal, match="damaged"):
            expand(bad.encode(), **span, zone="UTC", dav=True)


async def test_a_calendar_that_keeps_its_reader_busy_is_given_up() -> None:
    rules = [f"DTSTART:00010101T000000Z\nRRULE:FREQ=DAILY;BYHOUR={','.join(map(str, range(24)))}"] * 400
    options = {"start": instant(WEEKS[0]), "end": instant(WEEKS[1]), "zone": "UTC"}
    with pytest.raises(Refusal, match="slow"):
        await run_confined(CHILD, options, calendar(*rules), seconds=3)
