"""Who may talk to the bot, by command of its owner: invitations, the list, removal, pairing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection
from core.capabilities.privacy.retention import Retention
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.commanding import FRIEND, GROUP, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import STRANGER, Crash, CrashingDatabase, House, inbound
from tests.fakes import house as build
from tests.triggering import passes, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR = 3600
LINK = re.compile(r"start=([A-Za-z0-9_-]+)")


def stranger(**fields: Any) -> dict[str, Any]:
    return {"chat": "99", "sender": STRANGER, **fields}


async def shown_ref(home: House, address: str) -> str:
    """The id of a person, as the list shows it behind their button."""
    await said(home, "/people")
    (buttons,) = await home.column("SELECT buttons FROM keyboard ORDER BY id DESC LIMIT 1")
    found = {label.split()[-1]: asks["arguments"]["person"] for label, asks in json.loads(buttons)}
    return str(found[address])


async def test_an_invitation_lets_one_person_in_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    found = LINK.search(await said(house, "/invite"))
    assert found is not None
    assert (await said(house, f"/start {found[1]}", **stranger())).startswith("Hi Name of tg:99!")
    assert "Name of tg:99 opened your invitation" in house.adapter.texts("1")[-1]
    assert await said(house, f"/start {found[1]}", chat="98", sender="tg:98") == ""
    assert "(UTC)" in await said(house, "/time", **stranger())


@pytest.mark.databases("sqlite", "postgres")
async def test_an_invitation_ends_after_a_day_and_only_its_digest_is_in_its_table(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    found = LINK.search(await said(house, "/invite"))
    assert found is not None
    (digest,) = await house.column("SELECT digest FROM invite")
    assert re.fullmatch(r"[0-9a-f]{64}", digest)
    assert not [one for one in await house.column("SELECT content FROM step") if found[1] in one]
    house.clock.advance(24 * 3600 + 1)
    assert await said(house, f"/start {found[1]}", **stranger()) == ""


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_link_that_is_shown_after_a_crash_works(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    house = await home(crashing, tmp_path)
    await house.hear("/invite")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await house.work()
    second = await home(database, tmp_path)
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(3600)
    (link,) = {found[1] for text in second.adapter.texts("1") if (found := LINK.search(text))}
    assert (await said(second, f"/start {link}", key="new", **stranger())).startswith("Hi ")


@pytest.mark.parametrize("command", ["/invite", "/people", "/pair ABCDEFGH", "/people remove p000001"])
async def test_only_an_owner_and_only_in_private_looks_after_people(
    database: Database, tmp_path: Path, command: str
) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    assert await said(house, command, **friend()) == "Only my owner may do that."
    assert await said(house, command, sender=FRIEND, **GROUP) == "Only my owner may do that."
    assert "private chat" in await said(house, command, **GROUP)
    assert await house.column("SELECT count(*) FROM invite") == [0]


async def test_the_list_shows_everybody_with_access_and_the_groups(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    shown = await said(house, "/people")
    assert shown.splitlines() == [
        "Who may talk to me:",
        "- `tg:1` · owner · “`Name of tg:1`”",
        "- `tg:2` · has not written yet",
        "",
        "My groups:",
        "- “`Family`”",
    ]
    assert labels(house) == ["Remove tg:2"]
    await said(house, "hello", **friend())
    assert "- `tg:2` · member · “`Name of tg:2`”" in await said(house, "/people")


async def test_who_is_removed_loses_access_with_the_next_message(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/people")
    assert await pressed(house, "Remove Name of tg:2") == "“`Name of tg:2`” (`tg:2`) has no access any more."
    assert await said(house, "hello", **friend()) == ""
    assert "- `tg:2` · removed" in await said(house, "/people")
    assert labels(house) == ["Restore Name of tg:2"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_removal_is_taken_back_and_leaves_the_word_to_the_configuration(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    person = await shown_ref(house, FRIEND)
    await said(house, f"/people remove {person}")
    assert await pressed(house, "Undo") == "↩ Taken back: the removal."
    assert await house.column("SELECT standing FROM person ORDER BY id") == ["", ""]
    assert await said(house, "hello", **friend()) != ""
    assert "nothing to change" in await said(house, f"/people restore {person}")


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("back", ["undo", "restore", "start"])
async def test_what_somebody_scheduled_rests_while_they_are_removed(
    database: Database, tmp_path: Path, back: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me in 5 minutes to buy the gift", **friend())
    await said(house, "/every minute drink", **friend())
    person = await shown_ref(house, FRIEND)
    await said(house, f"/people remove {person}")
    await passes(house, 301)
    assert not any("⏰" in text for text in house.adapter.texts("2")[2:])
    assert await house.column("SELECT reason FROM trigger") == ["no access", "no access"]
    if back == "undo":
        await said(house, "/undo")
    elif back == "restore":
        await said(house, f"/people restore {person}")
    else:
        await database.write(lambda tx: tx.run("UPDATE person SET standing = ''"))
        house = await home(database, tmp_path / "later")
        house.clock.advance(301)
    await passes(house, 60)
    told = house.adapter.texts("2")
    assert sum("buy the gift" in text and "late" in text for text in told) == 1, told
    await passes(house, 60)
    assert "drink" in house.adapter.texts("2")[-1]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_rests_for_somebody_who_was_removed_long_ago_goes(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every hour drink", **friend())
    await said(house, f"/people remove {await shown_ref(house, FRIEND)}")
    await passes(house, HOUR)
    for days, left in ((399, ["no access"]), (2, [])):
        house.clock.advance(days * 24 * HOUR)
        await house.app.container.get(Retention).forget()
        assert await house.column("SELECT reason FROM trigger") == left


@pytest.mark.parametrize(("hours", "comes"), [(1, True), (26, False)])
async def test_what_was_only_to_be_told_somebody_who_is_removed_comes_when_that_is_taken_back_soon(
    database: Database, tmp_path: Path, hours: int, comes: bool
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await trigger(house, "The list was changed.", HOUR, chat="2", by=FRIEND, deliver="note", link="told:1")
    await trigger(house, "pay rent", 60.0, chat="2", by=FRIEND, until_done=True)
    await passes(house, 60)
    person = await shown_ref(house, FRIEND)
    await said(house, f"/people remove {person}")
    before = len(house.adapter.texts("2"))
    await passes(house, hours * HOUR)
    await said(house, f"/people restore {person}")
    await passes(house, 1)
    told = house.adapter.texts("2")[before:]
    assert [sum(words in text for text in told) for words in ("pay rent", "The list was changed.")] == [comes, comes]


async def test_what_another_sent_somebody_who_was_removed_when_it_was_due_comes_when_they_are_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/quiet 14:00-18:00", **friend())
    await said(house, "/send Bob the key is under the stone")
    person = await shown_ref(house, FRIEND)
    await said(house, f"/people remove {person}")
    await passes(house, 30 * HOUR)
    assert "stone" not in "".join(house.adapter.texts("2"))
    await said(house, f"/people restore {person}")
    await passes(house, 1)
    assert sum("the key is under the stone" in text for text in house.adapter.texts("2")) == 1


@pytest.mark.databases("sqlite", "postgres")
async def test_what_another_set_for_somebody_who_was_removed_goes_on_when_they_are_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/remind Bob every day at 15:00 to take the pill")
    person = await shown_ref(house, FRIEND)
    await said(house, f"/people remove {person}")
    await passes(house, HOUR)
    assert await house.column("SELECT state FROM trigger WHERE deliver = 'message'") == ["paused"]
    await said(house, f"/people restore {person}")
    await passes(house, 24 * HOUR)
    assert sum("take the pill" in text for text in house.adapter.texts("2")) == 1


async def test_somebody_of_the_configuration_who_never_wrote_can_be_removed(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/people")
    await pressed(house, "Remove tg:2")
    assert await said(house, "hello", **friend()) == ""


async def test_owners_cannot_be_removed(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/people")
    assert labels(house) == ["Remove Name of tg:2"]
    (owner,) = await house.column("SELECT person_id FROM address WHERE external_id = 'tg:1'")
    assert "can't be removed" in await said(house, f"/people remove {ref('p', owner)}")
    assert await said(house, "/id") != ""


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/people remove", "Write /people"),
        ("/people sack p000001", "Write /people"),
        ("/people remove p000001", "I know no such person"),
        ("/people remove Bob", "I know no such person"),
        ("/people remove tg:5", "I know no such person"),
        ("/people 0", "Write /people"),
        ("/people 9", "Nobody on this page."),
        ("/people 99999999999999999999", "Nobody on this page."),
        ("/pair", "Write /pair"),
        ("/pair a b c", "Write /pair"),
        ("/pair AAAAAAAA", "I know no such code."),
        ("/pair deny AAAAAAAA", "I know no such code."),
        ("/invite Bob", "Write /invite alone"),
    ],
)
async def test_wrong_words_are_answered_clearly(
    make_database: DatabaseMaker, tmp_path: Path, text: str, answer: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert answer in await said(house, text)


async def test_twenty_people_stand_on_a_page(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, mode="open")
    for number in range(100, 125):
        await house.hear("hello", chat=str(number), sender=f"tg:{number}")
    await house.work()
    shown = await said(house, "/people")
    assert len(re.findall(r"^- ", shown, re.MULTILINE)) == 21  # with the one of the configuration who never wrote
    assert labels(house)[-1] == "More"
    assert len(re.findall(r"^- ", await pressed(house, "More"), re.MULTILINE)) == 6
    assert "More" not in labels(house)


async def test_all_stand_on_some_page_whom_the_configuration_names(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    access = AccessSection(mode="allowlist", allow=tuple(f"tg:{number}" for number in range(100, 125)))
    house = await build(await make_database("sqlite"), tmp_path / "house", model=False, access=access)
    shown = await said(house, "/people")
    while "More" in labels(house):
        shown += await pressed(house, "More")
    assert [f"`tg:{number}` · has not written yet" in shown for number in range(100, 125)] == [True] * 25


async def test_hostile_names_are_shown_harmlessly(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, mode="open")
    names = ["**Bob** [x](http://evil.example)", "\u202eevil\u202c", "A" * 10_000, "\u200b\u200d\u3164", "a\nb"]
    for number, name in enumerate(names, start=50):
        sender = Sender(address=f"tg:{number}", name=name)
        message = replace(inbound("hello", key=f"k{number}", chat=str(number)), sender=sender)
        await house.app.inbox.accept(house.tenant_id, [message])
    await house.work()
    shown = await said(house, "/people")
    assert "- `tg:50` · member · “`**Bob** [x](http://evil.example)`”" in shown
    assert "- `tg:51` · member · “`evil`”" in shown
    assert f"- `tg:52` · member · “`{'A' * 63}…`”" in shown
    assert "- `tg:53` · member · –" in shown
    assert "- `tg:54` · member · “`a b`”" in shown
    assert labels(house)[:4] == [
        "Remove **Bob** [x](http://evil…",
        "Remove evil",
        f"Remove {'A' * 23}…",
        "Remove tg:53",
    ]


async def test_an_owner_lets_a_stranger_in_by_a_button_and_they_are_told(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, mode="pairing")
    assert "Your code is" in await said(house, "hello", **stranger())
    assert await pressed(house, "Allow") == "✅ “`Name of tg:99`” (`tg:99`) may talk to me now."
    assert house.adapter.texts("99")[-1] == "You may talk to me now. /help shows what works."
    assert "(UTC)" in await said(house, "/time", **stranger())
    assert await pressed(house, "Undo") == "↩ Taken back: the new access."
    assert await said(house, "/time", **stranger()) == ""


@pytest.mark.databases("sqlite", "postgres")
async def test_who_is_denied_hears_nothing(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, mode="pairing")
    await said(house, "hello", **stranger())
    before = house.adapter.texts("99")
    assert await pressed(house, "Deny") == "“`Name of tg:99`” (`tg:99`) stays out. I don't tell them."
    assert await said(house, "hello", **stranger()) == ""
    assert house.adapter.texts("99") == before


@pytest.mark.databases("sqlite", "postgres")
async def test_a_code_works_once_and_for_a_day(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, mode="pairing")
    await said(house, "hello", **stranger())
    code = house.adapter.texts("99")[0].split("**")[1]
    assert "may talk to me now" in await said(house, f"/pair {code.lower()}")
    assert await said(house, f"/pair {code}") == "That code is used up already."
    await said(house, "hello", chat="98", sender="tg:98")
    late = house.adapter.texts("98")[0].split("**")[1]
    house.clock.advance(24 * 3600 + 1)
    assert await said(house, f"/pair {late}") == "That code is too old; they can ask again."


async def test_without_a_link_the_word_is_to_be_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    house.adapter.link = lambda payload: ""  # type: ignore[method-assign]
    word = re.search(r"`(/start \S+)`", await said(house, "/invite"))
    assert word is not None
    assert (await said(house, word[1], **stranger())).startswith("Hi ")
