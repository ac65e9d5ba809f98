"""Webhooks: updates that are posted to the bot instead of being fetched by it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
from telegram.constants import SUPPORTED_WEBHOOK_PORTS, WebhookLimit

from tests.emulators.telegram_chats import Call, Method
from tests.emulators.telegram_rules import Params, bad
from tests.emulators.telegram_updates import UpdateQueue

# PTB gives no constant for the most connections when none is asked for.
DEFAULT_CONNECTIONS = 40
SECRET = re.compile(r"[A-Za-z0-9_-]+")
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
FIRST_PAUSE, LONGEST_PAUSE, GROWTH = 0.1, 5.0, 2.0
POST_SECONDS = 10.0


class Webhooks:
    """setWebhook, deleteWebhook, getWebhookInfo, and the delivery.

    Posts only to addresses on the loopback interface, which need *allow_http*; for others updates just pile up.
    One update at a time, in order; after anything but 2xx it comes again, after growing pauses in seconds.
    """

    def __init__(self, updates: UpdateQueue, changed: Callable[[], None], *, allow_http: bool) -> None:
        self._updates = updates
        self._changed = changed
        self._allow_http = allow_http
        self._hook: dict[str, Any] = {}
        self._error: dict[str, Any] = {}
        self._secret = ""
        self._task: asyncio.Task[None] | None = None

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"setWebhook": self._set, "deleteWebhook": self._delete, "getWebhookInfo": self._info}

    @property
    def active(self) -> bool:
        """Whether a webhook is set, so that getUpdates is refused."""
        return bool(self._hook)

    @property
    def trouble(self) -> str:
        """What went wrong at the last delivery that failed, as getWebhookInfo words it."""
        return str(self._error.get("last_error_message", ""))

    async def stop(self) -> None:
        """End the delivery and wait until it has ended."""
        task = self._halt()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    def _halt(self) -> asyncio.Task[None] | None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
        return task

    def _set(self, params: Params, call: Call) -> object:
        if not params["url"]:
            return self._delete(params, call)
        local = self._checked_url(params["url"])
        connections = params.get("max_connections", DEFAULT_CONNECTIONS)
        if not WebhookLimit.MIN_CONNECTIONS_LIMIT <= connections <= WebhookLimit.MAX_CONNECTIONS_LIMIT:
            raise bad(f"emulator: max_connections {connections}")
        self._secret = _checked_secret(params.get("secret_token"))
        if "allowed_updates" in params:
            self._updates.allow(params["allowed_updates"])
        self._delete(params, call)
        self._hook = {"url": params["url"], "max_connections": connections}
        self._updates.terminate("terminated by setWebhook request")
        if local:
            self._task = asyncio.create_task(self._deliver(params["url"], self._secret))
        return True

    def _checked_url(self, url: str) -> bool:
        """Return whether *url* leads to the loopback interface by plain http."""
        parts = urlsplit(url)
        if self._allow_http and parts.scheme == "http" and parts.hostname in LOOPBACK:
            return True
        if parts.scheme != "https":
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        if (parts.port or 443) not in SUPPORTED_WEBHOOK_PORTS:
            raise bad("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
        return False

    def _delete(self, params: Params, call: Call) -> object:
        if params.get("drop_pending_updates"):
            self._updates.drop_all()
        self._halt()
        self._hook, self._error = {}, {}
        return True

    def _info(self, params: Params, call: Call) -> object:
        info = {"url": "", "has_custom_certificate": False, "pending_update_count": len(self._updates)}
        allowed = {"allowed_updates": self._updates.allowed} if self._updates.allowed else {}
        return {**info, **self._hook, **self._error, **allowed}

    async def _deliver(self, url: str, secret: str) -> None:
        headers = {"content-type": "application/json"} | ({SECRET_HEADER: secret} if secret else {})
        pause = FIRST_PAUSE
        async with httpx.AsyncClient(headers=headers, timeout=POST_SECONDS, trust_env=False) as client:
            while True:
                update = await self._updates.first()
                trouble = await _post(client, url, update)
                if not trouble:
                    self._updates.settle(update)
                    pause = FIRST_PAUSE
                else:
                    self._error = {"last_error_date": int(time.time()), "last_error_message": trouble}
                self._changed()
                if trouble:
                    await asyncio.sleep(pause)
                    pause = min(pause * GROWTH, LONGEST_PAUSE)


async def _post(client: httpx.AsyncClient, url: str, update: dict[str, Any]) -> str:
    """Return what went wrong, as getWebhookInfo words it, or nothing."""
    try:
        answer = await client.post(url, content=json.dumps(update).encode())
    except httpx.TimeoutException:
        return "Read timeout expired"
    except httpx.ConnectError:
        return "Connection refused"
    except httpx.TransportError:
        return "Connection reset by peer"
    # A method call in the body of the answer is ignored.
    return "" if answer.is_success else f"Wrong response from the webhook: {answer.status_code} {answer.reason_phrase}"


def _checked_secret(secret: str | None) -> str:
    if secret is None:
        return ""
    if len(secret) > WebhookLimit.MAX_SECRET_TOKEN_LENGTH:
        raise bad("secret token is too long")
    if not SECRET.fullmatch(secret):
        raise bad("secret token contains unallowed characters")
    return secret
