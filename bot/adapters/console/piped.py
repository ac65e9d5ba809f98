"""Piped input: one line is one message, answers are plain lines."""

from __future__ import annotations

import asyncio
import codecs
import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from bot.adapters.console.screen import encodable

CHUNK_BYTES = 65_536


class PipedScreen:
    """Reads a file or pipe in a thread; the thread never keeps the process alive."""

    patient = False

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._descriptor = stdin.fileno()
        self._stdout = stdout
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._lines: deque[str] = deque()
        self._rest = ""
        self._ended = False

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Nothing to hold."""
        yield

    async def read(self, suggestion: str = "") -> str | None:
        """Return the next line, or None at the end; a last line needs no line feed."""
        while not self._lines and not self._ended:
            loop = asyncio.get_running_loop()
            done: asyncio.Future[bytes] = loop.create_future()
            # A thread of our own: the loop's pool would wait for it at the end, perhaps for ever. Its own descriptor
            # too: the number of a closed one may soon be another file's.
            descriptor = os.dup(self._descriptor)
            threading.Thread(target=_read, args=(descriptor, loop, done), name="console", daemon=True).start()
            chunk = await done
            self._ended = not chunk
            *lines, self._rest = (self._rest + self._decoder.decode(chunk, final=self._ended)).split("\n")
            self._lines += lines
            if self._ended and self._rest:
                self._lines.append(self._rest)
        return self._lines.popleft() if self._lines else None

    def forget(self) -> None:
        """Nothing is kept."""

    def show(self, text: str, speaker: str = "teller> ") -> None:
        """Print the text after `speaker`, further lines below its beginning."""
        lines = encodable(text, self._stdout).split("\n")
        self._stdout.write(speaker + ("\n" + " " * len(speaker)).join(lines) + "\n")
        self._stdout.flush()

    def typing(self) -> None:
        """Say nothing: the output is for a program."""


def _read(descriptor: int, loop: asyncio.AbstractEventLoop, done: asyncio.Future[bytes]) -> None:
    try:
        chunk = os.read(descriptor, CHUNK_BYTES)
    except OSError:
        # A terminal that hung up, or a descriptor closed at the end: there is no more input.
        chunk = b""
    finally:
        os.close(descriptor)
    # A loop that is closed has nobody left who waits.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(_hand_over, done, chunk)


def _hand_over(done: asyncio.Future[bytes], chunk: bytes) -> None:
    if not done.done():
        done.set_result(chunk)
