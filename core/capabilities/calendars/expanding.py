"""What stands in a calendar between two instants (RFC 5545).

It runs apart from the bot: whoever sends an invitation writes into somebody's calendar, and a rule may ask for a
billion times.
"""

from __future__ import annotations

import contextlib
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo
from operator import itemgetter
from typing import Any, NoReturn
from xml.etree.ElementTree import ParseError
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from icalendar.error import BrokenCalendarProperty
from icalendar.timezone import tzp
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON
from icalendar.timezone.zoneinfo import ZONEINFO

from core.kernel.timing.zones import to_local
from core.toolkit.confined.child import Limits, Refusal, serve

# Ten thousand events of the days that are looked at take about four seconds of a processor. All may take so many
# together, and each such a part of what is left of them: so none takes the time of the others.
CPU_SECONDS, ALL_SECONDS, PART = 25, 18.0, 10
MOST_EVENTS, LONGEST_TITLE, LONGEST_PLACE, LONGEST_UID = 5_000, 200, 120, 250
# What comes more than six times a day is of machines, or made to keep one busy.
MOST_TIMES = 2_500
_BEGINS = re.compile(rb"^\s*(?:\xef\xbb\xbf)?BEGIN:VCALENDAR", re.IGNORECASE)
_DAY = timedelta(days=1)
# What tells that an event is on once, and on other days, without reading it as a whole. The days of zones differ by two
# at most, and what is said to be short lasts less than this.
_EVENT = re.compile(rb"^BEGIN:VEVENT\r?\n.*?^END:VEVENT\r?\n", re.DOTALL | re.MULTILINE)
_COMES_AGAIN = re.compile(rb"^(?:RRULE|RDATE|RECURRENCE-ID)\b", re.MULTILINE | re.IGNORECASE)
_DATE = re.compile(rb"^DT(START|END)(?:;[^:\r\n]*)?:(\d{8})", re.MULTILINE)
_LASTS_LONG = re.compile(rb"^DURATION\b(?!:PT(?:\d{1,2}H)?(?:\d{1,3}M)?\r?\n)", re.MULTILINE | re.IGNORECASE)
_MARGIN = timedelta(days=7)
_ZONES_AHEAD = timedelta(days=3_650)
# What the libraries raise for what is no event.
_BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, BrokenCalendarProperty)


def expand(body: bytes, *, start: int, end: int, zone: str, dav: bool = False) -> dict[str, Any]:
    """Return the `name` of a calendar and its `events` between two instants (milliseconds), by their beginning; times
    without a zone are those of `zone`. Return as `left_out` how many are not among these, by why: the fields of
    `LeftOut`.

    `dav` is an answer of CalDAV with many calendars, of one event each. Raises `Refusal`: `damaged` for what is no
    calendar.
    """
    if not dav and not _BEGINS.match(body[:200]):
        raise Refusal("damaged")
    here = ZoneInfo(zone)
    first, last = (to_local(at, here) for at in (start, end))
    allowance, left_out = _Allowance(), Counter[str]()
    zones = _Zones(allowance, last + _ZONES_AHEAD)
    try:
        if dav:
            calendar = _joined(body, zones, left_out)
        else:
            tzp.use(zones)
            calendar = icalendar.Calendar.from_ical(without_others(body, first, last))
            named = str(calendar.pop("X-WR-TIMEZONE", ""))
            # One that nobody knows says nothing.
            with contextlib.suppress(OSError, *_BROKEN):
                calendar["X-WR-TIMEZONE"] = ZoneInfo(WINDOWS_TO_OLSON.get(named, named)).key
    except _BROKEN as error:
        raise Refusal("damaged", type(error).__name__) from error
    # Where not all have room, each event keeps its next times: one that comes often takes no place of others.
    ranked = [
        (nth, event["at"], event["title"], event)
        for times in _times(calendar, allowance, first, last, here, left_out)
        for nth, event in enumerate(sorted(times, key=itemgetter("at")))
    ]
    kept = sorted(ranked, key=itemgetter(0, 1, 2))[:MOST_EVENTS]
    events = [event for *_, event in sorted(kept, key=itemgetter(1, 2))]
    name = str(calendar.get("X-WR-CALNAME") or calendar.get("NAME") or "")
    left_out["crowded"] = len(ranked) - len(kept)
    return {"name": name[:LONGEST_TITLE], "events": events, "left_out": left_out}


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


