"""The tester's side: what the bot did and the misfortunes it meets, in this process or over ``/_control/``.

POST a JSON object of arguments to ``/_control/`` and a name of ``ACTIONS``, which are methods of the server; the
answer is ``{"result": …}``; ``/_control/set`` changes ``SETTINGS``. The ``data`` of ``upload`` is Base64.
GET ``/_control/calls?method=``, ``pending``, or ``app`` for ids, secrets and tokens.
"""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from tests.emulators.faults import Fault, FaultScript
from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_delivery import Envelope
from tests.emulators.slack_limit import Limits
from tests.emulators.slack_world import Call, World

if TYPE_CHECKING:
    from tests.emulators.slack import SlackServer

PREFIX = "/_control/"
OWN = frozenset({"fault", "delivery_fault", "limit"})
PEOPLE = frozenset({
    *("user", "channel", "say", "edit", "delete", "mention", "press", "select", "command", "shortcut", "submit"),
    *(
        "close",
        "open_home",
        "look",
        "invite_bot",
        "kick_bot",
        "join",
        "leave",
        "archive",
        "upload",
        "uninstall",
        "revoke",
    ),
    *(
        "shown",
        "said",
        "home",
        "home_text",
        "views",
        "errors",
        "status",
        "dm",
        "react",
        "other_bot",
        "forge",
        "toasts",
        "push",
    ),
})
ACTIONS = OWN | PEOPLE
SETTINGS = frozenset({"ahead", "mode", "request_url", "retry_after"})


class TesterSide:
    """Looks at everything and arranges trouble."""

    world: World
    faults: FaultScript
    _limits: Limits
    _calls: list[Call]
    _changed: asyncio.Event

    @property
    def ahead(self) -> float:
        """By how many seconds Slack's clock is ahead of this machine's."""
        return self.world.ahead

    @ahead.setter
    def ahead(self, seconds: float) -> None:
        self.world.ahead = seconds

    def fault(
        self,
        method: str | None = None,
        kind: str = "500",
        *,
        channel: str | None = None,
        error: str = "",
        **options: Any,
    ) -> Fault:
        """Script a misfortune; see ``Fault`` for the options and ``FAULT_KINDS`` for the kinds.

        With *error* the answer is that error code of Slack's; with "_after" in *kind* what was asked is done first.
        """
        kind = kind if not error else "error_after" if kind.endswith("_after") else "error"
        return self.faults.add(Fault(method=method, kind=kind, chat=channel, description=error or None, **options))

    def limit(
        self, method: str | None = None, calls: int | None = None, seconds: float | None = None, *, burst: int = 0
    ) -> None:
        """Allow *calls* per *seconds* to *method*; None everywhere is what is documented, 0 calls lift the limit."""
        self._limits.set(method, calls, seconds, burst)

    def distributed(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Let the app be one that is distributed, but not by the Marketplace: each reading method gives 15 a minute.

        Slack's minutes go by *monotonic*, in seconds.
        """
        self.world.app.history_most = 15
        self._limits.monotonic = monotonic
        for method in ("conversations.history", "conversations.replies"):
            self.limit(method, 1, 60.0)

    def calls(self, method: str | None = None) -> list[Call]:
        """Return the requests received, refused ones included."""
        return [call for call in self._calls if method in (None, call.method)]

    async def wait_until(self, condition: Callable[[], bool], timeout: float = 30.0) -> None:
        """Wait until *condition* holds, looking after every change; raise ``TimeoutError`` after *timeout* seconds."""
        async with asyncio.timeout(timeout):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


async def control(server: SlackServer, request: Request) -> Reply:
    """Do what the tester asks; arguments that do not fit are answered with 400."""
    name = request.path.removeprefix(PREFIX)
    try:
        if request.method == "GET":
            return Reply.json(_look(server, name, dict(parse_qsl(request.query))))
        if name == "set":
            _set(server, json.loads(request.body))
            return Reply.json({"result": None})
        if name in ACTIONS:
            return Reply.json({"result": await _act(server, name, json.loads(request.body or b"{}"))})
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        return Reply.json({"error": str(error)}, 400)
    return Reply.json({"error": f"no such control: {name}"}, 404)


async def _act(server: SlackServer, name: str, arguments: dict[str, Any]) -> object:
    if "data" in arguments:
        arguments["data"] = base64.b64decode(arguments["data"])
    result = getattr(server, name)(**arguments)
    if asyncio.iscoroutine(result):
        result = await result
    return plain(result)


def _set(server: SlackServer, settings: dict[str, Any]) -> None:
    if not settings.keys() <= SETTINGS:
        raise ValueError(f"known settings: {sorted(SETTINGS)}")
    for name, value in settings.items():
        setattr(server, name, tuple(value) if isinstance(value, list) else value)


def plain(value: object) -> object:
    """Return *value* as JSON can write it: an id for what has one, fields for what has none."""
    if value is None or isinstance(value, str | int | float | dict):
        return value
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, Envelope):
        return {"acked": value.acked, "attempts": value.attempts, "response": value.response}
    if isinstance(value, Fault) or not dataclasses.is_dataclass(value):
        return None
    fields = {part.name: plain(getattr(value, part.name)) for part in dataclasses.fields(value)}
    return fields.get("id") or fields


def _look(server: SlackServer, name: str, query: dict[str, str]) -> object:
    if name == "calls":
        return [dataclasses.asdict(call) for call in server.calls(query.get("method"))]
    if name == "pending":
        return {"pending": len(server.pending())}
    if name == "app":
        tokens = {team.id: team.bot_token for team in server.world.teams.values()}
        return {**dataclasses.asdict(server.world.app), "tokens": tokens}
    raise ValueError(f"no such view: {name}")
