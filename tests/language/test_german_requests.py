"""German: what is a wish for a reminder, what lacks its time, and what is left alone."""

from __future__ import annotations

import pytest

from core.kernel.timing.expressions import At, Clock, Delay, Every, InDays, Weekday
from core.language.de.grammar import GRAMMAR
from core.language.grammar import Request, Wish

request, wish = GRAMMAR.request, GRAMMAR.wish
TOMORROW, AT_NINE = InDays(days=1), Clock(hour=9, certain=False)
AT_FIVE = Clock(hour=17)

WISHES: dict[str, Request] = {
    "Erinnere mich morgen um 9 daran, Oma anzurufen": Request(
        text="Oma anzurufen", when=At(day=TOMORROW, clock=AT_NINE)
    ),
    "erinnere mich daran, morgen um 9 Oma anzurufen": Request(
        text="Oma anzurufen", when=At(day=TOMORROW, clock=AT_NINE)
    ),
    "Erinner mich bitte morgen um 9 an den Zahnarzt!": Request(
        text="den Zahnarzt", when=At(day=TOMORROW, clock=AT_NINE)
    ),
    "hey, erinnere mich in 20 Minuten an die Wäsche": Request(text="die Wäsche", when=Delay(seconds=1_200)),
    "erinnere mich an die Wäsche in 20 Minuten": Request(text="die Wäsche", when=Delay(seconds=1_200)),
    "erinnere mich morgen um 9 dass Oma kommt": Request(text="Oma kommt", when=At(day=TOMORROW, clock=AT_NINE)),
    "kannst du mich morgen um 9 an Oma erinnern?": Request(text="Oma", when=At(day=TOMORROW, clock=AT_NINE)),
    "könntest du mich morgen um 9 daran erinnern, Oma anzurufen?": Request(
        text="Oma anzurufen", when=At(day=TOMORROW, clock=AT_NINE)
    ),
    "morgen um 9 Oma anrufen, erinner mich dran": Request(text="Oma anrufen", when=At(day=TOMORROW, clock=AT_NINE)),
    "erinnere uns jeden Montag um 17 Uhr ans Aufräumen": Request(
        text="Aufräumen", when=Every(unit="week", weekdays=frozenset({0}), clocks=(AT_FIVE,)), everybody=True
    ),
    "erinnere Anna am Freitag um 17 Uhr an den Bericht": Request(
        text="den Bericht", when=At(day=Weekday(weekday=4), clock=AT_FIVE), who=("Anna",)
    ),
    "erinnere @anna morgen um 9 an den Bericht": Request(
        text="den Bericht", when=At(day=TOMORROW, clock=AT_NINE), who=("@anna",)
    ),
    "erinnere mich täglich um 17 Uhr an die Tabletten bis es erledigt ist": Request(
        text="die Tabletten", when=Every(unit="day", clocks=(AT_FIVE,)), until_done=True
    ),
    "weck mich morgen um 17 Uhr": Request(text="aufwachen", when=At(day=TOMORROW, clock=AT_FIVE)),
}
WITHOUT_A_TIME = {
    "erinnere mich daran, Milch zu kaufen": "Milch zu kaufen",
    "erinnere mich an den Schlüssel": "den Schlüssel",
}
NO_WISHES = (
    "erinnere mich an den Müll wenn ich zu Hause bin", "erinnere mich daran, sobald er landet", "erinnere dich",
    "erinnere mich gegen 9 an Oma", "erinnere mich nach 5 an Oma", "erinnere mich zwischen 3 und 4 an Oma",
    "erinnere mich am 1. Advent an die Kerze", "erinnere mich nicht an Oma",
    "das erinnert mich an gestern", "erinnere mich morgen um 9", "erinnere mich morgen an das Treffen am Freitag um 10",
    "erinnere mich an Freitag", "kannst du dich an morgen um 9 erinnern?", "weck mich", "weck mich wenn es 7 ist",
    "morgen um 9 Oma anrufen", "sie sagte, erinnere mich morgen um 9 an Oma",
)  # fmt: skip
REQUESTS: dict[str, Request | None] = {
    "morgen um 9 Oma anrufen": Request(text="Oma anrufen", when=At(day=TOMORROW, clock=AT_NINE)),
    "Oma anrufen morgen um 9": Request(text="Oma anrufen", when=At(day=TOMORROW, clock=AT_NINE)),
    "morgen um 9: an Bo schreiben": Request(text="an Bo schreiben", when=At(day=TOMORROW, clock=AT_NINE)),
    "uns in 20 Minuten Pause": Request(text="Pause", when=Delay(seconds=1_200), everybody=True),
    "Bo treffen Freitag oder Samstag um 9": None,
    "Müll raus": None,
    "morgen um 9": None,
}


@pytest.mark.parametrize("text", WISHES)
def test_a_wish_is_read_whole(text: str) -> None:
    found = wish(text)
    assert found is not None
    assert (found.name, found.request) == ("remind", WISHES[text])


@pytest.mark.parametrize("text", WITHOUT_A_TIME)
def test_a_wish_without_a_time_is_asked_for_it(text: str) -> None:
    assert wish(text) == Wish(name="remind", text=WITHOUT_A_TIME[text])


@pytest.mark.parametrize("text", NO_WISHES)
def test_what_is_no_wish_or_not_sure_is_left_alone(text: str) -> None:
    assert wish(text) is None


@pytest.mark.parametrize("text", REQUESTS)
def test_behind_a_command_stand_a_time_and_a_text_in_either_order(text: str) -> None:
    assert request(text) == REQUESTS[text]
