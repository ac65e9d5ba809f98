"""Cron lines are read with their standard meaning, and wrong ones refused with what to change."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

import pytest
from cronsim import CronSim
from hypothesis import assume, given
from hypothesis import strategies as st

from core.kernel.timing.cron import read
from core.kernel.timing.schedule import Rule, check_cron, next_after

FEBRUARY = "2026-02-01T00:00+00:00"


def ms(iso: str) -> int:
    return round(datetime.fromisoformat(iso).timestamp() * 1000)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("30 9 * * 1-5", "30 9 * * 1-5"),
        ("  */30\t*  * * * ", "*/30 * * * *"),
        ("0 9 * jan sun,mon", "0 9 * JAN SUN,MON"),
        ("0 0 29 2 *", "0 0 29 2 *"),
        ("0 9 l * *", "0 9 L * *"),
        ("0 9 * * 5#2", "0 9 * * 5#2"),
        ("0 9 * 2 1#5", "0 9 * 2 1#5"),
    ],
)
def test_a_good_line_is_kept_in_one_spelling(written: str, kept: str) -> None:
    assert check_cron(written) == kept


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "exactly 5 fields .* this one has 0"),
        ("* * * *", "exactly 5 fields .* this one has 4"),
        ("0 30 9 * * 1", "exactly 5 fields .* this one has 6"),
        ("@daily", "exactly 5 fields"),
        ("60 * * * *", "minute .* 0-59"),
        ("0 24 * * *", "hour .* 0-23"),
        ("0 0 32 * *", "day of the month"),
        ("0 0 * 13 *", "month .* 1-12"),
        ("0 0 * * 8", "day of the week .* 0-7"),
        ("0 0 * * FRI-MON", "ranges go up"),
        ("0 0 31 2 *", "day of the month"),
        ("0 0 30 2 *", "day of the month"),
        ("0 0 31 4,6,9,11 *", "day of the month"),
        ("0 0 */31 * 1#2", "never comes"),
        ("*/0 * * * *", "minute"),
        ("% * * * *", "minute"),
        ("1" * 300 + " * * * *", "at most 200 characters"),
    ],
)
def test_a_bad_line_says_what_to_change(written: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        check_cron(written)


@given(st.text("0123456789*/-,#LW SUNMOJANFEB?@\t", max_size=40) | st.text(max_size=300))
def test_nothing_but_a_sentence_comes_of_any_text(written: str) -> None:
    try:
        kept = check_cron(written)
    except ValueError as error:
        kept = str(error)
    assert kept.endswith(".") or check_cron(kept) == kept


@pytest.mark.parametrize("line", ["0 9 * * 0", "0 9 * * 7", "0 9 * * SUN"])
def test_zero_and_seven_are_sunday(line: str) -> None:
    assert next_after(Rule(cron=line, zone="UTC"), ms("2026-11-21T10:00+00:00")) == ms("2026-11-22T09:00+00:00")


def test_a_day_of_the_month_or_of_the_week_is_enough_when_both_are_given() -> None:
    rule = Rule(cron="0 9 13 * 5", zone="UTC")
    assert next_after(rule, ms(FEBRUARY)) == ms("2026-02-06T09:00+00:00")
    assert next_after(rule, ms("2026-04-11T00:00+00:00")) == ms("2026-04-13T09:00+00:00")


def test_a_line_is_parsed_once() -> None:
    assert read("7 7 * * *") is read("7 7 * * *")


def field(low: int, high: int, *more: str) -> st.SearchStrategy[str]:
    number = st.integers(low, high)
    span = st.tuples(number, number).map(lambda two: f"{min(two)}-{max(two)}")
    one = st.one_of(number.map(str), span, st.integers(2, high).map(lambda n: f"*/{n}"), st.sampled_from(["*", *more]))
    return st.one_of(one, st.lists(one, min_size=2, max_size=3).map(",".join))


LINES = st.tuples(
    field(0, 59), field(0, 23), field(1, 31, "L", "LW"), field(1, 12), field(0, 7, "5L", "1#1", "2#5")
).map(" ".join)


@given(LINES, st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - bounds
def test_where_clocks_never_change_it_is_as_cronsim_has_it(line: str, after: datetime) -> None:
    try:
        line = check_cron(line)
    except ValueError:
        assume(False)
    found = ms(after.isoformat())
    for expected in islice(CronSim(line, after), 5):
        following = next_after(Rule(cron=line, zone="UTC"), found)
        assert following == ms(expected.isoformat()) > found
        found = following
