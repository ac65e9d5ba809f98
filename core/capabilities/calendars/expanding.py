"""What stands in a calendar between two instants (RFC 5545).

It runs apart from the bot: whoever sends an invitation writes into somebody's calendar, and a rule may ask for a
billion times.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from xml.etree.ElementTree import ParseError
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
import x_wr_timezone
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from icalendar.error import BrokenCalendarProperty

from core.toolkit.apart.child import Limits, Refusal, serve

# Ten thousand events of the days that are looked at take about four seconds of a processor.
CPU_SECONDS = 25
MOST_EVENTS, LONGEST_TITLE, LONGEST_PLACE = 5_000, 200, 120
# Rules that come so often are of machines, or made to keep one busy.
_TOO_OFTEN = frozenset({"SECONDLY", "MINUTELY", "HOURLY"})
_BEGINS = re.compile(rb"^\s*(?:\xef\xbb\xbf)?BEGIN:VCALENDAR", re.IGNORECASE)
_DAY = timedelta(days=1)
# What tells that an event is on once, and on other days, without reading it as a whole. The days of zones differ by two
# at most, and what is said to be short lasts less than this.
_EVENT = re.compile(rb"^BEGIN:VEVENT\r?\n.*?^END:VEVENT\r?\n", re.DOTALL | re.MULTILINE)
_COMES_AGAIN = re.compile(rb"^(?:RRULE|RDATE|RECURRENCE-ID)\b", re.MULTILINE | re.IGNORECASE)
_DATE = re.compile(rb"^DT(START|END)(?:;[^:\r\n]*)?:(\d{8})", re.MULTILINE)
_LASTS_LONG = re.compile(rb"^DURATION\b(?!:PT(?:\d{1,2}H)?(?:\d{1,3}M)?\r?\n)", re.MULTILINE | re.IGNORECASE)
_MARGIN = timedelta(days=7)
# What the libraries raise for what is no event.
_BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, BrokenCalendarProperty)


def expand(body: bytes, *, start: int, end: int, zone: str, dav: bool = False) -> dict[str, Any]:
    """Return the `name` of a calendar and its `events` between two instants (milliseconds), by their beginning; times
    without a zone are those of `zone`. `skipped` are rules that come too often.

    `dav` is an answer of CalDAV with many calendars, of one event each. Raises `Refusal`: `damaged` for what is no
    calendar.
    """
    if not dav and not _BEGINS.match(body[:200]):
        raise Refusal("damaged")
    here = ZoneInfo(zone)
    first, last = (datetime.fromtimestamp(at / 1000, UTC).astimezone(here) for at in (start, end))
    try:
        if dav:
            calendar = _joined(body)
        else:
            calendar = x_wr_timezone.to_standard(icalendar.Calendar.from_ical(without_others(body, first, last)))
    except _BROKEN as error:
        raise Refusal("damaged", type(error).__name__) from error
    skipped = _without_too_often(calendar)
    try:
        found = list(_events(calendar, first, last, here))
    except _BROKEN:
        # One that cannot be understood is left out, and hides no other.
        found = []
        for part in _by_event(calendar):
            with contextlib.suppress(*_BROKEN):
                found += _events(part, first, last, here)
    events = sorted(found, key=lambda one: (one["at"], one["title"]))
    name = str(calendar.get("X-WR-CALNAME") or calendar.get("NAME") or "")
    return {"name": name[:LONGEST_TITLE], "events": events[:MOST_EVENTS], "skipped": skipped}


def without_others(body: bytes, first: datetime, last: datetime) -> bytes:
    """Return a calendar without the events that are surely on other days: most of one that was kept for years. All else
    stays, for the library to judge."""
    after, before = (f"{at:%Y%m%d}".encode() for at in (first - _MARGIN, last + _MARGIN))
    kept, done = bytearray(), 0
    for found in _EVENT.finditer(body):
        dates = dict(_DATE.findall(found[0]))
        start = dates.get(b"START")
        if start is None or _COMES_AGAIN.search(found[0]) or _LASTS_LONG.search(found[0]):
            continue
        if start >= before or max(start, dates.get(b"END", start)) <= after:
            kept += body[done : found.start()]
            done = found.end()
    return bytes(kept + body[done:])


def _joined(body: bytes) -> icalendar.Calendar:
    """One calendar with all that an answer of CalDAV has (RFC 4791, 9.6); what is none is left out."""
    joined = icalendar.Calendar()
    try:
        answer = fromstring(body)
    except (ParseError, DefusedXmlException) as error:
        raise Refusal("damaged", type(error).__name__) from error
    for data in answer.iter("{urn:ietf:params:xml:ns:caldav}calendar-data"):
        with contextlib.suppress(*_BROKEN):
            joined.subcomponents += icalendar.Calendar.from_ical(data.text or "").subcomponents
    return joined


def _without_too_often(calendar: icalendar.Calendar) -> int:
    """Take events out that come too often, or by a rule that nobody understands; return how many."""
    kept = [part for part in calendar.subcomponents if not _comes_too_often(part)]
    skipped = len(calendar.subcomponents) - len(kept)
    calendar.subcomponents = kept
    return skipped


def _comes_too_often(part: icalendar.Component) -> bool:
    try:
        rule = part.get("RRULE")
        rules = rule if isinstance(rule, list) else [rule] if rule else []
        return any(_TOO_OFTEN & {str(freq).upper() for freq in one.get("FREQ", ())} for one in rules)
    except _BROKEN:
        return True


def _by_event(calendar: icalendar.Calendar) -> Iterator[icalendar.Calendar]:
    """A calendar for each event, with its exceptions, and with all zones."""
    events: dict[str, list[Any]] = {}
    others = []
    for part in calendar.subcomponents:
        if part.name == "VEVENT":
            events.setdefault(str(part.get("UID", "")), []).append(part)
        else:
            others.append(part)
    for parts in events.values():
        alone = icalendar.Calendar(calendar)
        alone.subcomponents = [*others, *parts]
        yield alone


def _events(calendar: icalendar.Calendar, first: datetime, last: datetime, here: ZoneInfo) -> Iterator[dict[str, Any]]:
    query = recurring_ical_events.of(calendar, keep_recurrence_attributes=False, skip_bad_series=True)
    for event in query.between(first, last):
        if str(event.get("STATUS", "")).upper() != "CANCELLED":
            yield _event(event, here)


def _event(event: icalendar.Event, here: tzinfo) -> dict[str, Any]:
    """One time of an event, in milliseconds: `at` and `until`; of whole days, the days of whoever looks at it."""
    whole = not isinstance(event.start, datetime)
    begins, ends = _instant(event.start, here), _instant(event.end, here)
    if whole and ends <= begins:
        ends = begins + _DAY
    return {
        "at": _millis(begins),
        "until": max(_millis(ends), _millis(begins)),
        "whole": whole,
        "day": begins.date().isoformat() if whole else "",
        "title": _plain(event.get("SUMMARY"), LONGEST_TITLE),
        "place": _plain(event.get("LOCATION"), LONGEST_PLACE),
        "uid": str(event.get("UID", ""))[:250],
    }


def _instant(at: date | datetime, here: tzinfo) -> datetime:
    """A day begins at its midnight; a time without a zone is that of whoever looks at it."""
    if not isinstance(at, datetime):
        return datetime(at.year, at.month, at.day, tzinfo=here)
    return at.replace(tzinfo=here) if at.tzinfo is None else at


def _millis(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _plain(value: object, most: int) -> str:
    """A text of one line; who wrote it, nobody knows."""
    return " ".join(str(value or "").split())[:most]


def main() -> None:
    """Expand the calendar that stands on the standard input."""
    serve(expand, Limits(seconds=CPU_SECONDS))
