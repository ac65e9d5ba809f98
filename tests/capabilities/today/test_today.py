"""/today: one message that tells what is due, what reminds and what waits, and nothing of anybody else's."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.capabilities.today import service as today
from core.capabilities.today.views import worded
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.types import LaneKey
from core.language import pick
from core.scheduling import repository as triggers
from core.store.people.people import private_lane
from tests.asking import TEA, ask, asked
from tests.commanding import FRIEND, GROUP, friend, group, home, said
from tests.fakes import START, House, claim_lane

pytestmark = pytest.mark.databases("sqlite")

HOUR = 3_600_000
TITLE = "📅 **Monday 21 September 2026**"


async def lane_of(house: House, chat: str) -> LaneKey:
    (row,) = await house.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat",
        chat=chat,
    )
    return LaneKey(**row)


async def remind(house: House, chat: str, text: str, at: int, person_id: int = 1) -> None:
    """Make a reminder of the owner, or of another person."""
    lane = await lane_of(house, chat)
    trigger = Trigger(
        lane=lane, person_id=person_id, deliver="message", kind="once", spec=dump(Once(at=at)), text=text, next_at=at
    )
    await house.db.write(lambda tx: triggers.insert(tx, trigger, START))


async def test_an_empty_day_is_said_pleasantly(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/today") == f"{TITLE}\n☀️ Nothing is due today. Enjoy it!"


async def test_the_day_shows_what_is_due_and_what_reminds_in_order(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text in ("later 2026-09-25", "tax 2026-09-18", "milk 2026-09-21", "call Oma at 17:00"):
        await said(house, f"/todo {text}")
    await remind(house, "1", "stretch", START + HOUR)
    await remind(house, "1", "tomorrow", START + 24 * HOUR)
    assert (await said(house, "/today")).splitlines() == [
        TITLE,
        "☐ tax — ⚠️ overdue since Fri 18 Sep",
        "☐ call Oma — today 17:00",
        "☐ milk — today",
        "⏰ 15:13 stretch",
    ]


@pytest.mark.parametrize("asking", ["/today friday", "what's on friday?", "Am I free on Friday?", "/today 周五"])
async def test_any_day_to_come_can_be_asked_about(database: Database, tmp_path: Path, asking: str) -> None:
    house = await home(database, tmp_path)
    for text in ("rent 2026-09-25", "tax 2026-09-18", "milk 2026-09-21"):
        await said(house, f"/todo {text}")
    await remind(house, "1", "stretch", START + HOUR)
    await remind(house, "1", "swim", START + 4 * 24 * HOUR)
    assert (await said(house, asking)).splitlines() == [
        "📅 **Friday 25 September 2026**",
        "☐ rent — Fri 25 Sep",
        "⏰ 14:13 swim",
    ]


async def test_a_day_shows_all_times_of_what_comes_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text in (
        "every day at 8 and 20 to take the pills",
        "every 2 hours from 9 to 17 to drink",
        "every 30 minutes to blink",
    ):
        await said(house, f"remind me {text}")
    assert (await said(house, "what's on friday?")).splitlines()[1:] == [
        "⏰ 00:13, 00:43, 01:13 … 23:43 blink",
        "⏰ 08:00, 20:00 take the pills",
        "⏰ 09:00, 11:00, 13:00, 15:00, 17:00 drink",
    ]
    # Of today what is still to come.
    assert (await said(house, "/today")).splitlines()[1:] == [
        "⏰ 14:43, 15:13, 15:43 … 23:43 blink",
        "⏰ 15:00, 17:00 drink",
        "⏰ 20:00 take the pills",
    ]


async def test_of_what_comes_again_no_other_item_is_shown_while_one_is_open(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo every day at 16:00: stretch")
    assert (await said(house, "/today")).splitlines()[1:] == ["☐ stretch"]
    house.clock.advance(20 * 3600)
    await house.sweep()
    assert (await said(house, "/today")).splitlines()[1:] == ["☐ stretch — ⚠️ overdue since Mon 21 Sep"]
    assert "☐ stretch" in await said(house, "what's on wednesday?")


async def test_the_day_that_it_is_shows_what_is_overdue_by_its_name_too(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo tax 2026-09-18")
    assert "tax" in await said(house, "what's on monday")
    assert (await said(house, "what's on wednesday")).endswith("Nothing is due then.")


@pytest.mark.parametrize("asking", ["/today yesterday", "/today friday at 5", "/today in 2 hours", "/today every day"])
async def test_what_is_no_day_to_come_is_told(database: Database, tmp_path: Path, asking: str) -> None:
    assert "/today tomorrow" in await said(await home(database, tmp_path), asking)


async def test_questions_that_wait_for_me_are_told(database: Database, tmp_path: Path) -> None:
    house = await asked(database, tmp_path, ask(TEA))
    shown = await said(house, "/today")
    assert "❓ Tea or coffee?" in shown.splitlines()
    assert "❓" not in await said(house, "/today", **friend())


async def test_a_group_shows_its_own_day(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo secret 2026-09-21")
    await said(house, "/todo milk 2026-09-21", **GROUP)
    assert await said(house, "/today", **GROUP) == f"{TITLE}\n☐ milk — today"


async def test_my_day_shows_what_i_noted_in_groups_while_i_am_there(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/todo milk 2026-09-21", sender=FRIEND, **GROUP)
    await said(house, "/todo bread 2026-09-21", **GROUP)
    await remind(house, "-5", "standup", START + HOUR)
    assert (await said(house, "/today", **friend())).splitlines() == [TITLE, "☐ milk — today · “`Family`”"]
    assert (await said(house, "/today")).splitlines()[1:] == [
        "☐ bread — today · “`Family`”",
        "⏰ 15:13 standup · “`Family`”",
    ]
    house.adapter.absent.add(("-5", FRIEND))
    assert "Nothing is due" in await said(house, "/today", **friend())


async def test_my_day_shows_what_comes_on_the_list_of_a_group(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo every day at 16:00: stretch", **GROUP)
    assert (await said(house, "/today")).splitlines()[1:] == ["☐ stretch · “`Family`”"]


async def test_a_group_the_bot_is_gone_from_is_not_shown(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo milk 2026-09-21", **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE kind = 'group'"))
    assert "milk" not in await said(house, "/today")


async def test_a_platform_that_cannot_be_asked_hides_the_groups(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo milk 2026-09-21", **GROUP)

    async def fails(*_: object) -> bool:
        raise ConnectionError

    monkeypatch.setattr(house.adapter, "belongs", fails)
    assert "milk" not in await said(house, "/today")


async def test_the_day_is_that_of_the_persons_zone(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk 2026-09-22")
    assert "Nothing is due" in await said(house, "/today")
    await said(house, "/timezone Pacific/Auckland")
    assert (await said(house, "/today")).splitlines() == [
        "📅 **Tuesday 22 September 2026**",
        "☐ milk — today",
    ]


async def test_a_brief_is_made_without_a_run(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk 2026-09-21")

    def brief(tx: Tx) -> str:
        lane = private_lane(tx, house.tenant_id, 1)
        assert lane is not None
        return worded(pick("zh"), today.gather(tx, house.app.container.access, lane, 1, ZoneInfo("UTC"), START))

    assert await house.db.read(brief) == "📅 **2026年9月21日 星期一**\n☐ milk — 今天"


async def test_a_long_day_is_one_short_message(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(18):
        await said(house, f"/todo {'*_' * 200}{n} 2026-09-21")
    shown = await said(house, "/today")
    assert shown.splitlines()[-1] == "… and 3 more"
    assert len(shown) < 8_000


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_worked_on_is_told_but_not_the_question_itself(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await house.hear("a long task", thread="7")
    (lane_id,) = await house.column("SELECT id FROM lane WHERE thread = '7'")
    assert await house.db.write(lambda tx: claim_lane(house, tx, lane_id)) is not None
    assert (await said(house, "/today")).splitlines()[1:] == ["⏳ a long task"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        # START is a Monday.
        ("what's happening this week?", ["21", "24", "26"]),
        ("what's on this weekend", ["26"]),
        ("what's up next week", ["28"]),
        ("what do we have next weekend", []),
    ],
)
async def test_the_days_of_a_week_that_have_something_are_shown(
    database: Database, tmp_path: Path, text: str, days: list[str]
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo tax 2026-09-24")
    await remind(house, "1", "stretch", START + HOUR)
    await remind(house, "1", "swim", START + 5 * 24 * HOUR)
    await remind(house, "1", "work", START + 7 * 24 * HOUR)
    told = await said(house, text)
    assert [line.split()[2] for line in told.splitlines() if line.startswith("📅") and days] == days
    assert ("Nothing is due then" in told) == (not days)
