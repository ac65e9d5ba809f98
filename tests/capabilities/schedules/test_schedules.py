"""What is scheduled: the list, one of them, and what changes it; the brief and quiet hours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from core.kernel.types import Sender
from core.kernel.updates import Presence
from core.scheduling.service import MOST_OPEN
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, intents, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.triggering import passes, state, trigger

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def states(house: House) -> list[str]:
    return await house.column("SELECT state FROM trigger ORDER BY id")


async def test_the_list_shows_what_comes_next_first(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert (await said(house, "/tasks")).startswith("Nothing is scheduled.")
    await said(house, "/remind on Friday at 9 to call [Oma](http://evil.example)")
    await said(house, "/every weekday at 9 stand-up")
    assert await said(house, "/tasks") == (
        "What is scheduled: 2\n- Tue 22 Sep 09:00 ↻: stand-up\n- Fri 25 Sep 09:00: call \\[Oma\\](http://evil.example)"
    )
    assert labels(house) == ["stand-up", "call [Oma](http://evil.exam…"]


async def test_buttons_that_are_told_apart_by_their_times_show_texts_as_they_were_written(house: House) -> None:
    for hour in (9, 10):
        await said(house, f"/remind tomorrow at {hour} *b* [c]")
    await said(house, "/tasks")
    assert labels(house) == ["Tue 22 Sep 09:00: *b* [c]", "Tue 22 Sep 10:00: *b* [c]"]


async def test_pages_of_the_list_take_each_others_place(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(10, 20):
        await said(house, f"/remind in {n} hours to do {n}")
    await said(house, "/tasks")
    assert labels(house) == [*(f"do {n}" for n in range(10, 18)), "▶"]
    before = len(house.shown("1"))
    await pressed(house, "▶")
    assert labels(house) == ["do 18", "do 19", "◀"]
    await pressed(house, "do 19")
    assert len(house.shown("1")) == before
    assert house.shown("1")[-1].text == "⏰ Tue 22 Sep 09:13 (UTC), in 19 h: do 19"
    assert labels(house) == ["Change", "Stop", "All"]
    await pressed(house, "All")
    assert labels(house)[-1] == "▶"
    assert len(house.shown("1")) == before
    assert (await said(house, "/tasks 99")).startswith("What is scheduled: 10 · page 2 of 2\n")


async def test_one_is_found_by_its_id_and_by_its_words(house: House) -> None:
    await said(house, "/remind on Friday at 9 to call Oma")
    await said(house, "/remind on Friday at 10 to call Opa again")
    await said(house, "/remind 周五10点 给奶奶打电话")
    assert "call Oma" in await said(house, "/tasks oma")
    assert "call Opa again" in await said(house, "/tasks again CALL")
    assert "给奶奶打电话" in await said(house, "/tasks 奶奶")
    assert await said(house, "/tasks call") == "Which one?"
    assert labels(house) == ["call Oma", "call Opa again"]
    await pressed(house, "call Oma")
    assert "call Oma" in house.shown("1")[-1].text
    assert (await said(house, "/tasks zebra")).startswith("I know no such thing here.")


async def test_what_is_stopped_can_be_brought_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every weekday at 9 stand-up")
    assert await said(house, "/cancel stand") == "🗑 Stopped: stand-up"
    assert await states(house) == ["cancelled"]
    assert (await said(house, "/cancel stand")).startswith("I know no such thing here.")
    house.clock.advance(3 * 86_400)
    assert "more than 24 hours ago" in await pressed(house, "Undo")
    assert await states(house) == ["cancelled"]


async def test_what_is_brought_back_comes_at_its_next_time(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every weekday at 9 stand-up")
    await said(house, "/cancel stand")
    house.clock.advance(20 * 3600)
    assert await pressed(house, "Undo") == "↩ Taken back: the end of “stand-up”.\n⏰ Wed 23 Sep 09:00"
    assert "- Wed 23 Sep 09:00 ↻: stand-up" in await said(house, "/tasks")


async def test_what_is_brought_back_is_not_one_too_many(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every weekday at 9 stand-up")
    await said(house, "/cancel stand")
    for n in range(MOST_OPEN):
        await trigger(house, f"thing {n}", 86_400.0)
    assert (
        await pressed(house, "Undo")
        == "100 things are scheduled, that is the limit. /tasks shows them; stop one first."
    )
    assert (await states(house)).count("cancelled") == 1
    await said(house, "/cancel thing 7")
    await said(house, "/undo")
    assert (await states(house)).count("active") == MOST_OPEN


async def test_of_several_that_may_be_meant_one_is_picked(house: House) -> None:
    await said(house, "/remind on Friday at 9 to call Oma")
    await said(house, "/remind on Friday at 10 to call Opa")
    assert await said(house, "/cancel call") == "Which one?"
    await pressed(house, "call Opa")
    assert await states(house) == ["active", "cancelled"]
    assert (await said(house, "/cancel")).startswith("There is no open question")


async def test_what_is_skipped_is_told_by_the_clock_of_whom_it_is_for(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/contacts zone Bob New York")
    await said(house, "/remind Bob every day at 9:00 to stretch")
    assert (await said(house, "/skip stretch")).splitlines() == [
        "⏭ Tue 22 Sep 09:00 is skipped.",
        "⏰ Bob: every day at 09:00 (New York), next Wed 23 Sep: stretch",
    ]


async def test_a_skip_a_pause_and_going_on(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every weekday at 9 stand-up")
    assert await said(house, "/skip stand-up") == (
        "⏭ Tue 22 Sep 09:00 is skipped.\n⏰ every weekday at 09:00 (UTC), next Wed 23 Sep: stand-up"
    )
    assert (await pressed(house, "Undo")).startswith("↩ Taken back")
    assert "- Tue 22 Sep 09:00" in await said(house, "/tasks")
    assert (await said(house, "/pause stand-up")).startswith("Until when shall it rest?")
    assert labels(house) == ["No end for now", "Skip"]
    await pressed(house, "No end for now")
    assert await states(house) == ["paused"]
    assert await said(house, "/tasks") == "What is scheduled: 1\n- ⏸ paused ↻: stand-up"
    await pressed(house, "stand-up")
    assert labels(house) == ["Change", "Resume", "Stop", "All"]
    await pressed(house, "Resume")
    assert "next Tue 22 Sep" in house.shown("1")[-1].text
    assert await states(house) == ["active"]


@pytest.mark.parametrize(
    ("until", "day"), [("until Friday", "Fri 25 Sep"), ("Friday", "Fri 25 Sep"), ("到周五", "Fri 25 Sep")]
)
async def test_a_pause_until_a_day_goes_on_by_itself_on_that_day(house: House, until: str, day: str) -> None:
    await said(house, "/every weekday at 8 stand-up")
    (move,) = await intents(house, "schedules.move")
    schedule_id = move.arguments["schedule"]
    assert f"next {day}:" in await said(house, f"/pause {schedule_id} {until}")
    assert await states(house) == ["active"]


@pytest.mark.parametrize(
    "text",
    [
        "/remind",
        "/remind 1.1.2020 9:00 x",
        "/remind x",
        "/every",
        "/tasks",
        "/tasks x",
        "/move",
        "/skip x",
        "/pause x",
        "/resume x",
        "/done",
        "/snooze",
        "/snooze 10m",
        "/brief",
        "/brief off",
        "/quiet",
        "/quiet x",
    ],
)
async def test_each_answers_in_each_language(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    answers = []
    for language in ("en", "zh"):
        house = await home(await make_database("sqlite"), tmp_path / language, language=language)
        answers.append(await said(house, text))
    assert all(answers)
    assert answers[0] != answers[1]


@pytest.mark.parametrize("line", ["/resume {}", "/pause {} until friday", "/move {} every day at 9"])
async def test_what_rests_since_its_maker_has_no_access_goes_on_for_nobody_else(
    database: Database, tmp_path: Path, line: str
) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/help", **{**friend(), **GROUP})
    hourly = Interval(seconds=3_600, start=house.clock.now())
    number = await trigger(house, "stretch", hourly, chat="-5", by=FRIEND)
    await said(house, "/people")
    await pressed(house, "Remove Name of tg:2")
    await passes(house, 3_600)
    assert (await state(house, number))[:2] == ("paused", "no access")
    assert await said(house, line.format(ref("s", number)), **GROUP) == (
        "It is paused, since whoever made it no longer has access to me. It goes on by itself when they have it again;"
        " /cancel stops it."
    )
    assert (await state(house, number))[:2] == ("paused", "no access")
    await said(house, "/people")
    await pressed(house, "Restore Name of tg:2")
    assert (await state(house, number))[0] == "active"


@pytest.mark.parametrize("command", ["/skip", "/pause", "/resume", "/move"])
async def test_without_words_a_change_says_how(house: House, command: str) -> None:
    assert await said(house, command) == f"Write {command} and what it is about, or choose it from /tasks."


async def test_what_comes_once_is_neither_skipped_nor_paused(house: House) -> None:
    await said(house, "/remind on Friday at 9 to call Oma")
    assert (await said(house, "/skip oma")).startswith("That comes only once.")
    assert (await said(house, "/pause oma")).startswith("That comes only once.")
    assert await states(house) == ["active"]


async def test_a_new_time_of_day_keeps_the_days(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every weekday at 9 stand-up")
    await pressed(house, "Change")
    assert (await said(house, "10:30")).endswith("⏰ every weekday at 10:30 (UTC), next Tue 22 Sep: stand-up")
    assert await house.column("SELECT kind FROM trigger") == ["rule"]


async def test_nobody_else_of_a_group_changes_it_but_its_administrators(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    await said(house, "/every weekday at 9 stand-up", **GROUP)
    for text in ("/cancel stand-up", "/skip stand-up"):
        answer = await said(house, text, sender=GUEST, **GROUP)
        assert answer == "Only whoever made it, an administrator of this group or my owner may do that."
    assert await states(house) == ["active"]
    await said(house, "/cancel stand-up", sender=FRIEND, **GROUP)
    assert await states(house) == ["cancelled"]


async def test_an_id_of_elsewhere_is_as_one_that_never_was(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind tomorrow at 9 to call Oma")
    (move,) = await intents(house, "schedules.move")
    schedule_id = move.arguments["schedule"]
    for where in (friend(), {**GROUP, "sender": FRIEND}):
        for text in (f"/cancel {schedule_id}", f"/tasks {schedule_id}", f"/move {schedule_id} tomorrow at 10"):
            assert await said(house, text, **where) == await said(house, text.replace(schedule_id, "s000000"), **where)
    assert await states(house) == ["active"]


async def test_in_private_my_own_of_groups_are_shown_while_i_am_there(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind tomorrow at 9 to bring cake", **GROUP)
    await said(house, "/remind tomorrow at 9 to hide it", sender=FRIEND, **GROUP)
    assert await said(house, "/tasks") == "👥 “`Family`”\n- Tue 22 Sep 09:00: bring cake"
    assert labels(house) == []
    house.adapter.absent.add(("-5", "tg:1"))
    assert (await said(house, "/tasks")).startswith("Nothing is scheduled.")
    assert "Oma" not in await said(house, "/tasks", **GROUP)


@pytest.mark.databases("sqlite", "postgres")
async def test_in_private_my_own_of_a_group_that_the_bot_is_gone_from_is_shown_and_cancelled(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind tomorrow at 9 to bring cake", **GROUP)
    await said(house, "/every monday at 8 to hide it", sender=FRIEND, **GROUP)
    (trigger_id,) = await house.column("SELECT id FROM trigger WHERE text = 'hide it'")
    sender = Sender(address=FRIEND, name="Bo", language="en")
    away: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family", "sender": sender, "raw": "{}"}
    await house.app.inbox.accept(house.tenant_id, [Presence(key="away", present=False, **away)])
    await house.work()
    shown = await said(house, "/tasks")
    assert shown.endswith("👥 “`Family`” · I am not there any more, so this rests:\n- Tue 22 Sep 09:00: bring cake")
    # It is shown by the group's clock, and that is said where it is not the reader's.
    await said(house, "/timezone Tokyo")
    shown = await said(house, "/tasks")
    assert "👥 “`Family`” (UTC) · I am not there any more, so this rests:\n- Tue 22 Sep 09:00: bring cake" in shown
    await said(house, "/undo")
    await said(house, "/tasks")
    await pressed(house, "bring cake")
    await pressed(house, "Stop")
    assert "bring cake" in house.shown()[-1].text
    assert await states(house) == ["cancelled", "active"]
    assert "bring cake" not in await said(house, "/tasks")
    await said(house, "/undo")
    assert await states(house) == ["active", "active"]
    # Another's is nobody else's matter.
    assert await said(house, f"/cancel {ref('s', trigger_id)}") == await said(house, "/cancel s000000")
    assert await states(house) == ["active", "active"]
    await said(house, "/tasks")
    await pressed(house, "bring cake")
    await pressed(house, "Stop")
    undo = house.button("Undo")
    await house.app.inbox.accept(house.tenant_id, [Presence(key="back", present=True, **away)])
    await house.work()
    # What was stopped while it was gone is taken back all the same once it is there again.
    assert await states(house) == ["cancelled", "active"]
    await house.press("", data=undo)
    await house.work()
    assert await said(house, "/tasks") == "👥 “`Family`”\n- Tue 22 Sep 09:00: bring cake"


async def test_a_brief_is_one_and_moves(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert (await said(house, "/brief")).startswith("Write when I shall tell you what is on")
    assert (await said(house, "/brief 7:30")).startswith(
        "⏰ every day at 07:30 (UTC), next Tue 22 Sep: the daily brief"
    )
    assert (await said(house, "/brief every weekday at 8")).startswith("⏰ every weekday at 08:00")
    rows = await house.rows("SELECT deliver, state, follows FROM trigger")
    assert rows == [{"deliver": "brief", "state": "active", "follows": 1}]
    assert await said(house, "/brief off") == "🗑 No daily brief any more."
    assert await states(house) == ["cancelled"]
    await pressed(house, "Undo")
    assert await states(house) == ["active"]
    assert (await said(house, "/brief maybe")).startswith("Write when")


@pytest.mark.parametrize(
    ("text", "time"), [("daily brief at 6", "18:00"), ("daily brief at 7", "07:00"), ("daily brief at 6am", "06:00")]
)
async def test_a_brief_in_free_text_is_in_the_likelier_half_of_the_day_as_by_the_command(
    make_database: DatabaseMaker, tmp_path: Path, text: str, time: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert (await said(house, text)).startswith(f"⏰ every day at {time}")


@pytest.mark.parametrize(
    ("text", "kept", "answer"),
    [
        ("/quiet 22:00-07:00", "22:00-07:00", "🌙 22:00-07:00:"),
        ("/quiet 22-7", "22:00-07:00", "🌙 22:00-07:00:"),
        ("/quiet 9:30 – 10:15", "09:30-10:15", "🌙 09:30-10:15:"),
        ("/quiet always", "always", "🌙 I start nothing"),
        ("/quiet off", "", "No quiet hours."),
        ("/quiet 关闭", "", "No quiet hours."),
        ("/quiet 25-7", "", "Write for example"),
        ("/quiet maybe", "", "Write for example"),
    ],
)
async def test_quiet_hours_are_kept_as_they_are_said(house: House, text: str, kept: str, answer: str) -> None:
    assert (await said(house, text)).startswith(answer)
    assert await house.column("SELECT quiet FROM person") == [kept]


async def test_quiet_hours_are_offered_and_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert (await said(house, "/quiet")).startswith("No quiet hours.")
    await pressed(house, "22:00-07:00")
    assert (await said(house, "/quiet")).startswith("🌙 22:00-07:00:")
    await said(house, "/undo")
    assert (await said(house, "/quiet")).startswith("No quiet hours.")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_groups_quiet_hours_are_its_administrators(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    assert (
        await said(house, "/quiet always", sender=GUEST, **GROUP) == "Only an administrator of this group may do that."
    )
    assert (await said(house, "/quiet always", sender=FRIEND, **GROUP)).startswith("🌙")
    assert await house.column("SELECT quiet FROM chat WHERE external_id = '-5'") == ["always"]
    assert set(await house.column("SELECT quiet FROM person")) == {""}
