"""Documents are put into the text index, taken out, and found by their words (docs/search.md)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import accumulate

from core.kernel.ports import FOREVER, Row, Tx, Wanted
from core.kernel.types import HOUR, Millis
from core.store.text_index import marks, question, tokeniser, vectors
from core.store.text_index.vectors import Encoder

# So many candidates are ranked, each with its neighbours: so many lines to each side, and so near in time.
CANDIDATES, BESIDE, NEAR = 30, 2, 6 * HOUR
# Which of some documents, by kind and number, are there for whoever asks.
Counts = Callable[[Sequence[tuple[str, int]]], Collection[tuple[str, int]]]
# How often a document's own words count, and those of its neighbours at each distance.
OWN, NEIGHBOURS = 3.0, (1.0, 0.5)
# How much more a line counts that is of somebody whom the question names.
NAMED = 1.25
# What stands between the speaker and the text in a document's tokens; it is no token itself.
SAYS = "|"
# Where two rankings are joined: the less this is, the farther ahead are the first places of each.
AHEAD = 5
# No term is counted further. The rarest terms lead to candidates, until they have so many documents together.
MOST_COUNTED, MOST_SCANNED = 3_000, 4_000
# What is probably in more documents than these is not counted: a sample tells it well enough, in a tenth of the time.
ESTIMATED = 1_000
# The sample of a place is one of so many of its documents, by their numbers (a prime, as lines of a talk alternate).
# Among its tokens each of them has the name of the place with this before it; no word has this sign.
SAMPLED, SAMPLE = 61, "_in_"
# Of a longer document only the beginning counts.
MOST_TOKENS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text that can be found. `kind` (lower-case letters) and `owner_id` name the row where it stands.

    Those of one kind and `session_id` are neighbours where they follow each other by `position`. `person_id` is whose
    words it has, with whose it is forgotten; what is `whispered` nobody else finds. `language` is what it is probably
    in, as a code.
    """

    tenant_id: int
    scope_id: int
    kind: str
    owner_id: int
    text: str
    at: Millis
    speaker: str = ""
    session_id: int | None = None
    position: int = 0
    person_id: int | None = None
    whispered: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document that was found: the row where its text stands, how well it answers (more is better), its tokens."""

    kind: str
    owner_id: int
    scope_id: int
    at: Millis
    score: float
    tokens: str

    @property
    def words(self) -> frozenset[str]:
        """Return what the text itself says, as tokens: without who said it, and without marks."""
        text = self.tokens.rpartition(f" {SAYS} ")[2]
        return frozenset(token for token in text.split(" ") if token[0] != "_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies:
    """Counts the documents of places, and those of them that have each term; from `ESTIMATED` on only about."""

    everything: int
    terms: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounts:
    """How many words a part of a document has, and how often it has each of the terms that are sought."""

    length: int
    terms: Mapping[str, int]


def add(tx: Tx, documents: Sequence[Document]) -> None:
    """Put documents into the index, in place of what it has of the same rows; what has no words is not in it."""
    tokenised: list[tuple[Document, list[str]]] = []
    for document in documents:
        if own := tokeniser.tokens(document.text, document.language)[:MOST_TOKENS]:
            speaker = tokeniser.tokens(document.speaker)
            named = [*speaker, SAYS] if speaker else []
            tokenised.append((document, [*named, *own, *marks.of(document.text, document.at)]))
        else:
            remove(tx, document.kind, [document.owner_id])
    tx.many(
        "INSERT INTO document (tenant_id, scope_id, kind, owner_id, message_id, passage_id, person_id, session_id,"
        " position, at, place, tokens) VALUES :rows ON CONFLICT (kind, owner_id) DO UPDATE SET"
        " scope_id = excluded.scope_id,"
        " person_id = excluded.person_id, session_id = excluded.session_id, position = excluded.position,"
        " at = excluded.at, place = excluded.place, tokens = excluded.tokens, vector = NULL",
        [
            (
                document.tenant_id,
                document.scope_id,
                document.kind,
                document.owner_id,
                document.owner_id if document.kind == "message" else None,
                document.owner_id if document.kind == "passage" else None,
                document.person_id,
                document.session_id,
                document.position,
                document.at,
                where := place(
                    document.tenant_id,
                    document.scope_id,
                    document.kind,
                    (document.person_id or 0) if document.whispered else None,
                ),
                " ".join(tokens if document.owner_id % SAMPLED else (*tokens, SAMPLE + where)),
            )
            for document, tokens in tokenised
        ],
    )


def rename(tx: Tx, kind: str, owner_ids: Sequence[int], speaker: str) -> None:
    """Let documents, which are as they were else, be found by another name of who said them."""
    name = tokeniser.tokens(speaker)
    rows = tx.many(
        "SELECT d.id, d.tokens FROM (VALUES :rows) AS v"
        " JOIN document d ON d.kind = v.column1 AND d.owner_id = v.column2",
        [(kind, owner_id) for owner_id in owner_ids],
    )
    own = {row["id"]: row["tokens"].rpartition(f" {SAYS} ")[2] for row in rows}
    tx.many(
        "UPDATE document SET tokens = v.column2 FROM (VALUES :rows) AS v WHERE document.id = v.column1",
        [(number, " ".join([*name, SAYS, tokens] if name else [tokens])) for number, tokens in own.items()],
    )


def remove(tx: Tx, kind: str, owner_ids: Sequence[int]) -> None:
    """Take what stands in rows of a kind out of the index."""
    for owner_id in owner_ids:
        tx.run("DELETE FROM document WHERE kind = :kind AND owner_id = :id", {"kind": kind, "id": owner_id})


def hand_over(tx: Tx, source: int, scope_id: int, lanes: Mapping[int, int]) -> None:
    """Give all documents of the scope `source` to another one; `lanes` are where the lines of each lane stand now."""
    tx.run(
        "UPDATE document SET scope_id = :scope_id, place = tenant_id || '_' || :scope_id"
        " || substr(place, length(tenant_id || '_' || :source) + 1), tokens = replace(tokens,"
        " ' ' || :sample || tenant_id || '_' || :source || '_', ' ' || :sample || tenant_id || '_' || :scope_id || '_')"
        " WHERE scope_id = :source",
        {"source": source, "scope_id": scope_id, "sample": SAMPLE},
    )
    for lane, target in lanes.items():
        tx.run(
            "UPDATE document SET session_id = :target WHERE session_id = :lane AND message_id IS NOT NULL",
            {"lane": lane, "target": target},
        )


def place(tenant_id: int, scope_id: int, kind: str, reader_id: int | None = None) -> str:
    """Return the word that all documents of a scope and kind have in the index; those for one person have another."""
    everybody = f"{tenant_id}_{scope_id}_{kind}"
    return everybody if reader_id is None else f"{everybody}_{reader_id}"


def search(
    tx: Tx,
    query: str,
    *,
    tenant_id: int,
    scopes: Sequence[int],
    kinds: Sequence[str],
    limit: int = 10,
    after: Millis = 0,
    before: Millis = FOREVER,
    reader_id: int | None = None,
    language: str = "",
    counts: Counts | None = None,
    encoder: Encoder | None = None,
    counted: Frequencies | None = None,
) -> list[Hit]:
    """Return the documents of these scopes and kinds that answer a question best, the best first.

    Only those from `after` on and before `before` are looked at. `reader_id` is who asks, and finds what is for them
    alone as well; `language` is what the question is probably in; what `counts` leaves out, as the question itself, is
    no candidate, and brings no neighbours in. With an `encoder`, or where the process uses one, documents that mean
    about what is asked are found as well. `counted` are the terms of the question in these places, where they were
    counted before.
    """
    places = [place(tenant_id, scope_id, kind) for scope_id in scopes for kind in kinds]
    if reader_id is not None:
        places += [place(tenant_id, scope_id, kind, reader_id) for scope_id in scopes for kind in kinds]
    weights = question.terms(query, language)
    if not places or not weights:
        return []
    wanted = Wanted(places=places, terms=weights, after=after, before=before)
    hits = _by_words(tx, counted or frequencies(tx, places, list(weights)), wanted, counts)
    encoder = encoder or vectors.in_use()
    if encoder is not None:
        nearest = _counting(vectors.nearest(tx, encoder, query, wanted), counts)
        hits = _fused((hits, [_hit(row, 0.0) for row in nearest]))
    return hits[:limit]


def _counting(rows: list[Row], counts: Counts | None) -> list[Row]:
    """Return the rows that count for whoever asks."""
    there = None if counts is None else counts([(row["kind"], row["owner_id"]) for row in rows])
    return [row for row in rows if there is None or (row["kind"], row["owner_id"]) in there]


def frequencies(tx: Tx, places: Sequence[str], terms: Sequence[str]) -> Frequencies:
    """Count the documents of these places, and those of them that have each term."""
    sample, *counts = (n * SAMPLED for n in tx.occurrences(places, terms, MOST_COUNTED, SAMPLE))
    frequent = {term: n for term, n in zip(terms, counts, strict=True) if n >= ESTIMATED}
    rare = [term for term in terms if term not in frequent]
    everything, *counts = tx.occurrences(places, rare, MOST_COUNTED)
    if everything == MOST_COUNTED:
        everything = max(everything, sample)
    estimated = {term: min(n, everything) for term, n in frequent.items()}
    return Frequencies(everything=everything, terms={**dict(zip(rare, counts, strict=True)), **estimated})


def _by_words(tx: Tx, counted: Frequencies, wanted: Wanted, counts: Counts | None) -> list[Hit]:
    """Return the documents that have terms that are wanted, the best first."""
    everything = counted.everything
    known = sorted((n, term) for term, n in counted.terms.items() if n)
    # That a text names some time or number makes it a better answer, and by itself none.
    leading = [(n, term) for n, term in known if term not in {marks.TIME, marks.NUMBER}]
    if not leading:
        return []
    # How rare each term is, never below zero: a word of every document still tells where it stands more often.
    idf = {term: wanted.terms[term] * math.log(1 + (everything - n + 0.5) / (n + 0.5)) for n, term in known}
    scanned = accumulate(n for n, _ in leading)
    rare = [
        term for total, (n, term) in zip(scanned, leading, strict=True) if total <= MOST_SCANNED and n < MOST_COUNTED
    ]
    terms = {term: idf[term] for term in rare or [leading[0][1]]}
    wanted = replace(wanted, terms=terms)
    candidates: list[Row] = []
    # Where many of the first do not count, others may that come after them.
    for most in (CANDIDATES,) if counts is None else (2 * CANDIDATES, 16 * CANDIDATES, MOST_SCANNED):
        looked_at = tx.candidates(wanted, most)
        candidates = _counting(looked_at, counts)[:CANDIDATES]
        if len(candidates) == CANDIDATES or len(looked_at) < most:
            break
    return _ranked(tx, candidates, wanted, idf)


_SIDE = (
    "COALESCE((SELECT b.position FROM document b WHERE b.session_id = c.session_id AND b.kind = c.kind"
    " AND b.position {than} c.position ORDER BY b.position {order} LIMIT 1 OFFSET {skip}),"
    " c.position {sign} 1000000000)"
)
# Neighbours of candidates, and theirs: the rows of a session between the fourth before and the fourth after each.
_AROUND = (
    "SELECT d.id, d.kind, d.owner_id, d.scope_id, d.session_id, d.position, d.at, d.place, d.tokens"
    " FROM (VALUES :rows) AS v JOIN document c ON c.id = v.column1 JOIN document d ON d.session_id = c.session_id"
    " AND d.kind = c.kind AND d.position BETWEEN "
    + _SIDE.format(than="<", order="DESC", skip=2 * BESIDE - 1, sign="-")
    + " AND "
    + _SIDE.format(than=">", order="ASC", skip=2 * BESIDE - 1, sign="+")
)


def _ranked(tx: Tx, candidates: Sequence[Row], wanted: Wanted, idf: Mapping[str, float]) -> list[Hit]:
    """Rank candidates and their neighbours, each with the words of its own neighbours."""
    around = tx.many(_AROUND, [(row["id"],) for row in candidates if row["session_id"] is not None])
    rows = {int(row["id"]): row for row in [*candidates, *around] if row["place"] in wanted.places}
    sessions: dict[object, list[Row]] = defaultdict(list)
    for row in sorted(rows.values(), key=lambda row: (row["position"], row["id"])):
        key = (row["kind"], row["session_id"]) if row["session_id"] is not None else row["id"]
        sessions[key].append(row)
    neighbours = {row["id"]: _neighbours(lines, n) for lines in sessions.values() for n, row in enumerate(lines)}
    chosen = dict.fromkeys(
        number for row in candidates for number in (row["id"], *(near["id"] for _, near in neighbours[row["id"]]))
    )
    ranked = [rows[number] for number in chosen if wanted.after <= rows[number]["at"] < wanted.before]
    if not ranked:
        return []
    words = {number: _words(row["tokens"].split(" "), idf) for number, row in rows.items()}
    weighed = [
        [(OWN, words[row["id"]][0]), *((weight, words[near["id"]][1]) for weight, near in neighbours[row["id"]])]
        for row in ranked
    ]
    # It loads numpy, which takes long, so it comes with the first search.
    scores = import_module("core.store.text_index.ranking").scores(weighed, idf)
    hits = []
    for row, score in zip(ranked, scores, strict=True):
        speaker, says, _ = row["tokens"].partition(f" {SAYS} ")
        # Of a talk it is mostly whoever a question names that tells the answer.
        named = bool(says) and not idf.keys().isdisjoint(speaker.split(" "))
        hits.append(_hit(row, score * NAMED if named else score))
    return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: (-hit.score, -hit.at, -hit.owner_id))


def _neighbours(lines: Sequence[Row], n: int) -> list[tuple[float, Row]]:
    """Return the neighbours of a line, with what their words weigh."""
    return [
        (NEIGHBOURS[abs(m - n) - 1], lines[m])
        for m in range(max(0, n - BESIDE), min(len(lines), n + BESIDE + 1))
        if m != n and abs(lines[m]["at"] - lines[n]["at"]) <= NEAR
    ]


def _words(tokens: list[str], idf: Mapping[str, float]) -> tuple[TermCounts, TermCounts]:
    """Return the words of a document with its speaker, and without."""
    whole = TermCounts(length=len(tokens), terms=Counter(token for token in tokens if token in idf))
    speaker = tokens.index(SAYS) if SAYS in tokens else 0
    if not speaker or idf.keys().isdisjoint(tokens[:speaker]):
        return whole, whole
    return whole, TermCounts(
        length=len(tokens) - speaker, terms=Counter(token for token in tokens[speaker:] if token in idf)
    )


def _hit(row: Row, score: float) -> Hit:
    return Hit(
        kind=row["kind"],
        owner_id=row["owner_id"],
        scope_id=row["scope_id"],
        at=row["at"],
        score=score,
        tokens=row["tokens"],
    )


def _fused(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Join rankings into one: what stands far ahead in one of them, or well in all, comes first (reciprocal ranks)."""
    scores: dict[tuple[str, int], float] = defaultdict(float)
    hits: dict[tuple[str, int], Hit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking):
            scores[hit.kind, hit.owner_id] += 1 / (AHEAD + rank)
            hits[hit.kind, hit.owner_id] = hit
    best = sorted(hits, key=lambda key: (-scores[key], -hits[key].at, -hits[key].owner_id))
    return [replace(hits[key], score=scores[key]) for key in best]
