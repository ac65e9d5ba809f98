"""HTTP mode: Slack posts events, interactions and commands to one path of the web server, and gets its 200 for what is
committed (https://docs.slack.dev/authentication/verifying-requests-from-slack).

The guards stand before bolt: a time that is no number, or a body that is no JSON, would make it fail, and Slack would
come again with the same.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Mapping
from urllib.parse import parse_qs

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

from core.kernel.ports import Clock

log = logging.getLogger(__name__)

TIMESTAMP, SIGNATURE = "x-slack-request-timestamp", "x-slack-signature"
FORM = "application/x-www-form-urlencoded"
TYPES = frozenset({"application/json", FORM})
# Slack looks whether the address has a certificate that holds by a short form, `ssl_check=1`, which nobody signs.
LONGEST_CHECK = 1024
SECONDS = re.compile(r"\d{1,11}", re.ASCII)
# Either way: Slack's clock and ours may differ.
OLDEST_SECONDS = 300
OK, BAD_REQUEST, UNAUTHORIZED = 200, 400, 401
TEXT = "text/plain"

Answer = tuple[int, str, str]


class HttpEndpoint:
    """Where Slack posts to."""

    def __init__(self, app: AsyncApp, signing_secret: str, path: str, clock: Clock) -> None:
        """Raises `ValueError` without a signing secret: anybody could be Slack then."""
        if not signing_secret.strip():
            raise ValueError("the signing secret is empty")
        self.path = path
        self._app, self._clock = app, clock
        self._verifier = SignatureVerifier(signing_secret)

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a request with these headers, their names in lower case, may be one of Slack's, and a fresh one."""
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if SIGNATURE not in headers:
            length = headers.get("content-length", "")
            return kind == FORM and bool(SECONDS.fullmatch(length)) and int(length) <= LONGEST_CHECK
        at = headers.get(TIMESTAMP, "")
        if kind not in TYPES or not SECONDS.fullmatch(at):
            return False
        return abs(self._clock.now() / 1000 - int(at)) <= OLDEST_SECONDS

    async def answer(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """Have a body taken in; return the status, the type of the answer and its text."""
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return BAD_REQUEST, TEXT, ""
        if SIGNATURE not in headers:
            return OK if parse_qs(text).get("ssl_check") == ["1"] else UNAUTHORIZED, TEXT, ""
        expected = self._verifier.generate_signature(timestamp=headers[TIMESTAMP], body=text) or ""
        if not hmac.compare_digest(expected.encode(), headers[SIGNATURE].encode("utf-8", "replace")):
            return UNAUTHORIZED, TEXT, ""
        try:
            request = AsyncBoltRequest(body=text, headers=dict(headers))
        except Exception as error:
            # Signed by Slack, and unreadable all the same: nothing gets better by its coming again.
            log.warning("a post of Slack cannot be read (%s, %s bytes)", type(error).__name__, len(body))
            return BAD_REQUEST, TEXT, ""
        if not isinstance(request.body, dict):
            return BAD_REQUEST, TEXT, ""
        answer = await self._app.async_dispatch(request)
        return answer.status, answer.first_headers().get("content-type", TEXT), answer.body or ""
