"""What is special in English: words that are nearly a day, and minutes beside an hour."""

from __future__ import annotations

import pytest

from core.kernel.timing.expressions import At
from core.language.de.times import READER as GERMAN
from core.language.en.times import READER

nearly = READER.alphabet.nearly


@pytest.mark.parametrize(
    "word",
    [
        "tommorro",
        "tomorow",
        "tmorrow",
        "wendsday",
        "wensday",
        "thrusday",
        "fridy",
        "saterday",
        "febuary",
        "nxt",
    ],
)
def test_a_day_misspelt_is_seen(word: str) -> None:
    assert nearly(word)


@pytest.mark.parametrize(
    "word", ["tomorrow", "friday", "money", "friend", "text", "next", "very", "thirsty", "morning"]
)
def test_other_words_and_days_as_they_are_written_are_none(word: str) -> None:
    assert not nearly(word)


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("half past 12am", 0, 30),
        ("ten past 12am", 0, 10),
        ("quarter to 1am", 0, 45),
        ("ten past 0", 0, 10),
        ("10 nach 0 Uhr", 0, 10),
    ],
)
def test_minutes_beside_an_hour_of_the_night_are_in_the_night(text: str, hour: int, minute: int) -> None:
    found = READER.when(f"at {text}") or GERMAN.when(f"um {text}")
    assert isinstance(found, At)
    assert found.clock is not None
    assert (found.clock.hour, found.clock.minute) == (hour, minute)
