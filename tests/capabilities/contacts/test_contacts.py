"""Contacts are learned from who speaks and who is named, and found by what people call them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts.repository import Contact
from core.kernel.ports import Database, Tx
from core.kernel.types import Inbound, LaneKey, Sender
from tests.commanding import FRIEND, GROUP, GUEST, OWNER, friend, group, home, said
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")


def person(address: str, name: str = "", **fields: Any) -> Sender:
    return Sender(address=address, name=name or f"Name of {address}", language="en", **fields)


async def speak(house: House, sender: Sender, text: str = "/help", **fields: Any) -> None:
    """Let somebody with a handle, or under a name of our choice, say something."""
    key = f"s{next(house.keys)}"
    place = {"message_id": key, "raw": "{}", "sent_at": house.clock.now(), **GROUP, **fields}
    await house.app.inbox.accept(house.tenant_id, [Inbound(key=key, sender=sender, text=text, **place)])
    await house.work()


async def lane(house: House, chat: str = "-5") -> LaneKey:
    (row,) = await house.rows(
        "SELECT l.id, l.scope_id, l.chat_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat AND l.thread = ''",
        chat=chat,
    )
    ids = {"scope_id": row["scope_id"], "chat_id": row["chat_id"], "lane_id": row["id"]}
    return LaneKey(tenant_id=house.tenant_id, **ids)


async def book(house: House, chat: str = "-5") -> dict[str, Contact]:
    """The contacts of a chat by name."""
    here = await lane(house, chat)
    found = await house.db.read(lambda tx: contacts.listed(tx, here))
    return {one.name: one for one in found}


async def known(house: House, name: str, chat: str = "-5") -> list[str]:
    """The names of those a name may mean."""
    here = await lane(house, chat)
    return [one.name for one in await house.db.read(lambda tx: contacts.named(tx, here, name))]


async def note(house: House, sender: Sender, chat: str = "-5") -> int:
    """Learn somebody who was only named."""
    here = await lane(house, chat)

    def learn(tx: Tx) -> int:
        return contacts.learn(tx, here, None, sender, house.clock.now())

    return await house.db.write(learn)


async def test_who_speaks_to_the_bot_is_a_contact_of_that_chat_only(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/time", sender=GUEST, **GROUP)
    assert [*await book(house)] == ["Name of tg:1", f"Name of {GUEST}"]
    assert [*await book(house, "1")] == ["Name of tg:1"]
    anna = (await book(house))[f"Name of {GUEST}"]
    assert (anna.addresses, anna.status, anna.understanding_depth, anna.reciprocity_norm) == (
        (GUEST,),
        "active",
        30,
        0.5,
    )
    assert anna.person_id is not None


async def test_who_is_only_read_along_is_a_contact_too(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=OWNER)
    await said(house, "dinner?", sender=GUEST, addressed=False, **GROUP)
    assert [*await book(house)] == ["Name of tg:1"]
    await said(house, "/readalong on", **GROUP)
    await said(house, "dinner?", sender=GUEST, addressed=False, **GROUP)
    assert f"Name of {GUEST}" in await book(house)


async def test_strangers_and_who_wants_to_be_left_alone_are_no_contacts(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, mode="pairing")
    await said(house, "hello", chat="99", sender="tg:99")
    assert await house.column("SELECT count(*) FROM contact") == [1]
    await said(house, "/help", **GROUP)
    await said(house, "/optout", sender=GUEST, **GROUP)
    await house.db.write(lambda tx: tx.run("DELETE FROM contact_address"))
    await house.db.write(lambda tx: tx.run("DELETE FROM contact"))
    await said(house, "/privacy", sender=GUEST, **GROUP)
    assert await note(house, person(GUEST)) == 0
    assert await house.column("SELECT count(*) FROM contact") == [0]


async def test_who_wants_to_be_left_alone_is_no_contact_by_asking_in_a_new_thread_either(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    for words in ("/optout", "/forget yes"):
        await said(house, words, sender=GUEST, **GROUP)
    before = await house.column("SELECT count(*) FROM contact")
    assert await said(house, "/privacy", sender=GUEST, thread="77", **GROUP)
    assert await house.column("SELECT count(*) FROM contact") == before


async def test_the_group_itself_as_a_sender_is_no_contact(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person("tg:-5", "Family", anonymous=True))
    assert [*await book(house)] == ["Name of tg:1"]


async def test_who_is_known_here_costs_no_further_look(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await house.db.write(lambda tx: tx.run("DELETE FROM contact_address"))  # which learning would put back
    await said(house, "/time", **GROUP)
    assert await house.column("SELECT count(*) FROM contact_address") == [0]
    await speak(house, person(OWNER, "Another name"))
    assert await house.column("SELECT count(*) FROM contact_address") == [1]


async def test_a_new_name_is_learned_and_a_given_one_is_kept(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "Anna"))
    await speak(house, person(GUEST, "Anna S."))
    assert "Anna S." in await book(house)
    await said(house, "/contacts rename Anna S. Mum", **GROUP)
    assert "Mum" in await book(house)
    await speak(house, person(GUEST, "Anna Schmidt"))
    assert [*await book(house)] == ["Name of tg:1", "Mum"]


async def test_people_that_a_message_names_are_noted(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    named = (person("tg:50", "Bo"), person(FRIEND, "Freddy"))
    await said(house, "/time", mentioned=named, **GROUP)
    found = await book(house)
    assert found["Bo"].person_id is None
    await said(house, "hello", **friend())
    assert found["Freddy"].person_id is None
    # They have written to the bot meanwhile, elsewhere: that makes them reachable, and nothing else of them known.
    here = await lane(house)
    reach = await house.db.read(lambda tx: contacts.reach(tx, here, found["Freddy"].contact_id))
    assert reach is not None
    assert (reach.name, reach.address, reach.lane) == ("Freddy", FRIEND, await lane(house, "2"))


async def test_a_card_does_not_rename_who_is_known(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "Anna"))
    await note(house, person(GUEST, "Auntie"))
    assert [*await book(house)] == ["Name of tg:1", "Anna"]


async def test_a_contact_known_by_a_handle_becomes_who_writes_under_it(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/contacts add Dad @dad_1", **GROUP)
    await speak(house, person(GUEST, "Peter", handle="@dad_1"))
    found = await book(house)
    assert [*found] == ["Name of tg:1", "Dad"]
    assert found["Dad"].addresses == (GUEST, "tg:@dad_1")
    assert found["Dad"].person_id is not None


@pytest.mark.databases("sqlite", "postgres")
async def test_two_contacts_who_turn_out_to_be_one_are_joined(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "Peter"))
    await said(house, "/contacts add Dad @dad_1", **GROUP)
    dad = (await book(house))["Dad"].contact_id
    await said(house, "/todo add shave for Dad", **GROUP)
    await speak(house, person(GUEST, "Peter", handle="@dad_1"))
    found = await book(house)
    assert [*found] == ["Name of tg:1", "Dad"]
    assert found["Dad"].contact_id == dad
    assert found["Dad"].addresses == (GUEST, "tg:@dad_1")


async def test_a_handle_goes_with_whoever_has_it_now(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "Anna", handle="@a_name"))
    await speak(house, person("tg:8", "Ben", handle="@a_name"))
    assert await known(house, "@a_name") == ["Ben"]
    await speak(house, person("tg:8", "Ben"))
    assert await known(house, "@a_name") == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("anna", ["Anna"]),
        ("ANNA  schmidt", ["Anna Schmidt"]),
        ("Ann", []),
        ("Bo", ["Bo Li", "Bo Wu"]),
        ("@bo_li", ["Bo Li"]),
        ("tg:61", ["Bo Li"]),
        ("tg:999", []),
        ("Schmidt", []),
        ("", []),
        ("@", []),
    ],
)
async def test_a_name_means_the_whole_of_it_before_its_beginning(
    database: Database, tmp_path: Path, name: str, found: list[str]
) -> None:
    house = await group(database, tmp_path)
    for sender in (
        person("tg:60", "Anna"),
        person("tg:63", "Anna Schmidt"),
        person("tg:61", "Bo Li", handle="@bo_li"),
        person("tg:62", "Bo Wu"),
    ):
        await note(house, sender)
    assert await known(house, name) == found


async def test_an_id_of_another_book_means_nobody(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    mine = (await book(house, "1"))["Name of tg:1"]
    here, there = await lane(house), await lane(house, "1")
    assert await house.db.read(lambda tx: contacts.find(tx, here, mine.contact_id)) is None
    assert await house.db.read(lambda tx: contacts.reach(tx, here, mine.contact_id)) is None
    assert await house.db.read(lambda tx: contacts.find(tx, there, mine.contact_id)) == mine


async def test_a_full_book_learns_nobody_who_is_only_named(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await group(database, tmp_path)
    monkeypatch.setattr(contacts, "MOST_LEARNED", 2)
    assert await note(house, person("tg:50", "Bo")) > 0
    assert await note(house, person("tg:51", "Chen")) == 0
    await speak(house, person(GUEST, "Anna"))
    assert [*await book(house)] == ["Name of tg:1", "Bo", "Anna"]


async def test_a_hostile_name_is_kept_as_text_without_what_cannot_be_seen(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "*Anna*\u202e\n[x](http://y) " + "z" * 500))
    (name,) = [one for one in await book(house) if "Anna" in one]
    assert len(name) == contacts.LONGEST_NAME
    assert name.startswith("*Anna* [x](http://y) zzz")
    shown = await said(house, "/contacts", **GROUP)
    assert "\\*Anna\\*" in shown
    assert "[x](http" not in shown


@pytest.mark.databases("sqlite", "postgres")
async def test_forgetting_in_private_empties_the_book_and_in_a_group_takes_one_out(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "Anna", handle="@anna_1"))
    await said(house, "/contacts add Dad @dad_1")
    await said(house, "/forget yes")
    assert await book(house, "1") == {}
    await speak(house, person(GUEST, "Anna", handle="@anna_1"), "/forget me")
    assert [*await book(house)] == ["Name of tg:1"]
    left = await house.column("SELECT external_id FROM contact_address ORDER BY external_id")
    assert left == ["tg:1"]


async def test_who_is_forgotten_but_still_to_be_reminded_is_left_as_nobody(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await speak(house, person(GUEST, "Anna"))
    await said(house, "/remind Anna in 2 hours: call Oma", **GROUP)
    assert await house.column("SELECT count(*) FROM addressee") == [1]
    await speak(house, person(GUEST, "Anna"), "/forget me")
    found = [one for name, one in (await book(house)).items() if name != "Name of tg:1"]
    assert [(one.name, one.person_id, one.status) for one in found] == [("", None, "inactive")]
