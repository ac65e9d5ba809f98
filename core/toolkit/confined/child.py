"""The side of the confined process, which does the work.

It begins by giving up everything that it does not need: its memory and time are limited, it can write no file and start
no process, and where the kernel has Landlock it can open nothing but code. Its environment is empty. It gets one line
of JSON and a body on its standard input, and writes one line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.toolkit.confined import landlock

_HERE = str(Path(__file__).resolve().parents[3])
# What code may be loaded from, beside Python's own folders; and zones.
_LIBRARIES = (f"{sys.base_prefix}/lib", "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a confined process may use: bytes of `memory`, `seconds` of a processor, so many open `files`, and `threads`
    or none. Beside code it may read `paths`, and the folders that its options name under the keys `folders`."""

    memory: int = 768 << 20
    seconds: int = 8
    files: int = 64
    threads: bool = False
    paths: Iterable[str] = ()
    folders: Iterable[str] = ()


_USUAL = Limits()


class Refusal(Exception):
    """The work cannot be done; the other side gets the code, and a detail that may be empty."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


def limit(limits: Limits, readable: Iterable[str] = ()) -> None:
    """Set the limits of this process, for good; a limit that the system does not know is left out."""
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_CORE, 0),
        *([] if limits.threads else [(resource.RLIMIT_NPROC, 0)]),
    ):
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):
            sys.stderr.write(f"the limit {what} is not set\n")
    # The folder that this code lies in may have the bot's own data beside it.
    packages = (one for one in sys.path if one != _HERE or one.endswith("site-packages"))
    landlock.confine((*packages, str(Path(_HERE, "core")), *_LIBRARIES, *limits.paths, *readable))


def serve(work: Callable[..., Any], limits: Limits = _USUAL) -> None:
    """Do `work` with the body and the options that come in, and write its result as JSON. The options are the bot's
    own; the body is read only after the limits are set."""
    options = json.loads(sys.stdin.buffer.readline())
    limit(limits, [options[name] for name in limits.folders])
    body = sys.stdin.buffer.read()
    try:
        answer = {"done": work(body, **options)}
    except Refusal as refusal:
        answer = {"problem": refusal.code, "detail": refusal.detail}
    except MemoryError:
        answer = {"problem": "bomb", "detail": "memory"}
    except RecursionError:
        answer = {"problem": "bomb", "detail": "depth"}
    # Whatever a library has printed stands before the last line.
    sys.stdout.write(f"\n{json.dumps(answer)}")
    sys.stdout.flush()
    # Python would take apart all that is loaded.
    os._exit(0)
