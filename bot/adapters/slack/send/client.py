"""The connection to the Web API, and what its failures mean (https://docs.slack.dev/apis/web-api/using-the-slack-web-api).

The library may repeat nothing by itself: a message whose connection broke could be there twice.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters._shared.proxies import proxy_for
from bot.adapters.slack.directory.workspaces import Workspace
from bot.adapters.slack.send.rate_limit import HistoryLimit, RateLimit
from core.kernel.clean_text import label
from core.kernel.errors import SendDoubtful, SendError, SendRefused, SendUnsent, StorageError
from core.kernel.ports import Clock

log = logging.getLogger(__name__)

CONNECT_SECONDS, READ_SECONDS, WHOLE_SECONDS = 5.0, 20.0, 30.0
CONNECTIONS = 64
# No connection was there to carry a byte.
NEVER_LEFT = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientHttpProxyError,
    aiohttp.InvalidURL,
)
SCOPES_HEADER = "x-oauth-scopes"
RATE_LIMITED = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
# The token says nothing of the message: the owner may be replacing it, or asking for a scope.
TOKEN_TROUBLE = frozenset({
    *("invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "missing_scope"),
    *("not_allowed_token_type", "no_permission", "org_login_required", "ekm_access_denied", "access_denied"),
    *("two_factor_setup_required", "team_access_not_granted", "accesslimited"),
})
# Nothing gets into a channel any more, until Slack tells otherwise; nothing reaches a person.
GONE = frozenset({"not_in_channel", "channel_not_found", "is_archived", "is_inactive", "team_not_found"})
UNREACHED = frozenset({"user_disabled", "user_not_found", "cannot_dm_bot", "messages_tab_disabled"})
# Slack's own trouble, before it did anything.
PASSING = frozenset({"request_timeout", "service_unavailable", "team_added_to_org"})
# Slack's own trouble, in the middle: "some aspect of the operation may have succeeded".
UNKNOWN_END = frozenset({"internal_error", "fatal_error"})
FORBIDDEN = "Forbidden"
TOKEN_PAUSE_SECONDS, PASSING_PAUSE_SECONDS, RATE_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 180.0, 30.0, 30.0, 3600.0
MOST_CODE = 60
SERVER_ERROR = 500

# The library's own lines would hold whole messages.
_quiet = logging.getLogger("slack_sdk.teller")
_quiet.setLevel(logging.WARNING)


class Wire:
    """The connections that all workspaces share. `base_url` is that of the Web API; where reading conversations is
    `scarce`, Slack allows it once a minute."""

    def __init__(self, base_url: str, *, scarce: bool = False) -> None:
        self.base_url = base_url if base_url.endswith("/") else f"{base_url}/"
        self.scarce = scarce
        self.closed = False
        self._session: aiohttp.ClientSession | None = None

    @property
    def host(self) -> str:
        """Return host and port of the Web API."""
        return urlsplit(self.base_url).netloc

    @property
    def session(self) -> aiohttp.ClientSession:
        """Return the connections, opened on first use; raises `SendUnsent` once they are closed."""
        if self.closed:
            raise SendUnsent("the connections are closed")
        if self._session is None:
            # Waiting for a name or for a free connection counts as connecting: nothing has left by then.
            limits = aiohttp.ClientTimeout(
                total=WHOLE_SECONDS,
                connect=2 * CONNECT_SECONDS,
                sock_connect=CONNECT_SECONDS,
                sock_read=READ_SECONDS,
            )
            self._session = aiohttp.ClientSession(
                timeout=limits, connector=aiohttp.TCPConnector(limit=CONNECTIONS), cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._session

    def web(self, token: str) -> AsyncWebClient:
        """Return a client for a token; called where the event loop runs. Raises as `proxy_for` does."""
        client = AsyncWebClient(token, base_url=self.base_url, session=self.session, retry_handlers=[], logger=_quiet)
        # The library does not heed ALL_PROXY. Where there is neither that nor HTTPS_PROXY, it takes HTTP_PROXY, and so
        # did former versions.
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        client.proxy = proxy_for(parts.scheme, host) or (proxy_for("http", host) if parts.scheme == "https" else None)
        return client

    async def close(self) -> None:
        """Close the connections; a later send is unsent."""
        self.closed = True
        if self._session is not None:
            await self._session.close()


async def introduced(client: AsyncWebClient, clock: Clock, *, scarce: bool = False) -> Workspace:
    """Ask who the bot is, and where (auth.test); raises whatever the calls do. `scarce` is as for `Wire`."""
    answer = await client.auth_test()
    me, headers = fields(answer.data), answer.headers or {}
    scopes = next((value for name, value in headers.items() if name.lower() == SCOPES_HEADER), "")
    bot, app = str(me.get("bot_id") or ""), str(me.get("app_id") or "")
    if not app:
        try:
            answer = await client.bots_info(bot=bot)
            app = str(fields(fields(answer.data).get("bot")).get("app_id") or "")
        except SlackApiError as error:
            log.info("Slack does not say which app this is: %s", described(error))
    return Workspace(
        team=str(me["team_id"]),
        bot_user=str(me["user_id"]),
        bot_id=bot,
        client=client,
        rate_limit=RateLimit(clock),
        history=HistoryLimit(clock, scarce=scarce),
        name=str(me.get("team") or ""),
        url=str(me.get("url") or ""),
        enterprise=str(me.get("enterprise_id") or ""),
        app_id=app,
        user_name=label(me.get("user")),
        scopes=frozenset(str(scopes).replace(" ", "").split(",")) - {""},
    )


def fields(value: object) -> Mapping[str, Any]:
    """Return a JSON object; an empty one for whatever else came."""
    return value if isinstance(value, Mapping) else {}


def next_cursor(page: Mapping[str, Any]) -> str:
    """Return what asks for the next page of a list; empty after the last one."""
    cursor = fields(page.get("response_metadata")).get("next_cursor")
    return cursor if isinstance(cursor, str) else ""


def code(error: BaseException) -> str:
    """Return Slack's word for a refusal, empty when it said none."""
    if not isinstance(error, SlackApiError):
        return ""
    found = fields(getattr(error.response, "data", error.response)).get("error")
    return found[:MOST_CODE] if isinstance(found, str) and found.isprintable() else ""


