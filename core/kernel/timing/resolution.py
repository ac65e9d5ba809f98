"""What comes of resolving an expression: a schedule, perhaps another one that may be meant, or that there is none."""

from __future__ import annotations

from dataclasses import dataclass

from core.kernel.timing.schedule import Timed


class Impossible(ValueError):
    """No such time: a 31 February, a 25:00, a year beyond 9999. The message is for logs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was most likely meant, and the `other` thing it may mean."""

    schedule: Timed
    other: Timed | None = None
