"""Lines of the transcript are found by what was said, as far as somebody may see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Destination, LaneKey
from core.store.conversation import history, runs
from core.store.conversation.history import Line
from tests.commanding import FRIEND, GROUP, friend, said
from tests.fakes import House
from tests.fakes import house as build

HERE = str(GROUP["chat"])


def link(place: Destination, platform_id: str) -> str:
    return f"{place.chat}/{platform_id}"


async def lane_of(house: House, chat: str) -> LaneKey:
    (lane,) = await house.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat",
        chat=chat,
    )
    return LaneKey(**lane)


async def person(house: House, address: str) -> int:
    (number,) = await house.column("SELECT person_id FROM address WHERE external_id = :one", one=address)
    return int(number)


async def find(house: House, chat: str, query: str, reader: int | None = None, **more: Any) -> list[Line]:
    lane = await lane_of(house, chat)
    return await house.db.read(
        lambda tx: history.find(tx, lane, query, reader_id=reader, permalink=link, **more),
    )


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await build(database, tmp_path / "house", model=False)


async def test_a_line_is_found_with_who_said_it_when_and_a_link(house: House) -> None:
    await said(house, "Berta brings the plum cake", **GROUP, key="m7")
    line = (await find(house, HERE, "who brings the cake"))[0]
    assert (line.speaker, line.text) == ("Name of tg:1", "Berta brings the plum cake")
    assert line.link == f"{HERE}/m7"
    assert line.at == house.clock.now()


async def test_lines_of_another_scope_are_as_if_they_were_not(house: House) -> None:
    await said(house, "plum cake here", **GROUP)
    await said(house, "plum cake there", **friend())
    ids = await house.column("SELECT id FROM message")
    lane = await lane_of(house, HERE)
    lines = await house.db.read(lambda tx: history.lines(tx, lane, [*ids, 10_000]))
    assert {line.message_id for line in lines} == set(
        await house.column("SELECT id FROM message WHERE scope_id = :scope AND aside <> 3", scope=lane.scope_id)
    )
    assert "there" not in " ".join(line.text for line in await find(house, HERE, "plum cake"))


async def test_what_was_overheard_is_not_for_who_sees_only_what_was_said_to_the_bot(house: House) -> None:
    await said(house, "we want plum cake", **GROUP)
    lane, owner = await lane_of(house, HERE), await person(house, "tg:1")
    await house.db.write(lambda tx: runs.overhear(tx, lane, owner, "Anna", "plum cake again", 5))
    assert "plum cake again" in [line.text for line in await find(house, HERE, "plum cake")]
    assert "plum cake again" not in [line.text for line in await find(house, HERE, "plum cake", spoken=True)]


async def test_what_was_whispered_is_found_by_its_person_alone(house: House) -> None:
    await said(house, "we want plum cake", **GROUP, response_url="https://hooks.example/1", sender=FRIEND)
    await said(house, "I do not", **GROUP)
    theirs, others = await person(house, "tg:2"), await person(house, "tg:1")
    assert "we want plum cake" in [line.text for line in await find(house, HERE, "plum cake", theirs)]
    assert await find(house, HERE, "plum cake", others) == []
    assert await find(house, HERE, "plum cake") == []


async def test_who_asks_does_not_find_the_question_itself(house: House) -> None:
    await said(house, "who brings plum cake?", **GROUP)
    (run,) = await house.column("SELECT max(id) FROM run")
    assert [line.text for line in await find(house, HERE, "who brings plum cake") if line.role == "user"]
    assert await find(house, HERE, "who brings plum cake", but_run=run) == []
