"""The few calls of the Web API that set-up and doctor make while no bot runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.directory.people import read_person
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.send.client import SCOPES_HEADER, Wire, code, described, fields, pause
from core.kernel.clean_text import label
from core.kernel.errors import TellerError

CALL_SECONDS = 8.0
# The token is no good, whatever is asked.
BAD_TOKEN = frozenset({
    *("invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive"),
    *("not_allowed_token_type", "org_login_required"),
})


class TokenUnknown(TellerError):
    """Slack takes this token for nothing."""


class Refused(TellerError):
    """Slack does not do it; `code` is its word for why (docs.slack.dev, "Errors" of the method)."""

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.code = word


class NotReached(TellerError):
    """Slack did not answer, or with something else than asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """The bot itself (auth.test): workspace, its bot's user, and what the token may do; `ahead` is Slack's clock
    against ours in seconds, None when it did not tell."""

    team: str
    team_name: str
    user: str
    name: str
    enterprise: str = ""
    scopes: frozenset[str] = frozenset()
    ahead: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Somebody of the workspace (users.info). `kin` and `timezone` as in `Sender`; `gone` when their account is off."""

    address: str
    name: str
    language: str
    kin: str
    timezone: str = ""
    robot: bool = False
    gone: bool = False


class Onboarding:
    """A connection to the Web API at `base_url`. All methods raise `TokenUnknown`, `Refused` or `NotReached`."""

    def __init__(self, token: str, base_url: str) -> None:
        self._wire, self._token = Wire(base_url), token

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._wire.close()

    async def me(self) -> Bot:
        """Ask who the bot is, and where (https://docs.slack.dev/reference/methods/auth.test)."""
        answer = await self._call(lambda web: web.auth_test())
        found = fields(answer.data)
        headers = {name.lower(): str(value) for name, value in (answer.headers or {}).items()}
        if not all(isinstance(found.get(name), str) and found[name] for name in ("team_id", "user_id")):
            raise NotReached(f"{self._host()} does not answer as Slack does.")
        try:
            ahead = parsedate_to_datetime(headers["date"]).timestamp() - time.time()
        except (KeyError, ValueError, OverflowError):
            ahead = None
        return Bot(
            team=found["team_id"],
            team_name=label(found.get("team")),
            user=found["user_id"],
            name=label(found.get("user")),
            enterprise=str(found.get("enterprise_id") or ""),
            scopes=frozenset(headers.get(SCOPES_HEADER, "").replace(" ", "").split(",")) - {""},
            ahead=ahead,
        )

    async def opens_socket(self, app_token: str) -> None:
        """Ask for an address to listen at, which proves the app-level token
        (https://docs.slack.dev/reference/methods/apps.connections.open)."""
        await self._call(lambda web: web.apps_connections_open(app_token=app_token))

    async def member(self, user: str, bot: Bot) -> Member:
        """Ask who somebody is (https://docs.slack.dev/reference/methods/users.info)."""
        answer = await self._call(lambda web: web.users_info(user=user, include_locale=True))
        found = fields(fields(answer.data).get("user"))
        if found.get("id") != user:
            raise NotReached(f"{self._host()} does not answer as Slack does.")
        who = read_person(found, Me(team=bot.team, user=bot.user, enterprise=bot.enterprise))
        return Member(
            address=who.address,
            name=who.name,
            language=who.language,
            kin=who.kin,
            timezone=who.timezone,
            robot=bool(found.get("is_bot")) or user in (bot.user, "USLACKBOT"),
            gone=bool(found.get("deleted")),
        )

    async def tell(self, user: str, text: str) -> None:
        """Write to somebody in private, plainly (conversations.open, chat.postMessage)."""
        opened = await self._call(lambda web: web.conversations_open(users=user))
        channel = fields(fields(opened.data).get("channel")).get("id")
        if not isinstance(channel, str):
            raise NotReached(f"{self._host()} does not answer as Slack does.")
        await self._call(lambda web: web.chat_postMessage(channel=channel, text=text, unfurl_links=False))

    async def _call(self, call: Callable[[AsyncWebClient], Awaitable[Any]]) -> Any:
        try:
            async with asyncio.timeout(CALL_SECONDS):
                return await call(self._wire.web(self._token))
        except TimeoutError:
            raise NotReached(f"{self._host()} did not answer within {CALL_SECONDS:.0f} s.") from None
        except SlackApiError as error:
            word = code(error)
            if word in BAD_TOKEN:
                raise TokenUnknown(f"{self._host()} does not take this token ({word}).") from None
            if not word or pause(error) is not None:
                raise NotReached(f"{self._host()} cannot be asked: {described(error)}.") from None
            raise Refused(f"{self._host()} does not do it: {described(error)}.", word) from None
        except (aiohttp.ClientError, SlackClientError, OSError, ValueError) as error:
            raise NotReached(f"{self._host()} cannot be asked: {described(error)}.") from None

    def _host(self) -> str:
        return urlsplit(self._wire.base_url).hostname or "The server"
