"""What one person changes for all of a channel, by a command that else only they see the answer of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from tests.fakes import FakeAdapter, House, Sent, house

pytestmark = pytest.mark.databases("sqlite")

ANN, HOOK = "slack:T1:U1", "https://hooks.example"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general", "converses": True}


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A bot that its owner spoke to in a channel."""
    made = await house(database, tmp_path / "house", adapter=FakeAdapter("slack"), owners=(ANN,))
    await made.hear("/help", **CHANNEL, sender=ANN, message_id="1.1", thread="1.1")
    await made.work()
    return made


async def whisper(home: House, text: str) -> Sent:
    """Write a command there; returns its answer."""
    more: dict[str, Any] = {"response_url": f"{HOOK}/1", "message_id": "", "direct": "D1", "polite": True}
    await home.hear(text, **CHANNEL, sender=ANN, **more)
    await home.work()
    return home.adapter.sent[-1]


async def press(home: House, label: str, *, response_url: str = "") -> Sent:
    data = home.button(label, "C1")
    await home.press("", sender=ANN, chat="C1", chat_kind="group", data=data, response_url=response_url)
    await home.work()
    return home.adapter.sent[-1]


def labels(sent: Sent) -> list[str]:
    return [button.label for button in sent.keyboard.buttons] if sent.keyboard else []


@pytest.mark.parametrize(
    "command",
    ["/readalong on", "/language zh", "/timezone Europe/Berlin", "/quiet 22-7", "/brief 8"],
)
async def test_what_changes_the_bot_for_all_of_a_channel_is_said_to_all(home: House, command: str) -> None:
    answer = await whisper(home, command)
    assert (answer.to.chat, answer.to.response_url) == ("C1", "")
    assert not {"Share here", "分享到这里"} & set(labels(answer))
    undone = await press(home, labels(answer)[-1] if command != "/brief 8" else "Undo")
    assert undone.to.response_url == ""


@pytest.mark.parametrize("command", ["/readalong", "/readalong off", "/quiet", "/language", "/brief", "/tasks"])
async def test_what_changes_nothing_is_for_who_asked(home: House, command: str) -> None:
    assert (await whisper(home, command)).to.response_url == f"{HOOK}/1"


async def test_who_lets_rest_what_comes_for_all_says_so_to_all(home: House) -> None:
    await whisper(home, "/remind us every day at 9 to stretch")
    assert (await whisper(home, "/pause stretch until no end for now")).to.response_url == ""
    assert (await whisper(home, "/resume stretch")).to.response_url == ""
    assert (await whisper(home, "/tasks stretch")).to.response_url == f"{HOOK}/1"
    stopped = await press(home, "Stop", response_url=f"{HOOK}/2")
    assert (stopped.text, stopped.to.response_url, stopped.to.replaces) == ("🗑 Stopped: stretch", "", "")
    assert (await press(home, "Undo")).to.response_url == ""


async def test_who_stops_their_own_need_not_tell_the_others(home: House) -> None:
    await whisper(home, "/remind me every day at 9 to stretch")
    assert (await whisper(home, "/cancel stretch")).to.response_url == f"{HOOK}/1"
