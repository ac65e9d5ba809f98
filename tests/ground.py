"""What tests stand on: files in memory, and programs that are compiled once."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType

MEMORY = Path("/dev/shm")
ENOUGH = 2 << 30  # bytes


def prepare() -> None:
    """Set this process up, and those that it starts."""
    if "TMPDIR" not in os.environ and _serves(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # it is looked up anew
    # The console speaks the language of its terminal.
    os.environ["LC_ALL"] = "C.UTF-8"
    # Else every program that a test starts compiles all of its modules first, which takes longer than most tests.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # Where Python's own handler stands, each run of an event loop puts one of its own in its place, and Python 3.11
    # writes out all that the last one returned to find out whether that is a signal: a third of the time of many tests.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(number: int, frame: FrameType | None) -> None:
    signal.default_int_handler(number, frame)


def _serves(folder: Path) -> bool:
    """Whether a folder has room for thousands of small databases, and programs may be started from it."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ENOUGH and not found.f_flag & os.ST_NOEXEC
