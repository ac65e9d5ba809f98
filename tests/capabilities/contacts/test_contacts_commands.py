"""/contacts: the list and its pages, one contact, adding, changing and removing."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, friend, group, home, intents, labels, pressed, said
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")


async def add(house: House, *names: str) -> None:
    for n, name in enumerate(names):
        await said(house, f"/contacts add {name} tg:{50 + n}")


async def met(db: Database, folder: Path) -> House:
    """A house whose owner has heard the friend in a group."""
    house = await group(db, folder)
    await said(house, "hello", sender=FRIEND, **GROUP)
    return house


async def press(house: House, label: str) -> str:
    """Press a button, and return how the message that had it reads now."""
    before = len({sent.platform_id for sent in house.shown()})
    await house.press(label)
    await house.work()
    assert len(house.shown()) == before
    return house.shown()[-1].text


async def test_an_empty_book_says_how_to_add_somebody(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/contacts remove Name of tg:1")
    assert (await said(house, "/contacts")).endswith("add others with `/contacts add Dad @dad`")


async def test_the_list_has_a_page_of_eight_and_a_button_each(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, *(f"P{n}" for n in range(9)))
    shown = await said(house, "/contacts")
    assert shown.splitlines() == ["People I know here:", "- Name of tg:1", *(f"- P{n}" for n in range(7))]
    assert labels(house) == ["Name of tg:1", *(f"P{n}" for n in range(7)), "▶"]
    assert await press(house, "▶") == "People I know here:\n- P7\n- P8"
    assert labels(house) == ["P7", "P8", "◀"]
    assert (await press(house, "◀")).count("\n") == 8
    assert await said(house, "/contacts 99") == "People I know here:\n- P7\n- P8"


async def test_one_contact_is_shown_with_what_can_be_done(database: Database, tmp_path: Path) -> None:
    house = await met(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/timezone Tokyo", **friend())
    shown = await said(house, "/contacts bob")
    assert shown.splitlines() == [
        "👤 Bob",
        "Known as `tg:2`",
        "Time zone: Tokyo, where it is 23:13 now",
        "I can write to them in private.",
    ]
    assert labels(house) == ["🌍 Time zone", "✏️ Rename", "🗑 Remove", "All contacts"]
    assert "- Bob · Tokyo · I can write to them" in await press(house, "All contacts")


async def test_who_guesses_an_id_learns_neither_the_zone_nor_that_the_bot_is_used(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/timezone New York")
    for address in ("tg:1", "tg:99"):
        await said(house, f"/contacts add Boss {address}", **friend())
        known = (await said(house, "/contacts Boss", **friend())).splitlines()
        assert known == ["👤 Boss", f"Known as `{address}`", "I don't know their time zone."]
        assert "- Boss\n" in await said(house, "/contacts", **friend())
        await said(house, "/contacts remove Boss", **friend())


async def test_who_is_only_named_in_a_group_has_not_been_met_there(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, mode="open")
    await said(house, "/timezone Tokyo", **friend())
    await said(house, "/help", **GROUP)
    await said(house, f"/contacts add Bob {FRIEND}", **GROUP)
    assert "Tokyo" not in await said(house, "/contacts Bob", **GROUP)
    assert "Tokyo" not in await said(house, "/remind Bob tomorrow at 9 to come", **GROUP)
    await said(house, "hello", sender=FRIEND, **GROUP)
    assert "Tokyo" in await said(house, "/contacts Bob", **GROUP)
    await said(house, f"/contacts add Bob {FRIEND}")
    assert "Tokyo" in await said(house, "/contacts Bob")
    await house.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE kind = 'group'"))
    assert "Tokyo" not in await said(house, "/contacts Bob")


async def test_the_zone_that_the_book_says_is_shown_whoever_it_is(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Tokyo", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    answer = await said(house, "/contacts zone Bob Paris")
    assert answer == "🌍 Bob: Paris, where it is 16:13 now."
    answer = await said(house, "/remind Bob tomorrow at 9 to come")
    assert answer.startswith("⏰ Bob: Tue 22 Sep 09:00 Paris (07:00 for you)")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_contact_is_added_by_handle_and_that_is_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/contacts add Uncle Bob @Bob_1") == "👤 Noted: Uncle Bob"
    assert await pressed(house, "Undo") == "↩ Taken back: the change of Uncle Bob."
    assert "nobody here who is called uncle bob" in await said(house, "/contacts uncle bob")
    assert await said(house, "/contacts add @bob_1 Bob") == "👤 Noted: Bob"
    assert "Known as `tg:@bob_1`" in await said(house, "/contacts @bob_1")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/contacts add Dad", "How are they called where we talk?"),
        ("/contacts add @dad", "How are they called where we talk?"),
        ("/contacts add Dad tg:xyz", "`tg:xyz` is no name that I could know somebody by."),
        ("/contacts add", "Write `/contacts`"),
        ("/contacts zone", "Write `/contacts`"),
        ("/contacts zone Dad Tokyo", "I know nobody here who is called Dad Tokyo."),
        ("/contacts zone Ann Atlantis", "I don't know the time zone of Atlantis."),
        ("/contacts rename Zoe Zora", "I know nobody here who is called Zoe Zora."),
        ("/contacts remove Ann X", "I know nobody here who is called Ann X."),
        ("/contacts *x*", "I know nobody here who is called \\*x\\*."),
    ],
)
async def test_what_is_not_understood_is_told(database: Database, tmp_path: Path, text: str, answer: str) -> None:
    house = await home(database, tmp_path)
    await add(house, "Ann")
    before = await house.rows("SELECT * FROM contact ORDER BY id")
    assert (await said(house, text)).startswith(answer)
    assert await house.rows("SELECT * FROM contact ORDER BY id") == before


async def test_a_zone_is_set_by_its_town(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, "Dad", "Anna Schmidt")
    assert await said(house, "/contacts zone Dad New York") == "🌍 Dad: New York, where it is 10:13 now."
    assert await said(house, "/contacts zone Anna Schmidt 东京") == "🌍 Anna Schmidt: Tokyo, where it is 23:13 now."
    zones = await house.column("SELECT timezone FROM contact ORDER BY id")
    assert zones == ["", "America/New_York", "Asia/Tokyo"]


async def test_what_somebody_chose_themselves_goes_before_what_others_say(database: Database, tmp_path: Path) -> None:
    house = await met(database, tmp_path)
    await said(house, "/timezone Tokyo", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    answer = await said(house, "/contacts zone Bob Paris")
    assert answer.endswith("They have told me themselves that they are in Tokyo, so I go by that.")


async def test_a_missing_town_or_name_is_asked_for(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, "Dad")
    await said(house, "/contacts Dad")
    await house.press("🌍 Time zone")
    await house.work()
    assert "In which town is Dad" in house.shown()[-1].text
    assert "🌍 Dad: New York" in await said(house, "New York")
    assert "What shall I call Dad?" in await said(house, "/contacts rename Dad")
    assert "👤 Dad is now Papa." in await said(house, "Papa")


async def test_removing_has_an_undo_and_keeps_what_was_noted(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, "Dad")
    await said(house, "/contacts zone Dad Tokyo")
    await said(house, "/contacts Dad")
    assert await press(house, "🗑 Remove") == "👤 Dad is no contact here any more."
    assert "Dad" not in await said(house, "/contacts")
    await house.press("Undo")
    await house.work()
    assert "Time zone: Tokyo" in await said(house, "/contacts Dad")


async def test_who_was_removed_comes_back_when_they_are_added_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, "Dad")
    await said(house, "/contacts remove Dad")
    await said(house, "/contacts add Papa tg:50")
    assert await house.column("SELECT nickname FROM contact WHERE status = 'active' ORDER BY id") == [
        "Name of tg:1",
        "Papa",
    ]


async def test_two_of_a_name_have_a_button_each(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, "Bo Li", "Bo Wu")
    assert await said(house, "/contacts zone Bo {new} york") == "Whom do you mean?"
    assert [one.arguments["place"] for one in await intents(house, "contacts.zone")] == ["{new} york"] * 2
    assert await said(house, "/contacts zone Bo Tokyo") == "Whom do you mean?"
    assert labels(house) == ["Bo Li", "Bo Wu"]
    assert await press(house, "Bo Wu") == "🌍 Bo Wu: Tokyo, where it is 23:13 now."


async def test_a_name_needs_no_pictures_to_be_known(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await add(house, "🦄Mia🦄", "👻")
    for said_so in ("/contacts zone Mia Tokyo", "/contacts zone 🦄Mia🦄 Tokyo", "/contacts zone mia 🦄 Tokyo"):
        assert await said(house, said_so) == "🌍 🦄Mia🦄: Tokyo, where it is 23:13 now."
    assert await said(house, "/contacts zone 👻 Tokyo") == "🌍 👻: Tokyo, where it is 23:13 now."
    assert "nobody here" in await said(house, "/contacts zone 🐻 Tokyo")


async def test_a_group_has_a_book_of_its_own(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await add(house, "Dad")
    assert await said(house, "/contacts", **GROUP) == "People I know here:\n- Name of tg:1"
    assert "nobody here who is called Dad" in await said(house, "/contacts Dad", **GROUP)


async def test_contacts_are_spoken_of_in_chinese(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/language zh")
    assert await said(house, "/contacts 添加 爸爸 @dad_1") == "👤 已记下：爸爸"
    assert await said(house, "/contacts 时区 爸爸 纽约") == "🌍 爸爸：纽约，那里现在是 10:13。"
    assert "账号：`tg:@dad_1`" in await said(house, "/contacts 爸爸")
