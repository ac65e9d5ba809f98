"""Keys, error bodies and scripted faults of the Chat Completions server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.emulators.faults import Fault
from tests.emulators.loopback import Reply
from tests.emulators.openai_types import Refusal

NO_KEY = (
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth "
    "(i.e. Authorization: Bearer YOUR_KEY)."
)
WRONG_KEY = "Incorrect API key provided: {}. You can find your API key at https://platform.openai.com/account/api-keys."
# Message, type and code of each scripted status.
ERRORS: dict[str, tuple[str, str, str | None]] = {
    "400": ("Scripted by the test.", "invalid_request_error", None),
    "401": (WRONG_KEY.format("sk-*****"), "invalid_request_error", "invalid_api_key"),
    "403": ("You are not allowed to sample from this model.", "invalid_request_error", None),
    "404": ("The model does not exist or you do not have access to it.", "invalid_request_error", "model_not_found"),
    "429": ("Rate limit reached. Please try again later.", "requests", "rate_limit_exceeded"),
    "500": ("The server had an error while processing your request.", "server_error", None),
    "503": ("The engine is currently overloaded, please try again later.", "server_error", None),
}
PROXY_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\r\n"


def check_key(headers: dict[str, str], key: str) -> None:
    """Raise ``Refusal`` 401 unless the request carries *key*."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not given:
        raise Refusal(NO_KEY, status=401)
    if given != key:
        masked = given[:3] + "*" * 5 + given[-3:]
        raise Refusal(WRONG_KEY.format(masked), status=401, code="invalid_api_key")


def fault_reply(fault: Fault) -> Reply:
    """Return the answer that *fault* gives instead of the true one."""
    headers = {} if fault.retry_after is None else {"retry-after": str(fault.retry_after)}
    if fault.base == "garbage":
        return Reply(chunks=(b"\x1f\x8b not JSON",), headers=headers)
    if fault.base == "502":
        return Reply(status=502, chunks=(PROXY_PAGE,), content_type="text/html", headers=headers)
    message, kind, code = ERRORS[fault.base]
    error: dict[str, Any] = {"message": fault.description or message, "type": kind, "param": None, "code": code}
    return replace(Reply.json({"error": error}, int(fault.base)), headers=headers)


def half(reply: Reply) -> Reply:
    """Return the first half of *reply*, after which the connection is cut."""
    if len(reply.chunks) > 1:
        return replace(reply, chunks=reply.chunks[: len(reply.chunks) // 2], cut=True)
    (body,) = reply.chunks
    return replace(reply, chunks=(body[: len(body) // 2],), cut=True)
