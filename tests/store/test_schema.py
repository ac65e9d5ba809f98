"""Both databases have the same schema, and every table says whose it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from core.kernel.errors import StorageError
from core.kernel.ports import Database, Tx
from core.store.schema import migrations
from core.store.sqlite.database import MACROS
from tests.conftest import DatabaseMaker

Schema = dict[str, Any]

# Tables without tenant_id or scope_id, and why that is right.
NOT_SCOPED: Mapping[str, str] = {
    "cursor_position": "belongs to a bot's account on a platform, not to a conversation",
    "incident": "the model's, which serves all of a tenant",
    "install_state": "somebody at the door; which workspace they come from is not known yet",
    "installation": "belongs to a workspace, or to an organisation with many; its tokens are nobody's content",
    "ledger_head": "one chain a tenant",
    "migration": "belongs to the installation",
    "night": "belongs to the installation",
    "scope": "is the scope; its id is the key",
    "stranger": "somebody without any conversation",
    "tenant": "is the tenant; its id is the key",
}

KINDS = {"INTEGER": "whole", "bigint": "whole", "TEXT": "text", "text": "text", "REAL": "float"}
KINDS["double precision"] = "float"


def _default(text: str | None) -> str | None:
    """A default without Postgres' casts and quotes around numbers."""
    if text is None:
        return None
    plain = re.sub(r"::\w+( \w+)*", "", text).strip("()")
    return plain.strip("'") if re.fullmatch(r"'-?\d+'", plain) else plain


# What searches the tokens of documents is of each database: FTS5 on SQLite, a tsvector and its index on Postgres.
def sqlite_schema(tx: Tx) -> Schema:
    """Every table of an SQLite file, in comparable words."""
    found = tx.all(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " AND name NOT LIKE 'document_index%'"
    )
    return {row["name"]: _sqlite_table(tx, row["name"]) for row in found}


def _sqlite_table(tx: Tx, table: str) -> Schema:
    columns = tx.all(f"PRAGMA table_info({table})")
    keys = sorted((row["pk"], row["name"]) for row in columns if row["pk"])
    rowid = [name for _, name in keys] if len(keys) == 1 else []
    indexes = tx.all(f"PRAGMA index_list({table})")
    links = tx.all(f"PRAGMA foreign_key_list({table})")
    return {
        "columns": {
            row["name"]: (
                KINDS[row["type"]],
                bool(row["notnull"]) or (row["type"] == "INTEGER" and row["name"] in rowid),
                _default(row["dflt_value"]),
            )
            for row in columns
        },
        "primary key": [name for _, name in keys],
        "unique": sorted(_sqlite_index(tx, row["name"]) for row in indexes if row["origin"] == "u"),
        "indexes": {
            row["name"]: (_sqlite_index(tx, row["name"]), bool(row["unique"]), bool(row["partial"]))
            for row in indexes
            if row["origin"] == "c"
        },
        "references": sorted((row["from"], row["table"], row["to"]) for row in links),
    }


def _sqlite_index(tx: Tx, index: str) -> list[str]:
    return [row["name"] for row in tx.all(f"PRAGMA index_info({index})")]


