"""What every language promises about time, lists and wishes: a text is read whole, or not at all.

A language brings its phrases (phrases_…) and what else is its own (grammar_…).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.kernel.timing.expressions import At, Clock, Date, Every, Expression
from core.kernel.timing.moving_holidays import country_of
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Interval, Once, Rule, next_after
from core.kernel.timing.zones import to_local
from core.language import languages
from core.language.grammar import Grammar, Request, Wish
from tests.language import grammar_de, grammar_en, grammar_zh, phrases_de, phrases_en, phrases_zh
from tests.language.wishes import noted

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
NEW_YORK = ZoneInfo("America/New_York")


@dataclass(frozen=True)
class Tongue:
    """A language with its tables."""

    code: str
    phrases: ModuleType
    own: ModuleType

    @property
    def grammar(self) -> Grammar:
        """Also that of a language that has no texts."""
        found: Grammar = import_module(f"core.language.{self.code}.grammar").GRAMMAR
        return found

    def __str__(self) -> str:
        return self.code


ALLOWANCE = 0.1  # processor seconds that any text may cost
TONGUES = (
    Tongue("en", phrases_en, grammar_en),
    Tongue("zh", phrases_zh, grammar_zh),
    Tongue("de", phrases_de, grammar_de),
)
every_tongue = pytest.mark.parametrize("tongue", TONGUES, ids=str)
# A language that has no texts says nothing.
who_speaks = pytest.mark.parametrize("tongue", [one for one in TONGUES if one.code in languages()], ids=str)


def table(name: str) -> list[tuple[Any, ...]]:
    """Each row of a table of each language, with the language before it."""
    rows: list[tuple[Any, ...]] = []
    for tongue in TONGUES:
        found: Any = getattr(tongue.phrases if hasattr(tongue.phrases, name) else tongue.own, name, ())
        pairs = found.items() if isinstance(found, Mapping) else found
        rows += [(tongue, *row) if isinstance(row, tuple) else (tongue, row) for row in pairs]
    return rows


CLOCKS = st.builds(Clock, hour=st.integers(0, 23), minute=st.integers(0, 59))
TIMES = st.one_of(st.tuples(CLOCKS), st.tuples(CLOCKS, CLOCKS), st.tuples(CLOCKS, CLOCKS, CLOCKS))
N = st.integers(1, 20)
ONE_DAY = st.frozensets(st.integers(0, 6), min_size=1, max_size=1)
SEVERAL = st.frozensets(st.integers(0, 6), min_size=1)
NTH = st.sampled_from([1, 2, 3, 4, -1])
# As from 8:15 to 18:15 each hour.
OFTEN = st.builds(
    lambda first, step, more: tuple(Clock(hour=at // 60, minute=at % 60) for at in range(first, 1440, step)[:more]),
    st.integers(0, 900),
    st.sampled_from([15, 20, 30, 45, 60]),
    st.integers(7, 12),
)
NAMED = st.one_of(
    st.builds(Every, unit=st.sampled_from(["minute", "hour"]), n=st.integers(1, 200)),
    st.builds(Every, unit=st.just("day"), n=N, clocks=TIMES | OFTEN),
    st.builds(Every, unit=st.just("week"), clocks=TIMES | OFTEN, weekdays=SEVERAL, but_holidays=st.booleans()),
    st.builds(Every, unit=st.just("week"), n=N, clocks=TIMES, weekdays=ONE_DAY),
    st.builds(Every, unit=st.just("month"), n=N, clocks=TIMES, weekdays=ONE_DAY, nth=NTH),
    st.builds(Every, unit=st.just("month"), n=N, clocks=TIMES | OFTEN, day=st.sampled_from([-1, *range(1, 32)])),
    st.builds(
        Every,
        unit=st.just("month"),
        n=N,
        clocks=TIMES,
        day=st.sampled_from([-1, *range(1, 32)]),
        also=st.frozensets(st.sampled_from([-1, *range(1, 32)]), max_size=4),
    ),
    st.builds(Every, unit=st.just("year"), n=N, clocks=TIMES, day=st.integers(1, 28), month=st.integers(1, 12)),
    st.builds(
        At,
        clock=st.builds(Clock, hour=st.integers(0, 23), minute=st.integers(0, 59)),
        day=st.builds(Date, day=st.integers(1, 28), month=st.integers(1, 12), year=st.integers(2026, 2100)),
    ),
)


# The same with an end: what comes on days has a last one, what comes all the time an instant.
LAST_DAY = st.builds(Date, day=st.integers(1, 28), month=st.integers(1, 12), year=st.integers(2028, 2100))
ENDED = st.builds(
    lambda every, day, clock: replace(
        every, until=At(day=day, clock=clock if every.unit in {"minute", "hour"} else None)
    ),
    NAMED.filter(lambda one: isinstance(one, Every)),
    LAST_DAY,
    CLOCKS,
)


@pytest.mark.parametrize(("tongue", "phrase", "said"), table("TIMES"), ids=str)
def test_a_time_is_read(tongue: Tongue, phrase: str, said: Expression) -> None:
    assert tongue.grammar.when(phrase) == said


@pytest.mark.parametrize(("tongue", "phrase"), table("NO_TIMES"), ids=str)
def test_what_is_not_only_a_time_is_none(tongue: Tongue, phrase: str) -> None:
    assert tongue.grammar.when(phrase) is None


@pytest.mark.parametrize(("tongue", "phrase", "wall"), table("INSTANTS"), ids=str)
def test_a_phrase_comes_to_an_exact_instant(tongue: Tongue, phrase: str, wall: str) -> None:
    said = tongue.grammar.when(phrase)
    assert said is not None
    found = next_after(resolve(said, tongue.own.SAID, tongue.own.ZONE).schedule, tongue.own.SAID)
    assert found is not None
    assert datetime.fromtimestamp(found / 1000, tongue.own.ZONE).isoformat(timespec="minutes")[:16] == wall


@pytest.mark.parametrize(("tongue", "text", "wanted"), table("REQUESTS"), ids=str)
def test_a_request_is_read(tongue: Tongue, text: str, wanted: Request) -> None:
    assert tongue.grammar.request(text) == wanted


@pytest.mark.parametrize(("tongue", "text"), table("NO_REQUESTS"), ids=str)
def test_what_is_no_request_is_none(tongue: Tongue, text: str) -> None:
    assert tongue.grammar.request(text) is None


@pytest.mark.parametrize(("tongue", "text"), table("LEFT"), ids=str)
def test_where_something_of_time_is_left_over_nothing_is_read(tongue: Tongue, text: str) -> None:
    assert tongue.grammar.request(text) is None
    assert tongue.grammar.wish(f"{tongue.own.VERB}{text}") is None


@pytest.mark.parametrize(("tongue", "text", "content"), table("CONTENT"), ids=str)
def test_a_time_that_the_text_is_about_stays_in_it(tongue: Tongue, text: str, content: str) -> None:
    found = tongue.grammar.request(text)
    assert found is not None
    assert found.text == content
    assert tongue.grammar.wish(f"{tongue.own.VERB}{text}") == Wish(name="remind", text=text, request=found)


@pytest.mark.parametrize(("tongue", "text", "wanted"), table("WISHES"), ids=str)
def test_a_wish_is_read(tongue: Tongue, text: str, wanted: str) -> None:
    wish = tongue.grammar.wish(text)
    assert noted(wish) == wanted
    assert wish is not None
    if wish.name == "remind":
        # What was read of it is all that there is to read.
        assert wish.request == tongue.grammar.request(wish.text)
        assert (wish.request is None) == (wanted in tongue.phrases.WITHOUT_A_TIME)


@pytest.mark.parametrize(("tongue", "text"), table("NO_WISHES"), ids=str)
def test_what_is_no_wish_is_left_alone(tongue: Tongue, text: str) -> None:
    assert tongue.grammar.wish(text) is None


@pytest.mark.parametrize(("tongue", "rule", "words"), table("RULES"), ids=str)
def test_a_rule_is_said_in_words_that_are_read_back(tongue: Tongue, rule: Rule, words: str) -> None:
    assert tongue.grammar.say(rule, tongue.own.ZONE) == words
    assert tongue.grammar.when(words) is not None


@pytest.mark.parametrize(("tongue", "cron"), table("WITHOUT_WORDS"), ids=str)
def test_a_cron_line_without_words_is_said_as_it_stands(tongue: Tongue, cron: str) -> None:
    assert tongue.grammar.say(Rule(cron=cron, zone="UTC"), tongue.own.ZONE) == f"{tongue.own.BY_CRON}{cron}"


@who_speaks
def test_an_instant_is_said_where_it_is(tongue: Tongue) -> None:
    once = Once(at=tongue.own.SAID)
    assert tuple(tongue.grammar.say(once, zone) for zone in (tongue.own.ZONE, NEW_YORK)) == tongue.own.INSTANT


@pytest.mark.parametrize(("tongue", "seconds", "words"), table("INTERVALS"), ids=str)
def test_an_interval_is_said(tongue: Tongue, seconds: int, words: str) -> None:
    assert tongue.grammar.say(Interval(seconds=seconds, start=tongue.own.SAID), tongue.own.ZONE) == words


@who_speaks
@given(wanted=NAMED | ENDED, zone=st.sampled_from(ZONES).map(ZoneInfo))
def test_what_is_said_is_read_back_as_the_same(tongue: Tongue, wanted: Expression, zone: ZoneInfo) -> None:
    # Whose holidays are left out is the zone's to say.
    assume(not (isinstance(wanted, Every) and wanted.but_holidays) or country_of(zone))
    schedule = resolve(wanted, tongue.own.SAID, zone).schedule
    read = tongue.grammar.when(tongue.grammar.say(schedule, zone))
    assert read is not None
    again = resolve(read, tongue.own.SAID, zone).schedule
    if isinstance(schedule, Once) and isinstance(again, Once):
        assert again.at == schedule.at  # what a gap skips is said as when it comes
    else:
        assert again == schedule


@who_speaks
@given(minutes=st.integers(1, 300 * 24 * 60), zone=st.sampled_from(ZONES))
def test_every_instant_that_is_said_is_read_back(tongue: Tongue, minutes: int, zone: str) -> None:
    here, at = ZoneInfo(zone), tongue.own.SAID + minutes * 60_000
    for text in (tongue.grammar.say(Once(at=at), here), languages()[tongue.code].when(at, zone)):
        read = tongue.grammar.when(text)
        assert read is not None
        found = resolve(read, tongue.own.SAID, here).schedule
        assert isinstance(found, Once)
        # Of a time that comes twice, when clocks are put back, only the first can be said.
        assert to_local(found.at, here).replace(tzinfo=None, fold=0) == to_local(at, here).replace(tzinfo=None, fold=0)


@every_tongue
@given(data=st.data())
def test_arbitrary_words_never_raise_and_a_request_has_its_text_from_them(tongue: Tongue, data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(tongue.own.WORDS), max_size=40).map(tongue.own.JOINT.join)
    text = data.draw(st.one_of(st.text(max_size=200), words))
    tongue.grammar.when(text)
    found, wish = tongue.grammar.request(text), tongue.grammar.wish(text)
    assert found is None or (found.text and found.text in text)
    assert wish is None or (wish.request is None) or wish.request == tongue.grammar.request(wish.text)


@pytest.mark.parametrize(("tongue", "part"), table("HOSTILE"), ids=str)
def test_a_long_hostile_text_costs_little(tongue: Tongue, part: str) -> None:
    for lead in tongue.own.LEADS:
        half, whole = (lead + part * ((length - len(lead)) // len(part)) for length in (1_000, 2_000))
        assert tongue.grammar.when(whole) is None
        # Twice the text costs twice the time, or four times where each sign is looked at from each other; a pattern
        # that goes back over the text again and again takes thousands of times as much, on any machine.
        if _cost(tongue, whole) >= ALLOWANCE:
            assert _least_cost(tongue, whole) < 10 * _least_cost(tongue, half) + ALLOWANCE


@pytest.mark.parametrize(("tongue", "part"), table("HOSTILE"), ids=str)
def test_no_phrase_goes_over_a_long_text_again_and_again(tongue: Tongue, part: str) -> None:
    # Ten milliseconds at most where nothing else runs; free text beside free text took seconds.
    tongue.grammar.wish(part)
    assert _least_cost(tongue, (part * 2_000)[:2_000]) < 0.1


def _least_cost(tongue: Tongue, text: str) -> float:
    """Return the least processor seconds of three readings: other work of the process counts in no more than one."""
    return min(_cost(tongue, text) for _ in range(3))


def _cost(tongue: Tongue, text: str) -> float:
    """Return the processor seconds of one reading."""
    before = time.process_time()
    tongue.grammar.when(text), tongue.grammar.request(text), tongue.grammar.wish(text)
    return time.process_time() - before


@every_tongue
def test_a_text_of_more_than_two_thousand_characters_is_refused(tongue: Tongue) -> None:
    time_of, part = tongue.own.TOO_LONG
    short, long = (f"{time_of}{part * n}" for n in (2, 2_000 // len(part)))
    assert tongue.grammar.request(short) is not None
    assert tongue.grammar.request(long) is None
    assert tongue.grammar.wish(f"{tongue.own.VERB}{long}") is None
    assert tongue.grammar.when(f"{time_of} {' ' * 2_000}") is None
