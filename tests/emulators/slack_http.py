"""From bytes to a call of the Web API and back: bodies, tokens, scripted faults."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import replace
from urllib.parse import parse_qsl

from tests.emulators.faults import Fault
from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_rules import ApiError, reads_only
from tests.emulators.slack_world import Json

API = "/api/"
FILES = "/files-pri/"
UPLOADS = "/upload/v1/"
SIGN_IN = "/signin"
# The name that calls and faults have for fetching a file.
DOWNLOAD = "download"
# The name that faults have for putting a file where it is wanted.
UPLOAD = "upload"
FAULT_KINDS = frozenset({"error", "429", "500", "502", "503", "html", "garbage", "cut", "short", "slow", "hang"})
PAGE = "<!DOCTYPE html><html><head><title>{0}</title></head><body><h1>{0}</h1></body></html>\n"
PAGES = {"500": "Server Error", "502": "Bad Gateway", "503": "Service Unavailable", "html": "Slack is down"}
FORM = "application/x-www-form-urlencoded"


def raw_params(method: str, request: Request) -> Json:
    """Return the arguments of the query and the body, undecoded; raise ``ApiError`` for another kind of body."""
    params: Json = dict(parse_qsl(request.query, keep_blank_values=True))
    kind = request.headers.get("content-type", "").partition(";")[0]
    if not request.body:
        return params
    if not kind:
        raise ApiError("missing_post_type")
    if kind == FORM:
        return params | dict(parse_qsl(request.body.decode(errors="replace"), keep_blank_values=True))
    if kind != "application/json":
        raise ApiError("invalid_post_type")
    if reads_only(method):
        raise ApiError("invalid_arguments", f"emulator: {method} takes no JSON")
    return params | _json_body(request.body)


def _json_body(body: bytes) -> Json:
    try:
        value = json.loads(body)
    except ValueError:
        raise ApiError("invalid_json") from None
    if not isinstance(value, dict):
        raise ApiError("json_not_object")
    # In JSON a token is not looked for: it belongs in the header.
    return {name: part for name, part in value.items() if name != "token"}


def bearer(request: Request, params: Json) -> str:
    """Take the token of a request out of its header or *params*; empty when there is none."""
    written = params.pop("token", "")
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else str(written)


def credentials(request: Request, params: Json) -> tuple[str, str]:
    """Take client_id and client_secret out of the header or *params*."""
    written = str(params.pop("client_id", "")), str(params.pop("client_secret", ""))
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return written
    try:
        name, _, secret = base64.b64decode(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return written
    return name, secret


def refused(error: ApiError) -> Reply:
    """Return the answer that tells of *error*."""
    reply = Reply.json(error.as_json(), error.status)
    return replace(reply, headers=error.headers)


def fault_reply(fault: Fault) -> Reply:
    """Return the answer that *fault* gives instead of the true one."""
    kind = fault.base
    if kind in PAGES:
        status = int(kind) if kind.isdecimal() else 200
        return Reply(status=status, content_type="text/html", chunks=(PAGE.format(PAGES[kind]).encode(),))
    if kind == "garbage":
        return Reply(chunks=(b"\x1f\x8b not JSON",))
    if kind == "429":
        return refused(too_many(1 if fault.retry_after is None else fault.retry_after))
    return refused(ApiError(fault.description or "internal_error"))


def too_many(retry_after: float | str) -> ApiError:
    """Return a 429 that asks to wait for *retry_after* whole seconds."""
    return ApiError("ratelimited", status=429, retry_after=str(retry_after))


def half(reply: Reply) -> Reply:
    """Return *reply* broken off in the middle."""
    whole = b"".join(reply.chunks)
    return replace(reply, chunks=(whole[: len(whole) // 2],), cut=True)
