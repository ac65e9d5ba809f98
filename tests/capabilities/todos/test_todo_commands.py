"""/todo: what people see of their list, and what its buttons and words do."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, intents, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

# It is Monday 21 September 2026, 14:13 UTC.
WEDNESDAY = "2026-09-23"


def shown(house: House, chat: str = "1") -> list[str]:
    """The lines of the newest message of a chat, as it reads now."""
    return house.shown(chat)[-1].text.splitlines()


async def test_an_item_is_added_ticked_off_and_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert (await said(house, "/todo")).startswith("📝 Nothing to do.")
    assert await said(house, "/todo milk") == "☐ milk"
    assert labels(house) == ["Undo"]
    assert await said(house, "/todo done milk") == "☑ milk"
    assert await pressed(house, "Undo") == "↩ Taken back: “milk” is open again."
    assert await said(house, "/undo") == "↩ Taken back: the new to-do “milk”."
    assert (await said(house, "/todo")).startswith("📝 Nothing to do.")


async def test_help_and_list_alone_are_words_of_the_command(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    for word in ("help", "Help", "?", "帮助"):
        assert (await said(house, f"/todo {word}")).startswith("/todo shows the list.")
    for word in ("list", "show", "列表"):
        assert await said(house, f"/todo {word}") == "📝 To do: 1\n☐ milk"
    assert await said(house, "/todo help Oma") == "☐ help Oma"
    assert await said(house, "/todo add list") == "☐ list"


async def test_the_list_is_changed_in_place_by_its_buttons(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text in ("milk", "bread"):
        await said(house, f"/todo {text}")
    assert await said(house, "/todo") == "📝 To do: 2\n☐ milk\n☐ bread"
    assert labels(house) == ["☐ milk", "☐ bread"]
    assert await pressed(house, "☐ milk") == ""
    assert shown(house) == ["📝 To do: 1", "☑ milk", "☐ bread"]
    assert await said(house, "/todo") == "📝 To do: 1\n☐ bread\n☑ milk"
    assert await pressed(house, "☑ milk") == ""
    assert shown(house) == ["📝 To do: 2", "☐ milk", "☐ bread"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_button_pressed_twice_ticks_off_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    await said(house, "/todo")
    data = house.button("☐ milk")
    for _ in range(2):
        await pressed(house, "☐ milk", data=data)
    assert shown(house) == ["📝 To do: 0", "☑ milk"]
    assert await house.column(
        "SELECT count(*) FROM undo WHERE ended_at IS NULL AND label LIKE :open", open="%open%"
    ) == [1]


async def test_a_long_list_has_pages_that_turn_in_place(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(1, 18):
        await said(house, f"/todo thing {n}")
    await said(house, "/todo")
    assert labels(house) == [*(f"☐ thing {n}" for n in range(1, 9)), "▶"]
    await pressed(house, "▶")
    assert labels(house) == [*(f"☐ thing {n}" for n in range(9, 17)), "◀", "▶"]
    await pressed(house, "▶")
    assert labels(house) == ["☐ thing 17", "◀"]
    await pressed(house, "☐ thing 17")
    assert labels(house)[0] == "☑ thing 17"
    assert shown(house)[0] == "📝 To do: 16 · page 3 of 3"


async def test_what_was_ticked_off_by_mistake_is_taken_back_where_it_stood(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(1, 11):
        await said(house, f"/todo thing {n}")
    await said(house, "/todo")
    for n in (3, 5):
        await pressed(house, f"☐ thing {n}")
    marks = ["☑" if n in {3, 5} else "☐" for n in range(1, 9)]
    assert labels(house) == [*(f"{mark} thing {n}" for n, mark in enumerate(marks, 1)), "▶"]
    await pressed(house, "▶")
    assert labels(house) == ["☐ thing 9", "☐ thing 10", "◀"]
    await pressed(house, "◀")
    await pressed(house, "☑ thing 3")
    assert shown(house)[3] == "☐ thing 3"
    house.clock.advance(600)
    await said(house, "/todo page 1")
    assert labels(house)[4] == "☐ thing 6"
    await said(house, "/language zh")
    assert (await said(house, "/todo")).startswith("📝 待办：9 · 第1页，共2页")


async def test_what_is_due_stands_first_and_what_is_overdue_is_marked(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text, due in (("bread", "none"), ("tax", "2026-09-18"), ("call", "2026-09-21T18:00"), ("trip", "2027-01-02")):
        await said(house, f"/todo {text}")
        (number,) = await house.column("SELECT max(id) FROM todo")
        await due_for(house, number, due)
    assert (await said(house, "/todo")).splitlines() == [
        "📝 To do: 4",
        "☐ tax — ⚠️ overdue since Fri 18 Sep",
        "☐ call — today 18:00",
        "☐ trip — Saturday 2 January 2027",
        "☐ bread",
    ]


async def due_for(house: House, number: int, due: str) -> str:
    """Set when the to-do of a row is due."""
    return await said(house, f"/todo due {ref('t', number)} {due}")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_time_at_the_end_of_an_item_makes_it_due_and_reminds(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    answer = await said(house, "/todo add call Oma tomorrow at 17:00")
    assert answer == "☐ call Oma — Tue 22 Sep 17:00\n⏰ Reminder in 1 d 2 h (UTC)."
    assert await house.rows("SELECT text, deliver, kind, state FROM trigger") == [
        {"text": "call Oma", "deliver": "message", "kind": "once", "state": "active"}
    ]
    assert await said(house, "/todo pay rent on Friday") == "☐ pay rent — Fri 25 Sep"
    assert await said(house, "/todo drink water every 2 hours") == "☐ drink water every 2 hours"
    assert await house.column("SELECT count(*) FROM trigger") == [1]


async def test_the_reminder_goes_with_its_item_and_comes_back_with_it(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo call Oma tomorrow at 17:00")
    await said(house, "/todo done call Oma")
    assert await house.column("SELECT state FROM trigger ORDER BY id") == ["cancelled"]
    await said(house, "/undo")
    assert await house.column("SELECT state FROM trigger ORDER BY id") == ["cancelled", "active"]
    await said(house, "/todo remove call")
    assert await house.column("SELECT state FROM trigger ORDER BY id") == ["cancelled", "cancelled"]


@pytest.mark.databases("sqlite", "postgres")
async def test_the_reminder_and_its_item_end_together(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text in ("call Oma", "tax"):
        await said(house, f"/todo {text} at 17:00")
    house.clock.advance(3 * 3600)
    await house.sweep()
    open_items = "SELECT content FROM todo WHERE state = 'open'"
    assert await house.column("SELECT state FROM reminder") == ["open", "open"]
    await said(house, "/todo done call Oma")
    assert sorted(await house.column("SELECT state FROM reminder")) == ["done", "open"]
    (reminder,) = await house.column("SELECT id FROM reminder WHERE state = 'open'")
    assert await house.column(open_items) == ["tax"]
    await said(house, f"/done {ref('r', reminder)}")
    assert await house.column(open_items) == []


async def test_an_ambiguous_item_is_chosen_by_button(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for text in ("buy oat milk", "buy cow milk", "bread"):
        await said(house, f"/todo {text}")
    assert await said(house, "/todo done milk") == "Which one?"
    assert labels(house) == ["buy oat milk", "buy cow milk"]
    assert await pressed(house, "buy cow milk") == "☑ buy cow milk"
    assert await said(house, "/todo remove MILK!") == "🗑 Off the list: buy oat milk"
    assert await pressed(house, "Undo") == "↩ Taken back: the removal of “buy oat milk”."
    assert await said(house, "/todo done nothing like it") == (
        "I find nothing open like “nothing like it”. /todo shows the list."
    )


async def test_what_was_done_is_shown_and_opened_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/todo done") == "Nothing was done yet. /todo shows what is open."
    await said(house, "/todo milk")
    await said(house, "/todo done milk")
    assert await said(house, "/todo done") == "☑ Done:\n☑ milk"
    assert await pressed(house, "↩ milk") == "Open again: ☐ milk"
    house.clock.advance(2 * 86_400)
    await said(house, "/todo done milk")
    house.clock.advance(2 * 86_400)
    assert (await said(house, "/todo")).startswith("📝 Nothing to do.")
    assert await said(house, "/todo done") == "☑ Done:\n☑ milk"


async def test_an_item_is_put_in_other_words_and_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    await said(house, "/todo")
    (tick,) = await intents(house, "todos.done")
    todo_id = tick.arguments["todo"]
    assert await said(house, f"/todo edit {todo_id} oat milk") == "✏️ ☐ oat milk"
    assert await said(house, f"/todo due {todo_id} {WEDNESDAY}") == "✏️ ☐ oat milk — Wed 23 Sep"
    assert await said(house, f"/todo due {todo_id} {WEDNESDAY}") == "Nothing to change: oat milk — Wed 23 Sep"
    assert (await said(house, f"/todo due {todo_id} blue")).startswith("I don't understand that time.")
    await said(house, "/undo")
    assert await said(house, "/undo") == "↩ Taken back: the change of “milk”."
    assert await said(house, "/todo") == "📝 To do: 1\n☐ milk"


@pytest.mark.parametrize("text", ["page the doctor", "Edited photos", "assignment", "修改合同"])
async def test_words_that_only_look_like_a_subcommand_are_an_item(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert await said(house, f"/todo {text}") == f"☐ {text}"


async def test_the_same_item_is_noted_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo Milk")
    assert await said(house, "/todo  milk!") == "That is on the list already: ☐ Milk"
    await said(house, "/todo done milk")
    assert await said(house, "/todo milk") == "☐ milk"


async def test_ids_of_another_chat_are_as_ids_that_never_were(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    await said(house, "/todo")
    (tick,) = await intents(house, "todos.done")
    todo_id = tick.arguments["todo"]
    for act in ("done", "remove"):
        unknown = f"I find nothing open like “{todo_id}”. /todo shows the list."
        assert await said(house, f"/todo {act} {todo_id}", **friend()) == unknown
    assert (
        await said(house, f"/todo reopen {todo_id}", **friend()) == "I know no such to-do here. /todo shows the list."
    )
    for act in ("edit", "due", "assign"):
        answers = [await said(house, f"/todo {act} {one} {WEDNESDAY}", **friend()) for one in (todo_id, "t000000")]
        assert answers[0].replace(todo_id, "t000000") == answers[1], act
    assert await house.column("SELECT state FROM todo") == ["open"]


async def test_a_group_has_one_list_for_guests_too(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo milk", **GROUP)
    assert await said(house, "/todo done milk", sender=GUEST, **GROUP) == "☑ milk"
    assert await said(house, "/todo", **GROUP) == "📝 To do: 0\n☑ milk (Name of tg:7)"
    assert (await said(house, "/todo")).startswith("📝 Nothing to do.")


@pytest.mark.databases("sqlite", "postgres")
async def test_an_item_is_assigned_by_handle_or_by_name_in_a_group(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Bob' WHERE nickname = 'Name of tg:2'"))
    assert await said(house, "/todo call the plumber for Bob", **GROUP) == "☐ call the plumber — Bob"
    assert await said(house, "/todo buy a gift for Zoe", **GROUP) == "☐ buy a gift for Zoe"
    answer = await said(house, "/todo send it tomorrow at 17:00 for bob", **GROUP)
    assert answer.startswith("☐ send it — Bob, Tue 22 Sep 17:00")
    assert await house.column("SELECT count(*) FROM addressee") == [1]


@pytest.mark.databases("sqlite", "postgres")
async def test_whom_nobody_knows_by_a_handle_is_noted_in_a_group_and_told_in_private(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    assert await said(house, "/todo plumber @bob_1", **GROUP) == "☐ plumber — @bob\\_1"
    assert await house.column("SELECT external_id FROM contact_address WHERE external_id LIKE '%@%'") == ["tg:@bob_1"]
    assert await said(house, "/todo plumber @Bob_1", **GROUP) == "That is on the list already: ☐ plumber — @bob\\_1"
    assert (await said(house, "/todo plumber @bob_1 tomorrow")).splitlines() == [
        "☐ plumber @bob\\_1 — Tue 22 Sep",
        "I don't know @bob\\_1, so I left the name as it is. /contacts shows whom I know here.",
    ]


async def test_the_word_before_whom_it_is_for_goes_with_the_handle(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    assert await said(house, "/todo call the plumber for @bob_1", **GROUP) == "☐ call the plumber — @bob\\_1"
    assert await said(house, "/todo 买菜 交给 @bob_1", **GROUP) == "☐ 买菜 — @bob\\_1"
    assert await said(house, "/todo 寄信 给 @bob_1", **GROUP) == "☐ 寄信 — @bob\\_1"
    assert await said(house, "/todo 让 @bob_1 修水管", **GROUP) == "☐ 修水管 — @bob\\_1"
    assert await said(house, "add call dentist to our list for @bob_1", **GROUP) == "☐ call dentist — @bob\\_1"
    assert await said(house, "add a todo for @bob_1 to fix it", **GROUP) == "☐ fix it — @bob\\_1"
    assert await said(house, "/todo @bob_1 needs to sign", **GROUP) == "☐ sign — @bob\\_1"
    assert await said(house, "/todo @bob_1 需要签字", **GROUP) == "☐ 签字 — @bob\\_1"
    told = await said(house, "/todo cook for @bob_1 tomorrow", **GROUP)
    assert told == "☐ cook — @bob\\_1, Tue 22 Sep"


@pytest.mark.databases("sqlite", "postgres")
async def test_a_day_that_was_picked_wins_over_a_time_in_the_text(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    told = await said(house, "/todo add 2026-09-25 ⏰ ship the box tomorrow at 5")
    assert told == "☐ ship the box tomorrow at 5 — Fri 25 Sep"
    assert await house.column("SELECT due_on FROM todo") == ["2026-09-25"]
    assert (await said(house, "/todo add 2026-09-99 ⏰ milk")).startswith("☐ 2026-09-99 ⏰ milk")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_wants_to_be_left_alone_is_not_noted_by_a_handle(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", sender=FRIEND, **GROUP)
    await said(house, "/optout", sender=FRIEND, **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE person SET handle = '@bob_1' WHERE name = 'Name of tg:2'"))
    await house.db.write(lambda tx: tx.run("DELETE FROM contact_address WHERE external_id LIKE '%@%'"))
    assert "I don't know @bob" in await said(house, "/todo plumber @bob_1", **GROUP)
    assert await house.column("SELECT content FROM todo") == ["plumber @bob_1"]


@pytest.mark.parametrize("text", ["/todo \u200b\u2060", "/todo add \u202e", "/todo \u3164"])
async def test_what_cannot_be_seen_is_no_item(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert (await said(house, text)).startswith("/todo shows the list.")
    assert await house.column("SELECT count(*) FROM todo") == [0]


async def test_my_items_of_a_group_are_shown_to_me_alone_while_i_am_there(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "hello", sender=FRIEND, **GROUP)
    await house.db.write(lambda tx: tx.run("UPDATE contact SET nickname = 'Bob' WHERE nickname = 'Name of tg:2'"))
    await said(house, "/todo milk for Bob", **GROUP)
    await said(house, "/todo bread", **GROUP)
    assert (await said(house, "/todo", **friend())).splitlines() == [
        "📝 To do: 0",
        "",
        "From your groups:",
        "☐ milk — Bob · “`Family`”",
    ]
    assert "bread" in await said(house, "/todo")
    house.adapter.absent.add(("-5", FRIEND))
    assert (await said(house, "/todo", **friend())).startswith("📝 Nothing to do.")
    assert "milk" not in await said(house, "/today", **friend())


async def test_everybody_of_a_group_may_press_the_buttons_of_its_list(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/todo milk", **GROUP)
    await said(house, "/todo", **GROUP)
    for sender, label in ((GUEST, "☐ milk"), (FRIEND, "☑ milk"), (GUEST, "☐ milk")):
        assert await house.press(label, sender=sender, chat="-5", chat_kind="group") == label
        await house.work()
    assert shown(house, "-5") == ["📝 To do: 0", "☑ milk (Name of tg:7)"]


async def test_nothing_of_a_private_list_is_seen_in_a_group(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, f"/todo secret {WEDNESDAY}")
    for command in ("/todo", "/today", "/todo done secret", "/todo done"):
        assert "☐" not in await said(house, command, **GROUP)
        assert "🗑" not in await said(house, command, **GROUP)


async def test_hostile_items_are_shown_as_they_stand(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/todo **bold** [x](y) \u202e\x07`code`") == "☐ \\*\\*bold\\*\\* \\[x\\](y) \\`code\\`"
    assert (await said(house, f"/todo {'x' * 10_000}")).startswith("That is too long")
    assert await said(house, f"/todo {'y' * 1000}") == f"☐ {'y' * 119}…"
    assert await said(house, "/todo \u202e\x07") != ""
    await said(house, "/todo")
    assert all(len(label) <= 42 for label in labels(house))


async def test_an_id_in_brackets_must_be_somebodys(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert (await said(house, "/todo call Eve (tg:abc)")).startswith("The id in brackets is nobody's")
    assert (await said(house, "/todo call Eve (tg:99)")).startswith("The id in brackets is nobody's")
    assert await said(house, "/todo read it (chapter 5)") == "☐ read it (chapter 5)"
    assert await said(house, "/todo ask me (tg:1)") == "☐ ask me"


async def test_the_list_speaks_chinese(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, language="zh")
    assert await said(house, "/todo 买牛奶") == "☐ 买牛奶"
    assert await said(house, "/todo 明天下午5点给奶奶打电话") == (
        "☐ 给奶奶打电话 — 9月22日 周二 17:00\n⏰ 1天2小时后提醒（UTC）。"
    )
    assert await said(house, "/todo 完成 牛奶") == "☑ 买牛奶"


@pytest.mark.parametrize("words", ["pay @mallory tomorrow", "@mallory needs to pay tomorrow", "pay for Bo tomorrow"])
async def test_what_is_replied_to_says_when_and_not_for_whom(database: Database, tmp_path: Path, words: str) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **GROUP)
    await said(house, "/contacts add Bo @bo", **GROUP)
    shown = await said(house, "/todo add", quoted=words, reply_to="77", **GROUP)
    assert shown.replace("\\", "") in {f"☐ {words}", f"☐ {words.removesuffix(' tomorrow')} — Tue 22 Sep"}
    assert await house.column("SELECT count(*) FROM assignee") == [0]
    assert await house.column("SELECT count(*) FROM contact_address WHERE external_id LIKE '%mallory'") == [0]


async def test_a_reminder_that_is_quoted_is_an_item_by_its_text(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me in 1 minute to pay the rent")
    await passes(house, 400)
    posted = house.shown()[-1]
    assert posted.text == "⏰ pay the rent\n5 min late."
    answer = await said(house, "add this to my list", quoted=posted.text, reply_to=posted.platform_id)
    assert answer == "☐ pay the rent"


@pytest.mark.parametrize("words", ["> @bo needs to pay tomorrow", "> @bo needs to pay\nwhat now"])
async def test_what_is_quoted_is_put_on_the_list_by_its_button_and_for_nobody(
    database: Database, tmp_path: Path, words: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **GROUP)
    await said(house, words, **GROUP)
    assert "@bo needs to pay" in await pressed(house, "Add to my list", chat="-5")
    assert await house.column("SELECT count(*) FROM assignee") == [0]
    assert await house.column("SELECT count(*) FROM contact_address WHERE external_id LIKE '%bo'") == [0]


async def test_that_an_edit_changes_nothing_on_the_list_is_said_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "add milk to my list", message_id="m1")
    assert "changes nothing on the list" in await said(house, "what is it?", message_id="m1", edits="m1")
    assert await said(house, "what is this?", message_id="m1", edits="m1") == ""


@pytest.mark.parametrize("words", ["@mallory needs to pay tomorrow", "milk\neggs @bo\nbread for Bo"])
async def test_what_was_forwarded_is_put_on_the_list_by_its_button_and_for_nobody(
    database: Database, tmp_path: Path, words: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **GROUP)
    await said(house, "/contacts add Bo @bo", **GROUP)
    await said(house, words, forwarded=True, **GROUP)
    shown = await pressed(house, "Add to my list", chat="-5")
    assert all(f"☐ {line}" in shown.replace("\\", "") for line in words.splitlines())
    assert await house.column("SELECT count(*) FROM assignee") == [0]
    assert await house.column("SELECT count(*) FROM contact_address WHERE external_id LIKE '%mallory'") == [0]


async def test_a_message_that_is_replied_to_becomes_an_item(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/todo add", quoted="Buy\ncandles") == "☐ Buy candles"
    assert (await said(house, "/todo add")).startswith("/todo shows the list.")


@pytest.mark.parametrize(
    ("written", "item"),
    [
        ("clean the kitchen for @bob and @dad", "clean the kitchen — @bob, @dad"),
        ("clean for @bob, @dad and @kim by Friday", "clean — @bob, @dad, @kim, Fri 25 Sep"),
        ("@bob and @dad: clean up", "clean up — @bob, @dad"),
        ("@bob and @kim need to clean it", "clean it — @bob, @kim"),
        ("wasch ab für @bob und @dad", "wasch ab — @bob, @dad"),
        ("meet @bob and @dad tomorrow at 5", "meet — @bob, @dad, Tue 22 Sep 17:00"),
        ("打扫厨房 @bob 和 @dad", "打扫厨房 — @bob, @dad"),
        # A long gap is looked at once.
        pytest.param(f"@bob{' ' * 3_900}x", "x — @bob", id="gap"),
        # Beside other words a handle stays where it is.
        ("ask @bob and me", "ask @bob and me — @bob"),
        ("call the plumber for Zoe, Ida and @dad", "call the plumber for Zoe, Ida and @dad — @dad"),
    ],
)
async def test_several_handles_go_with_what_joins_them(
    database: Database, tmp_path: Path, written: str, item: str
) -> None:
    house = await group(database, tmp_path)
    assert (await said(house, f"/todo {written}", **GROUP)).splitlines()[0] == f"☐ {item}"
