"""Receiving by webhook: Telegram posts to the one web server, and gets its 200 for what is committed alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter, Timing, Webhook
from bot.adapters.telegram.receive.webhook import SECRET_HEADER, Delivery, WebhookReceiver
from bot.config.config import Config
from bot.runtime import http
from bot.runtime.wiring import adapters
from core.kernel.errors import StorageError, StorageFull
from core.kernel.ports import Database
from core.kernel.types import Inbound, Press
from core.kernel.updates import Unreadable
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock
from tests.ports import free_port

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
SECRET = "a-secret_of_the-tests"
USER = 1001
QUICK = Timing(poll=1, network=2.0, watchdog=1.0, first=0.02, most=0.1, look=60.0)
UPDATE = {
    "update_id": 50,
    "message": {
        "message_id": 7,
        "from": {"id": USER, "is_bot": False, "first_name": "Ada"},
        "chat": {"id": USER, "type": "private"},
        "date": 1_700_000_000,
        "text": "posted",
    },
}


class House:
    """A bot with a web server in front, and a way to post to it."""

    def __init__(self, server: TelegramServer) -> None:
        self.port = free_port()
        self.intake, self.clock = MemoryIntake(), RealClock()
        self.url = f"http://127.0.0.1:{self.port}/telegram"
        response_url = Webhook(url=self.url, secret=SECRET)
        self.adapter = TelegramAdapter(TOKEN, server.url, self.clock, timing=QUICK, webhook=response_url)

    @contextlib.asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        """Let the adapter run."""
        task = asyncio.create_task(self.adapter.run(self.intake))
        try:
            yield
            assert not task.done(), task
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def ready(self) -> None:
        """Wait until the webhook is set and looked at."""
        await asyncio.wait_for(self.adapter.caught_up.wait(), DEADLINE)

    async def post(self, body: bytes | object, secret: str | None = SECRET, path: str = "/telegram") -> int:
        """Post to the webhook and return the status."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        shown = f"X-Telegram-Bot-Api-Secret-Token: {secret}\r\n" if secret is not None else ""
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(data)}\r\n{shown}\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(head.encode("latin-1") + data)
        status = int((await reader.readline()).split()[1])
        writer.close()
        return status


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN, allow_http_webhook=True) as server:
        server.open(USER)
        yield server


@pytest.fixture
async def house(server: TelegramServer, make_database: Any) -> AsyncIterator[House]:
    house = House(server)
    database: Database = await make_database("sqlite")
    checks = http.Checks(database, {"telegram": house.adapter}, house.clock)
    async with http.serving(checks, "127.0.0.1", house.port, http.platform_endpoints({"telegram": house.adapter})):
        yield house
    await house.adapter.close()


async def test_what_waits_at_telegram_and_what_comes_later_is_posted_and_kept(
    server: TelegramServer, house: House
) -> None:
    server.say("one")
    server.say("two")
    async with house.receiving():
        await house.intake.wait_messages("one", "two")
        server.say("three")
        await house.intake.wait_messages("one", "two", "three")
        await server.wait_until(lambda: server.pending() == 0)
        assert house.adapter.health()["ok"] is True
    [call] = server.calls("setWebhook")
    assert (call.params["url"], call.params["secret_token"], call.params["max_connections"]) == (house.url, SECRET, "1")
    assert json.loads(call.params["allowed_updates"]) == [
        "message",
        "edited_message",
        "callback_query",
        "my_chat_member",
        "chat_member",
    ]
    assert server.calls("getUpdates") == []
    assert house.intake.cursors == {}


async def test_telegram_keeps_what_we_could_not_keep(server: TelegramServer, house: House) -> None:
    house.intake.failures = [StorageFull("no space"), StorageError("no"), ValueError("a bug")]
    pending: list[int] = []
    house.intake.on_accept = lambda: pending.append(server.pending())
    server.say("keep me")
    async with house.receiving():
        await house.intake.wait_messages("keep me")
        await server.wait_until(lambda: server.pending() == 0)
    assert pending == [1, 1, 1, 1]


async def test_a_post_without_the_secret_is_nobodys(house: House) -> None:
    async with house.receiving():
        await house.ready()
        found = [await house.post(UPDATE, secret) for secret in (None, "", "wrong", SECRET + "x", "\xff\xfe")]
    assert found == [403] * 5
    assert house.intake.rows == {}


async def test_the_same_update_twice_is_one_and_both_are_confirmed(house: House) -> None:
    async with house.receiving():
        await house.ready()
        assert await asyncio.gather(*(house.post(UPDATE) for _ in range(5))) == [200] * 5
    assert house.intake.messages() == ["posted"]


