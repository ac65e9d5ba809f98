"""Doing something until it succeeds, with growing pauses."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot.adapters._shared.rate_limit import Backoff
from bot.adapters.slack.backfill.scheduler import NAMED
from bot.adapters.slack.receive.socket_mode import Timing
from bot.adapters.slack.send.client import code, described
from core.kernel.errors import ConfigError
from core.kernel.ports import Clock, Intake

log = logging.getLogger(__name__)


class Attempts:
    """`trouble` is why the last attempt failed, empty once one has succeeded."""

    def __init__(self, clock: Clock, timing: Timing) -> None:
        self.trouble = "not begun"
        self._clock, self._timing = clock, timing

    async def until_done(self, work: Callable[[Intake], Awaitable[None]], intake: Intake) -> None:
        """Do something until it succeeds; raises `ConfigError` alone."""
        backoff = Backoff(self._clock, self._timing.first, self._timing.most)
        while True:
            try:
                await work(intake)
            except ConfigError:
                raise
            except Exception as error:
                named = NAMED.get(code(error), "")
                text = named or described(error)
                if text != self.trouble:
                    log.log(logging.ERROR if named else logging.WARNING, "cannot receive from Slack: %s", text)
                self.trouble = text
                await backoff.wait(fixed=self._timing.named if named else None)
            else:
                self.trouble = ""
                return
