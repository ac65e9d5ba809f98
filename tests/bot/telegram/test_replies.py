"""What a reply or a forward is about comes with it: the text, and a link where Telegram has one."""

from __future__ import annotations

from typing import Any

import pytest

from bot.adapters.telegram.parse.fields import Me
from bot.adapters.telegram.parse.messages import permalink
from bot.adapters.telegram.parse.updates import parse
from core.kernel.types import Destination, Inbound
from core.kernel.updates import Unreadable

ME = Me(id=1000, username="teller_bot", name="Teller")
PRIVATE = {"id": 1001, "type": "private", "first_name": "Ada"}
GROUP = {"id": -55, "type": "group", "title": "Tea"}
SUPER = {"id": -1001234567890, "type": "supergroup", "title": "Tea"}
NEWS = {"id": -1009876543210, "type": "channel", "title": "News", "username": "the_news"}
FROM_NEWS = {"type": "channel", "chat": NEWS, "message_id": 17, "date": 1}
FROM_BO = {"type": "user", "sender_user": {"id": 5, "first_name": "Bo"}, "date": 1}


def read(chat: dict[str, Any] = PRIVATE, *, edited: bool = False, **fields: Any) -> Any:
    message = {
        "message_id": 7,
        "from": {"id": 1001, "is_bot": False, "first_name": "Ada"},
        "chat": chat,
        "date": 1_700_000_000,
        "text": "/remind me at 9",
        **fields,
    }
    [found] = parse([{"update_id": 1, "edited_message" if edited else "message": message}], ME)
    return found


def original(**fields: Any) -> dict[str, Any]:
    return {"message_id": 5, "date": 1, "chat": PRIVATE, **fields}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"text": "Bring\ncups"}, "Bring\ncups"),
        ({"caption": "the cake", "photo": []}, "the cake"),
        ({"location": {"latitude": 1, "longitude": 2}}, "[location 1.00000, 2.00000]"),
        ({"photo": []}, ""),
        ({"document": {"file_id": "F1", "file_name": "lease.pdf"}}, "[lease.pdf]"),
        ({"document": {"file_id": "F1", "file_name": "lease.pdf"}, "caption": "ours"}, "ours"),
        ({"document": {"file_id": "F1", "file_name": "a\u202e\nb"}}, "[a b]"),
        ({"document": {"file_id": "F1"}}, ""),
        ({"voice": {"file_id": "F1"}}, ""),
        ({"text": "a\0b"}, "a\ufffdb"),
    ],
)
@pytest.mark.parametrize("edited", [False, True])
def test_a_reply_brings_the_text_it_is_about(fields: dict[str, Any], text: str, edited: bool) -> None:
    assert read(reply_to_message=original(**fields), edited=edited).quoted == text


def test_the_part_that_was_picked_counts() -> None:
    quote = {"text": "cups", "position": 6}
    assert read(reply_to_message=original(text="Bring cups"), quote=quote).quoted == "cups"
    assert read(external_reply={"origin": FROM_NEWS}, quote=quote).quoted == "cups"


def test_it_is_known_whose_words_a_reply_brings() -> None:
    bo = {"id": 7, "first_name": "Bo", "is_bot": False}
    assert read(reply_to_message=original(text="Bring cups", **{"from": bo})).quoted_from == "tg:7"
    assert read(external_reply={"origin": FROM_BO}, quote={"text": "cups"}).quoted_from.startswith("tg:")
    for unknown in ({"origin": FROM_NEWS}, {}):
        assert read(external_reply=unknown, quote={"text": "cups"}).quoted_from == ""


def test_a_message_of_its_own_is_about_nothing() -> None:
    found = read(SUPER)
    assert (found.quoted, found.link, found.forwarded, found.mentioned) == ("", "", False, ())


@pytest.mark.parametrize(
    ("chat", "link"),
    [
        (SUPER, "https://t.me/c/1234567890/5"),
        ({**SUPER, "username": "tea_time"}, "https://t.me/tea_time/5"),
        ({**SUPER, "username": "../evil"}, "https://t.me/c/1234567890/5"),
        ({**SUPER, "id": -77}, ""),
        (GROUP, ""),
        (PRIVATE, ""),
    ],
)
def test_a_message_of_a_supergroup_has_a_link(chat: dict[str, Any], link: str) -> None:
    assert read(chat, reply_to_message=original(text="x")).link == link


def test_where_there_is_no_link_it_is_that_of_the_channels_post() -> None:
    assert read(reply_to_message=original(text="x", forward_origin=FROM_NEWS)).link == "https://t.me/the_news/17"
    assert read(SUPER, reply_to_message=original(forward_origin=FROM_NEWS)).link == "https://t.me/c/1234567890/5"
    assert read(forward_origin=FROM_NEWS).link == "https://t.me/the_news/17"
    assert read(forward_origin=FROM_BO).link == ""
    assert read(external_reply={"chat": NEWS, "message_id": 9}).link == "https://t.me/the_news/9"


def test_the_opening_of_a_topic_is_no_original() -> None:
    opening = original(forum_topic_created={"name": "x"}, text="x")
    found = read(SUPER, reply_to_message=opening)
    assert (found.reply_to, found.quoted, found.link) == ("", "", "")


@pytest.mark.parametrize("fields", [{"forward_origin": FROM_BO}, {"forward_date": 1}, {"forward_origin": None}])
def test_a_forward_says_that_it_is_one(fields: dict[str, Any]) -> None:
    found = read(**fields)
    assert found.forwarded
    assert found.text.startswith("[forwarded")


@pytest.mark.parametrize(
    "fields",
    [
        {"reply_to_message": original(text=5)},
        {"reply_to_message": original(text="x"), "quote": {"text": 5}},
        {"external_reply": "x"},
    ],
)
def test_a_broken_original_makes_the_message_unreadable(fields: dict[str, Any]) -> None:
    assert isinstance(read(**fields), Unreadable)


@pytest.mark.parametrize(
    "place",
    [
        5,
        {"chat": 5, "message_id": 1},
        {"chat": {"type": []}, "message_id": 1},
        {"chat": {"type": "channel", "id": "-1005"}, "message_id": 1},
        {"chat": NEWS, "message_id": "1"},
        {"chat": NEWS},
    ],
)
def test_a_broken_place_has_no_link(place: Any) -> None:
    found = read(forward_origin=place)
    assert isinstance(found, Inbound)
    assert found.link == ""


@pytest.mark.parametrize(
    ("chat", "message_id", "link"),
    [
        ("-1001234567890", "7", "https://t.me/c/1234567890/7"),
        ("-55", "7", ""),
        ("1001", "7", ""),
        ("-1001234567890", "", ""),
        ("-1001234567890", "7/../8", ""),
    ],
)
def test_messages_of_supergroups_have_links(chat: str, message_id: str, link: str) -> None:
    assert permalink(Destination(tenant="1000", chat=chat), message_id) == link
