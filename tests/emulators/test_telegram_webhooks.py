"""Webhooks of the Bot API emulator, posted to a real HTTP server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest, Conflict

from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request
from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_client import bot_for

USER = 1001
SECRET = "s" * 256


class Hook(LoopbackServer):
    """Keeps what is posted; answers with *statuses* first, then with 200; 0 hangs up."""

    def __init__(self, *statuses: int, port: int = 0) -> None:
        super().__init__(port=port)
        self.statuses = list(statuses)
        self.requests: list[Request] = []
        self.texts: list[str] = []

    async def respond(self, request: Request) -> Reply:
        status = self.statuses.pop(0) if self.statuses else 200
        self.requests.append(request)
        self.texts.append(json.loads(request.body)["message"]["text"])
        if not status:
            raise Cut
        return Reply.json({"method": "sendMessage", "chat_id": USER, "text": "ignored"}, status)


@pytest.fixture(autouse=True)
def durations_are_timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    # Otherwise the library warns about itself, and here every warning is an error.
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(allow_http_webhook=True) as running:
        yield running


@pytest.fixture
async def bot(server: TelegramServer) -> AsyncIterator[Bot]:
    async with bot_for(server.url) as client:
        yield client


async def delivered(server: TelegramServer) -> None:
    await server.wait_until(lambda: server.pending() == 0)


async def test_updates_are_posted_in_order_with_the_secret(server: TelegramServer, bot: Bot) -> None:
    server.say("waited")
    async with Hook() as hook:
        await bot.set_webhook(f"{hook.url}/in", secret_token=SECRET, allowed_updates=["message"])
        for number in range(5):
            server.say(str(number))
        server.edit(1, "not asked for")
        await delivered(server)
    assert hook.texts == ["waited", *"01234"]
    first = hook.requests[0]
    assert (first.method, first.path) == ("POST", "/in")
    assert first.headers["x-telegram-bot-api-secret-token"] == SECRET
    assert first.headers["content-type"] == "application/json"
    assert server.sent() == []


async def test_without_a_secret_there_is_no_header(server: TelegramServer, bot: Bot) -> None:
    async with Hook() as hook:
        await bot.set_webhook(hook.url)
        server.say("hello")
        await delivered(server)
    assert "x-telegram-bot-api-secret-token" not in hook.requests[0].headers


async def test_what_is_not_taken_comes_again_before_the_next(server: TelegramServer, bot: Bot) -> None:
    async with Hook(500, 403) as hook:
        await bot.set_webhook(hook.url, max_connections=3)
        server.say("one")
        server.say("two")
        await delivered(server)
        info = await bot.get_webhook_info()
    assert hook.texts == ["one", "one", "one", "two"]
    assert (info.url, info.max_connections, info.pending_update_count) == (hook.url, 3, 0)
    assert info.last_error_message == "Wrong response from the webhook: 403 Forbidden"
    assert info.last_error_date is not None


async def test_a_bot_that_is_down_gets_everything_later(server: TelegramServer, bot: Bot) -> None:
    async with Hook() as gone:
        port = int(gone.url.rpartition(":")[2])
    server.updates.push({"message": {"text": "first"}})
    await bot.set_webhook(f"http://127.0.0.1:{port}")
    await server.wait_until(lambda: server.webhook_trouble == "Connection refused")
    assert (await bot.get_webhook_info()).pending_update_count == 1
    async with Hook(port=port) as hook:
        await delivered(server)
    assert hook.texts == ["first"]


async def test_a_bot_that_hangs_up_gets_the_update_again(server: TelegramServer, bot: Bot) -> None:
    async with Hook(0) as hook:
        await bot.set_webhook(hook.url)
        server.say("hello")
        await delivered(server)
        assert server.webhook_trouble == "Connection reset by peer"
        await bot.set_webhook("")
    assert hook.texts == ["hello", "hello"]
    assert await bot.get_updates() == ()


async def test_a_webhook_excludes_polling_until_it_is_deleted(server: TelegramServer, bot: Bot) -> None:
    async with Hook(*[500] * 1000) as hook:
        await bot.set_webhook(hook.url)
        with pytest.raises(Conflict, match="while webhook is active"):
            await bot.get_updates()
        said = server.say("hello")
        await server.wait_until(lambda: bool(hook.texts))
        await bot.delete_webhook()
        assert [update.update_id for update in await bot.get_updates()] == [said]
        assert (await bot.get_webhook_info()).url == ""


@pytest.mark.parametrize(
    ("secret", "error"),
    [("s" * 257, "too long"), ("no spaces", "unallowed characters"), ("", "unallowed characters")],
)
async def test_a_secret_has_its_alphabet(server: TelegramServer, secret: str, error: str) -> None:
    async with httpx.AsyncClient() as client:
        parameters = {"url": "https://example.org", "secret_token": secret}
        answer = await client.post(f"{server.url}/bot{server.token}/setWebhook", json=parameters)
    assert error in answer.json()["description"]


async def test_plain_http_is_for_the_loopback_interface_and_by_permission(server: TelegramServer, bot: Bot) -> None:
    with pytest.raises(BadRequest, match=r"(?i)an https url must be provided"):
        await bot.set_webhook("http://example.org/hook")
    with pytest.raises(BadRequest, match="only on ports 80, 88, 443 or 8443"):
        await bot.set_webhook("https://example.org:9000/hook")
    async with TelegramServer() as strict, bot_for(strict.url) as other:
        with pytest.raises(BadRequest, match=r"(?i)an https url must be provided"):
            await other.set_webhook("http://127.0.0.1:9/hook")
