"""What is easily left behind when somebody is forgotten: in the ledger, in the file, in answers, below questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.privacy.retention import Retention
from core.kernel.ports import Database
from core.kernel.types import Answer, ToolCall
from tests.asking import TEA, ask, asked, states
from tests.commanding import GROUP, GUEST, home, said
from tests.conftest import DatabaseMaker, PlaceMaker
from tests.fakes import OWNER, FakeAdapter, House
from tests.fakes import house as build

COMMANDS = ["/time", "/language", "/timezone", "/undo", "/people remove", "/pair", "/retry", "/history", "/forget"]


async def left_of(house: House, word: str) -> list[str]:
    """The rows of the ledger and of what was said that still hold a word."""
    tables = ("ledger", "ledger_body", "message", "step", "inbox", "outbox", "question", "keyboard")
    rows = [str(row) for table in tables for row in await house.rows(f"SELECT * FROM {table}")]
    return [row for row in rows if word.lower() in row.lower()]


@pytest.mark.parametrize("command", COMMANDS)
async def test_the_words_of_a_command_that_failed_are_not_left_in_the_ledger(
    make_database: DatabaseMaker, tmp_path: Path, command: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, f"{command} canary")
    await said(house, "/forget yes")
    assert await left_of(house, "canary") == []


async def test_what_a_model_calls_and_no_tool_says_is_not_left_in_the_ledger(
    database: Database, tmp_path: Path
) -> None:
    calls = (
        ToolCall(id="a", name="canary_tool", arguments={}),
        ToolCall(id="b", name="current_time", arguments={"timezone": "canary"}),
    )
    house = await build(database, tmp_path / "house", Answer(calls=calls), "done")
    await said(house, "go")
    rows = await house.rows("SELECT tool, error FROM ledger WHERE success = 0 ORDER BY n")
    assert [(row["tool"], row["error"]) for row in rows] == [("unknown", "not_found"), ("current_time", "failed")]
    assert any("canary_tool" in one for one in await house.column("SELECT result FROM ledger_body"))
    await said(house, "/forget yes")
    assert await left_of(house, "canary") == []
    await house.app.anchor()
    assert (await house.db.read(house.app.ledger.verify)).problems == []


async def test_what_is_forgotten_is_not_left_in_the_files_of_sqlite(
    make_database: DatabaseMaker, make_place: PlaceMaker, tmp_path: Path
) -> None:
    place = make_place("sqlite")
    house = await home(await make_database("sqlite", at=place), tmp_path)
    for n in range(20):
        await said(house, f"canary {n} {'x' * 300}")
    files = [one for one in Path(place.where).parent.iterdir() if one.is_file()]
    assert sum(one.read_bytes().count(b"canary") for one in files) > 20
    await said(house, "/forget yes")
    assert sum(one.read_bytes().count(b"canary") for one in files) == 0


async def test_what_a_night_erases_is_not_left_in_the_files_of_sqlite(
    make_database: DatabaseMaker, make_place: PlaceMaker, tmp_path: Path
) -> None:
    place = make_place("sqlite")
    house = await home(await make_database("sqlite", at=place), tmp_path)
    await house.hear("hello", raw='{"raw": "canary"}')
    await house.work()
    house.clock.advance(8 * 86_400)
    await house.app.container.get(Retention).forget()
    files = [one for one in Path(place.where).parent.iterdir() if one.is_file()]
    assert sum(one.read_bytes().count(b"canary") for one in files) == 0


async def test_in_a_group_answers_go_with_the_words_they_answer(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "You like plum.", "You like apple.")
    await said(house, "what do I like?", sender=GUEST, **GROUP)
    await said(house, "/help", **GROUP)
    await said(house, "what do I like?", sender=GUEST, **GROUP)
    await said(house, "what do I like?", **GROUP)
    await said(house, "/forget me", sender=GUEST, **GROUP)
    assert await left_of(house, "plum") == []
    assert len(await left_of(house, "You like apple.")) > 1


@pytest.mark.parametrize("where", [{}, GROUP])
async def test_questions_are_withdrawn_before_they_are_forgotten(
    database: Database, tmp_path: Path, where: dict[str, str]
) -> None:
    home = await asked(database, tmp_path, ask(TEA), **where)
    chat = where.get("chat", "1")
    assert home.shown(chat)[-1].keyboard is not None
    await said(home, "/forget me" if where else "/forget yes", **where)
    question = next(message for message in home.shown(chat) if "Skipped" in message.text)
    assert (question.text, question.keyboard) == ("⏭ Skipped.", None)
    assert await states(home) == []
    assert await left_of(home, "Tea or coffee") == []


@pytest.mark.databases("sqlite")
async def test_in_a_group_the_questions_of_others_stay(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), **GROUP)
    await said(home, "/forget me", sender=GUEST, **GROUP)
    assert await states(home) == ["open"]
    assert await home.press("Tea", chat="-5", sender=OWNER) == "Tea"


async def test_who_wants_to_be_left_alone_is_asked_no_longer(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "so be it", **GROUP)
    await said(home, "/optout", **GROUP)
    assert await states(home) == ["withdrawn"]
    assert all(message.keyboard is None or "Tea" not in str(message.keyboard) for message in home.shown("-5"))
    home.clock.advance(61)
    await home.sweep()
    assert "No answer in time" not in "".join(home.adapter.texts("-5"))


async def test_to_be_heard_again_withdraws_nothing(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), **GROUP)
    await said(home, "/optout off", **GROUP)
    assert await states(home) == ["open"]


class Typewriter(FakeAdapter):
    """A platform that keeps what was typed."""

    forgot = 0

    def forget(self) -> None:
        self.forgot += 1


async def test_a_platform_that_keeps_what_was_typed_forgets_it_too(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    adapter = Typewriter()
    house = await build(await make_database("sqlite"), tmp_path / "house", model=False, adapter=adapter)
    await said(house, "/forget no")
    assert adapter.forgot == 0
    await said(house, "/forget yes")
    assert adapter.forgot == 1
