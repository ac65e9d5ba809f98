"""The few calls of the Bot API that set-up and doctor make while no bot runs.

Nothing that waits at Telegram may be lost by them: what they see stays there for the bot.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from hmac import compare_digest
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

import aiohttp
from telegram.error import Conflict, InvalidToken, TelegramError

from bot.adapters.telegram.parse.updates import ALLOWED_UPDATES, next_offset
from bot.adapters.telegram.send.client import Connections, Flooded, Timeouts, Wire, described
from core.kernel.clean_text import storable
from core.kernel.errors import TellerError

CALL_SECONDS = 8.0
TIMEOUTS = Timeouts(pool=CALL_SECONDS, connect=CALL_SECONDS, write=CALL_SECONDS, read=CALL_SECONDS)
MOST_UPDATES = 100
CODE_PARAMETER = "start"


class TokenUnknown(TellerError):
    """Telegram knows no bot with this token."""


class TokenInUse(TellerError):
    """Somebody else receives with this token, or a webhook does (409)."""


class TooManyUpdates(TellerError):
    """So many updates wait that the newest cannot be seen without confirming the oldest."""


class NotReached(TellerError):
    """Telegram did not answer, or with something else than asked for. `pause` is how long to wait, in seconds."""

    def __init__(self, message: str, pause: float = 0.0) -> None:
        super().__init__(message)
        self.pause = pause


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The bot itself (getMe): `reads_all` when privacy mode is off, `joins` when people may add it to groups."""

    id: int
    username: str
    reads_all: bool
    joins: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where updates are sent (getWebhookInfo), empty for polling. To show it there is `host`: a path may be secret."""

    host: str
    pending: int
    last_error: str
    url: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """Who opened the link."""

    id: int
    name: str
    language: str


class Onboarding:
    """A connection to the Bot API at `base_url`. All methods raise `TokenUnknown`, `TokenInUse` or `NotReached`."""

    def __init__(self, token: str, base_url: str) -> None:
        self._root = base_url.rstrip("/")
        self._url = f"{self._root}/bot{token}"
        self._wire = Wire(connections=1, read=CALL_SECONDS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._wire.shutdown()

    async def me(self) -> Me:
        """Ask who the bot is (https://core.telegram.org/bots/api#getme)."""
        found = _fields(await self._call("getMe"))
        if not isinstance(found.get("id"), int) or not isinstance(found.get("username"), str):
            raise NotReached(f"{self._host()} does not answer as Telegram does.")
        return Me(
            id=found["id"],
            username=found["username"],
            reads_all=found.get("can_read_all_group_messages") is True,
            joins=found.get("can_join_groups") is not False,
        )

    async def webhook(self) -> Webhook:
        """Ask where updates are sent (https://core.telegram.org/bots/api#getwebhookinfo)."""
        found = _fields(await self._call("getWebhookInfo"))
        pending, error = found.get("pending_update_count"), found.get("last_error_message")
        url = str(found.get("url") or "")
        return Webhook(
            url=url,
            host=_host(url),
            pending=pending if isinstance(pending, int) else 0,
            last_error=storable(error)[:200] if isinstance(error, str) else "",
        )

    async def drop_webhook(self) -> None:
        """Switch the webhook off; what waits is kept (https://core.telegram.org/bots/api#deletewebhook)."""
        await self._call("deleteWebhook", drop_pending_updates="false")

    async def opened(self, code: str, wait: int) -> Newcomer | None:
        """Look who pressed Start behind the link with `code` first; Telegram may hold the question `wait` seconds.

        An update is confirmed as soon as getUpdates is called with an offset higher than its id, and a negative offset
        forgets all before it (https://core.telegram.org/bots/api#getupdates). So this asks without any offset: it sees
        the oldest 100 that wait, and all of them stay, the press too. Raises `TooManyUpdates` when there are
        more. The kinds of updates asked for are the bot's own, so that none is dropped between now and its start.
        """
        asked = {"timeout": str(wait), "limit": str(MOST_UPDATES), "allowed_updates": json.dumps(ALLOWED_UPDATES)}
        updates = _updates(await self._call("getUpdates", wait, **asked))
        found = next((one for update in updates if (one := _newcomer(update, code)) is not None), None)
        if found is None and len(updates) >= MOST_UPDATES:
            raise TooManyUpdates(f"{MOST_UPDATES} or more messages wait at Telegram.")
        return found

    async def forget_oldest(self) -> int:
        """Confirm the 100 oldest updates, which loses them, and return how many these were. Only when asked to."""
        oldest = _updates(await self._call("getUpdates", timeout="0", limit=str(MOST_UPDATES)))
        if oldest:
            await self._call("getUpdates", timeout="0", limit="1", offset=str(next_offset(oldest)))
        return len(oldest)

    async def tell(self, user: int, text: str) -> None:
        """Write to somebody, plainly (https://core.telegram.org/bots/api#sendmessage)."""
        await self._call("sendMessage", chat_id=str(user), text=text)

    async def _call(self, method: str, wait: float = 0.0, /, **fields: str) -> object:
        url = f"{self._url}/{method}?{urlencode(fields)}"
        try:
            async with asyncio.timeout(wait + CALL_SECONDS):
                answer: object = await self._wire.post(url, read_timeout=wait + CALL_SECONDS)
        except InvalidToken:
            raise TokenUnknown(f"{self._host()} does not know this token. Copy it again from @BotFather.") from None
        except Conflict as error:
            raise TokenInUse(f"Another program receives with this token: {described(error)}.") from None
        except Flooded as error:
            raise NotReached(f"{self._host()} asks to wait {error.seconds:.0f} s.", error.seconds) from None
        except TimeoutError:
            raise NotReached(f"{self._host()} did not answer within {wait + CALL_SECONDS:.0f} s.") from None
        except TelegramError as error:
            raise NotReached(f"{self._host()} cannot be asked: {described(error)}.") from None
        return answer

    def _host(self) -> str:
        return _host(self._root) or "The server"


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return "?"


def _fields(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _updates(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else []


def _newcomer(update: object, code: str) -> Newcomer | None:
    """The sender of `/start CODE` in a private chat, else None; the whole update may be anything."""
    message = _fields(_fields(update).get("message"))
    sender, chat, text = _fields(message.get("from")), _fields(message.get("chat")), message.get("text")
    user = sender.get("id")
    if not isinstance(user, int) or user <= 0 or sender.get("is_bot") is not False:
        return None
    if chat.get("type") != "private" or chat.get("id") != user or not isinstance(text, str):
        return None
    said = storable(text).encode()
    if not compare_digest(said, f"/{CODE_PARAMETER} {code}".encode()):
        return None
    return Newcomer(id=user, name=_word(sender, "first_name"), language=_word(sender, "language_code"))


def _word(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return " ".join(storable(value).split())[:64] if isinstance(value, str) else ""


def link(username: str, code: str) -> str:
    """The address that sends `/start CODE` to the bot (https://core.telegram.org/bots/features#deep-linking)."""
    return f"https://t.me/{username}?{CODE_PARAMETER}={code}"


async def server_ahead(base_url: str) -> float | None:
    """How many seconds the server's clock is ahead of ours (its Date header, whole seconds); None when unknown.

    Raises `NotReached`.
    """
    connections = Connections(1)
    try:
        async with asyncio.timeout(CALL_SECONDS), await connections.request("HEAD", base_url, TIMEOUTS) as answer:
            date = answer.headers["date"]
    except KeyError:
        return None
    except (aiohttp.ClientError, TimeoutError) as error:
        raise NotReached(f"{_host(base_url)} cannot be asked: {type(error).__name__}.") from None
    finally:
        await connections.close()
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
