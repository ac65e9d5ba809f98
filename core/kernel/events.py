"""Facts in the past tense, and the bus that tells them to whoever subscribed."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from core.kernel.types import Json

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallRequested:
    """A tool call passed the door (seed 004: TOOL_CALL_REQUESTED)."""

    run_id: int
    tool_name: str
    params: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallCompleted:
    """A tool call succeeded (seed 004: TOOL_CALL_COMPLETED)."""

    run_id: int
    tool_name: str
    result: Json
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallFailed:
    """A tool call failed (seed 004: TOOL_CALL_FAILED)."""

    run_id: int
    tool_name: str
    error: str
    duration_ms: int


E_ = TypeVar("E_")


class EventBus:
    """In-process and synchronous: a subscriber that fails is logged and never stops the publisher."""

    def __init__(self) -> None:
        self._subscribers: dict[type, list[Callable[[Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[E_], call: Callable[[E_], None]) -> None:
        """Tell `call` every event of class `kind` from now on."""
        self._subscribers[kind].append(call)

    def publish(self, event: object) -> None:
        """Tell `event` to the subscribers of its class, in the order they subscribed."""
        for call in self._subscribers.get(type(event), ()):
            try:
                call(event)
            except Exception:
                log.exception("event subscriber failed: %s", type(event).__name__)
