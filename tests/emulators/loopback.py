"""One small HTTP server on the loopback interface, shared by all emulators."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from tests.turns import all_begun

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope

JSON_TYPE = "application/json"
KEEP_ALIVE_SECONDS = 3600


class Cut(Exception):
    """Close the connection without another byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request read to its end.

    ``path`` is percent-decoded, header names are in lower case.
    """

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    transport: asyncio.Transport
    receive: ASGIReceiveCallable

    async def gone(self) -> None:
        """Return when the client has closed the connection."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


def _ignore(delivered: bool) -> None:
    """Nobody asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer; *delivered* is told whether the connection was still open when it was written.

    With ``cut`` the chunks are written and the connection is closed before the proper end.
    """

    status: int = 200
    chunks: Sequence[bytes] = ()
    content_type: str = JSON_TYPE
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    delivered: Callable[[bool], None] = _ignore

    @classmethod
    def json(cls, value: object, status: int = 200) -> Reply:
        """Answer with *value* as JSON."""
        return cls(status=status, chunks=(json.dumps(value).encode(),))

    def header_list(self) -> list[tuple[bytes, bytes]]:
        """Return the headers as ASGI wants them."""
        fields = {"content-type": self.content_type, **self.headers}
        if len(self.chunks) < 2 and not self.cut:
            fields["content-length"] = str(sum(map(len, self.chunks)))
        return [(name.lower().encode(), value.encode()) for name, value in fields.items()]


class _Protocol(H11Protocol):
    """Lets the application reach the socket, so that it can cut it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {"transport": transport}


async def _read(scope: Scope, receive: ASGIReceiveCallable) -> Request:
    http = cast("dict[str, Any]", scope)
    body = bytearray()
    more = True
    while more:
        event = cast("dict[str, Any]", await receive())
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return Request(
        method=http["method"],
        path=http["path"],
        query=http["query_string"].decode("latin-1"),
        headers={name.decode("latin-1"): value.decode("latin-1") for name, value in http["headers"]},
        body=bytes(body),
        transport=http["state"]["transport"],
        receive=receive,
    )


class LoopbackServer:
    """Answer HTTP requests on 127.0.0.1 within the running event loop.

    Ready as soon as ``start`` returns; ``stop`` drops open connections and ends every handler.
    """

    def __init__(self, *, port: int = 0) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._stopping = False
        self._state = ServerState()

    @property
    def url(self) -> str:
        """The root address, without a slash at its end."""
        return f"http://127.0.0.1:{self._port}"

    async def respond(self, request: Request) -> Reply:
        """Answer *request*; raise ``Cut`` to hang up."""
        raise NotImplementedError

    async def start(self) -> Self:
        """Listen; with port 0 the system chooses one.

        Raises ``OSError`` when the port is taken.
        """
        config = uvicorn.Config(
            cast("Any", self._app),
            interface="asgi3",
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
        config.load()
        loop = asyncio.get_running_loop()
        self._stopping = False
        self._state = ServerState()
        self._server = await loop.create_server(lambda: _Protocol(config, self._state, {}), "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        """Stop listening, drop every connection and wait for the handlers to end."""
        if self._server is None:
            return
        self._stopping = True
        await all_begun()
        self._server.close()
        for connection in list(self._state.connections):
            cast("_Protocol", connection).transport.abort()
        tasks = list(self._state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    async def _app(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        try:
            request = await _read(scope, receive)
            try:
                reply = await self.respond(request)
            except Cut:
                request.transport.abort()
                await request.gone()
                return
            await self._send(request, reply, send)
        except asyncio.CancelledError:
            # The connection is gone already; uvicorn would log an error and answer 500 into the void.
            if not self._stopping:
                raise

    async def _send(self, request: Request, reply: Reply, send: ASGISendCallable) -> None:
        # Told before the bytes leave, or a client could read the answer and find it undelivered.
        reply.delivered(not request.transport.is_closing())
        start = {"type": "http.response.start", "status": reply.status, "headers": reply.header_list()}
        await send(cast("Any", start))
        for chunk in reply.chunks:
            part = {"type": "http.response.body", "body": chunk, "more_body": True}
            await send(cast("Any", part))
        if reply.cut:
            request.transport.close()
            await request.gone()
            return
        await send(cast("Any", {"type": "http.response.body", "body": b"", "more_body": False}))


async def run_forever(server: LoopbackServer, name: str) -> None:
    """Serve until SIGINT or SIGTERM; say where on standard output."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with server:
        print(f"{name} emulator on {server.url}", flush=True)  # noqa: T201 - the parent reads this line
        await stop.wait()


def arguments(name: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every emulator has."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.emulators.{name}")
    parser.add_argument("--port", type=int, default=0, help="0 lets the system choose")
    return parser
