"""The text index of SQLite: FTS5 over the table `document`, which triggers keep at what stands in there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.kernel.ports import FOREVER, Row, Tx, Wanted

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
# bm25() would count every document of a place first; so the weights of the terms are summed up here, and the ranking
# does the rest. The time is looked at before the best are cut off.
_BEST = (
    "SELECT d.id, d.kind, d.owner_id, d.scope_id, d.session_id, d.position, d.at, d.place, d.tokens"
    " FROM (SELECT id, sum(weight) AS score FROM ({matches}) GROUP BY id ORDER BY score DESC, id DESC LIMIT :limit)"
    " AS b"
    " JOIN document d ON d.id = b.id ORDER BY b.score DESC, d.id DESC"
)
_MATCH = "SELECT rowid AS id, :weight{n} AS weight FROM document_index WHERE document_index MATCH :query{n}"
_MATCH_IN_TIME = (
    "SELECT i.rowid AS id, :weight{n} AS weight FROM document_index i JOIN document t ON t.id = i.rowid"
    " WHERE document_index MATCH :query{n} AND t.at >= :after AND t.at < :before"
)


def occurrences(tx: Tx, places: Sequence[str], terms: Sequence[str], most: int, sample: str) -> list[int]:
    """Do what `Tx.occurrences` says."""
    here = f"tokens : {_any([sample + place for place in places])}" if sample else f"place : {_any(places)}"
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
    """Do what `Tx.candidates` says."""
    here, terms = f"place : {_any(wanted.places)}", enumerate(wanted.terms)
    params: dict[str, object] = {f"query{n}": f"{here} AND tokens : {_any([term])}" for n, term in terms}
    params |= {f"weight{n}": weight for n, weight in enumerate(wanted.terms.values())}
    always = wanted.after <= 0 and wanted.before >= FOREVER
    match = _MATCH if always else _MATCH_IN_TIME
    matches = " UNION ALL ".join(match.format(n=n) for n in range(len(wanted.terms)))
    window = {} if always else {"after": wanted.after, "before": wanted.before}
    return tx.all(_BEST.format(matches=matches), {**params, **window, "limit": limit})


def _any(terms: Iterable[str]) -> str:
    return "(" + " OR ".join(f'"{term}"' for term in terms) + ")"
