"""How long to-dos are kept, that they are forgotten on request, and that a crash does nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.privacy.retention import Retention
from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, friend, group, home, said
from tests.fakes import Crash, CrashingDatabase, House

pytestmark = pytest.mark.databases("sqlite")

DAY = 86_400


async def assigned(database: Database, folder: Path) -> House:
    """A group where the owner and a friend have noted something, each for the friend."""
    house = await group(database, folder)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Bob' WHERE nickname = 'Name of tg:2'"))
    await said(house, "/todo plums for Bob", **GROUP)
    await said(house, "/todo apples for Bob", sender=FRIEND, **GROUP)
    return house


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_done_or_removed_goes_in_the_end_and_what_is_open_stays(
    database: Database, tmp_path: Path
) -> None:
    house = await assigned(database, tmp_path)
    for text, act in (("milk", "done"), ("bread", "remove")):
        await said(house, f"/todo {text}")
        await said(house, f"/todo {act} {text}")
    await said(house, "/todo done plums", **GROUP)
    left = []
    for days in (29, 3, 367, 3):
        house.clock.advance(days * DAY)
        await house.app.container.get(Retention).forget()
        left.append(sorted(await house.column("SELECT content FROM todo")))
    assert left == [
        ["apples", "bread", "milk", "plums"],
        ["apples", "milk", "plums"],
        ["apples", "milk", "plums"],
        ["apples"],
    ]
    assert await house.column("SELECT count(*) FROM assignee") == [1]


async def test_a_private_list_is_forgotten_whole(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo plums for me tomorrow at 9:00")
    await said(house, "/todo pears", **friend())
    await said(house, "/forget yes")
    assert await house.column("SELECT content FROM todo") == ["pears"]


async def test_in_a_group_only_what_one_noted_oneself_is_forgotten(database: Database, tmp_path: Path) -> None:
    house = await assigned(database, tmp_path)
    await said(house, "/forget me", sender=FRIEND, **GROUP)
    assert await house.column("SELECT content FROM todo") == ["plums"]
    assert await house.column("SELECT count(*) FROM assignee") == [0]
    assert "☐ plums" in await said(house, "/todo", **GROUP)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2, 3])
@pytest.mark.parametrize("command", ["/todo milk", "/todo done bread", "/todo remove bread"])
async def test_a_crash_changes_the_list_once_and_the_answer_is_the_same(
    database: Database, tmp_path: Path, command: str, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    house = await home(crashing, tmp_path)
    await said(house, "/todo bread")
    await house.hear(command)
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await house.work()
    second = await home(database, tmp_path)
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(3600)
    answers = {
        "/todo milk": "☐ milk",
        "/todo done bread": "☑ bread",
        "/todo remove bread": "🗑 Off the list: bread",
    }
    shown = [*house.adapter.texts("1"), *second.adapter.texts("1")]
    assert any(text.endswith(answers[command]) for text in shown)
    states = {"/todo milk": ["open", "open"], "/todo done bread": ["done"], "/todo remove bread": ["removed"]}
    assert await second.column("SELECT state FROM todo ORDER BY id") == states[command]
