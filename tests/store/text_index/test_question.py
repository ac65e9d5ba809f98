"""A question is sought by its own words, by what means about the same, and by what its answer tells beside words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store.text_index import marks, question, synonyms, tokeniser

SAID = round(datetime(2024, 5, 8, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("We met yesterday", {"_0507", "_time"}),
        ("Bis morgen, heute nicht", {"_0508", "_time"}),
        ("明天开会", {"_0509", "_time"}),
        ("On July 7th", {"_07", "_0707", "_time", "_number"}),
        ("am 3. März um 10:30", {"_03", "_0303", "_time", "_number"}),
        ("十二月3日", {"_12", "_1203", "_time", "_number"}),
        ("until 2025-01-31", {"_01", "_0131", "_time", "_number"}),
        ("in June", {"_06", "_time"}),
        ("May I ask you two things?", {"_number"}),
        ("see you on Friday", {"_time"}),
        ("nothing of that", set()),
    ],
)
def test_marks_of_a_text(text: str, more: set[str]) -> None:
    assert set(marks.of(text, SAID)) == {"_2024", "_05", "_0508", *more}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("What did she do in May 2023?", {"_05", "_2023"}),
        ("What happened in October?", {"_10"}),
        ("Was war am 7. Mai?", {"_05", "_0507"}),
        ("When did you go?", {"_time"}),
        ("去年五月多少人", {"_05", "_number"}),
        ("How many may come?", {"_number"}),
        ("Who was it?", set()),
    ],
)
def test_marks_that_an_answer_has(query: str, found: set[str]) -> None:
    assert set(marks.asked(query)) == found


@given(st.text(), st.integers(-(10**17), 10**17))
def test_every_text_and_question_has_marks_that_no_word_is(text: str, at: int) -> None:
    found = {*marks.of(text, at), *marks.asked(text)}
    assert all(mark[0] == "_" and mark[1:].isalnum() for mark in found)
    assert not found & set(tokeniser.tokens(text))


def test_what_means_the_same_weighs_less_than_what_was_said() -> None:
    terms = question.terms("my father's birthday")
    assert terms["father"] == 1
    assert terms["dad"] == question.RELATED
    assert question.terms("爸爸的生日")["父亲"] == question.RELATED
    assert question.terms("?!") == {}


def test_a_kind_leads_to_what_is_of_it_and_these_do_not_lead_to_one_another() -> None:
    assert "dog" in question.terms("which pet?")
    assert "pet" in question.terms("which dog?")
    assert "cat" not in question.terms("which dog?")


@pytest.mark.parametrize("asked", ["the wifi", "the Wi-Fi", "das WLAN"])
@pytest.mark.parametrize("noted", ["wifi", "Wi-Fi", "WLAN"])
def test_a_word_is_found_as_others_spell_it(asked: str, noted: str) -> None:
    assert set(question.terms(asked)) & set(tokeniser.tokens(noted))


def test_what_shares_a_syllable_with_it_is_not_found() -> None:
    novels = set(tokeniser.tokens("sci-fi novels"))
    assert not novels & set(question.terms("the wifi"))
    assert not {"wifi", "wlan"} & set(question.terms("sci-fi novels"))


def test_words_have_few_synonyms_and_none_that_is_they_themselves() -> None:
    for groups in (synonyms.ENGLISH, synonyms.CHINESE):
        assert len(groups) > 300
        for word, others in groups.items():
            assert word not in others
            assert 0 < len(others) < 20


@given(st.text(max_size=2_000))
def test_a_question_has_few_terms_however_long_it_is(text: str) -> None:
    terms = question.terms(text * 20)
    assert len(terms) <= question.MOST_TERMS + question.MOST_RELATED + question.MOST_MARKS
    assert bool(terms) == bool(tokeniser.query_tokens(text))
