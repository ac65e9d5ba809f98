"""What a message offers below its text: buttons, a list to choose from, a field to answer in."""

from __future__ import annotations

from typing import Any

import pytest

from bot.adapters.slack.render.render import render
from core.kernel.types import Button, Keyboard
from tests.emulators.slack_blocks import checked_blocks

TOKEN = "A" * 22


def offered(*labels: str, reply: bool = False) -> list[dict[str, Any]]:
    buttons = tuple(Button(label=label, data=f"{TOKEN}:{number}") for number, label in enumerate(labels))
    [part] = render("Which?", (), Keyboard(buttons=buttons, reply=reply))
    checked_blocks(part.payload["blocks"])
    *_, last = part.payload["blocks"]
    elements: list[dict[str, Any]] = last["elements"] if last["type"] == "actions" else []
    return elements


def test_a_button_carries_its_data_and_an_id_of_its_own() -> None:
    yes, no = offered("Yes", "No")
    assert yes == {
        "type": "button",
        "action_id": "teller:0",
        "text": {"type": "plain_text", "text": "Yes", "emoji": True},
        "value": f"{TOKEN}:0",
    }
    assert (no["action_id"], no["value"]) == ("teller:1", f"{TOKEN}:1")


def test_long_labels_are_cut_and_empty_ones_are_seen() -> None:
    long, empty = offered("x" * 200, "\u202e \n")
    assert len(long["text"]["text"]) == 75
    assert long["text"]["text"].endswith("…")
    assert empty["text"]["text"] == "…"


def test_a_few_long_options_are_buttons() -> None:
    assert [element["type"] for element in offered(*["a long label, longer than many"] * 5)] == ["button"] * 5


def test_many_short_options_are_buttons() -> None:
    assert [element["type"] for element in offered(*map(str, range(10)))] == ["button"] * 10


def test_many_long_options_are_chosen_from_a_list() -> None:
    [select] = offered(*["a long label, longer than many"] * 6)
    assert (select["type"], select["action_id"]) == ("static_select", "teller:select")
    assert [option["value"] for option in select["options"]] == [f"{TOKEN}:{number}" for number in range(6)]


def test_more_than_a_row_of_buttons_holds_is_a_list() -> None:
    [select] = offered(*map(str, range(100)))
    assert len(select["options"]) == 100


def test_more_than_a_list_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="101"):
        offered(*map(str, range(101)))


@pytest.mark.parametrize("data", ["", "x" * 151])
def test_data_that_slack_would_refuse_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="data"):
        render("x", (), Keyboard(buttons=(Button(label="x", data=data),)))


def test_a_question_without_options_has_a_field_to_answer_in() -> None:
    [answer] = offered(reply=True)
    assert (answer["action_id"], answer["text"]["text"]) == ("teller:answer", "✍️ Answer…")


def test_the_field_to_answer_in_is_named_as_the_core_says() -> None:
    [part] = render("要几个？", (), Keyboard(reply=True, label="✍️ 回答…"))
    checked_blocks(part.payload["blocks"])
    [answer] = part.payload["blocks"][-1]["elements"]
    assert (answer["action_id"], answer["text"]["text"]) == ("teller:answer", "✍️ 回答…")


def test_suggestions_are_a_list() -> None:
    [part] = render("Coffee?", ["Yes *please*", " ", "No"])
    assert part.payload["blocks"] == [{"type": "markdown", "text": "Coffee?\n\n- Yes \\*please\\*\n- No"}]


def test_the_last_message_has_the_buttons() -> None:
    parts = render("word " * 4_000, (), Keyboard(buttons=(Button(label="Yes", data="k:0"),)))
    kinds = [[block["type"] for block in part.payload["blocks"]] for part in parts]
    assert kinds == [["markdown"], ["markdown", "actions"]]


def test_long_labels_leave_less_room_for_text() -> None:
    buttons = tuple(Button(label="l" * 75, data=f"k:{number}") for number in range(100))
    for part in render("word " * 5_000, (), Keyboard(buttons=buttons)):
        checked_blocks(part.payload["blocks"])
