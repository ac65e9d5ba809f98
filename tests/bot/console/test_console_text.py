"""The console's text: nothing shown controls the terminal, and a number picks a choice."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.console.screen import encodable, safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain *text*\n\tand 中文 😀", "plain *text*\n\tand 中文 😀"),
        ("\x1b[2J\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]52;c;aGk=\x1b\\clip", "clip"),
        ("\x9b31mC1", "C1"),
        ("\x1bPdevice\x1b\\done", "done"),
        ("over\rwrite \x08\x7f", "overwrite "),
        ("cut \x1b[", "cut "),
        ("a \u202egnp.exe", "a gnp.exe"),
        ("\x1bcreset", "reset"),
    ],
)
def test_control_sequences_are_removed(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(st.text(st.sampled_from("\x1b\x9b\x9d\x90\x07[]P;0m\\a\r\n") | st.characters()))
def test_nothing_that_controls_a_terminal_is_left(text: str) -> None:
    assert not any(character in safe(text) for character in "\x1b\x9b\x9d\x90\x07\r\x08\x7f")


def test_what_the_output_cannot_show_is_replaced() -> None:
    assert encodable("中a", io.TextIOWrapper(io.BytesIO(), encoding="ascii")) == "?a"


def test_a_stream_that_was_closed_before_the_start_takes_any_text() -> None:
    assert encodable("Grüße 你好", None) == "Grüße 你好"
