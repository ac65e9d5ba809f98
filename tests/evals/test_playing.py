"""What a play finds: a model that does too little or too much, or says what is shown; and plays with real models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.evals.__main__ import real
from tests.evals.player import Manner, play
from tests.evals.scenario import Scenario, read, scenarios

WISH = "hm, I have that dentist thing, tomorrow at nine, could you see to it?"
REMIND = {"remind": {"text": "dentist", "when": "tomorrow at nine"}}
SHOWN = "⏰ Thu 10 Jan 09:00*dentist"
WANTED = [{"at": "2030-01-10T09:00", "text": "dentist"}]


def scenario(model: list[Any], **more: Any) -> Scenario:
    turn = {"says": WISH, "model": model, "shows": [SHOWN]}
    return Scenario.model_validate({"about": "a test", "turns": [turn], "reminders": WANTED} | more)


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (["I have noted it."], "missing reminder"),
        ([[REMIND, REMIND | {"text": "I set a reminder for the dentist."}]], "shown 'I set a reminder"),
        ([[REMIND, {"todo": {"add": ["dentist"]}}]], "to-do too many"),
        ([{"remind": {"text": "dentist", "when": "friday at nine"}}], "missing reminder"),
    ],
    ids=["nothing done", "said twice", "too much done", "another day"],
)
async def test_what_a_model_gets_wrong_is_found(model: list[Any], why: str, tmp_path: Path) -> None:
    outcome = await play(scenario(model), tmp_path)
    assert why in "\n".join(outcome.faults)


async def test_a_task_that_nobody_wanted_or_that_came_to_something_else_is_found(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    turn = {"says": WISH, "model": [{"delegate": {"prompt": "see the dentist"}}, "I do."], "tells": ["Done."]}
    told = {"turns": [turn | {"shows": ["~I do", "~Done"]}], "background": {"see the": ["booked"]}, "about": "a test"}
    for wanted, why in ([], "task too many"), ([{"text": "dentist", "outcome": "no"}], "missing task"):
        outcome = await play(Scenario.model_validate(told | {"tasks": wanted}), tmp_path_factory.mktemp("play"))
        assert why in "\n".join(outcome.faults)
    right = await play(
        Scenario.model_validate(told | {"tasks": [{"text": "dentist", "outcome": "booked"}]}),
        tmp_path_factory.mktemp("play"),
    )
    assert right.faults == []


async def test_a_model_that_is_asked_once_more_than_needed_is_found(tmp_path: Path) -> None:
    wrong = scenario([{"remind": {"text": "dentist", "when": "some day"}}])
    outcome = await play(wrong, tmp_path)
    assert any("asked 2 times, not 1" in fault for fault in outcome.faults)


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ({"presses": "Undo"}, "there is no button Undo"),
        ({"says": "what is it?", "replies": "dentist", "model": ["~"]}, "there is no message that says dentist"),
    ],
)
async def test_what_a_real_model_has_not_said_is_a_fault_and_no_end_of_all_plays(
    turn: dict[str, Any], why: str, tmp_path: Path
) -> None:
    turns = [{"says": WISH, "model": ["What do you mean?"], "shows": ["~What"]}, turn]
    # What never comes is waited for to the end of patience.
    manner = Manner(patience=2.0)
    outcome = await play(Scenario.model_validate({"about": "a test", "turns": turns}), tmp_path, manner)
    assert why in "\n".join(outcome.faults)


def test_ten_everyday_requests_take_one_call_each() -> None:
    everyday = [one for one in scenarios().values() if one.everyday]
    assert len(everyday) >= 10
    for one in everyday:
        assert max(len(turn.model) for turn in one.turns) == 1, one.about


def test_there_are_forty_in_two_languages_and_all_places() -> None:
    known = scenarios().values()
    assert len(known) >= 40
    assert {one.language for one in known} >= {"en", "zh"}
    assert {(one.platform, one.where) for one in known} >= {
        ("telegram", "private"),
        ("telegram", "group"),
        ("slack", "private"),
        ("slack", "thread"),
    }


def test_a_file_that_is_no_scenario_is_named(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("about: x\nturns: [{says: hello, presses: Done}]\n")
    with pytest.raises(ValueError, match=r"wrong\.yaml: [\s\S]*one of them"):
        read(file)


def test_a_real_model_wants_a_key_except_on_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert real("gpt-x", "", {}) is None
    told = capsys.readouterr().err
    assert "TELLER_LLM__API_KEY" in told
    assert "Nothing was asked" in told
    local = {"TELLER_LLM__BASE_URL": "http://127.0.0.1:11434/v1"}
    assert real("qwen", "low", local) == {
        "LLM__BASE_URL": "http://127.0.0.1:11434/v1",
        "LLM__MODEL": "qwen",
        "LLM__EFFORT": "low",
    }
