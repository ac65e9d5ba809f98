"""Conditions that cannot be looked at or judged: it is told once, and holds up nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.conditions.looking import ASKED_EVERY, Looking
from core.kernel.conditions import dump, read
from core.kernel.errors import AccountRefused, BudgetSpent, ModelRefused, ModelUnreachable
from core.kernel.ports import Database
from core.kernel.types import ModelRequest
from core.store.conversation.tasks import TaskState
from tests.capabilities.conditions.test_looking import REPORTS, of_task, passes, put, told, watch
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    made = await house(database, tmp_path / "house", lambda request: "Hello.")
    await made.hear("hello")
    await made.work()
    return made


JUDGE = {"type": "llm_eval", "prompt": "Has Berta arrived?"}


def unanswered(home: House) -> list[str]:
    """What whoever set it is told of a condition to which the model gives no answer."""
    return [one.text for one in home.shown("1") if "gave no answer" in one.text]


@pytest.mark.parametrize("nothing", ["", ModelRefused("content policy")], ids=["empty", "refused"])
async def test_one_that_is_never_judged_is_paused_with_a_notice_and_can_be_resumed(
    home: House, database: Database, tmp_path: Path, nothing: Any
) -> None:
    this = await watch(home, JUDGE, prompt="Berta is there")
    assert home.model is not None

    def judge(request: ModelRequest) -> Any:
        return nothing

    home.model.always(judge)
    await passes(home)
    await passes(home, ASKED_EVERY)
    # How often it failed holds over a restart.
    home = await house(database, tmp_path / "house", judge, adapter=home.adapter, clock=home.clock)
    assert home.model is not None
    assert await home.column("SELECT state FROM trigger") == ["active"]
    for _ in range(4):
        await passes(home, ASKED_EVERY)
    assert len(home.model.requests) == 1
    assert await home.rows("SELECT state, reason FROM trigger") == [{"state": "paused", "reason": "error"}]
    (words,) = unanswered(home)
    assert this in words
    assert words.endswith("Resume it, or set it anew in other words: Berta is there")
    await home.hear("/tasks", key="list")
    await home.work()
    assert "paused" in home.shown("1")[-1].text
    # It begins anew.
    await home.press("Resume")
    await home.work()
    home.model.always(lambda request: "yes")
    await passes(home, ASKED_EVERY)
    assert [one.text for one in home.shown("1") if "Berta is there" in one.text and one.text not in words] != []


async def test_how_far_one_was_known_by_a_former_version_is_read(home: House) -> None:
    await watch(home, JUDGE, prompt="Berta is there")
    assert home.model is not None
    home.model.always(lambda request: "no")
    await passes(home, ASKED_EVERY)
    former = json.dumps([{"true": False, "fresh": False, "seen": None, "names": [], "more": 0}])
    await home.db.write(lambda tx: tx.run("UPDATE condition SET parts = :former", {"former": former}))
    home.model.always(lambda request: "")
    for _ in range(3):
        assert unanswered(home) == []
        await passes(home, ASKED_EVERY)
    assert len(unanswered(home)) == 1


async def test_what_a_model_answers_in_between_or_is_away_is_no_failure(home: House) -> None:
    await watch(home, JUDGE, prompt="Berta is there")
    assert home.model is not None
    answers = ["", "", "no", "", "", BudgetSpent("spent"), BudgetSpent("spent"), AccountRefused("key")]

    def judge(request: ModelRequest) -> Any:
        return answers.pop(0)

    home.model.always(judge)
    for _ in range(8):
        await passes(home, ASKED_EVERY)
    assert answers == []
    assert await home.column("SELECT state FROM trigger") == ["active"]
    assert unanswered(home) == []


async def test_one_that_comes_true_by_another_part_fires_although_a_part_is_never_judged(home: House) -> None:
    either = {"type": "or", "conditions": [{"type": "llm_eval", "prompt": "Has Carl arrived?"}, JUDGE]}
    await watch(home, either, prompt="One of them is there", cooldown=600)
    assert home.model is not None
    looks = 0

    def judge(request: ModelRequest) -> Any:
        nonlocal looks
        of_berta = "Berta" in str(request.messages[-1]["content"])
        looks += of_berta
        return "" if not of_berta else "yes" if looks == 3 else "no"

    home.model.always(judge)
    for _ in range(3):
        await passes(home, 600)
    assert len([one.text for one in home.shown("1") if "One of them is there" in one.text]) == 1
    # It begins anew.
    for _ in range(2):
        await passes(home, 600)
    assert unanswered(home) == []


async def test_what_a_model_has_said_of_a_part_is_kept_when_another_is_never_judged(home: House) -> None:
    both = {"type": "and", "conditions": [JUDGE, {"type": "llm_eval", "prompt": "Has Carl arrived?"}]}
    await watch(home, both, prompt="Both are there")
    assert home.model is not None
    # Of Berta, and of Carl, at each of three looks.
    answers = ["", "", "", "", "yes", ""]
    home.model.always(lambda request: answers.pop(0))
    for _ in range(3):
        await passes(home, ASKED_EVERY)
    assert (answers, len(unanswered(home))) == ([], 1)
    (parts,) = await home.column("SELECT parts FROM condition")
    assert [(part["true"], part["failed"]) for part in json.loads(parts)] == [(True, 0), (False, 0)]


async def test_one_is_judged_when_a_model_that_was_away_is_back_although_nobody_writes(home: House) -> None:
    await watch(home, JUDGE, prompt="Berta is there")
    assert home.model is not None
    home.model.reachable = False
    answers = [ModelUnreachable("away")] * 4 + ["yes"]

    def judge(request: ModelRequest) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    home.model.always(judge)
    for _ in range(5):
        await passes(home, ASKED_EVERY)
    assert unanswered(home) == []
    assert [one.text for one in home.shown("1") if "Berta is there" in one.text] != []


async def test_a_task_whose_condition_is_never_judged_fails_and_its_person_is_told(home: House) -> None:
    await of_task(home, TaskState.WAITING, dump(read(JUDGE)))
    assert home.model is not None
    home.model.always(lambda request: "")
    for _ in range(4):
        await passes(home, ASKED_EVERY)
    assert await home.rows("SELECT state, error FROM task") == [
        {"state": "failed", "error": "the model gave no answer to whether what it waited for has happened"}
    ]
    assert home.shown("1")[-1].text.endswith("The model gave no answer to whether what it waited for has happened.")


async def test_one_that_the_database_refuses_is_told_once_and_logged_in_one_line(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    await watch(home, REPORTS)
    await passes(home)
    poison = "CREATE TRIGGER poison BEFORE UPDATE ON condition BEGIN SELECT json('['); END"
    await home.db.write(lambda tx: tx.run(poison))
    await put(home, "reports/a.csv", "1")
    caplog.clear()
    for _ in range(20):
        await passes(home)
    lines = [record for record in caplog.records if "cannot be fired, the database says" in record.getMessage()]
    assert [record.exc_info is not None for record in lines] == [True] + [False] * (len(lines) - 1)
    assert len(lines) < 14
    assert [text for text in told(home) if "I keep trying" in text] != []
    refusals = [text for text in told(home) if "I keep trying" in text]
    assert len(refusals) == 1
    assert await home.column("SELECT state FROM trigger") == ["active"]
    await home.db.write(lambda tx: tx.run("DROP TRIGGER poison"))
    await passes(home, 61)
    assert home.app.container.get(Looking).broken == {}
    assert [text for text in told(home) if "a.csv" in text] != []


async def test_one_that_cannot_be_read_is_paused_with_a_notice(home: House) -> None:
    await watch(home, REPORTS)
    bad = '{"kind":"watch","condition":"[]","until":9999999999999}'
    await home.db.write(lambda tx: tx.run("UPDATE trigger SET spec = :bad", {"bad": bad}))
    for _ in range(6):
        await passes(home)
    assert await home.rows("SELECT state, reason FROM trigger") == [{"state": "paused", "reason": "error"}]
    assert len([text for text in told(home) if "failed on my side" in text]) == 1
