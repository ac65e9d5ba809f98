"""Receiving: getUpdates (https://core.telegram.org/bots/api#getupdates) in a loop that nothing ends but its owner.

An update is a committed row before the offset moves past it, so Telegram keeps what we could not keep. What the
library's own updater would do is in its source: it confirms what is only in memory, stops for good on a 404, and asks
again without a pause for an update it cannot parse.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from telegram.error import Conflict, InvalidToken

from bot.adapters.telegram.parsing import ALLOWED_UPDATES, next_offset, parse
from bot.adapters.telegram.wire import Flooded, Wire, described
from core.errors import StorageError
from core.ports import Clock, Intake

log = logging.getLogger(__name__)

MOST_UPDATES = 100
CURSOR = "offset"
PLATFORM = "telegram"
JITTER = 0.3
CLOSE_SECONDS = 5.0
CALL_SECONDS = 10.0
# A long poll that came back empty sooner than this was not one; asking again at once would be a hot loop.
SHORTEST_EMPTY_POLL = 1.0
HEALTHY_EXTRA_SECONDS = 60.0
SAME_ERROR_LOG_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long the poll loop waits, in seconds.

    `poll` is how long Telegram may hold a request (whole seconds), `slack` what the network may add; `watchdog` is
    counted from the end of `poll`; pauses after errors double from `first` to `most`.
    """

    poll: int = 30
    slack: float = 10.0
    watchdog: float = 60.0
    first: float = 1.0
    most: float = 30.0


class Stalled(Exception):
    """No getUpdates came back, not even as an error, within the watchdog's time."""


class Poller:
    """The receiving half of the adapter; `caught_up` is set when the backlog has been taken in."""

    def __init__(self, token: str, root: str, clock: Clock, timing: Timing) -> None:
        self.bot_id = token.partition(":")[0]
        self.caught_up = asyncio.Event()
        self._url = f"{root}/bot{token}"
        self._clock = clock
        self._timing = timing
        self._wire = self._new_wire()
        self._tenant: int | None = None
        self._offset: int | None = None
        self._pause = timing.first
        self._last_poll: float | None = None
        self._last_error = ""
        self._logged: dict[type[Exception], float] = {}

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled; every error is recovered from with a growing pause."""
        while True:
            try:
                await self._begin(intake)
                await self._round(intake, cast("int", self._tenant))
            except Exception as error:
                # Never deaf: a poll loop that ended is worse than one that complains.
                await self._recover(error)
            else:
                self._pause = self._timing.first

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.shutdown()

    def health(self) -> Mapping[str, Any]:
        """Return `ok`, the age of the last good poll in seconds, the last error and the bot's id."""
        age = None if self._last_poll is None else self._clock.monotonic() - self._last_poll
        return {
            "ok": age is not None and age < self._timing.poll + HEALTHY_EXTRA_SECONDS,
            "last_poll_age_s": age,
            "last_error": self._last_error,
            "bot_id": self.bot_id,
        }

    async def _begin(self, intake: Intake) -> None:
        if self._tenant is not None:
            return
        tenant = await intake.tenant(PLATFORM, self.bot_id)
        stored = await intake.cursor(tenant, CURSOR)
        self._offset = int(stored) if stored and stored.lstrip("-").isdecimal() else None
        self._tenant = tenant

    async def _round(self, intake: Intake, tenant: int) -> None:
        # Without waiting until the backlog is in: the first answer tells whether there is one.
        wait = self._timing.poll if self.caught_up.is_set() else 0
        begun = self._clock.monotonic()
        updates = await self._get_updates(wait)
        before = self._offset
        if updates:
            offset = next_offset(updates)
            await intake.accept(tenant, parse(updates), (CURSOR, str(offset)))
            self._offset = offset
        self._succeeded(len(updates))
        at_once = self._clock.monotonic() - begun < min(SHORTEST_EMPTY_POLL, self._timing.poll / 2)
        if wait and at_once and self._offset == before:
            await self._clock.sleep(self._timing.first)

    def _succeeded(self, count: int) -> None:
        self._last_poll, self._last_error = self._clock.monotonic(), ""
        if count < MOST_UPDATES and not self.caught_up.is_set():
            self.caught_up.set()
            log.info("receiving from Telegram as bot %s", self.bot_id)

    async def _get_updates(self, wait: int) -> list[Any]:
        """Return the next updates; raise `Stalled` when the request outlives every time-out of the library."""
        fields = {"timeout": wait, "limit": MOST_UPDATES, "allowed_updates": json.dumps(ALLOWED_UPDATES)}
        if self._offset is not None:
            fields["offset"] = self._offset
        try:
            async with asyncio.timeout(self._timing.poll + self._timing.watchdog):
                updates = await self._call("getUpdates", fields, wait + self._timing.slack)
        except TimeoutError:
            raise Stalled from None
        if not isinstance(updates, list):
            raise TypeError("the result of getUpdates is no list")
        return updates

    async def _call(self, method: str, fields: Mapping[str, object], seconds: float) -> object:
        return cast("object", await self._wire.post(f"{self._url}/{method}?{urlencode(fields)}", read_timeout=seconds))

    async def _recover(self, error: Exception) -> None:
        self._last_error = str(error) if isinstance(error, StorageError) else described(error)
        self._complain(error)
        wait = self._pause
        self._pause = min(2 * self._pause, self._timing.most)
        if isinstance(error, Flooded):
            wait = max(wait, error.seconds)
        elif isinstance(error, Conflict) and "webhook" in error.message:
            await self._drop_webhook()
        elif isinstance(error, Stalled):
            await self._replace_wire()
        # Upwards only: never sooner than asked for.
        await self._clock.sleep(wait * (1 + JITTER * random.random()))

    def _complain(self, error: Exception) -> None:
        """Log an error, the same kind once a minute."""
        now = self._clock.monotonic()
        kind = type(error)
        if now - self._logged.get(kind, -SAME_ERROR_LOG_SECONDS) < SAME_ERROR_LOG_SECONDS:
            return
        self._logged[kind] = now
        if isinstance(error, Conflict):
            log.error("somebody else receives with the token of bot %s (%s)", self.bot_id, self._last_error)
        elif isinstance(error, InvalidToken):
            log.error("Telegram does not know the token of bot %s (%s)", self.bot_id, self._last_error)
        else:
            log.warning("cannot receive from Telegram, trying again: %s", self._last_error)

    async def _drop_webhook(self) -> None:
        """Switch an active webhook off, keeping what waits (https://core.telegram.org/bots/api#deletewebhook)."""
        log.warning("bot %s had a webhook; it is switched off, since this program asks for its updates", self.bot_id)
        try:
            await self._call("deleteWebhook", {"drop_pending_updates": "false"}, CALL_SECONDS)
        except Exception as error:
            log.warning("cannot switch the webhook off, trying again: %s", described(error))

    async def _replace_wire(self) -> None:
        stalled, self._wire = self._wire, self._new_wire()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await stalled.shutdown()
        except Exception as error:
            log.warning("a stalled connection could not be closed: %s", described(error))

    def _new_wire(self) -> Wire:
        return Wire(connections=2, read=CALL_SECONDS)