def _joined(body: bytes, zones: _Zones, left_out: Counter[str]) -> icalendar.Calendar:
    """One calendar with all that an answer of CalDAV has (RFC 4791, 9.6); what is none is counted as left out."""
    joined = icalendar.Calendar()
    try:
        answer = fromstring(body)
    except (ParseError, DefusedXmlException) as error:
        raise Refusal("damaged", type(error).__name__) from error
    for data in answer.iter("{urn:ietf:params:xml:ns:caldav}calendar-data"):
        # Each brings zones of its own, and the library keeps the first one of a name until it is told where to look.
        tzp.use(zones)
        if not (data.text or "").strip():
            # A resource of something else, or one that is gone.
            continue
        try:
            joined.subcomponents += icalendar.Calendar.from_ical(data.text or "").subcomponents
        except _BROKEN:
            left_out["unclear"] += 1
    return joined


class _TooLong(BaseException):
    """Something takes longer than it may. It is no `Exception`, so that no library takes it for one of its own."""


def _stop(signum: int, frame: object) -> None:
    raise _TooLong


class _Allowance:
    """Time of the processor for what others wrote."""

    def __init__(self) -> None:
        self._until = time.process_time() + ALL_SECONDS
        signal.signal(signal.SIGPROF, _stop)

    @contextlib.contextmanager
    def part(self) -> Iterator[None]:
        """Raise `_TooLong` in what takes more than its part of the time that is left."""
        left = self._until - time.process_time()
        if left <= 0:
            raise Refusal("slow")
        signal.setitimer(signal.ITIMER_PROF, left / PART)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


class _NoZone(tzinfo):
    """A zone whose definition takes too long to follow: a time in it cannot be understood."""

    def utcoffset(self, at: datetime | None, /) -> NoReturn:
        """Refuse to tell."""
        raise ValueError

    dst = utcoffset

    def tzname(self, at: datetime | None, /) -> str:
        """Return no name: the library asks for one while it reads."""
        return ""


class _Zones(ZONEINFO):
    """Zones by their own definitions, each followed `until` an instant at once: what is interrupted while it does that
    leaves the library's lock behind, and whoever waits for that waits for ever."""

    def __init__(self, allowance: _Allowance, until: datetime) -> None:
        self._allowance, self._until, self._made = allowance, until, dict[bytes, tzinfo]()

    def create_timezone(self, tz: icalendar.Timezone) -> tzinfo:  # type: ignore[override]
        """Return the zone of a definition; of equal ones the same."""
        definition = tz.to_ical()
        if definition not in self._made:
            zone: tzinfo = super().create_timezone(tz)
            try:
                with self._allowance.part():
                    zone.utcoffset(self._until)
            except _TooLong:
                zone = _NoZone()
            self._made[definition] = zone
        return self._made[definition]


def _times(
    calendar: icalendar.Calendar,
    allowance: _Allowance,
    first: datetime,
    last: datetime,
    here: ZoneInfo,
    left_out: Counter[str],
) -> list[list[dict[str, Any]]]:
    """Return the times of each event. One that cannot be understood, takes too long or comes too often is counted as
    left out, and hides no other."""
    found = []
    for part in _by_event(calendar):
        times: list[dict[str, Any]] = []
        try:
            with allowance.part():
                times = _of_event(part, first, last, here, left_out)
        except (_TooLong, MemoryError):
            left_out["busy"] += 1
        except _BROKEN:
            left_out["unclear"] += 1
        if len(times) <= MOST_TIMES:
            found.append(times)
        else:
            left_out["busy"] += 1
    return found


def _by_event(calendar: icalendar.Calendar) -> Iterator[icalendar.Calendar]:
    """A calendar for each event, with its exceptions; zones stand in their times."""
    events: dict[str, list[Any]] = {}
    for part in calendar.subcomponents:
        if part.name == "VEVENT":
            events.setdefault(str(part.get("UID") or id(part)), []).append(part)
    for parts in events.values():
        alone = icalendar.Calendar(calendar)
        alone.subcomponents = parts
        yield alone


