"""Reminders for several people or for everybody: what one does takes nothing from the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.capabilities.todos import repository as todos
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from tests.commanding import FRIEND, GROUP, GUEST, group, labels, said
from tests.fakes import OWNER, House
from tests.triggering import contact_of, lane_of, mute, passes, person_of, state, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400
FAMILY = "-5"
BO, CHEN = f"Name of {FRIEND}", f"Name of {GUEST}"
FROM = f"from Name of {OWNER}"


async def family(database: Database, tmp_path: Path, **options: Any) -> tuple[House, list[int]]:
    """A group where Bo (a friend) and Chen (a guest) have spoken; their contacts."""
    house = await group(database, tmp_path, **options)
    both = []
    for address, handle in ((FRIEND, "@bo"), (GUEST, "@chen")):
        await said(house, "/help", **GROUP, sender=address, handle=handle)
        both.append(await contact_of(house, address))
    return house, both


async def posted(house: House, text: str, **fields: Any) -> str:
    """Post a reminder in the group; returns the platform's id of its message."""
    await trigger(house, text, chat=FAMILY, **fields)
    await passes(house, 60)
    return [sent.platform_id for sent in house.shown(FAMILY) if text in sent.text][-1]


async def press(house: House, label: str, sender: str) -> None:
    await house.press(label, chat=FAMILY, sender=sender, chat_kind="group")
    await house.work()


def shown(house: House, message: str) -> str:
    """What a message of the group shows now."""
    return next(sent.text for sent in house.shown(FAMILY) if sent.platform_id == message)


def told(house: House, text: str) -> int:
    """In how many messages of the group a text stands."""
    return sum(text in sent.text for sent in house.shown(FAMILY))


