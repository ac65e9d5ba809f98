"""What people type every day comes at an exact time with its text, or is left alone."""

from __future__ import annotations

from datetime import datetime
from types import ModuleType

import pytest

from core.kernel.timing.expressions import At, Clock, Expression, InDays
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Once, next_after
from core.language import languages
from core.language.grammar import Request
from tests.language import grammar_en, grammar_zh
from tests.language.phrases_everyday import LEFT_ALONE, NO_TIMES, TIMES, UNDERSTOOD
from tests.language.wishes import request_of as wished

OWN: dict[str, ModuleType] = {"en": grammar_en, "zh": grammar_zh}
HOUR = 3_600_000


def request_of(code: str, text: str) -> Request | None:
    grammar = languages()[code].grammar
    behind = text.removeprefix("/remind ")
    return wished(grammar, text) if behind == text else grammar.request(behind)


def first(code: str, when: Expression) -> str:
    own = OWN[code]
    schedule = resolve(when, own.SAID, own.ZONE).schedule
    found = next_after(schedule, own.SAID)
    assert found is not None
    wall = datetime.fromtimestamp(found / 1000, own.ZONE).isoformat(timespec="minutes")[5:16]
    return wall if isinstance(schedule, Once) else f"every {wall}"


def walls(when: Expression, hours: int) -> list[str]:
    """The reading and the other one of what was said some hours after 10:00 in Berlin."""
    reading = resolve(when, grammar_en.SAID + hours * HOUR, grammar_en.ZONE)
    found = [one for one in (reading.schedule, reading.other) if isinstance(one, Once)]
    return [one.wall[8:] for one in found]


@pytest.mark.parametrize(
    ("code", "text", "wanted"), [(code, *row) for code, rows in UNDERSTOOD.items() for row in rows.items()]
)
def test_what_people_type_comes_when_they_mean(code: str, text: str, wanted: str) -> None:
    found = request_of(code, text)
    assert found is not None
    assert f"{first(code, found.when)} {found.text}" == wanted


@pytest.mark.parametrize(
    ("code", "text", "wall"), [(code, *row) for code, rows in TIMES.items() for row in rows.items()]
)
def test_a_time_as_people_type_it_comes_when_they_mean(code: str, text: str, wall: str) -> None:
    found = languages()[code].grammar.when(text)
    assert found is not None
    assert first(code, found) == wall


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in NO_TIMES.items() for one in texts])
def test_what_may_mean_another_time_is_asked_again(code: str, text: str) -> None:
    assert languages()[code].grammar.when(text) is None


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in LEFT_ALONE.items() for one in texts])
def test_what_may_mean_something_else_is_left_alone(code: str, text: str) -> None:
    assert languages()[code].grammar.wish(text) is None


@pytest.mark.parametrize(
    ("hours", "wanted"),
    [
        (0, ["21T17:00"]),
        (6, ["21T17:00"]),
        (12, ["21T17:00"]),
        (15, ["22T17:00", "22T05:00"]),
        (17, ["22T05:00", "22T17:00"]),
    ],
)
def test_tonight_at_five_is_five_in_the_afternoon_until_the_night_is_there(hours: int, wanted: list[str]) -> None:
    """At 22:00 that is past, and told so; after midnight 5:00 is the other reading, or the first one."""
    when = languages()["en"].grammar.when("tonight at 5")
    assert when is not None
    assert walls(when, hours) == wanted


def test_with_its_half_of_the_day_five_is_of_today_or_of_the_morning_after() -> None:
    when = languages()["en"].grammar.when
    assert when("tonight at 5pm") == At(day=InDays(days=0), clock=Clock(hour=17))
    assert when("tonight at 5am") == At(day=InDays(days=1, night=True), clock=Clock(hour=5))


@pytest.mark.parametrize(
    ("hours", "wanted"),
    [(0, ["22T06:00", "21T18:00"]), (6, ["21T18:00", "22T06:00"]), (12, ["22T06:00", "22T18:00"])],
)
@pytest.mark.parametrize(("code", "text"), [("en", "wake me at 6"), ("zh", "6点叫我起床")])
def test_who_wants_to_be_woken_means_the_morning_unless_it_is_a_nap(
    code: str, text: str, hours: int, wanted: list[str]
) -> None:
    found = request_of(code, text)
    assert found is not None
    assert walls(found.when, hours) == wanted


@pytest.mark.parametrize("text", ["tomorrow at 9 👍", "明天9点👍"])
def test_a_picture_behind_a_time_says_nothing(text: str) -> None:
    assert any(one.grammar.when(text) is not None for one in languages().values())


@pytest.mark.parametrize("text", ["@5", "@10", "@ 5pm"])
def test_a_sign_before_a_clock_makes_no_handle_of_it(text: str) -> None:
    assert languages()["en"].grammar.when(text) is not None
    found = languages()["en"].grammar.request(f"@anna {text} tea")
    assert found is not None
    assert (found.who, found.text) == (("@anna",), "tea")
