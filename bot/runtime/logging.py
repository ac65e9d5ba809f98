"""Logs: everything goes through one handler, whose formatter blanks secrets in the finished text.

A filter on a logger or a handler is not enough: it never sees tracebacks, nor what other libraries make of a URL.
So the last step works on the final string: known values in every form they are usually carried in (raw, URL-quoted,
JSON-escaped, base64 at any offset), and the patterns of platform tokens nobody told us about.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Literal, TextIO
from urllib.parse import quote, quote_plus

import structlog

from core.kernel import secret_words

BLANK = "[secret]"
# Shorter values would blank half of every line; a real secret is longer.
SHORTEST = 6
# After how many seconds the traceback of an error that goes on is written again, and of how many errors that is known.
TRACEBACK_AGAIN, MOST_ERRORS = 3600.0, 500
PATTERNS = (
    r"\d{6,}(?::|%3[Aa])[A-Za-z0-9_-]{30,}",  # Telegram bot token, also as a part of a URL
    r"sk-[A-Za-z0-9_-]{16,}",  # OpenAI and those who copy its form
    r"(?:xoxe\.)?xox[a-z]-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}",  # Slack
    secret_words.SHAPE.pattern,  # addresses of hooks and of feeds, and what signs for hooks
    # Slack's addresses that let whoever has them answer (response_url), or listen (Socket Mode).
    r"hooks\.slack(?:-gov)?\.com(?:\\*/|%2[Ff])[^\s\"'<>]+|(?<=[?&]ticket=)[^\s&\"'<>]{6,}",
)
# These write whole URLs, bodies or one line a job at INFO.
NOISY = (
    *("httpx", "httpx2", "httpcore", "httpcore2", "openai", "telegram", "apscheduler", "asyncio", "uvicorn.access"),
    *("aiohttp", "slack_bolt", "slack_sdk"),
)


class Redactor:
    """Blanks secrets in text; one compiled expression, so a line costs microseconds."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        # Longest first: a form must not be cut short by another that is its beginning.
        forms = {form for secret in secrets for form in _forms(secret) if len(form) >= SHORTEST}
        known = sorted(forms, key=len, reverse=True)
        self._secret = re.compile("|".join([*map(re.escape, known), *PATTERNS]))

    def redact(self, text: str) -> str:
        """Return the text with every secret replaced by BLANK."""
        return self._secret.sub(BLANK, text)


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret in every form in which it is usually carried."""
    if len(secret) < SHORTEST:
        return
    yield secret
    for quoted in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield quoted
        yield re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), quoted)
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield repr(secret)[1:-1]
    # What base64 makes of the bytes at each of the three offsets, without what its neighbours decide.
    raw = secret.encode()
    for offset in range(3):
        # Of four characters for three bytes, those that carry bits of unknown neighbours are left out.
        whole = base64.b64encode(bytes(offset) + raw).decode().rstrip("=")
        first = (0, 2, 3)[offset]
        last = len(whole) - (1 if (offset + len(raw)) % 3 else 0)
        yield whole[first:last]
        yield whole[first:last].replace("+", "-").replace("/", "_")


class Tracebacks:
    """Knows which errors were written with their traceback: one that comes again and again has it once an hour."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic, self._written = monotonic, dict[tuple[object, ...], float]()

    def thin(self, record: logging.LogRecord) -> logging.LogRecord:
        """Return the record, without the traceback where that was written lately: then its message has the error."""
        error, trace = record.exc_info[1:] if record.exc_info else (None, None)
        if error is None or isinstance(record.msg, dict):
            return record
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = None if trace is None else (trace.tb_frame.f_code, trace.tb_lineno)
        told = "".join(traceback.format_exception_only(error)).strip()
        key, now = (record.pathname, record.lineno, told, place), self._monotonic()
        if key in self._written and now - self._written[key] < TRACEBACK_AGAIN:
            message = f"{record.getMessage()} (as before: {told})"
            return logging.makeLogRecord({**vars(record), "msg": message, "args": (), "exc_info": None})
        if len(self._written) >= MOST_ERRORS:
            self._written.clear()
        self._written[key] = now
        return record


class RedactingFormatter(structlog.stdlib.ProcessorFormatter):
    """Formats a record completely, traceback included, then blanks secrets."""

    def __init__(self, redactor: Redactor, **options: Any) -> None:
        super().__init__(**options)
        self._redactor, self._tracebacks = redactor, Tracebacks()

    def format(self, record: logging.LogRecord) -> str:
        """Return the line as it may be written."""
        return self._redactor.redact(super().format(self._tracebacks.thin(record)))


class _Handler(logging.StreamHandler[TextIO]):
    """The one way out, for lines that cannot be formatted too."""

    def handleError(self, record: logging.LogRecord) -> None:
        # The standard library would print the arguments raw. Never format them again here: they may be what failed.
        # Where the stream is what failed, as on a full disk, this line is lost with the other: no log ends the program.
        with suppress(OSError):
            place = f"{record.name} at {record.pathname}:{record.lineno}"
            self.stream.write(f"a log line of {place} could not be written\n")


def configure(
    level: str = "info",
    format: Literal["auto", "json", "console"] = "auto",
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
) -> Redactor:
    """Send all logs, warnings and uncaught exceptions as redacted lines to `stream` (default: the error stream).

    Returns the redactor, for rooms that write text elsewhere. May be called again; the last call holds.
    """
    out = stream or sys.stderr
    redactor = Redactor(secrets)
    handler = _Handler(out)
    last: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if format == "json" or (format == "auto" and not out.isatty()):
        last += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    else:
        last += [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    handler.setFormatter(RedactingFormatter(redactor, processors=last, foreign_pre_chain=_shared()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    _wire_structlog(level)
    logging.captureWarnings(capture=True)
    sys.excepthook = partial(_uncaught, out)
    threading.excepthook = lambda args: _log_crash(args.exc_type, args.exc_value, args.exc_traceback)
    sys.unraisablehook = lambda args: _log_crash(args.exc_type, args.exc_value, args.exc_traceback)
    return redactor


def _shared() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _wire_structlog(level: str) -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        # Not cached, so that a second `configure` reaches loggers that exist already.
        cache_logger_on_first_use=False,
    )


def _uncaught(out: TextIO, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    _log_crash(kind, error, trace)
    if out is not sys.stderr:
        # Not the error's own text: it may hold anything. The log's is redacted.
        place = getattr(out, "name", "elsewhere")
        sys.stderr.write(f"teller: ended by an error of its own ({kind.__name__}); the log has it: {place}\n")


def _log_crash(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    logging.getLogger("teller").critical("uncaught", exc_info=(kind, error or kind(), trace))


def watch_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Send exceptions that no task waits for through the logs too."""
    log = logging.getLogger("teller")
    loop.set_exception_handler(
        lambda _, context: log.error("lost exception: %s", context["message"], exc_info=context.get("exception"))
    )
