"""The server for the operator's commands: a unix socket of the running bot that only its own user may open.

A request and its answer are one line of JSON each: {"command": "dead.show", "args": {"ref": "m4k9t2x"}} →
{"ok": true, "result": …} or {"ok": false, "error": "…"}.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from bot.cli.report import file_trouble
from core.kernel.background import cancel
from core.kernel.errors import StorageBusy, StorageError, TellerError
from core.kernel.types import Json

log = logging.getLogger(__name__)

NAME = "control.sock"
LONGEST_REQUEST = 65_536  # bytes
PATIENCE = 10.0  # seconds for a client to say its line, and to take the answer
CONNECT = 5.0
LONGEST_PATH = 100  # bytes; the address of a unix socket holds 104 to 108

Perform = Callable[[object, object], Awaitable[Json]]


class NotRunning(TellerError):
    """No bot listens on the socket."""


@asynccontextmanager
async def serving(folder: Path, perform: Perform) -> AsyncIterator[None]:
    """Answer commands while the context is open; raises `StorageBusy` when another bot does so in this folder."""
    clients = _Clients(perform)
    listening = _listen(folder)
    server = await asyncio.start_unix_server(clients.welcome, sock=listening, limit=LONGEST_REQUEST)
    try:
        yield
    finally:
        # On a disk that can be written no more it stays: the next start takes it for what a killed bot left.
        with contextlib.suppress(OSError):
            (folder / NAME).unlink(missing_ok=True)
        server.close()
        await clients.close()


class _Clients:
    """Serves clients one task each; garbage, silence and vanishing end that client only."""

    def __init__(self, perform: Perform) -> None:
        self._perform = perform
        self._clients: set[asyncio.Task[Any]] = set()

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            while await self._exchange(reader, writer):
                await writer.drain()
        except asyncio.CancelledError:
            log.debug("a command was cut off by the stop")
        except (OSError, TimeoutError) as error:
            log.info("a client of the control socket is gone: %s", type(error).__name__)
        finally:
            self._clients.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; False at the end of the conversation."""
        try:
            async with asyncio.timeout(PATIENCE):
                line = await reader.readline()
        except ValueError:
            line, answer = b"", {"ok": False, "error": f"The request is longer than {LONGEST_REQUEST} bytes."}
        else:
            answer = await self._answer(line) if line else {}
        if answer:
            writer.write(json.dumps(answer).encode() + b"\n")
            async with asyncio.timeout(PATIENCE):
                await writer.drain()
        return line.endswith(b"\n")

    async def _answer(self, line: bytes) -> dict[str, Json]:
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError("no object")
        except (ValueError, RecursionError):
            return {"ok": False, "error": "The request is no JSON object."}
        try:
            return {"ok": True, "result": await self._perform(request.get("command"), request.get("args", {}))}
        except TellerError as error:
            return {"ok": False, "error": str(error)}
        except Exception as error:
            log.exception("a command failed: %.40s", request.get("command"))
            if isinstance(error, OSError) and error.filename is not None:
                return {"ok": False, "error": file_trouble(error)}
            return {"ok": False, "error": "The command failed by a bug; the log of the bot tells more."}

    async def close(self) -> None:
        """End all conversations."""
        await cancel(self._clients)


def _listen(folder: Path) -> socket.socket:
    try:
        _connect(folder, CONNECT).close()
    except NotRunning:
        # A killed bot may have left its socket.
        try:
            (folder / NAME).unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{folder / NAME} is in the way: {error.strerror}. Move it away.") from error
    else:
        raise StorageBusy(f"Another Teller is running in {folder}. Stop it first, or give this one its own data_dir.")
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        with _address(folder) as address:
            found.bind(address)
        found.listen(16)
    except OSError as error:
        found.close()
        raise TellerError(f"The control socket cannot be opened in {folder}: {error.strerror or error}") from error
    finally:
        os.umask(before)
    return found


@contextmanager
def _address(folder: Path) -> Iterator[str]:
    """An address of the socket that is short enough, however long the folder's path is."""
    plain = str(folder / NAME)
    if len(os.fsencode(plain)) <= LONGEST_PATH:
        yield plain
    elif not sys.platform.startswith("linux"):
        raise TellerError(f"The path {plain} is too long for a socket; choose a shorter data_dir.")
    else:
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        try:
            yield f"/proc/self/fd/{descriptor}/{NAME}"
        finally:
            os.close(descriptor)


def _connect(folder: Path, seconds: float) -> socket.socket:
    # Unlike that of pathlib this says no of what may not be looked at; opening the data then says why not.
    if os.path.islink(folder / NAME):
        raise NotRunning(f"No Teller is running in {folder}.")
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    found.settimeout(seconds)
    try:
        with _address(folder) as address:
            found.connect(address)
    except TimeoutError as error:
        found.close()
        raise TellerError("The running bot does not answer.") from error
    except OSError as error:
        found.close()
        raise NotRunning(f"No Teller is running in {folder}.") from error
    return found


def ask(folder: Path, command: str, args: dict[str, Json], seconds: float) -> Json:
    """Have the bot that runs in `folder` carry out a command, and wait up to `seconds` for the result.

    Raises `NotRunning`, or `TellerError` with the bot's own words.
    """
    with contextlib.closing(_connect(folder, CONNECT)) as connection:
        try:
            connection.settimeout(seconds)
            connection.sendall(json.dumps({"command": command, "args": args}).encode() + b"\n")
            with connection.makefile("rb") as lines:
                answer = json.loads(lines.readline() or b"null")
        except TimeoutError as error:
            raise TellerError(f"The running bot did not answer within {seconds:.0f} s.") from error
        except (OSError, ValueError) as error:
            raise TellerError("The running bot hung up.") from error
    if not isinstance(answer, dict):
        raise TellerError("The running bot hung up.")
    if not answer.get("ok"):
        raise TellerError(str(answer.get("error")))
    return answer.get("result")
