"""The text index of SQLite: FTS5 over the table `document`, which triggers keep at what stands in there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.kernel.ports import Row, Tx, Wanted

# Deleted words leave the index at once, and its segments are made one, which holds none of them.
SECURE_DELETE = "INSERT INTO document_index (document_index, rank) VALUES ('secure-delete', 1)"
OPTIMIZE = "INSERT INTO document_index (document_index) VALUES ('optimize')"
# An index in which words were deleted so has a form that libraries before 3.42 refuse to read, and to rebuild
# (sqlite.org/fts5.html, "The 'secure-delete' configuration option"): its number is put back, then it is made anew.
_OLD_FORM = "UPDATE document_index_config SET v = 4 WHERE k = 'version' AND v > 4"
_REBUILD = "INSERT INTO document_index (document_index) VALUES ('rebuild')"

_COUNT = (
    "SELECT count(*) AS n FROM (SELECT 1 FROM document_index WHERE document_index MATCH :query LIMIT :most) AS found"
)
# Places weigh nothing. The time is looked at before the best are cut off.
_BEST = (
    "SELECT d.id, d.kind, d.owner_id, d.scope_id, d.session_id, d.position, d.at, d.place, d.tokens"
    " FROM document_index i JOIN document d ON d.id = i.rowid WHERE document_index MATCH :query"
    " AND d.at >= :after AND d.at < :before ORDER BY bm25(document_index, 0.0, 1.0), d.id DESC LIMIT :limit"
)


def occurrences(tx: Tx, places: Sequence[str], terms: Sequence[str], most: int) -> list[int]:
    """As `Tx.occurrences`."""
    here = f"place : {_any(places)}"
    found = [
        tx.one(_COUNT, {"query": query, "most": most})
        for query in (here, *(f"{here} AND tokens : {_any([term])}" for term in terms))
    ]
    return [0 if row is None else int(row["n"]) for row in found]


def make_readable(tx: Tx) -> None:
    """Make the index anew where a newer library than ours has written it."""
    if tx.run(_OLD_FORM):
        tx.run(_REBUILD)


def candidates(tx: Tx, wanted: Wanted, limit: int) -> list[Row]:
    """As `Tx.candidates`."""
    query = f"place : {_any(wanted.places)} AND tokens : {_any(wanted.terms)}"
    return tx.all(_BEST, {"query": query, "after": wanted.after, "before": wanted.before, "limit": limit})


def _any(terms: Iterable[str]) -> str:
    return "(" + " OR ".join(f'"{term}"' for term in terms) + ")"
