"""One typing error in a key word is forgiven where all else is whole; more are not, and other words are none."""

from __future__ import annotations

import pytest

from core.kernel.timing.expressions import At, Clock, InDays, Weekday
from core.language import languages
from core.language.grammar import Grammar, Request
from tests.language.wishes import noted, request_of

NINE = Clock(hour=9, certain=False)
TOMORROW_9 = At(day=InDays(days=1), clock=NINE)
WEDNESDAY_9, THURSDAY_9 = (At(day=Weekday(weekday=day), clock=NINE) for day in (2, 3))


def grammar(code: str) -> Grammar:
    return languages()[code].grammar


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("en", "remind me tomorow at 9 to call Oma", Request(text="call Oma", when=TOMORROW_9)),
        ("en", "remnid me tomorrow at 9 to call Oma", Request(text="call Oma", when=TOMORROW_9)),
        ("en", "remind me to call Oma tomorow at 9", Request(text="call Oma", when=TOMORROW_9)),
        (
            "en",
            "on wednesdya at 9 remind me to call",
            Request(text="call", when=WEDNESDAY_9),
        ),
        (
            "de",
            "erinnre mich am Donerstag um 9 an Oma",
            Request(text="Oma", when=THURSDAY_9),
        ),
        ("de", "errinnere mich morgen um 9 an Oma", Request(text="Oma", when=TOMORROW_9)),
        # It is nobody's name.
        ("en", "set a reminder tomorow at 9 to call Oma", Request(text="call Oma", when=TOMORROW_9)),
        ("en", "remind marsha tomorrow at 9 to call Oma", Request(text="call Oma", when=TOMORROW_9, who=("Marsha",))),
    ],
)
def test_a_wish_with_one_typing_error_is_read_as_it_was_meant(code: str, text: str, wanted: Request) -> None:
    assert request_of(grammar(code), text) == wanted


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("en", "call Oma tomorow at 9", Request(text="call Oma", when=TOMORROW_9)),
        (
            "de",
            "Oma anrufen am Donerstag um 9",
            Request(text="Oma anrufen", when=THURSDAY_9),
        ),
    ],
)
def test_behind_the_command_as_well(code: str, text: str, wanted: Request) -> None:
    assert grammar(code).request(text) == wanted


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("en", "what's on tomorow?", "today: tomorrow"),
        ("de", "was steht auf der einkaufslite", "todo: on shopping"),
    ],
)
def test_in_few_words_as_well(code: str, text: str, wanted: str) -> None:
    assert noted(grammar(code).wish(text)) == wanted


def test_a_time_with_one_typing_error_is_one() -> None:
    assert grammar("en").when("tomorow at 9") == TOMORROW_9


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "remind me tumorow at 9 to call Oma"),
        ("en", "remnid me tomorow at 9 to call Oma"),
        ("en", "remind me wensday at 9 to call Oma"),
        ("de", "erinnere mich am Donnersag Mitwoch um 9 an Oma"),
    ],
)
def test_more_than_one_error_is_none_and_left_to_others(code: str, text: str) -> None:
    assert grammar(code).wish(text) is None


@pytest.mark.parametrize(
    ("code", "text", "about"),
    [
        ("en", "remind me at 9 to call Frida", "call Frida"),
        ("en", "remind me at 9 about evenings", "evenings"),
        ("de", "erinnere mich um 9 an die Montage", "die Montage"),
        ("de", "erinnere mich um 9 an den Dienst", "den Dienst"),
    ],
)
def test_words_that_only_look_like_one_are_what_they_are(code: str, text: str, about: str) -> None:
    request = request_of(grammar(code), text)
    assert request is not None
    assert (request.text, request.when) == (about, At(clock=NINE))


@pytest.mark.parametrize(("code", "text"), [("en", "he removed milk from my list"), ("en", "shipping list: screws")])
def test_other_forms_of_a_word_are_no_errors(code: str, text: str) -> None:
    found = grammar(code).wish(text)
    assert found is None or "shopping" not in found.list


@pytest.mark.parametrize(
    ("code", "text"),
    [("en", "Oma anrufen in 20 Minuten"), ("en", "am 3. Oktober Oma"), ("de", "call Oma in 20 minutes")],
)
def test_the_words_of_another_language_are_no_errors(code: str, text: str) -> None:
    assert grammar(code).request(text) is None
