"""Fetching files: as much as was asked for, from where files are, and without a word of the token."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from bot.adapters.telegram.receive.files import safe_path
from core.kernel.errors import FetchFailed
from core.kernel.types import Attachment
from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
PHOTO = Attachment(kind="photo", file="AgACAgIAAxkBAAI")


class Shelf(LoopbackServer):
    """A Bot API server with one file; `found` answers getFile, `file` the download."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.found = Reply.json({"ok": True, "result": {"file_id": "x", "file_path": "photos/file 1.jpg"}})
        self.file: Reply | None = Reply(chunks=(b"one", b"two"), content_type="image/jpeg")

    async def respond(self, request: Request) -> Reply:
        self.asked.append(request.path)
        if "/getFile" in request.path:
            return self.found
        if self.file is None:
            raise Cut
        return self.file


@pytest.fixture
async def shelf() -> AsyncIterator[Shelf]:
    async with Shelf() as shelf:
        yield shelf


@pytest.fixture
async def adapter(shelf: Shelf) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, shelf.url, RealClock())
    yield adapter
    await adapter.close()


async def failure(adapter: TelegramAdapter, attachment: Attachment = PHOTO, most: int = 100) -> FetchFailed:
    with pytest.raises(FetchFailed) as caught:
        await adapter.fetch(attachment, most)
    assert TOKEN not in str(caught.value)
    return caught.value


async def test_a_file_is_fetched_from_the_root_of_files(shelf: Shelf, adapter: TelegramAdapter) -> None:
    assert await adapter.fetch(PHOTO, 6) == b"onetwo"
    assert shelf.asked == [f"/bot{TOKEN}/getFile", f"/file/bot{TOKEN}/photos/file 1.jpg"]


async def test_what_somebody_sent_is_fetched_while_it_is_there() -> None:
    async with TelegramServer(token=TOKEN) as server:
        file = server.files.add("document", b"notes")
        adapter = TelegramAdapter(TOKEN, server.url, RealClock())
        assert await adapter.fetch(Attachment(kind="document", file=file.file_id), 5) == b"notes"
        server.files.forget(file.file_id)
        assert (await failure(adapter, Attachment(kind="document", file=file.file_id))).for_good
        await adapter.close()


async def test_what_is_known_to_be_too_big_is_not_asked_for(shelf: Shelf, adapter: TelegramAdapter) -> None:
    error = await failure(adapter, Attachment(kind="video", file="x", size=101))
    assert (error.for_good, shelf.asked) == (True, [])
    shelf.found = Reply.json({"ok": True, "result": {"file_id": "x", "file_path": "a/b", "file_size": 101}})
    assert (await failure(adapter)).for_good
    assert len(shelf.asked) == 1


async def test_a_file_that_turns_out_too_big_is_given_up_on_the_way(shelf: Shelf, adapter: TelegramAdapter) -> None:
    for reply in (Reply(chunks=(b"x" * 60,) * 2), Reply(chunks=(b"x" * 101,))):
        shelf.file = reply
        error = await failure(adapter)
        assert (error.for_good, "too big" in str(error)) == (True, True)
    assert await adapter.fetch(PHOTO, 101) == b"x" * 101


async def test_a_packed_answer_is_not_unpacked(shelf: Shelf, adapter: TelegramAdapter) -> None:
    shelf.file = Reply(chunks=(b"\x1f\x8b",), headers={"content-encoding": "gzip"})
    assert not (await failure(adapter)).for_good


@pytest.mark.parametrize(
    ("status", "description", "for_good"),
    [
        (400, "Bad Request: file is too big", True),
        (404, "Not Found", True),
        (403, "Forbidden: no", True),
        (401, "Unauthorized", False),
        (500, "Internal Server Error", False),
        (429, "Too Many Requests: retry after 5", False),
    ],
)
async def test_what_the_server_says_tells_whether_to_try_again(
    status: int, description: str, for_good: bool, shelf: Shelf, adapter: TelegramAdapter
) -> None:
    body = {"ok": False, "error_code": status, "description": description}
    good, shelf.found = shelf.found, Reply.json(body, status)
    assert (await failure(adapter)).for_good is for_good
    shelf.found, shelf.file = good, Reply(status=status, chunks=(f"{TOKEN} is wrong".encode(),))
    assert (await failure(adapter)).for_good is for_good


async def test_a_broken_connection_may_work_later_and_tells_no_token(
    shelf: Shelf, adapter: TelegramAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    shelf.file = None
    assert not (await failure(adapter)).for_good
    shelf.file = Reply(chunks=(b"one",), headers={"content-length": "6"}, cut=True)
    assert not (await failure(adapter)).for_good
    await shelf.stop()
    assert not (await failure(adapter)).for_good
    await adapter.close()
    assert not (await failure(adapter)).for_good
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("result", [[], "x", {}, {"file_path": 3}, None])
async def test_an_answer_without_a_path_may_be_better_later(
    result: Any, shelf: Shelf, adapter: TelegramAdapter
) -> None:
    shelf.found = Reply.json({"ok": True, "result": result})
    assert not (await failure(adapter)).for_good


@pytest.mark.parametrize(
    "path", ["../secret", "a/../../b", "/etc/passwd", "http://evil.example/x", "a//b", "", ".", "a\\..\\b", "a/"]
)
async def test_a_path_that_leads_elsewhere_is_not_followed(path: str, shelf: Shelf, adapter: TelegramAdapter) -> None:
    shelf.found = Reply.json({"ok": True, "result": {"file_path": path}})
    assert (await failure(adapter)).for_good
    assert len(shelf.asked) == 1


def test_signs_of_an_address_in_a_path_are_only_signs() -> None:
    assert safe_path("a/b?c=d#e%2e%2e@f:g") == "a/b%3Fc%3Dd%23e%252e%252e%40f%3Ag"
