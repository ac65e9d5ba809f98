"""An assistant does everyday things itself, with few tools that are made for models; what it did is shown as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import RolesSection
from core.kernel.ports import Database
from core.kernel.types import Answer, Role, ToolCall
from core.toolkit.tool import Offered, Registry
from tests.commanding import FRIEND, GROUP, friend, labels, pressed, said
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")

OFFERED = {
    *(
        "ask_user",
        "change_reminder",
        "delegate",
        "find_tools",
        "read_page",
        "remember",
        "remind",
        "search",
        "search_web",
        "show",
        "todo",
    ),
}
# Nothing that a grammar understands whole.
WISH = "hm, I have that dentist thing, tomorrow at nine, could you see to it?"


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house with an owner and a friend, who both have talked to the bot in private, and a scripted model."""
    made = await house(database, tmp_path / "house")
    await said(made, "/help")
    await said(made, "/help", **friend())
    assert made.model is not None
    made.model.forget()
    return made


def call(tool: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(id=f"{tool}_{len(arguments)}", name=tool, arguments=arguments)


def calling(tool: str, /, **arguments: Any) -> Answer:
    return Answer(calls=(call(tool, **arguments),))


async def asked(home: House, text: str, *answers: Answer | str, **fields: Any) -> tuple[str, int]:
    """Say something that the model answers so; return what is said then, and how often the model was asked."""
    assert home.model is not None
    before = len(home.model.requests)
    home.model.add(*answers)
    told = await said(home, text, **fields)
    home.model.forget()  # what was shown has ended the run
    return told, len(home.model.requests) - before


def result(home: House, back: int = 1) -> dict[str, Any]:
    """What the model was told last of a call."""
    assert home.model is not None
    told: dict[str, Any] = json.loads(home.model.requests[-1].messages[-back]["content"])
    return told


async def test_a_reminder_takes_one_call_of_the_model_and_is_shown_with_its_buttons(home: House) -> None:
    told, calls = await asked(home, WISH, calling("remind", text="dentist", when="tomorrow at nine"))
    assert told.startswith("⏰ Tue 22 Sep 09:00")
    assert calls == 1
    assert "Undo" in labels(home)
    assert await home.column("SELECT text FROM trigger") == ["dentist"]
    await pressed(home, "Undo")
    assert await home.column("SELECT state FROM trigger") == ["cancelled"]


async def test_it_is_offered_few_tools_in_few_bytes(home: House) -> None:
    await asked(home, "how are you today, dear?", "fine")
    assert home.model is not None
    tools = home.model.requests[-1].tools
    assert {one["function"]["name"] for one in tools} == OFFERED
    everything = home.app.container.get(Registry)
    found = [one.name for one in everything.list() if one.offered is Offered.FOUND]
    offered = [one for one in everything.list() if one.offered is not Offered.NEVER]
    schemas = [one.shown_schemas.get(Role.TELLER, one.llm_schema) for one in offered]
    # As they go over the wire.
    assert len(json.dumps(schemas, separators=(",", ":"))) <= 5_000
    assert set(found) == {"contact", "send_message", "end_question", "run_python"}


@pytest.mark.databases("sqlite", "postgres")
async def test_two_wishes_are_two_calls_of_one_answer_and_its_words_stand_before_them(home: House) -> None:
    both = (call("remind", text="dentist", when="tomorrow at 9"), call("todo", add=["oat milk", "eggs on Friday"]))
    told, calls = await asked(home, WISH, Answer(text="Sure!", calls=both))
    assert calls == 1
    texts = [one.text for one in home.shown()[-3:]]
    assert texts[0] == "Sure!"
    assert "dentist" in texts[1]
    assert "oat milk" in texts[2]
    assert told
    assert await home.column("SELECT due_on FROM todo ORDER BY id") == ["", "2026-09-25"]
    await pressed(home, "Undo")
    assert await home.column("SELECT state FROM todo ORDER BY id") == ["removed", "removed"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"when": "at some point"}, "not understood as a time"),
        ({"when": ""}, "when is needed"),
        ({"when": "2020-01-01T09:00"}, "past"),
        ({"when": "tomorrow at 9", "repeat": "sometimes"}, "not understood as a time"),
    ],
)
async def test_a_time_that_cannot_be_is_told_to_the_model(home: House, arguments: dict[str, str], why: str) -> None:
    wrong = calling("remind", text="dentist", **arguments)
    told, calls = await asked(home, WISH, wrong, "When exactly do you mean?")
    assert (told, calls) == ("When exactly do you mean?", 2)
    assert why in result(home)["error"]
    assert await home.column("SELECT count(*) FROM trigger") == [0]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("arguments", "spec"),
    [
        ({"when": "at 9:30", "repeat": "every weekday"}, "30 9 * * 1-5"),
        ({"repeat": "every weekday at 9:30"}, "30 9 * * 1-5"),
        ({"when": "2026-09-22T09:00"}, "2026-09-22T09:00"),
        ({"when": "明天上午9点"}, "2026-09-22T09:00"),
    ],
)
async def test_times_are_the_persons_words_or_a_local_one(home: House, arguments: dict[str, str], spec: str) -> None:
    await asked(home, WISH, calling("remind", text="stretch", **arguments))
    assert spec in str(await home.column("SELECT spec FROM trigger"))


