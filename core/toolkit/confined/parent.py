"""The side of the bot: it starts a confined process for one piece of work, and ends it with all that it started."""

from __future__ import annotations

import asyncio
import compileall
import json
import logging
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from core.kernel.types import Json
from core.toolkit.confined.child import Refusal

log = logging.getLogger(__name__)

SECONDS, MOST_ANSWER = 20.0, 24 << 20
# So many bytes of its output are read at a time.
_PIECE = 1 << 16
# Where this very code lies: the child finds it though its environment is empty.
_HERE = str(Path(__file__).resolve().parents[3])


async def run_confined(module: str, options: Mapping[str, Json], body: bytes, seconds: float = SECONDS) -> Any:
    """Have the function `main` of a module work on a body, in a confined process; return its result.

    Raises `Refusal`: with the code of the work itself, `bomb` for too much memory, depth or output, `slow` for too much
    time, `damaged` when the process died of what it read.
    """
    await asyncio.to_thread(_compile, Path(_HERE, *module.split(".")[:-1]))
    start = f"import sys; sys.path.insert(0, {_HERE!r}); from {module} import main; main()"
    try:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-B", "-c", start),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},
            start_new_session=True,
        )
    except OSError as error:
        log.error("no process can be started to read what others wrote: %s", error)
        raise Refusal("slow", "no process") from error
    try:
        async with asyncio.timeout(seconds):
            told = await _talk(child, json.dumps(options).encode() + b"\n" + body)
    except TimeoutError:
        raise Refusal("slow") from None
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        # A pipe that is full is not looked at, and until it has ended nobody is told that the process has.
        await child.communicate()
    if child.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        raise Refusal("slow")
    if child.returncode == -signal.SIGABRT:
        # So libraries in C end where they get no more memory.
        raise Refusal("bomb", "memory")
    try:
        answer = json.loads(told.rpartition(b"\n")[2])
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or not {"problem", "done"} & answer.keys():
        raise Refusal("damaged", f"exit {child.returncode}")
    if "problem" in answer:
        raise Refusal(str(answer["problem"]), str(answer["detail"]))
    return answer["done"]


@cache
def _compile(package: Path) -> None:
    """Compile the modules of a package, for the process that loads them may write nothing: it would do so each time."""
    if not sys.dont_write_bytecode:
        compileall.compile_dir(package, quiet=2)


async def _talk(child: asyncio.subprocess.Process, said: bytes) -> bytes:
    """Send bytes to a process and return all of its output; raises `Refusal` when that is too much."""
    assert child.stdin is not None
    assert child.stdout is not None
    # A process that has ended hears nothing; why, its code says.
    with suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(said)
        await child.stdin.drain()
        child.stdin.close()
    told = bytearray()
    while piece := await child.stdout.read(_PIECE):
        told += piece
        if len(told) > MOST_ANSWER:
            raise Refusal("bomb", "output")
    await child.wait()
    return bytes(told)
