"""Sentences by somebody who had not seen the grammars: none is understood otherwise than they meant it, but for a list.

`make bench ARGS=understanding` counts them. What is left to a model, or asked about, is no fault.
"""

from __future__ import annotations

import pytest

from tests.bench.understanding import FILES, FRESH, HELD_OUT, NONE, Sentence, judged, sentences

# What is read otherwise than its writer meant, with what it is taken for. This list may only get shorter.
OTHERWISE: frozenset[str] = frozenset()
# The same of those held apart.
OTHERWISE_HELD_OUT: frozenset[str] = frozenset()


@pytest.mark.parametrize("code", sorted(path.stem for path in FILES.glob("*.tsv")))
def test_no_sentence_is_understood_otherwise_than_it_was_meant(code: str) -> None:
    meant = sentences(code)
    assert len(meant) >= 400
    found = {one.sentence for one in meant if _is_otherwise(one, code)}
    known = {one.sentence for one in meant} & OTHERWISE
    assert found == known


@pytest.mark.parametrize("code", sorted(path.stem for path in HELD_OUT.glob("*.tsv")))
def test_none_of_those_held_apart_is_understood_otherwise(code: str) -> None:
    meant = sentences(code, HELD_OUT)
    assert len(meant) >= 400
    assert sum(one.act == NONE for one in meant) >= 0.33 * len(meant)
    found = {one.sentence for one in meant if _is_otherwise(one, code)}
    assert found == {one.sentence for one in meant} & OTHERWISE_HELD_OUT


@pytest.mark.parametrize("code", sorted(path.stem for path in FRESH.glob("*.tsv")))
def test_what_was_understood_rightly_of_a_third_set_still_is(code: str) -> None:
    meant = sentences(code, FRESH)
    assert len(meant) >= 400
    results = {one.sentence: judged(one, code) for one in meant}
    left = {one.sentence for one in meant if one.act == NONE}
    assert {one for one, result in results.items() if result.startswith("wrong")} == set()
    assert {one for one, result in results.items() if result == "left"} == left


def _is_otherwise(meant: Sentence, code: str) -> bool:
    result = judged(meant, code)
    return result.startswith("wrong") or (meant.act == NONE and result != "left")
