"""Who people are of whom Slack tells nothing: for now, or for good."""

from __future__ import annotations

import logging
from dataclasses import replace

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.cache import KEPT
from bot.adapters.slack.parse.messages import address
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.send.client import code, is_lasting
from core.kernel.ports import Clock
from core.kernel.types import Sender

log = logging.getLogger(__name__)

# Nobody will ever say more of them: these are not of this workspace, as far as it knows.
STRANGE = frozenset({"user_not_found", "user_not_visible", "users_not_found"})
# About the token, but no other try will say more of anybody: the owner was told which scopes there are.
NEVER = frozenset({"missing_scope", "not_allowed_token_type"})
# These are about this one, where the token is good for others.
DENIED = frozenset({"no_permission", "access_denied", "ekm_access_denied"})
# So long after an answer about anybody it is known that people are told of, and so long whoever is not waits at most.
TOLD_SECONDS, LONGEST_WAITED_SECONDS = 120.0, 3600.0


class Untold:
    """Decides how long to wait for what is told of people of one workspace, and who they are until then."""

    def __init__(self, me: Me, clock: Clock) -> None:
        self._me, self._clock, self._answered = me, clock, -TOLD_SECONDS
        # The reasons that are in the log.
        self._logged: set[str] = set()
        # Of whom Slack would not tell when last asked.
        self._denied: set[str] = set()

    def answered(self, user: str = "") -> None:
        """Note that Slack told of people just now, of `user` among them."""
        self._answered = self._clock.monotonic()
        self._denied.discard(user)

    def refused(self, user: str, error: Exception) -> Sender | None:
        """Return who somebody is of whom nothing is told; None while that may pass."""
        said = code(error)
        if said in STRANGE:
            return replace(self._bare(user), kin="outsider", unknown="")
        twice = False
        if said in DENIED:
            if len(self._denied) >= KEPT:
                self._denied.clear()
            twice = user in self._denied
            self._denied.add(user)
        lasting = said in NEVER or (isinstance(error, SlackApiError) and is_lasting(error))
        if lasting or (twice and self._tells()):
            return self._given_up(user, said)
        return None

    def _tells(self) -> bool:
        """Return whether people were told of just now."""
        return self._clock.monotonic() - self._answered < TOLD_SECONDS

    def instead(self, user: str, seconds: float) -> Sender:
        """Return who somebody is of whom nothing was told for so long: who waits keeps a workspace from being heard.

        As long as it may still be told, they are `unknown` "now".
        """
        if self._tells() or user in self._denied or seconds >= LONGEST_WAITED_SECONDS:
            return self._given_up(user, "no answer")
        return self._bare(user)

    def _given_up(self, user: str, said: str) -> Sender:
        # Once: whoever waited for more would wait for ever.
        if said not in self._logged:
            self._logged.add(said)
            log.warning("who some people of workspace %s are is not told, they are their ids: %s", self._me.team, said)
        return replace(self._bare(user), unknown="ever")

    def _bare(self, user: str) -> Sender:
        return Sender(address=address(self._me.team, user), name=user, unknown="now")