def _of_event(
    calendar: icalendar.Calendar, first: datetime, last: datetime, here: ZoneInfo, left_out: Counter[str]
) -> list[dict[str, Any]]:
    """Return the times of an event. Each part that cannot be understood is left out alone and counted, and so are other
    events that came with its uid; a revision that a later one replaces is not."""
    parts: Sequence[Any] = calendar.subcomponents
    exceptions = [part for part in parts if "RECURRENCE-ID" in part]
    whole = [part for part in parts if "RECURRENCE-ID" not in part]

    def times(some: Sequence[Any]) -> list[dict[str, Any]]:
        calendar.subcomponents = list(some)
        return list(_events(calendar, first, last, here))

    if not whole[1:]:
        with contextlib.suppress(*_BROKEN):
            return times(parts)
    clear = [(part, bool(_understood([part], [], times))) for part in whole]
    newest = max((_revision(part) for part, good in clear if good), default=0)
    series = [part for part, good in clear if good and _revision(part) == newest]
    broken = [part for part, good in clear if not good and _revision(part) >= newest]
    # Most that are broken are so by themselves, and looking at one costs less than at a half. A copy, for without its
    # series it would last for no time.
    alone = [part for part in exceptions if _understood([part.copy()], [], times)]
    kept = _understood(alone, series[:1], times)
    found = times([*series[:1], *kept])
    others = len({part.start for part in series}) - len(series[:1])
    left_out["unclear"] += others + len(broken) + len(exceptions) - len(kept)
    return found


def _revision(part: Any) -> int:
    """Return how often an event was changed; 0 where that cannot be read."""
    sequence = part.get("SEQUENCE")
    return sequence if isinstance(sequence, int) else 0


def _understood(parts: Sequence[Any], beside: Sequence[Any], times: Callable[[Sequence[Any]], object]) -> Sequence[Any]:
    """Return those of the parts of an event that have times `beside` others. Halves are tried as long as something in
    them is broken: one that is broken among many costs few trials."""
    try:
        times([*beside, *parts])
    except _BROKEN:
        middle = len(parts) // 2
        if not middle:
            return []
        left = _understood(parts[:middle], beside, times)
        return [*left, *_understood(parts[middle:], [*beside, *left], times)]
    return parts


def _events(calendar: icalendar.Calendar, first: datetime, last: datetime, here: ZoneInfo) -> Iterator[dict[str, Any]]:
    whole: Any = next((part for part in calendar.subcomponents if "RECURRENCE-ID" not in part), None)
    start = _millis(_instant(whole.start, here)) if whole else 0
    for part in calendar.subcomponents:
        # One time of a rule that does not say when it is has not moved, and lasts as long as the others.
        if "DTSTART" not in part and "RECURRENCE-ID" in part:
            part["DTSTART"] = part["RECURRENCE-ID"]
            if whole and "DTEND" not in part and "DURATION" not in part:
                part.add("DURATION", whole.end - whole.start)
    query = recurring_ical_events.of(calendar, keep_recurrence_attributes=False)
    for event in query.between(first, last):
        if str(event.get("STATUS", "")).upper() != "CANCELLED":
            yield _event(event, here, start)


def _event(event: icalendar.Event, here: tzinfo, start: int) -> dict[str, Any]:
    """One time of an event, in milliseconds: `at` and `until`; of whole days, the days of whoever looks at it. `which`
    of its times it is, counted from the `start` of the event, stays the same when it is moved, alone or with all."""
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
        "uid": str(event.get("UID", ""))[:LONGEST_UID],
        "which": _millis(_instant(event.decoded("RECURRENCE-ID"), here)) - start,
    }


def _instant(at: date | datetime, here: tzinfo) -> datetime:
    """Return a day or a time of a calendar as an instant: a day begins at midnight, a time without a zone is local."""
    if not isinstance(at, datetime):
        return datetime(at.year, at.month, at.day, tzinfo=here)
    return at.replace(tzinfo=here) if at.tzinfo is None else at


def _millis(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _plain(value: object, most: int) -> str:
    """Return a text of one line; who wrote it, nobody knows."""
    return " ".join(str(value or "").split())[:most]


def main() -> None:
    """Expand the calendar that stands on the standard input."""
    serve(expand, Limits(seconds=CPU_SECONDS))
