"""Which of several texts words mean: for to-dos, for what is scheduled, in free text and in commands."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.language.matching import beside, is_all, is_part, matching


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
        ("die Milch", ["Milch"], ["Milch"]),
        ("den Sport", ["Sport"], ["Sport"]),
        ("unseren Müll", ["Müll rausbringen", "den Müll"], ["den Müll"]),
        ("ein Brot", ["Brot"], ["Brot"]),
        ("Oma anrufen", ["Oma anzurufen"], ["Oma anzurufen"]),
        ("Müll rauszubringen", ["Müll rausbringen"], ["Müll rausbringen"]),
        ("Rad abholen", ["das Rad abzuholen"], ["das Rad abzuholen"]),
        ("Müll entsorgen", ["Müll zu entsorgen"], ["Müll zu entsorgen"]),
        ("eine Zeile hinzufügen", ["Zeile hinzuzufügen"], ["Zeile hinzuzufügen"]),
        ("Umzug", ["Anzug"], []),
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
    ("words", "text", "all_of_it"),
    [
        ("Milk!", "the milk", True),
        ("egg", "Eggs", True),
        ("milk", "buy milk", True),
        ("the car", "buy a car", True),
        ("kids", "fetch the kids", True),
        ("milk", "boil the milk", False),
        ("milk", "buy milk for Oma", False),
        ("milk", "buy oat milk", False),
        ("mom", "call mom", False),
        ("rent", "pay rent", False),
        ("Oma", "die Oma", True),
        ("Oma", "Oma anzurufen", False),
        ("clean", "clean the den", False),
        ("Fenster", "Fenster zu", False),
        ("Jame", "book James", False),
        ("glas", "a glass", False),
        ("glass", "pack glasses", False),
        ("牛奶", "牛奶！", True),
        ("牛奶", "买牛奶", True),
        ("牛奶", "买两箱牛奶", True),
        ("牛奶", "2瓶牛奶", True),
        ("米", "买些米", True),
        ("牛奶", "买牛奶粉", False),
        ("妈妈", "给妈妈打电话", False),
        ("孩子", "接孩子", False),
        ("饺子", "包饺子", False),
        ("外卖", "点外卖", False),
        ("饺子", "买包饺子", True),
        ("花", "给妈妈买花", False),
        ("TV", "买TV", True),
        ("TV", "修TV", False),
    ],
)
def test_only_what_shall_be_bought_is_said_without_what_is_done_with_it(words: str, text: str, all_of_it: bool) -> None:
    assert is_all(words, text) is all_of_it


@pytest.mark.parametrize(
    ("words", "text", "part"),
    [
        ("eggs", "milk, eggs and bread", True),
        ("eggs …", "boil eggs", True),
        ("and so on …", "and so on …", False),
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
