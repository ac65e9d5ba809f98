"""Ephemeral group messages through the Telegram adapter: where they are wanted and possible, else for all to see."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from bot.config.sections import TelegramSection
from bot.runtime.wiring import adapters
from core.kernel.errors import SendDoubtful, SendMoved, SendRefused, SendUnsent
from core.kernel.types import Button, Destination, Keyboard, Part
from tests.emulators.telegram import TelegramServer
from tests.fakes import FakeClock, config
from tests.memory_intake import RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, OTHER, GROUP, ELSEWHERE = 1001, 1002, -1001234567890, -1009876543210
METHOD, PARAMETERS = "sendMessage", "ephemeral_message_parameters"
BADLY = "Bad Request: can't parse ephemeral message parameters"


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN, ephemeral=True, rich=True) as server:
        server.open(USER)
        for group in (GROUP, ELSEWHERE):
            server.group(group, members={USER: "member", OTHER: "member"}, bot="administrator", forum=True)
        yield server


@pytest.fixture
async def adapter(server: TelegramServer) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, RealClock(), rich=True, ephemeral=True)
    yield adapter
    await adapter.close()


def to(chat: int = GROUP, **fields: Any) -> Destination:
    return Destination(tenant="1000", chat=str(chat), **fields)


def quiet(adapter: TelegramAdapter, text: str = "**hello**", address: str = f"tg:{USER}") -> Part:
    [part] = adapter.render(text)
    return Part(payload={**part.payload, "only_for": address})


def shown(server: TelegramServer) -> tuple[list[str], list[str]]:
    """What one member saw, and what everybody saw."""
    return [message.text for message in server.ephemeral()], [message.text for message in server.sent()]


async def test_what_is_for_one_member_is_shown_to_that_one_with_all_that_belongs_to_it(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.topic(GROUP, 8, by=USER)
    asked = server.last_message_id
    message_id = await adapter.send(to(thread="8", reply_to=str(asked)), quiet(adapter), repeated="↻ again")
    [message] = server.ephemeral(GROUP)
    assert (message_id, message.receiver, message.text) == ("", USER, "↻ again\nhello")
    assert [entity["type"] for entity in message.entities] == ["bold"]
    assert message.params["reply_parameters"] == {"message_id": asked, "allow_sending_without_reply": True}
    assert (message.params["message_thread_id"], message.params[PARAMETERS]) == (8, {"receiver_user_id": USER})
    assert server.sent() == []


async def test_a_table_for_one_member_goes_out_plain(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.send(to(), quiet(adapter, "| a | b |\n|---|---|\n| 1 | 2 |"))
    assert shown(server) == (["a | b\n--+--\n1 | 2"], [])
    assert server.calls("sendRichMessage") == []


async def test_in_private_for_nobody_known_and_as_an_edit_it_is_for_all(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    message_id = await adapter.send(to(USER), quiet(adapter))
    await adapter.send(to(USER, replaces=message_id), quiet(adapter, "edited"))
    for address in ("", f"tg:{GROUP}", "tg:", "console:1", "tg:1.5"):
        await adapter.send(to(), quiet(adapter, address=address))
    assert shown(server) == ([], ["edited", *["hello"] * 5])
    assert all(PARAMETERS not in call.params for call in server.calls())


async def test_buttons_are_for_all(server: TelegramServer, adapter: TelegramAdapter) -> None:
    [part] = adapter.render("hello", keyboard=Keyboard(buttons=(Button(label="Tea", data="v1:a"),)))
    await adapter.send(to(), Part(payload={**part.payload, "only_for": f"tg:{USER}"}))
    assert shown(server) == ([], ["hello"])


async def test_nothing_is_hidden_unless_it_is_wanted(server: TelegramServer) -> None:
    plain = TelegramAdapter(TOKEN, server.url, RealClock())
    await plain.send(to(), quiet(plain))
    assert shown(server) == ([], ["hello"])
    await plain.close()


async def test_the_configuration_switches_it_on(server: TelegramServer, tmp_path: Path) -> None:
    section = TelegramSection.model_validate({"token": TOKEN, "base_url": server.url, "ephemeral": True})
    adapter = adapters(config(tmp_path, telegram=section), FakeClock(), console=False)["telegram"]
    assert isinstance(adapter, TelegramAdapter)
    await adapter.send(to(), quiet(adapter))
    assert shown(server) == (["hello"], [])
    await adapter.close()


async def test_an_old_server_shows_one_message_to_all_and_is_not_asked_again() -> None:
    async with TelegramServer(token=TOKEN) as server:
        server.group(GROUP, members={USER: "member"}, bot="administrator")
        adapter = TelegramAdapter(TOKEN, server.url, RealClock(), ephemeral=True)
        ids = [await adapter.send(to(), quiet(adapter)) for _ in range(2)]
        assert ids == [str(sent.message_id) for sent in server.sent()]
        assert [PARAMETERS in call.params for call in server.calls(METHOD)] == [True, False]
        await adapter.close()


@pytest.mark.parametrize(
    ("kind", "description"), [("400", BADLY), ("400", "Bad Request: whatever"), ("404", "Not Found")]
)
async def test_a_refused_message_goes_to_all_at_once_and_is_the_last(
    kind: str, description: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.fault(METHOD, kind=kind, description=description)
    for _ in range(2):
        await adapter.send(to(), quiet(adapter))
    assert shown(server) == ([], ["hello", "hello"])
    assert [PARAMETERS in call.params for call in server.calls(METHOD)] == [True, False, False]


@pytest.mark.parametrize("kind", ["500", "cut_before", "cut_after", "garbage_after"])
async def test_a_message_in_doubt_is_not_shown_to_all(
    kind: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.fault(METHOD, kind=kind)
    with pytest.raises(SendDoubtful):
        await adapter.send(to(), quiet(adapter))
    assert len(server.calls(METHOD)) == 1
    await adapter.send(to(), quiet(adapter, "again"))
    assert shown(server) == (["hello"] * kind.endswith("after") + ["again"], [])


async def test_a_429_and_a_moved_group_are_what_they_are(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault(METHOD, kind="429", retry_after=9)
    with pytest.raises(SendUnsent):
        await adapter.send(to(ELSEWHERE), quiet(adapter))
    server.group(-77, members={USER: "member"}, bot="administrator")
    server.migrate(-77)
    with pytest.raises(SendMoved):
        await adapter.send(to(-77), quiet(adapter))
    await adapter.send(to(), quiet(adapter))
    assert shown(server) == (["hello"], [])


async def test_a_refusal_of_the_group_or_the_person_is_asked_once_for_a_while(server: TelegramServer) -> None:
    clock = FakeClock()
    adapter = TelegramAdapter(TOKEN, server.url, clock, ephemeral=True)
    server.member(ELSEWHERE, server.bot_id, "member")
    for chat, address in [(ELSEWHERE, f"tg:{USER}"), (GROUP, "tg:77"), (ELSEWHERE, f"tg:{USER}")]:
        await adapter.send(to(chat), quiet(adapter, address=address))
        clock.advance(10)
    assert [PARAMETERS in call.params for call in server.calls(METHOD)] == [True, False] * 2 + [False]
    await adapter.send(to(), quiet(adapter))
    server.member(ELSEWHERE, server.bot_id, "administrator")
    clock.advance(600)
    await adapter.send(to(ELSEWHERE), quiet(adapter))
    assert shown(server) == (["hello"] * 2, ["hello"] * 3)
    await adapter.close()


async def test_what_is_wrong_with_the_chat_is_said_by_the_plain_way(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.member(ELSEWHERE, server.bot_id, "kicked")
    with pytest.raises(SendRefused, match=r"^Forbidden"):
        await adapter.send(to(ELSEWHERE), quiet(adapter))
    server.fault(METHOD, kind="401")
    await adapter.send(to(), quiet(adapter))
    await adapter.send(to(thread="8"), quiet(adapter))
    assert shown(server) == (["hello"], ["hello"])
