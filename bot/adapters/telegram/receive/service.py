"""The receiving half of the adapter, put together: one way of receiving, answers to presses, the menu of commands."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bot.adapters.telegram.receive.calls import Calls
from bot.adapters.telegram.receive.polling import Poller
from bot.adapters.telegram.receive.press_answers import Answers
from bot.adapters.telegram.receive.receiver import Timing
from bot.adapters.telegram.receive.webhook import Webhook, WebhookReceiver
from bot.adapters.telegram.send.menu import Menu, Menus
from core.kernel.ports import Clock, Intake

# For what nobody waits for: answers to presses, the menu.
BACKGROUND_CONNECTIONS = 8


class Incoming:
    """Receives by polling, or by the webhook if there is a hook; `caught_up` is set when the backlog is committed."""

    def __init__(
        self,
        token: str,
        root: str,
        clock: Clock,
        timing: Timing,
        webhook: Webhook | None = None,
        menus: Menus | None = None,
    ) -> None:
        self._calls = Calls(token, root, connections=BACKGROUND_CONNECTIONS)
        self._answers = Answers(self._calls)
        self._menu = Menu(self._calls, clock, menus or {})
        # The web server's doors: the webhook, if there is one.
        self.doors: Sequence[WebhookReceiver] = ()
        self._receiver: Poller | WebhookReceiver
        if webhook is None:
            self._receiver = Poller(token, root, clock, timing, self._answers)
        else:
            self._receiver = WebhookReceiver(token, root, clock, timing, self._answers, webhook)
            self.doors = (self._receiver,)
        self.caught_up = self._receiver.caught_up

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled, and offer the menu beside it."""
        async with asyncio.TaskGroup() as beside:
            beside.create_task(self._offer_menu(intake))
            await self._receiver.run(intake)

    async def _offer_menu(self, intake: Intake) -> None:
        await self._receiver.started.wait()
        if self._receiver.tenant is not None:
            await self._menu.offer(intake, self._receiver.tenant)

    async def close(self) -> None:
        """Close the connections."""
        await self._answers.close()
        await self._receiver.close()
        await self._calls.close()

    def link(self, payload: str) -> str:
        """Return the link that opens the bot with a payload, empty until its name is known."""
        me = self._receiver.me
        return "" if me is None else f"https://t.me/{me.username}?start={payload}"

    def health(self) -> Mapping[str, Any]:
        """Say whether Telegram answered well lately, and who the bot is."""
        return self._receiver.health()