async def test_many_posts_at_once_are_all_kept(house: House) -> None:
    async with house.receiving():
        await house.ready()
        found = await asyncio.gather(*(house.post(UPDATE | {"update_id": number}) for number in range(40)))
    assert found == [200] * 40
    assert len(house.intake.rows) == 40


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"9" * 5000])
async def test_garbage_is_refused_and_logged_without_its_text(
    body: bytes, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async with house.receiving():
        await house.ready()
        assert await house.post(body) == 400
    [record] = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert record.getMessage().startswith("a post to the webhook is no JSON")


async def test_json_that_is_no_update_is_kept_aside(house: House) -> None:
    async with house.receiving():
        await house.ready()
        assert [await house.post(body) for body in (["no", "object"], {"update_id": 9, "message": 5})] == [200, 200]
    assert [type(row) for row in house.intake.rows.values()] == [Unreadable, Unreadable]


async def test_a_body_just_small_enough_is_taken(house: House) -> None:
    async with house.receiving():
        await house.ready()
        update = json.dumps(UPDATE).encode()
        assert await house.post(update + b" " * (http.MOST_BODY - len(update))) == 200


async def test_before_it_runs_and_after_it_ended_telegram_is_asked_to_come_again(house: House) -> None:
    assert await house.post(UPDATE) == 503
    async with house.receiving():
        await house.ready()
        assert await house.post(UPDATE) == 200
    assert await house.post(UPDATE) == 503


async def test_there_is_no_other_door(house: House) -> None:
    assert [await house.post(UPDATE, path=path) for path in ("/", "/telegram/x", "/healthz")] == [404, 404, 405]


async def test_a_press_is_answered(server: TelegramServer, house: House) -> None:
    house.intake.told = lambda update: "Done" if isinstance(update, Press) else None
    chat = {"id": USER, "type": "private"}
    shown = {"message_id": 3, "chat": chat, "date": 0}
    query = {"id": "77", "from": UPDATE["message"]["from"], "message": shown, "chat_instance": "1", "data": "x"}  # type: ignore[index]
    async with house.receiving():
        await house.ready()
        assert await house.post({"update_id": 8, "callback_query": query}) == 200
        await server.wait_until(lambda: bool(server.calls("answerCallbackQuery")))
    assert server.calls("answerCallbackQuery")[0].params == {"callback_query_id": "77", "text": "Done"}


async def test_setting_the_webhook_is_tried_until_it_works(server: TelegramServer, house: House) -> None:
    for kind in ("500", "cut", "garbage", "429"):
        server.fault("setWebhook", kind=kind)
    server.fault("getWebhookInfo", kind="502")
    async with house.receiving():
        assert house.adapter.health()["ok"] is False
        await house.ready()
        assert house.adapter.health()["ok"] is True
    assert len(server.calls("setWebhook")) == 5


async def test_a_webhook_that_somebody_else_changed_is_set_again(server: TelegramServer, house: House) -> None:
    async with house.receiving():
        await house.ready()
        await call(server, "deleteWebhook")
        await server.wait_until(lambda: len(server.calls("setWebhook")) == 2)
    assert "WebhookChanged" in str(house.adapter.health()["last_error"])


async def test_it_has_caught_up_when_nothing_waits_at_telegram_any_more(server: TelegramServer, house: House) -> None:
    house.intake.failures = [StorageError("not yet")] * 3
    seen: list[tuple[bool, bool, list[str]]] = []

    def look() -> None:
        seen.append((house.adapter.caught_up.is_set(), house.adapter.health()["hears"], house.intake.messages()))

    house.clock.on_sleep = look
    for text in ("one", "two"):
        server.say(text)
    async with house.receiving():
        assert house.adapter.health()["hears"] is False
        await house.ready()
        assert house.intake.messages() == ["one", "two"]
        await server.wait_until(lambda: seen[-1][:2] == (True, True))
    assert seen[0] == (False, False, [])
    assert {heard for up, hears, heard in map(_counted, seen) if up or hears} == {2}
    assert house.clock.slept[0] == 2.0


def _counted(seen: tuple[bool, bool, list[str]]) -> tuple[bool, bool, int]:
    return (*seen[:2], len(seen[2]))


async def test_what_telegram_cannot_bring_holds_nobody_up_for_more_than_a_minute(server: TelegramServer) -> None:
    clock = RealClock()
    response_url = Webhook(url=f"http://127.0.0.1:{free_port()}/nobody", secret=SECRET)
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=QUICK, webhook=response_url)
    server.say("nobody comes for it")
    up: list[bool] = []
    clock.on_sleep = lambda: up.append(adapter.caught_up.is_set())
    task = asyncio.create_task(adapter.run(MemoryIntake()))
    await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    assert (up.count(False), set(clock.slept)) == (30, {2.0})
    assert adapter.health()["hears"] is False
    task.cancel()
    await asyncio.wait([task])
    await adapter.close()


