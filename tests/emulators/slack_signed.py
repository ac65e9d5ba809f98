"""HTTP mode: what the bot must know is posted to its one address, signed with the app's secret.

Events as JSON, interactions as a form with ``payload``, commands as a form (Slack docs, "Verifying requests from
Slack", "Events API"). Anything but 2xx within the time is a failed attempt.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
from slack_sdk.signature import SignatureVerifier

from tests.emulators.slack_delivery import COMMAND, EVENT, INTERACTIVE, Envelope, Outcome
from tests.emulators.slack_world import App, Json

JSON_TYPE, FORM_TYPE = "application/json", "application/x-www-form-urlencoded"
MOST_REDIRECTS = 2
AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot answered to a request."""

    status: int
    body: str


class Signed:
    """Posts to ``url``, the app's request URL for events, interactivity and commands alike."""

    def __init__(self, app: App, url: str = "") -> None:
        self.url = url
        self._app = app
        self._client: httpx.AsyncClient | None = None

    async def stop(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def hand_over(self, envelope: Envelope, seconds: float) -> Outcome:
        """Post *envelope* and wait for its answer."""
        kind, body = _body(envelope)
        headers = self.headers(body, kind) | _retry_headers(envelope)
        try:
            answer = await self._http().post(self.url, content=body, headers=headers, timeout=seconds)
        except httpx.TimeoutException:
            return Outcome(reason="http_timeout")
        except httpx.TooManyRedirects:
            return Outcome(reason="too_many_redirects")
        except (httpx.TransportError, httpx.UnsupportedProtocol):
            return Outcome(reason="connection_failed")
        if not answer.is_success:
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
        answer = await self._http().post(self.url, content=body, headers=signed, timeout=10.0)
        return Answer(answer.status_code, answer.text)

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

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            self._client = httpx.AsyncClient(follow_redirects=True, max_redirects=MOST_REDIRECTS, trust_env=False)
        return self._client


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


def _answered(answer: httpx.Response) -> Any:
    """Return the body of an acknowledgement as Socket Mode would bring it."""
    if not answer.text:
        return None
    if answer.headers.get("content-type", "").startswith(JSON_TYPE):
        found: Json = answer.json()
        return found
    return {"text": answer.text}
