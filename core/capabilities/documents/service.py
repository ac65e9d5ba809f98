"""Reads documents in processes of their own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.readers.found import Unreadable

SECONDS, MOST_BYTES, MOST_ANSWER, AT_ONCE = 20.0, 32 << 20, 24 << 20, 2
# Where this very code lies: the child finds it though its environment is empty.
_HERE = str(Path(__file__).resolve().parents[3])
_START = f"import sys; sys.path.insert(0, {_HERE!r}); from core.capabilities.documents.child import main; main()"


class Documents:
    """Gives the text of documents, a few at once. What does not end is killed, with all that it started."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._free = asyncio.Semaphore(AT_ONCE)

    async def read(
        self, body: bytes, name: str = "", media_type: str = "", *, charset: str = "", url: str = ""
    ) -> DocumentText:
        """Return what stands in a document; raises `core.capabilities.documents.readers.found.Unreadable`."""
        if len(body) > MOST_BYTES:
            raise Unreadable("huge")
        options = {"name": name[-200:], "media_type": media_type, "charset": charset[:40], "url": url}
        async with self._free:
            answer = await self._ask(json.dumps(options).encode() + b"\n" + body)
        if "problem" in answer:
            raise Unreadable(str(answer["problem"]), str(answer["detail"]))
        return DocumentText(**answer)

    async def _ask(self, request: bytes) -> dict[str, Any]:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-B", "-c", _START),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},
            start_new_session=True,
            limit=MOST_ANSWER,
        )
        try:
            async with asyncio.timeout(self._seconds):
                told, _ = await child.communicate(request)
        except TimeoutError:
            raise Unreadable("slow") from None
        finally:
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                await child.wait()
        if child.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
            raise Unreadable("slow")
        try:
            answer: dict[str, Any] = json.loads(told)
        except ValueError:
            # It died of what it read: of a limit, or of a fault in a library.
            raise Unreadable("damaged", f"exit {child.returncode}") from None
        return answer
