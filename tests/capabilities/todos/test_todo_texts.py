"""Which to-do is meant by which words, and how one reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.todos.repository import Assignee, Todo
from core.capabilities.todos.views import due_words, item
from core.kernel.types import LaneKey
from core.language import pick
from core.language.matching import key, matching, plain

LANE = LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1)
BERLIN = ZoneInfo("Europe/Berlin")
NOW = 1_790_000_000_000  # Monday 21 September 2026, 16:13 in Berlin
HOUR = 3_600_000


def todo(content: str, number: int = 1, **more: Any) -> Todo:
    made = Todo(todo_id=number, lane=LANE, person_id=1, state="open", content=content)
    return replace(made, **more)


def found(query: str, *contents: str) -> list[str]:
    return [one.content for one in matching(query, [todo(content, n) for n, content in enumerate(contents)])]


@pytest.mark.parametrize(
    ("query", "contents", "meant"),
    [
        ("milk", ["oat milk", "Milk!", "milkshake"], ["Milk!"]),
        ("milk", ["oat milk", "milkshake", "cow milk"], ["oat milk", "cow milk"]),
        ("oma call", ["call Oma tomorrow", "call Opa"], ["call Oma tomorrow"]),
        ("shake", ["oat milk", "milkshake"], ["milkshake"]),
        ("ＭＩＬＫ", ["milk"], ["milk"]),
        ("call Anna", ["call Anna (tg:1001)", "call Annabel"], ["call Anna (tg:1001)"]),
        ("te", ["steak"], []),
        ("wine", ["milk"], []),
        ("牛奶", ["买牛奶", "买面包"], ["买牛奶"]),
        ("牛 奶", ["买牛奶"], ["买牛奶"]),
        ("买", ["买牛奶", "买面包"], ["买牛奶", "买面包"]),
        ("🥛", ["🥛", "🍞"], ["🥛"]),
        ("!!!", ["!!!", "???"], ["!!!"]),
        ("learn c++", ["learn C#", "learn C++"], ["learn C++"]),
        ("learn c", ["learn C#", "learn C++"], ["learn C#", "learn C++"]),
        ("eggs", ["milk,eggs", "bread"], ["milk,eggs"]),
    ],
)
def test_the_first_kind_of_match_that_there_is_decides(query: str, contents: list[str], meant: list[str]) -> None:
    assert found(query, *contents) == meant


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=200), max_size=5))
def test_whatever_is_asked_for_the_whole_text_of_an_item_means_it(query: str, contents: list[str]) -> None:
    found(query, *contents)
    for content in contents:
        assert {key(one) for one in found(content, *contents)} == {key(content)}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Call Anna!", "call  anna", True),
        ("“Milk”, (bread)…", "milk bread", True),
        ("milk — fresh", "Milk fresh.", True),
        ("买牛奶。", "买牛奶", True),
        ("call Anna (tg:1001)", "call Anna", True),
        ("learn C++", "learn C#", False),
        ("learn C++", "learn C", False),
        ("pay +5", "pay -5", False),
        ("pay -5", "pay 5", False),
        ("room #1", "room 1", False),
        ("1.5 l milk", "15 l milk", False),
        ("buy 🥛", "buy 🍞", False),
        ("call @anna", "call anna", False),
    ],
)
def test_signs_of_a_word_tell_it_from_another(one: str, other: str, same: bool) -> None:
    assert (key(one) == key(other)) is same


def test_people_do_not_read_references() -> None:
    assert plain("ask Anna (tg:1001) and Bo (slack:T1:U2) (now)") == "ask Anna and Bo (now)"


@pytest.mark.parametrize(
    ("due", "english", "chinese"),
    [
        ({}, "", ""),
        ({"due_on": "2026-09-21"}, "today", "今天"),
        ({"due_on": "2026-09-20"}, "⚠️ overdue since Sun 20 Sep", "⚠️ 已过期（9月20日 周日）"),
        ({"due_on": "2026-09-25"}, "Fri 25 Sep", "9月25日 周五"),
        ({"due_on": "2027-01-02"}, "Saturday 2 January 2027", "2027年1月2日 星期六"),
        ({"due_at": NOW + HOUR}, "today 17:13", "今天 17:13"),
        ({"due_at": NOW - HOUR}, "⚠️ overdue since Mon 21 Sep 15:13", "⚠️ 已过期（9月21日 周一 15:13）"),
        ({"due_at": NOW + 24 * HOUR}, "Tue 22 Sep 16:13", "9月22日 周二 16:13"),
    ],
)
def test_when_something_is_due_is_said_by_the_day_of_the_zone(due: dict[str, Any], english: str, chinese: str) -> None:
    for code, words in (("en", english), ("zh", chinese)):
        assert due_words(pick(code), todo("milk", **due), BERLIN, NOW) == words


def test_a_line_names_three_of_those_who_are_to_do_it() -> None:
    people = tuple(Assignee(contact_id=n, name=f"P{n}*") for n in range(5))
    assert item(pick("en"), todo("*milk*", assignees=people), BERLIN, NOW, group="`x`") == (
        "☐ \\*milk\\* — P0\\*, P1\\*, P2\\* +2 · “`'x'`”"
    )
