"""What is asked for in few words is read whole, in each language, or left alone."""

from __future__ import annotations

from types import ModuleType

import pytest

from core.language import languages
from tests.language import phrases_short_de, phrases_short_en, phrases_short_zh
from tests.language.wishes import noted

TABLES: dict[str, ModuleType] = {"en": phrases_short_en, "de": phrases_short_de, "zh": phrases_short_zh}
GRAMMARS = {code: languages()[code].grammar for code in TABLES}


@pytest.mark.parametrize(
    ("code", "text", "wanted"), [(code, *row) for code, table in TABLES.items() for row in table.UNDERSTOOD.items()]
)
def test_few_words_are_a_wish(code: str, text: str, wanted: str) -> None:
    grammar = GRAMMARS[code]
    wish = grammar.wish(text)
    assert noted(wish) == wanted
    assert wish is not None
    if wish.name == "remind":
        assert wish.request == grammar.request(wish.text)
        assert (wish.request is None) == (wanted in TABLES[code].WITHOUT_A_TIME)


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, table in TABLES.items() for one in table.LEFT_ALONE])
def test_what_only_sounds_like_one_is_left_alone(code: str, text: str) -> None:
    assert GRAMMARS[code].wish(text) is None
