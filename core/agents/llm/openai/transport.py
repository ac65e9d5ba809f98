"""The model's connections over aiohttp, as a transport of the client's HTTP library: its own takes twice the CPU.

The client has such a transport, too, but that tells a cut connection as one that was never made; here what certainly
did not leave and what is in doubt are told apart. aiohttp never sends a POST twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import aiohttp
import httpx2

# What the client allows its own transport.
MOST_CONNECTIONS = 1000
KEPT_SECONDS = 5.0
LONGEST_HEADER = 100 * 1024
# The first that fits: those before a connection was there, then silence, then what broke or made no sense.
_ERRORS: tuple[tuple[type[Exception], type[httpx2.RequestError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (TimeoutError, httpx2.ReadTimeout),
    (aiohttp.ClientOSError, httpx2.ReadError),
    (aiohttp.ClientError, httpx2.RemoteProtocolError),
    (OSError, httpx2.ReadError),
)


@contextmanager
def _translated() -> Iterator[None]:
    """Raise aiohttp's errors as those of the client's library; what they say may quote an address, and is left out."""
    try:
        yield
    except (aiohttp.ClientError, OSError) as error:
        kind = next(kind for cause, kind in _ERRORS if isinstance(error, cause))
        raise kind(type(error).__name__) from error


class _Body(httpx2.AsyncByteStream):
    """The body of an answer, as it comes."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translated():
            async for block in self._answer.content.iter_any():
                yield block

    async def aclose(self) -> None:
        """Give the connection back; one whose answer was not read to its end is closed."""
        self._answer.release()


class Transport(httpx2.AsyncBaseTransport):
    """Connections to servers, opened on first use. It knows no proxies."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request once, and return its answer when that has begun."""
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=MOST_CONNECTIONS, ssl=httpx2.create_ssl_context(), keepalive_timeout=KEPT_SECONDS
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=LONGEST_HEADER,
                max_field_size=LONGEST_HEADER,
            )
        # What the network has to say comes first: a connection that was closed meanwhile is none to send on. At the
        # first turn of the loop it is looked at, behind us; at the second it has been heard, with TLS at the third.
        for _ in range(3):
            await asyncio.sleep(0)
        seconds = request.extensions["timeout"]
        limits = aiohttp.ClientTimeout(
            connect=seconds["connect"], sock_connect=seconds["connect"], sock_read=seconds["read"]
        )
        # The client's library has made a header of a name and password in the address; aiohttp refuses both together.
        url = request.url.copy_with(username=None, password=None) if request.url.userinfo else request.url
        with _translated():
            answer = await self._session.request(
                request.method,
                str(url),
                headers=request.headers.multi_items(),
                data=await request.aread(),
                timeout=limits,
                allow_redirects=False,
                auto_decompress=False,
            )
        return httpx2.Response(
            answer.status, headers=answer.raw_headers, stream=_Body(answer), extensions={"http_version": b"HTTP/1.1"}
        )

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
