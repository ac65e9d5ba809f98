"""HTTP to the Bot API: python-telegram-bot's request with an honest 429 and quiet parsing of garbage."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from ssl import SSLContext
from typing import Any

import httpx
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

TOO_MANY_REQUESTS = 429
LONGEST_FLOOD_SECONDS = 86_400.0
LONGEST_MESSAGE = 200
CONNECT_SECONDS = 10.0
# What the library adds to a status when the body is no JSON; a proxy's page may quote the URL, and so the token.
BODY_FOLLOWS = ". Parsing the server response"


class Flooded(TelegramError):
    """Too many requests: the Bot API asks to wait `seconds` (429, ResponseParameters.retry_after)."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Too many requests, retry after {seconds:g} s")
        self.seconds = seconds


class Wire(HTTPXRequest):
    """One pool of connections to the Bot API. All times are in seconds."""

    def __init__(self, *, connections: int, read: float) -> None:
        super().__init__(
            connection_pool_size=connections,
            read_timeout=read,
            write_timeout=CONNECT_SECONDS,
            connect_timeout=CONNECT_SECONDS,
            pool_timeout=CONNECT_SECONDS,
            httpx_kwargs={"verify": certificates()},
        )

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Send a request; raise `Flooded` on 429 whatever its body is, since the library needs a proper one."""
        code, payload = await super().do_request(*args, **kwargs)
        if code == TOO_MANY_REQUESTS:
            raise Flooded(_retry_after(payload))
        return code, payload

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Return the body as an object; raise `TelegramError` for anything else (the library logs it all)."""
        try:
            value = json.loads(payload.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise TelegramError("The server's answer is no JSON object")
        return value


@cache
def certificates() -> SSLContext:
    """Read the certificates once: it takes 20 ms, too long for replacing a stalled connection."""
    return httpx.create_ssl_context()


def _retry_after(payload: bytes) -> float:
    """Return the seconds to wait, 1 where the server names none."""
    try:
        seconds = float(Wire.parse_json_payload(payload)["parameters"]["retry_after"])
    except (TelegramError, KeyError, TypeError, ValueError, OverflowError):
        return 1.0
    return min(max(seconds, 1.0), LONGEST_FLOOD_SECONDS) if math.isfinite(seconds) else 1.0


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and what it was raised from, outermost first."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def described(error: BaseException) -> str:
    """Say what happened by class and the Bot API's description: other texts may quote a URL, and so the token."""
    told = isinstance(error, TelegramError) and isinstance(error.__cause__, TelegramError | None)
    if not told or not isinstance(error, TelegramError):
        return " from ".join(type(cause).__name__ for cause in causes(error))
    return f"{type(error).__name__}: {error.message.partition(BODY_FOLLOWS)[0][:LONGEST_MESSAGE]}"
