"""What comes in one batch is stored, and done, in the order in which the platform gave it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Inbound, Press, Sender
from core.kernel.updates import Deleted, Update
from tests.commanding import FRIEND, GROUP, OWNER, friend, group, home, open_items, planned, said
from tests.fakes import CrashingDatabase, House, inbound


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


def says(house: House, text: str, **fields: Any) -> Inbound:
    key = str(fields.pop("key", None) or f"u{next(house.keys)}")
    return inbound(text, key=key, **{"sent_at": house.clock.now(), **fields})


def presses(house: House, label: str, *, chat: str = "1", sender: str = OWNER) -> Press:
    person = Sender(address=sender, name=f"Name of {sender}", language="en")
    key = f"p{next(house.keys)}"
    return Press(key=key, chat=chat, sender=person, data=house.button(label, chat), raw="{}")


async def come(house: House, *updates: Update) -> str:
    """Let updates come in one batch, and return what they are answered in the private chat of the owner."""
    before = {sent.platform_id for sent in house.shown("1")}
    await house.app.inbox.accept(house.tenant_id, updates)
    await house.work()
    return "\n".join(sent.text for sent in house.shown("1") if sent.platform_id not in before)


async def test_undo_that_is_pressed_before_the_same_is_written_again_takes_back_the_first(house: House) -> None:
    await said(house, "/todo milk")
    answer = await come(house, presses(house, "Undo"), says(house, "/todo milk"))
    assert "already" not in answer
    assert await open_items(house) == ["milk"]


async def test_undo_after_a_press_takes_back_the_press(house: House) -> None:
    await said(house, "/todo eggs, bread")
    await said(house, "/todo")
    await come(house, presses(house, "☐ eggs"), says(house, "/undo"))
    assert await open_items(house) == ["eggs", "bread"]


async def test_what_is_written_before_a_press_is_done_before_it(house: House) -> None:
    await said(house, "/todo milk")
    answer = await come(house, says(house, "/todo milk"), presses(house, "Undo"))
    assert "already" in answer
    assert await open_items(house) == []


async def test_the_answer_to_a_question_is_carried_out_before_what_is_written_after_it(house: House) -> None:
    await said(house, "remind me to call Oma")
    await come(house, says(house, "tomorrow at 9"), says(house, "/undo"))
    assert await planned(house) == []


@pytest.mark.databases("sqlite")
async def test_a_pressed_answer_is_carried_out_before_what_is_written_after_it(house: House) -> None:
    await said(house, "remind me tomorrow at 9 to run")
    await said(house, "remind me tomorrow at 10 to swim")
    assert "?" in await said(house, "cancel all reminders")
    await come(house, presses(house, "Stop all"), says(house, "/undo"))
    assert await planned(house) == ["run", "swim"]


async def test_an_edit_is_done_before_what_is_written_after_it(house: House) -> None:
    await said(house, "remind me tomorrow at 9 to run", message_id="m1")
    edit = says(house, "remind me tomorrow at 10 to run", message_id="m1", edits="m1")
    await come(house, edit, says(house, "/undo"))
    rows = await house.column("SELECT text FROM inbox WHERE run_id IS NOT NULL ORDER BY id DESC LIMIT 2")
    assert rows == ["/undo", "remind me tomorrow at 10 to run"]
    (at,) = await house.column("SELECT next_at FROM trigger WHERE ended_at IS NULL")
    assert (int(str(at)) // 3_600_000) % 24 == 9


async def test_in_several_chats_each_has_its_order(house: House) -> None:
    await said(house, "/todo milk")
    await said(house, "/todo tea", **friend())
    theirs, own = presses(house, "Undo", chat="2", sender=FRIEND), presses(house, "Undo")
    await come(house, theirs, own, says(house, "/todo milk"), says(house, "/todo tea", **friend()))
    assert await open_items(house) == ["milk", "tea"]


async def test_a_message_and_its_edit_and_the_parts_of_an_album_are_for_the_bot_together(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    first = says(house, "remind me tomorrow at 9 to run", message_id="m1", key="u-first", **GROUP)
    edit = says(house, "remind me tomorrow at 9 to swim", message_id="m1", edits="m1", addressed=False, **GROUP)
    parts = [says(house, text, album="a", addressed=bool(text), **GROUP) for text in ("what is this?", "")]
    await come(house, first, edit, *parts)
    assert await planned(house) == ["swim"]
    assert len(await house.column("SELECT id FROM inbox WHERE album = 'a'")) == 2


async def test_what_is_deleted_in_the_same_batch_is_not_done(house: House) -> None:
    await come(house, says(house, "/todo milk", message_id="m1"), Deleted(key="d", chat="1", message_id="m1"))
    assert await open_items(house) == []


async def test_a_press_and_a_message_are_one_transaction(database: Database, tmp_path: Path) -> None:
    counting = CrashingDatabase(database)
    house = await home(counting, tmp_path)
    await said(house, "/todo milk")
    before = counting.commits
    await house.app.inbox.accept(house.tenant_id, [presses(house, "Undo"), says(house, "/todo milk")])
    assert counting.commits == before + 1
