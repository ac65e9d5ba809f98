"""Events of Slack become our updates, one by one, whatever is in them."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.slack.directory.people import read_person
from bot.adapters.slack.parse.events import heard_at, parse, team_of, wanted
from bot.adapters.slack.parse.messages import Known, dumped, instant
from bot.adapters.slack.parse.text import Me
from core.kernel.types import Attachment, Inbound, Press, Sender
from core.kernel.updates import Deleted, Left, Opened, Presence, Profile, Returned, Skipped, Unreadable

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
FIELDS = (
    *("subtype", "user", "text", "ts", "thread_ts", "channel", "files", "attachments", "edited", "message", "bot_id"),
    *("previous_message", "deleted_ts", "client_msg_id", "user_team", "inviter", "event_ts", "tab"),
)
KINDS = (
    *("message", "app_mention", "member_joined_channel", "member_left_channel", "channel_left", "user_change"),
    *("app_home_opened", "something_new"),
)
ME = Me(team="T1", user="U0BOT", enterprise="E1")
ADA = Sender(address="slack:T1:U1", name="Ada", handle="@ada", kin="full")
KNOWN = Known(people={"U1": ADA}, title="#general")
TS = "1700000000.000100"


def message(**fields: Any) -> dict[str, Any]:
    base = {"type": "message", "user": "U1", "text": "hello", "ts": TS, "channel": "C1", "event_ts": TS}
    return {**base, **fields}


def parsed(**fields: Any) -> Any:
    return parse(message(**fields), ME, KNOWN)


def changed(text: str, before: str, **fields: Any) -> dict[str, Any]:
    new = {"user": "U1", "text": text, "ts": TS, "edited": {"user": "U1", "ts": "1700000009.000000"}, **fields}
    return {
        "subtype": "message_changed",
        "ts": "1700000009.000000",
        "message": new,
        "previous_message": {"user": "U1", "text": before, "ts": TS},
    }


def test_a_message_begins_a_thread_of_its_own_in_a_channel() -> None:
    found = parsed()
    assert (found.key, found.thread, found.message_id, found.sent_at) == (f"m:C1:{TS}", TS, TS, 1_700_000_000_000)
    assert (found.sender, found.title, found.converses, found.addressed) == (ADA, "#general", True, False)


def test_an_answer_belongs_to_the_thread_it_is_in() -> None:
    assert parsed(thread_ts="1699999999.000000").thread == "1699999999.000000"


def test_in_private_the_form_of_the_person_is_kept() -> None:
    assert parsed(channel="D1").thread == ""
    assert parsed(channel="D1", thread_ts=TS).thread == ""
    threaded = parsed(channel="D1", thread_ts="1699999999.000000")
    assert (threaded.thread, threaded.converses, threaded.addressed) == ("1699999999.000000", True, True)


def test_mention_and_message_are_one_whichever_comes_first() -> None:
    text = {"text": "<@U0BOT> hello", "client_msg_id": "x-1"}
    first, second = parsed(**text), parsed(**text, type="app_mention")
    assert (first.key, first.twin, first.addressed, first.text) == (second.key, "c:x-1", True, "hello")
    assert second.addressed


@pytest.mark.parametrize(
    "fields",
    [
        {"bot_id": "B1"},
        {"subtype": "bot_message"},
        {"user": "USLACKBOT"},
        {"user": "U0BOT"},
        {"subtype": "channel_join"},
        {"subtype": "channel_topic"},
        {"text": ""},
        changed("hello", "hello"),
        changed("better", "worse", bot_id="B1"),
    ],
)
def test_what_nobody_said_is_skipped(fields: dict[str, Any]) -> None:
    assert isinstance(parsed(**fields), Skipped)


def test_an_edit_knows_the_key_of_what_it_changes() -> None:
    found = parsed(**changed("<@U9> hello", "hello"))
    assert (found.edits, found.origin, found.edited_at) == (TS, parsed().key, 1_700_000_009_000)


def test_an_edit_has_a_key_of_its_own_and_no_twin() -> None:
    found = parsed(**changed("better", "worse", client_msg_id="x-1"))
    assert (found.key, found.edits, found.text, found.twin) == (f"e:C1:{TS}:1700000009.000000", TS, "better", "")
    assert found.thread == TS


def test_a_deleted_message_is_named_with_its_thread() -> None:
    old = {"user": "U1", "text": "x", "ts": TS, "thread_ts": "1699999999.000000"}
    found = parsed(subtype="message_deleted", deleted_ts=TS, previous_message=old)
    assert found == Deleted(key=f"d:C1:{TS}", chat="C1", message_id=TS, thread="1699999999.000000")


def test_a_stone_in_a_thread_is_a_deletion() -> None:
    fields = changed("This message was deleted.", "x", subtype="tombstone")
    assert parsed(**fields) == Deleted(key=f"d:C1:{TS}", chat="C1", message_id=TS, thread=TS)


def test_our_own_deleted_message_is_nothing() -> None:
    old = {"user": "U0BOT", "bot_id": "B1", "ts": TS}
    assert isinstance(parsed(subtype="message_deleted", deleted_ts=TS, previous_message=old), Skipped)


def test_files_can_be_fetched_where_they_are() -> None:
    file = {
        "id": "F1",
        "name": "a]\n.png",
        "mimetype": "image/png",
        "size": 12,
        "url_private_download": "https://files.slack.com/files-pri/T1-F1/a.png",
    }
    gone, elsewhere = {"id": "F2", "mode": "tombstone"}, {"id": "F3", "is_external": True}
    found = parsed(text="", subtype="file_share", files=[file, gone, elsewhere, None, {"id": "F4"}])
    photo, bare = found.attachments
    assert photo == Attachment(
        kind="photo",
        file="T1 https://files.slack.com/files-pri/T1-F1/a.png",
        name="a) .png",
        mime="image/png",
        size=12,
    )
    assert bare.file == "T1 F4"


def test_what_is_shared_without_a_word_is_forwarded() -> None:
    shared = {"is_share": True, "text": "do &amp; don't", "from_url": "https://acme.slack.com/archives/C9/p1"}
    found = parsed(text="", attachments=[shared])
    assert (found.text, found.forwarded, found.link) == ("do & don't", True, "https://acme.slack.com/archives/C9/p1")
    with_words = parsed(text="remind me at 9", attachments=[{**shared, "author_id": "U7"}])
    assert (with_words.text, with_words.quoted, with_words.forwarded) == ("remind me at 9", "do & don't", False)
    assert with_words.quoted_from == "slack:T1:U7"


def test_the_preview_of_a_link_is_nobodys_word() -> None:
    found = parsed(attachments=[{"text": "preview", "from_url": "https://a.example/"}])
    assert (found.quoted, found.link, found.forwarded) == ("", "", False)


def test_the_bot_is_invited_and_removed() -> None:
    joined = {"type": "member_joined_channel", "user": "U0BOT", "channel": "C1", "inviter": "U1", "event_ts": TS}
    come = parse(joined, ME, KNOWN)
    assert isinstance(come, Presence)
    assert (come.present, come.sender, come.title, come.chat_kind) == (True, ADA, "#general", "group")
    assert isinstance(parse(joined | {"inviter": ""}, ME, KNOWN), Skipped)
    gone = parse({"type": "channel_left", "channel": "C1", "actor_id": "U1", "event_ts": TS}, ME, KNOWN)
    assert isinstance(gone, Presence)
    assert not gone.present


def test_others_leave_and_come_back_by_their_address() -> None:
    event = {"type": "member_left_channel", "user": "U9", "channel": "C1", "event_ts": TS}
    assert parse(event, ME, Known()) == Left(key=f"j:C1:{TS}", chat="C1", address="slack:T1:U9", at=1_700_000_000_000)
    event |= {"type": "member_joined_channel", "inviter": "U1"}
    assert parse(event, ME, Known()) == Returned(
        key=f"j:C1:{TS}", chat="C1", addresses=("slack:T1:U9",), at=1_700_000_000_000
    )


def test_the_home_is_opened_and_the_other_tab_is_not() -> None:
    event = {"type": "app_home_opened", "user": "U1", "channel": "D1", "tab": "home", "event_ts": TS}
    assert parse(event, ME, KNOWN) == Opened(key=f"o:U1:{TS}", chat="D1", sender=ADA)
    assert isinstance(parse(event | {"tab": "messages"}, ME, KNOWN), Skipped)


def test_what_somebody_looks_at_is_not_kept_with_what_they_say() -> None:
    seen = {"entities": [{"type": "slack#/types/channel_id", "value": "C0SECRET"}]}
    edit = changed("new", "old", app_context=seen)
    for event in (message(app_context=seen), message(app_context=seen, files="broken"), edit | message() | edit):
        found = parse(event | {"app_context": seen}, ME, KNOWN)
        assert isinstance(found, Inbound | Unreadable)
        assert "C0SECRET" not in found.raw


def test_somebody_of_another_workspace_keeps_their_address() -> None:
    unknown = parsed(user="U9", user_team="T2")
    assert unknown.sender == Sender(address="slack:T2:U9", name="U9", kin="outsider")
    assert parsed(user="U9", user_team="E1").sender.address == "slack:T1:U9"


def test_who_comes_from_elsewhere_is_an_outsider_whatever_is_known() -> None:
    me, hidden = replace(ME, enterprise=""), Sender(address="slack:T1:U1", name="U1")
    for known, name in itertools.product((KNOWN, Known(people={"U1": hidden}), Known()), ("user_team", "team")):
        found = parse(message(**{name: "T2"}), me, known)
        assert isinstance(found, Inbound)
        assert (found.sender.address, found.sender.kin) == ("slack:T2:U1", "outsider")


def test_of_an_organisation_it_is_known_who_belongs_to_it() -> None:
    assert parsed(user_team="T3").sender == ADA
    assert parsed(user="U9", user_team="T3").sender.kin == "outsider"


@pytest.mark.parametrize(
    ("user", "kin", "address"),
    [
        ({"team_id": "T1"}, "full", "slack:T1:U5"),
        ({"team_id": "T1", "is_ultra_restricted": True}, "guest", "slack:T1:U5"),
        ({"team_id": "T2"}, "outsider", "slack:T2:U5"),
        ({"team_id": "T1", "is_stranger": True}, "outsider", "slack:T1:U5"),
        ({"team_id": "T3", "enterprise_user": {"teams": ["T1", "T3"]}}, "full", "slack:T1:U5"),
    ],
)
def test_what_somebody_is_to_the_workspace_is_read(user: dict[str, Any], kin: str, address: str) -> None:
    found = read_person({"id": "U5", "name": "eve", "locale": "pt-BR", "tz": "Asia/Tokyo", **user}, ME)
    assert (found.kin, found.address) == (kin, address)
    assert (found.handle, found.language, found.timezone) == ("@eve", "pt", "Asia/Tokyo")


def test_the_workspace_is_the_one_that_is_told() -> None:
    assert team_of({"team_id": "T2", "authorizations": [{"team_id": "T1"}]}) == "T1"
    for whole in (None, "E1"):
        connect = {"team_id": "T2", "context_team_id": "T1", "authorizations": [{"team_id": whole}]}
        assert team_of(connect) == "T1"
    assert team_of({"team_id": "T2", "context_team_id": "E1"}) == "T2"
    assert team_of({"team": None, "user": {"team_id": "T1"}}) == "T1"
    assert team_of({"team": {"id": "T1"}, "view": {"app_installed_team_id": "T2"}}) == "T2"
    assert team_of({}) == ""


def test_who_must_be_known_is_who_wrote_and_who_is_named() -> None:
    assert wanted(message(text="<@U2> and <@U1>"), ME) == (("U1",), ("U2", "U1"), "C1")
    assert wanted(message(bot_id="B1"), ME) == ((), (), "")
    _, named, _ = wanted(message(text=" ".join(f"<@U{n}>" for n in range(100, 200))), ME)
    assert named == tuple(f"U{n}" for n in range(100, 110))


def test_a_time_stamp_is_an_instant_or_nothing() -> None:
    assert instant("1700000000.123456") == 1_700_000_000_123
    assert heard_at(message(event_ts="rubbish")) == ""
    for wrong in ("", "x", "1700000000", "1.2.3", "١.٢"):
        with pytest.raises(ValueError, match="time stamp"):
            instant(wrong)


def test_what_cannot_be_read_is_kept_to_be_looked_at() -> None:
    found = parsed(ts=5)
    assert isinstance(found, Unreadable)
    assert found.key.startswith("sha256:")


def test_half_a_character_brings_no_secret_along() -> None:
    payload = {"token": "SECRET", "response_url": "https://hooks.slack.com/SECRET", "x": json.loads('"\\ud83d"')}
    raw = dumped(payload, ("token", "response_url"))
    assert "SECRET" not in raw
    assert json.loads(raw) == {"x": "\ud83d"}


def test_a_hook_is_in_no_log() -> None:
    response_url = "https://hooks.slack.com/SECRET"
    assert "SECRET" not in repr(replace(parsed(), response_url=response_url))
    press = Press(key="p", chat="D1", sender=ADA, data="x", response_url=response_url, raw="")
    assert "SECRET" not in ascii(press)


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_whatever_comes_is_read_or_kept(kind: str, fields: dict[str, Any]) -> None:
    event = {"type": kind, "channel": "C1", "ts": TS, "event_ts": TS, **fields}
    wanted(event, ME)
    heard_at(event)
    found = parse(event, ME, KNOWN)
    assert found.key
    if isinstance(found, Inbound):
        assert found.raw.encode()


@given(st.dictionaries(st.sampled_from(("team", "team_id", "authorizations", "user", "view")), ANYTHING))
def test_whatever_comes_is_for_some_workspace_or_none(payload: dict[str, Any]) -> None:
    assert isinstance(team_of(payload), str)


@pytest.mark.parametrize("deleted", [True, False, None, "yes"])
def test_who_is_deactivated_is_gone(deleted: Any) -> None:
    user = {"id": "U1", "deleted": deleted, "profile": {"display_name": "Ada"}}
    found = parse({"type": "user_change", "user": user, "event_ts": TS}, ME, KNOWN)
    assert isinstance(found, Profile)
    assert found.gone == (deleted is True)
