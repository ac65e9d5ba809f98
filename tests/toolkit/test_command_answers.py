"""What commands answer when something is wrong, and what they do not show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.asking import TEA, ask, asked
from tests.commanding import GROUP, GUEST, friend, group, home, said
from tests.conftest import DatabaseMaker
from tests.fakes import FakeAdapter, inbound
from tests.fakes import house as build


@pytest.mark.parametrize("text", ["/history 0", "/history 00"])
async def test_a_wrong_number_is_answered_with_how_to_write_it(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert (await said(house, text)).startswith("/history shows the last messages, /history 5 the last five")


async def test_a_long_number_shows_what_there_is(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert "hello" in await said(house, f"/history {'9' * 4000}")


@pytest.mark.parametrize(("place", "zone"), [("berlin", "Berlin"), ("UTC", "UTC"), ("上海", "Shanghai")])
async def test_the_time_is_told_for_a_town(make_database: DatabaseMaker, tmp_path: Path, place: str, zone: str) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert f"({zone})" in await said(house, f"/time {place}")


async def test_an_unknown_place_is_said_back_shortly_and_in_the_language(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh")
    answer = await said(house, f"/time {'q' * 5000}")
    assert answer == f"我不认识地方 {'q' * 40}。例如：/time 北京，/time Asia/Shanghai"


async def test_no_error_of_a_tool_is_shown_as_it_stands(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh")
    await said(house, "/contacts add Bob tg:50")
    await house.db.write(lambda tx: tx.run('UPDATE undo SET arguments = \'{"status": "lost"}\''))
    assert (await said(house, "/undo")).startswith("没有成功：命令后面")


async def test_history_names_who_spoke_and_shows_no_markdown_of_others(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    guest = Sender(address=GUEST, name="**Eve**", language="en")
    message = replace(inbound("echo [click](https://evil.example)\n# big", key="x", **GROUP), sender=guest)
    await house.app.inbox.accept(house.tenant_id, [message])
    await house.work()
    shown = await said(house, "/history", **GROUP)
    assert "- \\*\\*Eve\\*\\*: echo \\[click\\](https://evil.example) # big" in shown.splitlines()
    assert "- Teller: " in shown


@pytest.mark.databases("sqlite")
async def test_history_shows_neither_events_nor_what_was_only_overheard(database: Database, tmp_path: Path) -> None:
    house = await asked(database, tmp_path, ask(TEA), "Enjoy it.", **GROUP)
    await said(house, "/readalong on", **GROUP)
    await house.hear("a secret", addressed=False, **GROUP)
    await house.press("Coffee", chat="-5")
    await house.work()
    shown = await said(house, "/history 50", sender=GUEST, **GROUP)
    assert "Enjoy it." in shown
    assert "secret" not in shown
    assert "question_id" not in shown


async def test_a_long_message_is_cut_in_the_history(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "x" * 4000)
    assert max(map(len, (await said(house, "/history")).splitlines())) < 600


async def test_only_owners_in_private_are_told_what_only_they_may_do(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    assert "/invite" in await said(house, "/help")
    assert "/invite" not in await said(house, "/help", **friend())
    assert "/invite" not in await said(house, "/help", **GROUP)


async def test_a_console_invites_nobody(make_database: DatabaseMaker, tmp_path: Path) -> None:
    adapter = FakeAdapter()
    adapter.platform = "console"
    house = await build(await make_database("sqlite"), tmp_path / "house", model=False, adapter=adapter)
    assert (await said(house, "/invite")).startswith("Nobody else can talk to me on this console.")
    assert await house.column("SELECT count(*) FROM invite") == [0]
