"""Receiving: what both ways have in common, who we are and recovery from every error, and the way of asking.

The other way is to be told (webhook.py).
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from telegram.error import Conflict, InvalidToken

from bot.adapters._shared.rate_limit import Backoff
from bot.adapters.telegram.parse.fields import Me, read_me
from bot.adapters.telegram.parse.updates import ALLOWED_UPDATES, next_offset, parse, query_ids
from bot.adapters.telegram.receive.press_answers import Answers
from bot.adapters.telegram.send.client import Calls, Flooded, described
from core.kernel.errors import ConfigError
from core.kernel.ports import Clock, Intake
from core.kernel.updates import Left, Returned

log = logging.getLogger(__name__)

PLATFORM = "telegram"
UNKNOWN_TOKEN = (
    "telegram.token: Telegram does not know this token. Copy it again from @BotFather and put it where it stands now,"
    " or run: teller setup"
)
# What only somebody can mend, who reads of it in the log and in the status.
REMEDIES: Mapping[type[Exception], str] = {
    InvalidToken: "; ask @BotFather for the token, set it, and start again",
    Conflict: "; stop the other one, or have @BotFather make a new token, set it, and start again",
}
SAME_ERROR_LOG_SECONDS = 60.0
MOST_UPDATES = 100
CURSOR = "offset"
# A long poll that came back empty sooner than this was not one; asking again at once would be a hot loop.
SHORTEST_EMPTY_POLL = 1.0
# Seconds before asking for more: whoever just wrote is answered first, not held up by the next request being written.
HEAD_START = 0.002
HEALTHY_EXTRA_SECONDS = 60.0

# Of the group, and of the address of who came or left.
Membership = Callable[[str, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long receiving waits, in seconds.

    `poll` is how long Telegram may hold a request (whole seconds), `network` what the network may add; `watchdog` is
    counted from the end of `poll`; pauses after errors double from `first` to `most`; `look` is the time between two
    looks at the webhook.
    """

    poll: int = 30
    network: float = 10.0
    watchdog: float = 60.0
    first: float = 1.0
    most: float = 30.0
    look: float = 60.0


class Stalled(Exception):
    """No answer came back, not even as an error, within the watchdog's time."""


