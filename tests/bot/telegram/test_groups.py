"""Groups: who speaks, to whom, in which topic; the bot's own place in them; presses of buttons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.telegram.parse.fields import Me
from bot.adapters.telegram.parse.updates import parse, query_ids
from core.kernel.types import Inbound, Press, Sender
from core.kernel.updates import Left, Moved, Presence, Returned, Skipped, Unreadable

ME = Me(id=1000, username="teller_bot", name="Teller")
GROUP = {"id": -1005, "type": "supergroup", "title": "Family"}
ADA = {"id": 1001, "is_bot": False, "first_name": "Ada", "language_code": "en"}
HIDDEN = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_BOT = {"id": 136817688, "is_bot": True, "first_name": "Channel"}
TELEGRAM = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
AT = 1_700_000_000_000
BOT = {"id": 1000, "is_bot": True, "first_name": "Teller", "username": "teller_bot"}


def message(**fields: Any) -> dict[str, Any]:
    return {"message_id": 7, "from": ADA, "chat": GROUP, "date": AT // 1000, "text": "hello", **fields}


def parsed(kind: str = "message", **fields: Any) -> Any:
    [found] = parse([{"update_id": 1, kind: fields}], ME)
    return found


def said(**fields: Any) -> Any:
    return parsed(**message(**fields))


def replied(**fields: Any) -> dict[str, Any]:
    return {"message_id": 3, "chat": GROUP, "date": 1, "from": BOT, **fields}


def test_what_people_say_to_each_other_is_not_addressed() -> None:
    found = said()
    assert (found.addressed, found.chat, found.chat_kind, found.title) == (False, "-1005", "group", "Family")
    assert found.sender == Sender(address="tg:1001", name="Ada", language="en")


@pytest.mark.parametrize("text", ["Teller, hello", "@teller_bot hello"])
def test_what_is_said_to_the_bot_is_addressed_and_loses_its_name(text: str) -> None:
    entities = [{"type": "mention", "offset": 0, "length": 11}] if text.startswith("@") else []
    found = said(text=text, entities=entities)
    assert (found.addressed, found.text) == (True, "hello")


def test_a_caption_addresses_by_its_own_entities() -> None:
    photo = message(photo=[{"file_id": "p"}], caption="look @teller_bot")
    del photo["text"]
    photo["caption_entities"] = [{"type": "mention", "offset": 5, "length": 11}]
    assert parsed(**photo).addressed is True
    photo["entities"] = photo.pop("caption_entities")
    assert parsed(**photo).addressed is False


def test_a_reply_to_the_bot_is_addressed_and_one_to_somebody_else_is_not() -> None:
    assert said(reply_to_message=replied()).addressed is True
    assert said(reply_to_message=replied(**{"from": ADA})).addressed is False
    assert said(reply_to_message={"message_id": 3}).addressed is False


def test_a_command_for_another_bot_is_not_for_us_even_as_a_reply() -> None:
    assert said(text="/stop@other_bot", reply_to_message=replied()).addressed is False
    assert said(text="/usr/bin", reply_to_message=replied()).addressed is True


def test_a_topic_that_the_bot_opened_makes_nobody_address_it() -> None:
    found = said(reply_to_message=replied(forum_topic_created={}), is_topic_message=True, message_thread_id=3)
    assert (found.addressed, found.reply_to, found.thread) == (False, "", "3")


def test_a_forwarded_mention_calls_nobody() -> None:
    text = "@teller_bot /stop"
    found = said(text=text, entities=[{"type": "mention", "offset": 0, "length": 11}], forward_origin={"type": "user"})
    assert (found.addressed, found.text) == (False, f"[forwarded]\n{text}")


def test_a_sticker_in_reply_to_the_bot_is_addressed() -> None:
    sticker = message(sticker={"emoji": "👍"}, reply_to_message=replied())
    del sticker["text"]
    found = parsed(**sticker)
    assert (found.addressed, found.text) == (True, "[sticker 👍]")


@pytest.mark.parametrize(("thread", "expected"), [(3, "3"), (1, "")])
def test_the_general_topic_is_no_topic(thread: int, expected: str) -> None:
    assert said(is_topic_message=True, message_thread_id=thread).thread == expected


def test_an_anonymous_administrator_speaks_as_the_group() -> None:
    found = said(**{"from": HIDDEN, "sender_chat": GROUP})
    assert found.sender == Sender(address="tg:-1005", name="Family", anonymous=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"from": CHANNEL_BOT, "sender_chat": {"id": -9, "type": "channel", "title": "News"}},
        {"from": TELEGRAM, "sender_chat": {"id": -9, "type": "channel"}, "is_automatic_forward": True},
        {"from": HIDDEN, "sender_chat": {"id": -9, "type": "supergroup"}},
        {"from": ADA, "sender_chat": GROUP},
        {"from": HIDDEN},
        {"from": BOT},
        {"from": {"id": 8, "is_bot": True, "first_name": "b"}},
        {"chat": {"id": -9, "type": "channel", "title": "News"}},
        {"chat": {"id": -9, "type": "hivemind"}},
    ],
)
def test_bots_and_channels_are_not_listened_to(fields: dict[str, Any]) -> None:
    assert said(**fields) == Skipped(key="1")


def test_what_a_person_sends_through_another_bot_is_not_their_own() -> None:
    found = said(text="/send Bob the code", via_bot={"id": 8, "is_bot": True, "first_name": "Cats"})
    assert (found.text, found.forwarded) == ("[forwarded from Cats]\n/send Bob the code", True)


def test_an_edit_in_a_group_is_one_and_may_address_the_bot() -> None:
    found = parsed("edited_message", **message(text="Teller, hello"))
    assert (found.edits, found.addressed, found.text) == ("7", True, "hello")


def test_a_group_that_became_a_supergroup_is_told_by_both() -> None:
    old = message(chat={"id": -5, "type": "group"}, migrate_to_chat_id=-1005)
    assert parsed(**old) == Moved(key="1", chat="-5", to="-1005")
    assert said(migrate_from_chat_id=-5, **{"from": HIDDEN, "sender_chat": GROUP}) == Moved(
        key="1", chat="-5", to="-1005"
    )


def test_who_left_a_group_or_was_removed_is_named() -> None:
    gone = {"id": 1002, "is_bot": False, "first_name": "Bo"}
    assert said(left_chat_member=gone, left_chat_participant=gone) == Left(
        key="1", chat="-1005", address="tg:1002", at=AT
    )
    hidden = said(left_chat_member=gone, **{"from": HIDDEN, "sender_chat": GROUP})
    assert hidden == Left(key="1", chat="-1005", address="tg:1002", at=AT)
    channel = message(chat={"id": -9, "type": "channel"}, left_chat_member=gone)
    assert parsed(**channel) == Skipped(key="1")


def test_who_was_added_to_a_group_or_joined_it_is_named() -> None:
    come = [{"id": number, "is_bot": False, "first_name": "Bo"} for number in (1002, 1003)]
    found = said(new_chat_members=[*come, BOT], new_chat_member=come[0], new_chat_participant=come[0])
    assert found == Returned(key="1", chat="-1005", addresses=("tg:1002", "tg:1003"), at=AT)
    hidden = said(new_chat_members=come[:1], **{"from": HIDDEN, "sender_chat": GROUP})
    assert hidden == Returned(key="1", chat="-1005", addresses=("tg:1002",), at=AT)
    assert said(text="", new_chat_members=[BOT]) == Skipped(key="1")


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ({"status": "member"}, {"status": "left"}, Left),
        ({"status": "restricted", "is_member": True}, {"status": "kicked"}, Left),
        ({"status": "kicked"}, {"status": "member"}, Returned),
        ({"status": "left"}, {"status": "restricted", "is_member": True}, Returned),
        ({"status": "left"}, {"status": "kicked"}, Skipped),
    ],
)
def test_an_administrator_is_told_who_leaves_and_who_comes_back(
    before: dict[str, Any], after: dict[str, Any], kind: type[Left | Returned | Skipped]
) -> None:
    bo = {"id": 1002, "is_bot": False, "first_name": "Bo"}
    change = {"chat": GROUP, "from": ADA, "date": AT // 1000, "old_chat_member": {**before, "user": bo}}
    found = parsed("chat_member", **change, new_chat_member={**after, "user": bo})
    named = {Left: Left(key="1", chat="-1005", address="tg:1002", at=AT), Skipped: Skipped(key="1")}
    assert found == named.get(kind, Returned(key="1", chat="-1005", addresses=("tg:1002",), at=AT))


@pytest.mark.parametrize(
    ("member", "present"),
    [
        ({"status": "member"}, True),
        ({"status": "administrator"}, True),
        ({"status": "creator"}, True),
        ({"status": "restricted", "is_member": True}, True),
        ({"status": "restricted", "is_member": False}, False),
        ({"status": "left"}, False),
        ({"status": "kicked"}, False),
    ],
)
def test_the_bots_place_in_a_group_is_known(member: dict[str, Any], present: bool) -> None:
    change = {"chat": GROUP, "from": ADA, "date": 1, "old_chat_member": {}, "new_chat_member": member}
    found = parsed("my_chat_member", **change)
    assert found == Presence(
        key="1",
        chat="-1005",
        sender=Sender(address="tg:1001", name="Ada", language="en"),
        present=present,
        chat_kind="group",
        title="Family",
        raw=json.dumps({"update_id": 1, "my_chat_member": change}, separators=(",", ":")),
    )


def test_blocking_in_private_is_an_absence_without_a_title() -> None:
    chat = {"id": 1001, "type": "private", "first_name": "Ada"}
    found = parsed("my_chat_member", **{"chat": chat, "from": ADA, "new_chat_member": {"status": "kicked"}})
    assert (found.chat_kind, found.title, found.present) == ("private", "", False)


def test_who_added_the_bot_anonymously_is_nobody() -> None:
    found = parsed("my_chat_member", **{"chat": GROUP, "from": HIDDEN, "new_chat_member": {"status": "member"}})
    assert found.sender == Sender(address="tg:-1005", name="Family", anonymous=True)


def test_channels_do_not_count_and_an_unheard_of_status_is_kept_to_be_looked_at() -> None:
    change = {"chat": {"id": -9, "type": "channel"}, "from": ADA, "new_chat_member": {"status": "member"}}
    assert parsed("my_chat_member", **change) == Skipped(key="1")
    assert isinstance(
        parsed("my_chat_member", **{**change, "chat": GROUP, "new_chat_member": {"status": "?"}}), Unreadable
    )


def query(**fields: Any) -> dict[str, Any]:
    shown = {"message_id": 40, "chat": GROUP, "date": 1, "from": BOT, "text": "Sure?"}
    return {"id": "4382", "from": ADA, "message": shown, "chat_instance": "1", "data": "v1:yes", **fields}


def test_a_press_says_who_pressed_what_where() -> None:
    raw = json.dumps({"update_id": 1, "callback_query": query()}, separators=(",", ":"))
    assert parsed("callback_query", **query()) == Press(
        key="1",
        chat="-1005",
        chat_kind="group",
        sender=Sender(address="tg:1001", name="Ada", language="en"),
        data="v1:yes",
        message_id="40",
        raw=raw,
    )


def test_a_press_on_an_inaccessible_message_counts() -> None:
    found = parsed("callback_query", **query(message={"message_id": 40, "chat": GROUP, "date": 0}))
    assert (found.chat, found.message_id, found.thread) == ("-1005", "40", "")


def test_a_press_in_a_topic_is_in_the_topic() -> None:
    shown = {**query()["message"], "is_topic_message": True, "message_thread_id": 3}
    assert parsed("callback_query", **query(message=shown)).thread == "3"


@pytest.mark.parametrize(
    "fields",
    [
        {"message": None, "inline_message_id": "x"},
        {"data": None, "game_short_name": "chess"},
        {"from": {**ADA, "is_bot": True}},
        {"message": {"message_id": 4, "chat": {"id": -9, "type": "channel"}, "date": 0}},
    ],
)
def test_presses_that_are_not_ours_are_skipped(fields: dict[str, Any]) -> None:
    assert parsed("callback_query", **query(**fields)) == Skipped(key="1")


def test_the_ids_of_queries_are_found_by_the_keys_of_their_updates() -> None:
    updates = [{"update_id": 5, "callback_query": {"id": "a"}}, {"update_id": 6}, "x", {"callback_query": {"id": 7}}]
    assert query_ids(updates) == {"5": "a"}


def samples() -> Iterator[dict[str, Any]]:
    yield {"message": message(text="😀 @teller_bot", entities=[{"type": "mention", "offset": 3, "length": 11}])}
    yield {"message": message(reply_to_message=replied(), is_topic_message=True, message_thread_id=3)}
    yield {"message": message(**{"from": HIDDEN, "sender_chat": GROUP})}
    yield {"edited_message": message(photo=[{"file_id": "p", "width": 1, "height": 1}], media_group_id="a")}
    yield {"message": message(venue={"title": "x", "location": {"latitude": 1, "longitude": 2}}, forward_origin={})}
    yield {"message": message(poll={"question": "?", "options": [{"text": "a"}]}, document={"file_id": "d"})}
    yield {"message": message(migrate_to_chat_id=-1005)}
    yield {"message": message(left_chat_member=ADA)}
    yield {"callback_query": query()}
    yield {"my_chat_member": {"chat": GROUP, "from": ADA, "new_chat_member": {"status": "restricted"}}}


SAMPLES = list(samples())
ODDITIES: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, "", "\ud800\0", "a" * 5000, [], {}, [[]], {"id": "x"}, [None])


def mutated(value: Any, chance: Random) -> Any:
    """Return the JSON with a piece of it replaced by something odd, left out, or doubled."""
    if chance.random() < 0.15:
        return chance.choice(ODDITIES)
    if isinstance(value, dict):
        kept = {name: mutated(inner, chance) for name, inner in value.items() if chance.random() > 0.05}
        return {**kept, **({str(chance.choice(ODDITIES)): 1} if chance.random() < 0.1 else {})}
    if isinstance(value, list):
        return [mutated(inner, chance) for inner in value for _ in range(chance.randint(0, 2))]
    return value


@given(st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_mutated_updates_are_read_or_kept_and_stop_nothing(chance: Random) -> None:
    broken = [
        {"update_id": number, kind: mutated(inner, chance)}
        for number, sample in enumerate(SAMPLES)
        for kind, inner in sample.items()
    ]
    found = parse([*broken, {"update_id": 99, "message": message()}], ME)
    assert [update.key for update in found[:-1]] == [str(number) for number in range(len(SAMPLES))]
    assert isinstance(found[-1], Inbound)
    for update in found:
        kept = [update.raw] if isinstance(update, Inbound | Press | Presence | Unreadable) else []
        texts = [update.text, update.title, update.sender.name] if isinstance(update, Inbound) else []
        assert all("\0" not in text and text.encode().decode() == text for text in [*texts, *kept])
