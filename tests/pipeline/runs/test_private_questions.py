"""What somebody asks in a channel for their eyes alone: where it belongs, what is asked back, who reads it later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.adapters.slack.render.command_style import spelling
from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, ToolCall
from tests.asking import NAME, TEA, ask
from tests.fakes import FakeAdapter, House, Sent, claim_lane, house

pytestmark = pytest.mark.databases("sqlite")

ANN, BO, HOOK = "slack:T1:U1", "slack:T1:U2", "https://hooks.example"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general", "converses": True}
SECRET = "my salary is 12345"


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A bot that was spoken to in a channel; Ann owns it, Bo is a guest there."""
    made = await house(database, tmp_path / "house", adapter=FakeAdapter("slack"), owners=(ANN,))
    answering(made, "Hm.")
    await say(made, "hello", message_id="1.1", thread="1.1")
    return made


def answering(home: House, *answers: str | Answer) -> None:
    """Let the model answer this; the last one again and again."""
    left = list(answers)

    def answer(request: ModelRequest) -> str | Answer:
        return left.pop(0) if len(left) > 1 else left[0]

    assert home.model is not None
    home.model.always(answer)


async def say(home: House, text: str, sender: str = ANN, **fields: Any) -> list[Sent]:
    """Say something in the channel; returns what is sent."""
    before = len(home.adapter.sent)
    await home.hear(text, **{**CHANNEL, "sender": sender, **fields})
    await home.work()
    return home.adapter.sent[before:]


async def whisper(home: House, text: str, sender: str = ANN, **fields: Any) -> list[Sent]:
    """Write a command there; returns what is sent."""
    own = f"D{sender[-1]}"
    more = {"response_url": f"{HOOK}/{text[:4]}", "message_id": "", "direct": own, "polite": True}
    return await say(home, text, sender, **{**more, **fields})


async def press(home: House, label: str, sender: str = ANN, chat: str = "C1", shown_in: str = "C1") -> list[Sent]:
    """Press a button of what only one person sees; returns what is sent."""
    before, data = len(home.adapter.sent), home.button(label, chat)
    await home.press("", sender=sender, chat=shown_in, chat_kind="group", data=data, response_url=f"{HOOK}/pressed")
    await home.work()
    return home.adapter.sent[before:]


def prompt(home: House) -> str:
    """All that the model was shown last."""
    assert home.model is not None
    return str(home.model.requests[-1].messages)


def public(sent: list[Sent]) -> list[str]:
    return [one.text for one in sent if one.to.chat == "C1" and not one.to.response_url]


async def test_what_somebody_asks_for_their_eyes_belongs_to_their_own_conversation(home: House) -> None:
    answering(home, "Ask for more.")
    [answer] = await whisper(home, SECRET)
    assert (answer.text, answer.to.chat, answer.to.response_url) == ("Ask for more.", "D1", f"{HOOK}/my s")
    await say(home, "and now?", chat="D1", chat_kind="private", converses=False)
    assert SECRET in prompt(home)


async def test_a_command_is_for_the_place_where_it_is_given(home: House) -> None:
    [answer] = await whisper(home, "/todo add milk")
    assert (answer.to.chat, bool(answer.to.response_url)) == ("C1", True)
    [listed] = await whisper(home, "/todo", BO, kin="full")
    assert "milk" in listed.text


@pytest.mark.parametrize("asker", [ANN, BO])
async def test_nobody_elses_model_reads_it(home: House, asker: str) -> None:
    answering(home, "Ask your ANSWER.")
    await whisper(home, SECRET, asker, kin="full")
    await whisper(home, "/remind SECRET-COMMAND", asker, kin="full")
    other = BO if asker == ANN else ANN
    for fields in ({}, {"response_url": "", "thread": ""}):
        await whisper(home, "anything?", other, kin="full", **fields)
        assert not [one for one in (SECRET, "ANSWER", "SECRET-COMMAND") if one in prompt(home)]


async def test_a_guest_who_has_no_conversation_is_answered_there_and_goes_on(home: House) -> None:
    [answer] = await whisper(home, SECRET, BO, kin="full")
    assert (answer.to.chat, bool(answer.to.response_url)) == ("C1", True)
    await whisper(home, "and now?", BO, kin="full")
    assert SECRET in prompt(home)
    await say(home, "in the open", BO, kin="full", thread="", message_id="9.9")
    assert SECRET not in prompt(home)


