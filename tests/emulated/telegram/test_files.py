"""Files, albums, forwards and downloads in the Bot API emulator, with the real client library."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from telegram import Bot, Message
from telegram.constants import FileSizeLimit
from telegram.error import BadRequest, InvalidToken, NetworkError

from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer

GROUP = -1001234567890
USER = 1001
OTHER = 2002


async def last(bot: Bot) -> Message:
    message = (await bot.get_updates())[-1].message
    assert message is not None
    return message


@pytest.mark.parametrize("kind", ["document", "voice", "audio", "video", "animation", "video_note", "sticker"])
async def test_a_file_arrives_and_can_be_fetched(server: TelegramServer, bot: Bot, kind: str) -> None:
    server.send_media(kind, data=kind.encode() * 1000)
    message = await last(bot)
    sent: Any = message[kind]
    assert sent.file_size == len(kind) * 1000
    file = await bot.get_file(sent)
    assert (file.file_unique_id, file.file_size) == (sent.file_unique_id, sent.file_size)
    assert bytes(await file.download_as_bytearray()) == kind.encode() * 1000
    assert message.text is None
    assert [call.status for call in server.calls("download")] == [200]


async def test_a_photo_comes_in_sizes_and_the_last_is_the_largest(server: TelegramServer, bot: Bot) -> None:
    server.send_media("photo", data=bytes(range(200)), caption="look @teller_test_bot 😀")
    message = await last(bot)
    assert [size.width for size in message.photo] == sorted(size.width for size in message.photo)
    assert len({size.file_id for size in message.photo}) == 3
    assert bytes(await (await message.photo[-1].get_file()).download_as_bytearray()) == bytes(range(200))
    assert list(message.parse_caption_entities().values()) == ["@teller_test_bot"]


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("location", "latitude", 1.5),
        ("contact", "first_name", "<script>"),
        ("venue", "title", "Café"),
        ("dice", "value", 6),
        ("poll", "question", "Who?"),
        ("document", "file_name", "../../etc/passwd"),
    ],
)
async def test_anything_else_people_send_can_be_made_up(
    server: TelegramServer, bot: Bot, kind: str, field: str, value: Any
) -> None:
    server.send_media(kind, **{field: value})
    sent: Any = (await last(bot))[kind]
    assert sent[field] == value


async def test_a_field_can_be_missing_and_a_kind_cannot_be_invented(server: TelegramServer, bot: Bot) -> None:
    server.send_media("document", file_name=None, mime_type=None)
    document = (await last(bot)).document
    assert document is not None
    assert (document.file_name, document.mime_type) == (None, None)
    with pytest.raises(ValueError, match="unknown kind 'smell'"):
        server.send_media("smell")
    with pytest.raises(ValueError, match="caption too long"):
        server.send_media("photo", caption="x" * 1025)


async def test_an_album_shares_a_group_and_the_first_has_the_caption(server: TelegramServer, bot: Bot) -> None:
    server.album(["photo", "video", "photo"], caption="Holiday")
    server.album(["document", "document"])
    messages = [update.message for update in await bot.get_updates()]
    groups = [message.media_group_id for message in messages if message]
    assert len(set(groups[:3])) == len(set(groups[3:])) == 1
    assert len(set(groups)) == 2
    assert [message.caption for message in messages if message] == ["Holiday", None, None, None, None]
    with pytest.raises(ValueError, match="album of 1"):
        server.album(["photo"])


@pytest.mark.parametrize("kind", ["user", "hidden_user", "chat", "channel"])
async def test_a_forward_says_where_it_comes_from(server: TelegramServer, bot: Bot, kind: str) -> None:
    server.say("as they said", **server.origin(kind))
    forwarded = await last(bot)
    assert forwarded.forward_origin is not None
    assert (forwarded.text, forwarded.forward_origin.type) == ("as they said", kind)
    server.send_media("photo", message=server.origin(kind))
    assert (await last(bot)).forward_origin is not None
    with pytest.raises(ValueError, match="unknown origin"):
        server.origin("nowhere")


async def test_the_caption_of_a_photo_can_be_changed(server: TelegramServer, bot: Bot) -> None:
    server.send_media("photo", caption="before")
    server.edit(server.last_message_id, "after @teller_test_bot")
    edited = (await bot.get_updates())[-1].edited_message
    assert edited is not None
    assert (edited.text, edited.caption, len(edited.photo)) == (None, "after @teller_test_bot", 3)
    assert len(edited.caption_entities) == 1


async def test_in_a_group_a_photo_needs_a_caption_for_the_bot(server: TelegramServer, bot: Bot) -> None:
    assert server.send_media("photo", chat=GROUP, caption="our cat") == 0
    assert server.send_media("photo", chat=GROUP, caption="our cat @teller_test_bot") != 0
    assert server.send_media("photo", chat=GROUP, reply_to=server.last_message_id) == 0


async def test_a_file_has_a_limit_and_must_be_there(server: TelegramServer, bot: Bot) -> None:
    server.send_media("document", size=FileSizeLimit.FILESIZE_DOWNLOAD + 1)
    large = (await last(bot)).document
    server.send_media("document", size=FileSizeLimit.FILESIZE_DOWNLOAD)
    allowed = (await last(bot)).document
    assert large is not None
    assert allowed is not None
    with pytest.raises(BadRequest, match="File is too big"):
        await bot.get_file(large)
    file = await bot.get_file(allowed)
    server.files.forget(allowed.file_id)
    with pytest.raises(BadRequest, match="Wrong file_id or the file is temporarily unavailable"):
        await bot.get_file(allowed)
    with pytest.raises(BadRequest, match="Invalid file_id"):
        await bot.get_file("nonsense")
    with pytest.raises(InvalidToken):
        await file.download_as_bytearray()


async def test_a_download_needs_the_token_and_a_known_path(server: TelegramServer) -> None:
    file = server.files.add("voice", b"sound")
    async with httpx.AsyncClient(base_url=server.url) as client:
        good = await client.get(f"/file/bot{DEFAULT_TOKEN}/{file.path}")
        wrong = await client.get(f"/file/bot1000:WRONG/{file.path}")
        unknown = await client.get(f"/file/bot{DEFAULT_TOKEN}/voice/../voice/none.oga")
    assert (good.content, good.headers["content-type"]) == (b"sound", "application/octet-stream")
    assert (wrong.status_code, unknown.status_code, unknown.json()["description"]) == (401, 404, "Not Found")


@pytest.mark.parametrize("kind", ["short", "cut", "502"])
async def test_a_download_can_fail(server: TelegramServer, bot: Bot, kind: str) -> None:
    server.send_media("voice", data=b"sound" * 1000)
    voice = (await last(bot)).voice
    assert voice is not None
    file = await bot.get_file(voice)
    server.fault("download", kind=kind)
    with pytest.raises(NetworkError):
        await file.download_as_bytearray()
    assert bytes(await file.download_as_bytearray()) == b"sound" * 1000
