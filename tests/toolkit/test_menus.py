"""Menus of commands, and how people are named in answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.adapters.telegram import TelegramAdapter
from bot.config.sections import TelegramSection
from bot.runtime.wiring import adapters
from core.capabilities.all import COMMANDS
from core.kernel.access import may
from core.kernel.markdown import called, coded, labelled, quoted, visible
from core.kernel.types import Standing
from core.language import languages
from core.language.zone_search import zone_of
from tests.fakes import FakeClock, config


def test_every_audience_has_a_menu_in_every_language() -> None:
    codes = {"" if code == "en" else code for code in languages()}
    assert set(COMMANDS.menus()) == {(audience, code) for audience in ("private", "group", "admin") for code in codes}


def test_telegram_is_handed_the_menus(tmp_path: Path) -> None:
    telegram = TelegramSection.model_validate({"token": "123456789:token"})
    found = adapters(config(tmp_path, telegram=telegram), FakeClock(), console=False)["telegram"]
    assert isinstance(found, TelegramAdapter)
    assert found._incoming._menu._menus == COMMANDS.menus()


def test_menus_offer_commands_that_exist_in_a_short_line() -> None:
    for commands in COMMANDS.menus().values():
        assert {name for name, _ in commands} <= set(COMMANDS)
        assert all(1 <= len(text) <= 60 for _, text in commands)
        assert len({name for name, _ in commands}) == len(commands)


def test_menus_show_nobody_what_they_may_not_do() -> None:
    for (audience, _), commands in COMMANDS.menus().items():
        standing = Standing.ADMIN if audience == "admin" else Standing.GUEST
        assert all(may(standing, COMMANDS.needs(name, group=audience != "private")) for name, _ in commands)
        assert not {name for name, _ in commands} & {
            name for name, command in COMMANDS.items() if command.needs is Standing.OWNER
        }


@pytest.mark.parametrize("name", sorted(name for name, command in COMMANDS.items() if command.for_everybody))
def test_what_is_for_everybody_needs_nothing_in_a_group_and_access_in_private(name: str) -> None:
    assert COMMANDS.needs(name, group=True) is Standing.STRANGER
    assert COMMANDS.needs(name, group=False) is Standing.GUEST


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \n Lee ", "Ann Lee"),
        ("\u202eevil", "evil"),
        ("a\u0000b", "ab"),
        ("\u200b\u2060\ufeff", ""),
        ("\u3164", ""),
        ("\u0301\u0302", ""),
        ("", ""),
        ("李雷 😀", "李雷 😀"),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(name: str, shown: str) -> None:
    assert visible(name) == shown


@pytest.mark.parametrize(
    "picture", ["👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "👩🏽\u200d🚒", "❤\ufe0f\u200d🔥"]
)
def test_pictures_that_are_joined_stay_one(picture: str) -> None:
    assert visible(f"{picture} trip") == f"{picture} trip"
    assert visible(f"Bo\u200db {picture}\u200d") == f"Bob {picture}"


def test_names_are_cut_and_nameless_people_have_their_address() -> None:
    assert len(called("x" * 10_000, "tg:1")) == 64
    assert len(labelled("x" * 10_000, "tg:1")) == 24
    assert called("\u200b", "tg:1") == labelled("", "tg:1") == "tg:1"
    assert called("*Ann*", "tg:1") == "\\*Ann\\*"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "“`Ann`”"),
        ("tg:1 · owner", "“`tg:1 · owner`”"),
        ("evil.example", "“`evil.example`”"),
        ("a` **b** `c\nd", "“`a' **b** 'c d`”"),
        ("x" * 10_000, f"“`{'x' * 63}…`”"),
        ("\u200b", "–"),
    ],
)
def test_a_quoted_name_is_code_and_can_be_nothing_else_of_its_line(name: str, shown: str) -> None:
    assert quoted(name) == shown


def test_an_address_as_code_cannot_end_the_code() -> None:
    assert coded("tg:`1`") == "`tg:1`"


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("BERLIN", "Europe/Berlin"),
        ("america/argentina/buenos aires", "America/Argentina/Buenos_Aires"),
        ("india", "Asia/Kolkata"),
        ("德国", "Europe/Berlin"),
        ("utc", "UTC"),
        ("nowhere", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_a_zone_is_found_by_what_people_call_it(said: str, zone: str | None) -> None:
    assert zone_of(said) == zone