class Receiver(ABC):
    """The receiving half of the adapter; `caught_up` is set when the backlog has been taken in.

    `started` is set by the first good round: from then on `me` and `tenant` are known. `membership` hears who came into
    a group or left it.
    """

    def __init__(
        self, token: str, root: str, clock: Clock, timing: Timing, answers: Answers, *, membership: Membership
    ) -> None:
        self.bot_id = token.partition(":")[0]
        self.caught_up = asyncio.Event()
        self.started = asyncio.Event()
        self.me: Me | None = None
        self.tenant: int | None = None
        self._calls = Calls(token, root, connections=2)
        self._clock = clock
        self._timing = timing
        self._answers = answers
        self._membership = membership
        self._backoff = Backoff(clock, timing.first, timing.most)
        self._last_good: float | None = None
        self._last_error = ""
        self._logged: dict[type[Exception], float] = {}

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled; every error is recovered from with a growing pause, but for a token that Telegram
        does not know at the start: raises `ConfigError`."""
        while True:
            try:
                # Nothing can be read before it is known whose it is, and who we are.
                if self.tenant is None:
                    self.tenant = await intake.tenant(PLATFORM, self.bot_id)
                if self.me is None:
                    self.me = read_me(await self.patiently("getMe", {}))
                await self._round(intake, self.tenant, self.me)
            except Exception as error:
                if isinstance(error, InvalidToken) and self.me is None:
                    self._last_error = UNKNOWN_TOKEN
                    raise ConfigError(UNKNOWN_TOKEN) from error
                # Never deaf: a loop that ended is worse than one that complains.
                self._last_error = f"{described(error)}{REMEDIES.get(type(error), '')}"
                self._complain(error)
                if isinstance(error, Stalled):
                    await self._calls.renew()
                elif not isinstance(error, Flooded):
                    await self._mend(error)
                await self._backoff.wait(at_least=error.seconds if isinstance(error, Flooded) else 0.0)
            else:
                self._backoff.reset()

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()

    def health(self) -> Mapping[str, Any]:
        """Return `ok`, `hears`, the seconds since Telegram last answered well, the last error, and who the bot is.

        `ok` is that Telegram answers; `hears`, that nothing it has for us waits there any more, as far as can be known.
        """
        age = None if self._last_good is None else self._clock.monotonic() - self._last_good
        return {
            "ok": age is not None and self._is_well(age),
            "hears": age is not None and not self._last_error and self._hears(age),
            "last_poll_age_s": age,
            "last_error": self._last_error,
            "bot_id": self.bot_id,
            "username": "" if self.me is None else self.me.username,
            "reads_all": None if self.me is None else self.me.reads_all,
        }

    @abstractmethod
    def _is_well(self, age: float) -> bool:
        """Whether the last good round, `age` seconds ago, is recent enough."""

    @abstractmethod
    def _hears(self, age: float) -> bool:
        """Whether nothing is left with Telegram that came before the last good round."""

    @abstractmethod
    async def _round(self, intake: Intake, tenant: int, me: Me) -> None:
        """Do one step of receiving."""

    async def _take(self, intake: Intake, updates: Sequence[Any], cursor: tuple[str, str] | None = None) -> None:
        """Commit updates and the cursor; then, and not before, tell those who pressed a button."""
        assert self.tenant is not None
        assert self.me is not None
        read = parse(updates, self.me)
        for update in read:
            match update:
                case Left():
                    self._membership(update.chat, update.address)
                case Returned():
                    for address in update.addresses:
                        self._membership(update.chat, address)
        shown = await intake.accept(self.tenant, read, cursor)
        if shown:
            self._answers.give(query_ids(updates), shown)

    def succeeded(self) -> None:
        """Note that a round went well."""
        self._last_good, self._last_error = self._clock.monotonic(), ""
        self.started.set()

    def up_to_date(self) -> None:
        """Note that the backlog has been taken in."""
        self.caught_up.set()
        log.info("receiving from Telegram as bot %s", self.bot_id)

    async def patiently(self, method: str, fields: Mapping[str, object], wait: int = 0) -> object:
        """Call a method that takes up to `wait` seconds; raise `Stalled` when it outlives every other time-out."""
        try:
            async with asyncio.timeout(self._timing.poll + self._timing.watchdog):
                return await self._calls(method, fields, wait + self._timing.network)
        except TimeoutError:
            raise Stalled from None

    @abstractmethod
    async def _mend(self, error: Exception) -> None:
        """Do what helps against this error, beside waiting."""

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


class Poller(Receiver):
    """Receives by asking: getUpdates in a loop that only its owner ends (https://core.telegram.org/bots/api#getupdates).

    An update is a committed row before the offset moves past it, so Telegram keeps what we could not keep. What the
    library's own updater would do is in its source: it confirms what is only in memory, stops for good on a 404, and
    asks again without a pause for an update it cannot parse.
    """

    def __init__(
        self, token: str, root: str, clock: Clock, timing: Timing, answers: Answers, *, membership: Membership
    ) -> None:
        super().__init__(token, root, clock, timing, answers, membership=membership)
        self._offset: int | None = None
        self._offset_read = False
        # Whether the last answer had room for more updates than there were.
        self._has_all = False

    def _is_well(self, age: float) -> bool:
        return age < self._timing.poll + HEALTHY_EXTRA_SECONDS

    def _hears(self, age: float) -> bool:
        return self._has_all and age < self._timing.poll + self._timing.network

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
        updates = await self.patiently("getUpdates", fields, wait)
        if not isinstance(updates, list):
            raise TypeError("the result of getUpdates is no list")
        before = self._offset
        if updates:
            offset = next_offset(updates)
            await self._take(intake, updates, (CURSOR, str(offset)))
            self._offset = offset
        self.succeeded()
        self._has_all = len(updates) < MOST_UPDATES
        if self._has_all and not self.caught_up.is_set():
            self.up_to_date()
        at_once = self._clock.monotonic() - begun < min(SHORTEST_EMPTY_POLL, self._timing.poll / 2)
        if wait and at_once and self._offset == before:
            await self._clock.sleep(self._timing.first)
        elif updates and self._has_all:
            await asyncio.sleep(HEAD_START)

    async def _mend(self, error: Exception) -> None:
        """Switch an active webhook off, keeping what waits (https://core.telegram.org/bots/api#deletewebhook)."""
        if not isinstance(error, Conflict) or "webhook" not in error.message:
            return
        log.warning("bot %s had a webhook; it is switched off, since this program asks for its updates", self.bot_id)
        try:
            await self._calls("deleteWebhook", {"drop_pending_updates": False})
        except Exception as failure:
            log.warning("cannot switch the webhook off, trying again: %s", described(failure))
