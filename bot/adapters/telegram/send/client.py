"""The connection to the Bot API for everything but receiving, and whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

from telegram import Bot

from bot.adapters.telegram.send.http import Wire, form
from bot.adapters.telegram.send.rate_limit import Crowd, RateLimit
from core.kernel.ports import Clock
from core.kernel.types import Destination

CONNECTIONS = 64
READ_SECONDS = 20.0


def is_group(chat: str) -> bool:
    """Whether a chat is a group: those have negative ids (https://core.telegram.org/bots/api#chat)."""
    return chat.startswith("-")


def number(text: str) -> int | None:
    """Return an id of the Bot API, None for none; raise `ValueError` for what is no number."""
    return int(text) if text else None


class Client:
    """One bot's connection. Its addresses contain the token: they belong in no log and no error."""

    def __init__(self, token: str, root: str, clock: Clock) -> None:
        self.bot_id = token.partition(":")[0]
        self.clock = clock
        self.rate_limit, self.crowd = RateLimit(clock), Crowd(clock)
        self.closed = False
        self.files_root = f"{root}/file/bot{token}/"
        self._methods = f"{root}/bot{token}/"
        self._wire = Wire(connections=CONNECTIONS, read=READ_SECONDS)
        self.bot = Bot(
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=self._wire,
            get_updates_request=self._wire,
        )

    async def close(self) -> None:
        """Close the connections; a later send is unsent."""
        self.closed = True
        await self._wire.shutdown()

    def serves(self, to: Destination) -> bool:
        """Whether it is this bot's to send: another token may have come into the configuration meanwhile."""
        return to.tenant in ("", self.bot_id)

    def reaches(self, to: Destination) -> bool:
        """Whether something that may be left out can go to a chat now."""
        return not self.closed and self.serves(to) and not self.rate_limit.resting(to.chat)

    async def raw(self, method: str, fields: Mapping[str, object]) -> object:
        """Call a method whose answer is wanted as it is, not as the library's objects."""
        return cast("object", await self._wire.post(f"{self._methods}{method}?{urlencode(fields)}"))

    async def call(self, method: str, fields: Mapping[str, object]) -> Any:
        """Call a method by what the Bot API takes and return what it gives, raising the library's errors; None is left
        out.

        For what is called with every message: the library makes an object of each parameter and of all of the answer.
        """
        given = {name: value for name, value in fields.items() if value is not None}
        return await self._wire.post(f"{self._methods}{method}", form(given))
