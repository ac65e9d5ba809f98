"""The real Bolt at the emulator's door, in both modes, noting what it hears."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from slack_bolt import BoltResponse
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for

ROOM, USER = "C1", "U1"


@dataclass
class Heard:
    """What came through the door: bodies, and the headers that came with them; *down* is how often it fails first."""

    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, Any]] = field(default_factory=list)
    down: int = 0

    @property
    def events(self) -> list[str]:
        """The types of the events, with a subtype after a dot."""
        found = [body["event"] for body in self.bodies if "event" in body]
        return [".".join(filter(None, (one["type"], one.get("subtype", "")))) for one in found]

    async def __call__(self, req: Any, resp: Any, next: Any) -> Any:
        """Note a request before Bolt looks at it; acknowledge events here and now."""
        self.bodies.append(req.body)
        self.headers.append(dict(req.headers))
        if self.down:
            self.down -= 1
            return BoltResponse(status=500)
        if req.body.get("type") == "event_callback":
            return BoltResponse(status=200)
        return await next()


def bolt(server: SlackServer, heard: Heard) -> AsyncApp:
    """An app of Bolt's whose events end at *heard*."""
    return AsyncApp(
        client=client_for(server),
        signing_secret=server.world.app.signing_secret,
        before_authorize=heard,
        raise_error_for_unhandled_request=False,
    )


@asynccontextmanager
async def connected(server: SlackServer, app: AsyncApp, *, ping: float = 10) -> AsyncIterator[None]:
    """Run *app* over a web socket."""
    handler: Any = AsyncSocketModeHandler(app, server.world.app.app_token, ping_interval=ping)
    await handler.connect_async()
    try:
        await server.wait_until(lambda: server.sockets.open > 0)
        yield
    finally:
        await handler.close_async()


@asynccontextmanager
async def listening(server: SlackServer, app: AsyncApp) -> AsyncIterator[str]:
    """Run *app* behind a request URL, which the server posts to from then on."""
    runner = web.AppRunner(app.web_app(path="/slack/events"), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    server.mode, server.signed.url = "http", f"http://{host}:{port}/slack/events"
    try:
        yield server.signed.url
    finally:
        await runner.cleanup()
