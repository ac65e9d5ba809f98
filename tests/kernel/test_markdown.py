"""Markdown is read as plain text, and what others wrote stays what it is in it."""

from __future__ import annotations

import time

import pytest

from core.kernel.markdown import literal, plain


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("**Monday** is *fine*, ~~not~~ __so__ _good_ ***at all***", "Monday is fine, not so good at all"),
        ("**a _b_ c**", "a b c"),
        (
            "see [the page](https://a.example/x_(y)) and ![a picture](https://a.example/p.png 'title')",
            "see the page and a picture",
        ),
        ("## Plan\n> said\n- one\n1. two", "Plan\nsaid\n- one\n1. two"),
        ("```py\nx = a*b*c\n``` and `**raw**`", "x = a*b*c\n and **raw**"),
        (r"Dentist \*now\*, 1\. a \[b\](c) \\ d", r"Dentist *now*, 1. a [b](c) \ d"),
        ("2 * 3 * 4, snake_case_name, a_b, * alone, **", "2 * 3 * 4, snake_case_name, a_b, * alone, **"),
        (r"&lt;b&gt; and \&lt;", "<b> and &lt;"),
        ("`unclosed and \\", "`unclosed and \\"),
        ("", ""),
    ],
)
def test_markdown_is_read_as_what_people_see(text: str, read: str) -> None:
    assert plain(text) == read


@pytest.mark.parametrize(
    "name", ["*a*", "_b_", "[x](y)", "# c", "- d", "1. e", "<f>", "`g`", "||h||", "$i$", "&lt;", "a\\*b", "~~j~~", "\\"]
)
def test_what_was_made_literal_is_read_as_it_was(name: str) -> None:
    assert plain(f"**{literal(name)}**") == name


@pytest.mark.parametrize("piece", ["*", "**a", "_a ", "[", "[a](", "`", "```", "\\", "~~", "&", "***a*"])
def test_no_text_takes_long(piece: str) -> None:
    begun = time.perf_counter()
    plain(piece * (2_000 // len(piece)))
    assert time.perf_counter() - begun < 1


def test_what_was_made_literal_turns_nothing_of_its_line_round() -> None:
    assert literal("pay \u202eevE\u202c \u2067now") == "pay evE now"
    # Marks of a letter's own direction stay.
    assert literal("\u05d0\u200e!") == "\u05d0\u200e!"
