"""Results fit into their limit and say when they were cut."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.toolkit.results import LIMIT, fit


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize("value", [None, 5, "text", [1, 2], {"a": "b"}, "x" * (LIMIT - 2)])
def test_what_fits_stays_as_it_is(value: Any) -> None:
    assert fit(value) == value


def test_a_long_text_is_cut_from_its_end() -> None:
    found = fit({"content": "x" * 20_000, "size": 20_000})
    assert (found["truncated"], found["size"]) == (True, 20_000)
    assert LIMIT - 100 < size(found) <= LIMIT


def test_a_long_list_loses_its_last_items() -> None:
    found = fit({"messages": [{"n": n, "text": "x" * 100} for n in range(1000)]})
    kept = [message["n"] for message in found["messages"]]
    assert found["truncated"] is True
    assert kept == list(range(len(kept)))
    assert size(found) <= LIMIT


def test_a_bare_text_becomes_content() -> None:
    assert set(fit("x" * 20_000)) == {"content", "truncated"}


def test_a_text_of_quotes_is_cut_to_its_length_in_json() -> None:
    assert size(fit('"' * 20_000)) <= LIMIT


def test_a_name_that_is_too_long_leaves_nothing_but_the_mark() -> None:
    assert fit({"k" * (LIMIT + 1): "v", "size": 1}) == {"truncated": True}


def test_thousands_of_small_values_end_soon() -> None:
    before = time.process_time()
    assert fit({str(n): True for n in range(100_000)}) == {"truncated": True}
    found = fit({str(n): "x" * 20 for n in range(1_000)})
    assert found["truncated"] is True
    assert size(found) <= LIMIT
    assert time.process_time() - before < 2.0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=8),
    max_leaves=40,
)


@given(value=json_values, limit=st.integers(200, 400))
def test_whatever_comes_fits(value: Any, limit: int) -> None:
    found = fit(value, limit)
    assert size(found) <= limit
    if size(value) > limit:
        assert found["truncated"] is True
