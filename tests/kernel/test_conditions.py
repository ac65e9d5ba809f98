"""Conditions as models write them: both spellings, and a reason for what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.conditions import (
    DEEPEST,
    MOST_LEAVES,
    All,
    BadCondition,
    Either,
    FileChanged,
    FileExists,
    Judged,
    TaskEnded,
    dump,
    load,
    read,
)

TREE = All(
    conditions=(
        FileChanged(path="reports/*.csv", fire_on_init=True),
        Either(conditions=(FileExists(path="go"), TaskEnded(task_id="t1", failed=True), Judged(prompt="is it late?"))),
    )
)


def test_both_spellings_are_read_and_written_as_one() -> None:
    said = {
        "type": "and",
        "conditions": [
            {"type": "fileChanged", "glob": "reports/*.csv", "fireOnInit": True},
            {
                "type": "or",
                "conditions": [
                    {"type": "file_exists", "path": "go"},
                    {"type": "taskFailed", "taskId": "t1"},
                    {"type": "llm_eval", "prompt": "is it late?"},
                ],
            },
        ],
    }
    assert read(said) == TREE
    assert load(dump(TREE)) == TREE


def nested(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "file_exists", "path": "a"}
    return inner if levels == 0 else {"type": "and", "conditions": [nested(levels - 1)]}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "a condition is an object"),
        ({"type": "moon"}, "the type of a condition is one of file_changed"),
        ({"type": "file_changed"}, "file_changed needs a path of 1 to 300"),
        ({"type": "file_changed", "path": "a", "glob": "b"}, "path is given twice"),
        ({"type": "file_changed", "path": "a", "fire_on_init": "yes"}, "true or false"),
        ({"type": "file_exists", "path": "a", "fire_on_init": True}, "file_exists takes no 'fire_on_init'"),
        ({"type": "task_done", "task_id": 7}, "task_done needs a task_id"),
        ({"type": "llm_eval", "prompt": "x" * 1001}, "llm_eval needs a prompt of 1 to 1000"),
        ({"type": "and", "conditions": []}, "and needs conditions"),
        ({"type": "or", "conditions": "ab"}, "or needs conditions"),
        (nested(DEEPEST + 1), "levels"),
        ({"type": "or", "conditions": [{"type": "llm_eval", "prompt": "x"}] * 3}, "llm_eval parts"),
        (
            {"type": "or", "conditions": [{"type": "or", "conditions": [nested(0)] * MOST_LEAVES}, nested(0)]},
            "at most 10 parts",
        ),
    ],
)
def test_what_is_none_says_what_to_change(said: Any, why: str) -> None:
    with pytest.raises(BadCondition, match=why):
        read(said)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(("and", "or", "file_changed")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("type", "conditions", "path", "prompt", "x")), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(said=JSON)
def test_garbage_is_refused_and_nothing_else_happens(said: Any) -> None:
    try:
        found = read(said)
    except BadCondition:
        return
    assert load(json.dumps(json.loads(dump(found)))) == found
