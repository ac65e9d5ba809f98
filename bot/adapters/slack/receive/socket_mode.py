"""Socket Mode (https://docs.slack.dev/apis/events-api/using-socket-mode): a web socket that we open, and open again.

The library's own client tries again without a growing pause and cannot tell what is wrong, so the few lines that keep a
socket are ours. What comes is dispatched by bolt, and acknowledged on the socket it came by, as Slack wants it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.adapters._shared.rate_limit import Backoff
from bot.adapters.slack.send.client import Wire, code, described, pause
from core.kernel.background import cancel
from core.kernel.errors import ConfigError
from core.kernel.ports import Clock

log = logging.getLogger(__name__)

OK = 200
MOST_AT_ONCE = 500
# What no other try will help against until somebody changes something at Slack.
NAMED = {
    "link_disabled": "Socket Mode is switched off in the settings of the app",
    "invalid_auth": "Slack does not know the app token",
    "not_authed": "the app token is empty",
    "token_revoked": "the app token was revoked",
    "token_expired": "the app token has expired",
    "account_inactive": "the app token belongs to a workspace that is gone",
    "missing_scope": "the app token lacks the scope connections:write",
    "not_allowed_token_type": "the app token is none (xapp-…), or Socket Mode is switched off",
}
# What ends the start, since only another token helps.
REJECTED = frozenset({
    "invalid_auth",
    "not_authed",
    "token_revoked",
    "token_expired",
    "missing_scope",
    "not_allowed_token_type",
})
REJECTED_TOKEN = (
    "slack.app_token: {why}. Copy the app-level token again from the app's page (Basic Information, App-Level Tokens,"
    " xapp-…, with the scope connections:write), see that Socket Mode is on, and put the token where it stands now, or"
    " run: teller setup --platform slack"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long receiving waits, in seconds.

    Pauses after errors double from `first` to `most`; `named` is the pause when only a person can help; `ping` is the
    time between two looks whether a socket still lives; `hello` how long it may take to be opened, and then to say
    hello. `look` is the time between two looks into the conversations where nothing says that one is needed: without
    a socket, and while they cannot be read.
    """

    first: float = 1.0
    most: float = 30.0
    named: float = 60.0
    ping: float = 10.0
    hello: float = 15.0
    look: float = 600.0


class SwitchedOffError(Exception):
    """Slack closed the socket and wants no other: `link_disabled`."""


class TooManyError(Exception):
    """Slack lets an app have ten sockets; others hold them."""


class BrokenOffError(Exception):
    """A socket ended soon after it was opened."""


class SilentError(Exception):
    """A socket was opened and never said hello."""


class Sockets:
    """Keeps one socket open until cancelled. `greeted` is called at each hello, before anything comes, and when
    something had to be left; with True while an older socket still receives, so that nothing is known to be missing.
    """

    def __init__(
        self, app: AsyncApp, app_token: str, wire: Wire, clock: Clock, timing: Timing, greeted: Callable[[bool], None]
    ) -> None:
        self.open, self.last_error = False, ""
        self._app, self._token, self._wire = app, app_token, wire
        self._clock, self._timing, self._greeted = clock, timing, greeted
        self._backoff, self._greeted_at = Backoff(clock, timing.first, timing.most), 0.0
        # Whether Slack has ever taken the token: then it is no mistake of the configuration.
        self._accepted = False
        self._taken: set[asyncio.Task[None]] = set()
        self._old: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Receive until cancelled; every error is recovered from with a growing pause, but for a token that Slack does
        not take at the start: raises `ConfigError`."""
        try:
            while True:
                try:
                    await self._session()
                except Exception as error:
                    if not self._accepted and code(error) in REJECTED:
                        self.last_error = REJECTED_TOKEN.format(why=NAMED[code(error)])
                        raise ConfigError(self.last_error) from error
                    # Never deaf: a loop that ended is worse than one that complains.
                    self.open = False
                    name = "link_disabled" if isinstance(error, SwitchedOffError) else code(error)
                    text, named = NAMED.get(name, "") or described(error), name in NAMED
                    if text != self.last_error:
                        log.log(logging.ERROR if named else logging.WARNING, "cannot receive from Slack: %s", text)
                    self.last_error = text
                    fixed = self._timing.named if named else None
                    await self._backoff.wait(at_least=pause(error) or 0.0, fixed=fixed)
        finally:
            self.open = False
            await cancel({*self._taken, *self._old})

    async def _session(self) -> None:
        """Open a socket and receive by it until it ends; one that Slack wants replaced goes on until that is done."""
        # An address is asked for, and connected to (apps.connections.open).
        async with asyncio.timeout(self._timing.hello):
            web = self._wire.web(self._token)
            answer = await web.apps_connections_open(app_token=self._token)
            self._accepted = True
            socket = await self._wire.session.ws_connect(
                str(answer["url"]), heartbeat=self._timing.ping, proxy=web.proxy
            )
        replaced = asyncio.Event()
        task = asyncio.create_task(self._receive(socket, replaced))
        waiting = asyncio.create_task(replaced.wait())
        try:
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await cancel({task})
            raise
        finally:
            waiting.cancel()
        if task.done():
            self.open = False
            task.result()
            if self._clock.monotonic() - self._greeted_at < self._timing.most:
                raise BrokenOffError
            # One that lived long is replaced at once.
            self._backoff.reset()
        else:
            self._old.add(task)
            task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._old.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.debug("an old socket ended: %s", described(error))

    async def _receive(self, socket: aiohttp.ClientWebSocketResponse, replaced: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(self._timing.hello) as patience:
                async for frame in socket:
                    if frame.type is not aiohttp.WSMsgType.TEXT:
                        continue
                    message = _read(frame.data)
                    if message.get("type") == "hello":
                        patience.reschedule(None)
                    self._heard(socket, message, replaced)
        except TimeoutError:
            raise SilentError from None
        finally:
            await socket.close()

    def _heard(self, socket: aiohttp.ClientWebSocketResponse, message: dict[str, Any], replaced: asyncio.Event) -> None:
        match message.get("type"):
            case "hello":
                if self.last_error:
                    log.info("Slack is heard again")
                self.open, self.last_error = True, ""
                self._greeted_at = self._clock.monotonic()
                self._greeted(bool(self._old))
            case "disconnect" if message.get("reason") == "link_disabled":
                raise SwitchedOffError
            case "disconnect" if message.get("reason") == "too_many_websockets":
                raise TooManyError
            case "disconnect":
                replaced.set()
            case _ if len(self._taken) >= MOST_AT_ONCE:
                # It is not acknowledged, so it comes again; but not for ever.
                self._greeted(False)
            case _:
                task = asyncio.create_task(self._take(socket, message))
                self._taken.add(task)
                task.add_done_callback(self._taken.discard)

    async def _take(self, socket: aiohttp.ClientWebSocketResponse, message: dict[str, Any]) -> None:
        """Have something taken in, and acknowledge it."""
        try:
            request = SocketModeRequest.from_dict(message)
            if request is None:
                return
            answer = await run_async_bolt_app(self._app, request)
            if answer.status == OK:
                payload = json.loads(answer.body) if answer.body else None
                response = SocketModeResponse(envelope_id=request.envelope_id, payload=payload)
                await socket.send_str(json.dumps(response.to_dict()))
        except Exception as error:
            # It was not acknowledged, so it comes again; what is stored is known then.
            log.info("something was not acknowledged: %s", described(error))


def _read(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}
