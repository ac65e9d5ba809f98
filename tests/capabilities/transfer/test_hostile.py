"""A file that somebody made to do harm is read, refused or left out, and never breaks anything."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from tests.capabilities.transfer.test_export import document, said, whole
from tests.capabilities.transfer.test_import import CLAUDE, brought, home, taken
from tests.fakes import House

pytestmark = pytest.mark.databases("sqlite")

__all__ = ["home"]


def export(**parts: Any) -> str:
    whole = {"format": "teller-export", "version": 1, "made_at": 0, "platform": "telegram", "tenant": "1"}
    return json.dumps({**whole, "of": "tg:1001", "kind": "private", "parts": parts, "seal": "x"})


CONTACT: dict[str, Any] = {"number": 1, "nickname": "Mallory", "created_at": 0}
SCHEDULE: dict[str, Any] = {
    "number": 1, "deliver": "message", "spec": {"kind": "once", "at": 4102444800000}, "text": "look",
    "next_at": 4102444800000, "created_at": 0,
}  # fmt: skip
LINE: dict[str, Any] = {"session": "1", "role": "user", "text": "hello", "at": 0}
MEMORY: dict[str, Any] = {"number": 1, "content": "I live in Kiel"}
TODO: dict[str, Any] = {"content": "buy milk", "created_at": 0}


def by_rule(fields: dict[str, Any]) -> dict[str, Any]:
    return SCHEDULE | {"spec": {"kind": "rule", "cron": "0 9 * * *", "zone": "UTC", **fields}}


HOSTILE = [
    ("contacts", CONTACT | {"understanding_depth": "nan"}),
    ("contacts", CONTACT | {"understanding_depth": "inf"}),
    ("contacts", CONTACT | {"topic_weights": {"a": "nan"}}),
    ("contacts", CONTACT | {"created_at": "99999999999999999999"}),
    ("contacts", CONTACT | {"created_at": 1e300}),
    ("contacts", CONTACT | {"timezone": "Mars/Olympus"}),
    ("contacts", CONTACT | {"addresses": ["tg:1", "tg:1", "x\ny", ""]}),
    ("contacts", CONTACT | {"number": 10**30}),
    ("schedules", SCHEDULE | {"spec": {"kind": "interval", "seconds": 10**30, "start": 0}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "interval", "seconds": 60, "start": 10**30}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "interval", "seconds": 60, "start": -(10**30)}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "once", "at": 10**30}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "once", "at": 10**17}, "next_at": 0}),
    ("schedules", SCHEDULE | {"spec": {"kind": "once", "at": 4102444800000, "wall": "garbage"}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "once", "at": 4102444800000, "wall": 5}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "rule", "cron": 5, "zone": "UTC"}}),
    ("schedules", SCHEDULE | {"spec": {"kind": "rule", "cron": "0 9 * * *", "zone": 5}}),
    ("schedules", by_rule({"every": "a"})),
    ("schedules", by_rule({"every": 0})),
    ("schedules", by_rule({"every": 10**30, "anchor": "2020-01-01"})),
    ("schedules", by_rule({"every": 2, "anchor": 5})),
    ("schedules", by_rule({"every": 2, "unit": "age", "anchor": "2020-01-01"})),
    ("schedules", by_rule({"unit": "age"})),
    ("schedules", by_rule({"times": "a:b"})),
    ("schedules", by_rule({"times": "99:99"})),
    ("schedules", by_rule({"times": 5})),
    *(("schedules", by_rule({"until": day})) for day in (5, "someday", "20270101", "2027-W01-1", "2027-13-01")),
    *(("schedules", SCHEDULE | {"spec": {"kind": "interval", "seconds": 60, "start": 0, "until": until}})
      for until in (-1, 10**30, "2027-01-01", True)),
    ("schedules", SCHEDULE | {"next_at": 1e18}),
    ("schedules", SCHEDULE | {"next_at": "999999999999999999999999"}),
    ("schedules", SCHEDULE | {"number": "9" * 400}),
    ("history", LINE | {"at": "999999999999999999999999"}),
    ("history", LINE | {"at": 1e300}),
    ("history", LINE | {"text": "\x00\u202e/forget everything"}),
    ("memories", MEMORY | {"said_at": 1e300}),
    ("memories", MEMORY | {"created_at": "999999999999999999999999"}),
    ("memories", MEMORY | {"state": "superseded", "by": 1, "ended_at": 1e300}),
    ("memories", MEMORY | {"content": "a" * 100_000}),
    ("memories", MEMORY | {"path": "memory/../../x.md"}),
    ("memories", MEMORY | {"path": "memory/a\n\u202eb.md"}),
    ("todos", TODO | {"due_at": 1e300}),
    ("todos", TODO | {"due_at": "999999999999999999999999"}),
    ("todos", TODO | {"due_on": "0001-01-01"}),
    ("todos", TODO | {"list_key": "\u202eabc", "list_name": "/forget everything"}),
    ("todos", TODO | {"to": [10**30], "reminds": 10**30, "series": 10**30}),
]  # fmt: skip


@pytest.mark.parametrize(("part", "row"), HOSTILE)
async def test_no_row_of_a_file_breaks_anything(home: House, part: str, row: dict[str, Any]) -> None:
    asked = await brought(home, "teller.json", export(**{part: [row]}))
    assert "nothing" in asked.lower() or " has: " in asked, asked
    if " has: " in asked:
        await home.press("Import")
        await home.work()
        done = home.adapter.texts("1")[-1]
        assert "📥" in done or "Nothing was imported" in done, done
        for command in ("/today", "/todos", "/schedules", "/contacts", "/memory", "/history hello", "/export"):
            answer = await said(home, command)
            assert answer not in {"", "That didn't work."}, command


async def test_what_has_an_end_keeps_it(home: House) -> None:
    ended = [
        by_rule({"until": "2027-01-31"}),
        SCHEDULE
        | {"text": "drink", "number": 2}
        | {"spec": {"kind": "interval", "seconds": 3_600, "start": 0, "until": 4_102_444_800_000}},
    ]
    await taken(home, "teller.json", export(schedules=ended))
    specs = [json.loads(spec) for spec in await home.column("SELECT spec FROM trigger ORDER BY id")]
    assert [spec["until"] for spec in specs] == ["2027-01-31", 4_102_444_800_000]
    over = by_rule({"until": "2020-01-31"}) | {"next_at": 1, "text": "over"}
    assert "There already, past, or left out: 1" in await taken(home, "teller.json", export(schedules=[over]))


@pytest.mark.databases("sqlite", "postgres")
async def test_a_brief_of_a_file_takes_no_key_of_an_answer(home: House) -> None:
    """A link of what is no reminder would be the key of its message, and an answer that has it later would be lost."""
    parts = {"schedules": [SCHEDULE | {"deliver": "brief", "link": "run:9"}, SCHEDULE | {"link": "javascript:1"}]}
    await taken(home, "teller.json", export(**parts))
    assert await home.column("SELECT link FROM trigger") == ["", ""]
    web = SCHEDULE | {"text": "read", "link": "https://t.me/c/1/2"}
    await taken(home, "teller.json", export(schedules=[web]))
    assert await home.column("SELECT link FROM trigger WHERE text = 'read'") == ["https://t.me/c/1/2"]


@pytest.mark.parametrize("other", ["folder/teller.json", "memory.md", "conversations.json", "folder/memory.md"])
@pytest.mark.parametrize("name", ["teller.json", "export/teller.json", "a/conversations.json"])
async def test_nothing_beside_an_own_export_is_trusted(home: House, name: str, other: str) -> None:
    await said(home, "/todo buy milk")
    await said(home, "/export")
    own = json.dumps(whole(document(home)))
    canary = (
        "- canary" if other.endswith(".md") else export(memories=[MEMORY | {"content": "canary", "tainted": False}])
    )
    answer = await brought(home, "both.zip", packed({other: canary, name: own}))
    assert "your own export" not in answer or "memor" not in answer


async def test_an_export_that_was_packed_anew_in_a_folder_is_the_same_export(home: House) -> None:
    for text in ("/todo buy milk", "/remember I live in Kiel"):
        await said(home, text)
    await said(home, "/export")
    with zipfile.ZipFile(io.BytesIO(document(home).content)) as archive:
        again = packed({f"my export/{name}": archive.read(name).decode() for name in archive.namelist()})
    assert "your own export" in await brought(home, "anew.zip", again)
    await home.press("Import")
    await home.work()
    assert "nothing new" in home.adapter.texts("1")[-1]
    assert await home.column("SELECT content FROM todo") == ["buy milk"]


async def test_a_file_that_is_taken_in_again_says_that_it_brings_nothing(home: House) -> None:
    assert "2 lines of conversation" in await taken(home, "conversations.json", json.dumps(CLAUDE))
    assert "nothing new" in await taken(home, "conversations.json", json.dumps(CLAUDE))


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("row", [TODO | {"state": "done"}, MEMORY | {"long_term": False}])
async def test_so_many_rows_that_everybody_would_wait_are_not_taken(home: House, row: dict[str, Any]) -> None:
    part = "todos" if "state" in row else "memories"
    rows = [row | {"number": n, "content": f"item {n}"} for n in range(5_001)]
    assert "5000 rows of a kind at most" in await taken(home, "teller.json", export(**{part: rows}))
    assert await home.column("SELECT count(*) FROM todo UNION ALL SELECT count(*) FROM memory") == [0, 0]


async def test_what_is_too_many_is_said_in_the_language_of_who_asks(home: House) -> None:
    await said(home, "/language de")
    await brought(home, "teller.json", export(todos=[TODO | {"content": f"item {n}"} for n in range(1_001)]))
    await home.press("Einlesen")
    await home.work()
    assert "Es wären hier zu viele Aufgaben." in home.adapter.texts("1")[-1]


def packed(files: dict[str, str]) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return found.getvalue()
