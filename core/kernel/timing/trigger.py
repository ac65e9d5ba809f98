"""A trigger: something that is due, as all layers know it. Its rows belong to `core.scheduling.repository`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.kernel.types import LaneKey, Millis


class TriggerState(StrEnum):
    """Whether a trigger comes."""

    # It fires at its next time.
    ACTIVE = "active"
    # It rests, for its `reason`, until somebody or something brings it back.
    PAUSED = "paused"
    # It has no next time.
    DONE = "done"
    # It was taken away.
    CANCELLED = "cancelled"


# Not frozen: thousands come at once, and each would take three times as long.
@dataclass(slots=True)
class Trigger:
    """Something that is due once or again and again.

    `lane` is where it was made, `person_id` whose it is; `spec` is its schedule (core.kernel.timing), whose zone
    `follows` that of its person or group. `deliver` is what happens: a `message` is a reminder, a `task` is work of a
    Planner, a `brief` tells what is on, a `note` is said as it stands, under the key `link` if it has one, an `item`
    is put on the list that the words `todo_list` name. `late` is run, skip or a number of seconds. `made_by` is the
    role that made it; `depth` is one more than that of the trigger whose run made it. With `reminder_id` it brings
    that reminder again, for the `round`-th time (0: somebody put it off). One that `watches` has a condition for a
    spec, and ends at `next_at`. `silent` when nothing is said where all is as it was the last time; `timeout_s` and
    `trace_id` go to the tasks that come of it; it rests `cooldown_s` after each time. `tainted` when a run made it
    that had before it what others wrote. `files` are those by which its condition came true now: hostile, no column.
    """

    lane: LaneKey
    person_id: int
    deliver: str
    kind: str
    spec: str
    text: str
    next_at: Millis
    link: str = ""
    late: str = "run"
    depth: int = 0
    made_by: str = "person"
    reminder_id: int | None = None
    round: int = 0
    trigger_id: int = 0
    state: TriggerState = TriggerState.ACTIVE
    reason: str = ""
    epoch: int = 0
    last_at: Millis | None = None
    fired_at: Millis | None = None
    created_at: Millis = 0
    follows: bool = False
    everybody: bool = False
    until_done: bool = False
    watches: bool = False
    silent: bool = False
    tainted: bool = False
    todo_list: str | None = None
    timeout_s: int | None = None
    cooldown_s: int = 0
    trace_id: str = ""
    files: tuple[str, ...] = ()
