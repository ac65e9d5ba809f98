"""Sending through the Telegram adapter to a strict Bot API server: sent, unsent, refused or in doubt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from core.kernel.errors import SendDoubtful, SendPaced, SendRefused, SendUnsent
from core.kernel.types import Destination, Part
from tests.bot.telegram.test_telegram import Page
from tests.emulators.loopback import Reply
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import RealClock
from tests.ports import free_port

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER = 1001


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        yield server


@pytest.fixture
def clock() -> RealClock:
    return RealClock()


@pytest.fixture
async def adapter(server: TelegramServer, clock: RealClock) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, clock)
    yield adapter
    await adapter.close()


def to(chat: int = USER, **fields: Any) -> Destination:
    return Destination(tenant="1000", chat=str(chat), **fields)


def text(value: str = "hello", *entities: dict[str, Any]) -> Part:
    return Part(payload={"text": value, "entities": list(entities)})


BOLD = {"type": "bold", "offset": 0, "length": 5}


async def test_a_message_goes_out_with_its_entities_and_without_preview(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.say("question", message_id=5)
    message_id = await adapter.send(to(reply_to="5"), text("hello", BOLD))
    [sent] = server.sent()
    assert (str(sent.message_id), sent.text, sent.entities) == (message_id, "hello", [BOLD])
    assert sent.params["link_preview_options"] == {"is_disabled": True}
    assert sent.params["reply_parameters"] == {"message_id": 5, "allow_sending_without_reply": True}


async def test_what_is_rendered_is_sent_and_edited(server: TelegramServer, adapter: TelegramAdapter) -> None:
    [part] = adapter.render("# Tea\n\n**now** or [later](https://example.org)?")
    message_id = await adapter.send(to(), part)
    assert await adapter.send(to(replaces=message_id), text("done")) == message_id
    assert await adapter.send(to(replaces=message_id), text("done")) == message_id
    [sent] = server.sent()
    assert sent.text == "done"
    assert server.calls("editMessageText")[-1].status == 400


async def test_a_topic_is_kept_and_a_lost_one_is_left_out(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.say("in a topic", message_thread_id=9, is_topic_message=True)
    await adapter.send(to(thread="9"), text("there"))
    await adapter.send(to(thread="8"), text("anywhere"))
    await adapter.send(to(thread="1"), text("general"))
    assert [message.params.get("message_thread_id") for message in server.sent()] == [9, None, None]


async def test_refused_entities_and_a_lost_topic_leave_plain_text(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    out_of_range = {"type": "bold", "offset": 3, "length": 50}
    await adapter.send(to(thread="8"), text("hello", out_of_range))
    [sent] = server.sent()
    assert (sent.text, sent.entities) == ("hello", [])


async def test_a_possible_repeat_is_marked_and_its_entities_move(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    await adapter.send(to(), text("hello", BOLD), repeated="↻ Possibly a repeat 😀")
    [sent] = server.sent()
    assert sent.text == "↻ Possibly a repeat 😀\nhello"
    assert sent.entities == [{**BOLD, "offset": 23}]


async def test_the_longest_part_has_room_for_the_mark(server: TelegramServer, adapter: TelegramAdapter) -> None:
    mark = "↻ Possibly a repeat – the connection broke while sending."
    for part in adapter.render("😀" * 5000):
        await adapter.send(to(), part, repeated=mark)
    await adapter.send(to(), text("x" * 4090), repeated=mark)
    await adapter.send(to(), text("y" * 4096), repeated=mark)
    *full, short, none = [message.text for message in server.sent()]
    assert all(message.startswith(f"{mark}\n😀") for message in full)
    assert (short, none) == (f"↻ Pos\n{'x' * 4090}", "y" * 4096)


@pytest.mark.parametrize("kind", ["cut_before", "cut_after", "500", "502", "500_after", "garbage_after"])
async def test_a_broken_send_is_in_doubt(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind=kind)
    with pytest.raises(SendDoubtful):
        await adapter.send(to(), text())


async def test_an_answer_that_does_not_come_is_in_doubt(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind="cut_after")
    with pytest.raises(
        SendDoubtful, match=r"^NetworkError from (ServerDisconnectedError|ClientOSError|ClientPayloadError)"
    ):
        await adapter.send(to(), text())
    assert len(server.sent()) == 1


async def test_what_never_left_is_unsent(clock: RealClock) -> None:
    adapter = TelegramAdapter(TOKEN, f"http://127.0.0.1:{free_port()}", clock)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert caught.value.retry_after == 0
    assert TOKEN not in str(caught.value)
    await adapter.close()
    with pytest.raises(SendUnsent, match="closed"):
        await adapter.send(to(), text())


async def test_whether_telegram_answers_is_asked_before_a_repeat(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    for kind in ("502", "cut", "garbage", "401", "429"):
        server.fault("getMe", kind=kind)
        assert not await adapter.answers(adapter.bot_id)
    assert await adapter.answers(adapter.bot_id)


@pytest.mark.parametrize("kind", ["400", "403"])
async def test_a_certain_no_is_a_refusal(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind=kind)
    with pytest.raises(SendRefused):
        await adapter.send(to(), text())
    assert len(server.calls("sendMessage")) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404])
@pytest.mark.parametrize("page", [b'<html>"ok"</html>', b'{"error": "denied by the proxy"}', b""])
async def test_what_somebody_in_between_does_not_let_pass_is_unsent(status: int, page: bytes, clock: RealClock) -> None:
    async with Page(Reply(status=status, chunks=(page,))) as proxy:
        adapter = TelegramAdapter(TOKEN, proxy.url, clock)
        with pytest.raises(SendUnsent) as caught:
            await adapter.send(to(), text())
        await adapter.close()
    assert str(caught.value) == f"Barred: {status}, and not by Telegram"


@pytest.mark.parametrize(("kind", "pause"), [("404", 30), ("401", 60)])
async def test_an_unknown_token_leaves_the_message_to_wait(
    kind: str, pause: float, server: TelegramServer, adapter: TelegramAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    server.fault("sendMessage", kind=kind, times=2)
    for _ in range(2):
        with pytest.raises(SendUnsent) as caught:
            await adapter.send(to(), text())
        assert caught.value.retry_after == pause
    await adapter.send(to(), text("once more"))
    assert [message.text for message in server.sent()] == ["once more"]
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.getMessage().startswith("Telegram does not know the token of bot 1000, messages wait")
    assert TOKEN not in caplog.text


async def test_another_bots_message_is_not_sent(server: TelegramServer, adapter: TelegramAdapter) -> None:
    other = Destination(tenant="2000", chat=str(USER))
    with pytest.raises(SendUnsent, match="another bot") as caught:
        await adapter.send(other, text())
    await adapter.typing(other)
    assert caught.value.retry_after == 300
    assert server.calls() == []
    await adapter.send(Destination(tenant="", chat=str(USER)), text())
    assert len(server.sent()) == 1


async def test_an_unknown_chat_is_a_refusal_with_its_reason(server: TelegramServer, adapter: TelegramAdapter) -> None:
    with pytest.raises(SendRefused, match="hat not found"):
        await adapter.send(to(77), text())


@pytest.mark.parametrize(
    ("where", "part"),
    [
        (to(thread="x"), text()),
        (to(replaces="-"), text()),
        (to(), Part(payload={})),
        (to(), Part(payload={"text": None})),
    ],
)
async def test_what_makes_no_sense_is_refused_without_asking(
    where: Destination, part: Part, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    with pytest.raises(SendRefused):
        await adapter.send(where, part)
    assert server.calls() == []


async def test_one_chats_429_holds_up_no_other(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.open(1002)
    server.fault("sendMessage", chat=USER, kind="429", retry_after=30)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert caught.value.retry_after == 30
    await adapter.send(to(1002), text())
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert 29 < caught.value.retry_after <= 30
    assert [(message.chat_id) for message in server.sent()] == [1002]
    assert len(server.calls("sendMessage")) == 2


async def test_a_429_of_an_edit_holds_up_no_answer(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.open(1002)
    shown = {chat: await adapter.send(to(chat), text()) for chat in (USER, 1002)}
    server.fault("editMessageText", kind="429", retry_after=300, times=2)
    for chat, message in shown.items():
        with pytest.raises(SendUnsent) as caught:
            await adapter.send(to(chat, replaces=message), text("else"))
        assert caught.value.retry_after == 300
    assert adapter.paused_until == 0
    await adapter.send(to(), text("the answer"))
    with pytest.raises(SendPaced) as paced:
        await adapter.send(to(replaces=shown[USER]), text("else"))
    assert 299 < paced.value.retry_after <= 300
    assert len(server.calls("editMessageText")) == 2


async def test_two_429s_at_once_pause_every_chat(server: TelegramServer, adapter: TelegramAdapter) -> None:
    for chat in (1002, 1003):
        server.open(chat)
    server.fault("sendMessage", kind="429", retry_after=20, times=2)
    results = await asyncio.gather(adapter.send(to(), text()), adapter.send(to(1002), text()), return_exceptions=True)
    assert all(isinstance(result, SendUnsent) for result in results)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(1003), text())
    assert 19 < caught.value.retry_after <= 20
    assert 19 < adapter.paused_until - time.monotonic() <= 20
    await adapter.typing(to(1003))
    assert len(server.calls()) == 2


async def test_a_chat_gets_five_at_once_and_the_rest_is_asked_to_wait(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    for _ in range(5):
        await adapter.send(to(), text())
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(), text())
    assert 0 < caught.value.retry_after <= 1
    assert len(server.calls()) == 5


async def test_typing_is_shown_and_never_an_error(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.typing(to())
    for kind in ("429", "403", "500", "cut", "garbage"):
        server.fault("sendChatAction", kind=kind)
        await adapter.typing(to())
    await adapter.typing(to(thread="x"))
    calls = server.calls("sendChatAction")
    assert (len(calls), calls[0].status, calls[0].params["action"]) == (6, 200, "typing")


async def test_a_slow_chat_holds_up_no_other(server: TelegramServer, adapter: TelegramAdapter) -> None:
    chats = range(2000, 2100)
    for chat in (*chats, USER):
        server.open(chat)
    server.fault("sendMessage", chat=USER, kind="slow_after", delay=60)
    slow = asyncio.create_task(adapter.send(to(), text()))
    await server.wait_sent(1)
    await asyncio.gather(*(adapter.send(to(chat), text()) for chat in chats))
    assert {message.chat_id for message in server.sent()} == {*chats, USER}
    assert not slow.done()
    slow.cancel()
    await asyncio.wait([slow])