def postgres_schema(tx: Tx) -> Schema:
    """Every table of a Postgres database, in comparable words."""
    found = tx.all("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    return {row["table_name"]: _postgres_table(tx, row["table_name"]) for row in found}


def _postgres_table(tx: Tx, table: str) -> Schema:
    indexes = _postgres_indexes(tx, table)
    return {
        "columns": _postgres_columns(tx, table),
        "primary key": next((row["names"] for row in indexes if row["kind"] == "p"), []),
        "unique": sorted(row["names"] for row in indexes if row["kind"] == "u"),
        "indexes": {
            row["name"]: (row["names"], bool(row["is_unique"]), bool(row["partial"]))
            for row in indexes
            if row["kind"] is None
        },
        "references": sorted(_postgres_references(tx, table)),
    }


def _postgres_columns(tx: Tx, table: str) -> Schema:
    rows = tx.all(
        "SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = :name AND data_type <> 'tsvector'",
        {"name": table},
    )
    return {
        row["column_name"]: (KINDS[row["data_type"]], row["is_nullable"] == "NO", _default(row["column_default"]))
        for row in rows
    }


def _postgres_indexes(tx: Tx, table: str) -> list[Any]:
    return list(
        tx.all(
            "SELECT i.indexrelid::regclass::text AS name, i.indisunique AS is_unique, c.contype::text AS kind,"
            " i.indpred IS NOT NULL AS partial, array(SELECT a.attname::text FROM unnest(i.indkey)"
            " WITH ORDINALITY AS k (n, place) JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n"
            " ORDER BY k.place) AS names"
            " FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')"
            " JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam"
            " WHERE i.indrelid = :name::regclass AND m.amname <> 'gin'",
            {"name": table},
        )
    )


def _postgres_references(tx: Tx, table: str) -> list[tuple[str, str, str]]:
    rows = tx.all(
        "SELECT a.attname::text AS here, c.confrelid::regclass::text AS other, b.attname::text AS there"
        " FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (mine, yours)"
        " JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.mine"
        " JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.yours"
        " WHERE c.contype = 'f' AND c.conrelid = :name::regclass",
        {"name": table},
    )
    return [(row["here"], row["other"], row["there"]) for row in rows]


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Every place where two descriptions differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted(one.keys() | other.keys())
        return [text for name in names for text in differences(one.get(name), other.get(name), f"{where}/{name}")]
    return [] if one == other else [f"{where}: {one!r} is {other!r} in Postgres"]


async def test_both_databases_have_the_same_tables_columns_keys_and_indexes(make_database: DatabaseMaker) -> None:
    sqlite = await (await make_database("sqlite")).read(sqlite_schema)
    postgres = await (await make_database("postgres")).read(postgres_schema)
    assert len(sqlite) > 10
    assert differences(sqlite, postgres) == []


async def test_every_kind_of_difference_is_found(make_database: DatabaseMaker) -> None:
    postgres = await make_database("postgres")
    before = await postgres.read(postgres_schema)
    for change in (
        "ALTER TABLE scope ADD COLUMN x BIGINT",
        "ALTER TABLE person ALTER COLUMN name DROP DEFAULT",
        "ALTER TABLE chat ALTER COLUMN kind DROP NOT NULL",
        "ALTER TABLE run ALTER COLUMN role TYPE BIGINT USING 1",
        "DROP INDEX lane_pending",
        "ALTER TABLE inbox DROP CONSTRAINT inbox_tenant_id_update_key_key",
        "CREATE TABLE spare (id BIGINT)",
    ):
        await postgres.write(lambda tx, sql=change: tx.run(sql))  # type: ignore[misc]
    found = [text.partition(":")[0] for text in differences(before, await postgres.read(postgres_schema))]
    assert found == [
        "/chat/columns/kind",
        "/inbox/unique",
        "/lane/indexes/lane_pending",
        "/person/columns/name",
        "/run/columns/role",
        "/scope/columns/x",
        "/spare",
    ]


async def test_every_table_says_its_tenant_and_scope_or_why_not(database: Database) -> None:
    schema = await database.read(sqlite_schema if database.name == "sqlite" else postgres_schema)
    lacking = {name for name, table in schema.items() if not {"tenant_id", "scope_id"} <= table["columns"].keys()}
    assert lacking == set(NOT_SCOPED)


async def test_data_of_a_newer_version_is_refused_with_what_to_do(make_database: DatabaseMaker) -> None:
    database = await make_database("sqlite")
    await database.write(lambda tx: tx.run("INSERT INTO migration (name, applied_at) VALUES ('9999_future', 0)"))
    with pytest.raises(StorageError, match="newer Teller"):
        await database.write(lambda tx: migrations.pending(tx, MACROS))
