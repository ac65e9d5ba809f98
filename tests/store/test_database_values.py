"""Values, texts and statements mean the same in every kind of database."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from itertools import count
from typing import Any

import pytest

from core.kernel.errors import BadRow
from core.kernel.ports import Database, Tx
from tests.conftest import DatabaseMaker
from tests.databases import Place, add, prepare, value


@pytest.fixture
async def database(place: Place, make_database: DatabaseMaker) -> Database:
    """An open database with a table of numbers."""
    database = await make_database(place.name, at=place)
    await database.write(prepare)
    return database


async def test_rows_are_read_by_name(database: Database) -> None:
    await database.write(add(1, 7, "seven"))
    row = await database.read(lambda tx: tx.one("SELECT n, note, NULL AS empty FROM number"))
    assert row is not None
    assert (row["n"], row["note"], row["empty"], list(row.keys())) == (7, "seven", None, ["n", "note", "empty"])
    assert await database.read(lambda tx: tx.one("SELECT n FROM number WHERE id = 2")) is None


async def test_run_returns_how_many_rows_changed(database: Database) -> None:
    for key in (1, 2, 3):
        await database.write(add(key))
    change = "UPDATE number SET n = 1 WHERE id >= :id"
    assert await database.write(lambda tx: tx.run(change, {"id": 2})) == 2
    assert await database.write(lambda tx: tx.run(change, {"id": 9})) == 0
    assert await database.write(lambda tx: tx.run("DELETE FROM number")) == 3


async def test_an_insert_is_ignored_when_the_key_is_taken(database: Database) -> None:
    def insert(tx: Tx) -> tuple[int, Any]:
        sql = "INSERT INTO number (id, n) VALUES (1, 5) ON CONFLICT DO NOTHING"
        return tx.run(sql), tx.one(f"{sql} RETURNING id")

    assert await database.write(insert) == (1, None)
    assert await database.write(insert) == (0, None)


async def test_returning_gives_the_new_ids_which_only_grow(database: Database) -> None:
    names = count()

    def insert(tx: Tx) -> int:
        sql = "INSERT INTO tenant (platform, external_id, created_at) VALUES ('t', :name, 0) RETURNING id AS value"
        return int(value(sql, name=f"tenant {next(names)}")(tx))

    def discard(tx: Tx) -> int:
        found = insert(tx)
        tx.run("DELETE FROM tenant WHERE id = :id", {"id": found})
        return found

    # The fixture chose id 1 itself, which only SQLite's counter notices; the first of ours may collide with it.
    with suppress(BadRow):
        await database.write(insert)
    first, gone, last = [await database.write(fn) for fn in (insert, discard, insert)]
    assert first < gone < last


TEXTS = [
    "naïve ﷽ Ünïcödé",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "上海的数据库预算",
    "100 % %s %(x)s %%",
    ":x ::text ':y' \\ \" ' ''",
    "tab\tline\nline",
]


@pytest.mark.parametrize("text", TEXTS)
async def test_any_text_comes_back_as_it_was(database: Database, text: str) -> None:
    await database.write(add(1, note=text))
    found = value("SELECT note AS value FROM number WHERE note = :note", note=text)
    assert await database.read(found) == text


async def test_only_names_outside_of_literals_are_parameters(database: Database) -> None:
    sql = (
        "SELECT '100% :x ::y %(x)s it''s' AS literal, :x AS x, :x || '%' AS \"odd:x %\" -- :gone % isn't\n"
        "FROM number /* :gone ' */ WHERE note LIKE '%' || :y AND n % 2 = :one"
    )
    await database.write(add(1, 3, "so be it"))
    row = await database.read(lambda tx: tx.one(sql, {"x": "X", "y": "it", "one": 1, "unused": None}))
    assert row is not None
    assert [row[name] for name in ("literal", "x", "odd:x %")] == ["100% :x ::y %(x)s it's", "X", "X%"]


class Colour(StrEnum):
    """A value as the house writes them."""

    RED = "red"


async def test_values_are_stored_and_given_back_alike(database: Database) -> None:
    sql = "SELECT sum(n) AS total, avg(n) AS mean, count(*) AS rows, min(note) AS colour, :none IS NULL AS empty"
    await database.write(add(1, True, Colour.RED))
    await database.write(add(2, False))
    row = await database.read(lambda tx: tx.one(f"{sql} FROM number", {"none": None}))
    assert row is not None
    found = [row[name] for name in ("total", "mean", "rows", "colour", "empty")]
    assert found == [1, 0.5, 2, "red", 1]
    assert [type(one) for one in found] == [int, float, int, str, int]


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63), 2**53 + 1, 0])
async def test_integers_have_sixty_four_bits(database: Database, n: int) -> None:
    await database.write(add(n, n))
    assert await database.read(value("SELECT n AS value FROM number WHERE id = :n", n=n)) == n
