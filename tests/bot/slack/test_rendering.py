"""Rendered text fits Slack's rules, and calls nobody together, whatever a model or a stranger wrote."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block

from bot.adapters.slack.render.blocks import texts
from bot.adapters.slack.render.mrkdwn import mention
from bot.adapters.slack.render.render import CUT, MOST_FALLBACK, render
from bot.adapters.slack.render.sanitize import BREAKER, clean, escaped
from bot.adapters.slack.render.splitting import LEAST, split
from core.kernel.markdown import literal
from core.kernel.types import Button, Keyboard, Part
from tests.emulators.slack_blocks import checked_blocks

MARKS = st.sampled_from([
    *("**", "*", "_", "__", "`", "```\n", "```py\n", "~~~\n", "\n", "\n\n", "- ", "1. ", "# ", "> ", "|", "||", "~~"),
    *("[a](http://a.bc/?x=1&y=<2>)", "![a](http://a.bc)", "<", ">", "&", "\\", "<!channel>", "<!subteam^S1>", "@here "),
    *("&lt;!here&gt;", "<\\!everyone>", "@\\channel", "<#C123>", "<!date^1^{date}|x>", "<@U1>", "\ue000", "\ue005"),
])
CHARACTERS = st.characters()
WORDS = st.text(CHARACTERS, max_size=12) | st.sampled_from(["重要：", "👨‍👩‍👧", "🇩🇪", "e\u0301", "x" * 700, "&<" * 400])
TEXTS = st.lists(MARKS | WORDS, max_size=60).map("".join)
NAMED = TEXTS.map(lambda text: f"{mention('slack:T1:U2', 'Bob')} {text}")
COMMAND = re.compile(r"<\\*!(?!--|\[|doctype)", re.IGNORECASE)
MASS = re.compile(r"(?<![\w.])@\\*(?:channel|here|everyone)\b", re.IGNORECASE | re.ASCII)


def bodies(part: Part) -> str:
    return "\n".join(texts(part.payload["blocks"]))


def check(parts: list[Part]) -> None:
    for part in parts:
        assert json.loads(json.dumps(part.payload)) == part.payload
        blocks: list[dict[str, Any]] = part.payload["blocks"]
        checked_blocks(blocks)
        assert [found.to_dict()["type"] for found in Block.parse_all(blocks)] == [block["type"] for block in blocks]
        assert sum(map(len, texts(blocks))) <= 12_000
        assert 0 < len(part.payload["text"]) <= MOST_FALLBACK
        for shown in (bodies(part), part.payload["text"]):
            assert not COMMAND.search(shown)
            assert not MASS.search(shown)
            assert not re.search(r"<\\*#[CGD][A-Z0-9]", shown)
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", shown)


@given(TEXTS)
@example("```\n# **||_<!channel>")
@example("[a](http://a.bc/<!channel>) @\\channel")
@settings(max_examples=120)
def test_whatever_a_model_writes_slack_takes(text: str) -> None:
    check(render(text, ["yes", "@here <!channel>"], Keyboard(buttons=(Button(label=text, data="k:0"),), reply=True)))


@given(NAMED)
@example("<@U2> ```\n<!channel> @here\n```")
@settings(max_examples=120)
def test_whatever_names_somebody_slack_takes(text: str) -> None:
    parts = render(text)
    check(parts)
    assert "<@U2>" in bodies(parts[0])


@given(st.lists(MARKS | WORDS, max_size=80).map("".join), st.integers(LEAST, 600))
@settings(max_examples=120)
def test_pieces_keep_all_the_text_in_its_order(text: str, most: int) -> None:
    text = clean(text)
    pieces = split(text, most)
    assert all(0 < len(piece) <= most for piece in pieces)

    def bare(whole: str) -> str:
        return re.sub(r"[`~\s]+|\bpy\b", "", re.sub(r"(?m)^\s*(```|~~~).*$", "", whole))

    def seen(whole: str) -> str:
        return re.sub(r"[^\w]|py", "", whole)

    assert seen("".join(pieces)) == seen(text) or bare("".join(pieces)) == bare(text)


def test_a_fence_that_is_cut_is_closed_and_opened_again() -> None:
    code = "\n".join(f"print({number})" for number in range(100))
    pieces = split(f"Look:\n\n```python\n{code}\n```\n\nDone.", 500)
    assert len(pieces) > 2
    for piece in pieces:
        assert piece.count("```") % 2 == 0
    assert all(piece.startswith("```python\n") for piece in pieces[1:-1])
    assert re.findall(r"print\((\d+)\)", "".join(pieces)) == [str(number) for number in range(100)]


def test_a_cut_before_the_end_of_a_fence_opens_no_empty_one() -> None:
    text = f"```\n{'x' * 254}\n```\n\nafter {'y' * 100}"
    assert split(text, 300)[0] == f"```\n{'x' * 254}\n```"
    assert split(text, 300)[1].startswith("after")


def test_a_long_text_is_cut_and_says_so() -> None:
    parts = render("word " * 10_000)
    assert len(parts) == 3
    assert bodies(parts[-1]).endswith(CUT)


def test_a_long_text_with_an_open_fence_says_so_outside_of_the_code() -> None:
    assert bodies(render("```\n" + "word " * 10_000)[-1]).endswith(f"```\n\n{CUT}")


def test_plain_markdown_goes_as_markdown() -> None:
    [part] = render("**Hi** there\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    [block] = part.payload["blocks"]
    assert block == {"type": "markdown", "text": "**Hi** there\n\n| a | b |\n|---|---|\n| 1 | 2 |"}
    assert part.payload["text"].startswith("Hi there")


def test_a_mention_goes_where_it_tells_the_person() -> None:
    [part] = render(f"⏰ {mention('slack:T1:U2', 'Bob')}: **call** [Oma](https://a.bc/?x=1&y=2) & _eat_ `a<b`")
    [block] = part.payload["blocks"]
    assert block["text"] == {
        "type": "mrkdwn",
        "text": "⏰ <@U2>: *call* <https://a.bc/?x=1&amp;y=2|Oma> &amp; _eat_ `a&lt;b`",
    }


def test_what_looks_like_html_is_shown_beside_a_mention() -> None:
    text = "Dear <name>, use List<String>, `a<b>` and <!-- no --> </b>: \\<x> <https://a.bc> <@U2>\n\n```\n<p>\n```"
    [part] = render(text)
    shown = bodies(part).replace("&lt;", "<").replace("&gt;", ">").replace("\ufeff", "")
    assert "Dear <name>, use List<String>, `a<b>` and <!-- no --> </b>: <x> <https://a.bc|https://a.bc> <@U2>" in shown
    assert "```\n<p>\n```" in shown


def test_lists_and_code_and_quotes_survive_beside_a_mention() -> None:
    [part] = render("<@U2>\n\n- one\n- two\n\n> said **so**\n> twice\n\n```py\nif a < b: *x*\n```")
    shown = bodies(part)
    assert "• one\n• two" in shown
    assert "> said *so*\n> twice" in shown
    assert "```\nif a &lt; b: *x*\n```" in shown


@pytest.mark.parametrize("name", ["<@U9>", "Bob <!channel>", "@here"])
def test_a_name_mentions_nobody(name: str) -> None:
    [part] = render(f"{literal(name)} wrote to {mention('slack:T1:U2', 'Ann')}")
    shown = bodies(part)
    assert "<@U9>" not in shown
    check([part])


def test_code_mentions_nobody() -> None:
    [part] = render("<@U1>: `<@U2>` and\n\n```\n<@U3>\n```")
    assert re.findall("<@U.>", bodies(part)) == ["<@U1>"]


def test_no_text_calls_a_whole_channel_by_its_members() -> None:
    [part] = render(" ".join(f"<@U{number}>" for number in range(100, 150)))
    assert len(re.findall(r"<@U\d+>", bodies(part))) == 20


def test_who_has_no_user_is_called_by_name() -> None:
    assert mention("tg:1001", "Bob *x*") == r"Bob \*x\*"
    assert mention("slack:T1:<!channel>", "Bob") == "Bob"


def test_a_mail_address_stays_as_it_is() -> None:
    assert escaped("a@here.com") == "a@here.com"
    assert escaped("请@here看") == f"请@{BREAKER}here看"
    assert escaped("@here") == f"@{BREAKER}here"


def test_what_is_meant_literally_is_no_emphasis() -> None:
    [part] = render("2*3*4 and __init__ but `2*3*4`")
    assert bodies(part) == r"2\*3\*4 and \_\_init\_\_ but `2*3*4`"


def test_a_picture_is_a_link() -> None:
    [part] = render("![x](http://evil.example/?secret)")
    assert "![" not in bodies(part)


def test_a_picture_behind_an_escaped_backslash_is_a_link_too() -> None:
    for text in (r"\![x](https://evil.example/?q=1)", r"\![x](https://evil.example/?q=1)"):
        assert "![" not in render(text)[0].payload["blocks"][0]["text"]


def test_comments_and_doctypes_of_code_stay() -> None:
    [part] = render("```html\n<!DOCTYPE html>\n<!-- note -->\n```")
    assert "<!DOCTYPE html>\n<!-- note -->" in bodies(part)


def test_nothing_is_nothing() -> None:
    assert render("  \n\u200b") == []


def test_buttons_without_text_have_something_above_them() -> None:
    [part] = render("", (), Keyboard(buttons=(Button(label="Yes", data="k:0"),)))
    assert [block["type"] for block in part.payload["blocks"]] == ["markdown", "actions"]
    assert part.payload["text"]
