"""The text index of Postgres: a tsvector that is generated from a document's tokens, and a GIN index over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.kernel.ports import Row, Tx, Wanted
from core.store.bulk import values

_COUNT = (
    "SELECT (SELECT count(*) FROM (SELECT 1 FROM document WHERE terms @@ CAST(v.column2 AS tsquery)"
    " LIMIT v.column3) AS found) AS n FROM (VALUES :rows) AS v ORDER BY v.column1"
)
# Where the place is a parameter the planner knows how many documents it has: then it reads only the first of them.
_COUNT_ALL = (
    "SELECT count(*) AS n FROM (SELECT 1 FROM document WHERE terms @@ CAST(:query AS tsquery) LIMIT :most) AS found"
)
# A sample is so small that all terms are counted in one pass.
_COUNT_SAMPLE = (
    "SELECT count(*) AS n{counts} FROM (SELECT terms FROM document WHERE terms @@ CAST(:query AS tsquery) LIMIT :most)"
    " AS found"
)
_COUNT_TERM = ", count(*) FILTER (WHERE terms @@ CAST(:term{n} AS tsquery)) AS n{n}"
# ts_rank knows nothing of how rare a term is, so the weights are summed up here, and more words weigh them down.
_BEST = (
    "SELECT id, kind, owner_id, scope_id, session_id, position, at, place, tokens FROM document"
    " WHERE terms @@ CAST(:query AS tsquery) AND at >= :after AND at < :before"
    " ORDER BY ({weights}) / (15 + length(terms)) DESC, id DESC LIMIT :limit"
)
_WEIGHT = "CASE WHEN terms @@ CAST(:term{n} AS tsquery) THEN :weight{n} ELSE 0 END"


def occurrences(tx: Tx, places: Sequence[str], terms: Sequence[str], most: int, sample: str) -> list[int]:
    """Do what `Tx.occurrences` says."""
    if not sample:
        everything = tx.one(_COUNT_ALL, {"query": _any(places), "most": most})
        queries = [f"{_any(places)} & {_any([term])}" for term in terms]
        counted = tx.many(_COUNT, [(n, query, most) for n, query in enumerate(queries)])
        return [0 if row is None else int(row["n"]) for row in (everything, *counted)]
    counts = "".join(_COUNT_TERM.format(n=n) for n in range(len(terms)))
    sought = {f"term{n}": _any([term]) for n, term in enumerate(terms)}
    query = _any([sample + place for place in places])
    row = tx.one(_COUNT_SAMPLE.format(counts=counts), {**sought, "query": query, "most": most})
    return [] if row is None else [int(n) for n in values(row)]


def candidates(tx: Tx, wanted: Wanted, limit: int) -> list[Row]:
    """Do what `Tx.candidates` says."""
    weights = " + ".join(_WEIGHT.format(n=n) for n in range(len(wanted.terms)))
    params: dict[str, object] = {f"term{n}": _any([term]) for n, term in enumerate(wanted.terms)}
    params |= {f"weight{n}": weight for n, weight in enumerate(wanted.terms.values())}
    params |= {"query": f"{_any(wanted.places)} & {_any(wanted.terms)}", "limit": limit}
    return tx.all(_BEST.format(weights=weights), {**params, "after": wanted.after, "before": wanted.before})


def _any(terms: Iterable[str]) -> str:
    """Return a tsquery for any of these tokens."""
    return "(" + " | ".join(f"'{term}'" for term in terms) + ")"