@pytest.mark.parametrize(
    ("looks", "troubles"),
    [
        ([(3, "refused"), (0, "refused"), (0, "refused")], ["", "", ""]),
        ([(3, ""), (3, "timed out"), (3, "timed out"), (0, "timed out")], ["", "timed out", "timed out", ""]),
        ([(3, ""), (3, "")], ["", ""]),
    ],
)
def test_only_an_error_that_lasts_is_trouble(looks: list[tuple[int, str]], troubles: list[str]) -> None:
    delivery = Delivery()
    infos = [{"pending_update_count": waiting, "last_error_message": error} for waiting, error in looks]
    assert [delivery.trouble(info) for info in infos] == troubles


def test_while_something_is_brought_an_error_does_not_last() -> None:
    delivery, info = Delivery(), {"pending_update_count": 3, "last_error_message": "timed out"}
    assert delivery.trouble(info) == ""
    delivery.kept()
    assert delivery.trouble(info) == ""
    assert delivery.trouble(info) == "timed out"


async def test_a_webhook_that_telegram_cannot_reach_is_unhealthy(server: TelegramServer) -> None:
    clock = RealClock()
    response_url = Webhook(url=f"http://127.0.0.1:{free_port()}/nobody", secret=SECRET)
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=QUICK, webhook=response_url)
    task = asyncio.create_task(adapter.run(MemoryIntake()))
    await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    assert adapter.health()["ok"] is True
    server.say("nobody comes for it")
    await server.wait_until(lambda: "Connection refused" in adapter.health()["last_error"])
    assert adapter.health()["ok"] is False
    task.cancel()
    await asyncio.wait([task])
    await adapter.close()


async def test_the_secret_and_the_token_are_in_no_log_and_no_health(
    server: TelegramServer, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    for kind in ("404", "400", "garbage"):
        server.fault("setWebhook", kind=kind)
    seen: list[str] = []
    house.clock.on_sleep = lambda: seen.append(str(house.adapter.health()))
    async with house.receiving():
        await house.ready()
        await house.post(b"{")
        await house.post(UPDATE, "wrong")
    told = caplog.text + "".join(seen) + str(house.adapter.health())
    assert "TESTTOKEN" not in told
    assert SECRET not in told


async def test_the_messages_that_were_posted_are_whole(house: House) -> None:
    async with house.receiving():
        await house.ready()
        await house.post(json.dumps(UPDATE, ensure_ascii=True).encode("utf-8"))
    [row] = house.intake.rows.values()
    assert isinstance(row, Inbound)
    assert (row.key, row.sender.address, json.loads(row.raw)) == ("50", "tg:1001", UPDATE)


def hooked(**settings: str) -> WebhookReceiver:
    section = {"token": TOKEN, "webhook_url": "https://bot.example.org/in", **settings}
    adapter = adapters(Config(telegram=section), RealClock(), console=False)["telegram"]  # type: ignore[arg-type]
    assert isinstance(adapter, TelegramAdapter)
    [door] = adapter.endpoints
    return door


def test_the_configured_secret_opens_the_configured_path() -> None:
    door = hooked(webhook_secret=SECRET)
    assert (door.path, door.admits({SECRET_HEADER: SECRET}), door.admits({})) == ("/in", True, False)


def test_without_a_secret_each_start_has_its_own_and_none_opens_nothing() -> None:
    door = hooked()
    assert [door.admits({SECRET_HEADER: word}) for word in ("", "None", SECRET)] == [False] * 3
    assert len({hooked().secret for _ in range(3)}) == 3


def test_polling_needs_no_door() -> None:
    adapter = TelegramAdapter(TOKEN, "https://bot.example.org", RealClock())
    assert http.platform_endpoints({"telegram": adapter}) == []


async def test_without_the_setting_the_webhook_is_taken_down_and_nothing_is_lost(server: TelegramServer) -> None:
    await call(server, "setWebhook?url=https://bot.example.org/in")
    server.say("waiting")
    adapter, intake = TelegramAdapter(TOKEN, server.url, RealClock(), timing=QUICK), MemoryIntake()
    task = asyncio.create_task(adapter.run(intake))
    await intake.wait_messages("waiting")
    task.cancel()
    await asyncio.wait([task])
    await adapter.close()


async def call(server: TelegramServer, method: str) -> None:
    """Call a method as somebody else who has the token."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    writer.write(f"POST /bot{TOKEN}/{method} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    await reader.read()
    writer.close()
