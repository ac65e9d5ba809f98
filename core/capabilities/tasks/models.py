"""What is configured of work in the background, and what comes of what people do with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.kernel.types import MINUTE, Millis, Role


@dataclass(frozen=True, kw_only=True)
class TaskSettings:
    """The limits of work in the background: so many `planners` and `workers` are at work at once, and one task has
    `most_workers` in all, `most_tokens`, and `most_cost` in millionths of a dollar (None is no limit). `owner` is the
    name that leases carry, for `ttl` ms; `at_work` are the tasks whose leases are to be renewed."""

    owner: str
    planners: int = 2
    workers: int = 3
    most_workers: int = 5
    most_tokens: int | None = None
    most_cost: int | None = None
    ttl: Millis = MINUTE
    at_work: set[int] = field(default_factory=set)

    def slots(self, role: Role) -> int:
        """Return how many tasks of a role are worked on at once."""
        return self.planners if role is Role.PLANNER else self.workers


@dataclass(frozen=True, kw_only=True)
class TaskStopped:
    """What came of a wish to stop a task: whether there was one that is open, and whether what
    had happened is said `elsewhere`: in the chat where it was asked for."""

    success: bool
    task_id: str = ""
    elsewhere: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskTold:
    """Whether there was an open task to tell something, and whether that answered what it had asked."""

    success: bool
    answered: bool = False