async def test_two_of_them_are_answered_each_by_its_own_hook(home: House) -> None:
    await home.hear("first", **CHANNEL, sender=ANN, response_url=f"{HOOK}/1", direct="D1", message_id="")
    sent = await whisper(home, "second")
    assert [one.to.response_url for one in sent] == [f"{HOOK}/1", f"{HOOK}/seco"]


async def test_its_history_is_shown_to_nobody_else(home: House) -> None:
    await whisper(home, SECRET, BO, kin="full")
    [theirs] = await whisper(home, "/history", BO, kin="full")
    [others] = await whisper(home, "/history")
    assert (SECRET in theirs.text, SECRET in others.text) == (True, False)


async def test_what_the_model_asks_back_is_asked_in_their_own_conversation(home: House) -> None:
    answering(home, ask(TEA), "Noted.")
    [question] = await whisper(home, "what shall I drink")
    assert (question.to.chat, question.to.response_url) == ("D1", "")
    await home.press("Coffee", sender=ANN, chat="D1")
    await home.work()
    assert home.adapter.sent[-1].to.chat == "D1"


async def test_a_guest_is_asked_for_their_eyes_and_answered_so(home: House) -> None:
    answering(home, ask(TEA), "Noted, tea.")
    [question] = await whisper(home, "what shall I drink", BO, kin="full")
    assert (question.to.chat, bool(question.to.response_url)) == ("C1", True)
    sent = await press(home, "Tea", BO)
    assert [(one.to.chat, bool(one.to.response_url)) for one in sent] == [("C1", True)] * 2
    assert "Noted, tea." in [one.text for one in sent]


@pytest.mark.databases("sqlite", "postgres")
async def test_nothing_of_it_is_said_to_all_when_its_time_is_up(home: House) -> None:
    answering(home, ask(NAME), "You did not say.")
    before = len(home.adapter.sent)
    await whisper(home, "guess", BO, kin="full")
    home.clock.advance(100)
    await home.sweep()
    assert "You did not say." in [one.text for one in home.adapter.sent]
    assert public(home.adapter.sent[before:]) == []


async def test_an_answer_from_a_window_is_answered_for_their_eyes(home: House) -> None:
    answering(home, ask(NAME), "Hello, Bo.")
    await whisper(home, "guess", BO, kin="full")
    [answer] = await say(home, "Bo", BO, kin="full", message_id="")
    assert (answer.text, bool(answer.to.response_url)) == ("Hello, Bo.", True)


async def test_what_a_command_asks_back_is_asked_for_their_eyes(home: House) -> None:
    sent = await whisper(home, "/remind tell my boss I quit")
    assert (sent[-1].text[:13], public(sent)) == ("When exactly?", [])
    answer = [one for one in await whisper(home, "tomorrow at 9") if not one.to.replaces]
    assert [("quit" in one.text, one.to.chat, bool(one.to.response_url)) for one in answer] == [(True, "C1", True)]


async def test_a_question_to_one_is_not_shown_to_the_model_of_another(home: House) -> None:
    answering(home, ask({**TEA, "question": "Do you quit?"}), "Hm.")
    await whisper(home, "what now", BO, kin="full")
    await whisper(home, "hello", direct="")
    assert "Do you quit?" not in prompt(home)


async def test_a_question_for_ones_eyes_is_not_told_to_all_by_what_its_person_asks_in_the_open(home: House) -> None:
    await whisper(home, "/remind tell my boss I quit", BO, kin="full")
    await say(home, "/brief 14:30", BO, kin="full")
    for text in ("/today", "what is on today?", "/tasks", "hello"):
        await say(home, text, BO, kin="full")
    assert "quit" not in prompt(home)
    home.clock.advance(1200)
    await home.sweep()
    await home.work()
    told = public(home.adapter.sent)
    assert sum("Nothing is due today" in text for text in told) == 3
    assert "quit" not in "\n".join(told)
    [own] = await whisper(home, "/today", BO, kin="full", direct="")
    assert "❓ When exactly? “tell my boss I quit”" in own.text


