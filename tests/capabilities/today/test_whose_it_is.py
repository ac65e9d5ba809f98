"""What a day or a list shows in a group, or of one, says whose it is; and what comes again is theirs alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, labels, said
from tests.fakes import OWNER, House
from tests.triggering import contact_of, passes, trigger

pytestmark = pytest.mark.databases("sqlite")

FAMILY = "-5"
BO, CHEN = f"Name of {FRIEND}", f"Name of {GUEST}"


async def family(database: Database, tmp_path: Path) -> tuple[House, list[int]]:
    """A group where Bo and Chen have spoken; their contacts."""
    house = await group(database, tmp_path)
    for address in (FRIEND, GUEST):
        await said(house, "/help", **GROUP, sender=address)
    return house, [await contact_of(house, address) for address in (FRIEND, GUEST)]


async def test_the_day_of_a_group_says_for_whom_each_thing_is(database: Database, tmp_path: Path) -> None:
    house, (bo, chen) = await family(database, tmp_path)
    await said(house, "/remind me at 17:00 to cook", **GROUP)
    await said(house, "/remind everybody at 17:10 to eat", **GROUP)
    await trigger(house, "feed the dog", chat=FAMILY, contacts=[chen])
    await trigger(house, "walk", chat=FAMILY, contacts=[bo, chen])
    await said(house, f"/todo milk today for {CHEN}", **GROUP)
    lines = (await said(house, "/today", **GROUP)).splitlines()
    assert f"☐ milk — {CHEN}, today" in lines
    assert [line.partition(" ")[2].partition(" ")[2] for line in lines if line.startswith("⏰")] == [
        f"{CHEN}: feed the dog",
        f"{BO} and {CHEN}: walk",
        f"Name of {OWNER}: cook",
        "everybody: eat",
    ]
    await said(house, "/language zh", **GROUP)
    assert f"{BO}和{CHEN}：walk" in await said(house, "/today", **GROUP)


async def test_in_private_what_is_ones_own_has_no_name_and_what_is_for_others_has(
    database: Database, tmp_path: Path
) -> None:
    house, (_, chen) = await family(database, tmp_path)
    await said(house, "/remind me at 17:00 to cook")
    await trigger(house, "feed the dog", chat=FAMILY, contacts=[chen])
    today = await said(house, "/today")
    assert "⏰ 17:00 cook" in today
    assert f"{CHEN}: feed the dog · " in today
    assert f"{CHEN}: feed the dog" in await said(house, "/tasks")


async def test_what_one_of_several_put_off_comes_back_with_buttons_to_do_so_again(
    database: Database, tmp_path: Path
) -> None:
    house, both = await family(database, tmp_path)
    await trigger(house, "walk", chat=FAMILY, contacts=both)
    await passes(house, 60)
    await house.press("+10 min", chat=FAMILY, sender=GUEST, chat_kind="group")
    await house.work()
    await passes(house, 601)
    assert house.shown(FAMILY)[-1].text == f"⏰ [{CHEN}]({GUEST}) (from Name of {OWNER}): walk"
    assert labels(house, FAMILY) == ["Done", "+10 min", "+1 h", "tomorrow"]


async def test_who_asked_is_not_told_that_they_did_not_answer(database: Database, tmp_path: Path) -> None:
    house, (bo, _) = await family(database, tmp_path)
    mine = await contact_of(house, OWNER)
    await trigger(house, "take pills", chat=FAMILY, contacts=[bo, mine], until_done=True)
    await passes(house, 60)
    await house.press("Done", chat=FAMILY, sender=FRIEND, chat_kind="group")
    await house.work()
    for _ in range(5):
        await passes(house, 601)
    told = [sent.text for sent in house.shown(FAMILY)]
    assert "I stop repeating this: take pills" in told
    assert not any("No answer from" in text for text in told)


async def test_what_is_for_everybody_of_a_group_is_in_the_day_of_each_who_is_known_there(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await said(house, "/remind everybody at 18:00 dinner", **GROUP, sender=GUEST)
    for asked in ("/today", "what's on this week?"):
        assert "18:00 everybody: dinner · “`Family`”" in await said(house, asked, **friend())
    house.adapter.absent.add(("-5", FRIEND))
    assert "dinner" not in await said(house, "/today", **friend())
    assert "dinner" in await said(house, "/today")
