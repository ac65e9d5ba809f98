"""The Telegram adapter: receiving, rendering and sending behind the port."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bot.adapters.telegram.polling import PLATFORM, Poller, Timing
from bot.adapters.telegram.rendering import render
from bot.adapters.telegram.sending import Sender
from core.ports import Clock, Intake
from core.types import Destination, Part


class TelegramAdapter:
    """One bot on Telegram. Its tenant's external id is the bot's id, the digits of the token before the colon."""

    platform = PLATFORM

    def __init__(
        self, token: str, base_url: str, clock: Clock, poll_seconds: int = 30, *, timing: Timing | None = None
    ) -> None:
        """`base_url` is the root of the Bot API server; `timing` overrides `poll_seconds`."""
        root = base_url.rstrip("/")
        self.bot_id = token.partition(":")[0]
        self._poller = Poller(token, root, clock, timing or Timing(poll=poll_seconds))
        self._sender = Sender(token, root, clock)

    @property
    def caught_up(self) -> asyncio.Event:
        """Set once the backlog is committed: the first poll that brought less than a full batch."""
        return self._poller.caught_up

    @property
    def paused_until(self) -> float:
        """The monotonic time, in seconds, until which Telegram wants no message at all; 0 when it never said so."""
        return self._sender.pace.paused_until

    def serves(self, tenant: str) -> bool:
        """Whether `tenant` is this bot: another token is another bot, which other people talk to."""
        return tenant == self.bot_id

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled."""
        await self._poller.run(intake)

    async def close(self) -> None:
        """Close all connections."""
        await self._poller.close()
        await self._sender.close()

    def render(self, text: str, choices: Sequence[str] = ()) -> Sequence[Part]:
        """Turn Markdown into messages of at most 4096 UTF-16 units and 100 entities."""
        return render(text, choices)

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send one part and return the message id, at once or not at all (see the port for the errors)."""
        return await self._sender.send(to, part, repeated=repeated)

    async def typing(self, to: Destination) -> None:
        """Show "typing…" for five seconds."""
        await self._sender.typing(to)

    def health(self) -> Mapping[str, Any]:
        """Say whether a poll succeeded lately."""
        return self._poller.health()
