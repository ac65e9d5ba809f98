"""What is due next: once, on a grid, by a calendar; and schedules survive being written down."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.timing import schedule as schedules
from core.kernel.timing.schedule import Interval, Once, Rule, Schedule, dump, last_before, load, next_after
from core.kernel.timing.zones import to_local

NOW = 1_795_251_600_000  # 2026-11-21T10:00 in Berlin, a Saturday
MINUTE, YEAR = 60_000, 366 * 86_400_000
BERLIN = "Europe/Berlin"

ONCE = st.builds(Once, at=st.integers(), wall=st.text(max_size=20))
INTERVAL = st.builds(Interval, seconds=st.integers(60, 10**9), start=st.integers(-(10**13), 10**13))
RULE = st.builds(
    Rule,
    cron=st.sampled_from(["0 9 * * *", "*/30 * * * *", "30 2 * * 1-5", "0 0 L * *", "15 1,13 29 * *", "0 9 * * 5#5"]),
    zone=st.sampled_from([BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"]),
    every=st.integers(1, 12),
    unit=st.sampled_from(["day", "week", "month", "year"]),
    anchor=st.dates(datetime(2020, 1, 1).date(), datetime(2030, 1, 1).date()).map(str),  # noqa: DTZ001 - bounds
)


def days(rule: Rule, count: int, after: int = NOW) -> list[str]:
    found = []
    for _ in range(count):
        following = next_after(rule, after)
        assert following is not None
        after = following
        found.append(f"{to_local(after, ZoneInfo(rule.zone)):%Y-%m-%d}")
    return found


@given(ONCE | INTERVAL | RULE)
def test_a_schedule_is_read_back_as_it_was_written(schedule: Schedule) -> None:
    assert load(dump(schedule)) == schedule
    assert "\n" not in dump(schedule)


@pytest.mark.parametrize("text", ["", "5", "[]", "{}", '{"kind":"never"}', '{"kind":"once"}', '{"kind":[]}', "once"])
def test_what_was_not_written_by_us_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        load(text)


@given(ONCE | INTERVAL | RULE, st.integers(0, 4_000_000_000_000))
def test_the_next_one_is_always_later(schedule: Schedule, after: int) -> None:
    for _ in range(5):
        following = next_after(schedule, after)
        if following is None:
            break
        assert following > after
        after = following


@given(ONCE | INTERVAL | RULE, st.integers(0, 4_000_000_000_000))
def test_between_the_last_one_and_now_there_is_none(schedule: Schedule, now: int) -> None:
    last = last_before(schedule, now)
    if last is None:
        first = next_after(schedule, now - (10**20 if not isinstance(schedule, Rule) else 90 * YEAR))
        assert first is None or first >= now
        return
    assert last < now
    assert next_after(schedule, last - 1) == last
    following = next_after(schedule, last)
    assert following is None or following >= now


@pytest.mark.parametrize(
    "schedule",
    [
        Once(at=NOW),
        Interval(seconds=90, start=NOW),
        Rule(cron="0 10 * * *", zone=BERLIN),
        Rule(cron="* * * * *", zone=BERLIN),
        Rule(cron="0 10 21 11 *", zone=BERLIN, every=10, unit="year", anchor="2006-01-01"),
    ],
)
def test_the_last_one_is_before_the_instant_and_not_at_it(schedule: Schedule) -> None:
    assert last_before(schedule, NOW + 1) == NOW
    assert last_before(schedule, NOW) != NOW


def test_before_the_first_one_there_is_none() -> None:
    assert last_before(Once(at=NOW), NOW) is None
    assert last_before(Interval(seconds=90, start=NOW), NOW) is None
    later = Rule(cron="0 9 1 1 *", zone=BERLIN, every=10**30, unit="year", anchor="2035-01-01")
    assert last_before(later, NOW) is None


def test_the_last_of_very_many_is_found_in_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def counted(schedule: Schedule, after: int) -> int | None:
        asked.append(after)
        return next_after(schedule, after)

    monkeypatch.setattr(schedules, "next_after", counted)
    often = Rule(cron="* 0-22 * * *", zone=BERLIN)
    midnight = NOW + 14 * 60 * MINUTE
    assert last_before(often, midnight) == midnight - 61 * MINUTE
    assert len(asked) < 50


def test_once_is_due_once() -> None:
    assert [next_after(Once(at=NOW), after) for after in (NOW - 1, NOW, NOW + 1)] == [NOW, None, None]


def test_an_interval_stays_on_its_grid() -> None:
    interval = Interval(seconds=90, start=NOW)
    asked = [NOW - 500_000, NOW - 1, NOW, NOW + 89_999, NOW + 90_000, NOW + 1_000_000]
    assert [next_after(interval, after) for after in asked] == [NOW + n * 90_000 for n in (0, 0, 1, 1, 2, 12)]


def test_every_other_week_is_counted_from_the_week_of_the_anchor() -> None:
    rule = Rule(cron="0 10 * * 1,4", zone=BERLIN, every=2, unit="week", anchor="2026-11-26")
    assert days(rule, 5) == ["2026-11-23", "2026-11-26", "2026-12-07", "2026-12-10", "2026-12-21"]


def test_weeks_begin_on_monday() -> None:
    rule = Rule(cron="0 10 * * 0,1", zone=BERLIN, every=2, unit="week", anchor="2026-11-22")
    assert days(rule, 4) == ["2026-11-22", "2026-11-30", "2026-12-06", "2026-12-14"]


def test_every_third_day_goes_on_over_the_end_of_a_month() -> None:
    rule = Rule(cron="0 9 * * *", zone=BERLIN, every=3, unit="day", anchor="2026-11-24")
    assert days(rule, 4) == ["2026-11-24", "2026-11-27", "2026-11-30", "2026-12-03"]


def test_every_fifth_month_goes_on_over_the_end_of_a_year() -> None:
    rule = Rule(cron="0 9 1 * *", zone=BERLIN, every=5, unit="month", anchor="2026-12-01")
    assert days(rule, 3) == ["2026-12-01", "2027-05-01", "2027-10-01"]


def test_every_fourth_year_is_counted_from_the_anchor() -> None:
    rule = Rule(cron="0 9 3 5 *", zone=BERLIN, every=4, unit="year", anchor="2027-05-03")
    assert days(rule, 3) == ["2027-05-03", "2031-05-03", "2035-05-03"]


def test_counting_in_months_the_31st_is_the_last_day_of_a_shorter_one() -> None:
    rule = Rule(cron="0 9 31 * *", zone=BERLIN, unit="month")
    assert days(rule, 4) == ["2026-11-30", "2026-12-31", "2027-01-31", "2027-02-28"]


def test_counting_in_months_the_30th_is_the_last_day_of_february_only() -> None:
    rule = Rule(cron="0 9 30 * *", zone=BERLIN, unit="month")
    assert days(rule, 5)[1:] == ["2026-12-30", "2027-01-30", "2027-02-28", "2027-03-30"]


def test_counting_in_years_29_february_is_the_28th_of_a_common_year() -> None:
    rule = Rule(cron="0 9 29 2 *", zone=BERLIN, unit="year")
    assert days(rule, 3) == ["2027-02-28", "2028-02-29", "2029-02-28"]


def test_a_cron_line_by_itself_leaves_out_months_without_its_day() -> None:
    assert days(Rule(cron="0 9 31 * *", zone=BERLIN), 3) == ["2026-12-31", "2027-01-31", "2027-03-31"]
    assert days(Rule(cron="0 9 29 2 *", zone=BERLIN), 2) == ["2028-02-29", "2032-02-29"]


def test_there_is_no_29_february_in_2100() -> None:
    assert days(Rule(cron="0 9 29 2 *", zone=BERLIN), 2, 3_900_000_000_000) == ["2096-02-29", "2104-02-29"]


def test_nothing_comes_after_the_last_year() -> None:
    for cron in ("0 9 * * *", "*/5 * * * *"):
        assert next_after(Rule(cron=cron, zone=BERLIN), 253_402_300_799_000) is None
        assert next_after(Rule(cron=cron, zone=BERLIN), 10**30) is None
    seldom = Rule(cron="0 9 1 1 *", zone=BERLIN, every=10**30, unit="year", anchor="2025-01-01")
    assert next_after(seldom, NOW) is None


def test_a_stored_schedule_has_no_field_that_came_without_a_migration() -> None:
    # A version before a field lets what has it rest, and its maker's lists fail. With the field comes a migration, so
    # that such a version refuses the whole database; then this may change.
    kinds = (Once, Interval, Rule, schedules.Watch)
    assert {kind.__name__: " ".join(field.name for field in fields(kind)) for kind in kinds} == {
        "Once": "at wall",
        "Interval": "seconds start until",
        "Rule": "cron zone every unit anchor times without until",
        "Watch": "condition until",
    }