def described(error: BaseException) -> str:
    """Return what may be logged of an error, what the database says too: no address, no answer, no token."""
    if isinstance(error, StorageError):
        return str(error)
    said = code(error)
    needed = ""
    if isinstance(error, SlackApiError) and said == "missing_scope":
        needed = str(fields(getattr(error.response, "data", {})).get("needed", ""))[:MOST_CODE]
    if isinstance(error, SlackApiError):
        return f"{said or f'answer {status(error)}'}{f' ({needed})' if needed else ''}"
    return type(error).__name__


def status(error: SlackApiError) -> int:
    """Return the HTTP status of an answer; 0 when there is none."""
    found = getattr(error.response, "status_code", getattr(error.response, "status", 0))
    return found if isinstance(found, int) else 0


def is_lasting(error: SlackApiError, token_trouble: frozenset[str] = TOKEN_TROUBLE) -> bool:
    """Whether a refusal is neither a passing one nor about the token: asked again, Slack says the same."""
    said = code(error)
    if not said or status(error) >= SERVER_ERROR or pause(error) is not None:
        return False
    return said not in PASSING | UNKNOWN_END | token_trouble


def pause(error: BaseException) -> float | None:
    """Return the seconds that Slack asks to wait (429, Retry-After); None when it is about something else."""
    if not isinstance(error, SlackApiError) or not (status(error) == 429 or code(error) in RATE_LIMITED):  # noqa: PLR2004
        return None
    return retry_after(fields(getattr(error.response, "headers", {})))


def retry_after(headers: Mapping[str, Any]) -> float:
    """Return the seconds of a Retry-After, one at least; a usual pause when it cannot be read."""
    text = next((str(value).strip() for name, value in headers.items() if name.lower() == "retry-after"), "")
    if not (text.isascii() and text.isdecimal()):
        return RATE_PAUSE_SECONDS
    return min(max(1.0, float(text[:6])), LONGEST_PAUSE_SECONDS)


def verdict(error: BaseException, *, direct: bool = False) -> SendError:
    """Return what an error says of a message: only a certain no is a refusal, only what did not leave is unsent.

    That a person cannot be reached says something of a place only where that is their own conversation, a `direct` one.
    """
    if isinstance(error, SendError):
        return error
    wait, said, text = pause(error), code(error), described(error)
    if wait is not None or isinstance(error, NEVER_LEFT):
        return SendUnsent(text, wait or 0.0)
    if not isinstance(error, SlackApiError) or not said or said in UNKNOWN_END or status(error) >= SERVER_ERROR:
        return SendDoubtful(text)
    if said in TOKEN_TROUBLE:
        return SendUnsent(text, TOKEN_PAUSE_SECONDS)
    if said in PASSING:
        return SendUnsent(text, PASSING_PAUSE_SECONDS)
    gone = GONE | UNREACHED if direct else GONE
    return SendRefused(f"{FORBIDDEN}: {text}" if said in gone else text)
