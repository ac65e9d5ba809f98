"""A reminder that somebody sets in a channel for themselves, where only they see the answer: it comes in their chat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from tests.commanding import planned
from tests.fakes import FakeAdapter, House, Sent, house

pytestmark = pytest.mark.databases("sqlite")

ANN, BO, HOOK = "slack:T1:U1", "slack:T1:U2", "https://hooks.example"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "#team", "converses": True}
INSTEAD = "In #team instead"


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A bot that was spoken to in a channel; Ann owns it, Bo is a guest there."""
    made = await house(database, tmp_path / "house", model=False, adapter=FakeAdapter("slack"), owners=(ANN,))
    await said(made, "hello", sender=ANN)
    return made


async def said(home: House, text: str, **fields: Any) -> list[Sent]:
    """Say something in the channel; returns what is sent."""
    before = len(home.adapter.sent)
    await home.hear(text, **{**CHANNEL, **fields})
    await home.work()
    return home.adapter.sent[before:]


async def overheard(home: House, text: str, sender: str = ANN, **fields: Any) -> list[Sent]:
    """Write a command there, for one's own eyes."""
    own = f"D{sender[-1]}"
    return await said(home, text, sender=sender, response_url=f"{HOOK}/asked", message_id="", direct=own, **fields)


async def press(home: House, label: str, sender: str = ANN) -> list[Sent]:
    """Press a button of what only one person sees; returns what is sent."""
    before, data = len(home.adapter.sent), home.button(label, "C1")
    await home.press("", sender=sender, chat="C1", chat_kind="group", data=data, response_url=f"{HOOK}/pressed")
    await home.work()
    return home.adapter.sent[before:]


async def later(home: House, seconds: float) -> list[Sent]:
    """Let time pass; returns what is sent then."""
    before = len(home.adapter.sent)
    home.clock.advance(seconds)
    await home.sweep()
    return home.adapter.sent[before:]


def labels(sent: Sent) -> list[str]:
    return [] if sent.keyboard is None else [button.label for button in sent.keyboard.buttons]


@pytest.mark.parametrize(
    "text", ["/remind me in 10 minutes to call the doctor", "/remind in 10 minutes call the doctor"]
)
async def test_it_comes_in_their_own_chat_and_the_answer_says_so(home: House, text: str) -> None:
    [answer] = await overheard(home, text)
    assert answer.to.response_url
    assert answer.text.endswith("call the doctor\nIt comes in your own chat with me, where only you see it.")
    assert labels(answer) == ["Change", "Undo", INSTEAD]
    [posted] = await later(home, 600)
    assert (posted.to.chat, posted.to.response_url, posted.text) == ("D1", "", "⏰ call the doctor")


async def test_nobody_else_sees_it_in_the_list_of_the_channel(home: House) -> None:
    await overheard(home, "/remind in 10 minutes call the doctor")
    [listed] = await overheard(home, "/tasks", BO, kin="full")
    assert "doctor" not in listed.text
    [own] = await said(home, "/tasks", sender=ANN, chat="D1", chat_kind="private", converses=False, title="")
    assert "call the doctor" in own.text


@pytest.mark.databases("sqlite", "postgres")
async def test_a_press_brings_it_to_the_channel_and_that_can_be_taken_back(home: House) -> None:
    await overheard(home, "/remind in 10 minutes feed the cat")
    [moved] = await press(home, INSTEAD)
    assert moved.to.response_url
    assert moved.text.endswith("feed the cat\nIt comes here, where everybody sees it.")
    await press(home, "Undo")
    [posted] = await later(home, 600)
    assert posted.to.chat == "D1"
    await overheard(home, "/remind in 10 minutes feed the dog")
    await press(home, INSTEAD)
    [public] = await later(home, 600)
    assert (public.to.chat, public.to.response_url) == ("C1", "")
    assert public.text.endswith(": feed the dog")


async def test_its_buttons_change_it_and_take_it_back(home: House) -> None:
    await overheard(home, "/remind in 10 minutes stretch")
    await press(home, "Change")
    closed, moved = await overheard(home, "in 20 minutes")
    assert closed.text.endswith(f"✅ in 20 minutes — Name of {ANN}")
    assert "in 20 min: stretch" in moved.text
    assert [one.text for one in await later(home, 600)] == []
    [undone] = await press(home, "Undo")
    assert undone.to.response_url
    assert await planned(home) == ["stretch"]
    [undone] = await overheard(home, "/undo")
    assert undone.text == "↩ Taken back: the reminder “stretch”."
    assert await planned(home) == []


async def test_said_openly_undo_finds_nothing_of_it(home: House) -> None:
    await overheard(home, "/remind in 10 minutes call the doctor")
    [answer] = await said(home, "/undo", sender=ANN)
    assert "doctor" not in answer.text
    assert await planned(home) == ["call the doctor"]


async def test_what_recurs_is_theirs_too_and_can_be_paused_there(home: House) -> None:
    [answer] = await overheard(home, "/every day at 9 stretch")
    assert labels(answer)[-1] == INSTEAD
    [paused] = await press(home, "Stop")
    assert paused.to.response_url
    assert await planned(home) == []


async def test_what_is_for_all_or_for_others_stays_in_the_channel(home: House) -> None:
    await said(home, "hello", sender=BO, kin="full", handle="@bo")
    for text in (
        "/remind us in 10 minutes to eat",
        "/remind everybody in 11 minutes to go",
        "/remind @bo in 12 minutes hi",
    ):
        [answer] = await overheard(home, text)
        assert INSTEAD not in labels(answer)
    assert [one.to.chat for one in await later(home, 720)] == ["C1", "C1", "C1"]


async def test_what_all_can_read_is_answered_and_comes_in_the_channel(home: House) -> None:
    [answer] = await said(home, "/remind me in 10 minutes to stretch", sender=ANN)
    assert (answer.to.response_url, INSTEAD in labels(answer)) == ("", False)
    assert [one.to.chat for one in await later(home, 600)] == ["C1"]


async def test_a_guest_has_no_such_chat_and_is_told_that_all_will_see_it(home: House) -> None:
    await said(home, "hello", sender=BO, kin="full")
    [answer] = await overheard(home, "/remind in 10 minutes stretch", BO, kin="full")
    assert answer.text.endswith("It comes here, where everybody sees it.")


async def test_a_time_is_by_their_own_clock(home: House) -> None:
    await overheard(home, "/timezone Asia/Tokyo", chat="D1", chat_kind="private", title="", converses=False)
    [answer] = await overheard(home, "/remind tomorrow at 9 call Kyoto")
    assert "9:00" in answer.text
    assert "Tokyo" in answer.text
    assert "UTC" not in answer.text


async def test_a_list_in_a_channel_says_whose_it_is(home: House) -> None:
    [added] = await overheard(home, "/todo milk")
    assert added.text == "☐ milk\n\nIn the list of \\#team, which everybody there shares."
    [shown] = await said(home, "/todo", sender=ANN)
    assert "which everybody there shares" not in shown.text


async def test_where_the_bot_is_not_any_more_it_does_not_come(home: House) -> None:
    await overheard(home, "/remind me in 10 minutes to call the doctor")
    await home.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE external_id = 'C1'"))
    _, refused = await press(home, INSTEAD)
    assert refused.text.startswith("I am not in this chat any more")
    assert [one.to.chat for one in await later(home, 601)] == ["D1"]
