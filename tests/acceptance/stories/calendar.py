"""The story of a family in two zones, over the weeks in which one changes its clocks and then the other one."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Person, Shown

MARCH, EVE = 3, 5
SHOWN = "%a %-d %b"


def _sunday(year: int, after: int) -> date:
    """The first Sunday of March from a day of it on."""
    day = date(year, MARCH, after)
    return day + timedelta(days=6 - day.weekday())


async def _comes(on: Days, chat: Chat, text: str, day: date, clock: str, by: Person) -> Shown:
    """At this time in UTC a reminder comes, and not some seconds before."""
    then = datetime.combine(day, time.fromisoformat(clock), UTC)
    on.at((then - timedelta(seconds=EVE)).isoformat())
    # A word to the bot shows that it has done all it had to do.
    asked = await on.says(by, "/time")
    await on.talk(on.platform.owner)
    known = on.texts(chat).count(f"⏰ {text}")
    on.at(then.isoformat())
    await on.until(lambda: on.texts(chat).count(f"⏰ {text}") == known + 1)
    assert asked.text
    return on.platform.shown(chat)[-1]


async def a_family_in_two_zones_changes_its_clocks(on: Days) -> None:
    ann, bob, chen = on.platform.owner, on.platform.member(), on.platform.member()
    america, europe = _sunday(on.clock.year + 1, 8), _sunday(on.clock.year + 1, 25)
    friday = america - timedelta(days=2)
    on.at(f"{friday}T12:00+00:00")
    family = await on.family(ann, bob, chen)
    await on.says(ann, "/timezone Berlin", family)
    await on.says(bob, "/timezone New York")
    for one in (bob, chen):
        await on.talk(one, family)
