"""People are named so that Telegram tells them, and known by what Telegram says of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.adapters.telegram.parse.fields import Me
from bot.adapters.telegram.parse.updates import parse
from bot.adapters.telegram.render.mentions import MOST_MENTIONS, PLAIN, mention
from bot.adapters.telegram.render.render import MOST_UNITS, render
from core.kernel.markdown import LONGEST_NAME, visible
from core.kernel.types import Sender
from tests.emulators.telegram_text import checked_text

ME = Me(id=1000, username="teller_bot", name="Teller")
BO = {"id": 2002, "is_bot": False, "first_name": "Bo", "username": "Bo_B"}
CHARACTERS = st.characters(exclude_categories=["Cs"])
SIGNS = st.sampled_from([*r"\`*_[]()<>!|~$&#-.1", "](tg://user?id=9)", "![", "**", "__a__", "\n", "&lt;", "😀", "要："])
NAMES = st.lists(SIGNS | st.text(CHARACTERS, max_size=5), max_size=30).map("".join)


def mentions(text: str) -> list[tuple[int, str]]:
    """Return who is mentioned, each with the text that shows it."""
    found = []
    for part in render(text):
        checked_text(dict(part.payload))
        coded = part.payload["text"].encode("utf-16-le")
        for one in part.payload["entities"]:
            assert one["type"] == "text_mention", one
            shown = coded[2 * one["offset"] : 2 * (one["offset"] + one["length"])].decode("utf-16-le")
            found.append((one["user"]["id"], shown))
    return found


def named(**fields: Any) -> tuple[Sender, ...]:
    message = {
        "message_id": 7,
        "from": {"id": 1001, "is_bot": False, "first_name": "Ada"},
        "chat": {"id": 1001, "type": "private"},
        "date": 1_700_000_000,
        **fields,
    }
    [found] = parse([{"update_id": 1, "message": message}], ME)
    people: tuple[Sender, ...] = found.mentioned  # type: ignore[union-attr]  # another kind of update fails the test
    return people


def mentioning(person: Any) -> dict[str, Any]:
    return {"type": "text_mention", "offset": 0, "length": 2, "user": person}


def test_a_mention_is_an_entity_with_the_user() -> None:
    [part] = render(f"⏰ {mention('tg:1001', 'Anna')}: call Oma")
    assert part.payload["text"] == "⏰ Anna: call Oma"
    user = {"id": 1001, "is_bot": False, "first_name": ""}
    assert part.payload["entities"] == [{"type": "text_mention", "offset": 2, "length": 4, "user": user}]


@given(NAMES)
@example("![a")
@example("`` ` ``")
@example("🏳️‍🌈 _x_")
@example("^0")
@example("[*\\[\x85\\")
@example("[\\[\x85\\")
@settings(max_examples=300)
def test_whatever_somebody_is_called_they_alone_are_mentioned_by_that(name: str) -> None:
    shown = visible(name.translate(PLAIN)) or "tg:1001"
    shown = shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"
    assert mentions(f"Hi!{mention('tg:1001', name)}, and {mention('tg:2002', 'Bo')}!") == [(1001, shown), (2002, "Bo")]


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("tg:@anna_bell", "@anna_bell"),
        ("tg:@a](x)", "A_n*na"),
        ("tg:-1005", "A_n*na"),
        ("tg:0", "A_n*na"),
        ("tg:1x", "A_n*na"),
        ("tg:٣", "A_n*na"),
        ("slack:T1:U2", "A_n*na"),
        ("1001", "A_n*na"),
        ("", "A_n*na"),
    ],
)
def test_who_is_no_user_of_telegram_is_called_by_handle_or_name(address: str, text: str) -> None:
    [part] = render(f"Hi {mention(address, 'A_n*na')}!")
    assert part.payload == {"text": f"Hi {text}!", "entities": []}


@pytest.mark.parametrize(
    "link", ["tg://user?id=x", "tg://user?id=1&a=b", "TG://USER?id=5", "tg://user/?id=5", "tg://user?a=b&id=5"]
)
def test_an_odd_link_to_a_user_is_no_mention(link: str) -> None:
    [part] = render(f"[x]({link}) **y**")
    assert part.payload["text"] == "x y"
    assert [entity["type"] for entity in part.payload["entities"]] == ["bold"]


def test_one_text_does_not_call_everybody() -> None:
    found = mentions(" ".join(mention(f"tg:{n}", f"user{n}") for n in range(1, 100)))
    assert [user for user, _ in found] == [*range(1, MOST_MENTIONS + 1)]


def test_mentions_are_cut_like_other_entities() -> None:
    parts = render("x" * (MOST_UNITS - 7) + " " + mention("tg:1001", "A" * 10) + " and **more**")
    assert [[entity["type"] for entity in part.payload["entities"]] for part in parts] == [[], ["text_mention", "bold"]]


def test_people_are_known_from_mentions_forwards_and_cards() -> None:
    card = {"phone_number": "+49", "first_name": "Dad", "last_name": "M.", "user_id": 3003}
    bo = Sender(address="tg:2002", name="Bo", handle="@bo_b")
    assert named(text="Bo!", entities=[mentioning(BO)]) == (bo,)
    assert named(caption="Bo!", photo=[], caption_entities=[mentioning(BO), mentioning(BO)]) == (bo,)
    assert named(text="x", forward_origin={"type": "user", "sender_user": BO, "date": 1}) == (bo,)
    assert named(contact=card) == (Sender(address="tg:3003", name="Dad M."),)


@pytest.mark.parametrize(
    "fields",
    [
        {"entities": [mentioning({**BO, "is_bot": True})]},
        {"entities": [mentioning({**BO, "id": 2**70})]},
        {"entities": [mentioning(None), mentioning(5), "x", {"type": "mention", "offset": 0, "length": 4}]},
        {"entities": 5},
        {"forward_origin": {"type": "hidden_user", "sender_user_name": "Bo"}},
        {"forward_origin": 5},
        {"contact": {"phone_number": "+49", "first_name": "Dad"}},
        {"contact": {"first_name": "Teller", "user_id": 1000}},
        {"contact": {"first_name": "Dad", "user_id": "3003"}},
    ],
)
def test_bots_and_what_names_nobody_name_nobody(fields: dict[str, Any]) -> None:
    assert named(text="@bob", **fields) == ()


@pytest.mark.parametrize(
    ("username", "handle"), [("Ada_L", "@ada_l"), ("", ""), (None, ""), (5, ""), ("a b", ""), ("é", ""), ("x" * 33, "")]
)
def test_a_sender_has_a_handle_where_telegram_gives_one(username: object, handle: str) -> None:
    sender = {"id": 1001, "is_bot": False, "first_name": "Ada", "username": username}
    press = {"from": sender, "message": {"message_id": 1, "chat": {"id": 1001, "type": "private"}}, "data": "x"}
    message = {"message_id": 7, "from": sender, "chat": {"id": 1001, "type": "private"}, "date": 1, "text": "hi"}
    found = parse([{"update_id": 1, "message": message}, {"update_id": 2, "callback_query": press}], ME)
    assert [one.sender.handle for one in found] == [handle, handle]  # type: ignore[union-attr]  # others fail the test