async def test_who_mutes_the_maker_stops_it_for_nobody_else(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    daily = Interval(seconds=DAY, start=house.clock.now())
    made = await trigger(house, "stand up", daily, chat=FAMILY, contacts=both)
    await mute(house, FRIEND, OWNER)
    for day in (1, 2):
        await passes(house, DAY + 1)
        assert told(house, f"⏰ [{CHEN}]({GUEST}) ({FROM}): stand up") == day
    assert (await state(house, made))[0] == "active"
    assert told(house, "rests") == 0


async def test_when_all_have_muted_the_maker_it_rests_which_is_said(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    daily = Interval(seconds=DAY, start=house.clock.now())
    made = await trigger(house, "stand up", daily, chat=FAMILY, contacts=both)
    for address in (FRIEND, GUEST):
        await mute(house, address, OWNER)
    await passes(house, DAY + 1)
    assert (await state(house, made))[:2] == ("paused", "muted")
    assert told(house, "messages of that kind. It rests now;") == 2


async def test_in_private_what_one_mutes_still_comes_to_the_maker(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, f"/contacts add Bob {FRIEND}")
    both = [await contact_of(house, address, "1") for address in (FRIEND, OWNER)]
    made = await trigger(house, "call in", Interval(seconds=DAY, start=house.clock.now()), contacts=both)
    await mute(house, FRIEND, OWNER)
    for day in (1, 2):
        await passes(house, DAY + 1)
        assert sum("⏰ call in" in sent.text for sent in house.shown()) == day
    assert (await state(house, made))[0] == "active"


async def test_what_everybody_had_done_comes_anew_when_it_is_put_off(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path)
    message = await posted(house, "water the plants", everybody=True, until_done=True)
    await press(house, "Done", FRIEND)
    assert "✅" in shown(house, message)
    await said(house, "in 10 minutes", **GROUP, sender=GUEST, reply_to=message)
    assert shown(house, message).endswith(f"\n💤 {CHEN} Mon 21 Sep 14:24")
    await passes(house, 601)
    assert house.shown(FAMILY)[-1].text.endswith(": water the plants\n👥 for 3 people")
    assert labels(house, FAMILY) == ["Done", "+10 min", "+1 h", "tomorrow"]
    await press(house, "Done", GUEST)
    assert f"\n✅ {CHEN} " in house.shown(FAMILY)[-1].text
    count = told(house, "water the plants")
    for _ in range(4):
        await passes(house, 601)
    assert told(house, "water the plants") == count
    assert await house.column("SELECT state FROM reminder") == ["done", "done"]


async def test_what_is_for_everybody_is_put_off_once_by_whoever_did_last(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path)
    message = await posted(house, "water the plants", everybody=True)
    await press(house, "+10 min", FRIEND)
    assert f"💤 {BO} " in shown(house, message)
    assert labels(house, FAMILY) == ["Done", "+10 min", "+1 h", "tomorrow"]
    await press(house, "+1 h", GUEST)
    assert f"💤 {CHEN} " in shown(house, message)
    count = told(house, "water the plants")
    await passes(house, 601)
    assert told(house, "water the plants") == count
    await passes(house, HOUR)
    assert told(house, "water the plants") == count + 1


async def test_what_is_for_everybody_keeps_its_language_whoever_has_done_it(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path, language="auto")
    asker = {"id": await person_of(house)}
    await house.db.write(lambda tx: tx.run("UPDATE person SET language = 'de' WHERE id = :id", asker))
    message = await posted(house, "water the plants", everybody=True)
    assert shown(house, message).endswith("\n👥 für 3 Leute")
    await press(house, "Erledigt", FRIEND)
    assert "\n👥 für 3 Leute\n✅" in shown(house, message)


async def test_who_asked_puts_off_nothing_that_is_done(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    message = await posted(house, "sign the form", contacts=both)
    await press(house, "Done", FRIEND)
    await press(house, "+1 h", OWNER)
    assert f"1 of 2: ✅ {BO} 💤 {CHEN}" in shown(house, message)
    await passes(house, HOUR + 1)
    assert house.shown(FAMILY)[-1].text.startswith(f"⏰ [{CHEN}]({GUEST}) ({FROM}): sign the form")


async def test_who_asked_moves_what_they_put_off_and_not_what_others_did(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    message = await posted(house, "sign the form", contacts=both)
    await said(house, "in 3 hours", **GROUP, sender=FRIEND, reply_to=message)
    await said(house, "in 1 hour", **GROUP, reply_to=message)
    await said(house, "in 2 hours", **GROUP, reply_to=message)
    for hours, who in ((1, ""), (2, f"[{CHEN}]({GUEST})"), (3, f"[{BO}]({FRIEND})")):
        count = told(house, "sign the form")
        await passes(house, HOUR + 1)
        assert told(house, "sign the form") == count + bool(who), hours
        assert house.shown(FAMILY)[-1].text.startswith(f"⏰ {who} ({FROM}): sign the form") == bool(who)


async def test_who_asked_is_told_that_nobody_is_left_to_be_reminded_again(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    message = await posted(house, "sign the form", contacts=both)
    await press(house, "Done", FRIEND)
    await said(house, "in 3 hours", **GROUP, sender=GUEST, reply_to=message)
    assert "have done that" in await said(house, "in 1 hour", **GROUP, reply_to=message)
    assert f"✅ {BO} 💤 {CHEN}" in shown(house, message)


async def test_two_who_put_it_off_until_the_same_time_are_not_one(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    message = await posted(house, "sign the form", contacts=both)
    for sender in (FRIEND, GUEST):
        await said(house, "tomorrow at 9am", **GROUP, sender=sender, reply_to=message)
    (mine,) = await house.column(
        "SELECT t.id FROM trigger t JOIN address a ON a.person_id = t.person_id"
        " WHERE t.reminder_id IS NOT NULL AND a.external_id = :address",
        address=FRIEND,
    )
    await said(house, f"/cancel {ref('s', mine)}", **GROUP, sender=FRIEND)
    assert f"0 of 2: · {BO} 💤 {CHEN}" in shown(house, message)
    await passes(house, DAY)
    assert house.shown(FAMILY)[-1].text.startswith(f"⏰ [{CHEN}]({GUEST}) ({FROM}): sign the form")


async def test_a_to_do_that_is_done_reminds_no_other_of_its_people(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    await said(house, "/todo buy cake", **GROUP)
    lane, (todo,) = await lane_of(house, FAMILY), await house.column("SELECT id FROM todo")
    made = await trigger(house, "buy cake", chat=FAMILY, contacts=both)
    await database.write(lambda tx: todos.assign(tx, lane, todo, both))
    await database.write(lambda tx: todos.link(tx, todo, made))
    await passes(house, 60)
    await press(house, "+1 h", GUEST)
    await said(house, "buy cake is done", **GROUP, sender=FRIEND)
    assert await house.column("SELECT state FROM todo") == ["done"]
    assert any(f"2 of 2: ✅ {BO} ✅ {CHEN}" in sent.text for sent in house.shown(FAMILY))
    count = told(house, "⏰")
    await passes(house, HOUR + 60)
    assert told(house, "⏰") == count


async def test_who_is_meant_by_no_handle_finishes_only_for_who_is(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path)
    await said(house, "/remind @bo and @nobody_yet in 1 minute to sign the form", **GROUP)
    await passes(house, 60)
    await press(house, "Done", GUEST)
    assert f"1 of 2: · {BO} ✅ @nobody\\_yet" in house.shown(FAMILY)[-1].text
