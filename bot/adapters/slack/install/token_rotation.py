"""Tokens that run out (https://docs.slack.dev/authentication/using-token-rotation): newer ones are fetched in time.

What fetches them is good once. So only one fetches, and keeps what came before anybody uses it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from bot.adapters.slack.install.installations import Installations, Known
from bot.adapters.slack.install.oauth import OAuth, Tokens
from bot.adapters.slack.send.client import code, described
from bot.adapters.slack.send.sender import REMOVED
from core.kernel.errors import StorageError
from core.kernel.ports import Clock
from core.kernel.types import HOUR, Millis

log = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
# They are good for twelve hours.
AHEAD: Millis = 2 * HOUR
# How long a stop waits for what is being fetched: it would be lost.
FINISH_SECONDS = 5.0
# There will be no newer tokens by that one.
USED_UP = frozenset({"invalid_refresh_token", "token_expired", *REMOVED})


class Rotation:
    """Looks at the installations `rows` once a minute. `newer` hears of newer tokens that are kept, `used_up` where
    there will be none, `lost` of an installation that is none any more.
    """

    def __init__(
        self,
        known: Installations,
        oauth: OAuth,
        clock: Clock,
        rows: Mapping[str, Known],
        *,
        newer: Callable[[str, Known], None],
        used_up: Callable[[str], None],
        lost: Callable[[Known], Awaitable[None]],
    ) -> None:
        self._known, self._oauth, self._clock, self._rows = known, oauth, clock, rows
        self._newer, self._used_up, self._lost = newer, used_up, lost
        self._under_way: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()

    async def run(self) -> None:
        """Fetch newer tokens in time, until cancelled."""
        while True:
            await self._clock.sleep(LOOK_SECONDS)
            await self.renew(self._clock.now() + AHEAD)

    async def close(self) -> None:
        """Let what is being fetched arrive."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=FINISH_SECONDS)

    async def renew(self, before: Millis) -> None:
        """Fetch newer tokens for those that run out before an instant."""
        refreshable = [one for one in self._rows.values() if one.tokens is not None and one.tokens.refresh]
        for one in [one for one in refreshable if one.row.expires_at is not None and one.row.expires_at < before]:
            task = asyncio.create_task(self._renewed(one))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            try:
                # To be cut off in the middle of it would lose the tokens.
                await asyncio.shield(task)
            except StorageError as error:
                log.error("the end of %s cannot be kept yet: %s", one.row.external_id, error)

    async def _renewed(self, one: Known) -> None:
        key = one.row.external_id
        try:
            if one.tokens is not None and await self._known.claim(one.row):
                try:
                    newer = await self._oauth.refresh(one.tokens.refresh)
                except Exception:
                    await self._known.let_go(one.row)
                    raise
                await self._keep(one, newer)
            # Whoever fetched them, the last ones are in the database.
            if (kept := await self._known.one(key)) is not None:
                self._newer(key, kept)
            self._told.discard(key)
        except Exception as error:
            await self._complain(one, error)

    async def _keep(self, one: Known, newer: Tokens) -> None:
        """Keep newer tokens, however long the database takes: the old ones bring no others."""
        while True:
            try:
                await self._known.renew(one.row, newer)
            except StorageError as error:
                log.error("newer tokens for %s cannot be kept yet: %s", one.row.external_id, error)
                await self._clock.sleep(1.0)
            else:
                return

    async def _complain(self, one: Known, error: Exception) -> None:
        """Say once that newer tokens cannot be fetched; it is tried again."""
        key = one.row.external_id
        if self._rows.get(key) is not one:
            # It was installed again meanwhile.
            return
        if key not in self._told:
            self._told.add(key)
            remedy = "; the app has to be installed there again" if code(error) in USED_UP else ""
            log.error("no newer tokens for %s: %s%s", key, described(error), remedy)
        if code(error) in REMOVED:
            await self._lost(one)
        elif code(error) in USED_UP:
            self._used_up(key)
