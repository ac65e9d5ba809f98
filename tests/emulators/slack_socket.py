"""Socket Mode: web sockets that the bot opens, and the envelopes that go through them.

An address is good for one socket. A payload goes to any of the open sockets; it is acknowledged on the same one.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from tests.emulators.slack_delivery import EVENT, Envelope, Outcome
from tests.emulators.slack_world import Json

MOST_SOCKETS = 10
LINK_DISABLED, TOO_MANY, REFRESH, WARNING = "link_disabled", "too_many_websockets", "refresh_requested", "warning"
SHUTDOWN_SECONDS = 0.1
# How long a socket that was told to go stays open when nothing is under way.
GRACE_SECONDS = 0.2


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    """One open socket; *retiring* means that nothing new is sent through it."""

    socket: web.WebSocketResponse
    request: web.Request
    retiring: bool = False
    waiting: dict[str, asyncio.Future[Outcome]] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether an envelope may be sent through it."""
        return not (self.retiring or self.socket.closed)

    async def send(self, message: Json) -> None:
        """Send a message as it is."""
        await self.socket.send_str(json.dumps(message))

    def acknowledge(self, message: Json) -> None:
        """Settle what an answer of the bot is about; for something unknown or late it changes nothing."""
        future = self.waiting.pop(str(message.get("envelope_id")), None)
        if future is not None and not future.done():
            future.set_result(Outcome(accepted=True, body=message.get("payload")))

    def lose(self) -> None:
        """Nothing more will be acknowledged here."""
        for future in self.waiting.values():
            if not future.done():
                future.set_result(Outcome(reason="connection_failed"))
        self.waiting.clear()


class Sockets:
    """The web sockets of one app, on a port of their own; *greeted* is how many there have been.

    So many as *silent* says are opened and never said hello to.
    """

    def __init__(self, app_id: str, changed: Callable[[], None]) -> None:
        self.links: list[Link] = []
        self.enabled = True
        self.most = MOST_SOCKETS
        self.strange: list[str] = []
        self.greeted, self.silent = 0, 0
        self._app_id = app_id
        self._changed = changed
        self._tickets: set[str] = set()
        self._retiring: set[asyncio.Task[None]] = set()
        self._random = random.Random(app_id)
        self._runner: web.AppRunner | None = None
        self._url = ""

    async def start(self) -> None:
        """Listen on a port that the system chooses."""
        app = web.Application()
        app.router.add_get("/link/", self._accept)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self._url = f"ws://{host}:{port}/link/"

    async def stop(self) -> None:
        """Drop every socket and stop listening."""
        for task in self._retiring:
            task.cancel()
        self.abort()
        if self._runner is not None:
            await self._runner.cleanup()

    def address(self) -> str:
        """Return a fresh address, good for one socket."""
        ticket = secrets.token_hex(8)
        self._tickets.add(ticket)
        return f"{self._url}?ticket={ticket}&app_id={self._app_id}"

    @property
    def open(self) -> int:
        """How many sockets take envelopes."""
        return sum(link.usable for link in self.links)

    async def hand_over(self, envelope: Envelope, seconds: float) -> Outcome:
        """Send *envelope* through any open socket and wait for its acknowledgement."""
        usable = [link for link in self.links if link.usable]
        if not usable:
            return Outcome(reason="connection_failed")
        link = self._random.choice(usable)
        number = str(uuid.uuid4())
        link.waiting[number] = future = asyncio.get_running_loop().create_future()
        try:
            await link.send(_wire(envelope, number))
            return await asyncio.wait_for(future, seconds)
        except TimeoutError:
            return Outcome(reason="http_timeout")
        except ConnectionError:
            return Outcome(reason="connection_failed")
        finally:
            link.waiting.pop(number, None)

    async def disconnect(self, reason: str = REFRESH, *, close: bool = False) -> None:
        """Announce the end of every socket that is open.

        After "warning" they go on as they are. After anything else they take no new envelopes and are closed once what
        is under way is acknowledged, or at once with *close*; "link_disabled" switches Socket Mode off.
        """
        self.enabled = self.enabled and reason != LINK_DISABLED
        for link in [one for one in self.links if one.usable]:
            link.retiring = reason != WARNING
            await link.send(_farewell(reason))
            if close:
                await link.socket.close()
            elif link.retiring:
                self._retire(link)

    def _retire(self, link: Link) -> None:
        async def done() -> None:
            if link.waiting:
                await asyncio.wait(list(link.waiting.values()))
            await asyncio.sleep(GRACE_SECONDS)
            await link.socket.close()

        task = asyncio.get_running_loop().create_task(done())
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    def abort(self) -> None:
        """Break every connection without a word."""
        for link in list(self.links):
            transport = link.request.transport
            if transport is not None:
                transport.abort()

    async def _accept(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets or not self.enabled:
            return web.Response(status=404)
        self._tickets.discard(ticket)
        link = Link(socket=web.WebSocketResponse(), request=request)
        await link.socket.prepare(request)
        if self.open >= self.most:
            await link.send(_farewell(TOO_MANY))
            await link.socket.close()
            return link.socket
        await self._serve(link)
        return link.socket

    async def _serve(self, link: Link) -> None:
        self.links.append(link)
        try:
            await self._greet(link)
            async for message in link.socket:
                if message.type is WSMsgType.TEXT:
                    self._heard(link, message.data)
        finally:
            self.links.remove(link)
            link.lose()
            self._changed()

    async def _greet(self, link: Link) -> None:
        if self.silent:
            self.silent -= 1
            link.retiring = True
            return
        await link.send(self._hello())
        self.greeted += 1
        self._changed()

    def _heard(self, link: Link, text: str) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            message = None
        if isinstance(message, dict) and "envelope_id" in message:
            link.acknowledge(message)
        else:
            self.strange.append(text)

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": self.open,
            "debug_info": {"host": "applink-emulator", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": self._app_id},
        }


def _wire(envelope: Envelope, number: str) -> Json:
    message: Json = {
        "envelope_id": number,
        "payload": envelope.payload,
        "type": envelope.kind,
        "accepts_response_payload": envelope.answerable,
    }
    if envelope.kind == EVENT:
        reason = envelope.reasons[-1] if envelope.reasons else ""
        message |= {"retry_attempt": len(envelope.reasons), "retry_reason": reason}
    return message


def _farewell(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-emulator"}}
