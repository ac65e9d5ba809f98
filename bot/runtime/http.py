"""The small web server: /healthz says in yes and no whether this bot does its work, and platforms post to it.

It names what is wrong and nothing else: whoever can reach the port may be a stranger.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any, Protocol, runtime_checkable

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.kernel.errors import StorageError, TellerError
from core.kernel.ports import Clock, Database, ReceivingAdapter
from core.kernel.types import Json
from core.store import statistics as counts
from core.toolkit.capability import Capability
from core.toolkit.services import Services
from core.toolkit.web import BodyTooLarge, WebAnswer, WebRequest

log = logging.getLogger(__name__)

PROBE_EVERY = 5.0  # seconds between two test writes, however often somebody asks
PROBE_PATIENCE = 5.0
BAD_REQUEST, FORBIDDEN, NOT_FOUND, TOO_LARGE, TOO_MANY, UNAVAILABLE = 400, 403, 404, 413, 429, 503
RETRY_AFTER = "5"  # seconds, where something could not be kept
MOST_BODY = 1 << 20  # bytes
MOST_AT_ONCE = 500  # connections
KEPT_FREE = 50  # of them, for who is next
MOST_OF_ONE = 50  # connections of one address that have not sent a whole request
MOST_VISITS, VISITS_SECONDS = 30, 600.0  # of one address to people's pages, in so long
MOST_VISITORS = 10_000  # addresses that are remembered
WAITS = 5.0  # seconds until a client is to have sent a request
IPV4 = 4
GRACE = 0.2  # seconds a client has at the end; with the server's own pauses less than half a second


class Checks:
    """Looks at platforms, database and disk."""

    def __init__(
        self,
        db: Database,
        adapters: Mapping[str, ReceivingAdapter],
        clock: Clock,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._db, self._adapters, self._clock, self._stopping = db, adapters, clock, stopping
        self._probed: float | None = None
        self._writable = False
        self._probing = asyncio.Lock()

    async def look(self) -> dict[str, Json]:
        """Each check by name, `ok` over all of them, and the age of the last good poll where there is one."""
        platforms = {name: adapter.health() for name, adapter in self._adapters.items()}
        checks = {name: bool(health.get("ok")) for name, health in platforms.items()}
        checks |= {"database": await self._can_write(), "room": self._db.has_room(), "serving": not self._stopping()}
        ages = {name: health["last_poll_age_s"] for name, health in platforms.items() if "last_poll_age_s" in health}
        wrong = [name for name, fine in checks.items() if not fine]
        return {"ok": not wrong, "wrong": wrong, "checks": checks, "last_poll_age_s": ages}

    async def _can_write(self) -> bool:
        async with self._probing:
            now = self._clock.monotonic()
            if self._probed is None or now - self._probed >= PROBE_EVERY:
                try:
                    async with asyncio.timeout(PROBE_PATIENCE):
                        await self._db.write(counts.touch)
                except (StorageError, TimeoutError) as error:
                    log.error("the database takes no writes: %s", error)
                    self._writable = False
                else:
                    self._writable = True
                self._probed = now
        return self._writable


class PostEndpoint(Protocol):
    """Where a platform posts to. Nothing of a body is read before `admits` has said yes."""

    path: str

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a request with these headers, their names in lower case, comes from the platform."""

    async def take(self, body: bytes) -> int:
        """Take a body in and return the HTTP status: 200 when it is kept for good."""


@runtime_checkable
class AnsweringEndpoint(Protocol):
    """A path that a platform posts to and expects a text from, not a status alone."""

    path: str

    def admits(self, headers: Mapping[str, str]) -> bool:
        """As `PostEndpoint` does."""

    async def answer(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str, str]:
        """Take a body in and return the HTTP status, the type of the answer and its text: 200 when it is kept."""


