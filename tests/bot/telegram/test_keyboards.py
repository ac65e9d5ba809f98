"""Buttons can be read on a phone, and the Bot API takes them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.render.keyboards import MOST_CHOICES, label, markup, rows, stored
from bot.adapters.telegram.render.render import render
from core.capabilities.chat.tools import LONGEST_OPTION
from core.kernel.types import Button, Keyboard
from tests.emulators.telegram_markup import checked_markup


def keyboard(*labels: str) -> Keyboard:
    return Keyboard(buttons=tuple(Button(label=text, data=f"v1:{n}") for n, text in enumerate(labels)))


@pytest.mark.parametrize(
    ("labels", "shape"),
    [
        (["Yes", "No"], [["Yes", "No"]]),
        (["Mon", "Tue", "Wed"], [["Mon", "Tue", "Wed"]]),
        (["1", "2", "3", "4"], [["1", "2"], ["3", "4"]]),
        (["1", "2", "3", "4", "5"], [["1", "2", "3"], ["4", "5"]]),
        (["a" * 10, "b" * 11], [["a" * 10, "b" * 11]]),
        (["a" * 16, "b" * 17], [["a" * 16], ["b" * 17]]),
        (["a long answer that fills a row", "Yes", "No"], [["a long answer that fills a row"], ["Yes", "No"]]),
        (["一二三四五", "六七八九十", "好"], [["一二三四五", "六七八九十", "好"]]),
        (["一二三四五六", "一二三四五六", "好"], [["一二三四五六", "一二三四五六"], ["好"]]),
        (["一二三四五六七八九", "好"], [["一二三四五六七八九"], ["好"]]),
        (["😀😀😀😀😀", "👍", "👎"], [["😀😀😀😀😀", "👍", "👎"]]),
        (["✅ Done", "+10 min", "+1 h", "tomorrow"], [["✅ Done", "+10 min"], ["+1 h", "tomorrow"]]),
        (["a", "b", "c", "d", "a long answer"], [["a", "b"], ["c", "d"], ["a long answer"]]),
        (["☐ milk", "☐ eggs", "☐ tea", "◀", "▶"], [["☐ milk", "☐ eggs", "☐ tea"], ["◀", "▶"]]),
        (
            ["☐ milk", "☐ call the dentist", "☐ eggs", "☐ a present for Anna", "☐ tea", "◀", "▶"],
            [["☐ milk"], ["☐ call the dentist"], ["☐ eggs"], ["☐ a present for Anna"], ["☐ tea"], ["◀", "▶"]],
        ),
        ([], []),
    ],
)
def test_labels_lie_side_by_side_while_they_can_be_read(labels: list[str], shape: list[list[str]]) -> None:
    assert rows(labels) == shape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Tea", "Tea"),
        (" green\n\ttea ", "green tea"),
        ("", "…"),
        ("\u200b \n", "…"),
        ("a\0b\ud83d", "a\ufffdb\ufffd"),
        ("Pay \u202e1\u2066€", "Pay 1€"),
        ("x" * LONGEST_OPTION, "x" * LONGEST_OPTION),
        ("x" * 76, "x" * 74 + "…"),
        ("word " * 20, "word " * 14 + "word…"),
    ],
)
def test_a_label_is_one_line_that_can_be_seen(text: str, shown: str) -> None:
    assert label(text) == shown


def test_a_label_that_was_seen_before_is_cut_as_at_first() -> None:
    assert [label("x" * 40, most) for most in (64, 40, 39, 40)] == ["x" * 40, "x" * 40, "x" * 38 + "…", "x" * 40]


@given(st.lists(st.text(), max_size=40))
def test_any_labels_lie_in_their_order(labels: list[str]) -> None:
    assert [text for row in rows(labels) for text in row] == labels


@given(st.lists(st.text(), max_size=40))
def test_any_labels_make_a_keyboard_that_the_server_takes(labels: list[str]) -> None:
    found = json.loads(json.dumps(stored(keyboard(*labels))))
    made = markup(found)
    assert (made is None) == (not labels)
    if made is not None:
        checked = checked_markup({"reply_markup": made}, inline_only=True)
        assert checked is not None
        data = [button["callback_data"] for row in checked["inline_keyboard"] for button in row]
        assert data == [f"v1:{n}" for n in range(len(labels))]


@pytest.mark.parametrize("data", ["x" * 65, "é" * 33, ""])
def test_data_that_the_server_would_refuse_is_a_bug(data: str) -> None:
    with pytest.raises(ValueError, match="bytes"):
        stored(Keyboard(buttons=(Button(label="x", data=data),)))


def test_too_many_buttons_are_a_bug() -> None:
    with pytest.raises(ValueError, match="too many"):
        stored(keyboard(*["x"] * 101))


def test_suggestions_are_few_and_short() -> None:
    found = render("?", [" ", "a\nb", *["x" * 500] * 50])[0].payload["choices"]
    assert (found[0], len(found), max(map(len, found))) == ("a b", MOST_CHOICES, 100)
