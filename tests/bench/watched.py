"""Our bot as a process, and a heart beside it that notes when its event loop was held up."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import time
from pathlib import Path

from bot.__main__ import main

BEAT = 0.005
WORTH_NOTING = 0.01


class Heart:
    """Beats on an event loop; `late` are pairs of the monotonic time of a beat and by how many seconds it was late."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.late: list[tuple[float, float]] = []
        self._loop = loop
        self._next()

    def _next(self) -> None:
        at = time.monotonic() + BEAT
        self._loop.call_at(at, self._beat, at)

    def _beat(self, at: float) -> None:
        now = time.monotonic()
        if now - at > WORTH_NOTING:
            self.late.append((now, now - at))
        self._next()


class Watched(asyncio.DefaultEventLoopPolicy):
    """Loops with a heart, whose record is written down at the end."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        """Make a loop whose heart beats."""
        loop = super().new_event_loop()
        heart, file = Heart(loop), Path(os.environ["BENCH_HEART"])
        atexit.register(lambda: file.write_text(json.dumps(heart.late)))
        return loop


if __name__ == "__main__":
    asyncio.set_event_loop_policy(Watched())
    main()
