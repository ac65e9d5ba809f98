"""The engine that reads times: its tokens, typing errors that are forgiven, and what it costs."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import pairwise
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.timing.expressions import At, Clock, Delay, Expression, InDays, Weekday
from core.language import languages
from core.language.de.times import READER as GERMAN
from core.language.en.times import READER as ENGLISH
from core.language.engine import requests
from core.language.engine.templates import compiled, expanded
from core.language.engine.times import Reader
from core.language.engine.tokens import FOLD, Words
from core.language.grammar import Request
from core.language.short_texts import is_time
from core.language.zh.times import READER as CHINESE
from tests.language import grammar_de, grammar_en, grammar_zh
from tests.language.why import why

READERS = (
    pytest.param(ENGLISH, grammar_en, id="en"),
    pytest.param(CHINESE, grammar_zh, id="zh"),
    pytest.param(GERMAN, grammar_de, id="de"),
)
NINE = Clock(hour=9, certain=False)


def forgiven(reader: Reader, text: str) -> tuple[Expression | None, list[str]]:
    """Return the time that a text is when typing errors are forgiven, and the words that were meant."""
    tokens = reader.alphabet.read(text.translate(FOLD))
    meant = reader.alphabet.forgiven(tokens)
    found = reader.scan_tokens(meant, 0, len(meant.codes), alone=True) if meant else None
    whole = found is not None and meant is not None and found.end == len(meant.codes)
    changed = [one for one, other in zip(meant.words, tokens.words, strict=True) if one != other] if meant else []
    return (found.said.when if found and whole else None), changed


@pytest.mark.parametrize(
    ("reader", "text", "when", "meant"),
    [
        (ENGLISH, "tomorow at 9", At(day=InDays(days=1), clock=NINE), ["tomorrow"]),
        (ENGLISH, "tomorrwo at 9", At(day=InDays(days=1), clock=NINE), ["tomorrow"]),
        (ENGLISH, "on wednesdya", At(day=Weekday(weekday=2)), ["wednesday"]),
        (GERMAN, "am Donerstag um 9", At(day=Weekday(weekday=3), clock=NINE), ["donnerstag"]),
    ],
)
def test_one_typing_error_in_a_key_word_is_forgiven_where_that_is_asked_for(
    reader: Reader, text: str, when: Expression, meant: list[str]
) -> None:
    tokens = reader.alphabet.read(text.translate(FOLD))
    found = reader.scan_tokens(tokens, 0, len(tokens.codes), alone=True)
    assert found is None or found.end < len(tokens.codes)
    assert forgiven(reader, text) == ((when, meant) if meant else (None, []))


@pytest.mark.parametrize("word", ["money", "match", "thursdaylike", "thuesday", "monda", "right", "tody", "wendsday"])
def test_other_words_are_no_typing_errors(word: str) -> None:
    assert forgiven(ENGLISH, f"{word} 9")[1] in ([], ["monday"] if word == "monda" else [])


@pytest.mark.parametrize(("text", "parts"), [("3pm", 2), ("15h30", 3), ("5th", 1), ("9x", 1), ("x9", 1), ("2h30m", 4)])
def test_what_is_glued_to_a_number_is_taken_apart(text: str, parts: int) -> None:
    tokens = ENGLISH.alphabet.read(text)
    assert len(tokens.codes) == parts or set(tokens.codes) == {"x"}


@given(st.text(max_size=120))
def test_tokens_lie_in_order_and_within_the_text(text: str) -> None:
    folded = text.translate(FOLD)
    assert len(folded) == len(text)
    for reader in (ENGLISH, GERMAN, CHINESE):
        tokens = reader.alphabet.read(folded)
        places = [*zip(tokens.starts, tokens.ends, strict=True)]
        assert len(places) == len(tokens.codes)
        assert all(start < end for start, end in places)
        assert all(end <= start for (_, end), (start, _) in pairwise(places))


@pytest.mark.parametrize(("reader", "own"), READERS)
@given(data=st.data())
def test_the_steps_of_reading_grow_no_faster_than_the_text(
    reader: Reader, own: ModuleType, data: st.DataObject
) -> None:
    words = data.draw(st.lists(st.sampled_from(own.WORDS), min_size=1, max_size=6))
    joint = own.JOINT
    part = joint.join(words) + joint

    def steps(times: int) -> int:
        text = (part * times).translate(FOLD)
        before = reader.steps
        tokens = reader.alphabet.read(text)
        for start in range(len(tokens.codes)):
            reader.scan_tokens(tokens, start, len(tokens.codes))
        return reader.steps - before

    few, many = steps(8), steps(32)
    assert many <= 6 * few + 400


def test_what_is_no_template_is_refused() -> None:
    with pytest.raises(ValueError, match="no template"):
        compiled("in )", ENGLISH.alphabet)
    for alphabet in (ENGLISH.alphabet, CHINESE.alphabet):
        with pytest.raises(ValueError, match="no class nothing, in the template 'x <nothing>'"):
            compiled("x <nothing>", alphabet)
    with pytest.raises(ValueError, match="a bracket is open, in the template"):
        compiled("(in", ENGLISH.alphabet)


def test_a_pattern_has_no_group_of_one_way_and_its_signs_are_one_set() -> None:
    assert "(?:" not in compiled("((今) (晚))", CHINESE.alphabet).source
    assert CHINESE.alphabet.one_of("timed").pattern.count("|") < len(CHINESE.alphabet.one_of("timed").first) / 2


@pytest.mark.parametrize(
    ("kind", "template", "wrong"),
    [
        ("lenght", "in <n:number> <unit:unit>", "nothing reads lenght"),
        # What is said of how many would be lost.
        ("length", "in <num:number> <unit:unit>", "nothing reads num .*in the template"),
        ("length", "IN <n:number>", "no macro IN, in the template"),
        ("length", "X <n:number>", "no macro X, in the template"),
    ],
)
def test_what_nothing_would_read_in_a_template_of_a_time_is_refused(kind: str, template: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Reader(Words({"unit": {"min": "minute"}}), [(kind, template)], {})


@pytest.mark.parametrize("word", ["'tis", "a/c", "a.s.", "so 'n"])
def test_a_word_of_a_lexicon_that_is_never_one_in_a_text_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="no word is written with such signs"):
        Words({"day": {word: 1}})


def test_a_language_may_begin_with_one_line() -> None:
    words = Words({"unit": {"minuti": "minute"}, "number": {"dieci": 10}})
    reader = Reader(words, [("length", "tra <n:number> <unit:unit>")], {})
    assert reader.when("tra 20 minuti") == Delay(seconds=1200)
    assert reader.when("tra dieci minuti") == Delay(seconds=600)
    assert reader.when("tra 20 minuti chiamare") is None


@pytest.mark.parametrize("code", languages())
def test_every_rule_of_a_language_is_one_that_the_engine_asks_for(code: str) -> None:
    rules = import_module(f"core.language.{code}.requests").RULES
    assert set(rules) <= set(re.findall(r"`(\w+)`", requests.__doc__ or ""))


def test_it_is_told_why_a_sentence_is_read_as_it_is() -> None:
    told = [*why("en", "please set a timer for 5 minutes.")]
    assert "timer: alarm, keys" in told
    assert any(line.startswith("remind: noun='timer', when='5 minutes' -> Wish(") for line in told)
    assert [*why("zh", "")][-1] == "wish: None"


def test_a_time_in_german_is_one_in_every_chat_and_a_greeting_is_none() -> None:
    assert is_time("übermorgen früh")
    assert is_time("morgen")
    assert not is_time("Morgen!")
    assert not is_time("so")


def test_a_macro_that_names_itself_is_refused() -> None:
    assert expanded("A_B c", {"A_B": "CD d", "CD": "e"}) == "((e) d) c"
    with pytest.raises(ValueError, match="names itself"):
        expanded("A_B c", {"A_B": "CD", "CD": "d A_B"})


def test_a_needless_space_is_no_token_and_one_between_latin_words_is() -> None:
    tokens = CHINESE.alphabet.read("把 Oat  milk 加到清单")
    assert tokens.codes == "把oat milk加到清单"
    assert [tokens.starts[0], tokens.starts[1], tokens.ends[8]] == [0, 2, 11]


@pytest.mark.parametrize(("reader", "own"), READERS)
@given(data=st.data())
def test_the_steps_of_understanding_grow_no_faster_than_the_text(
    reader: Reader, own: ModuleType, data: st.DataObject
) -> None:
    grammar = next(one.grammar for code, one in languages().items() if own.__name__.endswith(code))
    lead = data.draw(st.sampled_from(own.LEADS))
    part = own.JOINT.join(data.draw(st.lists(st.sampled_from(own.WORDS), min_size=1, max_size=6))) + own.JOINT

    def steps(times: int) -> int:
        before = reader.steps
        grammar.wish(lead + part * times)
        grammar.request(lead + part * times)
        return reader.steps - before

    few, many = steps(8), steps(32)
    assert many <= 6 * few + 400


@pytest.mark.parametrize(
    ("reader", "text", "weeks"),
    [
        (ENGLISH, "this weekend", 0),
        (ENGLISH, "at the weekend", None),
        (GERMAN, "am Wochenende", None),
        (CHINESE, "这周末", 0),
    ],
)
def test_a_weekend_is_more_than_a_saturday(reader: Reader, text: str, weeks: int | None) -> None:
    assert reader.when(text) == At(day=Weekday(weekday=5, weeks=weeks, weekend=True))


@pytest.mark.parametrize(("reader", "text"), [(ENGLISH, "saturday"), (GERMAN, "am Samstag"), (CHINESE, "周六")])
def test_a_saturday_is_no_weekend(reader: Reader, text: str) -> None:
    assert reader.when(text) == At(day=Weekday(weekday=5))


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('at 9 to "buy milk"', "buy milk"),
        ('at 9:"buy milk"', "buy milk"),
        ("at 9 to 「buy milk」", "buy milk"),
        ('at 9 "buy milk"!', '"buy milk"!'),
        ('at 9 "milk" and "eggs"', '"milk" and "eggs"'),
    ],
)
def test_quotes_are_taken_off_a_text_where_they_stand_around_all_of_it(text: str, about: str) -> None:
    request = languages()["en"].grammar.request(text)
    assert request is not None
    assert request.text == about


@pytest.mark.parametrize("time", ["a week from today", "a week on friday", "at 1500 hours", "5 minutes"])
def test_what_is_a_time_without_a_preposition_is_given_no_other_one(time: str) -> None:
    english = languages()["en"].grammar
    wish, when = english.wish(f"set an alarm {time} to eat"), english.when(time)
    assert wish is not None
    assert when is not None
    assert wish.request == Request(text="eat", when=when)
