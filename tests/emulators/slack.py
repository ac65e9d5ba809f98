"""A strict Slack for tests and benchmarks: Web API, OAuth, and what the delivery side adds to them.

In a test: ``async with SlackServer() as server``; the bot's base URL is ``server.api``, the page that asks whether to
install the app ``server.authorize_url``. As a process: ``python -m tests.emulators.slack --port 8082``, driven over
``/_control/`` (see ``slack_control``).

What people do; *team* is a workspace, the first one by default, and no *channel* is the conversation with the bot:

- ``user``, ``channel(members, kind=…, shared_with=…)``, ``dm``, ``join``, ``leave``, ``invite_bot``, ``kick_bot``,
  ``archive``, ``install(url)``, ``uninstall``, ``revoke``
- ``say(text, user, channel, thread=…) -> ts``, ``mention``, ``edit``, ``delete``, ``react``, ``upload``, ``other_bot``
- ``press(message, label) -> Press``, ``select``, ``command("/teller help")``, ``shortcut``, ``suggest``, ``forge``;
  then ``toasts(press)``; ``push`` for raw events
- ``open_home``, ``submit(values)``, ``close``; ``views``, ``home``, ``home_text``, ``errors``
- what they see: ``shown(channel, user)``, ``said`` (by the bot alone), ``status``

How the bot hears of it: ``mode``, ``request_url``, ``retry_after``, ``deliveries`` (each an ``Envelope`` that can be
waited for), ``pending``, ``delivery_fault``, ``sockets.disconnect`` and ``sockets.abort``, ``signed.post`` and
``signed.verify``, ``telling.subscribed``, ``commands``.

One workspace is there from the start, ``server.team``, with the app installed; ``server.world.team("T0002")`` founds
another. The tester's side: ``calls``, ``wait_until``, ``limit``, ``ahead``, ``oauth.choose``, and ``fault`` for any
method and for "download".
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from tests.emulators.faults import Fault, FaultScript
from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request, arguments, run_forever
from tests.emulators.slack_control import PREFIX, TesterSide, control
from tests.emulators.slack_http import (
    API,
    DOWNLOAD,
    FAULT_KINDS,
    FILES,
    PAGE,
    SIGN_IN,
    UPLOAD,
    UPLOADS,
    fault_reply,
    half,
    refused,
)
from tests.emulators.slack_limit import Limits
from tests.emulators.slack_methods import Methods
from tests.emulators.slack_oauth import AUTHORIZE, OAuth
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_side import DeliverySide
from tests.emulators.slack_world import Call, Json, World

ERRORS = {"429": "ratelimited"}


class SlackServer(DeliverySide, TesterSide, LoopbackServer):
    """The Web API of one app in several workspaces; *rooms* answer what is below their paths."""

    def __init__(self, *, port: int = 0, mode: str = "socket", events_url: str = "") -> None:
        super().__init__(port=port)
        self._changed = asyncio.Event()
        self.changed = self._changed.set
        self.world = World()
        self.team = self.world.team("T0001", domain="acme")
        self._calls: list[Call] = []
        self.hooks = self.furnish(self.world, self._calls.append)
        self.mode, self.signed.url = mode, events_url
        self.faults = FaultScript(FAULT_KINDS)
        self.oauth = OAuth(self.world)
        self._limits = Limits()
        self._methods = Methods(self.world, self.hooks, self.oauth, self._limits)
        self.files = self._methods.files
        self.rooms: dict[str, Callable[[Request], Awaitable[Reply]]] = {API: self._api, FILES: self._api}
        self.rooms |= {UPLOADS: self._upload, AUTHORIZE: self.oauth.authorize, SIGN_IN: _sign_in, **self.answering()}

    @property
    def api(self) -> str:
        """The base URL of the Web API."""
        return f"{self.url}{API}"

    @property
    def authorize_url(self) -> str:
        """The page where somebody agrees to the installation."""
        return f"{self.url}{AUTHORIZE}"

    async def start(self) -> SlackServer:
        """Listen, and let files be found under the address."""
        await super().start()
        self._methods.url = self.url
        await self.open(self.url)
        return self

    async def stop(self) -> None:
        """Hand over nothing more and stop listening."""
        try:
            await self.shut()
        finally:
            await super().stop()

    async def respond(self, request: Request) -> Reply:
        """Answer one request of the bot, of a browser, or of the tester's control."""
        if request.path.startswith(PREFIX):
            return await control(self, request)
        room = next((room for path, room in self.rooms.items() if request.path.startswith(path)), None)
        try:
            return await room(request) if room else Reply(status=404, content_type="text/html")
        finally:
            self.changed()

    async def _api(self, request: Request) -> Reply:
        name = DOWNLOAD if request.path.startswith(FILES) else request.path.removeprefix(API)
        call = Call(method=name, params={})
        self._calls.append(call)
        try:
            self._methods.read(call, request)
        except ApiError as error:
            return self._recorded(call, self._refused(call, error))
        fault = self.faults.take(name, _place(call))
        if fault is None:
            return self._recorded(call, self._perform(call, request))
        return await self._faulty(fault, call, request)

    async def _upload(self, request: Request) -> Reply:
        """Take a file, or do what the next fault of an "upload" says."""
        fault = self.faults.take(UPLOAD, None)
        if fault is not None and fault.base == "cut":
            raise Cut
        return self.files.take(request) if fault is None else fault_reply(fault)

    async def _faulty(self, fault: Fault, call: Call, request: Request) -> Reply:
        """Let the call suffer; without "_after" only what is slow takes effect at all."""
        true_reply = None
        if fault.base == "slow" and not fault.late:
            await fault.wait()
        if fault.late or fault.base in ("slow", "short"):
            true_reply = self._perform(call, request)
            self.changed()
        if fault.base == "cut":
            raise Cut
        if fault.base == "hang":
            await request.gone()
            raise Cut
        if fault.base == "slow" and fault.late:
            await fault.wait()
        call.error = ERRORS.get(fault.base, fault.description) or call.error
        return self._recorded(call, _suffering(fault, true_reply))

    @staticmethod
    def _recorded(call: Call, reply: Reply) -> Reply:
        def delivered(open_connection: bool) -> None:
            call.delivered = open_connection

        call.status = reply.status
        return replace(reply, delivered=delivered)

    def _perform(self, call: Call, request: Request) -> Reply:
        try:
            found = self._methods.perform(call, request)
        except ApiError as error:
            return self._refused(call, error)
        if isinstance(found, Reply):
            return found
        body: Json = {"ok": True, **found}
        return replace(Reply.json(body), headers=self._methods.headers(call))

    def _refused(self, call: Call, error: ApiError) -> Reply:
        call.error = error.code
        reply = refused(error)
        return replace(reply, headers={**self._methods.headers(call), **reply.headers})


async def _sign_in(request: Request) -> Reply:
    return Reply(content_type="text/html", chunks=(PAGE.format("Sign in to Slack").encode(),))


def _place(call: Call) -> str | None:
    found = call.params.get("channel") or call.params.get("channel_id") or call.params.get("user")
    return found if isinstance(found, str) else None


def _suffering(fault: Fault, true_reply: Reply | None) -> Reply:
    if true_reply is not None and fault.base == "slow":
        return true_reply
    if true_reply is not None and fault.base == "short":
        return half(true_reply)
    return fault_reply(fault)


def main() -> None:
    """Run the emulator as a process of its own."""
    parser = arguments("slack")
    parser.add_argument("--mode", default="socket", choices=("socket", "http"), help="how the bot hears of things")
    parser.add_argument("--events-url", default="", help="where the bot takes signed requests")
    server = SlackServer(**vars(parser.parse_args()))
    asyncio.run(run_forever(server, "slack"))


if __name__ == "__main__":
    main()
