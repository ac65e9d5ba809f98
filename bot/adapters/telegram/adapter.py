"""The Telegram adapter: receiving, rendering and sending behind the port."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bot.adapters.telegram.receive.files import Files
from bot.adapters.telegram.receive.members import Members
from bot.adapters.telegram.receive.receiver import PLATFORM, Timing
from bot.adapters.telegram.receive.service import Incoming
from bot.adapters.telegram.receive.webhook import Webhook, WebhookReceiver
from bot.adapters.telegram.render.mentions import mention
from bot.adapters.telegram.render.render import render
from bot.adapters.telegram.send.activity import Decoration
from bot.adapters.telegram.send.client import Client
from bot.adapters.telegram.send.menu import Menus
from bot.adapters.telegram.send.sender import LEAVE, Sender
from core.kernel.command_style import SLASHES
from core.kernel.ports import Clock, Intake
from core.kernel.types import Attachment, Destination, Keyboard, Line, Page, Part


class TelegramAdapter:
    """One bot on Telegram. Its tenant's external id is the bot's id, the digits of the token before the colon."""

    platform = PLATFORM
    finds = False
    marks_private = False
    opens = False
    edits_asking = False
    spelling = SLASHES

    def __init__(
        self,
        token: str,
        base_url: str,
        clock: Clock,
        poll_seconds: int = 30,
        *,
        timing: Timing | None = None,
        webhook: Webhook | None = None,
        menus: Menus | None = None,
        drafts: bool = True,
    ) -> None:
        """`base_url` is the root of the Bot API server; `timing` overrides `poll_seconds`.

        With a `webhook` Telegram posts there instead of being asked; `menus` are the commands to offer (see `Menu`).
        `drafts` shows answers while they are written.
        """
        root = base_url.rstrip("/")
        self.bot_id = token.partition(":")[0]
        self._incoming = Incoming(token, root, clock, timing or Timing(poll=poll_seconds), webhook, menus)
        self._client = Client(token, root, clock)
        self._sender = Sender(self._client)
        self._decoration = Decoration(self._client, drafts=drafts)
        self._members, self._files = Members(self._client), Files(self._client)

    @property
    def caught_up(self) -> asyncio.Event:
        """Set once the backlog is committed: the first poll that brought less than a full batch."""
        return self._incoming.caught_up

    @property
    def doors(self) -> Sequence[WebhookReceiver]:
        """What the web server is to open for Telegram: the webhook, if there is one."""
        return self._incoming.doors

    @property
    def paused_until(self) -> float:
        """The monotonic time, in seconds, until which Telegram wants no message at all; 0 when it never said so."""
        return self._client.rate_limit.paused_until

    def serves(self, tenant: str) -> bool:
        """Whether `tenant` is this bot: another token is another bot, which other people talk to."""
        return tenant == self.bot_id

    def hears(self, tenant: str) -> bool:
        """Whether the backlog is here, and Telegram answers."""
        return self.caught_up.is_set() and bool(self.health()["hears"])

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled, and offer the menu of commands."""
        await self._incoming.run(intake)

    async def close(self) -> None:
        """Close all connections."""
        await self._incoming.close()
        await self._files.close()
        await self._client.close()

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        """Turn Markdown into messages of at most 4096 UTF-16 units and 100 entities; the last has the buttons.

        Raises `ValueError` for a button whose data is not 1 to 64 bytes (Bot API: InlineKeyboardButton).
        """
        return render(text, choices, keyboard)

    def leaving(self) -> Part:
        """What makes the bot leave a group (leaveChat); one that it has left already is left."""
        return LEAVE

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send one part and return the message id, at once or not at all (see the port for the errors)."""
        return await self._sender.send(to, part, repeated=repeated)

    async def find(self, to: Destination) -> str | None:
        """Nobody can know: a bot cannot read what it has sent."""
        return None

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """Bots cannot read what was said."""
        return ()

    async def page(self, tenant: str, address: str, page: Page) -> None:
        """There are no pages."""

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show "typing…" for five seconds."""
        await self._decoration.typing(to)

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Put 👀 on a message of a group while it is worked on (setMessageReaction)."""
        await self._decoration.mark(to, message_id, working=working)

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """Show an answer that is being written, in private chats (sendMessageDraft)."""
        return await self._decoration.draft(to, draft_id, text)

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether a person administers the group, as of a minute ago at most (getChatMember)."""
        return await self._members.administers(to, address)

    async def belongs(self, to: Destination, address: str) -> bool:
        """Whether a person is in the chat, as of a minute ago at most (getChatMember)."""
        return await self._members.belongs(to, address)

    async def direct(self, to: Destination, address: str) -> None:
        """A bot cannot begin a private chat."""

    def mention(self, address: str, name: str) -> str:
        """Markdown that names somebody, who is told: a mention of the user, or their @name."""
        return mention(address, name)

    async def sees_all(self, to: Destination) -> bool:
        """Whether privacy mode is off, or the bot an administrator of the group (getMe, getChatMember)."""
        return await self._members.sees_all(to)

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Download a file (getFile), `most_bytes` at most; raises `FetchFailed`."""
        return await self._files.fetch(attachment, most_bytes)

    def health(self) -> Mapping[str, Any]:
        """Say whether Telegram answered well lately, and who the bot is."""
        return self._incoming.health()

    def link(self, payload: str) -> str:
        """A link that starts a chat with the bot (https://core.telegram.org/bots/features#deep-linking).

        Empty until Telegram has said what the bot is called. `payload` is 1–64 of A–Z, a–z, 0–9, _ and -.
        """
        return self._incoming.link(payload)
