"""Work for a time: an assistant sets it by the person's own words, it is read back, and done then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.timing.schedule import Rule, load
from tests.fakes import House, house
from tests.working import background, call, calling, scripted, task_rows

WISH = "every monday at 9 look at the prices and tell us what changed, please, as you did at the other place"
WORK = {"text": "look at the prices and tell what changed", "repeat": "every monday at 9", "work": True}
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}


async def home_of(database: Database, folder: Path, **roles: list[Any]) -> House:
    return await house(database, folder / "house", scripted(**roles))


async def asked(home: House, **chat: Any) -> str:
    await home.hear(WISH, **chat)
    await background(home)
    return home.adapter.texts(chat.get("chat", "1"))[-1]


async def test_it_is_read_back_and_done_when_it_is_due(database: Database, tmp_path: Path) -> None:
    home = await home_of(
        database,
        tmp_path,
        teller=[calling(call("remind", **WORK, only_news=True)), "Prices went up."],
        planner=["up by 2 %", '{"status": "unchanged"}'],
    )
    said = await asked(home)
    assert said.startswith("⚙ Runs every Monday at 09:00 (UTC)")
    assert said.endswith("and says nothing when nothing is new: look at the prices and tell what changed")
    (row,) = await home.rows("SELECT spec, deliver, silent, follows, depth FROM trigger")
    assert isinstance(load(row.pop("spec")), Rule)
    assert row == {"deliver": "task", "silent": 1, "follows": 1, "depth": 1}
    for _ in range(2):
        (due,) = await home.column("SELECT next_at FROM trigger")
        home.clock.advance((due - home.clock.now()) / 1000)
        await home.app.scheduler.due()
        await background(home)
    assert [one["state"] for one in await task_rows(home)] == ["done", "done"]
    assert home.adapter.texts()[1:] == ["Prices went up."]


@pytest.mark.databases("sqlite")
async def test_it_is_taken_back_by_its_button(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=[calling(call("remind", **WORK))])
    await asked(home)
    await home.press("Undo")
    await home.work()
    assert await home.column("SELECT state FROM trigger") == ["cancelled"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({**WORK, "for": ["Bob"]}, "leave for and until_done out"),
        ({"text": "x", "when": "tomorrow at 9", "only_news": True}, "only_news is for work"),
        ({"text": "x", "when": "2020-01-01T09:00", "work": True}, "past"),
        ({"text": "x", "when": "at some point", "work": True}, "not understood as a time"),
    ],
)
async def test_what_cannot_be_set_is_told_to_the_model(
    database: Database, tmp_path: Path, wrong: dict[str, Any], why: str
) -> None:
    home = await home_of(database, tmp_path, teller=[calling(call("remind", **wrong)), "When?"])
    assert await asked(home) == "When?"
    (content,) = await home.column("SELECT content FROM step WHERE kind = 'call'")
    assert why in json.loads(content)["error"]
    assert await home.column("SELECT count(*) FROM trigger") == [0]


@pytest.mark.databases("sqlite")
async def test_a_guest_of_a_group_sets_no_work(database: Database, tmp_path: Path) -> None:
    home = await home_of(database, tmp_path, teller=["Hi.", calling(call("remind", **WORK)), "I may not."])
    await home.hear("hello", **GROUP)
    await background(home)
    assert await asked(home, **GROUP, sender="tg:50") == "I may not."
    assert await home.column("SELECT count(*) FROM trigger") == [0]