async def test_what_is_worked_on_for_ones_eyes_is_not_told_to_all(home: House) -> None:
    own = {"response_url": f"{HOOK}/1", "direct": "D2", "message_id": ""}
    await home.hear(SECRET, **{**CHANNEL, **own}, sender=BO, kin="full")
    (lane_id,) = await home.column("SELECT lane_id FROM inbox WHERE hook <> ''")
    assert await home.db.write(lambda tx: claim_lane(home, tx, lane_id)) is not None
    in_thread = {"message_id": "2.1", "thread": "2.1"}
    [told] = await say(home, "/today", BO, kin="full", **in_thread)
    assert "12345" not in told.text
    [alone] = await whisper(home, "/today", BO, kin="full", **{**in_thread, "direct": ""})
    assert f"⏳ {SECRET}" in alone.text


async def test_that_the_model_is_silent_is_said_for_their_eyes(home: House) -> None:
    def down(request: ModelRequest) -> str:
        raise ModelUnreachable("down")

    assert home.model is not None
    home.model.always(down)
    for asker in (ANN, BO):
        [told] = await whisper(home, SECRET, asker, kin="full")
        assert ("unreachable" in told.text, bool(told.to.response_url)) == (True, True)


async def test_buttons_below_an_answer_work_where_it_is_shown(home: House) -> None:
    call = ToolCall(id="c1", name="add_todo", arguments={"text": "milk"})
    answering(home, Answer(calls=(call,)), "Done.")
    await say(home, "/todo add bread", chat="D1", chat_kind="private", converses=False)
    [listed] = await whisper(home, "what is on my list?")
    assert listed.to.chat == "D1"
    shown = await press(home, "Undo", chat="D1")
    assert shown[-1].to.chat == "D1"


async def test_a_stranger_to_it_cannot_press_what_another_sees(home: House) -> None:
    await say(home, "/todo add bread", chat="D1", chat_kind="private", converses=False)
    assert await press(home, "Undo", BO, chat="D1") == []


@pytest.mark.databases("sqlite", "postgres")
async def test_a_stop_in_the_channel_reaches_what_is_worked_on_apart(home: House) -> None:
    await home.hear("a long story", **CHANNEL, sender=ANN, response_url=f"{HOOK}/1", direct="D1", message_id="")
    [told] = await whisper(home, "/stop")
    assert "Left unanswered: 1" in told.text


async def test_a_stop_in_a_private_conversation_reaches_its_threads(home: House) -> None:
    own: dict[str, Any] = {"chat": "D1", "chat_kind": "private", "sender": ANN}
    await home.hear("hello", **own, converses=False)
    await home.work()
    await home.hear("a long story", **own, thread="1.1", converses=True)
    [told] = await say(home, "/stop", **own, converses=False)
    assert "Left unanswered: 1" in told.text


async def test_a_list_from_where_the_bot_is_not_says_whose_it_is(home: House) -> None:
    away: dict[str, Any] = {"chat": "D1", "chat_kind": "private", "converses": False, "direct": ""}
    home.adapter.spelling = spelling("/teller", "/todo")
    line = "In your own list: I am not in this channel. Invite me: `/invite @Teller`"
    for command in ("/todo eggs", "/todo", "/today", "/tasks"):
        [answer] = await whisper(home, command, **away)
        assert answer.text.endswith(f"\n\n{line}")
    for text, fields in (("/todo", {**away, "response_url": ""}), ("what is on my list?", {})):
        [answer] = await whisper(home, text, **fields)
        assert line not in answer.text
    await whisper(home, "/todo edit eggs", **away)
    [*_, answer] = await whisper(home, "brown eggs", **away)
    assert answer.text.endswith(f"✏️ ☐ brown eggs\n\n{line}")
    await whisper(home, "/language zh", **away)
    [answer] = await whisper(home, "/todo milk", **away)
    assert answer.text.endswith("这是你自己的清单：我不在这个频道里。邀请我：`/invite @Teller`")


async def test_buttons_of_what_one_sees_go_when_the_time_to_answer_is_up(home: House) -> None:
    answering(home, ask(TEA), "You did not say.")
    [question] = await whisper(home, "guess", BO, kin="full")
    home.clock.advance(100)
    await home.sweep()
    [ended] = [one for one in home.adapter.sent if one.to.replaces == question.platform_id]
    assert (ended.keyboard, ended.to.response_url) == (None, question.to.response_url)
