"""The Bot API's client, single calls for the receiving half, and python-telegram-bot's request on aiohttp for both.

A method is only ever sent once: aiohttp tries again what broke on a connection from the pool only where that cannot be
done twice (GET), and no redirect is followed. A 429 is raised as such, and garbage is read quietly.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from ssl import SSLContext
from typing import Any, cast
from urllib.parse import urlsplit

import aiohttp
import httpx
from telegram import Bot
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.adapters._shared.proxies import proxy_for
from bot.adapters.telegram.send.rate_limit import Crowd, RateLimit
from core.kernel.errors import StorageError
from core.kernel.ports import Clock
from core.kernel.types import Destination, Document

log = logging.getLogger(__name__)

TOO_MANY_REQUESTS = 429
CALL_SECONDS = 10.0
CLOSE_SECONDS = 5.0
LONGEST_FLOOD_SECONDS = 86_400.0
LONGEST_MESSAGE = 200
CONNECTIONS = 64
CONNECT_SECONDS = 10.0
READ_SECONDS = 20.0
UPLOAD_SECONDS = 20.0
# Bytes a second: who takes them more slowly has stalled.
SLOWEST_UPLOAD = 50_000
JSON = "application/json"
# What the library adds to a status when the body is no JSON; a proxy's page may quote the URL, and so the token.
BODY_FOLLOWS = ". Parsing the server response"
# With these Telegram refuses a message or a token, and somebody in between (a proxy) any call that it lets not pass.
REFUSALS = frozenset({400, 401, 403, 404})
# A connection that is idle for longer is closed from here, long before the server does: a request could be on its way.
KEPT_SECONDS = 15.0
# No connection was there to carry a byte. Cut connections, silence and everything after that leave it in doubt.
NEVER_LEFT = (
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientConnectorError,
    aiohttp.ClientHttpProxyError,
    aiohttp.NonHttpUrlClientError,
)


class Client:
    """One bot's connection. Its addresses contain the token: they belong in no log and no error."""

    def __init__(self, token: str, root: str, clock: Clock) -> None:
        self.bot_id = token.partition(":")[0]
        self.clock = clock
        self.rate_limit, self.crowd = RateLimit(clock), Crowd(clock)
        self.closed = False
        self.files_root = f"{root}/file/bot{token}/"
        self._methods = f"{root}/bot{token}/"
        self._wire = Wire(connections=CONNECTIONS, read=READ_SECONDS)
        self.bot = Bot(
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=self._wire,
            get_updates_request=self._wire,
        )

    async def close(self) -> None:
        """Close the connections; a later send is unsent."""
        self.closed = True
        await self._wire.shutdown()

    def serves(self, to: Destination) -> bool:
        """Return whether it is this bot's to send: another token may have come into the configuration meanwhile."""
        return to.tenant in ("", self.bot_id)

    def reaches(self, to: Destination) -> bool:
        """Return whether something that may be left out can go to a chat now."""
        return not self.closed and self.serves(to) and not self.rate_limit.resting(to.chat)

    async def call(self, method: str, fields: Mapping[str, object], files: Mapping[str, Document] | None = None) -> Any:
        """Call a method with what the Bot API takes, but for fields that are None, and return what it gives; raise the
        library's errors.

        This is for what is called with every message, and for answers that are wanted as they are: the library makes an
        object of each parameter and of the answer.
        """
        given = {name: value for name, value in fields.items() if value is not None}
        size = sum(len(file.content) for file in (files or {}).values())
        seconds = {"write_timeout": UPLOAD_SECONDS + size / SLOWEST_UPLOAD} if size else {}
        return await self._wire.post(f"{self._methods}{method}", form(given, files), **seconds)


class Calls:
    """Single calls by name on raw JSON, over connections of their own: for the receiving half and what goes with it."""

    def __init__(self, token: str, root: str, *, connections: int) -> None:
        self._url = f"{root}/bot{token}"
        self._connections = connections
        self._wire = self._new_wire()

    async def __call__(self, method: str, fields: Mapping[str, object], seconds: float = CALL_SECONDS) -> object:
        """Return the result of a method, waiting up to `seconds` for it; raise `TelegramError`."""
        return cast("object", await self._wire.post(f"{self._url}/{method}", form(fields), read_timeout=seconds))

    async def renew(self) -> None:
        """Go on over new connections, since the old ones stall, and close those if that is quick."""
        stalled, self._wire = self._wire, self._new_wire()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await stalled.shutdown()
        except Exception as error:
            log.warning("a stalled connection could not be closed: %s", described(error))

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.shutdown()

    def _new_wire(self) -> Wire:
        return Wire(connections=self._connections, read=CALL_SECONDS)


def form(fields: Mapping[str, object], files: Mapping[str, Document] | None = None) -> RequestData:
    """Return fields as the body of a request, with files; what is no text is JSON."""
    written = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    parts = {name: (file.name, file.content, file.mime) for name, file in (files or {}).items()}
    return cast(RequestData, _Form(written, parts, bool(parts)))


@dataclass
class _Form:
    """The body of a request. It has as much of the library's `RequestData` as its request looks at."""

    json_parameters: Mapping[str, str]
    # By the name of a field: the name of the file, its content and its media type.
    multipart_data: Mapping[str, tuple[str, bytes, str]]
    # Whether it is a form of many parts.
    contains_files: bool


