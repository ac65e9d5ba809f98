"""The border rule: what may stand beside a time, and what shows that it was not read whole."""

from __future__ import annotations

import pytest

from core.kernel.timing.expressions import At, Clock, Date, Delay, Expression, InDays, Weekday
from core.language import detect, languages
from core.language.grammar import Grammar
from tests.language.phrases_beside_times import READ, REFUSED, WISHES
from tests.language.wishes import noted, request_of

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def grammar_of(text: str) -> Grammar:
    return languages()[detect(text) or "en"].grammar


def text_and_time(text: str) -> tuple[str, Expression] | None:
    found = request_of(grammar_of(text), text)
    return (found.text, found.when) if found else None


@pytest.mark.parametrize("text", [one for texts in REFUSED.values() for one in texts])
def test_what_says_more_of_a_time_than_was_read_is_left_to_others(text: str) -> None:
    assert text_and_time(text) is None


@pytest.mark.parametrize(("text", "content"), READ.items())
def test_what_only_stands_beside_a_time_is_its_text(text: str, content: str) -> None:
    found = text_and_time(text)
    assert found is not None
    assert found[0] == content


@pytest.mark.parametrize(("text", "wanted"), WISHES.items())
def test_what_is_for_a_list_or_a_zone_is_that(text: str, wanted: str | None) -> None:
    assert noted(grammar_of(text).wish(text)) == wanted


@pytest.mark.parametrize("number", range(7))
def test_a_day_of_this_week_is_that_of_this_week(number: int) -> None:
    for said in (f"{WEEKDAYS[number]} of this week", f"on {WEEKDAYS[number]} of this week"):
        found = text_and_time(f"remind me {said} to call")
        assert found == ("call", At(day=Weekday(weekday=number, weeks=0)))
    assert text_and_time(f"remind me {WEEKDAYS[number]} of next week to call") == (
        "call",
        At(day=Weekday(weekday=number, weeks=1)),
    )


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("提醒我8:00 a.m.给妈妈打电话", At(clock=Clock(hour=8))),
        ("8:00 a.m.给妈妈打电话提醒我", At(clock=Clock(hour=8))),
        ("提醒我8点pm给妈妈打电话", At(clock=Clock(hour=20))),
        ("提醒我明天12:30am给妈妈打电话", At(day=InDays(days=1), clock=Clock(hour=0, minute=30))),
        ("设置明天早晨七点的闹钟", At(day=InDays(days=1), clock=Clock(hour=7))),
        ("八点二十提醒我一起吃饭", At(clock=Clock(hour=8, minute=20, certain=False))),
        ("提醒我八点过一刻出门", At(clock=Clock(hour=8, minute=15, certain=False))),
        ("5:45分提醒我出门", At(clock=Clock(hour=5, minute=45, certain=False))),
        ("一点五小时后提醒我关火", Delay(seconds=5_400)),
        ("提醒我关火一点五小时后", Delay(seconds=5_400)),
        ("半夜一点提醒我看球", At(clock=Clock(hour=1))),
        ("提醒我20时1刻出门", At(clock=Clock(hour=20, minute=15))),
        ("remind me on 27.11.2026 to call", At(day=Date(day=27, month=11, year=2026))),
    ],
)
def test_the_half_of_the_day_and_the_quarter_are_read(text: str, when: Expression) -> None:
    found = text_and_time(text)
    assert found is not None
    assert found[1] == when
