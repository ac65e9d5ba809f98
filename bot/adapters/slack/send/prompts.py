"""Prompts that the private chat offers (https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts).

They stand at the top of the Messages tab of an agent (`agent_view`), so no thread is named. An app of the older kind
(`assistant_view`, or neither) has none there and goes on without.
"""

from __future__ import annotations

import asyncio
import logging

from cachetools import TLRUCache

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.send.client import code, described
from core.kernel.ports import Clock
from core.language import pick

log = logging.getLogger(__name__)

MOST_PROMPTS = 4
CALL_SECONDS = 15.0
# So long prompts stay as they are, and so long nothing is tried after trouble; where an app can have none, for a day.
AGAIN_SECONDS, TROUBLE_SECONDS, NEVER_SECONDS = 3600.0, 300.0, 86_400.0
# An app that is no agent, or was not given the scope.
IMPOSSIBLE = frozenset({"not_agent_app", "missing_scope", "unknown_method", "feature_not_enabled"})
MOST_PLACES = 10_000


def prompts(language: str) -> list[dict[str, str]]:
    """Return what works, in a language, as Slack wants prompts."""
    return [{"title": one, "message": one} for one in pick(language).choices][:MOST_PROMPTS]


class Prompts:
    """Suggests prompts in private chats, seldom enough that nobody who goes back and forth makes calls by it."""

    def __init__(self, clock: Clock) -> None:
        # By workspace and channel, with an empty one for all of it, the seconds in which nothing is to be done.
        self._settled: TLRUCache[tuple[str, str], float, float] = TLRUCache(
            MOST_PLACES, lambda _, rest, now: now + rest, clock.monotonic
        )

    async def suggest(self, at: Served, user: str, channel: str) -> None:
        """Suggest prompts to somebody in the language of theirs; nothing but decoration, so it never raises."""
        place, workspace = (at.me.team, channel), (at.me.team, "")
        if not (user and channel) or place in self._settled or workspace in self._settled:
            return
        # Before the call: another one is not to begin while this one is on its way.
        self._settled[place] = AGAIN_SECONDS
        try:
            async with asyncio.timeout(CALL_SECONDS):
                who = await at.people.one(user)
                await at.workspace.client.assistant_threads_setSuggestedPrompts(
                    channel_id=channel, prompts=prompts(who.language)
                )
        except Exception as error:
            impossible = code(error) in IMPOSSIBLE
            self._settled[workspace if impossible else place] = NEVER_SECONDS if impossible else TROUBLE_SECONDS
            log.debug("prompts were not shown: %s", described(error))
