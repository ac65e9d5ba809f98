"""Hostile and huge Markdown neither holds up the program nor silences an answer."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
from random import Random
from typing import Any

import pytest
import telegramify_markdown
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.telegram.render import markdown
from bot.adapters.telegram.render.markdown import aligned
from bot.adapters.telegram.render.render import CUT, MOST_CHARACTERS, render, split, units
from core.capabilities.hooks.payload import MOST_SHOWN
from core.kernel.markdown import lines

# Each takes milliseconds now; with patterns that go back and forth it was up to many minutes. They are the processor's.
SECONDS = 5
SIZE = 20_000
HOSTILE = (
    *("[a](mailto:", "[a](mailto:b", "[", "[^", "![", "!", "a!", "__a_", "`", "`` ` ", "<http://", "<", "\\(", "\\[x "),
    *("$", "||", "> ", "- ", "1. ", "**a** ", "a|b\n-|-\n", "| \n", "\t", "\n \n", "```\n", " ", "=\n"),
    *("[a](tg://user?id=7)", "![\\a", "\\"),
)
# A pattern at work lets no other thread go on and heeds no exception: only an alarm's default ends it.
CHILD = f"""
import signal
from bot.adapters.telegram.render import markdown
from bot.adapters.telegram.render.render import render
from bot.adapters.telegram.render.markdown import aligned
render("**warm**")
for mark in {HOSTILE!r}:
    for first in ("", "**", "|\\n", "a|b\\n"):
        print(repr(first), repr(mark), flush=True)
        signal.setitimer(signal.ITIMER_VIRTUAL, {SECONDS})
        text = first + mark * ({SIZE} // len(mark)) + "x|"
        markdown.repaired(text), aligned(text), render(text), render(text[:3000])
print("a table with one long row and many short ones", flush=True)
signal.setitimer(signal.ITIMER_VIRTUAL, {SECONDS})
aligned("|a\\n|-|\\n" + "|" * {SIZE} + "\\n" + "|\\n" * ({SIZE}))
"""


class Watched(dict[str, Any]):
    """An entity that counts how often it is looked at."""

    looks = 0

    def __getitem__(self, name: str) -> Any:
        Watched.looks += 1
        return super().__getitem__(name)


def whole(text: str) -> str:
    return "\n".join(part.payload["text"] for part in render(text))


def test_hostile_markdown_takes_no_time() -> None:
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode != -signal.SIGVTALRM, f"too slow: {done.stdout.splitlines()[-1]}"
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("reach", [1, 50])
def test_splitting_looks_at_each_entity_a_few_times(reach: int) -> None:
    for count in (1000, 4000):
        Watched.looks = 0
        entities = [Watched(type="bold", offset=2 * number, length=reach) for number in range(count)]
        pieces = split("a " * count, entities, 4000)
        assert sum(len(found) for _, found in pieces) >= count
        assert Watched.looks <= 20 * count


@given(st.randoms(use_true_random=False), st.integers(101, 300), st.integers(40, 700))
@settings(max_examples=60)
def test_splitting_loses_no_entity(chance: Random, count: int, most: int) -> None:
    spans = [(chance.randrange(590), chance.randint(1, 80)) for _ in range(count)]
    text = "".join(chr(97 + number % 26) for number in range(680))
    pieces = split(text, [{"type": "bold", "offset": first, "length": length} for first, length in spans], most)
    assert "".join(piece for piece, _ in pieces) == text
    place = 0
    for piece, found in pieces:
        end = place + units(piece)
        expected = [(max(a, place), min(a + n, end)) for a, n in spans if a < end and a + n > place]
        shown = [(e["offset"] + place, e["offset"] + e["length"] + place) for e in found]
        assert len(found) <= 100
        assert sorted(shown) == sorted(expected) if len(expected) <= 100 else set(shown) <= set(expected)
        place = end


@pytest.mark.parametrize(
    "text",
    ["[docs]: http://x", "```\n```", "#", ">", "&nbsp;", "&#8203;", "<!-- hi -->", "[](http://a.bc)"],
)
def test_markdown_that_shows_nothing_goes_out_as_it_stands(text: str) -> None:
    assert whole(text) == text
    assert whole(f" {text} \n") == text


@pytest.mark.parametrize("text", ["\u200b", "\u200b \u2060\n", "\u00a0"])
def test_text_of_which_nothing_can_be_seen_has_no_parts(text: str) -> None:
    assert render(text) == []


@given(st.text(st.sampled_from("#>-*_`[]():|~!&; \nab1.<\\$"), max_size=12))
@settings(max_examples=150)
def test_what_can_be_seen_is_never_silent(text: str) -> None:
    assert bool(render(text)) == bool(text.strip())


class Panic(BaseException):
    """What a panic in the parser's Rust looks like: no `Exception`."""


@pytest.mark.parametrize("error", [ValueError("broken"), RecursionError(), Panic("panicked")])
def test_a_failing_library_leaves_plain_text(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(telegramify_markdown, "convert", fail)
    with caplog.at_level(logging.WARNING):
        parts = render("**bold** " * 600, ["yes"])
    assert [part.payload["entities"] for part in parts] == [[], []]
    assert all(units(part.payload["text"]) <= 4096 for part in parts)
    assert " ".join(part.payload["text"] for part in parts) == ("**bold** " * 600).strip()
    [record] = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_an_interruption_is_no_failure_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(telegramify_markdown, "convert", interrupt)
    with pytest.raises(KeyboardInterrupt):
        render("**bold**")


def test_a_huge_text_is_cut_and_says_so() -> None:
    line = "x" * 99 + "\n"
    assert CUT not in whole((line * 400)[:MOST_CHARACTERS])
    shown = whole(line * 400)
    assert shown.endswith(f"\n{CUT}")
    assert shown.count("x") == 99 * MOST_CHARACTERS // 100
    assert len(render(line * 4000)) == len(render(line * 400)) < 12


def test_a_long_answer_keeps_its_markdown_and_one_with_too_many_marks_is_plain() -> None:
    paragraph = "Some **bold** words, and plenty of others, which are read by somebody.\n\n"
    assert sum(len(part.payload["entities"]) for part in render(paragraph * 200)) == 200
    crowded = "**a** " * 5000
    assert all(part.payload["entities"] == [] for part in render(crowded))
    assert whole(crowded).split() == crowded.split()


@pytest.mark.parametrize("sign", list(r"\`*_[]<>~|$(+"))
def test_what_is_escaped_is_shown_without_its_escapes_however_much_it_is(sign: str) -> None:
    said = sign * MOST_SHOWN
    (part,) = render(f"🪝 **deploys**\n\n{lines(said)}")
    assert part.payload["text"] == f"🪝 deploys\n\n{said}"


def test_a_table_with_one_wide_cell_is_not_blown_up() -> None:
    table = "a|b\n-|-\n" + "w" * 5000 + "|x\n" + "a|b\n" * 1000
    assert len(aligned(table)) < len(table) + 10
    assert aligned(table).startswith("```\na|b\n")
    assert len(aligned("> " + table)) < 11 * len(table)
    assert len(whole("> " + table.replace("\n", "\n> "))) <= MOST_CHARACTERS


def test_addresses_and_bold_with_odd_signs_stay_as_they_were() -> None:
    assert markdown.repaired("[a [b]](mailto:x@y.z)") == "[a [b]](mailto:x@y.z)"
    assert markdown.repaired("[a](mailto:x@y.z?subject=hi there)") == "a (x@y.z)"
    assert markdown.repaired("x**!!**y **“z”**w ****") == "x**!!**y **“z**”w ****"
