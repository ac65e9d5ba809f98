"""The languages: the same texts in each, and times as people write them."""

from __future__ import annotations

import re
from dataclasses import replace
from string import Formatter
from zoneinfo import ZoneInfo

import pytest

from core.kernel.timing.expressions import At, Date
from core.language import Language, add_texts, detect, languages, pick

EVERY = list(languages().values())
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
FRIDAY = 1_795_795_200_000  # 2026-11-27T16:00:00Z


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_english_and_chinese_are_found() -> None:
    assert {"en", "zh"} <= set(languages())
    assert next(iter(languages())) == "en"


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_every_language_has_the_same_texts_and_placeholders(language: Language) -> None:
    # As they are now: a capability that is loaded later adds texts of its own to each.
    language, english = pick(language.code), pick("en")
    assert set(language.texts) == set(english.texts)
    for key, text in language.texts.items():
        assert text.strip() == text != ""
        assert placeholders(text) == placeholders(english[key]), key
        assert placeholders(text) == {name for name in placeholders(text) if name.isidentifier()}


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_every_language_has_the_same_intents_and_real_zones(language: Language) -> None:
    assert set(language.intents) == set(pick("en").intents)
    for place, zone in language.places.items():
        assert place == place.lower()
        assert ZoneInfo(zone).key == zone


def test_values_are_never_read_as_format_strings() -> None:
    assert pick("en").say("echo", text="{text} {0} {") == "{text} {0} {"


@pytest.mark.parametrize(
    ("length", "english", "chinese"),
    [
        (0, "1 s", "1秒"),
        (45 * SECOND, "45 s", "45秒"),
        (12 * MINUTE, "12 min", "12分钟"),
        (12 * MINUTE + 5 * SECOND, "12 min", "12分钟"),
        (2 * HOUR + 5 * MINUTE + 7 * SECOND, "2 h 5 min", "2小时5分钟"),
        (2 * HOUR + 7 * SECOND, "2 h", "2小时"),
        (3 * DAY + 4 * HOUR, "3 d 4 h", "3天4小时"),
    ],
)
def test_durations_are_said_in_two_units(length: int, english: str, chinese: str) -> None:
    assert pick("en").duration(length) == english
    assert pick("zh").duration(length) == chinese


def test_an_instant_is_written_in_the_zone_of_the_reader() -> None:
    assert pick("en").when(FRIDAY, "Europe/Berlin") == "Fri 27 Nov 17:00"
    assert pick("zh").when(FRIDAY, "Asia/Shanghai") == "11月28日 周六 00:00"


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("zh", "zh"),
        ("zh-Hans-CN", "zh"),
        ("ZH_tw", "zh"),
        ("en-GB", "en"),
        ("de-AT", "de"),
        ("fr", "en"),
        ("", "en"),
        ("auto", "en"),
    ],
)
def test_a_tag_picks_its_language_or_english(tag: str, code: str) -> None:
    assert pick(tag).code == code


def test_another_fallback_can_be_named() -> None:
    assert pick("fr", fallback="zh").code == "zh"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("现在几点？", "zh"),
        ("帮我看看 README.md 里的 TODO", "zh"),
        ("echo 你好", "zh"),
        ("what does 你好 mean in English", None),
        ("今何時ですか", None),
        ("지금 몇 시", None),
        ("hello", None),
        ("", None),
        ("👍", None),
    ],
)
def test_a_language_is_detected_by_its_script_only_where_that_is_certain(text: str, code: str | None) -> None:
    assert detect(text) == code


@pytest.mark.parametrize(
    ("counts", "english", "chinese"),
    [
        ({"messages": 1, "files": 0}, "1 message", "1 条消息"),
        ({"messages": 2, "files": 1}, "2 messages and 1 file", "2 条消息和1 个文件"),
        ({"messages": 2, "files": 21, "todos": 1}, "2 messages, 21 files and 1 open to-do", None),
        ({"messages": 0}, "", ""),
    ],
)
def test_what_is_counted_has_the_form_of_its_number_and_no_zeros(
    counts: dict[str, int], english: str, chinese: str | None
) -> None:
    assert pick("en").counted(**counts) == english
    assert chinese is None or pick("zh").counted(**counts) == chinese


def test_a_language_brings_its_own_rule_for_numbers() -> None:
    polish = replace(
        pick("en"),
        texts={"count_files": "{n} plik|{n} pliki|{n} plików"},
        plural=lambda n: 0 if n == 1 else 1 if n % 10 in {2, 3, 4} and n % 100 not in {12, 13, 14} else 2,
    )
    assert [polish.many("count_files", n) for n in (1, 3, 5, 13, 22)] == [
        "1 plik",
        "3 pliki",
        "5 plików",
        "13 plików",
        "22 pliki",
    ]


def test_a_text_that_is_there_already_is_not_replaced_by_another() -> None:
    add_texts({"en": {"thanks": languages()["en"]["thanks"]}})
    with pytest.raises(ValueError, match="thanks"):
        add_texts({"en": {"thanks": "Something else"}})


# What stands behind the words for "for example", up to the end of the text.
EXAMPLES = re.compile(r"(?:[Ff]or example: |Examples: |zum Beispiel: |Beispiele: |例如：)(.+)$", re.IGNORECASE)
TIMES_ASKED = ("ask_when", "ask_day", "time_impossible", "time_instead", "ask_new_time", "ask_until", "todo_no_time")


@pytest.mark.parametrize("language", languages().values(), ids=lambda language: language.code)
@pytest.mark.parametrize("key", TIMES_ASKED)
def test_the_times_that_a_question_gives_as_examples_are_read_and_always_to_come(language: Language, key: str) -> None:
    examples = EXAMPLES.search(language[key])
    assert examples is not None
    for example in re.split(r", |，|、", examples[1]):
        when = language.grammar.when(example)
        assert isinstance(when, At), example
        assert not isinstance(when.day, Date) or when.day.year is None, example


def test_what_is_joined_and_named_has_the_signs_of_the_language() -> None:
    english, chinese = pick("en"), pick("zh")
    assert (english.joined(["a", "", "b"]), chinese.joined(["a", "", "b"])) == ("a, b", "a、b")
    assert (english.joined(["a", "b"], "list_also"), chinese.joined(["a", "b"], "list_also")) == ("a, b", "a，b")
    assert (english.sentences("One.", "Two."), chinese.sentences("一。", "二。")) == ("One. Two.", "一。二。")
    assert (
        chinese.say("named", name="伟", text=chinese.say("aside", text="看牙医", aside="15:00"))
        == "伟：看牙医（15:00）"
    )


@pytest.mark.parametrize(("length", "german"), [(DAY, "1 Tag"), (5 * DAY, "5 Tagen"), (3 * SECOND, "3 Sek.")])
def test_a_german_duration_stands_behind_in_and_since(length: int, german: str) -> None:
    assert pick("de").duration(length) == german
    assert ".." not in pick("de").say("status_uptime", duration=german)
