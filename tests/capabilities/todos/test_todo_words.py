"""Items of the list are changed by their words, as they are ticked off: /todo edit, due, assign and reopen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker

pytestmark = pytest.mark.databases("sqlite")

# It is Monday 21 September 2026, 14:13 UTC.


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("/todo edit milk: oat milk", "oat milk"),
        ("/todo edit milk to oat milk", "oat milk"),
        ("/todo edit milk oat milk", "oat milk"),
        ("/todo edit MILK -> oat milk", "oat milk"),
        ("/todo edit call Oma: call Opa at 10:30", "call Opa at 10:30"),
        ("/todo edit Oma to call Opa", "call Opa"),
        ("/todo edit call Oma call Opa", "call Opa"),
        ("/todo 修改 牛奶：燕麦奶", "燕麦奶"),
        ("/todo 修改 牛奶 燕麦奶", "燕麦奶"),
        ("/todo 修改牛奶改成燕麦奶", "燕麦奶"),
        ("/todo due milk Friday", "milk — Fri 25 Sep"),
        ("/todo due milk: Friday", "milk — Fri 25 Sep"),
        ("/todo due milk by Friday", "milk — Fri 25 Sep"),
        ("/todo due Oma tomorrow at 17:00", "call Oma — Tue 22 Sep 17:00"),
        ("/todo 期限 牛奶 周五", "牛奶 — Fri 25 Sep"),
        ("/todo 期限牛奶周五", "牛奶 — Fri 25 Sep"),
    ],
)
async def test_an_item_is_changed_by_its_words(
    make_database: DatabaseMaker, tmp_path: Path, line: str, item: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    for text in ("milk", "call Oma", "牛奶"):
        await said(house, f"/todo {text}")
    answer = await said(house, line)
    assert answer in (f"✏️ ☐ {item}", f"✏️ ☐ {item}".replace("Fri 25 Sep", "9月25日 周五")), answer
    assert labels(house) in (["Undo"], ["撤销"])
    assert await house.column("SELECT count(*) FROM todo") == [3]


@pytest.mark.parametrize(
    "line",
    [
        "/todo assign milk @bob_1",
        "/todo assign milk to @bob_1",
        "/todo assign milk: @bob_1",
        "/todo 分配 milk 给 @bob_1",
    ],
)
async def test_an_item_is_given_to_somebody_by_its_words(
    make_database: DatabaseMaker, tmp_path: Path, line: str
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    await said(house, "/todo milk", **GROUP)
    assert await said(house, line, **GROUP) == "✏️ ☐ milk — @bob\\_1"
    await said(house, "hello", sender=FRIEND, **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Bob' WHERE nickname = 'Name of tg:2'"))
    assert await said(house, "/todo assign milk Bob", **GROUP) == "✏️ ☐ milk — Bob"
    assert await said(house, "/todo assign milk none", **GROUP) == "✏️ ☐ milk"
    assert await said(house, f"/todo assign milk {FRIEND}", **GROUP) == "✏️ ☐ milk — Bob"
    assert (await said(house, "/todo assign milk Zoe", **GROUP)).startswith("I know nobody of that name here")


async def test_several_items_that_may_be_meant_are_buttons_that_do_the_change(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    for text in ("buy oat milk", "buy cow milk"):
        await said(house, f"/todo {text}")
    assert await said(house, "/todo due milk Friday") == "Which one?"
    assert labels(house) == ["buy oat milk", "buy cow milk"]
    assert await pressed(house, "buy cow milk") == "✏️ ☐ buy cow milk — Fri 25 Sep"
    assert await said(house, "/todo edit milk: tea") == "Which one?"
    assert await pressed(house, "buy oat milk") == "✏️ ☐ tea"


async def test_what_is_done_is_opened_again_by_its_words(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text in ("buy oat milk", "buy cow milk", "牛奶"):
        await said(house, f"/todo {text}")
        await said(house, f"/todo done {text}")
    assert await said(house, "/todo reopen cow") == "Open again: ☐ buy cow milk"
    await said(house, "/todo done cow")
    assert await said(house, "/todo reopen milk") == "Which one?"
    assert await pressed(house, "buy oat milk") == "Open again: ☐ buy oat milk"
    assert await said(house, "/todo reopen buy oat milk") == "Nothing to change: buy oat milk"
    assert (await said(house, "/todo 恢复牛奶")) in ("Open again: ☐ 牛奶", "又要做了：☐ 牛奶")
    assert (await said(house, "/todo reopen")).startswith("☑ Done:")


async def test_what_it_shall_become_is_asked_where_only_the_item_is_named(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    assert "What shall it say instead of “milk”?" in await said(house, "/todo edit milk")
    assert (await said(house, "oat milk")).endswith("✏️ ☐ oat milk")
    assert "When is “oat milk” due?" in await said(house, "/todo due oat milk")
    assert (await said(house, "Friday")).endswith("✏️ ☐ oat milk — Fri 25 Sep")
    assert (await said(house, "/todo due oat milk blue")).startswith("I don't understand that time.")


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("former", [False, True], ids=["intent", "line"])
@pytest.mark.parametrize(
    ("act", "words", "becomes"),
    [("edit", "oat milk", "oat milk"), ("due", "Friday", "Fri 25 Sep"), ("assign", "me", "Name of tg:1")],
)
async def test_an_answer_changes_the_item_that_was_asked_about(
    database: Database, tmp_path: Path, act: str, words: str, becomes: str, former: bool
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    await said(house, f"/todo {act} milk")
    (todo_id,) = await house.column("SELECT id FROM todo")
    if former:
        line = f"/todo {act} {ref('t', todo_id)}"
        await database.write(lambda tx: tx.run("UPDATE question SET command = :line", {"line": line}))
    assert becomes in await said(house, words)
    (row,) = await house.rows("SELECT text, intent FROM inbox ORDER BY id DESC LIMIT 1")
    if former:
        assert row == {"text": f"{line} {words}", "intent": ""}
    else:
        intent = {"intent": f"todos.{act}", "arguments": {"todo": ref("t", todo_id), "words": words}}
        assert (row["text"], json.loads(row["intent"])) == (words, intent)


async def test_nobody_guesses_where_the_new_text_begins(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo go to the big shop")
    answer = await said(house, "/todo edit go to the shop to go to the bank")
    assert "/todo edit milk: oat milk" in answer
    assert await house.column("SELECT content FROM todo") == ["go to the big shop"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("edit the video", "the video"),
        ("due diligence", "diligence"),
        ("due milk Friday", "milk"),
        ("assign the seats", "the seats"),
        ("reopen it", "it"),
        ("修改 视频", "视频"),
    ],
)
async def test_what_names_no_item_is_noted_only_when_that_is_pressed(
    make_database: DatabaseMaker, tmp_path: Path, text: str, words: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    answer = await said(house, f"/todo {text}")
    assert f"“{words}”" in answer
    assert await house.column("SELECT count(*) FROM todo") == [0]
    assert labels(house) == [f"☐ {text}"]
    await pressed(house, f"☐ {text}")
    assert await house.column("SELECT content FROM todo") in ([text], ["due milk"])


@pytest.mark.parametrize("word", ["edit", "due", "assign", "修改"])
async def test_a_word_of_the_command_alone_says_how_it_is_used(
    make_database: DatabaseMaker, tmp_path: Path, word: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    answer = await said(house, f"/todo {word}")
    assert "/todo edit" in answer
    assert await house.column("SELECT count(*) FROM todo") == [0]


@pytest.mark.parametrize(
    ("text", "content", "due"),
    [
        ("pay rent by Friday", "pay rent", "2026-09-25"),
        ("tax due 1 October", "tax", "2026-10-01"),
        ("tax, due on Friday", "tax", "2026-09-25"),
        ("stand by me", "stand by me", ""),
        ("walk by the river", "walk by the river", ""),
        ("周五前交报告", "交报告", "2026-09-25"),
        ("交报告 周五之前", "交报告", "2026-09-25"),
        ("看3天前的邮件", "看3天前的邮件", ""),
    ],
)
async def test_the_last_day_for_it_may_be_said_as_such(
    make_database: DatabaseMaker, tmp_path: Path, text: str, content: str, due: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, f"/todo {text}")
    assert await house.rows("SELECT content, due_on FROM todo") == [{"content": content, "due_on": due}]
