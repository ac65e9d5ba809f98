"""Slack is reached by the proxy that the environment names, as Telegram is."""

from __future__ import annotations

import asyncio
import os

import aiohttp
import pytest

from bot.adapters.slack.send.client import Wire
from tests.emulators.slack import SlackServer


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    return monkeypatch


async def asked(base_url: str, token: str = "xoxb-1") -> BaseException | None:
    """Ask Slack who the bot is; return why that failed."""
    wire = Wire(base_url)
    try:
        await wire.web(token).auth_test()
    except Exception as error:
        return error
    finally:
        await wire.close()
    return None


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"])
async def test_a_proxy_that_the_environment_names_is_used_with_its_password(
    environment: pytest.MonkeyPatch, variable: str
) -> None:
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as proxy:
        port = proxy.sockets[0].getsockname()[1]
        if variable != "HTTP_PROXY":
            environment.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        environment.setenv(variable, f"http://me:secret@127.0.0.1:{port}")
        error = await asked("https://slack.example.org/api/")
    assert isinstance(error, aiohttp.ClientHttpProxyError)
    [head] = heads
    assert head.startswith(b"CONNECT slack.example.org:443 ")
    assert b"Basic bWU6c2VjcmV0" in head


@pytest.mark.parametrize("proxy", ["127.0.0.1:9", "http://127.0.0.1:9", "socks5://127.0.0.1:9"])
async def test_a_proxy_is_gone_around_where_none_is_needed_alone(environment: pytest.MonkeyPatch, proxy: str) -> None:
    environment.setenv("ALL_PROXY", proxy)
    async with SlackServer() as server:
        assert isinstance(await asked(server.api, server.team.bot_token), aiohttp.ClientError)
        assert server.calls("auth.test") == []
        environment.setenv("NO_PROXY", "127.0.0.1")
        assert await asked(server.api, server.team.bot_token) is None
