"""Three everyday requests on each preset: how often the model is asked, and how long it takes until all is told."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.evals.player import Manner, play
from tests.evals.scenario import Scenario

# How long a model takes for a call, in seconds.
LATENCY = 0.3
PRESETS = ("assistant", "strict")
REMINDER = {"at": "2030-01-10T09:00", "text": "dentist"}
# What is asked, and what a model does by itself or as a planner; with what must have come of it.
REQUESTS: Sequence[tuple[str, str, Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]] = (
    (
        "a reminder",
        "hm, I have that dentist thing, tomorrow at nine, could you see to it?",
        {"remind": {"text": "dentist", "when": "tomorrow at nine"}},
        {"schedule": {"prompt": "dentist", "type": "scheduled", "run_at": "2030-01-10T09:00", "deliver": "message"}},
        {"reminders": [REMINDER]},
    ),
    (
        "something for the list",
        "oh and we have run out of milk again, make a note of that so I buy some",
        {"todo": {"add": ["milk"]}},
        {"todo_update": {"action": "add", "content": "milk", "people": []}},
        {"todos": [{"text": "milk"}]},
    ),
    (
        "a look at the list",
        "hm, what was it again that I wanted to see to at some point?",
        {"show": {"what": "todos"}},
        {"todo_list": {}},
        {},
    ),
)


def request(preset: str, number: int) -> Scenario:
    """Return a request as a conversation: of the assistant that does it by itself, or of the Teller that delegates."""
    _, says, own, planned, rows = REQUESTS[number]
    told: dict[str, Any] = {"about": "an everyday request", "settings": {"ROLES__PRESET": preset}, **rows}
    if preset == "assistant":
        return Scenario.model_validate(told | {"turns": [{"says": says, "model": [own], "shows": ["*"]}]})
    model = [{"delegate": {"prompt": f"Do this: {says}"}}, "I see to it."]
    turn = {"says": says, "model": model, "tells": ["It is seen to."], "shows": ["~I see to it", "~is seen to"]}
    background = {"Do this": [planned, "It is done."]}
    return Scenario.model_validate(told | {"turns": [turn], "background": background, "tasks": [{"text": "Do this"}]})


async def measure() -> str:
    """Play each request on each preset; the calls, and the seconds until the last message of it was shown."""
    lines = [f"{'(a model takes 300 ms a call)':44}{'calls':>10}{'seconds':>10}"]
    for preset in PRESETS:
        for number, (name, *_) in enumerate(REQUESTS):
            with tempfile.TemporaryDirectory() as folder:
                outcome = await play(request(preset, number), Path(folder), Manner(latency=LATENCY))
            wrong = "  wrong: " + "; ".join(outcome.faults) if outcome.faults else ""
            lines.append(f"{preset + ': ' + name:44}{outcome.calls:10}{outcome.seconds:10.2f}{wrong}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(asyncio.run(measure()))
