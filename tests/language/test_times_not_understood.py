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
    # Of each of these one part would be dropped, or taken for another.
    "monthly on Friday",
    "daily on Friday",
    "hourly on Friday",
    "every Monday on Friday",
    "Friday every Monday",
    "on 3 May every 5 June",
    "every week next Friday",
    "every year on 3/5",
    "every night at 5",
    "at 5 in the night",
    "in 10 minutes 2 hours",
    "in 2h 2h",
    "in a d",
    "every m",
)


@pytest.mark.parametrize("text", REFUSED)
def test_a_time_with_words_that_are_not_understood_is_none(text: str) -> None:
    assert READER.when(text) is None
