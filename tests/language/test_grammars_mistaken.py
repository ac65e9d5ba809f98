"""What a grammar must not take for a wish, beside wishes that differ from it by a word."""

from __future__ import annotations

import pytest

from core.kernel.timing.expressions import At, Clock, Delay, InDays
from core.language import languages
from core.language.zh.normalize import number
from tests.language.phrases_mistaken import LEFT_ALONE, UNDERSTOOD
from tests.language.wishes import noted


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in LEFT_ALONE.items() for one in texts])
def test_what_is_not_understood_whole_is_left_alone(code: str, text: str) -> None:
    assert languages()[code].grammar.wish(text) is None


@pytest.mark.parametrize(
    ("code", "text", "wanted"), [(code, *row) for code, wishes in UNDERSTOOD.items() for row in wishes.items()]
)
def test_what_is_understood_is_a_wish(code: str, text: str, wanted: str) -> None:
    wish = languages()[code].grammar.wish(text)
    assert noted(wish) == wanted
    assert wish is not None
    assert wish.name != "remind" or wish.request is not None


@pytest.mark.parametrize("text", ["tomorrow around 5 call", "tomorrow about 5 to call", "tomorrow at lunch call Oma"])
def test_behind_the_command_such_a_time_is_asked_for_as_well(text: str) -> None:
    assert languages()["en"].grammar.request(text) is None


@pytest.mark.parametrize("text", ["一两", "五六", "两三"])
def test_two_figures_in_a_row_are_no_number(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize("text", ["一两个小时后", "再等五六分钟", "三五天后"])
def test_some_time_is_no_time(text: str) -> None:
    assert languages()["zh"].grammar.when(text) is None


def test_that_stays_in_the_text_before_a_time() -> None:
    found = languages()["en"].grammar.request("to do that at 5")
    assert found is not None
    assert found.text == "do that"


def test_only_a_midnight_by_its_name_beside_a_day_is_uncertain() -> None:
    when = languages()["en"].grammar.when
    uncertain = At(day=InDays(days=1), clock=Clock(hour=0, certain=False))
    assert when("tomorrow at midnight") == uncertain
    for text in ("tomorrow 12am", "tomorrow at 00:00"):
        assert when(text) == At(day=InDays(days=1), clock=Clock(hour=0))
    for text in ("tonight at midnight", "today at midnight"):
        assert when(text) == At(day=InDays(days=1, night=True), clock=Clock(hour=0))
    assert when("at midnight") == At(clock=Clock(hour=0))


def test_more_minutes_are_minutes() -> None:
    assert languages()["en"].grammar.when("10 more minutes") == Delay(seconds=600)
