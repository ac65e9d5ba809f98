"""The side of the bot: starts a process for one piece of work, and ends it, with all that it started."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.kernel.types import Json
from core.toolkit.apart.child import Refusal

SECONDS, MOST_ANSWER = 20.0, 24 << 20
# Where this very code lies: the child finds it though its environment is empty.
_HERE = str(Path(__file__).resolve().parents[3])


async def do_apart(module: str, options: Mapping[str, Json], body: bytes, seconds: float = SECONDS) -> Any:
    """Have the function `main` of a module work on a body; return what it tells.

    Raises `Refusal`: what the work refuses, `bomb` for more memory or depth than there is, `slow` for more time,
    `damaged` where the process died of what it read.
    """
    start = f"import sys; sys.path.insert(0, {_HERE!r}); from {module} import main; main()"
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-B", "-c", start),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
        start_new_session=True,
        limit=MOST_ANSWER,
    )
    try:
        async with asyncio.timeout(seconds):
            told, _ = await child.communicate(json.dumps(options).encode() + b"\n" + body)
    except TimeoutError:
        raise Refusal("slow") from None
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            await child.wait()
    if child.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        raise Refusal("slow")
    if child.returncode == -signal.SIGABRT:
        # So libraries in C end where they get no more memory.
        raise Refusal("bomb", "memory")
    try:
        answer = json.loads(told)
    except ValueError:
        raise Refusal("damaged", f"exit {child.returncode}") from None
    if "problem" in answer:
        raise Refusal(str(answer["problem"]), str(answer["detail"]))
    return answer["done"]
