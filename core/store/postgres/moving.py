"""Moving all rows of another database into an empty Postgres database, in one transaction: all of them or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from core.kernel.errors import StorageError
from core.kernel.ports import Tx

MIGRATION = "migration"
_HERE = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
_COLUMNS = (
    "SELECT c.relname AS name, a.attname AS column_name, a.attidentity AS identity FROM pg_attribute a"
    f" JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = {_HERE}"
    " AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum"
)
_REFERENCES = (
    "SELECT c.relname AS name, o.conname AS constraint_name, pg_get_constraintdef(o.oid) AS definition"
    " FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid"
    f" WHERE o.contype = 'f' AND o.connamespace = {_HERE}"
)


class Source(Protocol):
    """The tables of the other database, which has the same version."""

    def names(self) -> list[str]:
        """Return the names of all tables."""

    def count(self, table: str) -> int:
        """Return how many rows a table has."""

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the values of these columns of all rows, some rows at a time."""

    def last_ids(self) -> dict[str, int]:
        """Return the highest id that each table has ever given to a row."""


def move(tx: Tx, source: Source) -> int:
    """Copy all rows, and return how many. What was copied before is not copied again.

    Raises `StorageError` where the database has other rows.
    """
    names = [name for name in source.names() if name != MIGRATION]
    columns: dict[str, list[str]] = {name: [] for name in names}
    numbered = set()
    for row in tx.all(_COLUMNS):
        if row["name"] in columns:
            columns[row["name"]].append(row["column_name"])
            numbered |= {row["name"]} if row["identity"] else set()
    wanted = {name: source.count(name) for name in names}
    there = _counts(tx, names)
    if any(there.values()):
        # Who has the same heads of the ledger has done the same.
        heads = {(row["tenant_id"], row["mac"]) for row in tx.all("SELECT tenant_id, mac FROM ledger_head")}
        theirs = {row for rows in source.rows("ledger_head", ("tenant_id", "mac")) for row in rows}
        if there == wanted and heads == theirs:
            return sum(there.values())
        raise StorageError("The database of database.url has rows already. Give it one that is empty.")
    references = [row for row in tx.all(_REFERENCES) if row["name"] in columns]
    for row in references:
        tx.run(f"ALTER TABLE {row['name']} DROP CONSTRAINT {row['constraint_name']}")
    for name in names:
        listed = ", ".join(columns[name])
        for rows in source.rows(name, columns[name]):
            tx.many(f"INSERT INTO {name} ({listed}) VALUES :rows", rows)
    # Rows refer to each other in circles, so that is held against all of them when they are there.
    for row in references:
        tx.run(f"ALTER TABLE {row['name']} ADD CONSTRAINT {row['constraint_name']} {row['definition']}")
    # Where no row was ever made, SQLite may have a 0, which Postgres does not take.
    last = {name: number for name, number in source.last_ids().items() if number}
    for name in numbered & last.keys():
        tx.one("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)", {"name": name, "last": last[name]})
    if (there := _counts(tx, names)) != wanted:
        odd = ", ".join(name for name in names if there[name] != wanted[name])
        raise StorageError(f"Not all rows have arrived, so nothing was moved: {odd}")
    return sum(there.values())


def _counts(tx: Tx, names: Sequence[str]) -> dict[str, int]:
    rows = [tx.one(f"SELECT count(*) AS n FROM {name}") for name in names]
    return {name: 0 if row is None else int(row["n"]) for name, row in zip(names, rows, strict=True)}
