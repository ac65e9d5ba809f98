"""Slash commands of Slack as lines of ours, and where their answers may go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.adapters.slack.parse.messages import Known
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.receive.slash_commands import NOWHERE, as_typed, command, hook_of, line
from core.kernel.timing.expressions import At
from core.kernel.types import Sender
from core.language import pick
from core.scheduling import time_input

NAMES = frozenset({"help", "todo", "remind"})
ME = Me(team="T1", user="U0BOT")
BOB = Sender(address="slack:T1:U2", name="Bob", handle="@bob")
KNOWN = Known(people={"U2": BOB}, title="#general")
FORM = {
    "command": "/teller",
    "text": "todo ask <@U2|bob> &amp; wait",
    "user_id": "U1",
    "channel_id": "C1",
    "trigger_id": "1.2.abc",
    "token": "old-secret",
    "response_url": "https://hooks.slack.com/commands/1",
}


@pytest.mark.parametrize(
    ("name", "text", "said", "sentence"),
    [
        ("/teller", "todo add milk", "/todo add milk", "todo add milk"),
        ("/teller", "TODO add milk", "/todo add milk", "TODO add milk"),
        ("/teller", "/todo", "/todo", ""),
        ("/teller", "/todo add milk", "/todo add milk", ""),
        ("/teller", "", "/help", ""),
        ("/teller", "help", "/help", ""),
        ("/teller", "what time is it", "what time is it", ""),
        ("/todo", "add milk", "/todo add milk", ""),
        ("/todo", "", "/todo", ""),
        ("/assistant", "remind  me at 9", "/remind me at 9", "remind  me at 9"),
    ],
)
def test_a_command_is_a_line_and_without_a_slash_it_may_be_a_sentence(
    name: str, text: str, said: str, sentence: str
) -> None:
    assert line(name, text, NAMES) == (said, sentence)


@pytest.mark.parametrize(
    ("typed", "said", "sentence"),
    [
        ("/teller todo add milk", "/todo add milk", "todo add milk"),
        ("/Teller", "/help", ""),
        ("/teller what time is it", "what time is it", ""),
        ("/todo", "/todo", ""),
        ("a /teller todo", "a /teller todo", ""),
    ],
)
def test_a_command_behind_the_name_of_the_app_is_one_as_a_message_too(typed: str, said: str, sentence: str) -> None:
    message = replace(read(), text=typed, sentence="")
    assert as_typed(message, NAMES) == replace(message, text=said, sentence=sentence)
    passed_on = replace(message, forwarded=True)
    assert as_typed(passed_on, NAMES) == passed_on


def read(chat: str = "C1", response_url: str = "https://hooks.slack.com/commands/1", **fields: str) -> Any:
    return command({**FORM, **fields}, ME, KNOWN, chat=chat, response_url=response_url, names=NAMES, now=5)


def test_a_command_is_what_somebody_says_politely() -> None:
    found = read()
    assert (found.text, found.key, found.polite, found.title) == (
        "/todo ask @bob & wait",
        "k:1.2.abc",
        True,
        "#general",
    )
    assert (found.chat_kind, found.mentioned, found.response_url) == ("group", (BOB,), FORM["response_url"])


def test_secrets_of_a_command_are_not_kept() -> None:
    assert "old-secret" not in read().raw
    assert "hooks.slack.com" not in read().raw


def test_in_the_private_conversation_no_hook_is_needed() -> None:
    assert read("D1", channel_id="D1").response_url == ""
    assert read("D1", channel_id="C1").response_url == FORM["response_url"]


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://hooks.slack.com/commands/T1/2/3", True),
        ("http://127.0.0.1:8082/response/1", True),
        ("http://hooks.slack.com/commands/1", False),
        ("https://hooks.slack.com.evil.example/1", False),
        ("https://hooks.slack.com@evil.example/1", False),
        ("https://evil.example/hooks.slack.com", False),
        ("http://127.0.0.1:9999/response/1", False),
        ("https://[broken", False),
        ("", False),
    ],
)
def test_answers_go_to_slack_alone_or_by_other_ways_to_the_same_eyes(url: str, kept: bool) -> None:
    assert hook_of({"response_url": url}, "127.0.0.1:8082") == (url if kept else NOWHERE)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", ["call Oma", "call Oma tomorrow at 9", "me at 9 to call", "打电话给外婆 ⏰ 明天"])
def test_the_line_of_a_window_is_read_as_it_is_meant(language: str, text: str) -> None:
    found = time_input.read(f"2030-03-17 18:46 ⏰ {text}", pick(language), quoted="the message")
    assert found.text == text
    assert isinstance(found.when, At)
    assert found.when.clock is not None
    assert (found.when.clock.hour, found.when.clock.minute) == (18, 46)
