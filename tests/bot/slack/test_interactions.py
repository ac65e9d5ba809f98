"""Presses and windows of Slack, read from whatever comes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from bot.adapters.slack.parse.events import readable
from bot.adapters.slack.parse.messages import Known
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.receive import modals
from bot.adapters.slack.receive.interactions import press
from bot.adapters.slack.receive.slash_commands import NOWHERE
from bot.adapters.slack.render.render import render
from core.kernel.types import Button, Keyboard, Press, Sender
from core.kernel.updates import Skipped
from core.language import languages, pick
from tests.emulators.slack_blocks import checked_view

ME = Me(team="T1", user="U0BOT")
ADA = Sender(address="slack:T1:U1", name="Ada")
KNOWN = Known(people={"U1": ADA})
TS = "1700000000.000100"
NOW = 1_700_000_000_000
HOOK = "https://hooks.slack.com/actions/1"
BUTTON = {"action_id": "teller:1", "value": "abc:1", "action_ts": "1700000001.000000"}


def pressed(action: Any = None, chat: str = "C1", **fields: Any) -> Any:
    payload = {
        "user": {"id": "U1", "team_id": "T1"},
        "container": {"type": "message", "message_ts": TS, "channel_id": "C1"},
        "response_url": HOOK,
        "trigger_id": "t",
        "token": "old-secret",
        **fields,
    }
    return press(payload, action or BUTTON, ME, KNOWN, chat=chat, host="slack.com")


def test_a_button_is_read_whole() -> None:
    found = pressed()
    assert found.key == f"p:1700000001.000000:{TS}:U1:teller:1"
    assert (found.data, found.sender, found.message_id, found.thread) == ("abc:1", ADA, TS, TS)
    assert found.response_url == ""
    assert "old-secret" not in found.raw
    assert "hooks.slack.com" not in found.raw


def test_a_choice_carries_the_data_of_its_option() -> None:
    option = {"text": {"type": "plain_text", "text": "x"}, "value": "abc:7"}
    assert pressed({"action_id": "teller:select", "action_ts": TS, "selected_option": option}).data == "abc:7"


def test_what_carries_nothing_is_skipped() -> None:
    assert isinstance(pressed({"action_id": "teller:1", "action_ts": TS}), Skipped)


def test_only_what_one_person_sees_is_changed_by_its_hook() -> None:
    container = {"message_ts": TS, "channel_id": "C1", "is_ephemeral": True}
    assert pressed(container=container).response_url == HOOK
    assert pressed(container=container, response_url="https://evil.example/").response_url == NOWHERE
    assert pressed(response_url="https://evil.example/").response_url == ""


def test_a_press_in_a_thread_is_in_that_thread() -> None:
    container = {"message_ts": TS, "channel_id": "C1", "thread_ts": "1699999999.000000"}
    assert pressed(container=container).thread == "1699999999.000000"


def test_a_press_on_the_page_belongs_to_the_private_conversation() -> None:
    found = pressed(chat="D1", container={"type": "view", "view_id": "V1"})
    assert (found.chat, found.chat_kind, found.message_id, found.thread) == ("D1", "private", "", "")
    assert ":V1:" in found.key


@given(
    st.dictionaries(
        st.sampled_from(("user", "container", "message", "channel")),
        st.none() | st.integers() | st.text() | st.dictionaries(st.sampled_from(("id", "message_ts")), st.text()),
    )
)
def test_whatever_comes_is_read_or_kept(fields: dict[str, Any]) -> None:
    assert readable(fields, lambda: pressed(**fields)).key


@pytest.mark.parametrize("language", languages().values(), ids=lambda one: one.code)
def test_windows_keep_slacks_limits_in_every_language(language: Any) -> None:
    note = {"chat": "C1", "ts": TS, "quoted": "字\n" * 4_000}
    for view in (
        modals.answer(language, note),
        modals.reminder(language, note, "x" * 5_000, "Europe/Berlin", NOW),
        modals.todo(language),
    ):
        checked_view(view, "modal")
        assert len(view["title"]["text"]) <= View.title_max_length


def test_a_note_comes_back_and_a_long_one_shorter() -> None:
    note = {"chat": "C1", "ts": TS, "quoted": "“x”\n" * 3_000}
    view = modals.answer(pick("en"), note)
    found = modals.noted(view)
    assert (found["chat"], found["ts"]) == ("C1", TS)
    assert 500 < len(found["quoted"]) < 3_000
    assert note["quoted"].startswith(found["quoted"])


@pytest.mark.parametrize("metadata", ["", "{", "[1]", '{"chat": 5}', "[" * 2_000])
def test_a_strange_note_is_none(metadata: str) -> None:
    assert modals.noted({"private_metadata": metadata}) == {}


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Tokyo", "", "no/where", "../../etc/passwd"])
def test_tomorrow_at_nine_is_proposed(zone: str) -> None:
    expected = {"Europe/Berlin": 1_700_035_200_000, "Asia/Tokyo": 1_700_092_800_000}
    found = modals.tomorrow(zone, NOW)
    assert NOW < found <= NOW + 2 * 86_400_000
    assert found == expected.get(zone, 1_700_038_800_000)


@pytest.mark.parametrize(
    "state", [None, {}, {"values": 5}, {"values": {"when": {"when": {"selected_date_time": "x"}}}}]
)
def test_an_instant_that_is_none_is_zero(state: Any) -> None:
    assert modals.when_entered({"state": state}) == 0
    assert modals.text_entered(json.loads(json.dumps({"state": state})), 10) == ""


def test_a_press_is_one_of_ours() -> None:
    assert isinstance(pressed(), Press)


@pytest.mark.parametrize(("text", "hint"), [("Which one?", "Choose…"), ("要哪一个？", "请选择…")])
def test_a_list_says_what_it_is_for_in_the_language_of_its_text(text: str, hint: str) -> None:
    buttons = tuple(Button(f"a rather long label of number {n}", f"data:{n}") for n in range(9))
    [part] = render(text, (), Keyboard(buttons=buttons))
    [menu] = part.payload["blocks"][-1]["elements"]
    assert menu["placeholder"]["text"] == hint


def test_a_press_that_counts_is_not_told_in_a_message_that_stays() -> None:
    shown = press({"user": {"id": "U1"}, "container": {}}, BUTTON, ME, KNOWN, chat="D1", host="")
    assert isinstance(shown, Press)
    assert not shown.toasts
