"""What somebody who is linked sees of themselves elsewhere, in their private chats, and what they do with it there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.capabilities.home.service import Pages
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.types import Role, Sender
from core.kernel.updates import Opened
from tests.calling import caller
from tests.commanding import FRIEND, GROUP, friend, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import FakeModel, House
from tests.linking import ANN, BO, DM, linked

pytestmark = pytest.mark.databases("sqlite")

CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general", "sender": ANN}


def _model() -> FakeModel:
    model = FakeModel()
    model.always(lambda request: "I hear you")
    return model


async def test_the_list_shows_what_is_to_do_elsewhere_and_ticks_it_off(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo tax")
    await said(other, "/todo report", **DM)
    assert (await said(other, "/todo", **DM)).splitlines()[1:] == [
        "☐ report",
        "",
        "From your other platforms:",
        "☐ tax · Telegram",
    ]
    assert labels(other, "D1") == ["☐ report", "☐ tax"]
    await other.press("☐ tax", chat="D1", sender=ANN)
    await other.work()
    assert "tax" not in other.shown("D1")[-1].text
    assert await one.column("SELECT state FROM todo WHERE content = 'tax'") == ["done"]
    assert "☑ tax" in await said(one, "/todo")


async def test_done_there_is_taken_back_there(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await _ref(one, "tax")
    assert "tax" in await said(other, f"/todo done {tax}", **DM)
    await pressed(other, "Undo", chat="D1", sender=ANN)
    assert await one.column("SELECT state FROM todo WHERE content = 'tax'") == ["open"]
    assert "nothing to take back" not in await said(one, "/undo")


async def _ref(home: House, text: str) -> str:
    """Note something on Telegram, and return its id."""
    await said(home, f"/todo {text}")
    return ref("t", (await home.column("SELECT max(id) FROM todo"))[0])


@pytest.mark.parametrize("text", ["tick off tax", "tax done", "remove tax from my list"])
async def test_it_is_ticked_off_by_its_words_where_there_is_a_model_and_where_there_is_none(
    make_database: DatabaseMaker, tmp_path: Path, text: str
) -> None:
    for model in (_model(), None):
        db = await make_database("sqlite")
        one, other = await linked(db, tmp_path / str(model is None), model=model)
        await said(one, "/todo tax")
        await said(other, "/todo report", **DM)
        assert "tax" in await said(other, text, **DM)
        (state,) = await one.column("SELECT state FROM todo WHERE content = 'tax'")
        assert state == ("removed" if "remove" in text else "done")


async def test_what_is_here_goes_before_what_is_called_so_elsewhere(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path, model=_model())
    await said(one, "/todo tax")
    await said(other, "/todo tax", **DM)
    assert "tax" in await said(other, "tick off tax", **DM)
    assert await one.column("SELECT state FROM todo ORDER BY id") == ["open", "done"]
    assert "I hear you" in await said(other, "tick off tax", **CHANNEL)


async def test_a_list_that_is_named_is_not_another_list_of_the_linked_account(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    for model in (_model(), None):
        db = await make_database("sqlite")
        one, other = await linked(db, tmp_path / str(model is None), model=model)
        await said(one, "/todo milk")
        await said(one, "/todo call Bob about the rent")
        await said(one, "/todo camping list: tent")
        await said(other, "/todo milk", **DM)
        await said(other, "/todo packing list: socks", **DM)
        await said(other, "remove milk from the packing list", **DM)
        await said(other, "remove Bob from the guest list", **DM)
        theirs = {"tenant_id": one.tenant_id}
        states = "SELECT state FROM todo WHERE tenant_id = :tenant_id ORDER BY id"
        assert await one.column(states, **theirs) == ["open"] * 3
        assert "tent" in await said(other, "remove tent from the camping list", **DM)
        assert await one.column(states, **theirs) == ["open", "open", "removed"]


async def test_without_a_model_no_other_list_of_the_linked_account_is_taken_from(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    one, other = await linked(await make_database("sqlite"), tmp_path)
    await said(one, "/todo milk")
    await said(one, "/todo camping list: red tent and stove")
    answer = await said(other, "remove milk from the packing list", **DM)
    assert answer == "Packing: Nothing is called “milk” here."
    assert "only a part" in await said(other, "remove tent from the camping list", **DM)
    assert await one.column("SELECT state FROM todo") == ["open"] * 2


async def test_its_reminder_goes_with_it(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await _ref(one, "call Oma tomorrow at 17:00")
    await said(other, f"/todo done {tax}", **DM)
    assert await one.column("SELECT state FROM trigger") == ["cancelled"]


async def test_the_day_shows_both(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo tax 2026-09-21")
    await said(one, "/remind at 20:00 stretch")
    shown = (await said(other, "/today", **DM)).splitlines()
    assert shown[1:] == ["☐ tax — today · Telegram", "⏰ 20:00 stretch · Telegram"]


async def test_what_is_scheduled_elsewhere_is_moved_and_stopped_from_here(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/remind tomorrow at 9 stretch")
    assert (await said(other, "/tasks", **DM)).splitlines() == ["🔗 Telegram", "- Tue 22 Sep 09:00: stretch"]
    await pressed(other, "stretch", chat="D1", sender=ANN)
    assert "Stop" in " ".join(labels(other, "D1"))
    (number,) = await one.column("SELECT id FROM trigger")
    moved = await said(other, f"/move {ref('s', number)} tomorrow at 10", **DM)
    assert "10:00" in moved
    assert await one.column("SELECT chat_id FROM trigger WHERE state = 'active'") == await one.column(
        "SELECT id FROM chat WHERE external_id = '1'"
    )
    assert "stretch" in await said(other, f"/cancel {ref('s', number)}", **DM)
    assert await one.column("SELECT state FROM trigger") == ["cancelled"]
    await pressed(other, "Undo", chat="D1", sender=ANN)
    assert await one.column("SELECT state FROM trigger") == ["active"]


async def test_a_reminder_comes_where_it_was_set(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/remind in 10 minutes stretch")
    one.clock.advance(600)
    await one.sweep()
    assert "stretch" in one.adapter.texts("1")[-1]
    assert not any("stretch" in text for text in other.adapter.texts())


async def test_the_brief_tells_of_both(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo tax 2026-09-22")
    await said(other, "/brief 7:30", **DM)
    other.clock.advance(17.5 * 3600)
    await other.sweep()
    assert "☐ tax — today · Telegram" in other.adapter.texts("D1")[-1]


async def test_groups_are_shown_as_long_as_the_person_is_in_them_there(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo cake 2026-09-21", **GROUP)
    await said(one, "/remind tomorrow at 9 party", **GROUP)
    line = "☐ cake — today · “`Family`” · Telegram"
    assert line in await said(other, "/todo", **DM)
    assert labels(other, "D1") == []
    assert line in await said(other, "/today", **DM)
    assert "👥 “`Family`” · Telegram" in await said(other, "/tasks", **DM)
    one.adapter.absent.add(("-5", "tg:1"))
    for command in ("/todo", "/today", "/tasks"):
        assert "Telegram" not in await said(other, command, **DM)


async def test_no_group_and_nobody_else_sees_or_changes_anything(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await _ref(one, "tax")
    for command in ("/todo", "/today", "/tasks"):
        assert "tax" not in await said(other, command, **CHANNEL)
        assert "tax" not in await said(other, command, chat="D2", sender=BO)
        assert "tax" not in await said(one, command, **friend())
    await said(other, f"/todo done {tax}", **CHANNEL)
    await said(other, f"/todo done {tax}", chat="D2", sender=BO)
    await said(one, f"/todo done {tax}", chat="2", sender=FRIEND)
    assert await one.column("SELECT state FROM todo WHERE content = 'tax'") == ["open"]


async def test_a_model_reaches_none_of_it(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    tax = await _ref(one, "tax")
    await other.hear("wait", **DM)
    call, _ = await caller(other, "D1", Role.TELLER)
    assert (await call("todo_list")).result["open_count"] == 0
    assert not (await call("todo_update", action="complete", content=tax)).success
    assert not (await call("cancel_task", task_id="s000000")).result["success"]


async def test_what_is_done_as_somebody_stands_in_the_ledger_of_their_tenant(
    database: Database, tmp_path: Path
) -> None:
    one, other = await linked(database, tmp_path)
    tax = await _ref(one, "tax")
    await said(other, f"/todo done {tax}", **DM)
    found = await one.rows(
        "SELECT l.person_id, b.result FROM ledger l JOIN ledger_body b ON b.tenant_id = l.tenant_id AND b.n = l.n"
        " WHERE l.tenant_id = :id AND l.tool = 'todo_update' ORDER BY l.n DESC LIMIT 1",
        id=one.tenant_id,
    )
    (person_id,) = await one.column("SELECT person_id FROM address WHERE external_id = 'tg:1'")
    assert found == [{"person_id": person_id, "result": f'{{"id": "{tax}"}}'}]


async def test_who_lost_access_there_sees_nothing_of_it_here(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path, model=_model())
    tax = await _ref(one, "tax")
    await one.db.write(lambda tx: tx.run("UPDATE address SET external_id = 'tg:77' WHERE external_id = 'tg:1'"))
    assert "tax" not in await said(other, "/todo", **DM)
    await said(other, f"/todo done {tax}", **DM)
    for text in ("tick off tax", "tax done", "remove tax from my list"):
        # The model answers, as it does where nothing is called so.
        assert await said(other, text, **DM) == "I hear you"
    assert await one.column("SELECT state FROM todo WHERE content = 'tax'") == ["open"]


async def test_the_page_shows_both_with_buttons(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo tax")
    await said(one, "/remind tomorrow at 9 stretch")
    opened = Opened(key="o1", chat="D1", sender=Sender(address=ANN, name="Ann", language="en"))
    await other.app.inbox.accept(other.tenant_id, [opened])
    (person_id,) = await one.column("SELECT person_id FROM address WHERE external_id = :address", address=ANN)
    await other.app.container.get(Pages).show(person_id)
    todos, reminders, _ = other.adapter.pages[-1][1].sections
    assert [item.text for item in todos[1]] == ["☐ tax · Telegram"]
    assert [item.text for item in reminders[1]] == ["⏰ Tue 22 Sep 09:00: stretch · Telegram"]
    await other.press("", data=todos[1][0].buttons[0].data, chat="D1", sender=ANN)
    await other.work()
    assert await one.column("SELECT state FROM todo WHERE content = 'tax'") == ["done"]


async def test_what_the_list_shows_of_elsewhere_is_done_and_removed_by_its_words(
    database: Database, tmp_path: Path
) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo telegram milk")
    await said(one, "/todo telegram bread")
    assert "telegram milk" in await said(other, "/todo done telegram milk", **DM)
    assert await one.column("SELECT state FROM todo ORDER BY id") == ["done", "open"]
    assert "bread" in await said(other, "/todo remove bread", **DM)
    assert await one.column("SELECT state FROM todo ORDER BY id") == ["done", "removed"]


async def test_words_that_mean_several_of_elsewhere_ask_which(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    for text in ("green paint", "red paint"):
        await said(one, f"/todo {text}")
    await said(other, "/todo done paint", **DM)
    await pressed(other, "red paint", chat="D1", sender=ANN)
    assert await one.column("SELECT state FROM todo ORDER BY id") == ["open", "done"]


async def test_of_what_a_group_there_has_it_is_said_where_it_is(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/todo cake", **GROUP)
    assert await said(other, "/todo done cake", **DM) == "cake is in “`Family`” · Telegram: it is changed there."
    assert await one.column("SELECT state FROM todo") == ["open"]
    assert "nothing open like" in await said(other, "/todo done pie", **DM)
    assert "nothing open like" in await said(other, "/todo done cake", chat="D2", sender=BO)


@pytest.mark.parametrize("with_model", [True, False])
@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("/cancel stretch", "cancelled"),
        ("cancel stretch", "cancelled"),
        ("cancel the stretch reminder", "cancelled"),
        ("move stretch to tomorrow at 10", "active"),
    ],
)
async def test_what_is_scheduled_elsewhere_is_changed_by_its_words(
    make_database: DatabaseMaker, tmp_path: Path, *, text: str, state: str, with_model: bool
) -> None:
    one, other = await linked(await make_database("sqlite"), tmp_path, model=_model() if with_model else None)
    await said(one, "/remind tomorrow at 9 stretch")
    (before,) = await one.column("SELECT next_at FROM trigger")
    assert "stretch" in await said(other, text, **DM)
    assert await one.column("SELECT state FROM trigger") == [state]
    (after,) = await one.column("SELECT next_at FROM trigger")
    assert (after - before == 3_600_000) == ("move" in text)


async def test_when_it_comes_elsewhere_is_told_and_what_is_here_goes_before(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/remind tomorrow at 9 dentist appointment")
    assert "Tue 22 Sep 09:00" in await said(other, "when is my dentist appointment?", **DM)
    await said(other, "/remind tomorrow at 11 dentist appointment", **DM)
    assert "Tue 22 Sep 11:00" in await said(other, "when is my dentist appointment?", **DM)
    await said(other, "/cancel dentist", **DM)
    assert await one.column("SELECT state FROM trigger ORDER BY id") == ["active", "cancelled"]


async def test_what_is_due_elsewhere_is_not_said_to_be_nothing(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/remind tomorrow at 9 dentist")
    assert await said(other, "cancel everything for tomorrow", **DM) == (
        "Nothing is due here then. /tasks shows what is scheduled."
    )


async def test_a_second_thought_is_of_what_was_moved_elsewhere(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/remind tomorrow at 9 dentist")
    await said(other, "move dentist to 11", **DM)
    assert "Tue 22 Sep 12:00" in await said(other, "no, at 12", **DM)
    assert "Tue 22 Sep 15:00" in await said(other, "make it 3pm", **DM)
    assert "Taken back" in await said(other, "never mind", **DM)
    assert await one.column("SELECT json_extract(spec, '$.wall') FROM trigger") == ["2026-09-22T12:00"]


async def test_the_brief_of_elsewhere_is_called_as_the_list_shows_it(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/brief 7:30")
    assert "the daily brief" in await said(other, "/tasks", **DM)
    assert "Stopped: the daily brief" in await said(other, "/cancel the daily brief", **DM)
    assert await one.column("SELECT state FROM trigger") == ["cancelled"]


async def test_what_is_scheduled_elsewhere_is_nothing_to_a_group_nor_to_others(
    database: Database, tmp_path: Path
) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/remind tomorrow at 9 dentist")
    for where in (CHANNEL, {"chat": "D2", "sender": BO}):
        for text in ("/cancel dentist", "cancel dentist", "when is the dentist?"):
            assert "09:00" not in await said(other, text, **where)
    assert await one.column("SELECT state FROM trigger") == ["active"]


async def test_who_stops_all_here_is_told_that_there_is_more_elsewhere(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    assert "Nothing is scheduled" in await said(other, "cancel all reminders", **DM)
    await said(one, "/remind tomorrow at 9 dentist")
    assert await said(other, "cancel all reminders", **DM) == (
        "Nothing is scheduled in this chat. /tasks shows what is on your other platforms, each with a button."
    )
    assert await one.column("SELECT state FROM trigger") == ["active"]
