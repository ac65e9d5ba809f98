"""Rendered text fits Telegram's rules: UTF-16 lengths, whole characters, a hundred entities, links that are links."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.adapters.telegram.render import markdown
from bot.adapters.telegram.render.render import MARKDOWN, MOST_UNITS, cut, preview, render, split, units
from bot.adapters.telegram.send.sender import attempt
from core.kernel.markdown import literal
from core.kernel.types import Button, Destination, Keyboard, Part
from tests.emulators.telegram_text import checked_text

MARKS = st.sampled_from([
    "**",
    "*",
    "_",
    "__",
    "`",
    "```\n",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "# ",
    "> ",
    "[a](http://a.bc)",
    "~~",
    "||",
    "<b>",
])
CHARACTERS = st.characters(exclude_categories=["Cs"])
WORDS = st.text(CHARACTERS, max_size=12) | st.sampled_from(["重要：", "👨‍👩‍👧", "🇩🇪", "e\u0301", "x" * 700])
TEXTS = st.lists(MARKS | WORDS, max_size=60).map("".join)


def shown(text: str, *choices: str, chat: str = "-1") -> list[str]:
    to = Destination(tenant="1000", chat=chat)
    return [attempt(to, part, "").text for part in render(text, choices)]


def one(text: str) -> tuple[str, list[dict[str, Any]]]:
    [part] = render(text)
    return part.payload["text"], part.payload["entities"]


def covered(part: Part) -> list[tuple[str, str]]:
    data = part.payload["text"].encode("utf-16-le")
    return [
        (e["type"], data[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le"))
        for e in part.payload["entities"]
    ]


def entities_of(text: str) -> list[tuple[str, str]]:
    return [found for part in render(text) for found in covered(part)]


def check(parts: list[Part]) -> None:
    for part in parts:
        tried = attempt(Destination(tenant="1000", chat="-1"), part, "")
        text, entities = tried.text, tried.entities
        assert 0 < units(text) <= MOST_UNITS
        assert len(entities) <= 100
        checked_text({"text": text, "entities": entities})


@given(TEXTS)
@example("||```\n# **||_")
@settings(max_examples=150)
def test_whatever_a_model_writes_the_server_takes(text: str) -> None:
    check(render(text, ["yes", "no"]))


@given(st.text(CHARACTERS | st.sampled_from("\n -.1)+=:a"), max_size=60))
@settings(max_examples=400)
def test_plain_text_looks_the_same_on_the_fast_path(text: str) -> None:
    text = text.strip()
    if not MARKDOWN.search(text):
        assert markdown.convert(text) == (text, [])


def test_plain_text_goes_out_as_it_is() -> None:
    text = "It's 5 - 3 = 2, isn't it?\nYes: (2)! See https://example.org/a-b?c=d.\n\n再见 😀"
    assert render(text) == [Part(payload={"text": text, "entities": []})]


def test_plain_text_does_not_load_the_markdown_library() -> None:
    code = (
        "import sys; import bot.adapters.telegram; from bot.adapters.telegram.render.render import render;"
        "render('Hello there!'); assert 'telegramify_markdown' not in sys.modules;"
        "render('**Hello**'); assert 'telegramify_markdown' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("text", ["", " \n", "\n\t\n"])
def test_empty_text_has_no_parts(text: str) -> None:
    assert render(text) == []


def test_choices_follow_as_a_list_in_a_group() -> None:
    assert shown("**Tea?**", "yes", "no,\nthanks") == ["Tea?\n\n• yes\n• no, thanks"]


def test_choices_are_no_text_in_a_private_chat() -> None:
    assert shown("**Tea?**", "yes", "no", chat="1") == ["Tea?"]


@pytest.mark.parametrize("chat", ["1", "-1"])
def test_choices_alone_are_shown(chat: str) -> None:
    assert shown("", "*a*", chat=chat) == ["• *a*"]


def test_the_last_message_has_room_for_its_choices() -> None:
    for choices in (["yes", "no"], ["😀" * 200] * 40):
        parts = render("word " * 1600, choices)
        assert [sorted(part.payload) for part in parts[:-1]] == [["entities", "text"]] * (len(parts) - 1)
        assert shown("word " * 1600, *choices)[-1].endswith(f"\n• {parts[-1].payload['choices'][-1]}")
        check(parts)


def test_a_keyboard_is_below_the_last_message() -> None:
    keyboard = Keyboard(buttons=(Button(label="Tea", data="a"), Button(label="*Coffee*\nwith milk", data="b")))
    *others, last = render("word " * 1000, keyboard=keyboard)
    assert [sorted(part.payload) for part in others] == [["entities", "text"]]
    rows = [[{"text": "Tea", "data": "a"}], [{"text": "*Coffee* with milk", "data": "b"}]]
    assert last.payload["keyboard"] == {"rows": rows}
    [part] = render("Why?", keyboard=Keyboard(reply=True))
    assert part.payload["keyboard"] == {"reply": True}
    [part] = render(" ", keyboard=keyboard)
    assert part.payload["text"] == "…"


def test_a_keyboard_moves_no_cut() -> None:
    # An edit that takes it away shows the last of the same pieces.
    text = "word " * 1000
    many = Keyboard(buttons=tuple(Button(label="x" * 60, data=str(n)) for n in range(50)))
    assert [p.payload["text"] for p in render(text, keyboard=many)] == [p.payload["text"] for p in render(text)]


def test_a_preview_is_one_message_and_long_text_costs_no_conversion() -> None:
    assert preview("**Tea** and **cof", 4096) == ("Tea and **cof", [{"type": "bold", "offset": 0, "length": 3}])
    assert preview("", 4096) == ("", [])
    text, entities = preview("**Tea** " + "😀" * 5000, 4096)
    assert (units(text), entities, text[:8]) == (4096, [], "**Tea** ")


@given(TEXTS)
@settings(max_examples=50)
def test_any_beginning_of_a_text_can_be_previewed(text: str) -> None:
    shown_text, entities = preview(text, 100)
    assert units(shown_text) <= 100
    if shown_text:
        checked_text({"text": shown_text, "entities": entities})


def test_entities_are_counted_in_utf16_units() -> None:
    assert one("😀 **fat** 👨‍👩‍👧 `code`")[1] == [
        {"type": "bold", "offset": 3, "length": 3},
        {"type": "code", "offset": 16, "length": 4},
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2*3*4 = 24", "2*3*4 = 24"),
        ("call __init__ and __main__.py", "call __init__ and __main__.py"),
        ("a List<String> or <your name>", "a List<String> or <your name>"),
        ("true[^1]\n\n[^1]: they say", "true[1]\n\n[1]: they say"),
        ("[write](mailto:a@b.cd)", "write (a@b.cd)"),
        ("[x](javascript:alert(1)) [y](http://localhost/z) [z](/relative)", "x y z"),
        ("[x](http://[)", "x"),
    ],
)
def test_what_is_meant_literally_stays(text: str, expected: str) -> None:
    assert one(text) == (expected, [])


NASTY_NAMES = [
    "a$b$c",
    "$$x$$",
    "\\$x\\$",
    "&lt;",
    "&amp;",
    "&#x41;",
    "AT&T",
    "# Bob",
    "- Bob",
    "+1",
    "---",
    "1. Bob",
    "1234) x",
    "*b*",
    "__init__",
    "`c`",
    "~~s~~",
    "||s||",
    "a|b",
    "> q",
    "<b>",
    "</b>",
    "\\",
    "a\\",
    "[^1]",
    "[x]: http://a.b",
    "[a](http://x.yz)",
    "![i](http://x.y/z.png)",
    "<https://a.bc>",
    "- [x] y",
    "<!-- c -->",
    "\\(x\\)",
    "[call_Oma - now]",
    "[a = b] [\\alpha]",
    "| a | b |",
]


@pytest.mark.parametrize("name", NASTY_NAMES)
@pytest.mark.parametrize("words", ["Hello {} there", "{}", "{} came", "**{}**", "Which?\n\n✅ {} — x"])
def test_a_name_in_a_text_reads_as_it_is(words: str, name: str) -> None:
    text, entities = one(words.format(literal(name)))
    assert text == words.replace("**", "").format(name)
    assert {entity["type"] for entity in entities} <= {"bold"}


@pytest.mark.parametrize("formula", ["\\(x = 1\\)", "\\[\nx = 1\n\\]", "\\[x = \\frac{1}{2}\\]"])
def test_a_formula_is_shown_as_one(formula: str) -> None:
    [(kind, text)] = entities_of(f"So {formula}")
    assert kind in {"code", "pre"}
    assert text.startswith("x = ")


def test_headings_have_no_pictures() -> None:
    assert one("# Plan")[0] == "Plan"


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**重要：**文字", ["重要"]),
        ("他说**“引用”**文字", ["引用"]),
        ("**甲**是水果，**乙**是车。", ["甲", "乙"]),
        ("**Note:** text", ["Note:"]),
        ("2 ** 3 and **four**", ["four"]),
    ],
)
def test_bold_works_beside_punctuation(text: str, bold: list[str]) -> None:
    assert [found for kind, found in entities_of(text) if kind == "bold"] == bold


def test_code_is_left_as_it_is() -> None:
    text = "`a<b> 2*3*4` and\n```python\nx = List[^1] | __init__\n| a |\n|---|\n```\ndone"
    assert entities_of(text) == [
        ("code", "a<b> 2*3*4"),
        ("pre", "x = List[^1] | __init__\n| a |\n|---|"),
    ]


def test_real_links_stay_links() -> None:
    text = "[a](https://example.org/x(y)) and [b](tg://resolve?domain=x)"
    assert [e["url"] for e in one(text)[1]] == ["https://example.org/x(y)", "tg://resolve?domain=x"]


def test_tables_are_aligned_as_displayed() -> None:
    text = "Here:\n\n| 名字 | n |\n|:--|--:|\n| **a** | 1 |\n| 😀 | `22` |\n\nEnd"
    shown_text, [table] = one(text)
    assert shown_text == "Here:\n\n名字 | n\n-----+---\na    | 1\n😀   | 22\n\nEnd"
    assert table["type"] == "pre"


def test_long_text_is_cut_at_lines() -> None:
    lines = [f"line {number} " + "x" * 50 for number in range(200)]
    parts = shown("\n".join(lines))
    assert len(parts) == 3
    assert "\n".join(parts).split("\n") == lines


def test_text_without_a_break_is_cut_between_whole_characters() -> None:
    for cluster in ("😀", "👨‍👩‍👧", "🇩🇪", "e\u0301", "👍🏽"):
        parts = shown(cluster * 3000)
        assert "".join(parts) == cluster * 3000
        assert all(part == cluster * (len(part) // len(cluster)) for part in parts)


def test_an_endless_cluster_is_cut_all_the_same() -> None:
    text = "a" + "\u0301" * 9000
    assert "".join(shown(text)) == text


def test_a_long_code_block_is_continued_with_its_language() -> None:
    parts = render("```python\n" + "print('hello, world')\n" * 400 + "```")
    assert len(parts) == 3
    assert [(e["type"], e["language"]) for part in parts for e in part.payload["entities"]] == [("pre", "python")] * 3


def test_no_message_has_more_than_a_hundred_entities() -> None:
    parts = render(" ".join(f"**w{number}**" for number in range(250)))
    assert [len(part.payload["entities"]) for part in parts] == [100, 100, 50]


def test_a_hundred_and_more_entities_at_one_spot_are_reduced() -> None:
    [(_, entities)] = split("word", [{"type": "bold", "offset": 0, "length": 4}] * 150, MOST_UNITS)
    assert len(entities) == 100


def test_cutting_keeps_whole_characters() -> None:
    assert [cut("a😀b", most) for most in range(5)] == ["", "a", "a", "a😀", "a😀b"]


@given(st.text(), st.integers(0, 20))
def test_cut_text_fits(text: str, most: int) -> None:
    assert units(cut(text, most)) <= most
    assert text.startswith(cut(text, most))
