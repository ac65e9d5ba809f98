"""The real client of the Web API, pointed at an emulator."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack import SlackServer

TIMEOUT = 5


def client_for(server: SlackServer, token: str = "", *handlers: AsyncRetryHandler) -> AsyncWebClient:
    """Return a client of the first workspace's bot, or with another *token*; it tries again only as *handlers* say."""
    token = token or server.team.bot_token
    return AsyncWebClient(token, base_url=server.api, timeout=TIMEOUT, retry_handlers=list(handlers))


async def refusal(call: Awaitable[Any]) -> str:
    """Return the error code with which *call* is refused, empty when it is not."""
    try:
        await call
    except SlackApiError as error:
        return str(error.response["error"])
    return ""
