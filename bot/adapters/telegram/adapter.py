"""The Telegram adapter: receiving, rendering and sending behind the port."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from bot.adapters.telegram.parse.messages import permalink
from bot.adapters.telegram.receive.files import Files
from bot.adapters.telegram.receive.members import Members
from bot.adapters.telegram.receive.press_answers import Answers
from bot.adapters.telegram.receive.receiver import PLATFORM, Membership, Poller, Timing
from bot.adapters.telegram.receive.unblocked import Unblocked
from bot.adapters.telegram.receive.webhook import Webhook, WebhookReceiver
from bot.adapters.telegram.render.mentions import mention
from bot.adapters.telegram.render.render import render
from bot.adapters.telegram.send.activity import Decoration
from bot.adapters.telegram.send.client import Calls, Client, described
from bot.adapters.telegram.send.menu import Menu, Menus
from bot.adapters.telegram.send.sender import LEAVE, MOST_DOCUMENT_BYTES, Sender
from core.kernel.command_style import SLASHES
from core.kernel.ports import Clock, Intake
from core.kernel.types import Destination, Line, Page, Part

log = logging.getLogger(__name__)

# For what nobody waits for: answers to presses, the menu.
BACKGROUND_CONNECTIONS = 8


class Incoming:
    """The receiving half, put together: one way of receiving, answers to presses, the menu of commands.

    It receives by polling, or by the webhook if there is a hook; `caught_up` is set when the backlog is committed.
    """

    def __init__(
        self,
        token: str,
        root: str,
        clock: Clock,
        timing: Timing,
        webhook: Webhook | None = None,
        menus: Menus | None = None,
        *,
        membership: Membership,
    ) -> None:
        self._calls = Calls(token, root, connections=BACKGROUND_CONNECTIONS)
        self._answers = Answers(self._calls)
        self._menu = Menu(self._calls, clock, menus or {})
        self._unblocked = Unblocked(self._calls, clock)
        # Where Telegram posts to: the webhook, if there is one.
        self.endpoints: Sequence[WebhookReceiver] = ()
        self._receiver: Poller | WebhookReceiver
        if webhook is None:
            self._receiver = Poller(token, root, clock, timing, self._answers, membership=membership)
        else:
            self._receiver = WebhookReceiver(token, root, clock, timing, self._answers, webhook, membership=membership)
            self.endpoints = (self._receiver,)
        self.caught_up = self._receiver.caught_up

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled; beside it offer the menu, and look who has unblocked the bot."""
        async with asyncio.TaskGroup() as beside:
            beside.create_task(self._receiver.run(intake))
            await self._receiver.started.wait()
            if self._receiver.tenant is not None:
                beside.create_task(self._menu.offer(intake, self._receiver.tenant))
                await self.caught_up.wait()
                await self._unblocked.look(intake, self._receiver.tenant)

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


class TelegramAdapter:
    """One bot on Telegram. Its tenant's external id is the bot's id, the digits of the token before the colon."""

    platform = PLATFORM
    finds = False
    marks_private = False
    opens = False
    edits_asking = False
    most_document_bytes = MOST_DOCUMENT_BYTES
    documents_stay = False
    has_pages = False
    whispers = False
    spelling = SLASHES

    def __init__(
        self,
        token: str,
        base_url: str,
        clock: Clock,
        *,
        timing: Timing | None = None,
        webhook: Webhook | None = None,
        menus: Menus | None = None,
        drafts: bool = True,
    ) -> None:
        """`base_url` is the root of the Bot API server; `timing` is how long receiving waits.

        With a `webhook` Telegram posts there instead of being asked; `menus` are the commands to offer (see `Menu`).
        `drafts` shows answers while they are written.
        """
        root = base_url.rstrip("/")
        self.bot_id = token.partition(":")[0]
        self._client = Client(token, root, clock)
        self._files = Files(self._client)
        decoration, members = Decoration(self._client, drafts=drafts), Members(self._client)
        self._incoming = Incoming(token, root, clock, timing or Timing(), webhook, menus, membership=members.changed)
        # Receiving. A file is downloaded by its id (getFile); a link opens a chat with the bot.
        self.run, self.health, self.link = self._incoming.run, self._incoming.health, self._incoming.link
        self.caught_up, self.endpoints = self._incoming.caught_up, self._incoming.endpoints
        self.fetch = self._files.fetch
        # Sending.
        self.render, self.mention, self.send = render, mention, Sender(self._client).send
        self.permalink = permalink
        self.typing, self.mark, self.draft = decoration.typing, decoration.mark, decoration.draft
        # People.
        self.administers, self.belongs, self.sees_all = members.administers, members.belongs, members.sees_all

    @property
    def paused_until(self) -> float:
        """The monotonic time, in seconds, until which Telegram wants no message at all; 0 when it never said so."""
        return self._client.rate_limit.paused_until

    def serves(self, tenant: str) -> bool:
        """Return whether `tenant` is this bot: another token is another bot, which other people talk to."""
        return tenant == self.bot_id

    def hears(self, tenant: str) -> bool:
        """Return whether the backlog is here, and Telegram answers."""
        return self.caught_up.is_set() and bool(self.health()["hears"])

    async def close(self) -> None:
        """Close all connections."""
        await self._incoming.close()
        await self._files.close()
        await self._client.close()

    def leaving(self) -> Part:
        """Return what makes the bot leave a group (leaveChat); one that it has left already is left."""
        return LEAVE

    async def find(self, to: Destination) -> str | None:
        """Nobody can know: a bot cannot read what it has sent."""
        return None

    async def answers(self, tenant: str) -> bool:
        """Return whether Telegram answers (getMe)."""
        try:
            await self._client.call("getMe", {})
        except Exception as error:
            log.info("Telegram does not answer: %s", described(error))
            return False
        return True

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """Bots cannot read what was said."""
        return ()

    async def page(self, tenant: str, address: str, page: Page) -> None:
        """There are no pages."""

    async def direct(self, to: Destination, address: str) -> None:
        """A bot cannot begin a private chat."""
