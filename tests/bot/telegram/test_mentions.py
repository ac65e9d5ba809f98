"""Who is meant by a text, and what is left of it without the name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.adapters.telegram.parse.fields import Me
from bot.adapters.telegram.parse.messages import said
from tests.emulators.telegram_text import utf16_length

ME = Me(id=1000, username="Teller_Bot", name="Teller 🤖")
WORDS = st.text(st.sampled_from("aé😀👨‍👩‍👧中 ,@/_\u0301\ud83d\n"), max_size=12)


def entity(text: str, part: str, kind: str = "mention", **fields: Any) -> dict[str, Any]:
    """The entity of the first occurrence of a part, in UTF-16 units."""
    return {"type": kind, "offset": utf16_length(text[: text.index(part)]), "length": utf16_length(part), **fields}


def heard(text: str, *entities: dict[str, Any], private: bool = False) -> tuple[str, bool]:
    found = said(text, list(entities), ME, private=private)
    return found.text, found.to_me


def mentioned(text: str, part: str = "@teller_bot") -> tuple[str, bool]:
    return heard(text, entity(text, part))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("@teller_bot what time is it", "what time is it"),
        ("@teller_bot, what time is it", "what time is it"),
        ("@teller_bot：几点了", "几点了"),
        ("@teller_bot", "@teller_bot"),
        ("@teller_bot ?!", "@teller_bot ?!"),
        ("@teller_bot 👍", "👍"),
        ("@teller_bot -5+3", "-5+3"),
        ("hello @teller_bot", "hello"),
        ("👨‍👩‍👧😀 hello @teller_bot", "👨‍👩‍👧😀 hello"),
        ("buy milk, @teller_bot!", "buy milk!"),
        ("remind me @teller_bot at 5 to call mum", "remind me at 5 to call mum"),
        ("can you, @teller_bot, remind me at 5", "can you remind me at 5"),
        ("thanks @teller_bot, see you", "thanks, see you"),
        ("能不能，@teller_bot，五点提醒我", "能不能五点提醒我"),
        ("milk @teller_bot\neggs", "milk\neggs"),
        ("hey @teller_bot, what time is it", "what time is it"),
        ("/todo buy milk @teller_bot", "/todo buy milk"),
    ],
)
def test_a_mention_addresses_and_is_taken_off_wherever_it_stands(text: str, left: str) -> None:
    assert mentioned(text) == (left, True)


def test_every_mention_of_the_bot_is_taken_off() -> None:
    text = "@teller_bot add milk @teller_bot and eggs"
    second = {"type": "mention", "offset": text.rindex("@"), "length": len("@teller_bot")}
    assert heard(text, second, entity(text, "@teller_bot")) == ("add milk and eggs", True)


def test_the_case_of_a_mention_does_not_matter() -> None:
    assert mentioned("@TELLER_bot hi", "@TELLER_bot") == ("hi", True)


def test_a_mention_of_somebody_else_addresses_nobody() -> None:
    assert mentioned("@ada_l what time is it", "@ada_l") == ("@ada_l what time is it", False)
    assert mentioned("@teller_bot2 hi", "@teller_bot2") == ("@teller_bot2 hi", False)


def test_a_mention_after_emoji_is_found_where_it_stands() -> None:
    text = "😀😀 @teller_bot @ada_l"
    assert heard(text, entity(text, "@ada_l")) == (text, False)
    assert heard(text, entity(text, "@teller_bot")) == ("😀😀 @ada_l", True)


def test_a_mention_without_a_username_is_known_by_the_id() -> None:
    text = "My Bot, hi"
    assert heard(text, entity(text, "My Bot", "text_mention", user={"id": 1000})) == ("hi", True)
    assert heard(text, entity(text, "My Bot", "text_mention", user={"id": 1001})) == (text, False)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Teller, what time is it", "what time is it"),
        ("teller: what time is it", "what time is it"),
        ("TELLER what time is it", "what time is it"),
        ("  teller_bot, hi", "hi"),
        ("Ｔｅｌｌｅｒ，几点了", "几点了"),
        ("Teller", "Teller"),
        ("Teller!", "Teller!"),
    ],
)
def test_the_name_at_the_start_addresses(text: str, left: str) -> None:
    assert heard(text) == (left, True)


@pytest.mark.parametrize(
    "text", ["Tellers are nice", "a Teller, please", "Tellér, hi", "Teller_x", "Teller\u0301 hi", ""]
)
def test_what_only_resembles_the_name_does_not(text: str) -> None:
    assert heard(text) == (text, False)


def test_in_private_only_a_name_with_a_comma_is_taken_out() -> None:
    assert heard("Teller, what time is it", private=True)[0] == "what time is it"
    assert heard("Teller is a name", private=True)[0] == "Teller is a name"


@pytest.mark.parametrize(
    ("text", "left", "to_me"),
    [
        ("/time", "/time", True),
        ("/time@teller_BOT Asia/Tokyo", "/time Asia/Tokyo", True),
        ("/time@teller_bot", "/time", True),
        ("/time@other_bot Asia/Tokyo", "/time@other_bot Asia/Tokyo", False),
        ("/usr/bin/env", "/usr/bin/env", False),
        ("and /time", "and /time", False),
    ],
)
def test_a_command_is_for_the_bot_it_names_or_for_all(text: str, left: str, to_me: bool) -> None:
    assert heard(text) == (left, to_me)


@given(WORDS, WORDS)
def test_units_are_told_from_characters_everywhere(before: str, after: str) -> None:
    before = before.encode("utf-16", "replace").decode("utf-16")
    text = f"{before}@teller_bot {after}".replace("\ud83d", "")
    assume(not text.startswith("/"))  # a command that names another bot is for that one
    assert heard(text, entity(text, "@teller_bot"))[1] is True


@given(
    st.text(),
    st.lists(
        st.dictionaries(st.sampled_from(["type", "offset", "length", "user"]), st.integers() | st.just("mention"))
    ),
)
def test_no_entity_can_break_a_text(text: str, entities: list[dict[str, Any]]) -> None:
    found = said(text, entities, ME, private=False)
    assert found.text in text or found.text.startswith("/")