async def test_what_is_set_is_moved_and_cancelled_by_its_words(home: House) -> None:
    await said(home, "/remind tomorrow at 9 dentist")
    moved = calling("change_reminder", which="dentist", action="move", when="friday at 4pm")
    told, calls = await asked(home, "the dentist called, they want me on friday at four instead, alas", moved)
    assert (calls, "Fri 25 Sep 16:00" in told) == (1, True)
    gone = calling("change_reminder", which="dentist", action="cancel")
    await asked(home, "well, that whole dentist business is off the table now", gone)
    assert await home.column("SELECT state FROM trigger") == ["cancelled"]
    again = calling("change_reminder", which="dentist", action="cancel")
    told, calls = await asked(home, "and do that once more for good measure", again, "It is gone already.")
    assert (told, calls) == ("It is gone already.", 2)


@pytest.mark.databases("sqlite", "postgres")
async def test_a_reminder_that_came_is_done_and_put_off_by_its_words(home: House) -> None:
    for text in ("stretch", "drink"):
        await said(home, f"/remind in 1 minute {text}")
    home.clock.advance(61)
    await home.sweep()
    done = call("change_reminder", which="stretch", action="done")
    later = call("change_reminder", which="drink", action="snooze", when="in 2 hours")
    _, calls = await asked(
        home, "stretched I have, but the drink needs to wait some two hours", Answer(calls=(done, later))
    )
    assert calls == 1
    assert await home.column("SELECT state FROM reminded ORDER BY reminder_id") == ["done", "snoozed"]


@pytest.mark.databases("sqlite", "postgres")
async def test_items_are_ticked_removed_and_edited_by_their_words_at_once(home: House) -> None:
    for item in ("milk", "eggs", "bread"):
        await said(home, f"/todo {item}")
    change = call("todo", done=["milk"], remove=["eggs"], edit=[{"which": "bread", "text": "rye bread"}])
    _, calls = await asked(
        home, "so: got that white stuff, no need for those round ones, and make it rye", Answer(calls=(change,))
    )
    assert calls == 1
    assert await home.column("SELECT state FROM todo ORDER BY id") == ["done", "removed", "open"]
    assert await home.column("SELECT content FROM todo WHERE state = 'open'") == ["rye bread"]
    unclear = calling("todo", done=["cheese"])
    told, calls = await asked(home, "and the yellow stuff is in the fridge by now, too", unclear, "Which one?")
    assert (told, calls) == ("Which one?", 2)
    assert "rye bread" in result(home)["error"]


async def test_what_is_only_read_is_no_answer_by_itself(home: House) -> None:
    await said(home, "/remind tomorrow at 9 dentist")
    look = calling("show", what="reminders", read=True)
    told, calls = await asked(home, "is there anything about teeth that I should know of?", look, "Tomorrow at nine.")
    assert (told, calls) == ("Tomorrow at nine.", 2)
    assert "dentist" in result(home)["text"]
    shown = calling("show", what="agenda", day="tomorrow")
    told, calls = await asked(home, "so what would my next day be like, all in all?", shown)
    assert (calls, "dentist" in told) == (1, True)


@pytest.mark.parametrize("what", ["agenda", "reminders", "todos", "lists", "done", "contacts"])
async def test_everything_that_there_is_can_be_shown(home: House, what: str) -> None:
    await said(home, "/todo milk")
    await said(home, "/todo done milk")
    await said(home, "/todo tomorrow eggs")
    told, _ = await asked(home, "let me have a look at it, would you?", calling("show", what=what), "none")
    assert told


@pytest.mark.databases("sqlite", "postgres")
async def test_other_tools_are_found_by_words_and_offered_from_then_on(home: House) -> None:
    find = calling("find_tools", words="send somebody a message")
    note = calling("contact", name="Zoe", handle="@zoe")
    told, calls = await asked(home, "Zoe's handle is @zoe, keep that in mind", find, note)
    assert (calls, "Zoe" in told) == (2, True)
    assert home.model is not None
    assert {one["function"]["name"] for one in home.model.requests[-1].tools} > OFFERED
    assert await home.column("SELECT noted_by FROM contact WHERE nickname = 'Zoe'") == ["model"]


# Whom it may reach.


SEND = {"to": "Bob", "text": "the code is 4711"}


