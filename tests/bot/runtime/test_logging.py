"""What is written to the logs, and what never is."""

from __future__ import annotations

import asyncio
import base64
import errno
import io
import json
import logging
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote

import httpx
import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from bot.runtime import logging as logs

TOKEN = "123456789:AAcanary_Canary-canary+canary/canary=42"
KEY = 'canary key "with" everything/äöü+?&'


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Give a stream that all logs go to, and put the process's own hooks and loggers back afterwards."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level, sys.excepthook, threading.excepthook, sys.unraisablehook)
    levels = {name: logging.getLogger(name).level for name in logs.NOISY}
    yield io.StringIO()
    root.handlers[:], root.level, sys.excepthook, threading.excepthook, sys.unraisablehook = before
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


def forms(secret: str) -> list[str]:
    raw = secret.encode()
    encoded = [
        encode(b"x" * before + raw + b"y" * after).decode()
        for encode in (base64.b64encode, base64.urlsafe_b64encode)
        for before in range(4)
        for after in range(4)
    ]
    return [
        secret,
        quote(secret),
        quote(secret, safe=""),
        json.dumps(secret),
        *encoded,
        *(e.rstrip("=") for e in encoded),
    ]


def leaks(text: str, secret: str) -> bool:
    """Tell whether the middle of the secret is still there, as it is or in base64."""
    middle = secret.encode()[3:-3]
    hidden = [base64.b64encode(bytes(k) + middle).decode()[4:-4] for k in range(3)]
    return any(
        part in text for part in (secret[4:12], *hidden, *(h.replace("+", "-").replace("/", "_") for h in hidden))
    )


@pytest.mark.parametrize("secret", [TOKEN, KEY])
def test_a_secret_is_blanked_in_every_form(secret: str) -> None:
    redactor = logs.Redactor([secret])
    assert [form for form in forms(secret) if leaks(redactor.redact(f"before {form} after"), secret)] == []


@given(st.binary(min_size=12, max_size=40), st.binary(max_size=5), st.binary(max_size=5))
def test_base64_of_any_secret_between_any_neighbours_is_blanked(secret: bytes, before: bytes, after: bytes) -> None:
    text = secret.hex()
    written = base64.b64encode(before + text.encode() + after).decode()
    assert logs.BLANK in logs.Redactor([text]).redact(written)


@pytest.mark.parametrize(
    "text",
    [
        "https://api.telegram.org/bot7654321:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/getMe",
        "https://proxy.example/?t=7654321%3AAAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
        "Authorization: Bearer sk-proj-abcdefghijklmnop1234",
        "xoxb-1234567890-abcdef",
        f"https://bot.example/hook/thook_{'A' * 43}",
        f"https://bot.example/calendar/tfeed_{'A' * 43}.ics",
        "xapp-1-A0123-456-abcdef",
    ],
)
def test_tokens_nobody_told_us_about_are_blanked(text: str) -> None:
    assert logs.BLANK in logs.Redactor().redact(text)


def test_ordinary_text_is_left_alone() -> None:
    text = "12:30 run 7 of lane 42 took 0.3 s; ask-me-anything at https://example.org/a?b=c"
    assert logs.Redactor([TOKEN, ""]).redact(text) == text


def test_very_short_secrets_do_not_blank_everything() -> None:
    assert logs.Redactor(["a", "", "42"]).redact("a cat, 42") == "a cat, 42"


def test_exception_tracebacks_are_redacted(stream: io.StringIO) -> None:
    for style in ("json", "console"):
        logs.configure("info", style, [TOKEN], stream)
        try:
            raise ValueError(f"cannot open https://host/bot{TOKEN}/getMe")
        except ValueError:
            logging.getLogger("some.library").exception("failed with %s", TOKEN)
            structlog.get_logger("ours").exception("failed", url=f"/bot{TOKEN}")
    written = stream.getvalue()
    assert (leaks(written, TOKEN), written.count("ValueError: cannot open"), written.count(logs.BLANK) >= 8) == (
        False,
        4,
        True,
    )


def test_an_error_that_comes_again_and_again_has_its_traceback_once_an_hour() -> None:
    now = 0.0
    tracebacks = logs.Tracebacks(lambda: now)

    def write(number: int, why: str) -> str:
        try:
            raise ValueError(why)
        except ValueError:
            record = logging.makeLogRecord({
                "msg": "lane %s failed",
                "args": (number,),
                "pathname": "worker.py",
                "lineno": 7,
                "exc_info": sys.exc_info(),
            })
        return logging.Formatter().format(tracebacks.thin(record))

    first = write(1, "a disk")
    assert ("lane 1 failed" in first, "Traceback" in first) == (True, True)
    assert write(2, "a disk") == "lane 2 failed (as before: ValueError: a disk)"
    assert "Traceback" in write(2, "another")
    now = logs.TRACEBACK_AGAIN
    assert "Traceback" in write(2, "a disk")
    for number in range(2 * logs.MOST_ERRORS):
        write(0, str(number))
    assert len(tracebacks._written) <= logs.MOST_ERRORS


