"""Ports for servers of a test: of those that the system gives to nobody by itself."""

from __future__ import annotations

import itertools
import os
import socket
from contextlib import closing

# The system gives out ports from 32768 on (from 1024 on some): another test would get one that was only looked up.
FIRST, A_PROCESS, PROCESSES = 10_000, 20, 1_000
_numbers = itertools.cycle(range(A_PROCESS))


def free_port() -> int:
    """Return a port that nothing listens on now, and that no other process of the tests takes."""
    for _ in range(A_PROCESS):
        number = FIRST + os.getpid() % PROCESSES * A_PROCESS + next(_numbers)
        with closing(socket.socket()) as found:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                found.bind(("127.0.0.1", number))
            except OSError:
                continue
            return number
    raise RuntimeError("no port is free")