@runtime_checkable
class WebPage(Protocol):
    """A page that people's browsers open."""

    @property
    def path(self) -> str:
        """Its path on the web server."""

    async def visit(self, query: Mapping[str, str], headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        """Return the HTTP status, headers and text for a request with this query and these headers, their names in
        lower case."""


@dataclass(frozen=True, kw_only=True)
class CapabilityEndpoint:
    """A path of a capability, to which anybody may post, or with the `method` GET a page that anybody may ask for: the
    capability says who may. What it `takes` may have a name behind the path."""

    path: str
    takes: Callable[[WebRequest], Awaitable[WebAnswer]]
    method: str = "POST"


Endpoint = PostEndpoint | AnsweringEndpoint | WebPage | CapabilityEndpoint


@runtime_checkable
class HasEndpoints(Protocol):
    """A platform that posts to the web server, or has pages for people's browsers."""

    @property
    def endpoints(self) -> Sequence[Endpoint]:
        """The paths that the web server opens for this platform now."""


def platform_endpoints(adapters: Mapping[str, ReceivingAdapter]) -> list[Endpoint]:
    """Return what all platforms need of the web server."""
    return [one for adapter in adapters.values() if isinstance(adapter, HasEndpoints) for one in adapter.endpoints]


def capability_endpoints(capabilities: Iterable[Capability], services: Services) -> list[Endpoint]:
    """Return the paths of all capabilities."""
    return [
        CapabilityEndpoint(path=path, takes=partial(connect, services), method=method)
        for capability in capabilities
        for method, found in (("POST", capability.connects), ("GET", capability.pages))
        for path, connect in found.items()
    ]


def application(checks: Checks, endpoints: Iterable[Endpoint] = ()) -> Starlette:
    """Return the web application: /healthz and these endpoints."""

    async def healthz(_request: Request) -> JSONResponse:
        found = await checks.look()
        return JSONResponse(found, 200 if found["ok"] else UNAVAILABLE, headers={"Cache-Control": "no-store"})

    visits = _Visits()
    routes = [Route("/healthz", healthz, methods=["GET"])]
    for endpoint in endpoints:
        if isinstance(endpoint, CapabilityEndpoint):
            routes += _capability_routes(endpoint)
        else:
            routes.append(_page_route(endpoint, visits) if isinstance(endpoint, WebPage) else _post_route(endpoint))
    found = Starlette(routes=routes)
    # Nobody is led to another path: the name behind one may be a secret.
    found.router.redirect_slashes = False
    return found


class _Visits:
    """Counts who opens people's pages: what one address may do leaves room for others."""

    def __init__(self) -> None:
        self._at: dict[str, deque[float]] = {}

    def admits(self, guest: str) -> bool:
        """Whether an address may come once more now; who was here longest ago is forgotten first."""
        now, before = time.monotonic(), self._at.pop(guest, deque[float]())
        while before and before[0] <= now - VISITS_SECONDS:
            before.popleft()
        admitted = len(before) < MOST_VISITS
        if admitted:
            before.append(now)
        self._at[guest] = before
        if len(self._at) > MOST_VISITORS:
            del self._at[next(iter(self._at))]
        return admitted


def _guest(host: str) -> str:
    """Who is behind an address: of the newer kind everybody has many, and whoever has one has its first half."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return host if address.version == IPV4 else str(ip_network((host, 64), strict=False))


def _page_route(page: WebPage, visits: _Visits) -> Route:
    async def get(request: Request) -> Response:
        if not visits.admits(_guest(request.client.host if request.client else "")):
            return Response("Please try again in ten minutes.\n", TOO_MANY, media_type="text/plain")
        status, headers, text = await page.visit(dict(request.query_params), request.headers)
        return Response(text, status, headers)

    return Route(page.path, get, methods=["GET"])


async def _body(request: Request, most: int) -> bytes:
    """Read a body; raises `BodyTooLarge`, with the rest of it unread, or `ClientDisconnect`."""
    if int(request.headers.get("content-length", 0)) > most:
        raise BodyTooLarge
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise BodyTooLarge
    return bytes(body)


def _post_route(endpoint: PostEndpoint | AnsweringEndpoint) -> Route:
    async def post(request: Request) -> Response:
        headers = request.headers
        if not endpoint.admits(headers):
            return Response(status_code=FORBIDDEN)
        try:
            body = await _body(request, MOST_BODY)
        except BodyTooLarge:
            return Response(status_code=TOO_LARGE)
        except ClientDisconnect:
            return Response(status_code=BAD_REQUEST)
        if isinstance(endpoint, AnsweringEndpoint):
            status, kind, text = await endpoint.answer(headers, body)
            return Response(text, status, media_type=kind)
        return Response(status_code=await endpoint.take(body))

    return Route(endpoint.path, post, methods=["POST"])


class _Posting:
    """A request as a capability sees it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.name = str(request.path_params.get("name", ""))
        self.headers: Mapping[str, str] = request.headers
        self.peer: str = request.state.peer
        self.body = partial(_body, request)


def _capability_routes(endpoint: CapabilityEndpoint) -> list[Route]:
    async def answered(request: Request) -> Response:
        try:
            answer = await endpoint.takes(_Posting(request))
        except BodyTooLarge:
            answer = WebAnswer(status=TOO_LARGE, told={"error": "the body is too large"})
        except ClientDisconnect:
            answer = WebAnswer(status=BAD_REQUEST)
        except StorageError as error:
            log.error("%s %s could not be answered: %s", endpoint.method, endpoint.path, error)
            answer = WebAnswer(status=UNAVAILABLE, headers={"Retry-After": RETRY_AFTER})
        if answer.status == NOT_FOUND:
            # Exactly as where there is no such path.
            raise HTTPException(NOT_FOUND)
        if answer.content is not None:
            return Response(answer.content, answer.status, dict(answer.headers))
        return JSONResponse(dict(answer.told), answer.status, headers=dict(answer.headers))

    return [Route(path, answered, methods=[endpoint.method]) for path in (endpoint.path, f"{endpoint.path}/{{name}}")]


class _Server(uvicorn.Server):
    """Leaves the signals to the program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Impatient(H11Protocol):
    """Hangs up on whoever holds a connection without asking for anything: idle ones count against the limit.

    Uvicorn's own time-out begins with the end of a first answer. Here each look, `WAITS` seconds after the one before,
    wants a new request, or an answer that is being worked out. Where many wait, who has waited longest goes: of an
    address with too many, else of the one that has most.
    """

    _timer: asyncio.TimerHandle | None = None
    _left = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as the server has it
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self._since, self._guest = self.loop.time(), _guest(peer)
        # Beside what a proxy says, which goes into its place (`Request.client`).
        self.app_state = {**self.app_state, "peer": self._guest}
        self._timer = self.loop.call_later(WAITS, self._look, None)
        # Room is made for who is next.
        here = [one for one in self.connections if isinstance(one, _Impatient) and not one._left]
        waiting = [one for one in here if not one._works()]
        counts = Counter(one._guest for one in waiting)
        most = max(counts.values())
        if most > MOST_OF_ONE or len(here) > MOST_AT_ONCE - KEPT_FREE:
            oldest = min((one for one in waiting if counts[one._guest] == most), key=lambda one: one._since)
            if oldest is not self:
                oldest._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _look(self, seen: object) -> None:
        if self.cycle is seen and not self._works():
            self._hang_up()
        else:
            self._timer = self.loop.call_later(WAITS, self._look, self.cycle)

    def _works(self) -> bool:
        """Whether a request is here whole, and not answered yet."""
        request: Any = self.cycle  # None before the first
        return request is not None and not request.more_body and not request.response_complete

    def _hang_up(self) -> None:
        self._left = True
        self.transport.close()


@asynccontextmanager
async def serving(checks: Checks, host: str, port: int, endpoints: Iterable[Endpoint] = ()) -> AsyncIterator[int]:
    """Serve while the context is open; gives the port. Raises `TellerError` when the address cannot be had: another
    program may let it go, and an interface may come up, so that this is no error of the configuration."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=MOST_AT_ONCE)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        told = f"http.host and http.port: cannot listen on {host} port {port}: {reason}. Free it, or choose others."
        raise TellerError(told) from error
    settings = uvicorn.Config(
        application(checks, endpoints),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        http=_Impatient,
        timeout_graceful_shutdown=GRACE,  # type: ignore[arg-type] # it takes parts of a second too
        timeout_keep_alive=5,
        limit_concurrency=MOST_AT_ONCE,
    )
    server = _Server(settings)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        await task
