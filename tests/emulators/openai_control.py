"""The tester's remote control over a model that runs as a process of its own.

POST a JSON object of arguments to ``/_control/answer``, ``call``, ``raw`` or ``fault``, or attributes
(see ``SETTINGS``) to ``/_control/set``; GET ``/_control/requests``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.emulators.loopback import Reply, Request

if TYPE_CHECKING:
    from tests.emulators.openai import OpenAIServer
    from tests.emulators.openai_answers import ChatRequest

PREFIX = "/_control/"
ACTIONS = frozenset({"answer", "call", "raw", "fault"})
SETTINGS = frozenset({
    "latency",
    "refuse_tools",
    "refuse_stream",
    "unknown",
    "ignored",
    "responses",
    "responses_only",
    "think",
})


def control(server: OpenAIServer, request: Request) -> Reply:
    """Do what the tester asks; arguments that do not fit are answered with 400."""
    name = request.path.removeprefix(PREFIX)
    if (request.method, name) == ("GET", "requests"):
        return Reply.json([_request(chat) for chat in server.requests])
    try:
        return _act(server, name, json.loads(request.body or b"{}"))
    except (TypeError, ValueError) as error:
        return Reply.json({"error": str(error)}, 400)


def _act(server: OpenAIServer, name: str, arguments: dict[str, Any]) -> Reply:
    if name == "set":
        if not arguments.keys() <= SETTINGS:
            raise ValueError(f"can be set: {sorted(SETTINGS)}")
        for setting, value in arguments.items():
            setattr(server, setting, value)
    elif name in ACTIONS:
        getattr(server, name)(**arguments)
    else:
        return Reply.json({"error": f"no such control: {name}"}, 404)
    return Reply.json({})


def _request(chat: ChatRequest) -> dict[str, Any]:
    return {
        "body": chat.body,
        "raw": chat.raw.decode(errors="replace"),
        "at": chat.at,
        "mono": chat.mono,
        "status": chat.status,
        "delivered": chat.delivered,
    }
