"""What is left over near a time refuses the reading: such a phrase is never read as the bare time."""

from __future__ import annotations

import pytest

from core.language.en.times import READER

REFUSED = (
    "late tonight",
    "around next tuesday",
    "black friday",
    "5 to 6pm",
    "after 2 pm",
    "on coming Thursday",
)


@pytest.mark.parametrize("text", REFUSED)
def test_a_time_with_words_that_are_not_understood_is_none(text: str) -> None:
    assert READER.when(text) is None
