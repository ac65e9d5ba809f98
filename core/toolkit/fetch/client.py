"""The one client for whatever address a person, a page or a model names. It reads, and reaches the public net only.

Each hop of a redirect is read, looked up and checked anew. A header of the caller goes to the origin it was meant for
and to no other. The answer is cut at its limit, also one that grows when it is unpacked, and all of it must be there in
its time, however slowly it drips.
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import httpcore

from core.toolkit.fetch.addresses import OwnNetworks, Target, own_networks, target
from core.toolkit.fetch.connecting import GuardedBackend
from core.toolkit.fetch.values import Fetch, Fetched, FetchError, Whose

HOPS = 5
CONNECTIONS, IDLE_SECONDS = 64, 20.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# What the caller may not say: who they are, what the connection needs, and where something came from.
_OURS = frozenset({
    "accept-encoding", "authorization", "connection", "content-length", "cookie", "expect", "forwarded", "host",
    "keep-alive", "origin", "proxy-authorization", "proxy-connection", "referer", "te", "trailer", "transfer-encoding",
    "upgrade", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
})  # fmt: skip
_NOT_TOLD = frozenset({"set-cookie", "set-cookie2", "authentication-info", "proxy-authenticate"})
# Of an answer's headers is told so much.
_MOST_HEADERS, _LONGEST_HEADER = 40, 500
_AGENT = "Mozilla/5.0 (compatible; Teller)"
# What is said of an address that nobody may read.
_SECRETLY = {
    "bad_url": "the address cannot be read",
    "forbidden_address": "the server is not on the public net; the owner can allow it with web.own_networks",
    "unknown_host": "there is no such server",
    "timeout": "the server does not answer in time",
    "too_many_redirects": "the server sends on too often",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthProfile:
    """What the owner lets the bot say of itself to some hosts: a header with a secret, over https or to a host of the
    owner's own networks only."""

    hosts: frozenset[str]
    header: str
    value: str = field(repr=False)

    def out_of(self, fetched: Fetched) -> Fetched:
        """Return an answer without the secret, which some servers say again: the whole of it, and what stands behind a
        scheme such as `Bearer`."""
        body, headers = fetched.body, dict(fetched.headers)
        for secret in filter(None, (self.value, self.value.partition(" ")[2])):
            body = body.replace(secret.encode(), b"[secret]")
            headers = {name: value.replace(secret, "[secret]") for name, value in headers.items()}
        return replace(fetched, body=body, headers=headers)


