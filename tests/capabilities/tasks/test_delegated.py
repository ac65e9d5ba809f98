"""What is delegated is worked on in the background, and its outcome is told where it was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.kernel.errors import ModelRefused
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest
from tests.fakes import House, house
from tests.working import background, call, calling, scripted, task_rows

WORK = "compare the three offers"


def delegating(prompt: str = WORK, **more: object) -> Answer:
    return calling(call("delegate", prompt=prompt, **more))


async def home_of(database: Database, folder: Path, *, preset: str = "assistant", **roles: list[object]) -> House:
    return await house(database, folder / "house", scripted(**roles), roles={"preset": preset})  # type: ignore[arg-type]


def said(home: House, chat: str = "1") -> list[str]:
    return [sent.text for sent in home.shown(chat)]


@pytest.mark.parametrize("preset", ["assistant", "strict"])
async def test_what_the_teller_delegates_a_planner_does_and_the_teller_tells(
    database: Database, tmp_path: Path, preset: str
) -> None:
    events: list[str] = []

    def tell(request: ModelRequest) -> str:
        events.append(request.event)
        return "Offer B is the best one."

    home = await home_of(
        database,
        tmp_path,
        preset=preset,
        teller=[delegating(), "I am on it.", tell],
        planner=["B costs least: 40 a month."],
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home) == ["I am on it.", "Offer B is the best one."]
    (task,) = await task_rows(home)
    assert (task["state"], task["outcome"], task["role"]) == ("done", "B costs least: 40 a month.", "planner")
    assert json.loads(task["words"]) == ["please compare the offers"]
    event = json.loads(events[0])
    assert {name: event[name] for name in ("status", "outcome", "prompt")} == {
        "status": "done",
        "outcome": "B costs least: 40 a month.",
        "prompt": WORK,
    }
    assert await home.column("SELECT count(*) FROM run WHERE ended_at IS NULL") == [0]


@pytest.mark.parametrize("telling", ["", ModelRefused("no")])
async def test_an_outcome_that_the_teller_does_not_tell_is_said_as_it_stands(
    database: Database, tmp_path: Path, telling: str | ModelRefused
) -> None:
    home = await home_of(
        database, tmp_path, teller=[delegating(), "I am on it.", telling], planner=["B costs **least**."]
    )
    await home.hear("please compare the offers")
    await background(home)
    assert said(home) == ["I am on it.", "B costs **least**."]
