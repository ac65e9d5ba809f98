"""Connections to the Bot API over aiohttp, with the time-outs and proxies that they had over httpx.

A method is only ever sent once: aiohttp tries again what broke on a connection from the pool only where that cannot be
done twice (GET), and no redirect is followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx

# What is left idle for longer is closed from here, long before a server does: a request could cross its farewell.
KEPT_SECONDS = 15.0
# No connection was there to carry a byte. Cut connections, silence and everything after that leave it in doubt.
NEVER_LEFT = (
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientConnectorError,
    aiohttp.ClientHttpProxyError,
    aiohttp.NonHttpUrlClientError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How many seconds to wait for a free connection, for a new one, for sending, and for each piece of an answer."""

    pool: float | None
    connect: float | None
    write: float | None
    read: float | None

    @property
    def until_answered(self) -> float | None:
        """The seconds until an answer begins; aiohttp itself has no limit for who does not take what is sent."""
        if self.pool is None or self.connect is None or self.write is None or self.read is None:
            return None
        return self.pool + self.connect + self.write + self.read

    def limits(self) -> aiohttp.ClientTimeout:
        """Return these as aiohttp takes them: connecting comes after the waiting for a free connection, and with it."""
        known = self.pool is not None and self.connect is not None
        waiting = (self.pool or 0) + (self.connect or 0) if known else None
        return aiohttp.ClientTimeout(connect=waiting, sock_connect=self.connect, sock_read=self.read)


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
        patience: Patience,
        *,
        headers: Mapping[str, str] | None = None,
        data: Any = None,
        raw: bool = False,
    ) -> aiohttp.ClientResponse:
        """Return an answer that has begun, for the caller to read and release; `raw` leaves it as packed as it came."""
        session = self._opened()
        # What the network has to say comes first: a connection that was closed meanwhile is none to send on.
        await asyncio.sleep(0)
        async with asyncio.timeout(patience.until_answered):
            return await session.request(
                method,
                url,
                data=data,
                headers=headers,
                # Without a body there is nothing whose type could be told.
                skip_auto_headers=("Content-Type",) if data is None else (),
                timeout=patience.limits(),
                allow_redirects=False,
                auto_decompress=not raw,
                proxy=self._proxy(url),
            )

    async def close(self) -> None:
        """Close the connections; there will be no others."""
        self._closed = True
        if self._session is not None:
            await self._session.close()

    def _opened(self) -> aiohttp.ClientSession:
        if self._closed:
            raise RuntimeError("the connections are closed")
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._most, ssl=certificates(), keepalive_timeout=KEPT_SECONDS)
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    def _proxy(self, url: str) -> str | None:
        """Look the proxy for a server up once: it takes reading the whole environment."""
        parts = urlsplit(url)
        server = parts.scheme, parts.hostname or ""
        if server not in self._proxies:
            self._proxies[server] = proxy_for(*server)
        return self._proxies[server]


def proxy_for(scheme: str, host: str) -> str | None:
    """Return the proxy that the environment names for a server (HTTPS_PROXY, ALL_PROXY, NO_PROXY), None for none.

    Raises `NonHttpUrlClientError` for one that does not speak HTTP, rather than going past it.
    """
    named = getproxies()
    proxy = named.get(scheme) or named.get("all")
    if not proxy or proxy_bypass(host):
        return None
    address = proxy if "://" in proxy else f"http://{proxy}"
    if not address.startswith(("http://", "https://")):
        raise aiohttp.NonHttpUrlClientError(urlsplit(address).scheme)
    return address


@cache
def certificates() -> SSLContext:
    """Read the certificates once: it takes 20 ms, too long for replacing a stalled connection."""
    return httpx.create_ssl_context()