class Allowance(Protocol):
    """What a person may fetch in an hour."""

    async def take(self, whose: Whose, *, requests: int = 1) -> None:
        """Count so many requests; raises `FetchError` with the code `limit` when the hour is used up."""

    async def used(self, whose: Whose, size: int) -> None:
        """Count the bytes that came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """The head of an answer, and its body as it comes."""

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class Fetcher:
    """Fetches, for whoever may.

    Errors are `FetchError`; a status that says no is none. `guarded` opens the connections to addresses from outside,
    `plain` those to what the owner configured.
    """

    def __init__(
        self,
        *,
        guarded: GuardedBackend | None = None,
        plain: httpcore.AsyncNetworkBackend | None = None,
        own: OwnNetworks | None = None,
        profiles: Mapping[str, AuthProfile] | None = None,
        allowance: Allowance | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._own = own or own_networks(())
        self._profiles, self._allowance = profiles or {}, allowance
        options: dict[str, Any] = {
            "ssl_context": tls,
            "max_connections": CONNECTIONS,
            "max_keepalive_connections": CONNECTIONS,
            "keepalive_expiry": IDLE_SECONDS,
        }
        self._guarded = httpcore.AsyncConnectionPool(network_backend=guarded or GuardedBackend(self._own), **options)
        self._plain = httpcore.AsyncConnectionPool(network_backend=plain, **options)

    async def close(self) -> None:
        """Close all connections."""
        for pool in (self._guarded, self._plain):
            # To close none, it would first load what it opens them with.
            if pool.connections:
                await pool.aclose()

    async def fetch(self, request: Fetch) -> Fetched:
        """Return the answer to a request, after its redirects."""
        headers = _headers(request.headers, configured=request.configured)
        if request.method == "POST" and not request.configured:
            raise FetchError("bad_request", "nothing is posted to addresses from outside")
        profile = self._profile(request.profile)
        where = _target(request)
        if request.authorization and not self._hides(where):
            raise FetchError("bad_request", "a password is said over https only")
        if profile is not None and where.host not in profile.hosts:
            raise FetchError("bad_request", f"the profile {request.profile} is not for {where.host}")
        if self._allowance is not None and request.whose is not None:
            await self._allowance.take(request.whose, requests=int(not request.unasked))
        try:
            async with asyncio.timeout(request.seconds):
                fetched = await self._follow(request, where, headers, profile)
        except TimeoutError as error:
            text = f"{_called(request, where)} took longer than {request.seconds:g} s"
            raise FetchError("timeout", text) from error
        except FetchError as error:
            if not request.secret:
                raise
            raise FetchError(error.code, _SECRETLY.get(error.code, "the server could not be read")) from None
        if self._allowance is not None and request.whose is not None:
            await self._allowance.used(request.whose, len(fetched.body))
        return fetched if profile is None else profile.out_of(fetched)

    def _profile(self, name: str) -> AuthProfile | None:
        if not name:
            return None
        if name not in self._profiles:
            raise FetchError(
                "bad_request", f"there is no auth_profile {name}; the owner makes them (web.auth_profiles)"
            )
        return self._profiles[name]

    async def _follow(
        self, request: Fetch, where: Target, headers: Mapping[str, str], profile: AuthProfile | None
    ) -> Fetched:
        first = where
        for _ in range(HOPS + 1):
            # To another origin goes nothing that the caller said, and there no configuration counts.
            same = where.origin == first.origin
            said = dict(headers) if same else {}
            if same and request.authorization:
                said["authorization"] = request.authorization
            if profile is not None and where.host in profile.hosts and self._hides(where):
                said[profile.header] = profile.value
            pool = self._plain if request.configured and same else self._guarded
            async with AsyncExitStack() as stack:
                answer = await self._ask(stack, pool, request, where, said)
                location = answer.headers.get("location", "")
                if answer.status not in _REDIRECTS or not location or request.method == "POST":
                    body, truncated = await _body(answer, request.most, request.method)
                    kept = [one for one in answer.headers.items() if one[0] not in _NOT_TOLD]
                    return Fetched(
                        status=answer.status,
                        url=where.url,
                        headers={name: value[:_LONGEST_HEADER] for name, value in kept[:_MOST_HEADERS]},
                        body=body,
                        truncated=truncated,
                    )
            onward = _target(request, location, where)
            if where.scheme == "https" and onward.scheme == "http" and not self._own.names(onward.host):
                raise FetchError("bad_answer", f"{_called(request, where)} sends on to a page without encryption")
            where = onward
        raise FetchError("too_many_redirects", f"{_called(request, first)} sends on more than {HOPS} times")

    def _hides(self, where: Target) -> bool:
        """Return whether a secret may be said there: nobody on the way reads it."""
        return where.scheme == "https" or self._own.names(where.host)

    async def _ask(
        self,
        stack: AsyncExitStack,
        pool: httpcore.AsyncConnectionPool,
        request: Fetch,
        where: Target,
        said: Mapping[str, str],
    ) -> _Answer:
        url = httpcore.URL(
            scheme=where.scheme.encode(), host=where.host.encode(), port=where.port, target=where.path.encode()
        )
        lines = {"host": where.netloc, "user-agent": _AGENT, "accept": "*/*", "accept-encoding": "gzip", **said}
        sent = [(name.encode(), value.encode()) for name, value in lines.items()]
        if request.body is not None:
            sent.append((b"content-length", str(len(request.body)).encode()))
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), request.seconds)
        try:
            response = await stack.enter_async_context(
                pool.stream(request.method, url, headers=sent, content=request.body, extensions={"timeout": timeouts})
            )
        except FetchError:
            raise
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
            raise _failure(error, _called(request, where)) from error
        headers: dict[str, str] = {}
        for name, value in response.headers:
            headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
        return _Answer(status=response.status, headers=headers, chunks=_chunks(response, _called(request, where)))


async def _chunks(response: httpcore.Response, called: str) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_stream():
            yield chunk
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        raise _failure(error, called) from error


async def _body(answer: _Answer, most: int, method: str) -> tuple[bytes, bool]:
    """Return at most so many bytes of the body, unpacked, and whether there was more."""
    coding = answer.headers.get("content-encoding", "identity").strip().lower()
    if method == "HEAD" or coding in {"identity", ""}:
        unpack = None
    elif coding in {"gzip", "x-gzip", "deflate"}:
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    else:
        raise FetchError("bad_answer", f"the page is packed in a way that was not asked for ({coding[:20]})")
    found = bytearray()
    try:
        async for chunk in answer.chunks:
            found += chunk if unpack is None else unpack.decompress(chunk, most + 1 - len(found))
            if len(found) > most:
                return bytes(found[:most]), True
    except zlib.error:
        raise FetchError("bad_answer", "the page is packed, and damaged") from None
    if unpack is not None and found and not unpack.eof:
        raise FetchError("bad_answer", "the page is packed, and breaks off")
    return bytes(found), False


def _target(request: Fetch, url: str = "", base: Target | None = None) -> Target:
    try:
        return target(url or request.url, base)
    except FetchError as error:
        if base is None or request.secret:
            raise
        raise FetchError("bad_answer", f"{base.host} sends on to an address that cannot be read: {error}") from error


def _headers(given: Mapping[str, str], *, configured: bool) -> Mapping[str, str]:
    """Return the caller's headers; raises `FetchError` for what may not be said. To what the owner configured the bot
    may say who it is."""
    said: dict[str, str] = {}
    for name, value in given.items():
        if name.lower() in _OURS and not (configured and name.lower() == "authorization"):
            raise FetchError("bad_request", f"the header {name[:40]} cannot be given; use an auth_profile for a secret")
        if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
            raise FetchError("bad_request", f"{name[:40]!r} is no name of a header")
        if not value.isascii() or not (value.isprintable() or not value):
            raise FetchError("bad_request", f"the header {name[:40]} has a value that cannot be sent")
        said[name.lower()] = value.strip()
    return said


def _called(request: Fetch, where: Target) -> str:
    return "the server" if request.secret else where.host


def _failure(error: Exception, called: str) -> FetchError:
    """Return what went wrong on the way, without a word of the other side."""
    if isinstance(error, httpcore.TimeoutException):
        return FetchError("timeout", f"{called} does not answer in time")
    if isinstance(error, httpcore.ProtocolError):
        return FetchError("bad_answer", f"{called} does not speak as web servers do")
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError) or "SSL" in str(error).upper():
        return FetchError("refused", f"{called} has no certificate that can be trusted")
    return FetchError("refused", f"{called} takes no connection, or breaks it off")
