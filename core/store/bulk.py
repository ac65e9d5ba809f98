"""One statement for many rows: what a statement costs by itself, SQLite pays once for all of them.

The SQL names the rows `:rows`, as in `INSERT INTO t (a, b) VALUES :rows` or `FROM (VALUES :rows) AS v`, where both
databases call the columns `column1`, `column2`, …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, cast

from core.kernel.ports import Row, Values

ROWS = ":rows"
# Each number of rows is a statement of its own to SQLite, and is kept prepared: so there are few numbers.
SIZES = (128, 16, 4, 1)


def statements(sql: str, rows: Sequence[Values]) -> Iterator[tuple[str, list[Any]]]:
    """Yield statements for all rows in order: the SQL for as many at a time as one takes, and their values."""
    done = 0
    for size in SIZES:
        while len(rows) - done >= size:
            some = rows[done : done + size]
            yield _spread(sql, size, len(some[0])), list(chain.from_iterable(some))
            done += size


@lru_cache(maxsize=256)
def _spread(sql: str, count: int, width: int) -> str:
    return sql.replace(ROWS, marks("?", count, width))


def values(row: Row) -> Sequence[Any]:
    """Return the values of a row in the order of its columns: SQLite looks for each name among all others."""
    return list(row.values()) if isinstance(row, dict) else list(cast(Iterable[Any], row))


def marks(mark: str, count: int, width: int) -> str:
    """Return the places of so many rows of so many values: `(?, ?), (?, ?)`."""
    return ", ".join([f"({', '.join([mark] * width)})"] * count)
