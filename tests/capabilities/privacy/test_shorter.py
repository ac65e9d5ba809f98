"""/retention: a chat keeps less than the configuration says, from now on and of what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.capabilities.privacy import shorter
from core.capabilities.privacy.models import Kind
from core.capabilities.privacy.retention import Retention
from core.kernel.ports import Database
from core.toolkit.keeping import Keep
from tests.capabilities.privacy.test_forget import KEEPS, PLUM, dump, files
from tests.capabilities.privacy.test_left_alone import lane_of, remember
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.fakes import FakeAdapter, House
from tests.fakes import house as build

DAY = 86_400
SET = "🧹 From now on I keep messages of this chat for 3 days. What was older is erased."


async def night(house: House) -> None:
    """What happens every night."""
    await Retention(house.db, house.clock, ZoneInfo("UTC"), Keep(), KEEPS).forget()


async def talked(database: Database, folder: Path, **more: Any) -> House:
    """A house in which people talked of plums ten days ago, and of pears today."""
    adapter = FakeAdapter()
    adapter.files["f1"] = b"plum"
    house = await build(database, folder / "house", *["noted"] * 9, adapter=adapter, **more)
    await said(house, "I like plum", attachments=(PLUM,))
    await said(house, "/time plum")
    await said(house, "/todo damson")
    await said(house, "I like plum as well", **friend())
    await house.later(10 * DAY)
    await said(house, "I like pear")
    return house


async def test_who_asks_is_told_what_is_kept_and_how_to_say_otherwise(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    told = await said(house, "/retention")
    assert "- messages until they are forgotten" in told
    assert "- files for 90 days" in told
    assert "/retention messages 30" in told
    await said(house, "/retention messages 20 days")
    await said(house, "/retention files 1 week")
    told = await said(house, "/retention")
    assert "- messages for 20 days" in told
    assert "- files for 7 days" in told
    assert "messages for 20 days and files for 7 days" in " ".join((await said(house, "/privacy")).split()).replace(
        "files for 7 days and messages for 20 days", "messages for 20 days and files for 7 days"
    )


@pytest.mark.databases("sqlite")
async def test_files_stay_no_longer_than_messages_and_nobody_is_told_otherwise(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/retention files 5 days")
    await said(house, "/retention messages 3 days")
    assert "files for 3 days" in await said(house, "/retention")
    assert "files for 3 days" in await said(house, "/privacy")
    assert "3 days at most. Nothing was changed." in await said(house, "/retention files 1 week")
    await said(house, "/retention messages 20 days")
    assert "files for 5 days" in await said(house, "/retention")
    assert "files of this chat for 7 days" in await said(house, "/retention files 1 week")


async def test_it_asks_before_it_erases_and_then_does_so_at_once(database: Database, tmp_path: Path) -> None:
    house = await talked(database, tmp_path)
    asked = await said(house, "/retention messages 3 days")
    assert "It can't be taken back" in asked
    assert labels(house) == ["Erase what is older", "Keep"]
    assert "plum" in await dump(house)
    assert await pressed(house, "Erase what is older") == SET
    left = await house.column("SELECT text FROM message")
    assert [text for text in left if "plum" in text] == ["I like plum as well"]
    assert "I like pear" in left
    assert files(tmp_path) == []
    # What was made stays, and so does what is said elsewhere.
    assert await house.column("SELECT content FROM todo") == ["damson"]
    await house.app.anchor()
    report = await house.db.read(house.app.ledger.verify)
    assert report.problems == []
    assert report.erased > 0


async def test_nothing_old_of_that_chat_is_in_any_table(database: Database, tmp_path: Path) -> None:
    house = await talked(database, tmp_path)
    (other,) = await house.column("SELECT scope_id FROM chat WHERE external_id = '2'")
    before = await house.column("SELECT count(*) FROM inbox WHERE scope_id = :other AND text <> ''", other=other)
    await said(house, "/retention 3 days")
    await pressed(house, "Erase what is older")
    for table, column in (("message", "text"), ("outbox", "payload"), ("step", "content"), ("document", "tokens")):
        sql = f"SELECT count(*) FROM {table} WHERE {column} LIKE '%plum%' AND scope_id <> :other"
        assert await house.column(sql, other=other) == [0], table
    bodies = "SELECT count(*) FROM ledger_body WHERE arguments || result LIKE '%plum%' AND scope_id <> :other"
    assert await house.column(bodies, other=other) == [0]
    assert await house.column("SELECT count(*) FROM inbox WHERE text LIKE '%plum%' AND scope_id <> :o", o=other) == [0]
    after = await house.column("SELECT count(*) FROM inbox WHERE scope_id = :other AND text <> ''", other=other)
    assert after == before


async def test_the_night_obeys_it(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await remember(house, await lane_of(house, "1"), "keep this")
    assert await said(house, "/retention messages 3 days") == SET
    await said(house, "/time plum")
    await house.later(2 * DAY)
    await night(house)
    assert "plum" in await dump(house)
    await house.later(2 * DAY)
    await night(house)
    assert "plum" not in await dump(house)
    assert await house.column("SELECT content FROM memory") == ["keep this"]
    assert await house.column("SELECT count(*) FROM document WHERE kind = 'memory'") == [1]


@pytest.mark.databases("sqlite")
async def test_files_may_go_sooner_than_messages(database: Database, tmp_path: Path) -> None:
    house = await talked(database, tmp_path)
    await said(house, "/retention files 3 days")
    await pressed(house, "Erase what is older")
    assert files(tmp_path) == []
    assert any(text.startswith("I like plum") for text in await house.column("SELECT text FROM message"))


@pytest.mark.databases("sqlite")
async def test_longer_than_the_configuration_is_refused_and_says_the_limit(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, retention={"files_days": 20})
    told = await said(house, "/retention files 21 days")
    assert told == "That is longer than I keep them at all: for 20 days at most. Nothing was changed."
    assert await house.column("SELECT count(*) FROM chat_retention") == [0]
    assert "3650 days at most" in await said(house, "/retention messages 99999")


async def test_off_keeps_as_long_as_elsewhere(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/retention 3 days")
    assert await said(house, "/retention off") == "From now on I keep what is said here as long as I otherwise would."
    assert await said(house, "/retention off") != await said(house, "/retention")
    assert await house.column("SELECT count(*) FROM chat_retention") == [0]


@pytest.mark.databases("sqlite")
async def test_in_a_group_its_administrators_decide(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    await said(house, "/help", sender=GUEST, **GROUP)
    assert "administrator" in await said(house, "/retention 3 days", sender=GUEST, **GROUP)
    assert await house.column("SELECT count(*) FROM chat_retention") == [0]
    assert await said(house, "/retention 3 days", sender=FRIEND, **GROUP) == SET


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("messages 3 days", (Kind.MESSAGES, 3)),
        ("3", (Kind.MESSAGES, 3)),
        ("2 weeks", (Kind.MESSAGES, 14)),
        ("files 1 month", (Kind.FILES, 30)),
        ("Nachrichten 3 Tage", (Kind.MESSAGES, 3)),
        ("Dateien 2 Wochen", (Kind.FILES, 14)),
        ("文件 3 天", (Kind.FILES, 3)),
        ("消息3天", (Kind.MESSAGES, 3)),
        ("files 0 days", None),
        ("plums 3 days", None),
        ("3 plums", None),
        ("", None),
    ],
)
def test_it_is_read_in_each_language(text: str, meant: tuple[Kind, int] | None) -> None:
    assert shorter.wish(text) == meant


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("code", "words"), [("de", "Nachrichten aus diesem Chat 3 Tage lang"), ("zh", "消息保留 3 天")]
)
async def test_it_is_answered_in_each_language(database: Database, tmp_path: Path, code: str, words: str) -> None:
    house = await home(database, tmp_path)
    await said(house, f"/language {code}")
    assert words in await said(house, "/retention 3")
