"""What is special in English: words that are nearly a day."""

from __future__ import annotations

import pytest

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
