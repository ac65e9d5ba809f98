"""Who wants to be left alone in a group is noted by nobody there: what was noted goes, and nothing new is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import NewMemory, Source
from core.kernel.ports import Database
from core.kernel.types import Answer, LaneKey, ToolCall
from core.store.people import optouts
from core.store.people.optouts import LeftAlone
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, said
from tests.fakes import House
from tests.fakes import house as build


async def remember(
    house: House, lane: LaneKey, content: str, person_id: int | None = None, tags: tuple[str, ...] = ()
) -> None:
    """A memory of a chat."""
    new = NewMemory(content=content, tags=tags, source=Source.PERSON, person_id=person_id)
    await house.db.write(lambda tx: memories.insert(tx, lane, new, house.clock.now()))


async def lane_of(house: House, chat: str = "-5") -> LaneKey:
    (row,) = await house.rows(
        "SELECT l.id, l.scope_id, l.chat_id, l.tenant_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat AND l.thread = ''",
        chat=chat,
    )
    return LaneKey(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["id"])


async def book(house: House, chat: str = "-5") -> list[str]:
    """Whom the book of a chat has, by all that is known of them."""
    return [
        f"{row['nickname']} {row['external_id'] or ''}"
        for row in await house.rows(
            "SELECT c.nickname, a.external_id FROM contact c LEFT JOIN contact_address a ON a.contact_id = c.id"
            " JOIN chat h ON h.scope_id = c.scope_id WHERE h.external_id = :chat ORDER BY c.id, a.external_id",
            chat=chat,
        )
    ]


async def test_what_was_noted_there_about_somebody_goes_and_they_are_told(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=GUEST, **GROUP)
    lane = await lane_of(house)
    (guest,) = await house.column("SELECT person_id FROM address WHERE external_id = :guest", guest=GUEST)
    for content, person in (
        (f"Name of {GUEST} hates plums", None),
        ("I like jam", guest),
        ("The cake is Anna's", None),
    ):
        await remember(house, lane, content, person)
    await remember(house, lane, "hates pears", tags=(f"name of {GUEST}",))
    told = await said(house, "/optout", sender=GUEST, **GROUP)
    assert "What was noted here about you is erased: 1 contact and 3 memories." in told
    assert await house.column("SELECT content FROM memory") == ["The cake is Anna's"]
    assert await house.column("SELECT count(*) FROM document WHERE kind = 'memory'") == [1]
    assert not any(GUEST in one for one in await book(house))


async def test_their_commands_bring_no_contact_back_and_being_heard_again_does(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=GUEST, **GROUP)
    await said(house, "/optout", sender=GUEST, **GROUP)
    await said(house, "/privacy", sender=GUEST, **GROUP)
    await house.hear("secret", sender=GUEST, **GROUP)
    assert not any(GUEST in one for one in await book(house))
    assert await house.column("SELECT count(*) FROM inbox WHERE text = 'secret'") == [0]
    assert await said(house, "/optout off", sender=GUEST, **GROUP) == "I listen to you here again."
    await said(house, "/time", sender=GUEST, **GROUP)
    assert any(GUEST in one for one in await book(house))


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("words", [f"/contacts add Bob {GUEST}", "/contacts add Bob @seven"])
async def test_nobody_notes_them_as_a_contact_there_and_is_told_why(
    database: Database, tmp_path: Path, words: str
) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    await said(house, "/help", sender=GUEST, handle="@seven", **GROUP)
    await said(house, "/optout", sender=GUEST, handle="@seven", **GROUP)
    assert "wants to be left alone in this group" in await said(house, words, **GROUP)
    assert not any("Bob" in one for one in await book(house))
    # In one's own book it is one's own business.
    assert "left alone" not in await said(house, words, **friend())


async def test_a_reminder_for_them_is_refused_there_and_says_why(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=GUEST, handle="@seven", **GROUP)
    await said(house, "/optout", sender=GUEST, handle="@seven", **GROUP)
    assert "wants to be left alone" in await said(house, "/remind @seven in 5 minutes to call", **GROUP)
    assert await house.column("SELECT count(*) FROM trigger") == [0]


@pytest.mark.databases("sqlite")
async def test_a_model_that_notes_them_is_told_that_it_may_not(database: Database, tmp_path: Path) -> None:
    note = Answer(
        calls=(
            ToolCall(
                id="c", name="contacts_upsert", arguments={"subject_id": GUEST, "contact_nickname": "the plum hater"}
            ),
        )
    )
    house = await build(database, tmp_path / "house", note, "as you wish")
    await said(house, "/help", **GROUP)
    await said(house, "/help", sender=GUEST, **GROUP)
    await said(house, "/optout", sender=GUEST, **GROUP)
    await said(house, "note the guest", **GROUP)
    assert house.model is not None
    assert "nothing noted about them" in str(house.model.requests[-1].messages)
    assert not any("plum hater" in one for one in await book(house))


async def test_a_first_name_that_two_people_have_names_neither(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=GUEST, **GROUP)
    await said(house, "/optout", sender=GUEST, **GROUP)
    lane = await lane_of(house)

    async def meant(text: str) -> bool:
        return await house.db.read(lambda tx: optouts.named(tx, lane, text)) is not None

    # Everybody here is called "Name of …".
    assert not await meant("the name is plum")
    assert await meant(f"name of {GUEST} likes plum")
    await house.db.write(
        lambda tx: tx.run("UPDATE person SET name = 'Bob Miller' WHERE name = :n", {"n": f"Name of {GUEST}"})
    )
    assert await meant("Bob hates plums")
    assert not await meant("Bobby hates plums")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Bob likes jam", True),
        ("bob's jam", True),
        ("Bobs Marmelade", True),
        ("ask @bobby", True),
        ("tg:7 likes jam", True),
        ("the bobsled", False),
        ("kabob", False),
        ("王小明喜欢李子", True),
        ("小王喜欢", False),
    ],
)
def test_a_text_names_somebody_by_whole_names_only(text: str, named: bool) -> None:
    alone = LeftAlone(person_id=1, name="Bob", called=["bob", "bobby", "tg:7", "王小明"])
    assert alone.named_in(text) is named
