"""Tokens are the same for what people take for the same, and there are some wherever there are letters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.store.text_index.tokeniser import query_tokens, tokens

CJK = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF) | st.characters(
    min_codepoint=0x3041, max_codepoint=0x3096
)
TEXTS = st.text() | st.text(st.sampled_from("aäßÄé´ 的上海Ωжﬁ①Ａ가각नि\u0301\u0316\u200d'.-_"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cats were running, weren't they?", ["cat", "run"]),
        ("Die Häuser sind größer als das Haus", ["haus", "gross", "haus"]),
        ("数据库", ["数", "据", "库", "数据", "据库"]),
        ("用Postgres做数据", ["用", "postgr", "做", "数", "据", "做数", "数据"]),
        ("Привет, друзья", ["привет", "друз"]),
        ("10:30 B217", ["10", "30", "b217"]),
        ("I will", ["i", "will"]),
        ("❤️ …", []),
        ("", []),
    ],
)
def test_tokens(text: str, found: list[str]) -> None:
    assert tokens(text) == found


def test_the_language_of_whoever_writes_counts() -> None:
    assert tokens("les chansons", "fr") == ["le", "chanson"]
    assert set(tokens("chansons", "fr-CA")) <= set(query_tokens("les chansons", "fr"))
    assert tokens("chansons", "tlh") == tokens("chansons")


@given(TEXTS)
def test_a_question_in_a_text_s_own_words_finds_it(text: str) -> None:
    assert set(tokens(text)) & set(query_tokens(text)) or not tokens(text)


@given(st.text(), st.text(CJK, min_size=1), st.text())
def test_where_there_is_chinese_or_japanese_there_are_tokens(before: str, text: str, after: str) -> None:
    found = tokens(before + text + after)
    assert found
    assert set(unicodedata.normalize("NFKC", text)) <= set(found)


@given(TEXTS)
def test_neither_form_nor_case_changes_tokens(text: str) -> None:
    assume(sum(map(unicodedata.combining, text)) == 0 or len(text) < 9)
    expected = tokens(text)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert tokens(unicodedata.normalize(form, text)) == expected
    assert tokens(text.casefold()) == expected


@given(TEXTS)
def test_a_token_is_one_word_for_both_databases(text: str) -> None:
    for token in tokens(text):
        assert token
        assert not set(token) & set(" '\"\\&|!():*<>_")
        assert "\0" not in token
        assert all(unicodedata.category(character)[0] in "LNM" for character in token)


@pytest.mark.parametrize("piece", ["a", "a b ", "上", "a\u0301\u0316", "\u0301\u0316", "ﷺ", "Ä ", "ส", "😀", "\u200d"])
def test_twice_the_text_is_at_most_twice_the_tokens(piece: str) -> None:
    """And a hundred thousand characters of anything come to an end."""
    few, many = tokens(piece * 1_000), tokens(piece * 100_000)
    assert len(many) <= 100 * len(few) + 200
