"""An answer that somebody deletes on the platform leaves nothing of its words behind; and its lines stay lines."""

from __future__ import annotations

import json
from pathlib import Path

from core.kernel.updates import Deleted
from tests.commanding import FRIEND, friend, home, said
from tests.conftest import DatabaseMaker


async def test_the_words_of_a_deleted_answer_go_from_what_they_were_an_answer_to(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/send Bob")
    await said(house, "my secret is 4711", message_id="m77")
    await house.app.inbox.accept(house.tenant_id, [Deleted(key="d:1", chat="1", message_id="m77")])
    rows = [json.dumps(row, default=str) for row in await house.rows("SELECT * FROM inbox")]
    assert not [row for row in rows if "4711" in row]


async def test_an_answer_of_several_lines_is_sent_as_it_is(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/send Bob")
    await said(house, "one line\nand another")
    assert any("one line\nand another" in text for text in house.adapter.texts("2"))


async def test_whom_a_question_was_about_may_be_gone(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/send Bob")
    await said(house, "/contacts remove Bob")
    assert (await said(house, "the tickets are on the table")).endswith("They are not among your contacts any more.")
