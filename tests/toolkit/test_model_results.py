"""What models get of tools: the keys of the contract and no more, and errors that say what to change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.types import Role
from tests.calling import Ask, caller
from tests.conftest import DatabaseMaker
from tests.fakes import House, house

DELAYED = {"delay_seconds": 60, "focus": "x"}


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    made = await house(await make_database("sqlite"), tmp_path / "house", "hello")
    await made.hear("one")
    return made


@pytest.fixture
async def ask(home: House) -> Ask:
    return (await caller(home, role=Role.PLANNER))[0]


@pytest.mark.parametrize(
    ("tool", "arguments", "keys"),
    [
        ("schedule", {"prompt": "x", "type": "recurring", "interval": 60}, ["task_id", "next_run_at"]),
        ("schedule_once", DELAYED, ["schedule_id", "scheduled_at", "focus"]),
        (
            "schedule_cron",
            {"cron_expression": "0 9 * * *", "focus": "x"},
            ["schedule_id", "cron_expression", "next_run_at", "focus"],
        ),
        ("contacts_upsert", {"subject_id": "tg:50"}, ["contact"]),
        ("contacts_upsert", {"subject_id": "tg:50", "timezone": "x"}, ["contact", "warnings"]),
    ],
)
async def test_a_model_gets_the_keys_of_the_contract(
    ask: Ask, tool: str, arguments: dict[str, Any], keys: list[str]
) -> None:
    result = await ask(tool, **arguments)
    assert list(result.result) == keys
    assert (await ask(tool, Role.PERSON, **arguments)).code == "not_permitted"


@pytest.mark.parametrize(("tool", "keys"), [("cancel_schedule", ["success", "message"]), ("cancel_task", ["success"])])
async def test_a_model_that_cancels_learns_that_it_has(ask: Ask, tool: str, keys: list[str]) -> None:
    made = (await ask("schedule_once", **DELAYED)).result["schedule_id"]
    result = (await ask(tool, id=made)).result
    assert result["success"] is True
    assert list(result) == keys


async def test_what_a_model_did_a_person_can_take_back_all_the_same(ask: Ask, home: House) -> None:
    await ask("schedule_once", **DELAYED)
    assert await home.column("SELECT tool FROM undo") == ["cancel_schedule"]


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [("  a\u202eb\x00c\nd ", "ab c\nd"), ("   ", None), ("\u200b\u2060", None), ("\x07", None)],
)
async def test_a_prompt_is_kept_clean_or_refused(ask: Ask, home: House, prompt: str, kept: str | None) -> None:
    for deliver in ("message", "task"):
        made = await ask("schedule", prompt=prompt, type="recurring", interval=60, deliver=deliver)
        assert made.success is (kept is not None)
        assert kept is not None or "something in it that can be seen" in made.error
    assert await home.column("SELECT text FROM trigger") == ([] if kept is None else [kept, kept])


@pytest.mark.parametrize(
    ("late", "problem"), [(-1, True), ("soon", True), (True, True), (600, False), ("skip", False), ("60", False)]
)
async def test_how_late_it_may_be_is_said_in_words(ask: Ask, late: Any, problem: bool) -> None:
    made = await ask("schedule", prompt="x", type="recurring", interval=60, late=late)
    wanted = "late: Value error, run, skip, or how many seconds it may be late, 0 or more"
    assert made.error.removeprefix("Parameter validation failed: ") == (wanted if problem else "")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"type": "scheduled", "run_at": "2026-09-22T09:00", "interval": 100}, "a scheduled one takes no interval"),
        ({"type": "recurring", "run_at": "2026-09-22T09:00", "interval": 100}, "a recurring one takes no run_at"),
        ({"type": "recurring", "interval": 100, "condition": {"type": "and"}}, "a recurring one takes no condition"),
        ({"type": "recurring", "interval": 100, "run_at": ""}, ""),
    ],
)
async def test_what_another_type_takes_is_not_left_out_silently(
    ask: Ask, arguments: dict[str, Any], problem: str
) -> None:
    made = await ask("schedule", prompt="x", **arguments)
    assert made.error.startswith(problem)
    assert made.success is not bool(problem)


@pytest.mark.parametrize("spelling", ["limit", "max_results", "maxResults"])
async def test_how_many_may_be_spelled_in_each_way_of_the_contract(ask: Ask, spelling: str) -> None:
    assert (await ask("contacts_candidate_rank", **{spelling: 2})).result == {"decisions": []}
    await ask("contacts_upsert", subject_id="tg:50")
    assert len((await ask("contacts_list", **{spelling: 1})).result) == 1


async def test_texts_of_a_contact_are_kept_clean(ask: Ask) -> None:
    made = await ask(
        "contacts_upsert",
        subject_id="x\x00y\u202e",
        persona_brief="short\x00\nwords",
        preference_context="\u200b",
        pronouns="he\x07\u202e",
        persona_traits={"warm\x00": 1},
    )
    shown = made.result["contact"]
    names = ("subject_id", "persona_brief", "preference_context", "pronouns", "persona_traits")
    assert [shown[name] for name in names] == ["x y", "short\nwords", "", "he", {"warm": 1}]
    again = await ask("contacts_upsert", subject_id="x y")
    assert again.result["contact"]["contact_id"] == shown["contact_id"]
    assert "is needed" in (await ask("contacts_upsert", subject_id="\x00\u200b")).error