@pytest.mark.parametrize("style", ["json", "console"])
def test_the_same_error_of_another_lane_is_one_line(stream: io.StringIO, style: Literal["json", "console"]) -> None:
    logs.configure("info", style, [TOKEN], stream)
    for number in range(2):
        try:
            raise ValueError(f"no answer to {TOKEN}")
        except ValueError:
            logging.getLogger("ours").exception("lane %s failed", number)
    last = stream.getvalue().splitlines()[-1]
    assert f"lane 1 failed (as before: ValueError: no answer to {logs.BLANK})" in last
    assert stream.getvalue().count("Traceback") == 1


async def test_the_http_client_does_not_write_urls(stream: io.StringIO) -> None:
    logs.configure("info", "json", [TOKEN], stream)
    transport = httpx.MockTransport(lambda _: httpx.Response(404))
    async with httpx.AsyncClient(transport=transport) as client:
        answer = await client.get(f"https://host/bot{TOKEN}/getMe")
    assert stream.getvalue() == ""
    logging.getLogger("httpx").setLevel(logging.INFO)
    logging.getLogger("httpx").info("HTTP Request: %s %s", "GET", answer.request.url)
    assert ("HTTP Request" in stream.getvalue(), leaks(stream.getvalue(), TOKEN)) == (True, False)


def test_one_line_of_json_is_one_object(stream: io.StringIO) -> None:
    logs.configure("info", "json", [TOKEN], stream)
    structlog.get_logger("bot.app").info("sent", lane=7, text='zwei\nZeilen "x" ä')
    found = json.loads(stream.getvalue())
    assert {key: found[key] for key in ("event", "lane", "level", "logger", "text")} == {
        "event": "sent",
        "lane": 7,
        "level": "info",
        "logger": "bot.app",
        "text": 'zwei\nZeilen "x" ä',
    }


def test_a_redacted_line_is_still_json(stream: io.StringIO) -> None:
    logs.configure("info", "json", [KEY], stream)
    structlog.get_logger().info("sent", key=KEY)
    assert json.loads(stream.getvalue())["key"] == logs.BLANK


def test_lines_below_the_level_are_not_written(stream: io.StringIO) -> None:
    logs.configure("warning", "console", [], stream)
    structlog.get_logger().info("small talk")
    logging.getLogger("any").info("small talk")
    assert stream.getvalue() == ""


def test_configuring_again_does_not_write_twice(stream: io.StringIO) -> None:
    logs.configure("info", "json", [], io.StringIO())
    logs.configure("info", "json", [], stream)
    structlog.get_logger().info("once")
    assert stream.getvalue().count("once") == 1


def test_uncaught_exceptions_are_redacted(stream: io.StringIO) -> None:
    logs.configure("info", "json", [TOKEN], stream)
    error = RuntimeError(f"crash with {TOKEN}")
    sys.excepthook(type(error), error, None)
    written = stream.getvalue()
    assert ("RuntimeError" in written, leaks(written, TOKEN)) == (True, False)


def test_a_crash_shows_on_the_error_stream_when_the_log_is_elsewhere(
    stream: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("info", "json", [TOKEN], stream)
    error = RuntimeError(f"crash with {TOKEN}")
    sys.excepthook(type(error), error, None)
    shown = capsys.readouterr().err
    assert ("RuntimeError" in shown, leaks(shown, TOKEN)) == (True, False)


def test_a_crashing_thread_is_redacted(stream: io.StringIO) -> None:
    logs.configure("info", "json", [TOKEN], stream)
    thread = threading.Thread(target=lambda: int(TOKEN))
    thread.start()
    thread.join()
    written = stream.getvalue()
    assert ("ValueError" in written, leaks(written, TOKEN)) == (True, False)


async def test_an_exception_nobody_waits_for_is_redacted(stream: io.StringIO) -> None:
    logs.configure("info", "console", [TOKEN], stream)
    loop = asyncio.get_running_loop()
    logs.watch_loop(loop)
    loop.call_exception_handler({"message": f"lost {TOKEN}", "exception": ValueError(TOKEN)})
    loop.set_exception_handler(None)
    written = stream.getvalue()
    assert ("lost exception" in written, leaks(written, TOKEN)) == (True, False)


def test_warnings_are_redacted(stream: io.StringIO) -> None:
    logs.configure("info", "console", [TOKEN], stream)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)
        warnings.warn(f"old call with {TOKEN}", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(capture=False)
    written = stream.getvalue()
    assert ("old call" in written, leaks(written, TOKEN)) == (True, False)


def test_a_line_that_cannot_be_formatted_shows_no_arguments(
    stream: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("info", "json", [], stream)
    logging.getLogger("any").info("%d apples", KEY)
    written = stream.getvalue() + "".join(capsys.readouterr())
    assert ("could not be written" in written, leaks(written, KEY)) == (True, False)


class FullDisk(io.StringIO):
    """A stream of a disk that is full."""

    def write(self, text: str, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_ends_nothing() -> None:
    logs.configure("info", "json", [], FullDisk())
    logging.getLogger("any").warning("the disk is full")
    logging.getLogger("any").info("%d apples", "no")


def test_blanking_a_line_takes_microseconds() -> None:
    redactor = logs.Redactor([TOKEN, KEY, "another-secret-value"])
    line = json.dumps({"event": "sent", "lane": 7, "text": "an ordinary line of the log " * 10})
    start = time.process_time()
    for _ in range(1000):
        redactor.redact(line)
    assert time.process_time() - start < 1.0
