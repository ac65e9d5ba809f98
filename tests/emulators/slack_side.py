"""The delivery side of the emulated Slack and the people behind it, as one part of the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.emulators.faults import Fault
from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_delivery import EVENT, Deliveries, Envelope
from tests.emulators.slack_hooks import Telling
from tests.emulators.slack_responding import ACTIONS, COMMANDS, Responding
from tests.emulators.slack_signed import Signed
from tests.emulators.slack_socket import Sockets
from tests.emulators.slack_user import UserSide
from tests.emulators.slack_world import Call, World

SOCKET, HTTP = "socket", "http"
Room = Callable[[Request], Awaitable[Reply]]


class DeliverySide(UserSide):
    """How the bot hears of what people do: ``mode`` is "socket" or "http", to ``request_url``.

    ``retry_after`` are the seconds before each redelivery of an event.
    """

    sockets: Sockets
    signed: Signed

    def furnish(self, world: World, record: Callable[[Call], None]) -> Telling:
        """Put everything in its place and return what must be told of the bot's own doings."""
        self.sockets = Sockets(world.app.id, self.changed)
        self.signed = Signed(world.app)
        self.deliveries = Deliveries(self.sockets, self.changed)
        self.telling = Telling(world, self.deliveries, self.sockets)
        self.responding = Responding(world, self.telling, record)
        self.commands = {"/teller": True, "/todo": True}
        self._errors, self._presses = {}, {}
        return self.telling

    def answering(self) -> dict[str, Room]:
        """Return what answers requests of the bot on this side, by path."""
        return {ACTIONS: self.responding.respond, COMMANDS: self.responding.respond}

    async def open(self, url: str) -> None:
        """Take web sockets; the server itself is at *url*."""
        self.responding.url = url
        await self.sockets.start()

    async def shut(self) -> None:
        """Hand over nothing more and drop every connection."""
        try:
            await self.deliveries.stop()
        finally:
            await self.signed.stop()
            await self.sockets.stop()

    @property
    def mode(self) -> str:
        """How envelopes reach the bot."""
        return HTTP if self.deliveries.way is self.signed else SOCKET

    @mode.setter
    def mode(self, mode: str) -> None:
        if mode not in (SOCKET, HTTP):
            raise ValueError(f"no mode {mode!r}")
        self.deliveries.way = self.signed if mode == HTTP else self.sockets

    @property
    def reachable(self) -> bool:
        """Whether somebody listens, as far as Slack can know before it has something to say."""
        return bool(self.signed.url) if self.mode == HTTP else self.sockets.open > 0

    @property
    def request_url(self) -> str:
        """Where everything is posted in mode "http"."""
        return self.signed.url

    @request_url.setter
    def request_url(self, url: str) -> None:
        self.signed.url = url

    @property
    def retry_after(self) -> tuple[float, ...]:
        """Seconds before each redelivery of an event that was not acknowledged."""
        return tuple(self.deliveries.retry_after)

    @retry_after.setter
    def retry_after(self, seconds: tuple[float, ...]) -> None:
        self.deliveries.retry_after = seconds

    def pending(self) -> list[Envelope]:
        """Return what is neither acknowledged nor given up."""
        return self.deliveries.pending()

    def delivery_fault(self, kind: str, way: str | None = EVENT, **options: Any) -> Fault:
        """Script a misfortune of deliveries: one of ``slack_delivery.FAULT_KINDS`` for "events_api", "interactive",
        "slash_commands", or any with None.
        """
        return self.deliveries.faults.add(Fault(method=way, kind=kind, **options))
