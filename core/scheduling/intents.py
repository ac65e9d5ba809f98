"""What a button or a text asks of something that is scheduled, by its id: who shows it need not know who does it.

Each returns an intent; what is done for these names is registered by the capability that keeps what is scheduled.
"""

from __future__ import annotations

from core.kernel.intent import Intent

MOVE, CANCEL, SKIP, PAUSE, RESUME = (
    "schedules.move",
    "schedules.cancel",
    "schedules.skip",
    "schedules.pause",
    "schedules.resume",
)


def move(schedule: str, time: str = "") -> Intent:
    """Give it another time; without one it is asked for."""
    return Intent(MOVE, {"schedule": schedule, "time": time})


def cancel(schedule: str) -> Intent:
    """Stop it. Words that name it do in the place of its id."""
    return Intent(CANCEL, {"schedule": schedule})


def skip(schedule: str) -> Intent:
    """Leave out its next time."""
    return Intent(SKIP, {"schedule": schedule})


def pause(schedule: str) -> Intent:
    """Let it rest; until when is asked for."""
    return Intent(PAUSE, {"schedule": schedule, "until": ""})


def resume(schedule: str) -> Intent:
    """Let it go on."""
    return Intent(RESUME, {"schedule": schedule})
