"""What is kept of a text that somebody wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.clean_text import cleaned, one_line

FAMILY = "👨\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  call Oma \n", "call Oma"),
        ("who brings\r\nthe cake?", "who brings\nthe cake?"),
        ("a\u202eb\x00c", "ab c"),
        ("\u202egnp.exe", "gnp.exe"),
        ("\u2067שלום\u2069 \u200fעולם", "שלום עולם"),
        ("\u200btea\u2060\ufeff", "tea"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        (FAMILY, FAMILY),
        ("❤\ufe0f", "❤\ufe0f"),
        ("   ", ""),
        ("\u200b\u2060\n\u200d", ""),
        ("\u202e\x07", ""),
        ("\u3164\u2800", ""),
        ("\u0301\ufe0f", ""),
    ],
)
def test_what_cannot_be_seen_or_turns_a_line_round_is_not_kept(text: str, kept: str) -> None:
    assert cleaned(text) == kept


def test_on_one_line_there_is_one_space_between_words() -> None:
    assert one_line(" a\n\tb \x00 c ") == "a b c"


@given(st.text())
def test_what_is_kept_stays_as_it_is(text: str) -> None:
    assert cleaned(cleaned(text)) == cleaned(text)
    assert one_line(one_line(text)) == one_line(text)
