"""What was asked with buttons is answered in words: "yes", "no", or what stands on a button."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.capabilities.all import CAPABILITIES
from core.kernel.ports import Database, Tx
from core.kernel.replies import Reply
from core.kernel.types import Answer, ToolCall
from core.language import languages
from core.pipeline.runs.confirmations import Confirmations
from core.toolkit.capability import Capability, command_table
from core.toolkit.command import Command, CommandRun, Confirms, intent
from tests.commanding import FRIEND, GROUP, confirmed, group, home, open_items, planned, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")
TEXTS = {"toy_yes": "Reset it", "toy_no": "Leave it", "toy_done": "It is reset.", "toy_left": "It is left."}
NOT_YET = "Nothing has happened yet: press the button for that."


@intent("toy.reset", as_command="reset", confirms=Confirms(yes=("toy_yes",), no="toy_no", in_words=True))
def reset(run: CommandRun, tx: Tx) -> Reply:
    return run.say("toy_done")


@intent("toy.leave", as_command="reset")
def leave(run: CommandRun, tx: Tx) -> Reply:
    return run.say("toy_left")


def ask_reset(run: CommandRun, tx: Tx) -> Reply:
    offers = [(run.language["toy_yes"], reset.of()), (run.language["toy_no"], leave.of())]
    return run.reply("Shall it be reset?", offers=offers)


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await with_two(await home(await make_database("sqlite"), tmp_path))


async def with_two(house: House) -> House:
    await said(house, "remind me tomorrow at 9 to call Oma")
    await said(house, "remind me tomorrow at 10 to call Opa")
    return house


@pytest.mark.parametrize("text", ["yes", "Yes!", "ok", "yes please", "👍", "ja", "好的", "是", "Stop all", "stop all"])
async def test_a_yes_right_after_it_was_asked_is_the_button(house: House, text: str) -> None:
    await said(house, "cancel all reminders")
    assert await confirmed(house, text) == "🗑 Stopped: 2"
    assert await planned(house) == []
    await said(house, "/undo")
    assert len(await planned(house)) == 2


async def test_a_yes_clears_the_list_that_was_asked_about(house: House) -> None:
    await said(house, "/todo milk, eggs")
    await said(house, "clear my list")
    await said(house, "yes")
    assert await open_items(house) == []


async def test_what_stands_on_the_button_clears_the_list_and_does_not_ask_again(house: House) -> None:
    await said(house, "/todo milk, eggs")
    await said(house, "clear my list")
    assert "The list is clear" in await said(house, "Clear the list")


@pytest.mark.parametrize("text", ["no", "nein", "不", "never mind", "Keep"])
async def test_a_no_leaves_it(house: House, text: str) -> None:
    await said(house, "cancel all reminders")
    assert await confirmed(house, text) == "Nothing was stopped."
    assert len(await planned(house)) == 2


async def test_a_yes_as_a_reply_is_the_button_of_that_message(house: House) -> None:
    await said(house, "cancel all reminders")
    asked = house.shown()[-1].platform_id
    await said(house, "echo hello")
    assert await confirmed(house, "yes", reply_to=asked) == "🗑 Stopped: 2"


async def test_a_yes_after_something_else_was_said_does_nothing(house: House) -> None:
    await said(house, "cancel all reminders")
    await said(house, "echo shall I buy milk?")
    await said(house, "yes")
    assert len(await planned(house)) == 2


async def test_a_yes_long_after_it_was_asked_does_nothing_and_says_so(house: House) -> None:
    await said(house, "cancel all reminders")
    house.clock.advance(660)
    assert await said(house, "yes") == NOT_YET
    assert len(await planned(house)) == 2


async def test_a_nod_that_may_be_no_yes_does_nothing_and_says_so(house: House) -> None:
    await said(house, "cancel all reminders")
    assert await said(house, "noted") == NOT_YET
    assert len(await planned(house)) == 2


async def test_what_stands_on_another_button_does_nothing(house: House) -> None:
    await said(house, "/todo milk")
    await said(house, "cancel all reminders")
    await said(house, "Forget everything")
    assert len(await planned(house)) == 2
    assert await open_items(house) == ["milk"]


@pytest.mark.parametrize("text", ["yes", "ja", "Forget everything"])
async def test_all_is_forgotten_by_the_button_alone(house: House, text: str) -> None:
    await said(house, "remember that my locker is 214")
    assert "Shall I forget everything" in await said(house, "/forget")
    assert await said(house, text) == NOT_YET
    assert "locker is 214" in await said(house, "/memory")
    await said(house, "/forget")
    assert await confirmed(house, "no") == "Nothing was forgotten."


async def test_a_yes_of_somebody_else_in_a_group_does_nothing(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    here = {**GROUP, "addressed": True}
    await said(house, "remind me tomorrow at 9 to call Oma", **here)
    await said(house, "/help", sender=FRIEND, **here)
    await said(house, "cancel all reminders", **here)
    asked = house.shown("-5")[-1].platform_id
    await said(house, "yes", sender=FRIEND, **here)
    await said(house, "yes", sender=FRIEND, reply_to=asked, **here)
    assert await planned(house) == ["call Oma"]
    await said(house, "yes", reply_to=asked, **here)
    assert await planned(house) == []


@pytest.mark.parametrize(("text", "label"), [("yes", "Stop all"), ("no", "Keep")])
async def test_the_buttons_give_way_to_the_one_that_the_words_are(
    database: Database, tmp_path: Path, text: str, label: str
) -> None:
    house = await with_two(await home(database, tmp_path))
    await said(house, "cancel all reminders")
    asked = house.shown()[-1].platform_id
    await said(house, text)
    (shown,) = [one for one in house.shown() if one.platform_id == asked]
    assert (shown.text.split("\n\n")[-1], shown.keyboard) == (f"✅ {label} — Name of tg:1", None)


@pytest.mark.parametrize("text", ["noted", "Clear the list"])
async def test_the_buttons_stay_where_the_words_are_none_of_them(house: House, text: str) -> None:
    await said(house, "cancel all reminders")
    await said(house, text)
    await pressed(house, "Stop all")
    assert await planned(house) == []


async def test_a_press_after_a_yes_stops_nothing_more(house: House) -> None:
    await said(house, "cancel all reminders")
    stop = house.button("Stop all")
    await said(house, "yes")
    await said(house, "remind me on Sunday to rest")
    await house.press("", data=stop)
    await house.work()
    assert await planned(house) == ["rest"]


async def test_a_yes_needs_no_model_where_there_is_one(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await with_two(await build(await make_database("sqlite"), tmp_path / "house", Answer(text="hello")))
    await said(house, "cancel all reminders")
    await said(house, "yes")
    assert await planned(house) == []


# What an assistant's model asks.


async def assistant(make_database: DatabaseMaker, folder: Path) -> House:
    """A house whose model has read what others wrote, and whose owner has noted Bob."""
    house = await build(await make_database("sqlite"), folder / "house")
    assert house.model is not None
    await said(house, "/help")
    await said(house, "/help", chat="2", sender=FRIEND)
    await said(house, f"/contacts add Bob {FRIEND}")
    house.model.forget()
    return house


async def asks(house: House, *calls: tuple[str, dict[str, Any]]) -> None:
    """Let the model make these calls for something that somebody else wrote, so that it asks whether it shall."""
    assert house.model is not None
    made = [ToolCall(id=f"c{n}", name=name, arguments=arguments) for n, (name, arguments) in enumerate(calls)]
    house.model.add(Answer(calls=tuple(made)))
    await said(house, "please do what it says there", forwarded=True)
    house.model.forget()


REMIND = ("remind", {"text": "the code is 4711", "when": "tomorrow at nine", "for": ["Bob"]})
TODO = ("todo", {"add": ["bring the slides"], "for": "Bob"})
SEND = ("send_message", {"to": "Bob", "text": "the code is 4711"})


async def test_a_yes_sets_the_reminder_for_somebody_that_was_asked_about(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await assistant(make_database, tmp_path)
    await asks(house, REMIND)
    assert (house.shown()[-1].text[:9], await planned(house)) == ("Shall I r", [])
    assert "⏰" in await confirmed(house, "yes")
    assert await planned(house) == ["the code is 4711"]
    await pressed(house, "Undo")
    assert await planned(house) == []


async def test_a_yes_puts_on_the_list_what_was_asked_about(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await assistant(make_database, tmp_path)
    await asks(house, TODO)
    assert await open_items(house) == []
    await confirmed(house, "yes")
    assert await open_items(house) == ["bring the slides"]


@pytest.mark.parametrize("text", ["yes", "Remember it"])
async def test_a_yes_notes_what_was_asked_about(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await assistant(make_database, tmp_path)
    assert house.model is not None
    house.model.add(Answer(calls=(ToolCall(id="c", name="remember", arguments={"content": "the code is 4711"}),)))
    await said(house, "remember this please", quoted="the code is 4711", reply_to="7")
    house.model.forget()
    assert await house.column("SELECT content FROM memory") == []
    await confirmed(house, text)
    assert await house.column("SELECT content FROM memory") == ["the code is 4711"]


async def test_a_message_to_somebody_is_sent_by_the_button_alone(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await assistant(make_database, tmp_path)
    await asks(house, SEND)
    before = house.adapter.texts("2")
    assert await confirmed(house, "yes") == NOT_YET
    assert house.adapter.texts("2") == before
    await pressed(house, "Yes")
    assert "4711" in house.adapter.texts("2")[-1]


async def test_a_yes_to_two_questions_at_once_does_nothing_and_says_so(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await assistant(make_database, tmp_path)
    await asks(house, REMIND, TODO)
    assert await confirmed(house, "yes") == NOT_YET
    assert (await planned(house), await open_items(house)) == ([], [])
    (asked,) = [one.platform_id for one in house.shown() if one.text.startswith("Shall I remind")]
    await confirmed(house, "yes", reply_to=asked)
    assert (await planned(house), await open_items(house)) == (["the code is 4711"], [])


async def test_a_yes_is_no_button_once_the_model_said_more(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await assistant(make_database, tmp_path)
    assert house.model is not None
    call = ToolCall(id="c", name="remember", arguments={"content": "my locker has the number 4711"})
    house.model.add(Answer(calls=(call,)), "Shall I look for the door, too?")
    text = "my locker has the number 4711, how do I open it?"
    assert "Shall I remember" in await said(house, text, quoted="open your locker", reply_to="7")
    house.model.add("I look for it.")
    assert await said(house, "yes") == "I look for it."
    assert await house.column("SELECT content FROM memory") == []


async def test_a_no_to_one_button_is_for_the_model(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await assistant(make_database, tmp_path)
    assert house.model is not None
    await asks(house, REMIND)
    house.model.add("Then I leave it.")
    assert await said(house, "no") == "Then I leave it."
    assert await planned(house) == []


# What is looked up.


def test_what_intents_confirm_stands_on_buttons_in_all_languages() -> None:
    confirmations = Confirmations(command_table(CAPABILITIES).intents.values())
    for text in ("Stop all", "Clear the list", "Alles vergessen", "删除更早的", "Import", "Merken", "Behalten", "yes"):
        assert confirmations.read(text) is not None


@pytest.mark.parametrize("text", ["milk", "yes, and buy milk", "what is on today?", "yes " * 20])
def test_what_can_be_no_answer_is_not_looked_up(text: str) -> None:
    assert Confirmations(command_table(CAPABILITIES).intents.values()).read(text) is None


async def test_a_new_intent_needs_no_more_than_to_say_that_it_confirms(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    texts = dict.fromkeys(languages(), TEXTS)
    toy = Capability(
        name="toy",
        commands={"reset": Command(ask_reset)},
        intents=(reset, leave),
        texts=texts,
    )
    house = await build(await make_database("sqlite"), tmp_path / "toy", model=False, capabilities=(*CAPABILITIES, toy))
    await said(house, "/reset")
    assert await confirmed(house, "yes") == "It is reset."
    await said(house, "/reset")
    assert await confirmed(house, "Reset it") == "It is reset."
