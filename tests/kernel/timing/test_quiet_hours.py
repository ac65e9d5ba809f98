"""Quiet hours end at an instant that is to come, whatever clocks do."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.kernel.timing import quiet_hours

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = st.sampled_from([
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Pacific/Apia",
    "Asia/Kolkata",
    "America/New_York",
]).map(ZoneInfo)
CLOCK = st.times().map(lambda clock: f"{clock:%H:%M}")
# About the changes of clocks there are: 2011 (Apia skips a day), 2018 (São Paulo skips midnight), 2026.
INSTANTS = st.one_of(
    st.datetimes(datetime(2011, 12, 28), datetime(2012, 1, 2)),  # noqa: DTZ001 - bounds, in UTC
    st.datetimes(datetime(2018, 2, 16), datetime(2018, 2, 20)),  # noqa: DTZ001 - bounds, in UTC
    st.datetimes(datetime(2026, 3, 27), datetime(2026, 4, 6)),  # noqa: DTZ001 - bounds, in UTC
    st.datetimes(datetime(2026, 10, 2), datetime(2026, 11, 3)),  # noqa: DTZ001 - bounds, in UTC
)


def instant(text: str) -> int:
    """Milliseconds of an instant in UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("hours", "now", "until"),
    [
        ("22:00-07:00", "2026-09-21T19:59", None),
        ("22:00-07:00", "2026-09-21T20:00", "2026-09-22T05:00"),
        ("22:00-07:00", "2026-09-22T04:59", "2026-09-22T05:00"),
        ("22:00-07:00", "2026-09-22T05:00", None),
        ("12:00-14:00", "2026-09-22T11:00", "2026-09-22T12:00"),
        ("always", "2026-09-22T11:00", "2026-09-23T11:00"),
        ("", "2026-09-22T11:00", None),
        # What is shown twice: 2:10 and 2:30 in summer, then in winter.
        ("22:00-02:30", "2026-10-25T00:10", "2026-10-25T00:30"),
        ("22:00-02:30", "2026-10-25T01:10", "2026-10-25T01:30"),
        # What no clock shows: 2:30, the first instant after it is 3:00.
        ("22:00-02:30", "2026-03-29T00:50", "2026-03-29T01:00"),
    ],
)
def test_it_is_quiet_until_the_clock_shows_the_end(hours: str, now: str, until: str | None) -> None:
    assert quiet_hours.until(hours, BERLIN, instant(now)) == (None if until is None else instant(until))


@given(CLOCK, CLOCK, ZONES, INSTANTS)
@example("22:00", "02:30", BERLIN, datetime(2026, 10, 25, 1, 10))  # noqa: DTZ001 - in UTC
def test_the_end_is_always_to_come(begins: str, ends: str, zone: ZoneInfo, at: datetime) -> None:
    now = round(at.replace(tzinfo=UTC).timestamp() * 1000)
    until = quiet_hours.until(f"{begins}-{ends}", zone, now)
    assert until is None or until > now
