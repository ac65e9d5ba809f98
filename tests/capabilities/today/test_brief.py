"""The daily brief: what /today says, each morning, by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.kernel.errors import ModelUnreachable, SendRefused, SendUnsent
from core.kernel.ports import Database
from core.kernel.types import Keyboard, Part
from tests.commanding import FRIEND, GROUP, friend, group, said
from tests.fakes import Hitch, House
from tests.fakes import house as build
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

TO_BRIEF = 17.5 * 3600


async def morning(house: House, chat: str) -> str:
    """What comes in a chat at half past seven."""
    before = len(house.adapter.texts(chat))
    await passes(house, TO_BRIEF)
    return "\n".join(house.adapter.texts(chat)[before:])


@pytest.mark.databases("sqlite", "postgres")
async def test_the_brief_of_a_private_chat_tells_what_is_theirs_in_groups_as_today_does(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await said(house, "/brief 7:30", **friend())
    await said(house, f"/todo take out the bins 2026-09-22 for Name of {FRIEND}", **GROUP)
    await said(house, "/remind tomorrow at 15:00 pick me up", **GROUP, sender=FRIEND)
    told = await morning(house, "2")
    assert "take out the bins" in told
    assert "15:00 pick me up · “`Family`”" in told
    assert told == await said(house, "/today", **friend())


async def test_the_brief_tells_nothing_of_a_group_somebody_has_left(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30")
    await said(house, "/todo milk 2026-09-22", **GROUP)
    house.adapter.absent.add(("-5", "tg:1"))
    assert "Nothing is due today" in await morning(house, "1")


async def test_the_brief_of_a_group_tells_what_is_there_alone(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30", **GROUP)
    await said(house, "/todo milk 2026-09-22", **GROUP)
    await said(house, "/todo my own 2026-09-22")
    told = await morning(house, "-5")
    assert "milk" in told
    assert "my own" not in told


async def test_the_brief_comes_while_a_question_waits_for_the_model(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda _: ModelUnreachable("down"))
    await said(house, "/brief 7:30")
    await said(house, "why?")
    assert "Nothing is due today" in await morning(house, "1")
    assert await house.column("SELECT state FROM inbox WHERE text = 'why?'") == ["new"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_stop_that_comes_while_the_lane_is_busy_leaves_the_brief(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", lambda _: "an answer")
    await said(house, "/brief 7:30")
    house.clock.advance(TO_BRIEF)
    await house.hear("why?")
    await house.app.scheduler.due()
    await house.hear("/stop")
    before = len(house.adapter.texts("1"))
    await house.work()
    stopped, brief = house.adapter.texts("1")[before:]
    assert stopped == "⏹ Stopped. Left unanswered: 1."
    assert "Nothing is due today" in brief


@pytest.mark.parametrize(
    ("refusal", "reason"), [("Forbidden: bot was blocked by the user", "gone"), ("Bad Request", "refused")]
)
async def test_a_brief_that_the_platform_refuses_rests(
    database: Database, tmp_path: Path, refusal: str, reason: str
) -> None:
    house = await build(database, tmp_path / "house", lambda _: "an answer")
    await said(house, "/brief 7:30")
    house.adapter.hitches.append(Hitch(error=SendRefused(refusal)))
    await passes(house, TO_BRIEF)
    assert await house.column("SELECT state || ' ' || reason FROM trigger") == [f"paused {reason}"]
    assert "📬" not in str(house.adapter.texts("1"))


@pytest.mark.parametrize("refusal", ["Forbidden: bot was blocked by the user", "Bad Request"])
async def test_another_answer_that_the_platform_refuses_leaves_the_brief(
    database: Database, tmp_path: Path, refusal: str
) -> None:
    house = await build(database, tmp_path / "house", lambda _: "an answer")
    await said(house, "/brief 7:30")
    await passes(house, TO_BRIEF)
    house.adapter.hitches.append(Hitch(error=SendRefused(refusal)))
    await said(house, "/today")
    assert await house.column("SELECT state FROM trigger") == ["active"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_brief_that_could_not_be_sent_for_hours_says_how_late_it_is(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", model=False)
    await said(house, "/brief 7:30")
    await said(house, "/todo milk 2026-09-22")
    house.clock.advance(TO_BRIEF - 3600)
    before = len(house.shown())
    house.adapter.hitches.extend(Hitch(error=SendUnsent("no network", retry_after=1800)) for _ in range(6))
    for _ in range(30):
        await passes(house, 600)
    (brief,) = house.shown()[before:]
    assert "milk" in brief.text
    assert brief.text.endswith("\n3 h late.")
    assert await house.column("SELECT count(*) FROM message WHERE text LIKE '%late%'") == [0]


async def test_a_late_brief_that_fills_a_message_loses_none_of_it(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", model=False)
    await said(house, "/brief 7:30")
    await said(house, "/todo milk 2026-09-22")
    render = house.adapter.render

    def narrow(text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        return render(text.replace("\n", "\f") if "late" in text else text, choices, keyboard)

    house.adapter.render = narrow  # type: ignore[method-assign]
    house.clock.advance(TO_BRIEF - 3600)
    before = len(house.shown())
    house.adapter.hitches.extend(Hitch(error=SendUnsent("no network", retry_after=1800)) for _ in range(2))
    for _ in range(18):
        await passes(house, 600)
    (brief,) = house.shown()[before:]
    assert "milk" in brief.text


async def test_what_somebody_asks_for_is_not_called_a_late_brief(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", model=False)
    await said(house, "/brief 7:30")
    before = len(house.shown())
    house.adapter.hitches.extend(Hitch(error=SendUnsent("no network", retry_after=1800)) for _ in range(3))
    await house.hear("/today")
    await house.work()
    for _ in range(12):
        await passes(house, 600)
    (answer,) = (sent.text for sent in house.shown()[before:])
    assert "late" not in answer


async def test_the_brief_is_called_as_it_is_shown(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", model=False, language="de")
    await said(house, "/brief 7:30")
    assert "fällt aus" in await said(house, "/skip der tägliche Überblick")
    back, when = (await said(house, "/undo")).splitlines()
    assert back == "↩ Zurückgenommen: die Änderung an „der tägliche Überblick“."
    assert when == "⏰ Di. 22. Sept. 07:30"
    assert (await said(house, "/cancel Überblick")).startswith("🗑 Gestrichen: der tägliche Überblick")
