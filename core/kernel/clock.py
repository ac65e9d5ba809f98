"""The real clock."""

from __future__ import annotations

import asyncio
import time

from core.kernel.types import Millis


class SystemClock:
    """Time from the operating system."""

    def now(self) -> Millis:
        """Wall clock, unix milliseconds UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds since some fixed point."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
