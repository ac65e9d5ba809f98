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
    """Something that is due once or again and again. The repository reads its fields in the order they have here."""

    # Where it was made, and whose it is.
    lane: LaneKey
    person_id: int
    # What happens when it is due (`Deliver` in core.scheduling.repository).
    deliver: str
    # How often it is due (`TriggerKind` there), and its schedule as a line (core.kernel.timing.schedule).
    kind: str
    spec: str
    text: str
    next_at: Millis
    # Of a reminder the address of the message that it is about, of a note the key under which it is sent.
    link: str = ""
    # What becomes of it when it is late: run, skip, or a number of seconds up to which it still comes.
    late: str = "run"
    # One more than that of the trigger whose run made it.
    depth: int = 0
    # The role that made it.
    made_by: str = "person"
    # The reminder that it brings again, for the `round`-th time (0: somebody put it off).
    reminder_id: int | None = None
    round: int = 0
    trigger_id: int = 0
    state: TriggerState = TriggerState.ACTIVE
    # Why it rests, or was ended.
    reason: str = ""
    # One more each time it is fired.
    epoch: int = 0
    # When it was due the last time, and when it was fired.
    last_at: Millis | None = None
    fired_at: Millis | None = None
    created_at: Millis = 0
    # Whether the zone of its schedule changes with that of its person or group.
    follows: bool = False
    # Whether it is for everybody in its group.
    everybody: bool = False
    # Whether its reminder comes again until that is done.
    until_done: bool = False
    # Whether its schedule is a condition; it ends at `next_at` then.
    watches: bool = False
    # Whether nothing is said where all is as it was the last time.
    silent: bool = False
    # Whether a run made it that had before it what others wrote.
    tainted: bool = False
    # The words that name the list on which an item is put.
    todo_list: str | None = None
    # How long the tasks that come of it may take.
    timeout_s: int | None = None
    # How long it rests after each time.
    cooldown_s: int = 0
    # What the traces of its tasks begin with.
    trace_id: str = ""
    # The files by which its condition came true now, and how many others there were: hostile, and no columns.
    files: tuple[str, ...] = ()
    more_files: int = 0
