"""What answers the question where somebody is, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.language.zone_search import zone_of
from tests.commanding import home, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.fakes import house as with_model


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Berlin.", "Europe/Berlin"),
        ("berlin!", "Europe/Berlin"),
        ("in Berlin", "Europe/Berlin"),
        ("I’m in Berlin right now.", "Europe/Berlin"),
        ("We live in Berlin", "Europe/Berlin"),
        ("Berlin, Germany", "Europe/Berlin"),
        ("Paris, France", "Europe/Paris"),
        ("London, UK", "Europe/London"),
        ("Boston, MA", "America/New_York"),
        ("New York City", "America/New_York"),
        ("Mexico City", "America/Mexico_City"),
        ("in Italy", "Europe/Rome"),
        ("我在北京", "Asia/Shanghai"),
        ("我现在在东京。", "Asia/Tokyo"),
        ("中国北京", "Asia/Shanghai"),
        ("北京市", "Asia/Shanghai"),
    ],
)
@pytest.mark.parametrize("model", [False, True])
async def test_a_place_is_known_by_what_people_say_around_it(
    make_database: DatabaseMaker, tmp_path: Path, text: str, zone: str, *, model: bool
) -> None:
    make = await make_database("sqlite")
    house = await with_model(make, tmp_path / "house") if model else await home(make, tmp_path)
    await said(house, "/timezone")
    assert zone in await said(house, text)


@pytest.mark.parametrize(
    "text", ["Paris, Texas", "London, Ontario", "Berlin, Japan", "日本北京", "the usa", "in", "在"]
)
def test_a_town_of_the_same_name_elsewhere_is_no_zone(text: str) -> None:
    assert zone_of(text) is None


@pytest.mark.parametrize(
    "text", ["Atlantis", "in Atlantis", "San Atlantis de la Mer", "berlim", "我在亚特兰蒂斯", "仙境"]
)
async def test_an_unknown_place_is_told_so_by_its_name_alone(house: House, text: str) -> None:
    await said(house, "/timezone")
    answer = await said(house, text)
    name = text.removeprefix("in ").removeprefix("我在")
    assert f"I don't know the place {name}." in answer or f"我不认识地方 {name}。" in answer


@pytest.mark.parametrize(
    "text",
    [
        "milk done",
        "we need butter",
        "buy bread",
        "dinner was great",
        "Dinner was great",
        "in a hurry",
        "牛奶买了",
        "我在开会",
        "明天下午",
        "I'm at work",
        "at home",
        "Thanks!",
        "Monday",
        "随便",
    ],
)
async def test_what_is_plainly_something_else_is_no_place(house: House, text: str) -> None:
    await said(house, "/timezone")
    answer = await said(house, text)
    assert "I don't know the place" not in answer
    assert "我不认识地方" not in answer


@pytest.mark.parametrize("text", ["not now", "Later.", "等一下"])
async def test_who_would_rather_say_it_later_is_asked_no_more(house: House, text: str) -> None:
    await said(house, "/timezone")
    assert (await said(house, text)).endswith("\n👌")
    assert await house.column("SELECT count(*) FROM question WHERE ended_at IS NULL") == [0]


async def test_an_item_is_ticked_while_it_is_asked_where_somebody_is(house: House) -> None:
    await said(house, "/todo milk")
    await said(house, "/timezone")
    assert "☑ milk" in await said(house, "milk done")
    assert "Europe/Berlin" in await said(house, "Berlin")
