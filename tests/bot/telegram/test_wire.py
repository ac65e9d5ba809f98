"""What is said of an error never quotes a URL, a page or a token."""

from __future__ import annotations

import aiohttp
import pytest
from telegram.error import BadRequest, InvalidToken, NetworkError, TelegramError, TimedOut

from bot.adapters.telegram.send.client import Flooded, Wire, described

TOKEN = "123:SECRET"


def chained(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (BadRequest("chat not found"), "BadRequest: chat not found"),
        (Flooded(3), "Flooded: Too many requests, retry after 3 s"),
        (chained(TimedOut(), aiohttp.SocketTimeoutError(TOKEN)), "TimedOut from SocketTimeoutError"),
        (chained(NetworkError(TOKEN), aiohttp.InvalidURL(TOKEN)), "NetworkError from InvalidURL"),
        (ValueError(TOKEN), "ValueError"),
        (
            chained(
                InvalidToken(f"Not Found (404). Parsing the server response b'{TOKEN}' failed"), TelegramError("x")
            ),
            "InvalidToken: Not Found (404)",
        ),
    ],
)
def test_an_error_is_described_by_class_and_reason_alone(error: Exception, text: str) -> None:
    assert described(error) == text


def test_long_reasons_are_cut() -> None:
    assert len(described(BadRequest("x" * 5000))) < 300


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"[" * 100_000, b"null", b'"x"'])
def test_a_body_that_is_no_object_is_an_error_of_the_library(body: bytes) -> None:
    with pytest.raises(TelegramError, match="JSON"):
        Wire.parse_json_payload(body)
