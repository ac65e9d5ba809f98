"""What English says about time, lists and wishes: read whole, or not at all."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.en_wishes import GRAMMAR
from core.language.grammar import Request
from core.when.expressions import At, Clock, Date, Every, Expression
from core.when.resolve import resolve
from core.when.schedule import Interval, Once, Rule, next_after
from tests.unit import phrases_en as phrases

BERLIN = ZoneInfo("Europe/Berlin")
SAID = 1_795_251_600_000
CLOCKS = st.builds(Clock, hour=st.integers(0, 23), minute=st.integers(0, 59))
WEEKDAYS = st.frozensets(st.integers(0, 6), min_size=1)
NAMED = st.one_of(
    st.builds(Every, unit=st.sampled_from(["minute", "hour"]), n=st.integers(1, 200)),
    st.builds(Every, unit=st.just("day"), n=st.integers(1, 20), clocks=st.tuples(CLOCKS)),
    st.builds(Every, unit=st.just("week"), clocks=st.tuples(CLOCKS), weekdays=WEEKDAYS),
    st.builds(
        Every,
        unit=st.just("week"),
        n=st.integers(2, 20),
        clocks=st.tuples(CLOCKS),
        weekdays=st.frozensets(st.integers(0, 6), min_size=1, max_size=6),
    ),
    st.builds(
        Every,
        unit=st.just("month"),
        n=st.integers(1, 20),
        clocks=st.tuples(CLOCKS),
        weekdays=st.frozensets(st.integers(0, 6), min_size=1, max_size=1),
        nth=st.sampled_from([1, 2, 3, 4, -1]),
    ),
    st.builds(
        Every,
        unit=st.just("month"),
        n=st.integers(1, 20),
        clocks=st.tuples(CLOCKS),
        day=st.sampled_from([-1, *range(1, 32)]),
    ),
    st.builds(
        Every,
        unit=st.just("year"),
        n=st.integers(1, 3),
        clocks=st.tuples(CLOCKS),
        day=st.integers(1, 28),
        month=st.integers(1, 12),
    ),
    st.builds(
        At,
        clock=CLOCKS,
        day=st.builds(Date, day=st.integers(1, 28), month=st.integers(1, 12), year=st.integers(2026, 2100)),
    ),
)
WORDS = [
    "at", "9", "tomorrow", "on", "every", "Monday", "and", "Friday", "the", "1st", "of", "month", "in", "20", "minutes",
    "to", "call", "remind", "me", "us", "Bob", ":", ",", "3/5", "27.11.", "until", "done", "add", "milk", "my", "list",
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "said"), phrases.TIMES.items())
def test_a_time_is_read(phrase: str, said: Expression) -> None:
    assert GRAMMAR.when(phrase) == said


@pytest.mark.parametrize("phrase", phrases.NO_TIMES)
def test_what_is_not_only_a_time_is_none(phrase: str) -> None:
    assert GRAMMAR.when(phrase) is None


@pytest.mark.parametrize(("phrase", "wall"), phrases.INSTANTS.items())
def test_a_phrase_comes_to_an_exact_instant(phrase: str, wall: str) -> None:
    said = GRAMMAR.when(phrase)
    assert said is not None
    found = next_after(resolve(said, SAID, BERLIN).schedule, SAID)
    assert found is not None
    assert datetime.fromtimestamp(found / 1000, BERLIN).isoformat(timespec="minutes")[:16] == wall


@pytest.mark.parametrize(("text", "wanted"), phrases.REQUESTS.items())
def test_a_request_is_read(text: str, wanted: Request) -> None:
    assert GRAMMAR.request(text) == wanted


@pytest.mark.parametrize("text", phrases.NO_REQUESTS)
def test_what_is_no_request_is_none(text: str) -> None:
    assert GRAMMAR.request(text) is None


@pytest.mark.parametrize(("text", "line"), phrases.COMMANDS.items())
def test_a_wish_becomes_the_line_of_its_command(text: str, line: str) -> None:
    assert GRAMMAR.command(text) == line


@pytest.mark.parametrize("text", phrases.NO_COMMANDS)
def test_what_is_no_wish_is_left_alone(text: str) -> None:
    assert GRAMMAR.command(text) is None


@pytest.mark.parametrize(
    "line",
    [line for line in phrases.COMMANDS.values() if line.startswith("/remind ") and line not in phrases.WITHOUT_A_TIME],
)
def test_the_line_of_a_reminder_can_be_read(line: str) -> None:
    assert GRAMMAR.request(line.removeprefix("/remind ")) is not None


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Rule(cron="0 8 * * *", zone="UTC"), "every day at 08:00"),
        (Rule(cron="0 8,20 * * *", zone="UTC"), "every day at 08:00 and 20:00"),
        (Rule(cron="0 8 * * *", zone="UTC", every=3, unit="day", anchor="2026-11-21"), "every 3 days at 08:00"),
        (Rule(cron="0 9 * * 1-5", zone="UTC"), "every weekday at 09:00"),
        (Rule(cron="0 10 * * 0,1,4", zone="UTC"), "every Monday, Thursday and Sunday at 10:00"),
        (Rule(cron="0 10 * * 1", zone="UTC", every=2, unit="week", anchor="2026-11-23"), "every other Monday at 10:00"),
        (Rule(cron="0 9 * * 5L", zone="UTC"), "on the last Friday of the month at 09:00"),
        (Rule(cron="0 9 1 * *", zone="UTC"), "on the 1st of each month at 09:00"),
        (Rule(cron="0 9 L * *", zone="UTC"), "on the last day of the month at 09:00"),
        (Rule(cron="0 9 31 * *", zone="UTC", unit="month"), "on the 31st of each month at 09:00"),
        (Rule(cron="0 9 3 5 *", zone="UTC"), "every year on 3 May at 09:00"),
    ],
)
def test_a_rule_is_said_in_words_that_are_read_back(rule: Rule, words: str) -> None:
    assert GRAMMAR.say(rule, BERLIN) == words
    assert GRAMMAR.when(words) is not None


@pytest.mark.parametrize(
    "cron", ["*/5 * * * *", "0 9 31 * *", "0 9 * 5 1", "0 9 1-7 * 1", "0 9 * * MON", "0 * * * 5#5", "1-3 9 * * *"]
)
def test_a_cron_line_without_words_is_said_as_it_stands(cron: str) -> None:
    assert GRAMMAR.say(Rule(cron=cron, zone="UTC"), BERLIN) == f"by cron {cron}"


def test_an_instant_and_an_interval_are_said() -> None:
    assert GRAMMAR.say(Once(at=SAID), BERLIN) == "Sat 21 Nov 2026 10:00"
    assert GRAMMAR.say(Once(at=SAID), ZoneInfo("America/New_York")) == "Sat 21 Nov 2026 04:00"
    said = [GRAMMAR.say(Interval(seconds=n, start=SAID), BERLIN) for n in (60, 90, 1_800, 3_600, 7_200)]
    assert said == ["every minute", "every 90 seconds", "every 30 minutes", "every hour", "every 2 hours"]


@given(NAMED)
def test_what_is_said_is_read_back_as_the_same(wanted: Expression) -> None:
    schedule = resolve(wanted, SAID, BERLIN).schedule
    read = GRAMMAR.when(GRAMMAR.say(schedule, BERLIN))
    assert read is not None
    assert resolve(read, SAID, BERLIN).schedule == schedule


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)))
def test_arbitrary_words_never_raise_and_a_request_has_its_text_from_them(text: str) -> None:
    found = GRAMMAR.request(text)
    line = GRAMMAR.command(text)
    assert found is None or (found.text and found.text in text)
    assert line is None or line.startswith("/")


@pytest.mark.parametrize(
    "part",
    [
        "at 9 ", "a", " ", "every ", "on the ", "Bob and ", "Bob, ", "@a, ", "monday, ", "1/", "1:", "in 2h ", "until ",
        "\n", "remind me at 9 ", "add x to my ", "done ", "mark ", "(", '"', "at 8, ", "a couple of ",
        "every monday and ", "i'm ",
    ],
)  # fmt: skip
def test_a_long_hostile_text_costs_little(part: str) -> None:
    text = part * (2_000 // len(part))
    before = time.process_time()
    found = [GRAMMAR.when(text), GRAMMAR.request(text), GRAMMAR.command(text)]
    # A millisecond or so of the processor; a pattern that goes back over the text again and again takes seconds.
    assert time.process_time() - before < 0.1
    assert found[0] is None


def test_a_text_of_more_than_two_thousand_characters_is_refused() -> None:
    text = "remind me tomorrow at 9 to call " + "Oma" * 700
    assert GRAMMAR.command(text) is None
    assert GRAMMAR.request(text.removeprefix("remind ")) is None
    assert GRAMMAR.when("tomorrow" + " " * 2_000) is None
