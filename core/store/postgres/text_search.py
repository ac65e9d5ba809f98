"""The text index of Postgres: a tsvector that is generated of a document's tokens, and a GIN index over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.kernel.ports import Row, Tx, Wanted

_COUNT = (
    "SELECT (SELECT count(*) FROM (SELECT 1 FROM document WHERE terms @@ CAST(v.column2 AS tsquery)"
    " LIMIT v.column3) AS found) AS n FROM (VALUES :rows) AS v ORDER BY v.column1"
)
# ts_rank knows nothing of how rare a term is, so the weights are summed up here, and more words weigh them down.
_BEST = (
    "SELECT id, kind, owner_id, scope_id, session_id, position, at, place, tokens FROM document"
    " WHERE terms @@ CAST(:query AS tsquery) AND at >= :after AND at < :before"
    " ORDER BY ({weights}) / (15 + length(terms)) DESC, id DESC LIMIT :limit"
)
_WEIGHT = "CASE WHEN terms @@ CAST(:term{n} AS tsquery) THEN :weight{n} ELSE 0 END"


def occurrences(tx: Tx, places: Sequence[str], terms: Sequence[str], most: int) -> list[int]:
    """As `Tx.occurrences`."""
    queries = [_any(places), *(f"{_any(places)} & {_any([term])}" for term in terms)]
    return [int(row["n"]) for row in tx.many(_COUNT, [(n, query, most) for n, query in enumerate(queries)])]


def candidates(tx: Tx, wanted: Wanted, limit: int) -> list[Row]:
    """As `Tx.candidates`."""
    weights = " + ".join(_WEIGHT.format(n=n) for n in range(len(wanted.terms)))
    params: dict[str, object] = {f"term{n}": _any([term]) for n, term in enumerate(wanted.terms)}
    params |= {f"weight{n}": weight for n, weight in enumerate(wanted.terms.values())}
    params |= {"query": f"{_any(wanted.places)} & {_any(wanted.terms)}", "limit": limit}
    return tx.all(_BEST.format(weights=weights), {**params, "after": wanted.after, "before": wanted.before})


def _any(terms: Iterable[str]) -> str:
    return "(" + " | ".join(f"'{term}'" for term in terms) + ")"
