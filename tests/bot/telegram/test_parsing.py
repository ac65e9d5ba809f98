"""Updates of the Bot API become ours, one by one, whatever is in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.parse.fields import Me
from bot.adapters.telegram.parse.updates import next_offset, parse
from core.kernel.clean_text import storable
from core.kernel.types import Inbound, Sender
from core.kernel.updates import Skipped, Unreadable

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
FIELDS = (
    *("message_id", "from", "chat", "date", "text", "caption", "reply_to_message", "is_topic_message", "quote"),
    *("external_reply", "forward_origin", "entities", "contact"),
)
ME = Me(id=1000, username="teller_bot", name="Teller")


def message(**fields: Any) -> dict[str, Any]:
    return {
        "message_id": 7,
        "from": {"id": 1001, "is_bot": False, "first_name": "Ada", "last_name": "L.", "language_code": "en"},
        "chat": {"id": 1001, "type": "private", "first_name": "Ada"},
        "date": 1_700_000_000,
        "text": "hello",
        **fields,
    }


def parsed(update: Any) -> Any:
    [found] = parse([update], ME)
    return found


def test_a_private_message_is_read_whole() -> None:
    update = {"update_id": 12, "message": message()}
    assert parsed(update) == Inbound(
        key="12",
        chat="1001",
        sender=Sender(address="tg:1001", name="Ada L.", language="en"),
        text="hello",
        sent_at=1_700_000_000_000,
        message_id="7",
        raw=json.dumps(update, separators=(",", ":")),
    )


def test_an_edit_names_the_message_it_replaces() -> None:
    found = parsed({"update_id": 13, "edited_message": message(text="better")})
    assert (found.text, found.edits, found.message_id) == ("better", "7", "7")


def test_a_reply_and_a_topic_are_noted() -> None:
    replied = {"message_id": 5, "date": 1, "chat": {"id": 1001, "type": "private"}}
    found = parsed({
        "update_id": 1,
        "message": message(reply_to_message=replied, is_topic_message=True, message_thread_id=3),
    })
    assert (found.reply_to, found.thread) == ("5", "3")


def test_a_thread_id_outside_a_topic_is_no_thread() -> None:
    assert parsed({"update_id": 1, "message": message(message_thread_id=3)}).thread == ""


def test_the_opening_of_a_topic_is_no_reply() -> None:
    opening = {"message_id": 3, "forum_topic_created": {"name": "x", "icon_color": 1}}
    assert parsed({"update_id": 1, "message": message(reply_to_message=opening)}).reply_to == ""


def test_a_caption_is_a_text() -> None:
    photo = message(caption="look", photo=[])
    del photo["text"]
    assert parsed({"update_id": 1, "message": photo}).text == "look"


@pytest.mark.parametrize(
    "update",
    [
        {"subscription": {}},
        {"message": message(chat={"id": -5, "type": "channel", "title": "c"})},
        {"message": message(**{"from": {"id": 2, "is_bot": True, "first_name": "b"}})},
        {"message": {key: value for key, value in message().items() if key != "text"}},
    ],
)
def test_what_is_not_for_us_only_moves_the_cursor(update: dict[str, Any]) -> None:
    assert parsed({"update_id": 4, **update}) == Skipped(key="4")


@pytest.mark.parametrize(
    "fields",
    [
        {"date": 10**30},
        {"date": -1},
        {"date": "today"},
        {"text": 5},
        {"text": ["a"]},
        {"chat": None},
        {"chat": {"id": "x", "type": "private"}},
        {"from": {"id": 2**80, "first_name": "x"}},
        {"message_id": True},
        {"reply_to_message": 9},
    ],
)
def test_a_broken_message_is_kept_with_its_error_and_the_rest_goes_on(fields: dict[str, Any]) -> None:
    broken, good = {"update_id": 1, "message": message(**fields)}, {"update_id": 2, "message": message()}
    first, second = parse([broken, good], ME)
    assert isinstance(first, Unreadable)
    assert (first.key, json.loads(first.raw)) == ("1", broken)
    assert first.error
    assert isinstance(second, Inbound)


def test_an_update_without_an_id_is_kept_under_a_digest() -> None:
    one, other = parse([{"message": message()}, "garbage"], ME)
    assert isinstance(one, Unreadable)
    assert isinstance(other, Unreadable)
    assert one.key.startswith("sha256:")
    assert one.key != other.key


def test_halves_of_surrogate_pairs_and_nul_are_replaced() -> None:
    found = parsed({"update_id": 1, "message": message(text="a\ud800b\0c😀\udc00")})
    assert found.text == "a\ufffdb\ufffdc😀\ufffd"
    assert found.raw.encode()


def test_the_offset_follows_the_highest_id_of_the_batch_alone() -> None:
    assert next_offset([{"update_id": 5}, "garbage", {"update_id": 3}]) == 6


def test_a_batch_without_ids_has_no_offset() -> None:
    with pytest.raises(ValueError, match="id"):
        next_offset([{}, {"update_id": "5"}, {"update_id": True}, 2])


@given(st.text(st.characters()))
def test_cleaned_text_is_storable_and_clean_text_is_left_alone(text: str) -> None:
    cleaned = storable(text)
    assert cleaned.encode().decode() == cleaned
    assert "\0" not in cleaned
    assert storable(cleaned) == cleaned


@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING), ANYTHING)
def test_no_update_whatever_it_holds_stops_the_parser(fields: dict[str, Any], other: Any) -> None:
    updates = [{"update_id": 1, "message": message(**fields)}, {"update_id": 2, "edited_message": other}, other]
    found = parse(updates, ME)
    assert len(found) == len(updates)
    assert all(update.raw.encode() for update in found if isinstance(update, Inbound | Unreadable))
