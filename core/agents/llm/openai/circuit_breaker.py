"""A circuit breaker, so that many chats don't each wait for the same time-out."""

from __future__ import annotations

from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Clock


class Circuit:
    """Closed while calls succeed. After a failure calls fail at once; every `probe_seconds` one is let through."""

    def __init__(self, clock: Clock, probe_seconds: float) -> None:
        self._clock = clock
        self._probe_seconds = probe_seconds
        self._probe_at: float | None = None

    @property
    def closed(self) -> bool:
        """Whether the last call succeeded (or none was made)."""
        return self._probe_at is None

    @property
    def wait(self) -> float:
        """Seconds until a call will be let through; 0 when one may come now."""
        return 0.0 if self._probe_at is None else max(0.0, self._probe_at - self._clock.monotonic())

    def enter(self) -> None:
        """Let a call through or raise `ModelUnreachable`. A probe makes the others wait for its outcome."""
        if self._probe_at is None:
            return
        if self.wait > 0:
            raise ModelUnreachable(f"The model did not answer a moment ago; the next try is in {self.wait:.0f} s.")
        self.failed()

    def failed(self) -> None:
        """Open for `probe_seconds` from now."""
        self._probe_at = self._clock.monotonic() + self._probe_seconds

    def succeeded(self) -> None:
        """Close."""
        self._probe_at = None
