"""Instants and what the clocks of a zone show then, also where a zone skips time or has some of it twice."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.kernel.types import Millis

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLI = timedelta(milliseconds=1)


def is_zone(name: str) -> bool:
    """Return whether a name is one of a zone (IANA) that is known here."""
    return zone_named(name) is not None


def known_zone(name: str | None) -> str:
    """Return a name that was stored or told, or an empty one where no zone of it is known here."""
    return name if name and is_zone(name) else ""


def zone_named(name: str) -> ZoneInfo | None:
    """Return the zone of this name (IANA), or None: empty, or what is none here, though a platform may know it."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


def to_local(at: Millis, zone: ZoneInfo) -> datetime:
    """Return what a clock in `zone` shows at `at`. OverflowError or ValueError outside the years 1 to 9999."""
    return (EPOCH + timedelta(milliseconds=at)).astimezone(zone)


def to_instant(wall: datetime, zone: ZoneInfo) -> Millis:
    """Return the first instant at which clocks in `zone` show `wall` (without a zone) or a later time.

    So a time that a zone skips is the first instant after the gap, however long that is (half an hour, a whole day),
    and one that exists twice is the first of both. OverflowError or ValueError outside the years 1 to 9999.
    """
    early = _instant(wall.replace(tzinfo=zone, fold=0))
    shown = to_local(early, zone).replace(tzinfo=None, fold=0)
    return early if shown == wall.replace(fold=0, microsecond=shown.microsecond) else _after_gap(wall, zone)


def to_second(wall: datetime, zone: ZoneInfo) -> Millis:
    """Return the last instant at which clocks in `zone` show `wall`: the second one of a time that exists twice."""
    return max(to_instant(wall, zone), _instant(wall.replace(tzinfo=zone, fold=1)))


def day_of(zone: ZoneInfo, now: Millis) -> tuple[str, Millis, Millis]:
    """Return the day it is in a zone, as an ISO date, with its first instant and that of the next day."""
    day = to_local(now, zone).date()
    begin, end = (to_instant(datetime.combine(one, time()), zone) for one in (day, day + timedelta(days=1)))
    return day.isoformat(), begin, end


def _instant(aware: datetime) -> Millis:
    return (aware - EPOCH) // MILLI


def _after_gap(wall: datetime, zone: ZoneInfo) -> Millis:
    """Of a time in a gap the two readings lie on both sides of it (PEP 495); changes come at whole seconds."""
    before, after = (_instant(wall.replace(tzinfo=zone, fold=fold)) // 1000 for fold in (1, 0))
    while after - before > 1:
        middle = (before + after) // 2
        shown = to_local(middle * 1000, zone).replace(tzinfo=None)
        before, after = (before, middle) if shown >= wall else (middle, after)
    return after * 1000
