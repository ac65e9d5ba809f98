"""Whom something worth sharing is for: each fact of the score, and the choice."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.contacts.ranking import (
    Item,
    Known,
    depth_fit,
    overlap,
    rank,
    score,
    topic_key,
    topic_weights,
)
from core.capabilities.contacts.repository import Contact
from core.kernel.types import HOUR

NOW = 1_000 * HOUR


def contact(contact_id: int = 1, **fields: Any) -> Contact:
    return Contact(**{"contact_id": contact_id, "person_id": 7, "nickname": "Anna", **fields})


def item(item_id: str = "a", **fields: Any) -> Item:
    return Item(**{"item_id": item_id, "created_at": NOW, **fields})


def told(feature: float) -> Known:
    """What a model says of every pair."""
    return Known(overlap=lambda contact_id, item_id: feature)


def test_the_score_adds_five_parts() -> None:
    anna = contact(topic_weights={"tea": 0.5}, reciprocity_norm=0.25, understanding_depth=40)
    tea = item(topics=("tea",), created_at=NOW - 12 * HOUR, depth=0.9)
    expected = 0.40 * 0.5 + 0.25 * math.exp(-0.5) + 0.15 * 0.5 + 0.10 * 0.25 + 0.10
    assert score(anna, tea, NOW, Known()) == pytest.approx(expected)


def test_what_is_sensitive_costs_a_quarter_with_whom_nobody_can_trust() -> None:
    secret, known, unknown = item(sensitive=True), contact(), contact(person_id=None)
    assert score(known, secret, NOW, Known()) == score(known, item(), NOW, Known())
    assert score(unknown, item(), NOW, Known()) - score(unknown, secret, NOW, Known()) == pytest.approx(0.25)


def test_what_was_shared_last_is_not_new() -> None:
    again = Known(shared={1: "a"})
    assert score(contact(), item("b"), NOW, again) - score(contact(), item("a"), NOW, again) == pytest.approx(0.10)


def test_a_models_feature_outweighs_the_weights_and_is_clipped() -> None:
    anna, tea = contact(topic_weights={"tea": 0.1}), item(topics=("tea",))
    by_model = [score(anna, tea, NOW, told(given)) for given in (0.0, 1.0, 9.0)]
    assert by_model[1] - by_model[0] == pytest.approx(0.40)
    assert by_model[2] == by_model[1]


@pytest.mark.parametrize(
    ("weights", "topics", "expected"),
    [
        ({}, ("tea",), 0.3),
        ({"tea": 0.9}, (), 0.2),
        ({"tea": 0.9}, ("coffee",), 0.2),
        ({"tea": 0.9}, ("Tea", "coffee"), 0.55),
        ({"green_tea": 0.8}, ("Green Tea!",), 0.8),
    ],
)
def test_overlap_is_the_mean_weight_of_the_topics(
    weights: dict[str, float], topics: tuple[str, ...], expected: float
) -> None:
    assert overlap(contact(topic_weights=weights), item(topics=topics)) == pytest.approx(expected)


@pytest.mark.parametrize(("depth", "wanted", "expected"), [(30, 0.0, 1.0), (30, 0.3, 1.0), (100, 0.4, 0.4), (0, 1, 0)])
def test_depth_fits_the_better_the_nearer_it_is(depth: float, wanted: float, expected: float) -> None:
    assert depth_fit(contact(understanding_depth=depth), item(depth=wanted)) == pytest.approx(expected)


def test_what_is_older_than_the_window_is_dropped() -> None:
    old, new = item("old", created_at=NOW - 72 * HOUR - 1), item("new", created_at=NOW - 72 * HOUR)
    assert [one.item_id for one in rank([contact()], [old, new], NOW, known=Known())] == ["new"]
    assert rank([contact()], [old], NOW, known=Known()) == []


def test_each_contact_gets_one_item_and_ties_go_by_contact() -> None:
    items = [item("stale", created_at=NOW - 40 * HOUR), item("fresh")]
    found = rank([contact(2), contact(1), contact(3, reciprocity_norm=1.0)], items, NOW, known=Known())
    assert [(one.contact_id, one.item_id) for one in found] == [(3, "fresh"), (1, "fresh"), (2, "fresh")]


def test_at_most_four_linked_items_come_along() -> None:
    (found,) = rank([contact()], [item(linked=("1", "2", "3", "4", "5"))], NOW, known=Known())
    assert found.linked == ("1", "2", "3", "4")


def test_only_active_contacts_are_chosen() -> None:
    assert rank([contact(status="inactive")], [item()], NOW, known=Known()) == []


def test_what_others_read_comes_to_people_only_when_that_is_allowed() -> None:
    public = [item(public=True)]
    assert rank([contact()], public, NOW, known=Known()) == []
    assert len(rank([contact(kind="agent")], public, NOW, known=Known())) == 1
    assert len(rank([contact()], public, NOW, known=Known(), public=True)) == 1


@pytest.mark.parametrize(
    ("topic", "key"),
    [("Green  Tea", "green_tea"), ("a--b__c", "a_b_c"), ("/Home/", "home"), ("绿茶 Tea", "绿茶_tea"), ("!!", "")],
)
def test_topic_keys_are_lower_case_with_one_line_between_words(topic: str, key: str) -> None:
    assert topic_key(topic) == key


def test_small_weights_are_dropped_and_sixteen_are_kept() -> None:
    many = {f"topic {n}": n / 100 for n in range(1, 41)}
    kept = topic_weights(many)
    assert list(kept) == [f"topic_{n}" for n in range(40, 24, -1)]
    assert topic_weights({"a": 0.0799, "b": 0.08, "c": 7, "d": float("nan"), "!": 1}) == {"c": 1.0, "b": 0.08}


NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


@given(
    weights=st.dictionaries(st.text(max_size=8), NUMBERS),
    depth=NUMBERS,
    wanted=NUMBERS,
    reciprocity=NUMBERS,
    given_by_model=st.none() | NUMBERS,
    age=st.integers(-(10**9), 10**12),
)
def test_a_score_is_always_between_nothing_and_one(
    weights: dict[str, float],
    depth: float,
    wanted: float,
    reciprocity: float,
    given_by_model: float | None,
    age: int,
) -> None:
    anna = contact(topic_weights=weights, understanding_depth=depth, reciprocity_norm=reciprocity)
    known = Known(overlap=lambda one, other: given_by_model)
    found = score(anna, item(topics=tuple(weights), depth=wanted, created_at=NOW - age, sensitive=True), NOW, known)
    assert 0 <= found <= 1
