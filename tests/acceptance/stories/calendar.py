"""The story of a family in two zones, over the weeks in which one changes its clocks and then the other one."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Person, Shown

STAND_UP, PILLS = ": stand-up\n👥 for 3 people", "⏰ take pills"


def _sunday(year: int, after: int) -> date:
    """The first Sunday of March from a day of it on."""
    day = date(year, 3, after)
    return day + timedelta(days=6 - day.weekday())


async def _is_due(on: Days, chat: Chat, text: str, day: date, clock: str) -> None:
    """At this time in UTC a message comes, and not yet some seconds before."""
    then = datetime.combine(day, time.fromisoformat(clock), UTC)
    # Real time passes too, until somebody is answered.
    on.passes((then - on.clock).total_seconds() - 20)
    # Whoever is answered shows that the program has looked at the clock.
    await on.talk(on.platform.owner)
    last = on.platform.shown(chat)[-1]
    on.passes((then - on.clock).total_seconds())
    seen = await on.sees(chat, text, after=last)
    assert seen.text.endswith(text), on.texts(chat)


async def _is_late_once(on: Days, chat: Chat, text: str, last: Shown) -> None:
    """What was missed for days comes once, after the message that was the last before."""
    await on.sees(chat, f"{text}\n", after=last)
    await on.talk(on.platform.owner)
    assert len(on.platform.shown(chat)) == list(on.platform.shown(chat)).index(last) + 2


async def _family(on: Days) -> tuple[Chat, Person, Person]:
    """A family with somebody in Berlin, where the group is, and somebody in New York."""
    ann, bob, chen = on.platform.owner, on.platform.member(), on.platform.member()
    family = await on.family(ann, bob, chen)
    await on.says(ann, "/timezone Berlin", family)
    await on.says(bob, "/timezone New York")
    for one in (bob, chen):
        await on.talk(one, family)
    return family, bob, chen


async def a_family_in_two_zones_changes_its_clocks(on: Days) -> None:
    america, europe = _sunday(on.clock.year + 1, 8), _sunday(on.clock.year + 1, 25)
    friday, saturday, monday = (america + timedelta(days=n) for n in (-2, -1, 1))
    on.at(f"{friday}T12:00+00:00")
    family, bob, chen = await _family(on)
    home = on.platform.private(bob)
    daily = await on.says(on.platform.owner, "/remind everybody every day at 9:30 stand-up", family)
    assert daily.text == f"⏰ everybody: every day at 09:30 (Berlin), next {_shown(saturday)}: stand-up"
    await on.says(bob, "/remind me every day at 8 to take pills")
    await on.says(chen, "/timezone Berlin")  # what is their own goes by their own clock, in a group too
    once = await on.says(chen, f"/remind {bob.name} on Monday at 9 to send the report", family)
    assert f"{_shown(monday)} 09:00 New York (14:00 for you)" in once.text
    skipped = await on.says(chen, f"/remind me on {europe.day} March at 02:30 to look at the clock", family)
    assert f"{_shown(europe)} 03:00 (Berlin)" in skipped.text, skipped.text

    await _is_due(on, family, STAND_UP, saturday, "08:30")
    await on.sees(home, f"{PILLS}\n")  # those of Friday, which was passed over: at its time it was 8 in New York
    await _is_due(on, home, PILLS, saturday, "13:00")
    await _is_due(on, family, STAND_UP, america, "08:30")
    await _is_due(on, home, PILLS, america, "12:00")
    await _is_due(on, family, STAND_UP, monday, "08:30")
    await _is_due(on, home, PILLS, monday, "12:00")
    await _is_due(on, home, f"⏰ {chen.name} asked me to remind you: send the report", monday, "13:00")

    last, last_at_home = on.platform.shown(family)[-1], on.platform.shown(home)[-1]
    on.at(f"{europe - timedelta(days=1)}T14:00+00:00")
    await _is_late_once(on, family, STAND_UP, last)
    await _is_late_once(on, home, PILLS, last_at_home)
    await _is_due(on, *_clock(on, skipped, chen), europe, "01:00")
    await _is_due(on, family, STAND_UP, europe, "07:30")
    await _is_due(on, home, PILLS, europe, "12:00")


def _clock(on: Days, answer: Shown, chen: Person) -> tuple[Chat, str]:
    """Where what one set for oneself comes, and as what: where nobody else saw the answer, in one's own chat."""
    if "in your own chat" in answer.text:
        return on.platform.private(chen), "⏰ look at the clock"
    return answer.chat, f"⏰ {on.platform.named(chen)}: look at the clock"


def _shown(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b}"
