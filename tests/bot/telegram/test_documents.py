"""A file goes up to Telegram in one call: sent, unsent, refused or in doubt, as a message is."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.telegram import TelegramAdapter
from bot.adapters.telegram.send import sender
from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from core.kernel.types import Document, Part
from tests.bot.telegram.test_sending import TOKEN, to
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import RealClock
from tests.ports import free_port

MARK = "↻ Possibly a repeat 😀"


def file(content: bytes = b"\x00\xff zip", name: str = 'Übersicht "neu".zip') -> Part:
    document = Document(name=name, mime="application/zip", content=content, place="/somewhere")
    return Part(payload={"text": "", "document": {"name": name}}, document=document)


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(1001)
        yield server


@pytest.fixture
async def adapter(server: TelegramServer) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, RealClock())
    yield adapter
    await adapter.close()


async def test_a_file_arrives_whole_with_its_name(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.say("question", message_id=5)
    message_id = await adapter.send(to(reply_to="5"), file())
    [sent] = server.sent()
    assert sent.document is not None
    assert (sent.document.data, sent.document.mime) == (b"\x00\xff zip", "application/zip")
    assert sent.document.name.startswith("Übersicht")
    assert (str(sent.message_id), sent.text) == (message_id, "")
    assert sent.params["reply_parameters"]["message_id"] == 5
    assert [call.method for call in server.calls() if call.method.startswith("send")] == ["sendDocument"]


async def test_a_possible_repeat_says_so_below_the_file(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.send(to(), file(), repeated=MARK)
    assert [sent.text for sent in server.sent()] == [MARK]


async def test_a_lost_topic_is_left_out(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.send(to(thread="8"), file())
    assert [sent.params.get("message_thread_id") for sent in server.sent()] == [None]
    assert len(server.calls("sendDocument")) == 2


@pytest.mark.parametrize("kind", ["cut_before", "cut_after", "500", "502", "garbage_after"])
async def test_a_broken_upload_is_in_doubt(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendDocument", kind=kind)
    with pytest.raises(SendDoubtful):
        await adapter.send(to(), file())
    assert len(server.calls("sendDocument")) == 1


@pytest.mark.parametrize("kind", ["400", "403", "413"])
async def test_a_certain_no_is_a_refusal(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendDocument", kind=kind)
    with pytest.raises(SendRefused):
        await adapter.send(to(), file())
    assert len(server.calls("sendDocument")) == 1


async def test_a_pause_that_telegram_asks_for_is_kept(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendDocument", kind="429", retry_after=7)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), file())
    assert caught.value.retry_after == 7


async def test_a_file_without_content_is_refused_by_telegram(server: TelegramServer, adapter: TelegramAdapter) -> None:
    with pytest.raises(SendRefused, match="File must be non-empty"):
        await adapter.send(to(), file(b""))


async def test_what_is_too_big_is_refused_before_it_leaves(
    server: TelegramServer, adapter: TelegramAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert adapter.most_document_bytes == 50_000_000
    monkeypatch.setattr(sender, "MOST_DOCUMENT_BYTES", 9)
    with pytest.raises(SendRefused, match="9 bytes on Telegram, not 10"):
        await adapter.send(to(), file(bytes(10)))
    assert server.calls("sendDocument") == []


async def test_what_never_left_is_unsent() -> None:
    adapter = TelegramAdapter(TOKEN, f"http://127.0.0.1:{free_port()}", RealClock())
    with pytest.raises(SendUnsent):
        await adapter.send(to(), file())
    await adapter.close()