class Wire(BaseRequest):
    """One pool of connections to the Bot API. All times are in seconds."""

    def __init__(self, *, connections: int, read: float) -> None:
        self._connections = Connections(connections)
        self._read = read

    @property
    def read_timeout(self) -> float:
        """Return how long the Bot API may be silent."""
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
        timeouts = Timeouts(
            pool=_given(pool_timeout, CONNECT_SECONDS),
            connect=_given(connect_timeout, CONNECT_SECONDS),
            write=_given(write_timeout, UPLOAD_SECONDS if uploads else CONNECT_SECONDS),
            read=_given(read_timeout, self._read),
        )
        headers = {"User-Agent": self.USER_AGENT}
        data: Any = None
        if request_data is not None and uploads:
            data = _multipart(request_data)
        elif request_data is not None and (fields := request_data.json_parameters):
            data, headers["Content-Type"] = json.dumps(fields).encode(), JSON
        try:
            answer = await self._connections.request(method, url, timeouts, headers=headers, data=data)
            async with answer:
                code, payload = answer.status, await answer.read()
        except TimeoutError as error:
            raise TimedOut from error
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(type(error).__name__) from error
        if code == TOO_MANY_REQUESTS:
            raise Flooded(_retry_after(payload))
        if code in REFUSALS:
            with suppress(TelegramError):
                if "ok" in self.parse_json_payload(payload):
                    return code, payload
            raise Barred(f"{code}, and not by Telegram")
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


class Flooded(TelegramError):
    """Too many requests: the Bot API asks to wait `seconds` (429, ResponseParameters.retry_after)."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Too many requests, retry after {seconds:g} s")
        self.seconds = seconds


class Barred(NetworkError):
    """Somebody in between did not let a call pass, such as a proxy, which answers with a page: Telegram, whose answers
    all say whether they are `ok`, has neither seen it nor refused anything."""


def _retry_after(payload: bytes) -> float:
    """Return the seconds to wait, 1 where the server names none."""
    try:
        seconds = float(Wire.parse_json_payload(payload)["parameters"]["retry_after"])
    except (TelegramError, KeyError, TypeError, ValueError, OverflowError):
        return 1.0
    return min(max(seconds, 1.0), LONGEST_FLOOD_SECONDS) if math.isfinite(seconds) else 1.0


class Connections:
    """A pool of at most so many connections, opened on first use."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._closed = False
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[tuple[str, str], str | None] = {}

    async def request(
        self,
        method: str,
        url: str,
        timeouts: Timeouts,
        *,
        headers: Mapping[str, str] | None = None,
        data: Any = None,
        raw: bool = False,
    ) -> aiohttp.ClientResponse:
        """Return an answer that has begun, for the caller to read and release; `raw` leaves it as packed as it came."""
        if self._closed:
            raise RuntimeError("the connections are closed")
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._most, keepalive_timeout=KEPT_SECONDS)
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        session = self._session
        # A connection that the server has closed meanwhile must not be taken. The loop looks at the network after the
        # first turn and has heard of it at the second, with TLS at the third.
        for _ in range(3):
            await asyncio.sleep(0)
        # The proxy for a server is looked up once: it takes reading the whole environment.
        parts = urlsplit(url)
        server = parts.scheme, parts.hostname or ""
        if server not in self._proxies:
            self._proxies[server] = proxy_for(*server)
        until_answered, limits = timeouts.limits()
        async with asyncio.timeout(until_answered):
            return await session.request(
                method,
                url,
                data=data,
                headers=headers,
                # Without a body there is nothing whose type could be told.
                skip_auto_headers=("Content-Type",) if data is None else (),
                timeout=limits,
                ssl=certificates() if parts.scheme == "https" else True,
                allow_redirects=False,
                auto_decompress=not raw,
                proxy=self._proxies[server],
            )

    async def close(self) -> None:
        """Close the connections; there will be no others."""
        self._closed = True
        if self._session is not None:
            await self._session.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Holds how many seconds a call waits for a free connection, a new one, sending, and each piece of an answer."""

    pool: float | None
    connect: float | None
    write: float | None
    read: float | None

    def limits(self) -> tuple[float | None, aiohttp.ClientTimeout]:
        """Return the seconds until an answer begins, and the others as aiohttp takes them.

        Sending counts in the first alone, since aiohttp has no limit for it. Its limit for connecting includes the
        waiting for a free connection.
        """
        connecting = None if self.pool is None or self.connect is None else self.pool + self.connect
        answered = None
        if connecting is not None and self.write is not None and self.read is not None:
            answered = connecting + self.write + self.read
        return answered, aiohttp.ClientTimeout(connect=connecting, sock_connect=self.connect, sock_read=self.read)


@cache
def certificates() -> SSLContext:
    """Read the certificates once: it takes 20 ms, too long for replacing a stalled connection."""
    return httpx.create_ssl_context()


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and what it was raised from, outermost first."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def never_left(error: BaseException) -> bool:
    """Return whether an error of a request proves that nothing of it came to Telegram."""
    return any(isinstance(cause, (Barred, *NEVER_LEFT)) for cause in causes(error))


def described(error: BaseException) -> str:
    """Say what happened by class and the Bot API's description, or by what the database says: other texts may quote a
    URL, and so the token."""
    if isinstance(error, StorageError):
        return str(error)
    if not isinstance(error, TelegramError) or not isinstance(error.__cause__, TelegramError | None):
        return " from ".join(type(cause).__name__ for cause in causes(error))
    return f"{type(error).__name__}: {error.message.partition(BODY_FOLLOWS)[0][:LONGEST_MESSAGE]}"


def is_group(chat: str) -> bool:
    """Return whether a chat is a group: those have negative ids (https://core.telegram.org/bots/api#chat)."""
    return chat.startswith("-")


def number(text: str) -> int | None:
    """Return an id of the Bot API, None for none; raise `ValueError` for what is no number."""
    return int(text) if text else None
