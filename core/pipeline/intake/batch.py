"""What comes of updates while they are accepted, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Updates being accepted in one transaction. What needs a lane's lock waits for all locks to be taken together.

    `away` counts what strangers wrote, `shown` is what whoever pressed sees (by the update's key), `work` are the lanes
    that have work now, and `later` is what is done for a lane once it is locked.
    """

    tx: Tx
    tenant_id: int
    now: Millis
    away: Counter[str] = field(default_factory=Counter)
    shown: dict[str, str] = field(default_factory=dict)
    work: dict[int, None] = field(default_factory=dict)
    later: list[tuple[LaneKey, Callable[[], None]]] = field(default_factory=list)
