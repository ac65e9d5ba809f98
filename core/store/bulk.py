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


def chunks(rows: Sequence[Values]) -> Iterator[Sequence[Values]]:
    """Yield all rows in order, as many at a time as one of the statements takes."""
    done = 0
    for size in SIZES:
        while len(rows) - done >= size:
            yield rows[done : done + size]
            done += size


def statement(sql: str, rows: Sequence[Values]) -> tuple[str, list[Any]]:
    """Return the SQL for so many rows, and their values in order."""
    return _spread(sql, len(rows), len(rows[0])), list(chain.from_iterable(rows))


@lru_cache(maxsize=256)
def _spread(sql: str, count: int, width: int) -> str:
    return sql.replace(ROWS, marks("?", count, width))


def values(row: Row) -> Sequence[Any]:
    """Return the values of a row in the order of its columns: SQLite looks for each name among all others."""
    return list(row.values()) if isinstance(row, dict) else list(cast(Iterable[Any], row))


def marks(mark: str, count: int, width: int) -> str:
    """Return the places of so many rows of so many values: `(?, ?), (?, ?)`."""
    return ", ".join([f"({', '.join([mark] * width)})"] * count)
