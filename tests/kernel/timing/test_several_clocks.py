"""A rule may have clocks that no single cron line says together: a quarter past eight and a quarter to six."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.kernel.timing.expressions import Clock, Every
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Rule, dump, last_before, load, next_after

BERLIN = "Europe/Berlin"


def at(text: str) -> int:
    """Unix milliseconds of a time in Berlin."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(BERLIN)).timestamp() * 1000)


def shown(instant: int | None) -> str:
    assert instant is not None
    local = datetime.fromtimestamp(instant / 1000, UTC).astimezone(ZoneInfo(BERLIN))
    return local.isoformat(timespec="minutes")[:16]


RULE = Rule(cron="15 8 * * 1-5", zone=BERLIN, times="08:15,17:45")


@pytest.mark.parametrize(
    ("after", "then"),
    [
        ("2026-11-25T08:00", "2026-11-25T08:15"),
        ("2026-11-25T08:15", "2026-11-25T17:45"),
        ("2026-11-25T17:45", "2026-11-26T08:15"),
        ("2026-11-27T17:45", "2026-11-30T08:15"),
        # The clocks are set back on 25 October.
        ("2026-10-23T17:45", "2026-10-26T08:15"),
    ],
)
def test_it_comes_at_each_of_its_clocks(after: str, then: str) -> None:
    assert shown(next_after(RULE, at(after))) == then
    assert shown(last_before(RULE, at(then) + 1)) == then


def test_a_clock_that_a_gap_skips_comes_right_after_it_and_the_other_at_its_time() -> None:
    rule = Rule(cron="30 2 * * *", zone=BERLIN, times="02:30,04:10")
    # On 28 March 2027 there is no time between two and three.
    first = next_after(rule, at("2027-03-28T00:00"))
    assert shown(first) == "2027-03-28T03:00"
    assert first is not None
    assert shown(next_after(rule, first)) == "2027-03-28T04:10"


def test_it_is_made_of_what_was_said_and_kept_and_read_back() -> None:
    said = Every(
        unit="week", clocks=(Clock(hour=8, minute=15), Clock(hour=17, minute=45)), weekdays=frozenset(range(5))
    )
    found = resolve(said, at("2026-11-25T12:00"), ZoneInfo(BERLIN)).schedule
    assert found == RULE
    assert load(dump(found)) == found
    assert found.clocks == ["08:15", "17:45"]


def test_a_rule_that_one_line_says_is_written_as_before() -> None:
    plain = Rule(cron="0 9 * * *", zone=BERLIN)
    assert "times" not in dump(plain)
    assert load('{"kind":"rule","cron":"0 9 * * *","zone":"Europe/Berlin","every":1,"unit":"day","anchor":""}') == plain
