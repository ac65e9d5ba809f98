"""The tester's side: what the bot did, and the misfortunes it meets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.emulators.faults import Fault, FaultScript
from tests.emulators.telegram_chats import Call, Chats, SentMessage
from tests.emulators.telegram_commands import Commands
from tests.emulators.telegram_drafts import Draft, Drafts
from tests.emulators.telegram_limit import ChatLimit
from tests.emulators.telegram_updates import UpdateQueue
from tests.emulators.telegram_user import DEFAULT_USER
from tests.emulators.telegram_webhooks import Webhooks


class TesterSide:
    """Looks at everything and arranges trouble."""

    chats: Chats
    updates: UpdateQueue
    faults: FaultScript
    _commands: Commands
    _drafts: Drafts
    _webhooks: Webhooks
    _limit: ChatLimit
    _group_limit: ChatLimit
    _calls: list[Call]
    _changed: asyncio.Event

    @property
    def privacy(self) -> bool:
        """Whether privacy mode is on, as @BotFather sets it."""
        return not self.chats.bot["can_read_all_group_messages"]

    @privacy.setter
    def privacy(self, on: bool) -> None:
        self.chats.bot["can_read_all_group_messages"] = not on

    def fault(self, method: str | None = None, chat: int | None = None, kind: str = "500", **options: Any) -> Fault:
        """Script a misfortune; see ``Fault`` for the options and ``FAULT_KINDS`` for the kinds."""
        return self.faults.add(Fault(method=method, chat=chat, kind=kind, **options))

    def limit(self, messages: int | None = None, seconds: float = 1.0) -> None:
        """Allow *messages* sends and edits per *seconds* in a chat; None is the documented limit, 0 is none."""
        self._limit.set(messages, seconds)

    def group_limit(self, messages: int | None = None, seconds: float = 60.0) -> None:
        """Allow *messages* sends and edits per *seconds* in a group; None is the documented limit, 0 is none."""
        self._group_limit.set(messages, seconds)

    def sent(self, chat: int | None = None) -> list[SentMessage]:
        """Return what the bot has sent and not deleted, oldest first, as it reads now."""
        return [m for m in self.chats.sent if chat in (None, m.chat_id) and not m.deleted]

    def drafts(self, chat: int | None = None) -> list[Draft]:
        """Return the drafts that the bot has shown, oldest first, those that are gone too."""
        return [draft for draft in self._drafts.kept if chat in (None, draft.chat_id)]

    def shown_draft(self, chat: int) -> Draft | None:
        """Return the draft to be seen in *chat* now: younger than ``draft_seconds``, and followed by no message."""
        return self._drafts.shown(chat)

    @property
    def draft_seconds(self) -> float:
        """How long a draft is shown, 30 seconds by default."""
        return self._drafts.seconds

    @draft_seconds.setter
    def draft_seconds(self, seconds: float) -> None:
        self._drafts.seconds = seconds

    def reactions(self, chat: int, message_id: int) -> list[str]:
        """Return the emoji that the bot has put on a message: one or none."""
        return [reaction["emoji"] for reaction in self.chats.reacted.get((chat, message_id, self.chats.bot["id"]), [])]

    def menu(self, chat: int = DEFAULT_USER, user: int = DEFAULT_USER, language: str = "en") -> list[dict[str, Any]]:
        """Return the commands that *user* is offered in *chat*."""
        return self._commands.shown(chat, user, language)

    def calls(self, method: str | None = None) -> list[Call]:
        """Return the requests received, refused ones included."""
        return [call for call in self._calls if method in (None, call.method)]

    def pending(self) -> int:
        """Return how many updates the bot has not confirmed."""
        return len(self.updates)

    @property
    def webhook_trouble(self) -> str:
        """The last_error_message of the webhook, empty while there is none."""
        return self._webhooks.trouble

    async def wait_until(self, condition: Callable[[], bool], timeout: float = 30.0) -> None:
        """Wait until *condition* holds, looking after every call; raise ``TimeoutError`` after *timeout* seconds."""
        async with asyncio.timeout(timeout):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def wait_sent(self, n: int, chat: int | None = None, timeout: float = 30.0) -> list[SentMessage]:
        """Return the messages sent once there are *n*; raise ``TimeoutError`` after *timeout* seconds."""
        try:
            await self.wait_until(lambda: len(self.sent(chat)) >= n, timeout)
        except TimeoutError:
            raise TimeoutError(f"wanted {n} messages, got {[m.text for m in self.sent(chat)]!r}") from None
        return self.sent(chat)
