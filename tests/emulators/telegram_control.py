"""The tester's remote control over an emulator that runs as a process of its own.

POST a JSON object of arguments to ``/_control/`` and a name of ``ACTIONS``, which are methods of the server; the
answer holds the number or id that the method returns. The ``data`` of ``send_media`` is Base64. GET
``/_control/sent?chat=&n=&timeout=``, ``calls?method=``, ``answers?callback=``, ``drafts?chat=`` or ``pending``.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from tests.emulators.loopback import Reply, Request

if TYPE_CHECKING:
    from tests.emulators.telegram import TelegramServer

PREFIX = "/_control/"
SAYING = frozenset({"say", "edit", "delete", "press", "react", "send_media", "rename", "push", "open"})
GROUPS = frozenset({"group", "member", "restrict", "migrate", "topic", "close_topic", "reopen_topic", "delete_topic"})
ACTIONS = SAYING | GROUPS | {"block", "unblock", "expire", "fault", "limit", "group_limit"}
# What the number is that an action returns; otherwise it is an update_id.
RESULTS = {"press": "callback_id", "group": "chat", "migrate": "chat"}


async def control(server: TelegramServer, request: Request) -> Reply:
    """Do what the tester asks; arguments that do not fit are answered with 400."""
    name = request.path.removeprefix(PREFIX)
    try:
        if request.method == "GET":
            return Reply.json(await _look(server, name, dict(parse_qsl(request.query))))
        if name in ACTIONS:
            return Reply.json(_act(server, name, json.loads(request.body or b"{}")))
    except TimeoutError as error:
        return Reply.json({"error": str(error)}, 408)
    except (TypeError, ValueError, KeyError) as error:
        return Reply.json({"error": str(error)}, 400)
    return Reply.json({"error": f"no such control: {name}"}, 404)


def _act(server: TelegramServer, name: str, arguments: dict[str, Any]) -> object:
    if name == "push":
        return {"update_id": server.push(arguments)}
    if "data" in arguments and name == "send_media":
        arguments["data"] = base64.b64decode(arguments["data"])
    result = getattr(server, name)(**arguments)
    return {RESULTS.get(name, "update_id"): result} if isinstance(result, int | str) else {}


async def _look(server: TelegramServer, name: str, query: dict[str, str]) -> object:
    if name == "pending":
        return {"pending": server.pending()}
    if name == "calls":
        return [dataclasses.asdict(call) for call in server.calls(query.get("method"))]
    if name == "answers":
        return [dataclasses.asdict(answer) for answer in server.answers(query.get("callback"))]
    chat = int(query["chat"]) if "chat" in query else None
    if name == "drafts":
        return [dataclasses.asdict(draft) for draft in server.drafts(chat)]
    if name != "sent":
        raise ValueError(f"no such view: {name}")
    await server.wait_sent(int(query.get("n", 0)), chat, float(query.get("timeout", 10)))
    return [dataclasses.asdict(message) for message in server.sent(chat)]
