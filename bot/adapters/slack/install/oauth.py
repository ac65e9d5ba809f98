"""The one call that makes tokens: for a code that somebody brings from the page of an installation, or for newer ones
(https://docs.slack.dev/reference/methods/oauth.v2.access)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from bot.adapters.slack.send.client import Wire, fields
from core.kernel.clean_text import label

CALL_SECONDS = 15.0
PAGE = "/oauth/v2/authorize"
WORKSPACE, ORGANISATION = re.compile(r"T[A-Z0-9]{1,30}"), re.compile(r"E[A-Z0-9]{1,30}")
USER = re.compile(r"[UW][A-Z0-9]{1,30}")
TOKEN = re.compile(r"[A-Za-z0-9._%-]{8,1000}")


class NoBotError(ValueError):
    """Slack's answer has no token of a bot in it, or is none of Slack's."""


class WholeError(NoBotError):
    """Somebody agreed for a whole organisation, which is not served."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """A token, what fetches the next one (once), and for how many seconds it is good; None for one without an end."""

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """What somebody (`installer`) agreed to for a workspace; `key` is its id, `enterprise` that of its organisation."""

    key: str
    name: str
    enterprise: str
    app: str
    bot_user: str
    installer: str
    scopes: str
    tokens: Tokens


class OAuth:
    """The app to Slack, by its id and secret. Methods raise what the Web API does, or `NoBotError`."""

    def __init__(self, wire: Wire, client_id: str, client_secret: str) -> None:
        self._wire, self._id, self._secret = wire, client_id, client_secret

    def page(self, scopes: str, state: str, back: str) -> str:
        """Return the address of Slack's page that asks for `scopes`, and leads `back` with the state."""
        root = urlsplit(self._wire.base_url)
        query = urlencode({"client_id": self._id, "scope": scopes, "state": state, "redirect_uri": back})
        return f"{root.scheme}://{root.netloc}{PAGE}?{query}"

    async def exchange(self, code: str, back: str) -> Granted:
        """Return what a code stands for; it can be asked once."""
        answer = await self._ask(code=code, redirect_uri=back)
        team, enterprise = fields(answer.get("team")), fields(answer.get("enterprise"))
        if answer.get("is_enterprise_install") is True:
            raise WholeError("it was for a whole organisation; the app is installed in each workspace by itself")
        return Granted(
            key=_id(team.get("id"), WORKSPACE),
            name=label(team.get("name")),
            enterprise=_id(enterprise.get("id"), ORGANISATION) if enterprise.get("id") else "",
            app=str(answer.get("app_id") or "")[:40],
            bot_user=_id(answer.get("bot_user_id"), USER),
            installer=_id(fields(answer.get("authed_user")).get("id"), USER),
            scopes=str(answer.get("scope") or "")[:4000],
            tokens=_tokens(answer),
        )

    async def refresh(self, token: str) -> Tokens:
        """Return newer tokens; `token` is used up by it (https://docs.slack.dev/authentication/using-token-rotation)."""
        return _tokens(await self._ask(grant_type="refresh_token", refresh_token=token))

    async def _ask(self, **what: str) -> Mapping[str, Any]:
        # As a form: the library's own method makes a header of them in a way that its web client wants to give up.
        form = {"client_id": self._id, "client_secret": self._secret, **what}
        async with asyncio.timeout(CALL_SECONDS):
            answer = await self._wire.web("").api_call("oauth.v2.access", data=form)
        return fields(answer.data)


def _tokens(answer: Mapping[str, Any]) -> Tokens:
    access, refresh, seconds = answer.get("access_token"), answer.get("refresh_token") or "", answer.get("expires_in")
    if not isinstance(access, str) or not TOKEN.fullmatch(access) or not isinstance(refresh, str):
        raise NoBotError("no token of a bot")
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not refresh:
        seconds = None
    return Tokens(access=access, refresh=refresh, seconds=seconds)


def _id(value: object, kind: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not kind.fullmatch(value):
        raise NoBotError("an id is missing")
    return value
