"""The queue of updates: what getUpdates shows, confirms and forgets."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable
from itertools import islice
from typing import Any

from telegram import Update
from telegram.constants import PollingLimit, UpdateType

from tests.emulators.telegram_rules import ApiError, bad, check_list

LONGEST_POLL_SECONDS = 50
# Documented at allowed_updates: only these three must be asked for.
ON_REQUEST = frozenset({UpdateType.CHAT_MEMBER, UpdateType.MESSAGE_REACTION, UpdateType.MESSAGE_REACTION_COUNT})
KNOWN = frozenset(map(str, Update.ALL_TYPES))
TERMINATED = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


def conflict(description: str) -> ApiError:
    """Return a 409 with the usual prefix."""
    return ApiError(409, f"Conflict: {description}")


class UpdateQueue:
    """Unconfirmed updates in the order of their ids; *changed* is set when a long poll begins or ends."""

    def __init__(self, changed: asyncio.Event, *, first_id: int = 1) -> None:
        self._changed = changed
        self._pending: deque[dict[str, Any]] = deque()
        self._next_id = first_id
        self._allowed: list[str] = []
        self._waiter: asyncio.Future[None] | None = None
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._pending)

    @property
    def allowed(self) -> list[str]:
        """The remembered allowed_updates; empty means the default."""
        return self._allowed

    @property
    def polling(self) -> bool:
        """Whether a long poll is waiting."""
        return self._waiter is not None and not self._waiter.done()

    def push(self, update: dict[str, Any]) -> int:
        """Append *update*, with the next id unless it brings its own, and wake the poller.

        A kind that is not allowed is dropped, as it is when the real server receives it.
        """
        update_id = update.get("update_id", self._next_id)
        self._next_id = max(self._next_id, update_id + 1)
        kind = next((key for key in update if key != "update_id"), "")
        if self._admits(kind):
            self._pending.append({"update_id": update_id, **update})
            self._arrived.set()
            self._wake()
        return int(update_id)

    def _admits(self, kind: str) -> bool:
        return kind in self._allowed if self._allowed else kind not in ON_REQUEST

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def allow(self, kinds: object) -> None:
        """Remember allowed_updates; unknown kinds are ignored, as the real server does."""
        wanted = check_list(kinds, "allowed_updates")
        self._allowed = [kind for kind in wanted if kind in KNOWN]

    def drop_all(self) -> None:
        """Forget everything pending."""
        self._pending.clear()

    def terminate(self, reason: str) -> None:
        """End the poll that is under way, if any, with a 409."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(conflict(reason))

    async def first(self) -> dict[str, Any]:
        """Return the oldest update once there is one, without confirming it."""
        while not self._pending:
            self._arrived.clear()
            await self._arrived.wait()
        return self._pending[0]

    def settle(self, update: dict[str, Any]) -> None:
        """Confirm the oldest update, unless *update* is no longer that."""
        if self._pending and self._pending[0] is update:
            self._pending.popleft()

    def _confirm(self, offset: int) -> None:
        if offset > 0:
            while self._pending and self._pending[0]["update_id"] < offset:
                self._pending.popleft()
        else:
            while offset and len(self._pending) > -offset:
                self._pending.popleft()

    def get(self, *, offset: int, limit: int, timeout: int) -> list[dict[str, Any]] | Awaitable[list[dict[str, Any]]]:
        """Confirm what is below *offset* and return up to *limit* updates, waiting up to *timeout* seconds.

        The wait is awaited by the caller and raises ``ApiError`` 409 when another poll begins meanwhile.
        """
        if not PollingLimit.MIN_LIMIT <= limit <= PollingLimit.MAX_LIMIT:
            raise bad(f"emulator: limit {limit} is not in 1..{int(PollingLimit.MAX_LIMIT)}")
        self.terminate(TERMINATED)
        self._confirm(offset)
        if not self._pending and timeout > 0:
            # The waiter is there before anybody else has a turn: what is pushed from now on wakes it.
            self._waiter = asyncio.get_running_loop().create_future()
            return self._wait(self._waiter, limit, min(timeout, LONGEST_POLL_SECONDS))
        return self._first(limit)

    def _first(self, limit: int) -> list[dict[str, Any]]:
        return list(islice(self._pending, limit))

    async def _wait(self, mine: asyncio.Future[None], limit: int, seconds: float) -> list[dict[str, Any]]:
        self._changed.set()
        try:
            # A poll that brings nothing within its time is no error.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await mine
        finally:
            if self._waiter is mine:
                self._waiter = None
            self._changed.set()
        return self._first(limit)
