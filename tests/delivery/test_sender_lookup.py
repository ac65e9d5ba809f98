"""A message in doubt, where the platform can be asked what became of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.errors import SendDoubtful, SendUnsent
from core.kernel.ports import Database
from core.kernel.types import LaneKey
from core.store.conversation import outbox
from core.store.giving_up import TRIES
from tests.fake_adapter import FakeAdapter, Hitch
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")


async def furnished(database: Database, folder: Path, doubt: str = "resend") -> House:
    """A house whose platform can be asked, and answers "heard" to everything."""
    adapter = FakeAdapter()
    adapter.finds = True
    return await house(database, folder / "house", lambda request: "heard", adapter=adapter, doubt=doubt)


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await furnished(database, tmp_path)


async def in_doubt(home: House, *, arrived: bool, times: int = 1) -> None:
    """An answer whose sends break off."""
    home.adapter.hitches.extend([Hitch(error=SendDoubtful("reset"), effect=arrived)] * times)
    await home.hear("hello")
    await home.work()
    for _ in range(times):
        await home.later(60)


async def outcome(home: House) -> list[tuple[str, str | None, int]]:
    rows = await home.rows("SELECT state, platform_id, repeated FROM outbox ORDER BY id")
    return [(row["state"], row["platform_id"], row["repeated"]) for row in rows]


async def test_what_has_arrived_is_sent_and_not_repeated(home: House) -> None:
    home.adapter.found = "the-id"
    await in_doubt(home, arrived=True)
    assert home.adapter.texts() == ["heard"]
    assert await outcome(home) == [("sent", "the-id", 1)]


async def test_what_has_not_arrived_is_sent_again_without_a_mark(home: House) -> None:
    home.adapter.found = ""
    await in_doubt(home, arrived=False, times=TRIES + 1)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent] == [("heard", "")]


async def test_what_can_be_looked_for_is_tried_again_at_once_after_each_doubt(home: House) -> None:
    home.adapter.found = ""
    home.adapter.hitches.extend([Hitch(error=SendDoubtful("reset"), effect=False)] * 2)
    await home.hear("hello")
    await home.work()
    for _ in range(3):
        await home.later(4)
    assert home.adapter.texts() == ["heard"]


async def test_where_nobody_can_know_it_carries_the_mark(home: House) -> None:
    await in_doubt(home, arrived=True)
    assert [sent.repeated[:1] for sent in home.adapter.sent] == ["", "↻"]


async def test_where_nobody_can_ever_know_it_is_given_up_in_the_end(home: House) -> None:
    await in_doubt(home, arrived=False, times=TRIES)
    ((state, _, repeats), *_) = await outcome(home)
    assert (state, repeats) == ("dead", TRIES)


@pytest.mark.parametrize(("found", "state"), [("the-id", "sent"), ("", "sent"), (None, "dead")])
async def test_under_hold_it_is_looked_for_first(
    database: Database, tmp_path: Path, found: str | None, state: str
) -> None:
    home = await furnished(database, tmp_path, doubt="hold")
    home.adapter.found = found
    await in_doubt(home, arrived=bool(found))
    assert (await outcome(home))[0][0] == state
    assert home.adapter.texts().count("heard") == (found is not None)


@pytest.mark.databases("sqlite", "postgres")
async def test_it_is_asked_later_when_the_platform_cannot_be_asked_now(home: House) -> None:
    home.adapter.found = SendUnsent("too many requests", retry_after=30)
    home.adapter.hitches.append(Hitch(error=SendDoubtful("reset"), effect=True))
    await home.hear("hello")
    await home.work()
    await home.later(10)
    assert await outcome(home) == [("new", None, 1)]
    home.adapter.found = "the-id"
    await home.later(40)
    assert await outcome(home) == [("sent", "the-id", 1)]


@pytest.mark.databases("sqlite", "postgres")
async def test_each_message_is_looked_for_by_a_key_of_its_own(home: House) -> None:
    home.adapter.found = "the-id"
    await in_doubt(home, arrived=True)
    ((key,),) = [home.adapter.looked]
    (row,) = await home.rows("SELECT message_key, created_at FROM outbox")
    assert key == f"{row['message_key']}@{row['created_at']}"


async def test_a_look_that_says_come_again_is_no_try_to_send_it(home: House) -> None:
    home.adapter.found = SendUnsent("it may still arrive", retry_after=30)
    home.adapter.hitches.append(Hitch(error=SendDoubtful("reset"), effect=False))
    begun = home.clock.now()
    await home.hear("hello")
    await home.work()
    for _ in range(3):
        await home.later(40)
    assert home.adapter.since_try == [begun] * 3
    home.adapter.found = ""
    await home.later(40)
    assert home.adapter.texts() == ["heard"]


async def test_in_an_outage_no_repeat_of_what_cannot_be_looked_for_is_spent_in_vain(home: House) -> None:
    await home.hear("hello")
    await home.work()
    [target] = await home.column("SELECT id FROM outbox")
    [place] = await home.rows("SELECT tenant_id, scope_id, lane_id, chat_id FROM outbox")
    edit = {"text": "changed", "serial": 0}
    await home.db.write(
        lambda tx: outbox.add(tx, LaneKey(**place), "edit", edit, now=home.clock.now(), replaces_id=target)
    )
    home.adapter.hitches.append(Hitch(error=SendDoubtful("502"), effect=False))
    home.adapter.ok = home.adapter.answering = False
    for _ in range(30):
        await home.later(61)
    assert (home.adapter.texts(), len(home.adapter.tried)) == (["heard"], 2)
    home.adapter.ok = True
    await home.later(61)
    assert home.adapter.texts() == ["heard", "changed"]
