"""The workspaces in which the app is installed: who the bot is there, and the way to each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.send.rate_limit import HistoryLimit, RateLimit
from core.kernel.types import Destination

PLATFORM = "slack"
# The id of a message (its `ts`): seconds and microseconds.
TIMESTAMP = re.compile(r"[0-9]{1,12}\.[0-9]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """One workspace, as auth.test tells of it (https://docs.slack.dev/reference/methods/auth.test).

    `enterprise` is the organisation that it belongs to, `scopes` what the token may do, `user_name` what the bot's user
    was called when it was made; empty when that is not known.
    """

    team: str
    bot_user: str
    bot_id: str
    client: AsyncWebClient = field(repr=False)
    rate_limit: RateLimit = field(repr=False)
    history: HistoryLimit = field(repr=False)
    name: str = ""
    url: str = ""
    enterprise: str = ""
    app_id: str = ""
    user_name: str = ""
    scopes: frozenset[str] = frozenset()

    def address(self, user: str, team: str = "") -> str:
        """Return the address of somebody of this workspace, or of `team` in a shared channel."""
        return f"{PLATFORM}:{team or self.team}:{user}"

    def wrote(self, message: Mapping[str, Any]) -> bool:
        """Whether a message is the bot's own."""
        by_bot = self.bot_id and message.get("bot_id") == self.bot_id
        return bool(by_bot or message.get("user") == self.bot_user)

    def may(self, *scopes: str) -> bool:
        """Whether the token has one of the scopes; True while its scopes are not known."""
        return not self.scopes or any(scope in self.scopes for scope in scopes)


class Workspaces:
    """The workspaces that are served now, by the id of their team."""

    def __init__(self) -> None:
        self._known: dict[str, Workspace] = {}
        self._all_known = False
        self._ended: set[str] = set()

    def __iter__(self) -> Iterator[Workspace]:
        """Return all of them, in the order in which they came."""
        return iter(tuple(self._known.values()))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._known)

    def get(self, team: str) -> Workspace | None:
        """Return a workspace, None for one where the app is not installed, or not yet known to be."""
        return self._known.get(team)

    def add(self, workspace: Workspace) -> None:
        """Serve a workspace from now on; a newer one with the same id takes its place."""
        self._known[workspace.team] = workspace
        self._ended.discard(workspace.team)
        self._all_known = True

    def permalink(self, to: Destination, message_id: str) -> str:
        """Return the link to a message, as chat.getPermalink makes it; empty in a workspace that is not known.

        See https://docs.slack.dev/reference/methods/chat.getPermalink.
        """
        workspace = self.get(to.tenant)
        if workspace is None or not workspace.url.startswith("https://") or not TIMESTAMP.fullmatch(message_id):
            return ""
        link = f"{workspace.url.rstrip('/')}/archives/{to.chat}/p{message_id.replace('.', '')}"
        return f"{link}?thread_ts={to.thread}&cid={to.chat}" if to.thread not in ("", message_id) else link

    def know_all(self) -> None:
        """Note that every workspace that is served is known now, also when there is none."""
        self._all_known = True

    def serves(self, team: str) -> bool:
        """Whether a workspace is served. Each may be until it is known which: what a crash left is taken up before."""
        return team in self._known or not self._all_known

    def drop(self, team: str) -> None:
        """Serve a workspace no more, for now."""
        self._known.pop(team, None)

    def end(self, team: str) -> None:
        """Serve a workspace no more: the app was removed there."""
        self._known.pop(team, None)
        self._ended.add(team)

    def has_ended(self, team: str) -> bool:
        """Whether the app was removed from a workspace."""
        return team in self._ended


def user_of(address: str) -> str:
    """Return the id of the user whose address it is (`slack:T1:U2`), empty for another platform's."""
    platform, _, rest = address.partition(":")
    _, _, user = rest.partition(":")
    return user if platform == PLATFORM else ""
