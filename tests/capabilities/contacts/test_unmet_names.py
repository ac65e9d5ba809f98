"""Which words of a message name somebody, and which only sound like a name."""

from __future__ import annotations

import pytest

from core.capabilities.contacts import unmet
from core.kernel.own_words import own_words
from core.kernel.types import Sender


def names(name: str, text: str) -> bool:
    """Whether a text calls somebody by the name that the platform gives them."""
    return unmet.calls(own_words(text), Sender(address="slack:T1:U2", handle="@bob", name=name))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Bob", "could you nudge Bob about the slides?"),
        ("Bob", "what about Bob's list"),
        ("Bob", "请提醒Bob开会"),
        ("Will Smith", "Will Smith must send the slides"),
        ("Anna de Vries", "tell Anna de Vries"),
        ("Zoë", "tell Zoë, please"),
        ("Ана", "скажи Ана, что"),
        ("王小明", "请提醒王小明交报告"),
        ("Somebody", "nudge @bob, please"),
        ("Somebody", "nudge @BOB's team"),
        ("Somebody", "nudge slack:T1:U2"),
    ],
)
def test_a_whole_name_a_handle_and_an_address_name_somebody(name: str, text: str) -> None:
    assert names(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Will Smith", "Will it rain tomorrow?"),
        ("Will Smith", "and what will Will think?"),
        ("Will", "Will it rain tomorrow?"),
        ("May", "Well. May I ask you?"),
        ("May", "- May I ask you?"),
        ("will", "it will rain"),
        ("the boss", "what does the boss say?"),
        ("The boss", "The boss says so"),
        ("to do", "I have much to do"),
        ("I", "when I want it"),
        ("a", "give me a summary"),
        ("Bo", "what of Bo then"),
        ("?", "what is in this?"),
        ("", "nothing at all"),
        ("我", "我想知道"),
        ("明 王", "明天天气怎么样"),
        ("小 李", "这个小东西"),
    ],
)
def test_everyday_words_name_nobody(name: str, text: str) -> None:
    assert not names(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Will", "the Willow"),
        ("Ана", "и Анастасия"),
        ("Лев", "тот Левый"),
        ("José", "the Joséphine"),
        ("Ali", "and Aliş"),
        ("Bob", "mail to Bob@example.com"),
        ("Bob", "the tag #Bob"),
        ("Bob", "the file a/Bob/x"),
        ("Somebody", "nudge @bobby and @bob.smith and @bob-team and x@bob and @bobé"),
        ("राम", "और रामा"),
    ],
)
def test_a_piece_of_a_word_names_nobody(name: str, text: str) -> None:
    assert not names(name, text)


@pytest.mark.parametrize(
    "text",
    [
        "> tell Bob\nwhat of that?",
        "so:\n  > tell @bob",
        "so:\n>>> one\ntell @bob",
        "mail:\n```\nFrom: Bob @bob\n```\nwhat of that?",
        "mail:\n```\nFrom: Bob @bob",
        "is `tell @bob` right?",
        "see http://x.example/Bob and https://x.example/?to=@bob and www.x.example/Bob",
    ],
)
def test_what_is_quoted_or_shown_names_nobody(text: str) -> None:
    assert not names("Bob", text)
    assert names("Bob", f"tell Bob\n{text}")
