"""The two pages by which somebody installs the app in their workspace
(https://docs.slack.dev/authentication/installing-with-oauth).

The first leads to Slack with a state that nobody can guess; the second wants it back, once, within ten minutes, and
from the same browser: it has a cookie that belongs to the state. Only a digest of both is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from bot.adapters.slack.install.installations import STATE_LASTS, BegunInstalls
from bot.adapters.slack.install.oauth import Granted, NoBotError, OAuth, WholeError
from bot.adapters.slack.manifest import AGENT, BACK, CHANNELS, INSTALL, scopes
from bot.adapters.slack.receive.installs import Page, WebPage
from bot.adapters.slack.send.client import code, described
from core.kernel.errors import StorageError
from core.kernel.ports import Database
from core.store.people.encryption import Sealer

log = logging.getLogger(__name__)

COOKIE = "teller_install"
HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
WORD = re.compile(r"[A-Za-z0-9_-]{20,100}")
CODE = re.compile(r"[A-Za-z0-9._-]{1,500}")
OK, FOUND, BAD_REQUEST, BAD_GATEWAY, UNAVAILABLE = 200, 302, 400, 502, 503
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Content-Type": "text/plain; charset=utf-8",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
OLD = (
    "This page was opened too late, twice, or in another browser. Nothing was installed. Begin again at /slack/install."
)
LATER = "I cannot do this right now. Please begin again at /slack/install in a minute."
REFUSED = "Nothing was installed."
WHOLE = "Nothing was installed: I work in single workspaces. Begin again at /slack/install and choose a workspace."
DONE = "I am installed in {name}. You can close this page: I have written to you in Slack, or you can write to me."


@dataclass(frozen=True, slots=True, kw_only=True)
class Installing:
    """What is needed to be installed by a page: where tokens are kept, and who the app is to Slack.

    `profile` is that of the manifest, and `agent` says whether the app has `agent_view`; `public_url` is how browsers
    reach the pages, empty to believe the request.
    """

    db: Database
    sealer: Sealer
    client_id: str
    client_secret: str = field(repr=False)
    profile: str = CHANNELS
    agent: bool = False
    public_url: str = ""


Install = Callable[[Granted], Awaitable[None]]


class InstallPages:
    """The two pages; `install` is given what somebody agreed to."""

    def __init__(self, wish: Installing, begun: BegunInstalls, oauth: OAuth, install: Install) -> None:
        self._wish, self._begun, self._oauth, self._install = wish, begun, oauth, install
        self.pages = (WebPage(path=INSTALL, visit=self.begin), WebPage(path=BACK, visit=self.finish))

    async def begin(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Page:
        """Redirect to Slack's page, which asks whether to install the app, with a state and its cookie."""
        root = root_of(headers, self._wish.public_url)
        if not root:
            return _page(BAD_REQUEST, REFUSED)
        state, own = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        try:
            await self._begun.begin(_digest(state, own))
        except StorageError:
            return _page(UNAVAILABLE, LATER)
        asked = (*scopes(self._wish.profile), *(AGENT if self._wish.agent else ()))
        wanted = ",".join(scope.name for scope in asked)
        to = self._oauth.page(wanted, state, f"{root}{BACK}")
        return Page(FOUND, {**HEADERS, "Location": to, "Set-Cookie": _cookie(own, root, STATE_LASTS // 1000)}, "")

    async def finish(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Page:
        """Exchange the code for a token, if the state is one of ours and this browser's, and have the app installed."""
        root, state = root_of(headers, self._wish.public_url), query.get("state", "")
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        own = cookie.value if cookie else ""
        try:
            known = WORD.fullmatch(state) and WORD.fullmatch(own) and await self._begun.finish(_digest(state, own))
        except StorageError:
            return _page(UNAVAILABLE, LATER)
        if not known:
            return _page(BAD_REQUEST, OLD)
        # Whoever pressed "Cancel" knows why; any other `error` is Slack's word for it, which a stranger could write.
        shown = _page(OK if query.get("error") == "access_denied" else BAD_REQUEST, REFUSED)
        if "error" not in query and CODE.fullmatch(query.get("code", "")):
            # Somebody who closes the page must not leave an installation half done.
            shown = await asyncio.shield(asyncio.ensure_future(self._exchange(query["code"], f"{root}{BACK}")))
        return shown._replace(headers={**shown.headers, "Set-Cookie": _cookie("", root, 0)})

    async def _exchange(self, given: str, back: str) -> Page:
        try:
            granted = await self._oauth.exchange(given, back)
            await self._install(granted)
        except NoBotError as error:
            log.warning("an installation brought nothing to work with: %s", error)
            return _page(BAD_REQUEST, WHOLE if isinstance(error, WholeError) else REFUSED)
        except Exception as error:
            log.warning("an installation failed: %s", described(error))
            return _page(BAD_REQUEST, REFUSED) if code(error) else _page(BAD_GATEWAY, LATER)
        return _page(OK, DONE.format(name=granted.name or granted.key))


def root_of(headers: Mapping[str, str], public_url: str) -> str:
    """Return how the browser reached us; Slack leads back to no address that the app's settings do not have."""
    if public_url:
        return public_url
    host, scheme = headers.get("host", ""), headers.get("x-forwarded-proto", "http").partition(",")[0].strip()
    return f"{scheme}://{host}" if HOST.fullmatch(host) and scheme in ("http", "https") else ""


def _digest(state: str, own: str) -> str:
    return hashlib.sha256(f"{state}.{own}".encode()).hexdigest()


def _cookie(value: str, root: str, seconds: int) -> str:
    secure = "; Secure" if urlsplit(root).scheme == "https" else ""
    return f"{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _page(status: int, text: str) -> Page:
    return Page(status, HEADERS, f"{text}\n")
