"""What comes with or instead of a text becomes data that a reader can trust to be data."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.parse.fields import Me
from bot.adapters.telegram.parse.updates import parse
from core.kernel.clean_text import label
from core.kernel.types import Attachment, Inbound
from core.kernel.updates import Skipped

ME = Me(id=1000, username="teller_bot", name="Teller")
PLACE = {"latitude": 52.52, "longitude": 13.405}
FROM_ANNA = {"type": "user", "sender_user": {"id": 5, "first_name": "Anna"}, "date": 1}


def received(chat: Any = "private", **fields: Any) -> Any:
    message = {
        "message_id": 7,
        "from": {"id": 1001, "is_bot": False, "first_name": "Ada"},
        "chat": {"id": 1001 if chat == "private" else -5, "type": chat},
        "date": 1_700_000_000,
        **fields,
    }
    [found] = parse([{"update_id": 1, "message": message}], ME)
    return found


def size(width: int, size: int | None) -> dict[str, Any]:
    return {"file_id": f"p{width}", "width": width, "height": width, **({} if size is None else {"file_size": size})}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"sticker": {"emoji": "😀", "file_id": "s"}}, "[sticker 😀]"),
        ({"sticker": {"file_id": "s"}}, "[sticker]"),
        ({"location": PLACE}, "[location 52.52000, 13.40500]"),
        (
            {"venue": {"title": "Café", "address": "1 Street", "location": PLACE}, "location": PLACE},
            "[venue Café, 1 Street at 52.52000, 13.40500]",
        ),
        (
            {"contact": {"first_name": "Anna", "last_name": "Müller", "phone_number": "+4930"}},
            "[contact Anna Müller +4930]",
        ),
        ({"dice": {"emoji": "🎲", "value": 5}}, "[dice 🎲 5]"),
        ({"poll": {"question": "When?", "options": [{"text": "now"}, {"text": "later"}]}}, "[poll When?: now / later]"),
        ({"story": {"id": 1}}, "[something I cannot read: story]"),
        ({"hologram]\n/stop": {}}, "[something I cannot read: hologram) /stop]"),
    ],
)
def test_what_is_no_text_is_told_in_brackets(fields: dict[str, Any], text: str) -> None:
    assert received(**fields).text == text


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        (FROM_ANNA, "[forwarded from Anna]"),
        ({"type": "hidden_user", "sender_user_name": "Some]\n\u202ebody"}, "[forwarded from Some) body]"),
        ({"type": "chat", "sender_chat": {"id": -1, "title": "Club"}}, "[forwarded from Club]"),
        ({"type": "channel", "chat": {"id": -1, "title": "News"}}, "[forwarded from News]"),
        ({"type": "dream"}, "[forwarded]"),
        (None, "[forwarded]"),
    ],
)
def test_a_forward_says_from_whom_before_what(origin: object, line: str) -> None:
    assert received(text="/stop", forward_origin=origin).text == f"{line}\n/stop"


def test_a_forward_of_an_old_server_is_no_command_either() -> None:
    assert received(text="/stop", forward_date=1).text == "[forwarded]\n/stop"


def test_a_forwarded_file_keeps_its_caption_below_the_line() -> None:
    found = received(photo=[size(9, 1)], caption="/look", forward_origin=FROM_ANNA)
    assert (found.text, len(found.attachments)) == ("[forwarded from Anna]\n/look", 1)


def test_a_photo_is_its_largest_size_that_can_be_fetched() -> None:
    sizes = [size(90, 1_000), size(2000, 30_000_000), size(800, 90_000), size(320, None)]
    assert received(photo=sizes).attachments == (Attachment(kind="photo", file="p800", size=90_000),)
    assert received(photo=sizes[1:2]).attachments[0].file == "p2000"


@pytest.mark.parametrize("kind", ["document", "voice", "audio", "video", "animation", "video_note"])
def test_a_file_is_kept_with_what_is_known_of_it(kind: str) -> None:
    file = {"file_id": "f1", "file_name": "../a\n.pdf", "mime_type": "x/y", "file_size": 12, "duration": 3}
    found = received(**{kind: file})
    assert found.text == ""
    assert found.attachments == (Attachment(kind=kind, file="f1", name="../a .pdf", mime="x/y", size=12, seconds=3),)


def test_an_animation_is_not_a_document_as_well() -> None:
    file = {"file_id": "f1"}
    assert [a.kind for a in received(animation=file, document=file).attachments] == ["animation"]


def test_what_a_sender_says_about_a_file_may_be_nonsense() -> None:
    found = received(document={"file_id": "f", "file_name": 5, "mime_type": [], "file_size": -1, "duration": "x"})
    assert found.attachments == (Attachment(kind="document", file="f"),)


def test_the_parts_of_an_album_belong_together() -> None:
    assert received(photo=[size(9, 1)], media_group_id="a7").album == "a7"


def test_a_caption_is_a_text_and_may_be_a_command() -> None:
    assert received(photo=[size(9, 1)], caption="/read@teller_bot").text == "/read"


@pytest.mark.parametrize(
    "fields",
    [
        {"new_chat_members": [{"id": 5, "is_bot": True}]},
        {"pinned_message": {}},
        {"new_chat_title": "x"},
        {"video_chat_started": {}},
        {},
    ],
)
@pytest.mark.parametrize("chat", ["private", "supergroup"])
def test_what_nobody_said_is_skipped(chat: str, fields: dict[str, Any]) -> None:
    assert received(chat, **fields) == Skipped(key="1")


def test_what_nobody_can_read_is_passed_over_in_a_group() -> None:
    assert received("group", hologram={}) == Skipped(key="1")


def test_a_live_location_that_moves_says_nothing() -> None:
    message = {"message_id": 1, "from": {"id": 1}, "chat": {"id": 1, "type": "private"}, "date": 1, "location": PLACE}
    [found] = parse([{"update_id": 1, "edited_message": message}], ME)
    assert found == Skipped(key="1")


@pytest.mark.parametrize("latitude", [float("nan"), float("inf"), 91, "north", None])
def test_a_place_that_is_nowhere_is_unreadable(latitude: object) -> None:
    assert not isinstance(received(location={"latitude": latitude, "longitude": 0}), Inbound)


@given(st.text(st.characters(), max_size=300), st.integers(2, 40))
def test_a_label_is_one_short_line_that_closes_no_bracket(text: str, most: int) -> None:
    found = label(text, most)
    assert len(found) <= most
    assert len(found.splitlines()) <= 1
    assert not set("[]\u202e\0") & set(found)
    assert found == found.strip()
    assert found.encode().decode() == found
