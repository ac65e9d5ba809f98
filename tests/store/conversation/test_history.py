"""What is said is found from the transaction that writes it on, as it reads now, and not after it is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.capabilities.privacy.retention import Retention
from core.kernel.ports import Database
from core.kernel.updates import Deleted
from core.store.conversation import history
from core.store.text_index import index
from core.toolkit.keeping import Keep
from tests.commanding import FRIEND, GROUP, friend, pressed, said
from tests.fakes import Crash, CrashingDatabase, House
from tests.fakes import house as build


async def found(house: House, query: str, chat: str = "1", **more: Any) -> list[str]:
    """The texts that are found in a chat's scope."""
    (scope,) = await house.column("SELECT scope_id FROM chat WHERE external_id = :chat", chat=chat)
    hits = await house.db.read(
        lambda tx: index.search(tx, query, tenant_id=house.tenant_id, scopes=(scope,), kinds=(history.MESSAGE,), **more)
    )
    texts = {row["id"]: row["text"] for row in await house.rows("SELECT id, text FROM message")}
    return [texts[hit.owner_id] for hit in hits]


async def agree(house: House) -> None:
    """The index has exactly the lines that somebody said."""
    lines = await house.column("SELECT id FROM message WHERE role <> 'event' AND aside <> 3 AND text <> '' ORDER BY id")
    assert await house.column("SELECT owner_id FROM document WHERE kind = 'message' ORDER BY owner_id") == lines


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await build(database, tmp_path / "house", "Bananas are yellow.", "Pears are green.", "Plums?", "Fine.")


async def test_what_a_person_says_and_what_we_answer_is_found(house: House) -> None:
    await said(house, "which colour do bananas have")
    assert await found(house, "banana colour") == ["which colour do bananas have", "Bananas are yellow."]
    await agree(house)


async def test_it_is_found_before_it_is_answered_and_not_before_it_is_accepted(house: House) -> None:
    await house.hear("I like figs")
    assert await house.column("SELECT count(*) FROM document") == [0]
    await house.work()
    assert (await found(house, "figs"))[0] == "I like figs"


async def test_chats_are_apart(house: House) -> None:
    await said(house, "I like figs")
    await said(house, "I like apples", **friend())
    assert "I like apples" not in await found(house, "figs apples I like")
    assert "I like figs" not in await found(house, "figs apples I like", chat=str(friend()["chat"]))


async def test_an_edit_takes_the_place_of_what_was_said(house: House) -> None:
    key = await house.hear("I like figs")
    await house.work()
    await house.hear("I like dates", edits=key)
    await house.work()
    assert await house.column("SELECT count(*) FROM document WHERE tokens LIKE '%fig%'") == [0]
    assert (await found(house, "dates"))[0] == "I like dates"
    await agree(house)


async def test_what_is_deleted_is_not_found(house: House) -> None:
    key = await house.hear("I like figs")
    await house.work()
    await house.app.inbox.accept(house.tenant_id, [Deleted(key="d:1", chat="1", message_id=key)])
    assert "I like figs" not in await found(house, "figs")
    await agree(house)


async def test_what_is_read_along_is_found_in_its_group_until_it_is_forgotten(house: House) -> None:
    await said(house, "/readalong on", **GROUP)
    await said(house, "Ann brings the cake", **{**GROUP, "sender": FRIEND, "addressed": False})
    assert (await found(house, "who brings a cake", chat=GROUP["chat"]))[0] == "Ann brings the cake"
    await said(house, "/forget", **{**GROUP, "sender": FRIEND})
    await pressed(house, "Forget my words", sender=FRIEND, chat=GROUP["chat"])
    assert await house.column("SELECT count(*) FROM document WHERE tokens LIKE '%cake%'") == [0]
    await agree(house)


async def test_forgetting_in_private_empties_the_index(house: House) -> None:
    await said(house, "I like figs")
    await house.db.write(
        lambda tx: index.add(
            tx,
            [
                index.Document(tenant_id=house.tenant_id, scope_id=scope, kind="memory", owner_id=1, text="figs", at=0)
                for scope in (row["scope_id"] for row in tx.all("SELECT scope_id FROM chat"))
            ],
        )
    )
    await said(house, "/forget me")
    await pressed(house, "Forget everything")
    assert await house.column("SELECT count(*) FROM document WHERE tokens LIKE '%fig%'") == [0]
    await agree(house)


async def former(house: House) -> None:
    """Make the data those of a former version, which had no index."""

    def undo(tx: Any) -> None:
        tx.run("DELETE FROM document")
        tx.run("UPDATE message SET indexed = 0")

    await house.db.write(undo)


async def caught_up(db: Database) -> None:
    """Index what is not yet, two lines at a time."""
    while await db.write(lambda tx: history.catch_up(tx, 2)):
        continue


async def test_what_a_former_version_wrote_is_found_after_the_first_night(house: House) -> None:
    await said(house, "I like figs")
    await former(house)
    assert await found(house, "figs") == []
    await Retention(house.db, house.clock, ZoneInfo("UTC"), Keep(), ()).forget()
    assert (await found(house, "figs"))[0] == "I like figs"
    await agree(house)
    assert await house.column("SELECT count(*) FROM message WHERE indexed = 0") == [0]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2, 3])
async def test_a_crash_on_the_way_loses_no_line_and_doubles_none(house: House, commits: int, after: bool) -> None:
    for n in range(4):
        await said(house, f"I like figs {n}")
    await former(house)
    crashing = CrashingDatabase(house.db)
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await caught_up(crashing)
    await caught_up(house.db)
    await agree(house)


async def test_while_old_lines_wait_new_ones_are_found_at_once(house: House) -> None:
    await said(house, "I like figs")
    await former(house)
    await said(house, "I like dates")
    assert (await found(house, "dates figs"))[0] == "I like dates"
    await caught_up(house.db)
    await agree(house)


async def test_what_somebody_quotes_is_looked_for_in_the_last_lines_alone_however_many_a_lane_has(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_QUOTED_WITHIN", 2)
    marked = "SELECT tainted FROM message WHERE text LIKE '%of that' ORDER BY id"
    await said(house, "which colour do bananas have")
    await said(house, "what becomes of that", quoted="Bananas are yellow.")
    await said(house, "and what comes of that", quoted="Bananas are yellow.")
    assert await house.column(marked) == [0, 1]
