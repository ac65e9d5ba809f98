"""From bytes to a Bot API call and back: bodies, tokens, scripted faults."""

from __future__ import annotations

import email.parser
import email.policy
import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from tests.emulators.faults import Fault
from tests.emulators.loopback import Reply, Request
from tests.emulators.telegram_rules import ApiError, Upload, bad

PATH = re.compile(r"/bot([^/]*)/([^/]*)")
FILE_PATH = re.compile(r"/file/bot([^/]*)/(.+)")
# The name that calls and faults have for fetching a file.
DOWNLOAD = "download"
TOKEN = re.compile(r"\d+:[A-Za-z0-9_-]+")
NOT_FOUND = ApiError(404, "Not Found")
UNAUTHORIZED = ApiError(401, "Unauthorized")
FAULT_KINDS = frozenset({
    "429",
    "403",
    "400",
    "401",
    "404",
    "409",
    "413",
    "500",
    "502",
    "cut",
    "slow",
    "short",
    "garbage",
})
PHRASES = {
    "400": "Bad Request: scripted by the test",
    "401": "Unauthorized",
    "403": "Forbidden: bot was blocked by the user",
    "404": "Not Found",
    "413": "Request Entity Too Large",
    "409": "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
}
PROXY_PAGE = "<html><head><title>{0}</title></head><body><center><h1>{0}</h1></center></body></html>\r\n"
PROXY_TITLES = {"500": "500 Internal Server Error", "502": "502 Bad Gateway"}
DEFAULT_RETRY_AFTER = 1


def method_name(request: Request, token: str) -> str:
    """Return the method asked for; raise ``ApiError`` 404 or 401 for a wrong path or token."""
    match = PATH.fullmatch(request.path)
    if match is None or not TOKEN.fullmatch(match[1]):
        raise NOT_FOUND
    if match[1] != token:
        raise UNAUTHORIZED
    return match[2]


def file_path(request: Request, token: str) -> str | None:
    """Return the file asked for, None when it is a method; raise ``ApiError`` 401 for a wrong token."""
    match = FILE_PATH.fullmatch(request.path)
    if match is not None and match[1] != token:
        raise UNAUTHORIZED
    return match and match[2]


def raw_params(request: Request) -> dict[str, Any]:
    """Return the parameters of the query and the body, undecoded."""
    params: dict[str, Any] = dict(parse_qsl(request.query, keep_blank_values=True))
    kind = request.headers.get("content-type", "")
    if not request.body:
        return params
    if kind.startswith("application/x-www-form-urlencoded"):
        return params | dict(parse_qsl(request.body.decode(), keep_blank_values=True))
    if kind.startswith("application/json"):
        return params | _json_body(request.body)
    if kind.startswith("multipart/form-data"):
        return params | _multipart(kind, request.body)
    return params


def _json_body(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise bad("can't parse request body as JSON object")
    return value


def _multipart(kind: str, body: bytes) -> dict[str, Any]:
    parser = email.parser.BytesParser(policy=email.policy.HTTP)
    message = parser.parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    fields: dict[str, Any] = {}
    for part in message.iter_parts():
        content = part.get_payload(decode=True)
        name = part.get_param("name", header="content-disposition")
        if isinstance(content, bytes) and isinstance(name, str):
            filename = part.get_filename()
            fields[name] = Upload(filename, part.get_content_type(), content) if filename else content.decode()
    return fields


def too_many(retry_after: int | float | str) -> ApiError:
    """Return a 429."""
    text = f"Too Many Requests: retry after {retry_after}"
    return ApiError(429, text, {"retry_after": retry_after})


def fault_reply(fault: Fault) -> Reply:
    """Return the answer that *fault* gives instead of the true one."""
    kind = fault.base
    if kind in PROXY_TITLES:
        page = PROXY_PAGE.format(PROXY_TITLES[kind]).encode()
        return Reply(status=int(kind), content_type="text/html", chunks=(page,))
    if kind == "garbage":
        return Reply(chunks=(b"\x1f\x8b not JSON",))
    if kind == "429":
        error = too_many(DEFAULT_RETRY_AFTER if fault.retry_after is None else fault.retry_after)
    else:
        error = ApiError(int(kind), fault.description or PHRASES[kind])
    return Reply.json(error.as_json(), error.code)


def half(reply: Reply) -> Reply:
    """Return *reply* broken off in the middle."""
    whole = b"".join(reply.chunks)
    return replace(reply, chunks=(whole[: len(whole) // 2],), cut=True)
