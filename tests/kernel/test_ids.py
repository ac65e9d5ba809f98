"""Ids that people can type."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel import ids


@given(st.integers(0, 2**62))
def test_an_id_leads_back_to_its_row(number: int) -> None:
    assert ids.number("m", ids.ref("m", number)) == number


def test_ids_are_a_letter_and_six_characters_and_no_two_are_alike() -> None:
    found = [ids.ref("t", number) for number in range(5000)]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"t[0-9a-hjkmnp-z]{6}", one) for one in found)


def test_neighbours_look_unrelated() -> None:
    one, two = ids.ref("t", 1), ids.ref("t", 2)
    assert sum(a != b for a, b in zip(one, two, strict=True)) >= 4


def test_an_id_may_be_typed_in_capitals_and_with_spaces_around() -> None:
    assert ids.number("m", f"  {ids.ref('m', 77).upper()} ") == 77


@pytest.mark.parametrize("text", ["", "m", "m12345", "x123456", "m12345i", "m12345é", "m 12345"])
def test_what_is_no_id_is_none(text: str) -> None:
    assert ids.number("m", text) is None


def test_an_id_no_row_can_have_is_none() -> None:
    assert ids.number("m", "m12ab34" + "z" * 20) is None
    assert ids.number("m", ids.ref("m", (1 << 63) - 1)) == (1 << 63) - 1
