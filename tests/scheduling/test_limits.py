"""Not too often: reminders for other people, for everybody of a group, and those of guests."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, said
from tests.conftest import DatabaseMaker
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")

ENOUGH = "Bob gets at most 3 messages from others by way of me within a day, and already has them for then."
US = "What is for all of you has no such limit: “remind us …”."
BUSY = "You can make me send at most 10 messages to others within an hour, and already have for then."
OTHERS, EVERYBODY, GUESTS = "at most 3 times a day", "at most every 5 minutes", "at most once an hour"


async def family(db: Database, folder: Path) -> House:
    """A group of the owner, of Bob, who talks to the bot in private too, and of a guest."""
    house = await group(db, folder)
    await said(house, "hello", **friend())
    for sender in (FRIEND, GUEST):
        await said(house, "hello", sender=sender, **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Bob' WHERE nickname = 'Name of tg:2'"))
    return house


async def active(house: House) -> int:
    (found,) = await house.column("SELECT count(*) FROM trigger WHERE state = 'active'")
    return int(found)


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_planned_for_somebody_counts_when_more_is_set(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    for clock in ("9", "10", "11"):
        assert (await said(house, f"/remind Bob tomorrow at {clock} to come", **GROUP)).startswith("⏰ Bob")
    assert (await said(house, "/remind Bob tomorrow at 12 to come", **GROUP)).startswith(ENOUGH)
    assert (await said(house, "/remind Bob tomorrow at 8 to come", **GROUP)).startswith(ENOUGH)
    assert (await said(house, "/remind Bob on Wednesday at 12 to come", **GROUP)).startswith("⏰ Bob")
    assert (await said(house, "/remind me tomorrow at 12 to come", **GROUP)).startswith("⏰")
    assert await active(house) == 5
    await house.db.write(lambda tx: tx.run("UPDATE trigger SET state = 'cancelled', ended_at = 1"))
    assert (await said(house, "/remind Bob tomorrow at 12 to come", **GROUP)).startswith("⏰ Bob")


@pytest.mark.databases("sqlite", "postgres")
async def test_of_several_who_is_full_is_named(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Gus' WHERE nickname = 'Name of tg:7'"))
    for clock in ("9", "10", "11"):
        await said(house, f"/remind Bob tomorrow at {clock} to come", **GROUP)
    for names in ("Bob and Gus", "Gus and Bob"):
        assert (await said(house, f"/remind {names} tomorrow at 12 to come", **GROUP)).startswith(ENOUGH)


@pytest.mark.databases("sqlite", "postgres")
async def test_what_others_have_planned_counts_too_and_all_that_was_taken_comes(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Ann' WHERE nickname = 'Name of tg:1'"))
    for sender, clock in (("tg:1", 9), ("tg:7", 10), ("tg:1", 11)):
        answer = await said(house, f"/remind Bob tomorrow at {clock} to come", sender=sender, **GROUP)
        assert answer.startswith("⏰ Bob"), answer
    full = await said(house, "/remind Bob tomorrow at 12 to come", sender=GUEST, **GROUP)
    assert full == f"{ENOUGH} The next one can come Wed 23 Sep 09:00 at the earliest. {US}"
    assert (await said(house, "/remind us tomorrow at 12 to come", **GROUP)).startswith("⏰")
    assert (await said(house, "/remind Bob on Wednesday at 9 to come", sender=GUEST, **GROUP)).startswith("⏰ Bob")
    await said(house, "/language zh", **GROUP)
    assert "Bob一天内最多收3条别人通过我发的消息" in await said(house, "/remind Bob 明天中午12点 来", **GROUP)
    house.clock.advance(3 * 86_400)
    await house.sweep()
    assert await house.column("SELECT state FROM trigger") == ["done"] * 5
    assert await house.column("SELECT count(*) FROM reminder") == [5]


async def test_a_reminder_for_another_is_not_moved_into_a_full_day(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    for clock in ("9", "10", "11"):
        await said(house, f"/remind Bob tomorrow at {clock} to come", **GROUP)
    await said(house, "/remind Bob on Friday at 12 to come", **GROUP)
    first, *_, last = [ref("s", number) for number in await house.column("SELECT id FROM trigger ORDER BY id")]
    assert (await said(house, f"/move {last} tomorrow at 12", **GROUP)).startswith(ENOUGH)
    assert (await said(house, f"/move {first} tomorrow at 12", **GROUP)).startswith("⏰ Bob")


async def test_what_comes_each_day_counts_on_each_of_its_days(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    for clock in ("9", "10"):
        assert (await said(house, f"/remind Bob every day at {clock} to come", **GROUP)).startswith("⏰ Bob")
    assert (await said(house, "/remind Bob on Friday at 11 to come", **GROUP)).startswith("⏰ Bob")
    assert (await said(house, "/remind Bob on Friday at 12 to come", **GROUP)).startswith(ENOUGH)


async def test_what_was_sent_and_what_is_planned_count_together(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    for _ in range(2):
        assert (await said(house, "/remind Bob in 1 minute to come", **GROUP)).startswith("⏰ Bob")
    house.clock.advance(60)
    await house.sweep()
    assert await house.column("SELECT count(*) FROM errand") == [2]
    assert (await said(house, "/remind Bob in 1 hour to come", **GROUP)).startswith("⏰ Bob")
    assert (await said(house, "/remind Bob in 2 hours to come", **GROUP)).startswith(ENOUGH)
    assert (await said(house, "/remind Bob in 25 hours to come", **GROUP)).startswith("⏰ Bob")


async def test_who_sets_many_for_several_in_an_hour_is_refused(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    for n in range(4):
        await said(house, "hello", sender=f"tg:{20 + n}", **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = replace(nickname, 'Name of tg:2', 'Bo')"))
    for n in range(10):
        answer = await said(house, f"/remind Bo{n // 3} tomorrow at 9 to come", **GROUP)
        assert answer.startswith(f"⏰ Bo{n // 3}"), answer
    assert (await said(house, "/remind Bo3 tomorrow at 9:30 to come", **GROUP)).startswith(BUSY)
    assert (await said(house, "/remind Bo3 tomorrow at 10:30 to come", **GROUP)).startswith("⏰")


@pytest.mark.parametrize(
    ("who", "when", "refused"),
    [
        ("Bob", "every minute", OTHERS),
        ("Bob", "every 7 hours", OTHERS),
        ("Bob", "every 8 hours", ""),
        ("Bob", "every day at 9", ""),
        ("me", "every minute", ""),
        ("everybody", "every minute", EVERYBODY),
        ("everybody", "every 4 minutes", EVERYBODY),
        ("everybody", "every 5 minutes", ""),
    ],
)
async def test_others_are_not_reminded_too_often(
    make_database: DatabaseMaker, tmp_path: Path, who: str, when: str, refused: str
) -> None:
    house = await family(await make_database("sqlite"), tmp_path)
    answer = await said(house, f"/remind {who} {when} to drink", **GROUP)
    assert refused in answer
    assert answer.startswith("That is too often" if refused else "⏰")
    assert await active(house) == (0 if refused else 1)


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("/remind everybody every 30 minutes to drink", GUESTS),
        ("/remind me every 59 minutes to drink", GUESTS),
        ("/every minute drink", GUESTS),
        ("/remind me every hour to drink", ""),
        ("/remind everybody every day at 9 to drink", ""),
        ("/remind me in 1 minute to drink", ""),
    ],
)
async def test_a_guest_makes_nothing_more_often_than_once_an_hour(
    make_database: DatabaseMaker, tmp_path: Path, line: str, refused: str
) -> None:
    house = await family(await make_database("sqlite"), tmp_path)
    answer = await said(house, line, sender=GUEST, **GROUP)
    assert refused in answer
    assert answer.startswith("That is too often" if refused else "⏰")


async def test_what_is_set_slowly_is_not_made_quick(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await family(await make_database("sqlite"), tmp_path)
    await said(house, "/remind everybody every day at 9 to drink", **GROUP)
    await said(house, "/remind Bob every day at 9 to eat", **GROUP)
    await said(house, "/remind me every day at 9 to run", sender=GUEST, **GROUP)
    drink, eat, run = [ref("s", number) for number in await house.column("SELECT id FROM trigger ORDER BY id")]
    assert EVERYBODY in await said(house, f"/move {drink} every minute", **GROUP)
    assert OTHERS in await said(house, f"/move {eat} every hour", **GROUP)
    assert GUESTS in await said(house, f"/move {run} every minute", sender=GUEST, **GROUP)
    assert (await said(house, f"/move {drink} every hour", **GROUP)).startswith("⏰")
    assert await house.column("SELECT count(*) FROM trigger WHERE kind = 'rule'") == [2]


async def test_a_guest_is_told_that_a_reminder_for_another_comes_in_the_group(
    database: Database, tmp_path: Path
) -> None:
    house = await family(database, tmp_path)
    here = "It comes here, where everybody sees it."
    assert here in await said(house, "/remind Bob tomorrow at 9 to come", sender=GUEST, **GROUP)
    assert here not in await said(house, "/remind Bob tomorrow at 9 to come", **GROUP)
    assert here not in await said(house, "/remind me tomorrow at 9 to come", sender=GUEST, **GROUP)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/remind every 30 seconds drink", "once a minute is the most"),
        ("remind me every 30 seconds to drink", "once a minute is the most"),
        ("/remind 每30秒喝水", "最多每分钟一次"),
    ],
)
async def test_nothing_comes_every_so_many_seconds(
    make_database: DatabaseMaker, tmp_path: Path, line: str, told: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    if not line.isascii():
        await said(house, "/language zh")
    assert told in await said(house, line)
    assert await active(house) == 0
