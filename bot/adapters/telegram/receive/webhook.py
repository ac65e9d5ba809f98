"""Receiving by webhook (https://core.telegram.org/bots/api#setwebhook): Telegram posts, and we keep it before our 200.

One connection at a time (`max_connections` 1) keeps Telegram's order. Whatever is not committed is answered with 503,
and Telegram posts it again later; what it posts twice is one row.
"""

from __future__ import annotations

import hmac
import json
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.adapters.telegram.parse.fields import Fields, Me, count
from bot.adapters.telegram.parse.updates import ALLOWED_UPDATES
from bot.adapters.telegram.receive.press_answers import Answers
from bot.adapters.telegram.receive.receiver import HEALTHY_EXTRA_SECONDS, Membership, Receiver, Timing
from core.kernel.clean_text import label
from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Intake

log = logging.getLogger(__name__)

SECRET_HEADER = "x-telegram-bot-api-secret-token"
OK, BAD_REQUEST, UNAVAILABLE = 200, 400, 503
CONNECTIONS = 1
UNREACHED = "Telegram cannot reach the webhook"
LONGEST_REASON = 200
# How often we look while Telegram has something for us, and how long that is waited for at a start, in seconds.
LOOK_AGAIN = 2.0
PATIENCE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where Telegram posts, and what it proves itself by in a header: 1–256 of A–Z, a–z, 0–9, _ and -."""

    url: str
    secret: str


class WebhookChanged(Exception):
    """The webhook at Telegram is another one, or none: somebody changed it."""


class Delivery:
    """Tells from one look at a WebhookInfo to the next whether Telegram can bring us what it has.

    The last error alone tells nothing, since Telegram shows it after all is well again. It lasts when something still
    waits at the next look and nothing was brought in between.
    """

    def __init__(self) -> None:
        self._kept = 0
        self._looked = False

    def kept(self) -> None:
        """Note that something was brought."""
        self._kept += 1

    def trouble(self, info: Fields) -> str:
        """Return the error that lasts, as Telegram words it; empty when all is well."""
        error = label(info.get("last_error_message"), LONGEST_REASON)
        lasts = self._looked and not self._kept and count(info, "pending_update_count") > 0
        self._kept, self._looked = 0, True
        return error if lasts else ""


class WebhookReceiver(Receiver):
    """Receives by being told. It is also the endpoint of the web server at `path`."""

    def __init__(
        self,
        token: str,
        root: str,
        clock: Clock,
        timing: Timing,
        answers: Answers,
        webhook: Webhook,
        *,
        membership: Membership,
    ) -> None:
        super().__init__(token, root, clock, timing, answers, membership=membership)
        self.path = urlsplit(webhook.url).path or "/"
        self.secret = webhook.secret
        self._url = webhook.url
        self._is_set = False
        self._intake: Intake | None = None
        self._delivery = Delivery()
        self._trouble = ""
        self._pending = 0
        # Seconds waited since the webhook was set, and when the last look was judged.
        self._waited, self._judged_at = 0.0, -math.inf

    async def run(self, intake: Intake) -> None:
        """Keep the webhook set and look after it until cancelled; posts are taken meanwhile."""
        self._intake = intake
        try:
            await super().run(intake)
        finally:
            self._intake = None

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a request with these headers, their names in lower case, comes from Telegram."""
        shown = headers.get(SECRET_HEADER, "")
        return hmac.compare_digest(shown.encode("utf-8", "replace"), self.secret.encode())

    async def take(self, body: bytes) -> int:
        """Keep the update in the body of an admitted request; return the HTTP status, 200 once it is committed."""
        intake = self._intake
        if intake is None or self.tenant is None or self.me is None:
            return UNAVAILABLE
        try:
            update = json.loads(body)
        except (ValueError, RecursionError) as error:
            log.warning("a post to the webhook is no JSON (%s, %s bytes)", type(error).__name__, len(body))
            return BAD_REQUEST
        try:
            await self._take(intake, [update])
        except StorageError as error:
            log.warning("an update stays with Telegram for now: %s", error)
            return UNAVAILABLE
        except Exception:
            log.exception("an update could not be taken in, it stays with Telegram")
            return UNAVAILABLE
        self._delivery.kept()
        return OK

    async def _mend(self, error: Exception) -> None:
        """Nothing helps but to try again."""

    def _is_well(self, age: float) -> bool:
        return self._is_set and not self._trouble and age < self._timing.look + HEALTHY_EXTRA_SECONDS

    def _hears(self, age: float) -> bool:
        return self._is_set and not self._pending and age < self._timing.look + self._timing.network

    async def _round(self, intake: Intake, tenant: int, me: Me) -> None:
        if not self._is_set:
            fields = {
                "url": self._url,
                "secret_token": self.secret,
                "allowed_updates": ALLOWED_UPDATES,
                "max_connections": CONNECTIONS,
            }
            await self.patiently("setWebhook", fields)
            self._is_set, self._delivery = True, Delivery()
            self._waited, self._judged_at = 0.0, -math.inf
        self._judge(await self.patiently("getWebhookInfo", {}))
        # What waited for us at Telegram comes now; what it cannot bring must not keep us waiting for ever.
        if not self.caught_up.is_set() and (not self._pending or self._waited >= PATIENCE):
            self.up_to_date()
        pause = min(LOOK_AGAIN, self._timing.look) if self._pending else self._timing.look
        await self._clock.sleep(pause)
        self._waited += pause

    def _judge(self, info: object) -> None:
        """Read a WebhookInfo; raise `WebhookChanged` when it is not about our webhook."""
        if not isinstance(info, dict):
            raise TypeError("the result of getWebhookInfo is no object")
        if info.get("url") != self._url:
            self._is_set = False
            raise WebhookChanged
        self.succeeded()
        self._pending = count(info, "pending_update_count")
        # Two looks in a row tell nothing of an error: Telegram itself may take longer to try again.
        if not self._pending or self._waited - self._judged_at >= self._timing.look:
            self._judged_at = self._waited
            self._trouble = self._delivery.trouble(info)
            if self._trouble:
                log.warning("%s: %s", UNREACHED, self._trouble)
        if self._trouble:
            self._last_error = f"{UNREACHED}: {self._trouble}"
