"""How our texts name commands: as people write them on the platform where they are read."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from bot.adapters.console import ConsoleAdapter
from bot.adapters.slack.render.command_style import spelling
from bot.adapters.telegram import TelegramAdapter
from core.capabilities.all import COMMANDS
from core.kernel.command_style import SLASHES, Spelling
from core.language import Language, languages, pick

EVERY = list(languages().values())
SLACK = spelling("/teller", "/todo")
RENAMED = spelling("/bot", "/chores")
CALLED = spelling("/teller", "/todo", {"T1": "Ada"}.__getitem__)
THREAD = SLACK.here("1700000000.000100")
# Commands of ours, however they are written.
NAMED = re.compile(rf"/(?:{'|'.join(sorted(COMMANDS, key=len, reverse=True))})(?![a-z])")


def named(text: str) -> set[str]:
    """The commands of ours that a text names with a slash right before them."""
    return set(NAMED.findall(text))


def meant(language: Language, key: str) -> bool:
    """Whether a text of Slack names commands on purpose that are not written there, or not ours."""
    return "//" in language.texts.get(f"slack:{key}", "")


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_no_text_on_slack_names_a_command_that_slack_refuses(language: Language) -> None:
    here = language.spelled(SLACK)
    texts = {key: text for key, text in here.texts.items() if not key.startswith("slack:")}
    refused = {key: named(text) - {"/todo"} for key, text in texts.items() if not meant(language, key)}
    assert {key: names for key, names in refused.items() if names} == {}
    assert sum("/teller " in text for text in texts.values()) > 50


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_in_a_thread_every_command_stands_behind_a_mention(language: Language) -> None:
    here = language.spelled(THREAD)
    for key, text in here.texts.items():
        if not key.startswith("slack:") and not meant(language, key):
            assert named(text.replace("@Teller /", "@Teller ")) == set(), key
    assert "@Teller /help" in here["unknown_command"]


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_an_app_with_commands_of_other_names_is_spelled_with_them(language: Language) -> None:
    here = language.spelled(RENAMED)
    assert "/bot timezone" in here["timezone_now"]
    assert "/chores" in here["todo_empty"]
    for key, text in here.texts.items():
        if not key.startswith("slack:") and not meant(language, key):
            assert named(text) == set(), key


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("way", [SLACK, THREAD, RENAMED], ids=["channel", "thread", "renamed"])
def test_spelling_leaves_every_placeholder_where_it_was(code: str, way: Spelling) -> None:
    def fields(text: str) -> list[str]:
        return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})

    # Other tests may have added texts since this file was read.
    language = languages()[code]
    here = language.spelled(way)
    assert set(here.texts) == set(language.texts)
    for key, text in here.texts.items():
        assert fields(text) == fields(language[key]), key


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_every_command_that_a_text_names_is_one(language: Language) -> None:
    written = re.compile(r"(?<![A-Za-z0-9/}])/([a-z]+)")
    for key, text in language.spelled(SLASHES).texts.items():
        if not key.startswith("slack:") and key != "readalong_blind":
            assert set(written.findall(text)) <= set(COMMANDS), key


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
def test_what_is_worded_otherwise_on_a_platform_has_a_text_for_all_others(language: Language) -> None:
    others = {key: key.partition(":")[2] for key in language.texts if ":" in key}
    assert set(others.values()) <= set(language.texts)
    here = language.spelled(SLACK)
    for key, common in others.items():
        assert here[common] == SLACK.text(language[key])
        assert "//" not in here[common]
        assert language[key] != language[common]


@pytest.mark.parametrize("language", EVERY, ids=lambda language: language.code)
@pytest.mark.parametrize("thread", ["", "1700000000.000100"], ids=["channel", "thread"])
def test_where_the_bot_is_called_otherwise_no_text_says_its_first_name(language: Language, thread: str) -> None:
    here = language.spelled(CALLED.here(thread, "T1"))
    texts = {key: text for key, text in here.texts.items() if not key.startswith("slack:")}
    assert not [key for key, text in texts.items() if "Teller" in text]
    assert "/invite @Ada" in texts["own_list"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada Bot", "@Ada Bot /help"),
        ("", "@Teller /help"),
        ("{x} **A** `b`", "@x A b /help"),
        ("/todo", "@/todo /help"),
        ("\u202e\n", "@Teller /help"),
    ],
)
def test_the_bot_is_mentioned_by_what_it_is_called_and_nothing_else_comes_of_that(name: str, shown: str) -> None:
    here = spelling("/teller", "/todo", {"T1": name}.__getitem__).here("1700000000.000100", "T1")
    assert here.command("/help") == shown
    assert pick("en").spelled(here).say("unknown_command", command="/lost").endswith(f"{shown} shows what works.")


def test_where_all_commands_have_slashes_the_texts_are_the_very_same() -> None:
    assert TelegramAdapter.spelling == ConsoleAdapter.spelling == SLASHES
    for language in EVERY:
        assert language.spelled(SLASHES.here("7")) is language
        texts = [text for key, text in language.texts.items() if not key.startswith("slack:")]
        assert all("//" not in text.replace("://", "") for text in texts)


def test_a_language_is_spelled_once() -> None:
    assert pick("en").spelled(SLACK) is pick("en").spelled(spelling("/teller", "/todo"))
    assert pick("en").spelled(SLACK).spelled(SLASHES) is pick("en")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Write /link, or /todo.", "Write /teller link, or /todo."),
        ("`/start {word}`", "`/teller start {word}`"),
        ("写 /help，或（/undo）", "写 /teller help，或（/teller undo）"),
        ("看/help", "看/teller help"),
        ("{done}/{all}, {done}/all, Europe/Berlin, and/or", "{done}/{all}, {done}/all, Europe/Berlin, and/or"),
        ("https://example.org/help", "https://example.org/help"),
        ("//invite @Teller", "/invite @Teller"),
    ],
)
def test_only_commands_are_spelled_anew(text: str, shown: str) -> None:
    assert SLACK.text(text) == shown


def test_words_that_fill_a_text_stay_as_somebody_wrote_them() -> None:
    here = pick("en").spelled(SLACK)
    assert here.say("reminder", text="try /help") == "⏰ try /help"
    assert here.say("unknown_command", command="/lost") == "I don't know /lost. /teller help shows what works."


def test_a_line_is_spelled_for_the_place_where_it_is_to_be_written() -> None:
    assert SLACK.command("/remind Bob at 9 call") == "/teller remind Bob at 9 call"
    assert SLACK.command("/todo milk") == "/todo milk"
    assert THREAD.command("/todo milk") == "@Teller /todo milk"
    assert SLACK.here("") is SLACK
    assert pick("zh").spelled(SLACK).command("/mute Anna") == "/teller mute Anna"
