"""Times in languages without a grammar: found where all is plain, never where anything is doubtful."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.dateparser_fallback import find, names_day

BERLIN = ZoneInfo("Europe/Berlin")
SAID = 1_795_251_623_000  # 2026-11-21T10:00:23 in Berlin, a Saturday
WORDS = [
    "morgen",
    "um",
    "17",
    "Uhr",
    "17:00",
    "am",
    "Freitag",
    "27.11.",
    "in",
    "2",
    "Stunden",
    "bis",
    "3",
    "jeden",
    "/",
    ":",
]


@pytest.mark.parametrize(
    ("language", "text", "wall", "rest"),
    [
        ("de", "morgen um 17 Uhr Oma anrufen", "2026-11-22T17:00", "Oma anrufen"),
        ("de-AT", "Oma anrufen am Freitag um 15 Uhr", "2026-11-27T15:00", "Oma anrufen"),
        ("de", "am Freitag um 23 Uhr Oma", "2026-11-27T23:00", "Oma"),
        ("de", "übermorgen um 9:30 Arzt", "2026-11-23T09:30", "Arzt"),
        ("de", "17:00 Oma anrufen", "2026-11-21T17:00", "Oma anrufen"),
        ("de", "9:00 Oma anrufen", "2026-11-22T09:00", "Oma anrufen"),
        ("de", "Oma anrufen 27.11. 17:00", "2026-11-27T17:00", "Oma anrufen"),
        ("de", "27.11. 17:00", "2026-11-27T17:00", ""),
        ("de", "27.11.2026 17:00 Oma", "2026-11-27T17:00", "Oma"),
        ("de", "27. November 2026 um 17:30 Uhr Oma", "2026-11-27T17:30", "Oma"),
        ("fr", "rappelle-moi demain à 9h d'appeler Oma", "2026-11-22T09:00", "rappelle-moi d'appeler Oma"),
        ("fr", "demain à 9h30 appeler Oma", "2026-11-22T09:30", "appeler Oma"),
        ("es", "llamar el viernes 17:00", "2026-11-27T17:00", "llamar"),
        ("es", "mañana a las 9 llamar a la abuela", "2026-11-22T09:00", "llamar a la abuela"),
        ("it", "domani alle 17 chiamare la nonna", "2026-11-22T17:00", "chiamare la nonna"),
        ("pt_BR", "amanhã às 17:00 ligar", "2026-11-22T17:00", "ligar"),
        ("nl", "morgen om 17 uur bellen", "2026-11-22T17:00", "bellen"),
        ("ru", "в пятницу в 17:00 позвонить", "2026-11-27T17:00", "позвонить"),
    ],
)
def test_a_plain_time_is_found_with_the_rest_of_the_text(language: str, text: str, wall: str, rest: str) -> None:
    found = find(text, language, SAID, BERLIN)
    assert found is not None
    assert (found.wall, found.rest) == (wall, rest)
    assert found.at == round(datetime.fromisoformat(wall).replace(tzinfo=BERLIN).timestamp() * 1000)


@pytest.mark.parametrize(
    ("language", "text", "seconds"),
    [
        ("de", "in 20 Minuten Tee", 1_200),
        ("de", "in 2 Stunden Tee", 7_200),
        ("fr", "dans 2 heures Tee", 7_200),
        ("de", "in 2 Wochen Tee", 14 * 86_400),
    ],
)
def test_a_delay_counts_from_when_it_was_said(language: str, text: str, seconds: int) -> None:
    found = find(text, language, SAID, BERLIN)
    assert found is not None
    assert (found.at - SAID, found.wall, found.rest) == (seconds * 1_000, "", "Tee")


def test_hours_pass_and_days_keep_the_time_of_day_over_a_change_of_the_clock() -> None:
    before = round(datetime(2026, 10, 24, 22, tzinfo=BERLIN).timestamp() * 1000)
    hours, days = (find(text, "de", before, BERLIN) for text in ("in 10 Stunden Tee", "in 1 Tag Tee"))
    assert hours is not None
    assert hours.at - before == 10 * 3_600_000
    assert days is not None
    assert days.at - before == 25 * 3_600_000


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", ""),
        ("de", "morgen"),
        ("de", "Kapitel 5 lesen"),
        ("de", "5 Eier kaufen"),
        ("de", "Johannes 3:16 lesen"),
        ("de", "5 10 15"),
        ("de", "+49 170 1234567 anrufen 17:00"),
        ("de", "1.2.3.4 17:00"),
        ("de", "um 17:00 3 Eier kochen"),
        ("de", "am 27.11. Oma anrufen"),
        ("de", "morgen um 25:00 Oma"),
        ("de", "31.02. 17:00 Oma"),
        ("de", "20.11.2026 17:00 Oma"),
        ("de", "vor 2 Stunden"),
        ("de", "morgen vor 9 Uhr anrufen"),
        ("fr", "appeler demain avant 9h"),
        ("de", "2 Minuten Zähne putzen"),
        ("de", "bis Freitag 17:00 abgeben"),
        ("de", "von 9:00 bis 17:00 arbeiten"),
        ("de", "um 17 Uhr Zug um 18 Uhr Essen"),
        ("de", "jeden Freitag um 15 Uhr Oma"),
        ("de", "nächsten Freitag um 15 Uhr Oma"),
        ("de", "morgen um 9 Uhr abends Oma"),
        ("de", "morgen 17:00 EST Oma"),
        ("de", "morgen um 17 Uhr Oma anrufen. Wie wird das Wetter?"),
        ("de", "morgen um 17 Uhr alle anrufen außer Oma"),
        ("de", "morgen um 17:00 2 Stunden vor dem Flug los"),
        ("de", "morgen um 17 Uhr Oma und übermorgen Opa"),
        ("fr", "chaque lundi à 9h appeler"),
        ("es", "mañana a las 9 de la tarde llamar"),
        ("es", "todos los días a las 9:00"),
        ("ru", "каждую пятницу в 17:00"),
        ("hu", "minden péntek 15:00"),
        ("fr", "morgen um 17 Uhr"),
        ("xx", "27.11. 17:00"),
        ("", "27.11. 17:00"),
        ("../de", "27.11. 17:00"),
        ("de", "morgen um 17 Uhr " + "Oma " * 60),
        ("de", "1 " * 90),
    ],
)
def test_what_is_doubtful_or_no_time_is_none(language: str, text: str) -> None:
    assert find(text, language, SAID, BERLIN) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Oma anrufen morgen", True),
        ("Jeden Montag Müll", True),
        ("dentista mañana", True),
        ("позвонить завтра", True),
        ("call Elke", False),
        ("recognise Bob", False),
        ("call Oma", False),
    ],
)
def test_days_of_other_languages_are_seen(text: str, named: bool) -> None:
    assert names_day(text) is named


def test_words_of_a_language_with_a_grammar_are_its_own() -> None:
    assert names_day("call Oma tomorrow")
    assert not names_day("call Oma tomorrow", ours={"tomorrow"})


@settings(max_examples=50)
@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)))
def test_what_is_found_lies_ahead_and_nothing_raises(text: str) -> None:
    found = find(text, "de", SAID, BERLIN)
    assert found is None or found.at > SAID


def test_dateparser_is_loaded_by_the_first_text_that_needs_it() -> None:
    program = "import sys, core.language.dateparser_fallback; sys.exit('dateparser' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
