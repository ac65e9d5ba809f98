"""Forgetting on request: what is erased, of whom, and that nothing is left half-forgotten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.all import CAPABILITIES
from core.capabilities.privacy import actions as privacy
from core.capabilities.privacy import erasure
from core.kernel.errors import ModelUnreachable, SendRefused, SendUnsent
from core.kernel.ports import Database, Tx
from core.kernel.replies import Step
from core.kernel.types import Answer, Attachment, ToolCall
from core.store.conversation import runs as journal
from core.store.schema import migrations
from tests import calling
from tests.commanding import FRIEND, GROUP, GUEST, friend, home, labels, pressed, said
from tests.fake_adapter import Hitch
from tests.fakes import Crash, CrashingDatabase, FakeAdapter, House
from tests.fakes import house as build

# Tables of a scope that hold no words of anybody, and why they are not erased.
NO_WORDS = {
    "person": "access stays; the language and the zone that were chosen go",
    "address": "access stays",
    "chat": "the platform's own name of a place",
    "lane": "the platform's own name of a place",
    "invite": "digests only; they go a month after their day",
    "optout": "the wish to be left alone",
    "chat_retention": "how long a chat keeps things",
    "link": "ends with what is forgotten of either side",
    "link_code": "digests only; they end with it",
    "mute": "the wish not to hear from somebody",
    "passage": "goes with the row of its file",
    "errand": "numbers only; they go with the buttons",
    "token_use": "numbers only",
    "fetch_use": "numbers only",
    "ledger": "the chain; its bodies go",
}
ASK = Answer(
    calls=(ToolCall(id="c", name="ask_user", arguments={"question": "Which plum?", "options": ["Red plum", "Blue"]}),)
)
FORGOTTEN = (
    "🧹 Forgotten. We begin anew.\n\nBackups made until now still hold it, until whoever runs this bot deletes them; "
    "none is deleted by itself."
)
PLUM = Attachment(kind="document", file="f1", name="plum.txt", mime="text/plain", size=4)


async def dump(house: House) -> str:
    """Every text in the database."""

    def look(tx: Tx) -> str:
        tables = re.findall(r"CREATE TABLE (\w+)", "".join(sql for _, sql in migrations.scripts()))
        rows = [row for table in tables for row in tx.all(f"SELECT * FROM {table}")]
        return "\n".join(str(row[name]) for row in rows for name in row.keys())  # noqa: SIM118 - a row of SQLite

    return await house.db.read(look)


async def full(database: Database, folder: Path, *script: Any) -> House:
    """A house where the owner has talked of plums, with a file, a question and a change; a friend has of apples."""
    adapter = FakeAdapter()
    adapter.files["f1"] = b"plum"
    house = await build(database, folder / "house", *script, adapter=adapter)
    await said(house, "I like plum jam", attachments=(PLUM,))
    await said(house, "ask me about plum")
    await said(house, "/timezone Tokyo")
    await said(house, "/time plum")
    await said(house, "I like apple jam", **friend())
    await house.app.anchor()
    return house


def talk() -> tuple[Any, ...]:
    return ("plum is noted", ASK, "apple is noted")


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if "plum" in path.name]


KEEPS = [one.keeps for one in CAPABILITIES if one.keeps is not None]


async def test_every_table_with_words_of_people_is_on_the_list_of_what_is_erased() -> None:
    sql = "".join(text for _, text in migrations.scripts())
    tables = {
        name for name, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\)", sql, re.DOTALL) if "scope_id" in body
    }
    assert {eraser.table for eraser in erasure.everything(KEEPS).values()} | set(NO_WORDS) == tables


async def test_it_asks_before_it_forgets_and_keeps_all_when_told_so(database: Database, tmp_path: Path) -> None:
    house = await full(database, tmp_path, *talk())
    asked = await said(house, "/forget")
    assert re.search(r"its history \(\d+ messages, 1 file", asked)
    assert labels(house) == ["Forget everything", "Keep"]
    assert await pressed(house, "Keep") == "Nothing was forgotten."
    assert "I like plum jam" in await dump(house)


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("words", ["everything", "all", "alles", "全部", "一切", "me"])
async def test_whoever_says_what_shall_go_is_asked_first(database: Database, tmp_path: Path, words: str) -> None:
    house = await full(database, tmp_path, *talk())
    await said(house, f"/forget {words}")
    assert len(labels(house)) == 2
    assert "I like plum jam" in await dump(house)


async def test_all_of_a_private_chat_is_forgotten_and_nothing_of_others(database: Database, tmp_path: Path) -> None:
    house = await full(database, tmp_path, *talk())
    assert files(tmp_path)
    await said(house, "/forget")
    assert await pressed(house, "Forget everything") == FORGOTTEN
    left = await dump(house)
    assert "plum" not in left.lower()
    assert "I like apple jam" in left
    assert "apple is noted" in left
    assert files(tmp_path) == []
    assert await house.column("SELECT timezone FROM person ORDER BY id") == ["", ""]
    report = await house.db.read(house.app.ledger.verify)
    assert report.problems == []
    assert report.erased > 0


async def test_after_forgetting_the_model_knows_nothing_and_the_chat_goes_on(
    database: Database, tmp_path: Path
) -> None:
    house = await full(database, tmp_path, *talk(), "hello again")
    plum = house.button("Red plum")
    await said(house, "/quiet 22:00-07:00")
    await said(house, "/forget yes")
    assert house.model is not None
    assert await said(house, "hello") == "hello again"
    assert "plum" not in str(house.model.requests[-1].messages)
    assert await house.press("Red plum", data=plum) == "This button no longer works."
    assert "(UTC)" in await said(house, "/time")
    assert await house.column("SELECT quiet FROM person WHERE name = 'Name of tg:1'") == [""]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [2, 4, 7, 12])
async def test_a_crash_in_the_middle_leaves_nothing_half_forgotten(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commits: int, after: bool
) -> None:
    monkeypatch.setattr(privacy, "BATCH", 2)
    crashing = CrashingDatabase(database)
    house = await full(crashing, tmp_path, *talk())
    await house.hear("/forget yes")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await house.work()
    second = await build(database, tmp_path / "house")
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(60)
    assert second.adapter.texts("1")[-1] == FORGOTTEN
    assert "plum" not in (await dump(second)).lower()
    assert (await second.db.read(second.app.ledger.verify)).problems == []


@pytest.mark.databases("sqlite")
async def test_who_stops_it_learns_that_something_is_gone(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "BATCH", 2)
    crashing = CrashingDatabase(database)
    house = await build(crashing, tmp_path / "house", "noted")
    await said(house, "I like plum jam")
    await house.hear("/forget yes")
    crashing.arm(2, after=True)
    with pytest.raises(Crash):
        await house.work()
    second = await build(database, tmp_path / "house")
    await second.app._take_up()
    await second.hear("/stop", key="stop")
    await second.work()
    assert "⏹ Stopped. By then I had changed what is kept of you." in second.adapter.texts("1")


async def test_what_a_former_version_had_erased_before_it_was_killed_is_gone_on_with(
    database: Database, tmp_path: Path
) -> None:
    house = await full(database, tmp_path, *talk())
    await house.hear("/forget yes")
    run = await calling.claimed(house)
    content = {"success": True, "result": {"erased": 7, "left": True}, "error": "", "code": "", "at": [0, 0]}
    step = Step(n=1, kind="call", state="done", call_id="command_1", tool="forget", content=json.dumps(content))
    await database.write(lambda tx: journal.write(tx, run.lane, run.run_id, step, 0))
    second = await build(database, tmp_path / "house")
    await second.app._take_up()
    await second.work()
    assert second.adapter.texts("1")[-1] == FORGOTTEN
    assert "plum" not in (await dump(second)).lower()


@pytest.mark.databases("sqlite")
async def test_what_is_unsent_is_sent_all_the_same(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "first answer")
    house.adapter.hitches.append(Hitch(error=SendUnsent("no connection", retry_after=60.0)))
    await said(house, "plum")
    await said(house, "/forget yes")
    await house.later(120)
    assert house.adapter.texts("1") == ["first answer", FORGOTTEN]
    assert "first answer" not in await dump(house)


async def test_what_is_unsent_and_is_refused_at_last_is_forgotten_too(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "first answer")
    house.adapter.hitches.append(Hitch(error=SendUnsent("no connection", retry_after=60.0)))
    await said(house, "plum")
    await said(house, "/forget yes")
    house.adapter.hitches.append(Hitch(error=SendRefused("too long")))
    await house.later(120)
    assert await house.column("SELECT count(*) FROM outbox WHERE state = 'dead'") == [1]
    assert "first answer" not in await dump(house)


async def test_what_waits_for_the_model_is_not_answered_any_more(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", ModelUnreachable("down"), "too late")
    assert "I keep your question" in await said(house, "what about plum?")
    assert await said(house, "/forget yes") == FORGOTTEN
    await house.later(3600)
    assert "too late" not in house.adapter.texts("1")
    assert "plum" not in (await dump(house)).lower()
    assert await house.column("SELECT count(*) FROM inbox WHERE ended_at IS NULL") == [0]


async def test_what_comes_while_it_forgets_is_answered(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "an answer")
    await house.hear("/forget yes")
    await house.hear("and now?")
    await house.work()
    assert house.adapter.texts("1") == [FORGOTTEN, "an answer"]


@pytest.mark.databases("sqlite")
async def test_in_a_group_only_ones_own_words_are_forgotten(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "to the owner", "to the guest")
    await said(house, "/help", **GROUP)
    await said(house, "/readalong on", **GROUP)
    await said(house, "I like apple", **GROUP)
    await said(house, "I like plum", sender=GUEST, **GROUP)
    await house.hear("plum for all", sender=GUEST, addressed=False, **GROUP)
    await house.hear("apple for all", addressed=False, **GROUP)
    assert "3 messages" in await said(house, "/forget", sender=GUEST, **GROUP)
    assert labels(house, "-5") == ["Forget my words", "Keep"]
    await pressed(house, "Forget my words", sender=GUEST, chat="-5", chat_kind="group")
    left = await dump(house)
    assert "plum" not in left.lower()
    assert "I like apple" in left
    assert "apple for all" in left
    assert "to the guest" not in left
    assert "to the owner" in left
    await house.app.anchor()
    assert (await house.db.read(house.app.ledger.verify)).problems == []


async def test_the_buttons_of_forgetting_are_for_whom_they_ask(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "noted")
    await said(house, "I like apple", **GROUP)
    await said(house, "/forget", **GROUP)
    assert await house.press("Forget my words", sender=GUEST, chat="-5") == "This button is for somebody else."
    assert "I like apple" in await dump(house)


@pytest.mark.databases("sqlite")
async def test_removed_people_can_have_their_words_of_a_group_forgotten(database: Database, tmp_path: Path) -> None:
    house = await build(database, tmp_path / "house", "noted")
    await said(house, "/help", **GROUP)
    await said(house, "I like plum", sender=FRIEND, **GROUP)
    await said(house, "/people")
    await pressed(house, "Remove Name of tg:2")
    answer = await said(house, "/forget me", sender=FRIEND, **GROUP)
    assert answer.startswith("🧹 Forgotten: what you said here, and what I answered you.")
    assert "plum" not in (await dump(house)).lower()


async def test_it_is_done_in_small_transactions(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "BATCH", 10)
    house = await home(database, tmp_path)
    for n in range(30):
        await house.hear(f"plum {n}")
    await house.work()
    await said(house, "/forget yes")
    erased = await house.column("SELECT content FROM step WHERE tool = 'forget' ORDER BY n")
    counts = [int(found[1]) for one in erased if (found := re.search(r'"erased": (\d+)', one))]
    assert len(counts) > 5
    assert max(counts) <= 10
    assert counts[-1] == 0


async def test_forgetting_twice_does_no_harm(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for _ in range(2):
        assert await said(house, "/forget 是") == FORGOTTEN
