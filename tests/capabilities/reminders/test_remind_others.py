"""Reminders for other people: who is meant, in whose time, and whether they can be reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.contacts import repository as contacts
from core.kernel.ports import Database
from core.kernel.types import Sender
from core.store.people import people
from tests.commanding import FRIEND, GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House, inbound

pytestmark = pytest.mark.databases("sqlite")


async def speaks(house: House, name: str, address: str, text: str = "/help", **where: Any) -> None:
    """Somebody says something, so that they are known where they say it."""
    key = f"{name}{next(house.keys)}"
    sender = Sender(address=address, name=name, handle=f"@{name.lower()}", language="en")
    await house.app.inbox.accept(house.tenant_id, [replace(inbound(text, key=key, **where), sender=sender)])
    await house.work()


async def family(db: Database, folder: Path, **options: Any) -> House:
    """A group with Bob, who lives in New York and talks to the bot in private too, and two called Anna."""
    house = await group(db, folder, **options)
    await speaks(house, "Bob", FRIEND, "/timezone New York", chat="2")
    for name, address in (("Bob", FRIEND), ("Anna Lee", "tg:7"), ("Anna May", "tg:8")):
        await speaks(house, name, address, **GROUP)
    return house


async def befriend(house: House, address: str, name: str) -> None:
    """The owner knows somebody in private."""

    def learn(tx: Any) -> None:
        known = people.known(tx, house.tenant_id, "tg:1")
        assert known is not None
        lane = people.private_lane(tx, house.tenant_id, known["id"])
        assert lane is not None
        other = people.known(tx, house.tenant_id, address)
        person_id = None if other is None else other["id"]
        contacts.learn(tx, lane, person_id, Sender(address=address, name=name), house.clock.now())

    await house.db.write(learn)


async def whom(house: House) -> list[list[str]]:
    """The names of those each reminder is for."""
    rows = await house.rows(
        "SELECT t.id, c.nickname FROM trigger t LEFT JOIN addressee a ON a.trigger_id = t.id"
        " LEFT JOIN contact c ON c.id = a.contact_id ORDER BY t.id, c.id"
    )
    found: dict[int, list[str]] = {}
    for row in rows:
        found.setdefault(row["id"], []).extend([row["nickname"]] if row["nickname"] else [])
    return list(found.values())


@pytest.mark.databases("sqlite", "postgres")
async def test_another_is_reminded_in_their_time(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path, timezone="Europe/Berlin")
    answer = await said(house, "/remind Bob on Friday at 9 to send the report", **GROUP)
    assert answer == "⏰ Bob: Fri 25 Sep 09:00 New York (15:00 for you), in 4 d: send the report"
    assert labels(house, "-5") == ["Change", "Undo"]
    assert await whom(house) == [["Bob"]]
    assert await house.column("SELECT follows FROM trigger") == [0]


async def test_in_a_group_it_is_told_by_the_clock_of_who_asks(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, timezone="UTC")
    await said(house, "/timezone Berlin")
    told = await said(house, "/remind everybody on Friday at 9 to vote", **GROUP)
    assert told.startswith("⏰ everybody: Fri 25 Sep 09:00 UTC (11:00 for you), in 4 d: vote")
    await profiled(house, zone="Europe/Berlin")
    told = await said(house, "/remind Bob on Friday at 9 to vote", **GROUP)
    assert told.startswith("⏰ Bob: Fri 25 Sep 09:00 (Berlin), in 4 d: vote")


async def test_another_is_reminded_in_the_time_of_their_profile(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, timezone="Europe/Berlin")
    await profiled(house, zone="America/New_York")
    told = await said(house, "/remind Bob on Friday at 9 to send the report", **GROUP)
    assert told == "⏰ Bob: Fri 25 Sep 09:00 New York (15:00 for you), in 4 d: send the report"
    await said(house, "/contacts zone Bob Tokyo", **GROUP)
    told = await said(house, "/remind Bob on Friday at 9 to send the report", **GROUP)
    assert "Fri 25 Sep 09:00 Tokyo (02:00 for you)" in told


@pytest.mark.databases("sqlite", "postgres")
async def test_who_is_only_named_is_reminded_in_the_time_of_their_profile(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, timezone="Europe/Berlin")
    bob = Sender(address=FRIEND, name="Bob", handle="@bob", language="en", timezone="America/New_York")
    wish = "/remind @bob on Friday at 9 to send the report"
    assert "Fri 25 Sep 09:00 New York (15:00 for you)" in await said(house, wish, **GROUP, mentioned=(bob,))
    # Once they speak their profile is followed, and what was taken from it is no more in the way.
    await profiled(house, zone="America/New_York")
    await profiled(house, zone="Asia/Tokyo")
    assert "Fri 25 Sep 09:00 Tokyo (02:00 for you)" in await said(house, wish, **GROUP)


async def test_a_profile_with_a_zone_that_is_none_is_as_one_without(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, timezone="Europe/Berlin")
    await profiled(house, zone="Moon/Base")
    told = await said(house, "/remind Bob on Friday at 9 to send the report", **GROUP)
    assert "09:00 (Berlin)" in told


async def profiled(house: House, *, zone: str) -> None:
    """Bob, whose profile has a zone, speaks in the group."""
    bob = Sender(address=FRIEND, name="Bob", handle="@bob", language="en", timezone=zone)
    key = f"bob{next(house.keys)}"
    await house.app.inbox.accept(house.tenant_id, [replace(inbound("/help", key=key, **GROUP), sender=bob)])
    await house.work()


async def test_where_the_day_is_another_one_that_is_said(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path, timezone="Asia/Tokyo")
    answer = await said(house, "/remind Bob on Friday at 9pm to call", **GROUP)
    assert "Fri 25 Sep 21:00 New York (Sat 26 Sep 10:00 for you)" in answer


async def test_several_are_one_reminder_in_a_group(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    answer = await said(house, "/remind Bob and @anna tomorrow at 9 about the party", **GROUP)
    assert answer.startswith("⏰ Bob, @anna: Tue 22 Sep 09:00 (UTC)")
    assert await whom(house) == [["Bob", "@anna"]]


async def test_who_asks_can_be_among_several(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    answer = await said(house, "/remind Bob and me tomorrow at 9 to go", **GROUP)
    assert answer.splitlines()[0].endswith("Tue 22 Sep 09:00 (UTC), in 18 h 47 min: go")
    ((*names,),) = await whom(house)
    assert len(names) == 2
    assert "Bob" in names


async def test_in_private_who_asks_and_another_get_one_each(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await befriend(house, FRIEND, "Bob")
    answer = await said(house, "/remind me and Bob tomorrow at 9 to go")
    assert len(answer.splitlines()) == 2
    assert await house.column("SELECT count(*) FROM trigger") == [2]


async def test_of_several_with_a_name_one_is_picked(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    assert await said(house, "/remind Anna and Bob tomorrow at 9 to eat", **GROUP) == "Whom do you mean by Anna?"
    assert labels(house, "-5") == ["Anna Lee", "Anna May"]
    assert await house.column("SELECT count(*) FROM trigger") == [0]
    answer = await pressed(house, "Anna May", chat="-5", chat_kind="group")
    assert answer.startswith("⏰ Anna May, Bob: Tue 22 Sep 09:00")
    assert await whom(house) == [["Bob", "Anna May"]]


async def test_the_pick_keeps_what_was_replied_to(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await family(await make_database("sqlite"), tmp_path)
    quote = {"quoted": "who brings\nthe cake?", "link": "https://t.me/c/5/7", "reply_to": "7"}
    assert await said(house, "/remind Anna tomorrow at 9", **GROUP, **quote) == "Whom do you mean by Anna?"
    await pressed(house, "Anna Lee", chat="-5", chat_kind="group")
    (row,) = await house.rows("SELECT text, link FROM trigger")
    assert row == {"text": "who brings\nthe cake?", "link": "https://t.me/c/5/7"}
    assert await whom(house) == [["Anna Lee"]]


@pytest.mark.databases("sqlite", "postgres")
async def test_in_a_group_a_handle_is_enough(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    answer = await said(house, "/remind @Zed tomorrow at 9 to come", **GROUP)
    assert answer.splitlines()[0] == "⏰ @Zed: Tue 22 Sep 09:00 (UTC), in 18 h 47 min: come"
    assert "I don't know what time it is where @Zed is" in answer
    assert await house.column("SELECT external_id FROM contact_address WHERE external_id LIKE '%zed'") == ["tg:@zed"]


@pytest.mark.parametrize(("where", "hint"), [(GROUP, "Mention them with their handle"), ({}, "such as @anna")])
async def test_whom_nobody_knows_is_said_with_what_helps(
    make_database: DatabaseMaker, tmp_path: Path, where: dict[str, Any], hint: str
) -> None:
    house = await family(await make_database("sqlite"), tmp_path)
    answer = await said(house, "/remind *Zed* tomorrow at 9 to come", **where)
    named = await said(house, "/remind Zed tomorrow at 9 to come", **where)
    assert "/contacts add Zed" in named
    assert hint in named
    assert "*Zed*" not in answer.replace("\\*Zed\\*", "")
    # A text may begin with what looks like a name.
    set_for_oneself = await pressed(house, "Remind me", chat=where.get("chat", "1"))
    assert set_for_oneself.splitlines()[0].endswith(": Zed: come")


async def test_in_private_several_have_a_reminder_each_in_their_own_time(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, timezone="Europe/Berlin", mode="open")
    for name, address, chat in (("Bob", FRIEND, "2"), ("Ann", "tg:8", "8")):
        await speaks(house, name, address, "/timezone New York" if name == "Bob" else "/help", chat=chat)
        await befriend(house, address, name)
    assert (await said(house, "/remind Bob and Ann on Friday at 9 to go")).splitlines() == [
        "⏰ Bob: Fri 25 Sep 09:00 New York (15:00 for you), in 4 d: go",
        "⏰ Ann: Fri 25 Sep 09:00 (Berlin), in 4 d: go",
        "I don't know what time it is where Ann is, so I took Berlin. /contacts zone Ann and a town changes that.",
    ]
    assert labels(house) == ["Undo: Bob", "Undo: Ann"]
    await pressed(house, "Undo: Bob")
    assert await house.column("SELECT state FROM trigger ORDER BY id") == ["cancelled", "active"]


async def test_in_private_who_never_wrote_cannot_be_reminded(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await befriend(house, "tg:@zed", "Zed")
    assert (await said(house, "/remind Zed tomorrow at 9 to come")).startswith("I can't reach Zed from here")
    assert await house.column("SELECT count(*) FROM trigger") == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_where_somebody_is_muted_nothing_is_set_and_not_told_why(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    await house.db.write(
        lambda tx: tx.run(
            "INSERT INTO mute (tenant_id, scope_id, person_id, muted_id, created_at)"
            " SELECT b.tenant_id, b.scope_id, b.person_id, o.person_id, 1 FROM address b, address o"
            " WHERE b.external_id = :bob AND o.external_id = 'tg:1'",
            {"bob": FRIEND},
        )
    )
    answer = await said(house, "/remind Bob tomorrow at 9 to come", **GROUP)
    assert answer.startswith("I can't reach Bob from here")
    assert await house.column("SELECT count(*) FROM trigger") == [0]


async def test_whom_a_group_knows_no_other_group_knows(database: Database, tmp_path: Path) -> None:
    house = await family(database, tmp_path)
    other = {"chat": "-6", "chat_kind": "group", "title": "Work"}
    assert "I don't know Bob here" in await said(house, "/remind Bob tomorrow at 9 to come", **other)
