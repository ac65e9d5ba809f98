"""HTTP to the Bot API: python-telegram-bot's request on aiohttp, with an honest 429 and quiet parsing of garbage."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import aiohttp
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.adapters.telegram.send.connections import NEVER_LEFT, Connections, Patience

TOO_MANY_REQUESTS = 429
LONGEST_FLOOD_SECONDS = 86_400.0
LONGEST_MESSAGE = 200
CONNECT_SECONDS = 10.0
UPLOAD_SECONDS = 20.0
FORM = "application/x-www-form-urlencoded"
# What the library adds to a status when the body is no JSON; a proxy's page may quote the URL, and so the token.
BODY_FOLLOWS = ". Parsing the server response"


class Flooded(TelegramError):
    """Too many requests: the Bot API asks to wait `seconds` (429, ResponseParameters.retry_after)."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Too many requests, retry after {seconds:g} s")
        self.seconds = seconds


class Wire(BaseRequest):
    """One pool of connections to the Bot API. All times are in seconds."""

    def __init__(self, *, connections: int, read: float) -> None:
        self._connections = Connections(connections)
        self._read = read

    @property
    def read_timeout(self) -> float:
        """How long the Bot API may be silent."""
        return self._read

    async def initialize(self) -> None:
        """Do nothing: connections are opened on first use."""

    async def shutdown(self) -> None:
        """Close the connections; there will be no others."""
        await self._connections.close()

    async def do_request(  # noqa: PLR0917 - as the library has them
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Send a request; raise `Flooded` on 429 whatever its body is, since the library needs a proper one."""
        uploads = request_data is not None and request_data.contains_files
        patience = Patience(
            pool=_given(pool_timeout, CONNECT_SECONDS),
            connect=_given(connect_timeout, CONNECT_SECONDS),
            write=_given(write_timeout, UPLOAD_SECONDS if uploads else CONNECT_SECONDS),
            read=_given(read_timeout, self._read),
        )
        try:
            code, payload = await self._exchange(method, url, patience, request_data)
        except TimeoutError as error:
            raise TimedOut from error
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(type(error).__name__) from error
        if code == TOO_MANY_REQUESTS:
            raise Flooded(_retry_after(payload))
        return code, payload

    async def _exchange(self, method: str, url: str, patience: Patience, sent: RequestData | None) -> tuple[int, bytes]:
        headers = {"User-Agent": self.USER_AGENT}
        data: Any = None
        if sent is not None and sent.contains_files:
            data = _multipart(sent)
        elif sent is not None and (fields := sent.json_parameters):
            data, headers["Content-Type"] = urlencode(fields).encode(), FORM
        answer = await self._connections.request(method, url, patience, headers=headers, data=data)
        async with answer:
            return answer.status, await answer.read()

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


def _given(seconds: Any, otherwise: float) -> float | None:
    """Return the time that a caller asked for: the library marks its absence by an object, since None is for ever."""
    return otherwise if seconds is BaseRequest.DEFAULT_NONE else seconds


def _multipart(sent: RequestData) -> aiohttp.FormData:
    """Return fields and files as a form of many parts, sent in pieces; names go out as they are, in UTF-8."""
    form = aiohttp.FormData(quote_fields=False)
    for name, value in sent.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, kind) in sent.multipart_data.items():
        stream = BytesIO(content) if isinstance(content, bytes) else content
        form.add_field(name, stream, filename=filename, content_type=kind)
    return form


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


def never_left(error: BaseException) -> bool:
    """Whether an error of a request proves that nothing of it was sent."""
    return any(isinstance(cause, NEVER_LEFT) for cause in causes(error))


def described(error: BaseException) -> str:
    """Say what happened by class and the Bot API's description: other texts may quote a URL, and so the token."""
    told = isinstance(error, TelegramError) and isinstance(error.__cause__, TelegramError | None)
    if not told or not isinstance(error, TelegramError):
        return " from ".join(type(cause).__name__ for cause in causes(error))
    return f"{type(error).__name__}: {error.message.partition(BODY_FOLLOWS)[0][:LONGEST_MESSAGE]}"
