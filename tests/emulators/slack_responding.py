"""response_url: an address in every interaction and command, to answer it without a token.

Good for 5 messages within 30 minutes (docs.slack.dev, "Handling user interaction", "Message responses"). What may be
in the body is read from the signature of slack_sdk's webhook client.
"""

from __future__ import annotations

import inspect
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_forms import message_form
from tests.emulators.slack_methods_chat import POST_TEXT, checked_metadata, content
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Call, Channel, Hooks, Json, Message, Team, World

ACTIONS, COMMANDS = "/actions/", "/commands/"
METHOD = "response_url"
MOST_USES = 5
LIFE_SECONDS = 1800.0
KNOWN = frozenset(inspect.signature(AsyncWebhookClient.send).parameters) - {"self", "headers"} | {"thread_ts"}


@dataclass(slots=True, kw_only=True)
class Address:
    """One response_url; *original* is the message that was pressed, or the first answer to a command.

    *until* is monotonic seconds; *answers* are the messages that came through it.
    """

    team: Team
    channel: Channel
    user: str
    original: Message | None
    until: float
    uses: int = 0
    answers: list[Message] = field(default_factory=list)


class Responding:
    """The addresses, and what comes in through them; *url* is where the server listens."""

    def __init__(self, world: World, hooks: Hooks, record: Callable[[Call], None]) -> None:
        self.url = ""
        self.life = LIFE_SECONDS
        self._world = world
        self._hooks = hooks
        self._record = record
        self._known: dict[str, Address] = {}

    def address(self, kind: str, team: Team, channel: Channel, user: str, original: Message | None = None) -> str:
        """Return a fresh address below *kind*, one of ``ACTIONS`` and ``COMMANDS``."""
        path = f"{kind}{team.id}/{secrets.randbelow(10**12)}/{secrets.token_urlsafe(18)}"
        until = time.monotonic() + self.life
        self._known[path] = Address(team=team, channel=channel, user=user, original=original, until=until)
        return f"{self.url}{path}"

    def answers(self, url: str) -> list[Message]:
        """Return the messages that have come to *url* and are still there."""
        return [message for message in self._known[url.removeprefix(self.url)].answers if not message.deleted]

    async def respond(self, request: Request) -> Reply:
        """Take an answer of the bot."""
        call = Call(method=METHOD, params={})
        self._record(call)
        try:
            call.params = _body(request)
            self.take(self._found(request.path), call.params, call)
        except ApiError as error:
            # Here nothing is refused with 200: the library looks at the status alone.
            call.status, call.error = max(error.status, 400), error.code
            return Reply.json(error.as_json(), call.status)
        call.status, call.delivered = 200, True
        return Reply.json({"ok": True})

    def answer(self, url: str, body: Json) -> None:
        """Take the payload of an acknowledgement as if it had come to *url*, without counting it."""
        self.take(self._known[url.removeprefix(self.url)], body, None)

    def take(self, address: Address, body: Json, call: Call | None) -> None:
        """Show, change or delete a message as *body* says; raise ``ApiError`` for one that cannot be shown."""
        unknown = body.keys() - KNOWN
        if unknown:
            raise ApiError("invalid_payload", f"emulator: unknown field {min(unknown)!r}")
        if body.get("delete_original"):
            self._delete(_original(address))
        elif body.get("replace_original"):
            self._replace(_original(address), body, address.team)
        else:
            self._show(address, body, call)

    def _found(self, path: str) -> Address:
        address = self._known.get(path)
        if address is None or address.until < time.monotonic():
            raise ApiError("expired_url", status=404)
        if address.uses >= MOST_USES:
            raise ApiError("used_url", status=404)
        address.uses += 1
        return address

    def _show(self, address: Address, body: Json, call: Call | None) -> None:
        team, public = address.team, body.get("response_type") == "in_channel"
        message = self._world.post(
            team,
            address.channel,
            user=team.bot_user,
            bot_id=team.bot_id,
            **content(body, POST_TEXT),
            thread_ts=body.get("thread_ts", ""),
            metadata=checked_metadata(body.get("metadata")),
            ephemeral_for="" if public else address.user,
            call=call,
        )
        address.answers.append(message)
        address.original = address.original or message
        if public:
            self._hooks.posted(message)

    def _replace(self, message: Message, body: Json, team: Team) -> None:
        said = content(body, POST_TEXT)
        before = message_form(self._world, message, metadata=False)
        message.edits.append(before)
        message.text, message.blocks, message.attachments = said["text"], said["blocks"], said["attachments"]
        message.edited = {"user": team.bot_user, "ts": self._world.next_ts()}
        if not message.ephemeral_for:
            self._hooks.edited(message, before)

    def _delete(self, message: Message) -> None:
        message.deleted = True
        if not message.ephemeral_for:
            self._hooks.removed(message)


def _original(address: Address) -> Message:
    if address.original is None or address.original.deleted:
        raise ApiError("message_not_found", status=404)
    return address.original


def _body(request: Request) -> Json:
    if request.method != "POST":
        raise ApiError("invalid_payload")
    text = request.body.decode()
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        text = parse_qs(text).get("payload", [""])[0]
    try:
        found = json.loads(text)
    except ValueError:
        raise ApiError("invalid_payload") from None
    if not isinstance(found, dict):
        raise ApiError("invalid_payload")
    return found
