"""Which of several texts words mean: for to-dos, for what is scheduled, in free text and in commands."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.toolkit.matching import beside, is_part, matching, mentioned


@dataclass(frozen=True)
class Thing:
    text: str


def found(query: str, *texts: str) -> list[str]:
    return [one.text for one in matching(query, [Thing(text) for text in texts])]


def said(words: str, *texts: str) -> list[str]:
    return [one.text for one in beside(words, [Thing(text) for text in texts], exact=False)]


@pytest.mark.parametrize(
    ("query", "texts", "meant"),
    [
        ("call Anna", ["call Anna about the trip", "call Anna!"], ["call Anna!"]),
        ("buy cake candles", ["buy cake candles for Leo", "buy cake, candles"], ["buy cake, candles"]),
        ("the milk", ["pick up the milk for Oma", "milk"], ["milk"]),
        ("my homework", ["sign my homework book", "homework"], ["homework"]),
        ("bin", ["take out the bins"], ["take out the bins"]),
        ("berries", ["a berry", "blueberry"], ["a berry"]),
        ("gym", ["gym: legs"], ["gym: legs"]),
        ("Oma", ["call Oma!"], ["call Oma!"]),
        ("tea", ["drink tea, eat cake", "team meeting"], ["drink tea, eat cake"]),
        ("tea", ["team meeting", "steady on"], []),
        ("email", ["pay e-mail"], ["pay e-mail"]),
        ("e\u2011mail", ["pay email"], ["pay email"]),
        ("call dr meier", ["call Dr. Meier"], ["call Dr. Meier"]),
        ("kids lunch", ["kids' lunch-box"], ["kids' lunch-box"]),
        ("Mia\u2019s lesson", ["Mia's lesson"], ["Mia's lesson"]),
        ("Bo", ["Bo's bike"], ["Bo's bike"]),
        ("mother", ["call grandmother"], ["call grandmother"]),
        ("take pills 2", ["take pills (2)"], ["take pills (2)"]),
        ("TV", ["修TV"], ["修TV"]),
        ("plan a", ["plan b"], []),
        ("vitamin a", ["vitamin d", "vitamin A"], ["vitamin A"]),
        ("吃药", ["吃药！", "提醒妈妈吃药"], ["吃药！"]),
    ],
)
def test_what_is_equal_comes_before_what_holds_the_words(query: str, texts: list[str], meant: list[str]) -> None:
    assert found(query, *texts) == meant


@pytest.mark.parametrize(
    ("words", "text", "does"),
    [
        ("TV", "fix TV", True),
        ("TV", "hang the TV on the wall", False),
        ("Bo", "call Bo", True),
        ("m", "start m", False),
        ("plan", "water the plants", False),
        ("it", "print it", False),
        ("米", "买米", True),
        ("米", "买一袋米", True),
        ("花", "给妈妈买花", True),
        ("醋", "买酱油和醋", True),
        ("醋", "酱油、醋", True),
        ("米", "买玉米", False),
        ("米", "买米粉", False),
        ("菜", "洗菜", False),
        ("我", "叫我", False),
        ("牛奶", "买两瓶牛奶", True),
    ],
)
def test_few_letters_count_by_what_remains(words: str, text: str, does: bool) -> None:
    assert bool(said(words, text)) is does


@pytest.mark.parametrize(
    ("words", "text", "is_mentioned"),
    [
        ("mom", "call mom", True),
        ("dinner", "plan dinner for Saturday", True),
        ("Oma", "pick up the milk for Oma", True),
        ("milk", "pick up the milk for Oma", False),
        ("call mom", "call mom", False),
        ("the call", "call", False),
        ("TV", "fix the TV", False),
        ("Leo", "bring cake to Leo", True),
        ("friend", "bake a cake for a friend", True),
        ("gym", "go to the gym", False),
        ("email", "reply to the email", False),
        ("run", "go for a run", False),
        ("学校", "送蛋糕到学校", True),
        ("银行", "到银行", False),
        ("妈妈", "给妈妈打电话", True),
        ("妈妈", "给妈妈买花", True),
        ("花", "给妈妈买花", False),
        ("牛奶", "买牛奶", False),
        ("Oma", "给Oma打电话", True),
    ],
)
def test_whom_or_what_a_text_only_mentions_is_not_what_it_is_about(words: str, text: str, is_mentioned: bool) -> None:
    assert mentioned(words, text) is is_mentioned


@pytest.mark.parametrize(
    ("words", "text", "part"),
    [
        ("eggs", "milk, eggs and bread", True),
        ("milk, eggs and bread", "milk, eggs and bread", False),
        ("milk eggs bread", "milk, eggs & bread", False),
        ("milk and eggs", "milk, eggs", False),
        ("醋", "买酱油和醋", True),
        ("bread", "buy bread + butter", True),
        ("flour", "flour, 2 kg", False),
        ("milk", "buy 1,5 l milk", False),
        ("tea", "drink tea, eat cake", True),
        ("shopping", "milk, eggs", False),
        ("鸡蛋", "牛奶、鸡蛋", True),
        ("面包", "牛奶和面包", True),
        ("牛奶和面包", "买牛奶和面包", False),
        ("牛奶", "买牛奶", False),
    ],
)
def test_some_of_what_is_enumerated_is_not_all_of_it(words: str, text: str, part: bool) -> None:
    assert is_part(words, text) is part


def test_beside_other_words_all_of_it_is_meant_where_that_must_be_so() -> None:
    things = [Thing("drink tea"), Thing("drink the teas"), Thing("drink tea at noon")]
    assert beside("drink tea", things, exact=True) == things[:1]
    assert beside("drink a tea", things[2:], exact=True) == []
    assert beside("the drink tea", things, exact=True) == things[:2]
