"""Scripted misfortune, shared by all emulators."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Fault:
    """One scripted misfortune.

    ``kind`` is a status ("429", "502"…), "cut", "slow", "hang" or "garbage". With the suffix ``_after`` the request
    takes effect and only its answer suffers; without it, or with ``_before``, nothing happens at all.
    "slow" is the exception: it delays the effect, "slow_after" the answer. ``after`` matching requests
    pass first, then ``times`` are hit. ``delay`` is in seconds, unless it lasts ``until`` something happens;
    ``retry_after`` may be any text.
    """

    kind: str
    method: str | None = None
    chat: int | str | None = None
    times: int = 1
    after: int = 0
    retry_after: int | float | str | None = None
    delay: float = 1.0
    until: asyncio.Event | None = None
    description: str | None = None

    @property
    def base(self) -> str:
        """The kind without its suffix."""
        return self.kind.removesuffix("_after").removesuffix("_before")

    async def wait(self) -> None:
        """Be as slow as it says."""
        await (self.until.wait() if self.until else asyncio.sleep(self.delay))

    @property
    def late(self) -> bool:
        """Whether the request takes effect before the misfortune."""
        return self.kind.endswith("_after")


class FaultScript:
    """Faults in the order in which they were added; a request meets at most one."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self._kinds = frozenset(kinds)
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        """Append *fault*; raise ``ValueError`` for a kind this emulator does not know."""
        if fault.base not in self._kinds:
            raise ValueError(f"unknown fault {fault.kind!r}, known: {sorted(self._kinds)}")
        self._faults.append(fault)
        return fault

    def clear(self) -> None:
        """Forget all faults."""
        self._faults.clear()

    def take(self, method: str, chat: int | str | None) -> Fault | None:
        """Return the fault that this request meets, and count it."""
        for fault in self._faults:
            if fault.method not in (None, method) or fault.chat not in (None, chat):
                continue
            if fault.after > 0:
                fault.after -= 1
            elif fault.times > 0:
                fault.times -= 1
                return fault
        return None
