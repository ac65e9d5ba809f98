"""Receiving: getUpdates (https://core.telegram.org/bots/api#getupdates) in a loop that nothing ends but its owner.

An update is a committed row before the offset moves past it, so Telegram keeps what we could not keep. What the
library's own updater would do is in its source: it confirms what is only in memory, stops for good on a 404, and asks
again without a pause for an update it cannot parse.
"""

from __future__ import annotations

import logging

from telegram.error import Conflict

from bot.adapters.telegram.parse.people import Me
from bot.adapters.telegram.parse.updates import ALLOWED_UPDATES, next_offset
from bot.adapters.telegram.receive.press_answers import Answers
from bot.adapters.telegram.receive.receiver import Receiver, Timing
from bot.adapters.telegram.send.http import described
from core.kernel.ports import Clock, Intake

log = logging.getLogger(__name__)

MOST_UPDATES = 100
CURSOR = "offset"
# A long poll that came back empty sooner than this was not one; asking again at once would be a hot loop.
SHORTEST_EMPTY_POLL = 1.0
HEALTHY_EXTRA_SECONDS = 60.0


class Poller(Receiver):
    """Receives by asking."""

    def __init__(self, token: str, root: str, clock: Clock, timing: Timing, answers: Answers) -> None:
        super().__init__(token, root, clock, timing, answers)
        self._offset: int | None = None
        self._offset_read = False
        # Whether the last answer had room for more updates than there were.
        self._has_all = False

    def _is_well(self, age: float) -> bool:
        return age < self._timing.poll + HEALTHY_EXTRA_SECONDS

    def _hears(self, age: float) -> bool:
        return self._has_all and age < self._timing.poll + self._timing.slack

    async def _round(self, intake: Intake, tenant: int, me: Me) -> None:
        if not self._offset_read:
            stored = await intake.cursor(tenant, CURSOR)
            self._offset = int(stored) if stored and stored.lstrip("-").isdecimal() else None
            self._offset_read = True
        # Without waiting until the backlog is in: the first answer tells whether there is one.
        wait = self._timing.poll if self.caught_up.is_set() else 0
        begun = self._clock.monotonic()
        fields: dict[str, object] = {"timeout": wait, "limit": MOST_UPDATES, "allowed_updates": ALLOWED_UPDATES}
        if self._offset is not None:
            fields["offset"] = self._offset
        updates = await self._patiently("getUpdates", fields, wait)
        if not isinstance(updates, list):
            raise TypeError("the result of getUpdates is no list")
        before = self._offset
        if updates:
            offset = next_offset(updates)
            await self._take(intake, updates, (CURSOR, str(offset)))
            self._offset = offset
        self._succeeded()
        self._has_all = len(updates) < MOST_UPDATES
        if self._has_all and not self.caught_up.is_set():
            self._up_to_date()
        at_once = self._clock.monotonic() - begun < min(SHORTEST_EMPTY_POLL, self._timing.poll / 2)
        if wait and at_once and self._offset == before:
            await self._clock.sleep(self._timing.first)

    async def _mend(self, error: Exception) -> None:
        """Switch an active webhook off, keeping what waits (https://core.telegram.org/bots/api#deletewebhook)."""
        if not isinstance(error, Conflict) or "webhook" not in error.message:
            return
        log.warning("bot %s had a webhook; it is switched off, since this program asks for its updates", self.bot_id)
        try:
            await self._calls("deleteWebhook", {"drop_pending_updates": False})
        except Exception as failure:
            log.warning("cannot switch the webhook off, trying again: %s", described(failure))