@pytest.mark.parametrize(
    ("text", "fields"),
    [("please do what it says there", {}), ("Bob wants the code", {"forwarded": True})],
    ids=["not named", "forwarded"],
)
@pytest.mark.parametrize("name", ["send_message", "remind"])
async def test_whom_the_person_does_not_name_gets_nothing_without_a_button(
    home: House, name: str, text: str, fields: dict[str, Any]
) -> None:
    await said(home, f"/contacts add Bob {FRIEND}")
    before = len(home.adapter.texts("2"))
    arguments = SEND if name == "send_message" else {"text": "the code is 4711", "when": "in 1 minute", "for": ["Bob"]}
    told, calls = await asked(home, text, calling(name, **arguments), **fields)
    assert calls == 1
    assert told.startswith("Shall I")
    home.clock.advance(61)
    await home.sweep()
    assert len(home.adapter.texts("2")) == before
    await pressed(home, "Yes")
    home.clock.advance(61)
    await home.sweep()
    assert "4711" in home.adapter.texts("2")[-1]


@pytest.mark.databases("sqlite", "postgres")
async def test_whom_the_person_names_gets_it_at_once(home: House) -> None:
    await said(home, f"/contacts add Bob {FRIEND}")
    told, calls = await asked(home, "could you let Bob have it, that code of mine?", calling("send_message", **SEND))
    assert (calls, "on its way" in told) == (1, True)
    assert "4711" in home.adapter.texts("2")[-1]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("send_message", {"to": "@cleo", "text": "4711"}),
        ("remind", {"text": "4711", "when": "in 1 minute", "for": ["@cleo"]}),
    ],
)
@pytest.mark.parametrize("named", [True, False])
async def test_who_shares_a_group_is_reached_without_being_in_the_book(
    home: House, tool: str, arguments: dict[str, Any], named: bool
) -> None:
    await said(home, "/help", **GROUP)
    await said(home, "/help", **GROUP, sender=FRIEND, handle="@cleo")
    words = "could you let @cleo have it, that code of mine?" if named else "please do what you think is best"
    told, calls = await asked(home, words, calling(tool, **arguments))
    assert calls == 1
    if not named:
        assert told.startswith("Shall I")
        await pressed(home, "Yes")
    home.clock.advance(61)
    await home.sweep()
    assert "4711" in home.adapter.texts("2")[-1]


async def test_whom_a_model_noted_is_reached_by_no_model(home: House) -> None:
    noted = calling("contact", name="Mum", handle=FRIEND)
    await asked(home, "do what this says", noted, "done", forwarded=True)
    before = len(home.adapter.texts("2"))
    for name, arguments in (
        ("send_message", {**SEND, "to": "Mum"}),
        ("remind", {"text": "4711", "when": "in 1 minute", "for": ["Mum"]}),
        ("contacts_send", {"contact_id": "c2", "message_text": "4711"}),
        ("todo", {"add": ["4711 tomorrow at 9"], "for": "Mum"}),
    ):
        told, calls = await asked(home, "tell Mum the code, said I to Mum", calling(name, **arguments), "I can't.")
        assert (told, calls) == ("I can't.", 2)
    home.clock.advance(2 * 86_400)
    await home.sweep()
    assert not any("4711" in text for text in home.adapter.texts("2")[before:])


async def test_who_cannot_be_reached_is_told_to_be_so_in_the_same_words(home: House) -> None:
    await said(home, "/contacts add Ned @nobody")
    errors = set()
    for name in ("Ned", "Xaver"):
        refused = calling("send_message", to=name, text="hi")
        await asked(home, f"could you say hi to {name}, dear?", refused, "no")
        errors.add(result(home)["error"].replace(name, "…"))
    assert len(errors) == 1


# Presets.


async def test_the_strict_preset_is_the_permission_matrix(database: Database, tmp_path: Path) -> None:
    made = await house(database, tmp_path / "house", roles=RolesSection(preset="strict"))
    assert made.model is not None
    made.model.add("fine")
    await said(made, "how are you today, dear?")
    tools = {one["function"]["name"] for one in made.model.requests[-1].tools}
    assert tools == {
        "reply", "ask_user", "list_tasks", "cancel_task", "todo_update", "todo_add_several", "todo_list",
        "contacts_upsert", "contacts_list", "query_state", "log_decision", "echo", "current_time", "remember",
        "delegate",
    }  # fmt: skip


@pytest.mark.parametrize("preset", ["full", "brief"])
async def test_former_presets_mean_the_assistant(database: Database, tmp_path: Path, preset: Any) -> None:
    made = await house(database, tmp_path / "house", roles=RolesSection(preset=preset))
    assert made.app.container.get(Registry).assistant


@pytest.mark.parametrize("read", ["in this run", "an hour ago"])
async def test_what_a_strict_model_changes_is_shown_by_itself_only_where_its_run_has_read_others_words(
    database: Database, tmp_path: Path, read: str
) -> None:
    made = await house(database, tmp_path / "house", roles=RolesSection(preset="strict"))
    assert made.model is not None
    if read == "an hour ago":
        made.model.add("I see.")
        await said(made, "Dear all, the party is on Friday", forwarded=True)
        made.clock.advance(3_600)
    made.model.add(calling("todo_update", action="add", content="milk", people=[]), "Done.")
    text = await said(made, "would you think of the milk for me, dear?", forwarded=read == "in this run")
    shown = "After reading what others wrote I changed the to-do list.\n↩ the new to-do “milk”\n"
    assert text == f"{shown if read == 'in this run' else ''}Done."
