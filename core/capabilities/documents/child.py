"""The process that reads one document, and ends. What it reads may be made to harm whoever reads it.

It begins by taking everything from itself that it does not need: it may use so much memory and time, write no file and
open no more than it has open. Its environment is empty. It gets one line of JSON and the document on its standard
input, and writes one line of JSON.
"""

from __future__ import annotations

import json
import resource
import sys
from dataclasses import asdict

from core.capabilities.documents.readers.any import read
from core.capabilities.documents.readers.found import Unreadable

MEMORY, SECONDS, OPEN_FILES = 768 << 20, 8, 64


def limit() -> None:
    """Take what a reader does not need; a system that knows no such limit has none."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):
            sys.stderr.write(f"the limit {what} is not set\n")


def main() -> None:
    """Read what stands on the standard input."""
    limit()
    options = json.loads(sys.stdin.buffer.readline())
    body = sys.stdin.buffer.read()
    try:
        answer = asdict(read(body, **options))
    except Unreadable as problem:
        answer = {"problem": problem.code, "detail": problem.detail}
    except MemoryError:
        answer = {"problem": "bomb", "detail": "memory"}
    except RecursionError:
        answer = {"problem": "bomb", "detail": "depth"}
    sys.stdout.write(json.dumps(answer))
