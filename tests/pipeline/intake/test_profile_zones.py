"""A profile with another zone: what goes by the clock goes by the new one, and its person is told once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Inbound, Press, Sender
from core.kernel.updates import Profile
from tests.fakes import OWNER, House, inbound
from tests.fakes import house as build
from tests.triggering import passes, trigger

pytestmark = pytest.mark.databases("sqlite")

TOKYO, NEW_YORK = "Asia/Tokyo", "America/New_York"
TOLD = (
    "🌍 Your profile says New York now, so what I do for you at a time of day goes by that. Now at other times:\n"
    "- Tue 22 Sep 08:00: pills"
)


def ann(zone: str) -> Sender:
    return Sender(address=OWNER, name="Ann", language="en", timezone=zone)


async def hears(house: House, text: str, zone: str = TOKYO, **fields: Any) -> None:
    """She says something, and her profile has a zone."""
    said = inbound(text, key=f"z{next(house.keys)}", sent_at=house.clock.now(), **fields)
    values = {name: getattr(said, name) for name in Inbound.__dataclass_fields__} | {"sender": ann(zone)}
    await house.app.inbox.accept(house.tenant_id, [Inbound(**values)])
    await house.work()


async def changes(house: House, zone: str, key: str = "u:1") -> list[str]:
    """Her profile changes; returns what she is told."""
    before = len(house.adapter.texts())
    await house.app.inbox.accept(house.tenant_id, [Profile(key=key, sender=ann(zone))])
    await house.work()
    return house.adapter.texts()[before:]


async def zones(house: House) -> list[str]:
    specs = await house.column("SELECT spec FROM trigger WHERE follows = 1 AND ended_at IS NULL ORDER BY id")
    return [zone for spec in specs for zone in (TOKYO, NEW_YORK, "Europe/Berlin") if zone in spec]


async def home(db: Database, folder: Path) -> House:
    house = await build(db, folder / "house", model=False)
    await hears(house, "/remind every day at 8 pills")
    assert await zones(house) == [TOKYO]
    return house


async def test_what_repeats_goes_by_the_new_zone_and_its_person_is_told_once(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    assert await changes(house, NEW_YORK) == [TOLD]
    assert await zones(house) == [NEW_YORK]
    assert await changes(house, NEW_YORK, "u:2") == []
    assert "08:00" in (await said(house, "/tasks", NEW_YORK))


async def said(house: House, text: str, zone: str) -> str:
    await hears(house, text, zone)
    return house.adapter.texts()[-1]


async def test_a_message_that_brings_the_new_zone_does_the_same(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await hears(house, "/time", NEW_YORK)
    assert TOLD in house.adapter.texts()
    assert await zones(house) == [NEW_YORK]


async def test_a_press_that_brings_the_new_zone_does_the_same(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await hears(house, "/todo milk")
    press = Press(key="p:1", chat="1", sender=ann(NEW_YORK), data=house.button("Undo"), raw="{}")
    await house.app.inbox.accept(house.tenant_id, [press])
    await house.work()
    assert TOLD in house.adapter.texts()


async def test_what_quiet_hours_held_back_comes_at_once_where_they_are_over_in_the_new_zone(
    database: Database, tmp_path: Path
) -> None:
    house = await build(database, tmp_path / "house", model=False)
    await hears(house, "/quiet 22:00-07:00")
    # It is 23:14 in Tokyo, and 10:14 in New York.
    await trigger(house, "Bob did it", 60.0, deliver="note", link="told:1")
    await passes(house, 60)
    assert "Bob did it" not in house.adapter.texts()
    await changes(house, NEW_YORK)
    await house.sweep()
    assert house.adapter.texts()[-1] == "Bob did it"


async def test_who_has_chosen_a_zone_keeps_it(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await hears(house, "/timezone Berlin")
    assert await changes(house, NEW_YORK) == []
    assert await zones(house) == ["Europe/Berlin"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_profile_without_a_zone_or_with_none_that_is_moves_nothing(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await changes(house, "Moon/Base") == []
    assert await changes(house, "", "u:2") == []
    assert await zones(house) == [TOKYO]


@pytest.mark.databases("sqlite", "postgres")
async def test_the_button_stays_with_the_former_zone(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await changes(house, NEW_YORK)
    await house.press("Stay with Tokyo")
    await house.work()
    assert await zones(house) == [TOKYO]
    assert await house.column("SELECT timezone FROM person WHERE timezone <> ''") == [TOKYO]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("none", ["", "Mars/Olympus"])
async def test_a_profile_without_a_zone_for_a_while_is_taken_for_the_one_it_had(
    database: Database, tmp_path: Path, none: str
) -> None:
    house = await home(database, tmp_path)
    assert await changes(house, none) == []
    assert await changes(house, NEW_YORK, "u:2") == [TOLD]
    assert await zones(house) == [NEW_YORK]
