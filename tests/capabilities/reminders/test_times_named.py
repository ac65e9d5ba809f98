"""The times that a text names, as buttons where it is asked when."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.timing.expressions import At, Clock
from core.language import languages
from tests.commanding import home, labels, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")

# What is named is not offered again in the usual words.
SAME = {("Tomorrow 9:00", "Tue 22 Sep 09:00"), ("In 1 hour", "Mon 21 Sep 15:13")}

# START is Monday 21 September 2026, 14:13:20 UTC.


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize(
    ("language", "text", "named", "read_back"),
    [
        ("en", "I have to leave at 5:40, shout", ["Mon 21 Sep 17:40", "Tue 22 Sep 05:40"], "Mon 21 Sep 17:40 (UTC)"),
        (
            "en",
            "Could you prompt me every four hours for drops?",
            ["every 4 hours"],
            "every 4 hours, next Mon 21 Sep 18:13",
        ),
        ("en", "not at 9 tomorrow but at 10 on friday", ["Tue 22 Sep 09:00", "Fri 25 Sep 10:00"], "Tue 22 Sep 09:00"),
        ("en", "yes, the thing in 1 hour, that thing", ["Mon 21 Sep 15:13"], "Mon 21 Sep 15:13"),
        ("de", "Ich muss um 16:45 los zum Kindergarten", ["Mo. 21. Sept. 16:45"], "Mo. 21. Sept. 16:45"),
        ("zh", "女儿的钢琴课改网课了，每周三16:50上线", ["每周三16:50"], "每周三16:50"),
    ],
)
async def test_the_times_that_a_text_names_are_offered_before_the_usual_ones(
    house: House, language: str, text: str, named: list[str], read_back: str
) -> None:
    await said(house, f"/language {language}")
    await said(house, text)
    await pressed(house, labels(house)[0])
    usual = [time for time in languages()[language]["time_offers"].split("|") if (time, named[0]) not in SAME]
    assert labels(house)[:-1] == [*named, *usual]
    assert read_back in await pressed(house, named[0])
    assert await planned(house) == [text]


async def test_no_time_is_offered_that_is_past_or_lacks_its_clock(house: House) -> None:
    await said(house, "the parcel came today at 9am, and friday around five is the next one, every week, teaish")
    await pressed(house, "Remind me")
    assert labels(house) == ["In 1 hour", "Tonight", "Tomorrow 9:00", "Skip"]


@pytest.mark.parametrize(
    "text",
    [
        "oct 3 the party starts 17:00 there, they said",
        "so tomorrow the bus leaves at 5pm they said",
        # Other languages take that for a clock.
        "it is friday 19:00 Tokyo time, they said",
        "also der Bus kommt morgen gegen 17:00 oder Freitag um 18 Uhr an",
    ],
)
async def test_a_clock_is_not_offered_for_today_where_a_day_stands_elsewhere_in_the_text(
    house: House, text: str
) -> None:
    await said(house, text)
    await pressed(house, "Remind me")
    assert not [label for label in labels(house) if label.startswith(("Mon", "Tue"))]


async def test_of_what_others_wrote_no_day_is_offered_that_they_counted_from_theirs(house: House) -> None:
    for text, named in (("Dinner tomorrow at 7pm?", []), ("Dinner on friday at 7pm?", ["Fri 25 Sep 19:00"])):
        await said(house, text, forwarded=True)
        await said(house, "remind me of this", quoted=text)
        assert labels(house)[:-4] == named


@pytest.mark.parametrize(("text", "offered"), [("is the meeting good?", 0), ("Could you prompt me at 5pm?", 2)])
async def test_a_question_is_offered_ways_on_only_where_it_names_a_time(house: House, text: str, offered: int) -> None:
    await said(house, text)
    assert len([label for label in labels(house) if label in {"Remind me", "Add to my list"}]) == offered


def test_a_time_at_which_the_search_of_a_long_text_ends_is_not_read_without_its_end() -> None:
    texts = [f"{'well ' * words}the bus goes at 5 pm, I think" for words in range(80, 110)]
    found = {str(one) for text in texts for one in languages()["en"].grammar.times(text)}
    assert found == {str(At(clock=Clock(hour=17)))}
