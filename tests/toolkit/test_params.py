"""Parameters: forgiving in spelling, strict in meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import pytest
from pydantic import Field

from core.kernel.errors import ToolValidationError
from core.toolkit.params import Count, Integer, Number, Params, capped, read, schema


class Wide(Params):
    """All kinds of fields."""

    spellings: ClassVar[Mapping[str, str]] = {"id": "task_id", "limit": "max_results"}

    task_id: str = ""
    max_results: Count = 10
    offset: Integer = 0
    score: Number = 0.0
    run_at: str | None = None
    kind: Literal["a", "b"] = "a"


class Narrow(Params):
    """One that must be there."""

    text: str = Field(min_length=1)


def wide(**arguments: Any) -> Wide:
    found = read("wide", Wide, arguments)
    assert isinstance(found, Wide)
    return found


def refused(of: type[Params], /, **arguments: Any) -> str:
    with pytest.raises(ToolValidationError) as caught:
        read("tool", of, arguments)
    assert str(caught.value).startswith("Parameter validation failed: ")
    return str(caught.value).removeprefix("Parameter validation failed: ")


@pytest.mark.parametrize("name", ["task_id", "taskId", "id"])
def test_every_spelling_of_a_parameter_is_accepted(name: str) -> None:
    assert wide(**{name: "t1"}).task_id == "t1"


def test_two_spellings_with_one_value_are_one_parameter() -> None:
    assert wide(task_id="t1", taskId="t1", id="t1").task_id == "t1"


def test_two_spellings_with_different_values_are_refused() -> None:
    assert refused(Wide, task_id="t1", id="t2") == "task_id is given twice with different values"


def test_true_and_one_are_different_values() -> None:
    assert "max_results" in refused(Wide, max_results=1, limit=True)


def test_null_means_not_given() -> None:
    found = wide(max_results=None, run_at=None, taskId=None, task_id="t1")
    assert (found.max_results, found.run_at, found.task_id) == (10, None, "t1")


def test_null_for_what_must_be_there_is_missing() -> None:
    assert refused(Narrow, text=None) == "text is required"


def test_a_number_as_text_is_a_number() -> None:
    found = wide(max_results="5", offset="-3", score="0.5")
    assert (found.max_results, found.offset, found.score) == (5, -3, 0.5)


@pytest.mark.parametrize("name", ["max_results", "offset", "score"])
@pytest.mark.parametrize("value", [True, False])
def test_true_is_no_number(name: str, value: bool) -> None:
    assert refused(Wide, **{name: value}).startswith(f"{name}: ")


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity", 1e999])
def test_what_json_has_no_number_for_is_none(value: object) -> None:
    assert refused(Wide, score=value).startswith("score: ")


@pytest.mark.parametrize("value", [1.5, "five", "", [5], {"n": 5}])
def test_what_is_no_whole_number_is_refused(value: object) -> None:
    assert refused(Wide, offset=value).startswith("offset: ")


def test_a_count_below_one_is_refused() -> None:
    assert "must be 1 or more" in refused(Wide, max_results=0)


def test_a_count_above_its_maximum_is_capped_and_says_so() -> None:
    assert capped(500, 100) == (100, {"capped": 100})
    assert capped(100, 100) == (100, {})


def test_an_unknown_parameter_is_refused_with_a_suggestion() -> None:
    assert refused(Wide, max_result=3) == "unknown parameter 'max_result'; did you mean max_results?"


def test_an_unlikely_parameter_is_refused_with_what_there_is() -> None:
    assert refused(Narrow, zzz=3) == "unknown parameter 'zzz'; it takes text"


def test_even_an_unknown_parameter_that_is_null_is_refused() -> None:
    assert "unknown parameter" in refused(Narrow, text="x", zzz=None)


def test_all_problems_are_told_at_once() -> None:
    told = refused(Wide, offset="x", kind="c")
    assert "offset: " in told
    assert "kind: " in told


def test_the_schema_is_snake_case_and_says_nothing_needless() -> None:
    shown = schema(Wide)
    assert list(shown["properties"]) == ["task_id", "max_results", "offset", "score", "run_at", "kind"]
    assert shown["properties"]["run_at"] == {"type": "string"}
    assert "title" not in str(shown)
    assert "additionalProperties" not in shown


def test_a_field_called_title_stays_in_the_schema() -> None:
    class Titled(Params):
        title: str
        description: str = ""

    assert list(schema(Titled)["properties"]) == ["title", "description"]
