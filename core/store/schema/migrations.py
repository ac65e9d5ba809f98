"""Append-only migrations: numbered SQL files, each applied in one transaction and recorded by name, never edited.

An older version refuses a database with one that it does not know, and by nothing else. So what it could not read, such
as a new field of a stored line, gets a migration, too, and be that no more than a comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from core.kernel.errors import StorageError, TellerError
from core.kernel.ports import Tx

# How the name of a copy ends that was made before a migration which has not changed anything yet.
NEW = ".new"
_TABLE = "CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY, applied_at {int} NOT NULL)"


# A literal is kept, a comment dropped, a semicolon outside of both ends a statement.
_TOKENS = re.compile(r"('(?:[^']|'')*')|--[^\n]*|(;)")


# A statement that begins so is of that database alone.
_ONLY = re.compile(r"\{(sqlite|postgres)\} ")


def statements(sql: str, macros: Mapping[str, str]) -> list[str]:
    """Split a migration into statements, with comments and those of another database dropped and macros filled in."""
    plain = _TOKENS.sub(lambda token: token[1] or ("\0" if token[2] else ""), sql)
    parts = [part.strip() for part in plain.split("\0") if part.strip()]
    ours = [part for part in parts if (only := _ONLY.match(part)) is None or only[1] in macros]
    return [_fill(_ONLY.sub("", part, count=1), macros) for part in ours]


def _fill(sql: str, macros: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: macros[match[1]], sql)


@cache
def scripts() -> tuple[tuple[str, str], ...]:
    """Return all migrations as (name, SQL), in the order they apply."""
    folder = files("core.store").joinpath("schema")
    found = sorted(
        (item.name, item.read_text(encoding="utf-8")) for item in folder.iterdir() if item.name.endswith(".sql")
    )
    return tuple((name.removesuffix(".sql"), sql) for name, sql in found)


def pending(tx: Tx, macros: Mapping[str, str]) -> list[str]:
    """Names of the migrations this database has not seen, oldest first; `StorageError` for data of a newer version."""
    tx.run(_fill(_TABLE, macros))
    applied = {row["name"] for row in tx.all("SELECT name FROM migration")}
    known = [name for name, _ in scripts()]
    if unknown := sorted(applied.difference(known)):
        raise StorageError(
            f"The data was written by a newer Teller ({unknown[-1]}). Run that version, or restore a backup."
        )
    return [name for name in known if name not in applied]


def former(names: Sequence[str]) -> str:
    """Return the newest migration of data of a former version, to which `names` are pending; empty for new data, and
    for those that are up to date."""
    known = [name for name, _ in scripts()]
    return known[len(known) - len(names) - 1] if 0 < len(names) < len(known) else ""


def apply(tx: Tx, name: str, macros: Mapping[str, str], now: int) -> None:
    """Apply one migration and record it, in the caller's transaction."""
    for statement in statements(dict(scripts())[name], macros):
        tx.run(statement)
    tx.run("INSERT INTO migration (name, applied_at) VALUES (:name, :now)", {"name": name, "now": now})


def keep_copy(copied: Path | None) -> Path | None:
    """Take the ending of an unused copy off its name, since a migration has changed the database; returns its path."""
    return copied if copied is None or copied.suffix != NEW else copied.rename(copied.with_suffix(""))


def remove_unused_copies(backups: Path, names: Sequence[str]) -> None:
    """Remove the copies of upgrades that were killed before they changed anything: the database is still like them.

    `names` are those of the migrations that are pending. An upgrade that was killed later keeps its copy; half a copy
    (`.part`) is of no use.
    """
    for left in () if backups.is_symlink() else backups.glob(f"before-*{NEW}*"):
        if left.suffix != NEW or left.name.startswith(tuple(f"before-{name}-" for name in names)):
            left.unlink()
        else:
            keep_copy(left)


def stuck(database: str, name: str, error: TellerError, copied: Path | None, *, first: bool) -> StorageError:
    """Return the error that says at which migration it got stuck, and where the copy from before is, if one was made.

    Where it was the `first` the copy is deleted: it is as the database still is, and a start that is tried for ever
    would leave one each time.
    """
    way_back = ""
    if copied is not None and first:
        copied.unlink()
        way_back = ". Nothing has changed"
    elif copied is not None:
        way_back = f". As it was before, it is in {copied}"
    return StorageError(f"{database} cannot be brought up to date ({name}): {error}{way_back}")
