"""Given documents are searched as history is, and well."""

from __future__ import annotations

from typing import Any

import pytest

from core.capabilities.memory.search import build
from tests.bench.search import EVALUATION, evaluation, recall


# Public sets are harder; what is measured there stands in docs/search.md.
@pytest.mark.parametrize(
    ("name", "turns", "sessions"),
    [("en", 0.88, 0.95), ("en_months", 0.55, 0.70), ("zh", 0.97, 0.97), ("zh_words", 0.70, 0.72)],
)
def test_most_of_what_answers_is_among_the_first_ten(name: str, turns: float, sessions: float) -> None:
    one = evaluation(EVALUATION / f"{name}.txt")
    assert len(one.docs) > 120
    assert len(one.questions) >= 40
    found = recall(one, build(one.docs))
    assert found[0] >= turns
    assert found[1] >= sessions


def test_every_question_names_lines_that_are_there() -> None:
    for path in EVALUATION.glob("*.txt"):
        one = evaluation(path)
        ids = [doc["id"] for doc in one.docs]
        assert len(ids) == len(set(ids))
        assert set().union(*(evidence for _, evidence in one.questions)) <= set(ids)


def test_ids_may_be_anything_and_what_is_not_known_is_left_out() -> None:
    docs: list[dict[str, Any]] = [
        {"id": ("a", 1), "text": "Anna likes cake", "speaker": None, "time": "last week", "session": None},
        {"id": 7, "text": "Bob likes tea", "time": 1_700_000_000},
        {"id": "x", "text": ""},
    ]
    search = build(docs)
    assert search("who likes cake?", 1) == [("a", 1)]
    assert search("tea", 10) == [7]
    assert search("nothing", 10) == []


def test_documents_of_a_session_are_neighbours() -> None:
    docs = [
        {"id": 1, "text": "Who brings the cake?", "session": "s"},
        {"id": 2, "text": "Me!", "session": "s"},
        {"id": 3, "text": "Me!", "session": "t"},
    ]
    assert build(docs)("cake", 10) == [1, 2]


def test_nothing_is_found_where_nothing_is() -> None:
    assert build([])("cake", 10) == []
