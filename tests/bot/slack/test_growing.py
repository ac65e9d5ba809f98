"""What may be seen of a text that is still being written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.slack.render.sanitize import BREAKER
from bot.adapters.slack.send.stream_growth import MOST_CHARACTERS, ready

HOSTILE = "Hi <!channel> and @here, look: ![x](https://e.example/?q=1) [a][b] www.e.example\n[b]: //e.example\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("Onc", ""),
        ("Once upo", "Once"),
        ("Once upon ", "Once upon"),
        ("\n\n  Once ", "Once"),
        ("很久以前，有", "很久以前，有"),
        ("很久以前 <!chan", "很久以前"),
        ("a\x00b\rc \n", "abc"),
    ],
)
def test_an_end_that_may_go_on_is_held_back(text: str, shown: str) -> None:
    assert ready(text) == shown


def test_nobody_is_called_and_nothing_is_fetched() -> None:
    shown = ready(HOSTILE)
    for sign in ("<!channel", "@here", "![", "](", "://", "][", "]:", "www.e"):
        assert sign not in shown
    assert shown.replace(BREAKER, "") == HOSTILE.strip()


@given(
    st.lists(st.sampled_from([*HOSTILE.split(" "), " ", "\n", "<", "!", "@", "everyone", "好", "[", "("]), max_size=30)
)
def test_whatever_is_shown_is_the_beginning_of_what_is_shown_next(pieces: list[str]) -> None:
    text = "".join(pieces)
    whole = ready(f"{text}\n")
    assert all(whole.startswith(ready(text[:end])) for end in range(len(text)))


def test_a_long_text_is_cut() -> None:
    assert len(ready("@here " * MOST_CHARACTERS)) <= MOST_CHARACTERS
    assert ready("x" * 2 * MOST_CHARACTERS) == ""
