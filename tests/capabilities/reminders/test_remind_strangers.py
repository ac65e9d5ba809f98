"""Reminders for colleagues with access who have never written in private, where the platform lets the bot begin."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection
from core.kernel.ports import Database
from core.kernel.types import Press, Sender
from tests.commanding import labels, said
from tests.fakes import Crash, CrashingDatabase, FakeAdapter, House, house
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

ANN, BO, GUS = "slack:T1:U1", "slack:T1:U2", "slack:T1:U3"
CANNOT = "I can't reach"
WISH = "/remind @bo in 10 minutes to call me"


def colleague(address: str = BO, kin: str = "full", **fields: Any) -> Sender:
    return Sender(address=address, name="Bo", handle="@bo", language="en", kin=kin, **fields)


async def workspace(db: Database, folder: Path) -> House:
    """A house of Ann's, whose whole workspace has access."""
    access = AccessSection(mode="allowlist", allow=("slack:T1",))
    adapter = FakeAdapter("slack")
    adapter.direct_chats[BO] = colleague(timezone="America/New_York")
    return await house(db, folder / "house", model=False, adapter=adapter, owners=(ANN,), access=access)


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """Such a house; Ann talks to the bot in private."""
    made = await workspace(database, tmp_path)
    await said(made, "/help", sender=ANN)
    return made


async def press(home: House, label: str) -> None:
    """Press a button in the conversation with Bo, as Bo."""
    data, chat = home.button(label, f"D-{BO}"), f"D-{BO}"
    await home.app.inbox.accept(home.tenant_id, [Press(key=label, chat=chat, sender=colleague(), data=data, raw="{}")])
    await home.work()


async def test_who_never_wrote_is_reminded_where_the_platform_lets_the_bot_begin(home: House) -> None:
    told = await said(home, WISH, sender=ANN, mentioned=(colleague(),))
    assert told.startswith("⏰ Bo")
    assert home.adapter.texts(f"D-{BO}") == []
    await passes(home, 601)
    [shown] = home.adapter.texts(f"D-{BO}")
    assert "call me" in shown
    assert labels(home, f"D-{BO}")[0] == "OK"
    await press(home, "OK")
    assert "✅" in home.shown(f"D-{BO}")[-1].text


async def test_who_mutes_who_asked_gets_no_more(home: House) -> None:
    await said(home, WISH, sender=ANN, mentioned=(colleague(),))
    await passes(home, 601)
    await press(home, labels(home, f"D-{BO}")[1])
    refused = await said(home, WISH, sender=ANN, mentioned=(colleague(),))
    assert refused.startswith("I can't reach")


async def test_only_so_many_come_in_a_day(home: House) -> None:
    for _ in range(3):
        assert (await said(home, WISH, sender=ANN, mentioned=(colleague(),))).startswith("⏰ Bo")
    assert "at most 3 messages" in await said(home, WISH, sender=ANN, mentioned=(colleague(),))


@pytest.mark.parametrize("kin", ["guest", "outsider", ""])
async def test_who_has_no_access_is_not_written_to(home: House, kin: str) -> None:
    home.adapter.direct_chats[BO] = colleague(kin=kin)
    assert (await said(home, WISH, sender=ANN, mentioned=(colleague(kin=kin),))).startswith(CANNOT)
    assert await home.column("SELECT count(*) FROM chat") == [1]


async def test_where_the_bot_cannot_begin_they_have_to_write_first(home: House) -> None:
    home.adapter.direct_chats.clear()
    assert (await said(home, WISH, sender=ANN, mentioned=(colleague(),))).startswith(CANNOT)


async def test_a_message_reaches_them_too(home: House) -> None:
    await said(home, "/todo lunch @bo", sender=ANN, mentioned=(colleague(),))
    assert (await said(home, "/send @bo tea?", sender=ANN)).startswith("✉️ For Bo, on its way")
    assert home.adapter.texts(f"D-{BO}") == [f"✉️ Name of {ANN} sends you:\ntea?"]


async def test_a_to_do_reminds_them_too(home: House) -> None:
    await said(home, "/todo lunch tomorrow at 9 @bo", sender=ANN, mentioned=(colleague(),))
    await passes(home, 86_400)
    assert "lunch" in home.adapter.texts(f"D-{BO}")[0]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("commits", range(1, 6))
@pytest.mark.parametrize("late", [60, 3_600])
async def test_after_a_crash_what_was_noted_and_set_still_is(
    database: Database, tmp_path: Path, commits: int, late: float
) -> None:
    crashing = CrashingDatabase(database)
    first = await workspace(crashing, tmp_path)
    await first.hear(WISH, sender=ANN, mentioned=(colleague(),))
    crashing.arm(commits, after=True)
    with contextlib.suppress(Crash):
        await first.work()
    second = await workspace(database, tmp_path)
    done = await second.column("SELECT tool FROM ledger")
    # The platform does not say any more who that is.
    second.adapter.direct_chats.clear()
    await second.app._take_up()
    await second.later(late)
    answer = (first.adapter.texts("1") + second.adapter.texts("1"))[0]
    is_set = "set_reminder" in done or (late < 600 and "meet_person" in done)
    assert ("⏰ Bo" if is_set else "“call me” was due" if "meet_person" in done else CANNOT) in answer
    assert await second.column("SELECT count(*) FROM trigger") == [int(is_set)]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("commits", range(1, 6))
async def test_each_of_two_is_met_although_a_crash_came_between(
    database: Database, tmp_path: Path, commits: int
) -> None:
    crashing = CrashingDatabase(database)
    first = await workspace(crashing, tmp_path)
    gus = Sender(address=GUS, name="Gus", handle="@gus", language="en", kin="full")
    first.adapter.direct_chats[GUS] = gus
    wish = "/remind @bo and @gus in 10 minutes to call me"
    await first.hear(wish, sender=ANN, mentioned=(colleague(), gus))
    crashing.arm(commits, after=True)
    with contextlib.suppress(Crash):
        await first.work()
    second = await workspace(database, tmp_path)
    second.adapter.direct_chats[GUS] = gus
    await second.app._take_up()
    await second.later(60)
    assert await second.column("SELECT count(*) FROM trigger") == [2]
    chats = await second.column("SELECT external_id FROM chat ORDER BY external_id")
    assert {f"D-{BO}", f"D-{GUS}"} <= set(chats)
