"""Text as Slack writes it becomes text as people read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.slack.parse.text import Me, people_in, plain, said
from core.kernel.clean_text import label
from core.kernel.types import Sender

ME = Me(team="T1", user="U0BOT", name="Teller")
BOB = Sender(address="slack:T1:U2", name="Bob", handle="@bob")
PEOPLE = {"U2": BOB}


@pytest.mark.parametrize(
    ("text", "read", "to_me"),
    [
        ("<@U0BOT> hello", "hello", True),
        ("  <@U0BOT|teller>, hello", "hello", True),
        ("<@U0BOT>：你好", "你好", True),
        ("hey <@U0BOT> hello", "hello", True),
        ("Hi, <@U0BOT>: can you help?", "can you help?", True),
        ("你好 <@U0BOT>，几点了", "几点了", True),
        ("hey <@U0BOT>!", "hey!", True),
        ("ask <@U0BOT> again", "ask again", True),
        ("what time is it <@U0BOT>?", "what time is it?", True),
        ("what time is it, <@U0BOT|teller>", "what time is it", True),
        ("几点了，<@U0BOT>？", "几点了？", True),
        ("<@U0BOT> remind me to thank <@U0BOT>", "remind me to thank", True),
        ("can you, <@U0BOT>, call <@U2>?", "can you call @bob?", True),
        ("milk\n<@U0BOT> eggs", "milk\neggs", True),
        ("<@U0BOT>", "Teller", True),
        ("<@U0BOT> ?", "Teller ?", True),
        ("<@U0BOT> /todo add milk", "/todo add milk", True),
        ("ask <@U2> and <@U3|eve> and <@U4>", "ask @bob and @eve and @U4", False),
        ("<@U0BOTX> hello", "@U0BOTX hello", False),
    ],
)
def test_who_is_spoken_to_is_read_from_the_text(text: str, read: str, to_me: bool) -> None:
    assert said(text, ME, PEOPLE) == (read, to_me)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a &amp; b &lt;c&gt; &amp;lt;", "a & b <c> &lt;"),
        ("in <#C1|general> or <#C2>", "in #general or #C2"),
        ("<!here> <!channel> <!subteam^S1|@devs> <!subteam^S2>", "@here @channel @devs @group"),
        ("<!date^1700000000^{date}|Nov 14>", "Nov 14"),
        ("see <https://a.example/?x=1&amp;y=2>", "see https://a.example/?x=1&y=2"),
        ("see <https://a.example/x|the page>", "see the page (https://a.example/x)"),
        ("<http://a.example|a.example>", "http://a.example"),
        ("<mailto:ada@a.example|ada@a.example>", "ada@a.example"),
        ("1 &lt; 2 <", "1 < 2 <"),
        ("nul\0 and half \ud800", "nul\ufffd and half \ufffd"),
    ],
)
def test_marks_are_read(text: str, read: str) -> None:
    assert plain(text, ME, PEOPLE) == read


def test_people_are_named_once_each_and_not_without_end() -> None:
    assert people_in("<@U2> <@W3|x> <@U2> <@lower> @U9") == ("U2", "W3")
    assert len(people_in("".join(f"<@U{n}>" for n in range(10, 500)))) == 100


def test_a_label_is_one_line_that_closes_no_bracket() -> None:
    assert label("a]\n\u202eb[" * 50, 10) == "a) b(a) b…"
    assert label(None) == ""


@given(st.text(st.characters(), max_size=200))
def test_whatever_is_written_can_be_stored(text: str) -> None:
    found = said(text, ME, PEOPLE)
    assert "\0" not in found.text
    assert found.text.encode() is not None
