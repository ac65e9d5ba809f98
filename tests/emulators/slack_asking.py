"""What every method of the Web API needs: who asks, what they may do, and how long lists are cut."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_forms import ts_key
from tests.emulators.slack_rules import ApiError, Params
from tests.emulators.slack_world import Call, Channel, Hooks, Json, Message, Team, User, World

T = TypeVar("T")
# The first word of the scopes for a kind of conversation.
WORDS = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}
TYPES = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}
USUAL_LIMIT, MOST = 100, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One call with a good token, *params* checked for their form."""

    world: World
    hooks: Hooks
    team: Team
    token: str
    params: Params
    call: Call
    request: Request

    def need(self, *scopes: str) -> None:
        """Raise ``ApiError`` unless the token has one of *scopes*."""
        if not self.team.scopes & set(scopes):
            provided = ",".join(sorted(self.team.scopes))
            raise ApiError("missing_scope", needed=",".join(scopes), provided=provided)

    def channel(self, name: str, *, scope: str = "") -> Channel:
        """Return a conversation that the bot may know of; raise ``ApiError`` otherwise.

        *scope* is the second half of what is needed, like "history".
        """
        found = self.team.channels.get(name)
        if found is None or (found.kind != "channel" and self.team.bot_user not in found.members):
            raise ApiError("channel_not_found")
        if scope:
            self.need(f"{WORDS[found.kind]}:{scope}")
        return found

    def joined(self, name: str, *, scope: str = "") -> Channel:
        """Return a conversation in which the bot is; raise ``ApiError`` otherwise."""
        found = self.channel(name, scope=scope)
        if self.team.bot_user not in found.members:
            raise ApiError("not_in_channel")
        return found

    def message(self, channel: Channel, ts: str, error: str = "message_not_found") -> Message:
        """Return a message that is still there; raise ``ApiError`` *error* otherwise."""
        found = channel.messages.get(ts)
        if found is None or found.deleted:
            raise ApiError(error)
        return found

    def person(self, user_id: str) -> User:
        """Return somebody of the workspace, or met in a channel shared with it; raise ``ApiError`` otherwise."""
        found = self.team.users.get(user_id)
        if found is None and any(user_id in c.members for c in self.team.channels.values() if c.is_ext_shared):
            found = self.world.user(user_id)
        if found is None:
            raise ApiError("user_not_found")
        return found

    def page(
        self, items: Sequence[T], *, usual: int = USUAL_LIMIT, most: int = MOST, given: int = MOST
    ) -> tuple[list[T], str]:
        """Return the part of *items* that ``cursor`` and ``limit`` ask for, no more than *given*, and the next cursor.

        Raises ``ApiError`` for a limit above *most*.
        """
        limit = self.params.get("limit") or usual
        if not 0 < limit <= most:
            raise ApiError("invalid_limit")
        start = _start(self.params.get("cursor", ""))
        if start > len(items):
            raise ApiError("invalid_cursor")
        end = start + min(limit, given)
        return list(items[start:end]), _cursor(end) if end < len(items) else ""

    def kinds(self, default: str = "public_channel") -> set[str]:
        """Return the kinds of conversations that ``types`` asks for, each with its scope."""
        names = (self.params.get("types") or default).split(",")
        if not set(names) <= TYPES.keys():
            raise ApiError("invalid_types")
        for name in names:
            self.need(f"{WORDS[TYPES[name]]}:read")
        return {TYPES[name] for name in names}


Method = Callable[[Ask], Json | Reply]


class Room(Protocol):
    """Some methods that belong together."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        ...


def _cursor(place: int) -> str:
    return base64.b64encode(f"next:{place}".encode()).decode()


def _start(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        word, _, place = base64.b64decode(cursor, validate=True).decode().partition(":")
        if word == "next":
            return int(place)
    except (binascii.Error, ValueError):
        raise ApiError("invalid_cursor") from None
    raise ApiError("invalid_cursor")


def moment(value: str, error: str) -> tuple[int, int]:
    """Return a time stamp as numbers; raise ``ApiError`` *error* when it is none."""
    try:
        return ts_key(value)
    except ValueError:
        raise ApiError(error) from None
