"""Rich messages through the Telegram adapter: where they are wanted and the server has them, else the plain form."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from core.kernel.errors import SendDoubtful, SendMoved, SendRefused, SendUnsent
from core.kernel.types import Button, Destination, Keyboard, Part
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, GROUP = 1001, -1001234567890
TABLE = "**Prices**\n\n| what | € |\n|---|---|\n| tea | 2 |"
HTML = "<p><b>Prices</b></p><table><tr><th>what</th><th>€</th></tr><tr><td>tea</td><td>2</td></tr></table>"
PLAIN = "Prices\n\nwhat | €\n-----+--\ntea  | 2"
METHOD = "sendRichMessage"


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN, rich=True) as server:
        server.open(USER)
        server.group(GROUP)
        yield server


@pytest.fixture
async def adapter(server: TelegramServer) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, RealClock(), rich=True)
    yield adapter
    await adapter.close()


def to(chat: int = USER, **fields: Any) -> Destination:
    return Destination(tenant="1000", chat=str(chat), **fields)


def table(adapter: TelegramAdapter, keyboard: Keyboard | None = None) -> Part:
    [part] = adapter.render(TABLE, keyboard=keyboard)
    return part


async def test_a_table_goes_out_rich_with_all_that_belongs_to_it(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.say("prices?", message_id=5)
    button = Button(label="Tea", data="v1:a")
    part = table(adapter, Keyboard(buttons=(button,)))
    message_id = await adapter.send(to(reply_to="5"), part, repeated="↻ <again>")
    [sent] = server.sent()
    assert (str(sent.message_id), sent.text) == (message_id, f"<p>↻ &lt;again&gt;</p>{HTML}")
    assert sent.params["reply_parameters"] == {"message_id": 5, "allow_sending_without_reply": True}
    assert sent.reply_markup == {"inline_keyboard": [[{"text": "Tea", "callback_data": "v1:a"}]]}
    await adapter.send(to(replaces=message_id), table(adapter))
    assert sent.text == PLAIN


async def test_what_is_no_table_goes_out_plain(server: TelegramServer, adapter: TelegramAdapter) -> None:
    [part] = adapter.render("**hello**")
    await adapter.send(to(), part)
    assert server.calls(METHOD) == []


async def test_a_server_that_does_not_know_rich_messages_is_asked_once(adapter: TelegramAdapter) -> None:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        plain = TelegramAdapter(TOKEN, server.url, RealClock(), rich=True)
        part = table(plain)
        for _ in range(2):
            await plain.send(to(), part)
        assert [sent.text for sent in server.sent()] == [PLAIN, PLAIN]
        assert "rich" not in table(plain).payload
        await plain.close()


async def test_a_refused_rich_message_goes_out_plain_at_once_and_is_the_last(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    part = table(adapter)
    server.fault(METHOD, kind="400", description="Bad Request: can't parse rich message")
    for _ in range(2):
        await adapter.send(to(), part)
    assert [sent.text for sent in server.sent()] == [PLAIN, PLAIN]
    assert len(server.calls(METHOD)) == 1


@pytest.mark.parametrize("kind", ["500", "cut_before", "cut_after", "garbage_after"])
async def test_a_rich_message_in_doubt_is_not_sent_in_the_other_way(
    kind: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    part = table(adapter)
    server.fault(METHOD, kind=kind)
    with pytest.raises(SendDoubtful):
        await adapter.send(to(), part)
    assert server.calls("sendMessage") == []
    await adapter.send(to(), part)
    assert server.sent()[-1].text == HTML


async def test_a_429_and_a_moved_group_are_what_they_are(server: TelegramServer, adapter: TelegramAdapter) -> None:
    part = table(adapter)
    server.fault(METHOD, kind="429", retry_after=9)
    with pytest.raises(SendUnsent):
        await adapter.send(to(), part)
    server.group(-77)
    server.migrate(-77)
    with pytest.raises(SendMoved):
        await adapter.send(to(-77), part)
    server.member(GROUP, server.bot_id, "kicked")
    with pytest.raises(SendRefused, match=r"^Forbidden"):
        await adapter.send(to(GROUP), part)
    assert server.calls("sendMessage") == []


async def test_a_refusal_of_the_chat_switches_nothing_off(server: TelegramServer, adapter: TelegramAdapter) -> None:
    part = table(adapter)
    with pytest.raises(SendRefused, match="not found"):
        await adapter.send(to(77), part)
    server.fault(METHOD, kind="401")
    await adapter.send(to(), part)
    await adapter.send(to(GROUP, thread="8"), part)
    assert [sent.text for sent in server.sent()] == [PLAIN, HTML]


async def test_suggestions_in_a_group_are_listed_below_the_plain_form(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    [part] = adapter.render(TABLE, ["More"])
    await adapter.send(to(GROUP), part)
    await adapter.send(to(), part)
    assert [sent.text for sent in server.sent()] == [f"{PLAIN}\n\n• More", HTML]
