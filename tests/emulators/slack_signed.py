"""HTTP mode: what the bot must know is posted to its one address, signed with the app's secret.

Events as JSON, interactions as a form with ``payload``, commands as a form (Slack docs, "Verifying requests from
Slack", "Events API"). Anything but 2xx within the time is a failed attempt.
"""

from __future__ import annotations

import io
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import aiohttp
from slack_sdk.signature import SignatureVerifier

from tests.emulators.slack_delivery import COMMAND, EVENT, INTERACTIVE, Envelope, Outcome
from tests.emulators.slack_world import App

JSON_TYPE, FORM_TYPE = "application/json", "application/x-www-form-urlencoded"
MOST_REDIRECTS = 2
AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot answered to a request."""

    status: int
    body: str
    headers: Mapping[str, str]


class Signed:
    """Posts to ``url``, the app's request URL for events, interactivity and commands alike."""

    def __init__(self, app: App, url: str = "") -> None:
        self.url = url
        self._app = app
        self._session: aiohttp.ClientSession | None = None

    async def stop(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def hand_over(self, envelope: Envelope, seconds: float) -> Outcome:
        """Post *envelope* and wait for its answer."""
        kind, body = _body(envelope)
        headers = self.headers(body, kind) | _retry_headers(envelope)
        try:
            answer = await self._post(body, headers, seconds)
        except TimeoutError:
            return Outcome(reason="http_timeout")
        except aiohttp.TooManyRedirects:
            return Outcome(reason="too_many_redirects")
        except aiohttp.ClientError:
            return Outcome(reason="connection_failed")
        if not 200 <= answer.status < 300:
            return Outcome(reason="http_error", final=answer.headers.get("X-Slack-No-Retry") == "1")
        return Outcome(accepted=True, body=_answered(answer))

    async def verify(self) -> bool:
        """Ask the bot to prove that the address is its own, as when it is put into the app's settings."""
        challenge = secrets.token_hex(16)
        request = {"token": self._app.verification_token, "challenge": challenge, "type": "url_verification"}
        answer = await self.post(json.dumps(request))
        return answer.status == 200 and challenge in answer.body

    async def post(
        self,
        body: str,
        *,
        content_type: str = JSON_TYPE,
        secret: str = "",
        timestamp: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Post *body* as anybody could who knows the address, with another *secret* or *timestamp* on demand."""
        signed = self.headers(body, content_type, secret=secret, timestamp=timestamp) | dict(headers or {})
        return await self._post(body, signed, 10.0)

    def headers(self, body: str, content_type: str, *, secret: str = "", timestamp: str = "") -> dict[str, str]:
        """Return the headers of a request with *body*, signed now with the app's secret."""
        at = timestamp or str(int(time.time()))
        signature = SignatureVerifier(secret or self._app.signing_secret).generate_signature(timestamp=at, body=body)
        return {
            "content-type": content_type,
            "user-agent": AGENT,
            "x-slack-request-timestamp": at,
            "x-slack-signature": str(signature),
        }

    async def _post(self, body: str, headers: Mapping[str, str], seconds: float) -> Answer:
        if self._session is None:
            # As many connections as there are posts: Slack sends from many machines.
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        posting = self._session.post(
            self.url,
            data=io.BytesIO(body.encode()),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=seconds),
            max_redirects=MOST_REDIRECTS,
        )
        async with posting as answer:
            return Answer(answer.status, await answer.text(), answer.headers)


def _body(envelope: Envelope) -> tuple[str, str]:
    if envelope.kind == INTERACTIVE:
        return FORM_TYPE, urlencode({"payload": json.dumps(envelope.payload)})
    if envelope.kind == COMMAND:
        return FORM_TYPE, urlencode(envelope.payload)
    return JSON_TYPE, json.dumps(envelope.payload)


def _retry_headers(envelope: Envelope) -> dict[str, str]:
    if envelope.kind != EVENT or not envelope.reasons:
        return {}
    return {"x-slack-retry-num": str(len(envelope.reasons)), "x-slack-retry-reason": envelope.reasons[-1]}


def _answered(answer: Answer) -> Any:
    """Return the body of an acknowledgement as Socket Mode would bring it."""
    if not answer.body:
        return None
    if answer.headers.get("content-type", "").startswith(JSON_TYPE):
        return json.loads(answer.body)
    return {"text": answer.body}
