"""German: what is a wish for a reminder, what lacks its time, and what is left alone."""

from __future__ import annotations

import pytest

from core.kernel.timing.expressions import At, Clock, Date, Delay, Every, Expression, InDays, Weekday
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
    "erinnere mich morgen um 9 unbedingt noch einmal an Oma": Request(text="Oma", when=At(day=TOMORROW, clock=AT_NINE)),
    "weck mich morgen um 17 Uhr": Request(text="aufwachen", when=At(day=TOMORROW, clock=AT_FIVE)),
    "erinnere mich täglich um 17 Uhr ans Aufräumen, bis ich erledigt sage": Request(
        text="Aufräumen", when=Every(unit="day", clocks=(AT_FIVE,)), until_done=True
    ),
    "morgen erinner mich bitte um 9 daran, Oma anzurufen": Request(
        text="Oma anzurufen", when=At(day=TOMORROW, clock=AT_NINE)
    ),
    "richte mir bitte eine Erinnerung für morgen 17 Uhr ein: Klempner anrufen": Request(
        text="Klempner anrufen", when=At(day=TOMORROW, clock=AT_FIVE)
    ),
    "nicht vergessen: morgen Milch kaufen": Request(text="Milch kaufen", when=At(day=TOMORROW)),
    "Wecker stellen auf 17 Uhr": Request(text="Wecker", when=At(clock=AT_FIVE)),
}
# Times in front of the text and behind it, each of which was once cut in two.
EITHER_SIDE: dict[str, Expression] = {
    "in 2 Stunden 15": Delay(seconds=8_100),
    "in 2 Std. 15 Min.": Delay(seconds=8_100),
    "um fünf Uhr fünfunddreißig": At(clock=Clock(hour=5, minute=35)),
    "um 3 Uhr nachts": At(clock=Clock(hour=3)),
    "nachts um 6": At(clock=Clock(hour=6)),
    "Fr 17:00": At(day=Weekday(weekday=4), clock=AT_FIVE),
    "Fr. um 17 Uhr": At(day=Weekday(weekday=4), clock=AT_FIVE),
    "übernächsten Freitag": At(day=Weekday(weekday=4, later=1)),
    "am fünften um 17 Uhr": At(day=Date(day=5), clock=AT_FIVE),
    "am 27.November um 17 Uhr": At(day=Date(day=27, month=11), clock=AT_FIVE),
    "am 27/11 um 17 Uhr": At(day=Date(day=27, month=11), clock=AT_FIVE),
    "Mo, Mi, Fr um 17 Uhr": Every(unit="week", weekdays=frozenset({0, 2, 4}), clocks=(AT_FIVE,)),
    "jeden 15. um 17 Uhr": Every(unit="month", day=15, clocks=(AT_FIVE,)),
    "jeden ersten um 17 Uhr": Every(unit="month", day=1, clocks=(AT_FIVE,)),
    "jeden 2. Tag um 17 Uhr": Every(unit="day", n=2, clocks=(AT_FIVE,)),
    "jeden 2. Freitag um 17 Uhr": Every(unit="week", n=2, weekdays=frozenset({4}), clocks=(AT_FIVE,)),
    "jeden einzelnen Tag um 17 Uhr": Every(unit="day", clocks=(AT_FIVE,)),
    "einmal am Tag um 17 Uhr": Every(unit="day", clocks=(AT_FIVE,)),
    "einmal die Woche am Freitag": Every(unit="week", weekdays=frozenset({4})),
    "einmal im Monat am 5.": Every(unit="month", day=5),
    "einmal im Jahr am 1. Mai": Every(unit="year", day=1, month=5),
    "vierzehntägig am Freitag": Every(unit="week", n=2, weekdays=frozenset({4})),
    "vierteljährlich am 1.": Every(unit="month", n=3, day=1),
}
# What was not read of a time is no part of a text, on neither side.
STRAY_IN_FRONT = (
    "um 18 Uhr IST", "um 17 Uhr CST", "um 17 Uhr rum", "um 17 Uhr herum", "um 8 h", "um 8 Uhr 5",
    "in einer Stunde fünf", "Freitag über eine Woche", "heute über acht Tage", "morgen in aller Frühe",
    "Freitag spät", "am Abend des 24.", "um 9 Uhr osloer Zeit",
    "jeden Freitag im Dezember", "an Silvester um Mitternacht", "nachts", "um 7 Uhr nachts",
)  # fmt: skip
STRAY_BEHIND = (
    "allabendlich um 21 Uhr", "eine Woche lang um 9 Uhr",
    "zweimal täglich um 9 und 21 Uhr", "Anfang nächster Woche", "Mitte nächster Woche", "Ende nächster Woche",
    "jedes zweite Wochenende um 9", "am späten Freitagabend",
    "die ganze Woche um 17 Uhr", "am 2. Weihnachtsfeiertag um 12 Uhr", "um 7 Uhr nachts",
    "jeden 1. Freitag um 17 Uhr", "So um 17 Uhr", "Mi um 17 Uhr", "einen Tag vorher um 9",
    "am nächsten Tag um 9", "am Vortag um 9", "im Januar um 9", "nächstes Jahr um 9", "alle paar Tage um 9",
    "KW 50 um 9", "den Rest der Woche um 9",
)  # fmt: skip
# What is said of another time, and no noun, before "an"; and nouns that may stand there.
BEFORE_ANOTHER = (
    "eine Stunde vorher an den Zug um 5", "eine Stunde davor an den Zug um 5", "vorher an den Zug um 5",
    "rechtzeitig an den Zug um 5", "zwei Tage vorher an den Termin am Freitag",
    "am 12. Dez 10h an Zahnarzt",
)  # fmt: skip
NOUNS = (
    "Brief an Oma schicken", "geld an bob überweisen", "den Brief an die Bank", "das Meeting an der Uni",
    "Bob daran zu erinnern", "10 Eier an Oma liefern", "Wecker an Bob geben",
)  # fmt: skip
WITHOUT_A_TIME = {
    "erinnere mich daran, Milch zu kaufen": "Milch zu kaufen",
    "erinnere mich an den Schlüssel": "den Schlüssel",
    "nicht vergessen: Milch": "Milch",
}
NO_WISHES = (
    "erinnere mich an den Müll wenn ich zu Hause bin", "erinnere mich daran, sobald er landet", "erinnere dich",
    "erinnere mich gegen 9 an Oma", "erinnere mich nach 5 an Oma", "erinnere mich zwischen 3 und 4 an Oma",
    "erinnere mich am 1. Advent an die Kerze", "erinnere mich nicht an Oma",
    "das erinnert mich an gestern", "erinnere mich morgen um 9", "erinnere mich morgen an das Treffen am Freitag um 10",
    "erinnere mich an Freitag", "kannst du dich an morgen um 9 erinnern?", "weck mich wenn es 7 ist",
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


@pytest.mark.parametrize("time", EITHER_SIDE)
def test_a_time_is_read_whole_on_either_side_of_its_text(time: str) -> None:
    for text in (f"erinnere mich {time} an Bob", f"erinnere mich an Bob {time}"):
        found = wish(text)
        assert found is not None
        assert found.request == Request(text="Bob", when=EITHER_SIDE[time])


@pytest.mark.parametrize("time", STRAY_IN_FRONT)
def test_what_stands_between_a_time_and_what_parts_them_is_no_text(time: str) -> None:
    assert wish(f"erinnere mich {time} daran, Bob anzurufen") is None
    assert wish(f"erinnere mich {time} an Bob") is None


@pytest.mark.parametrize("time", STRAY_BEHIND)
def test_what_is_left_of_a_time_before_it_is_no_text(time: str) -> None:
    assert wish(f"erinnere mich an Bob {time}") is None


@pytest.mark.parametrize("text", BEFORE_ANOTHER)
def test_a_time_before_another_is_not_read_as_that(text: str) -> None:
    assert wish(f"erinnere mich {text}") is None


@pytest.mark.parametrize("text", NOUNS)
def test_a_text_may_have_a_noun_before_what_parts_it_from_a_time(text: str) -> None:
    found = wish(f"erinnere mich morgen {text}")
    assert found is not None
    assert found.request is not None
    assert found.request.when == At(day=TOMORROW)
    assert text.endswith(found.request.text)


@pytest.mark.parametrize("text", WITHOUT_A_TIME)
def test_a_wish_without_a_time_is_asked_for_it(text: str) -> None:
    assert wish(text) == Wish(name="remind", text=WITHOUT_A_TIME[text])


@pytest.mark.parametrize("text", NO_WISHES)
def test_what_is_no_wish_or_not_sure_is_left_alone(text: str) -> None:
    assert wish(text) is None


@pytest.mark.parametrize("text", REQUESTS)
def test_behind_a_command_stand_a_time_and_a_text_in_either_order(text: str) -> None:
    assert request(text) == REQUESTS[text]


@pytest.mark.parametrize(
    ("line", "text", "who"),
    [
        ("Anna am Freitag um 15 Uhr Bericht schicken", "Bericht schicken", ("Anna",)),
        ("Anna am Freitag um 15 Uhr daran, den Bericht zu schicken", "den Bericht zu schicken", ("Anna",)),
        ("Anna und Bernd am Freitag um 15 Uhr: Bericht schicken", "Bericht schicken", ("Anna", "Bernd")),
        ("伟 am Freitag um 15 Uhr: Bericht schicken", "Bericht schicken", ("伟",)),
    ],
)
def test_behind_a_command_a_name_before_a_time_is_whom_it_is_for(line: str, text: str, who: tuple[str, ...]) -> None:
    found = GRAMMAR.request(line)
    assert found is not None
    assert (found.text, found.who) == (text, who)


@pytest.mark.parametrize("line", ["Müll morgen um 9 rausbringen", "Mittagessen morgen um 12 mit Anna"])
def test_what_is_to_be_done_is_no_name(line: str) -> None:
    assert GRAMMAR.request(line) is None
