"""Search in documents that are given, by the code that serves history and memories: to measure it, or for a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.kernel.types import Millis
from core.store.sqlite.temporary import temporary
from core.store.text_index import index, vectors
from core.store.text_index.index import Document
from core.store.text_index.vectors import Encoder

_TENANT, _SCOPE, _KIND = 1, 1, "document"
_AT_ONCE = 500


def build(docs: Sequence[Mapping[str, Any]], encoder: Encoder | None = None) -> Callable[[str, int], list[Any]]:
    """Return a search in documents: a question and how many answers are wanted, to the ids of the best, the best first.

    A document has `id` and `text`, and may have `speaker`, `time` (an ISO text, seconds or a datetime) and `session`:
    those of one session are neighbours, in the order in which they are given. With an `encoder` they are found by what
    they mean as well.
    """
    tx = temporary()
    sessions: dict[Any, int] = {}
    documents = [
        Document(
            tenant_id=_TENANT,
            scope_id=_SCOPE,
            kind=_KIND,
            owner_id=n,
            text=str(doc["text"]),
            at=_instant(doc.get("time")),
            speaker=str(doc.get("speaker") or ""),
            session_id=None if doc.get("session") is None else sessions.setdefault(doc["session"], len(sessions) + 1),
            position=n,
        )
        for n, doc in enumerate(docs)
    ]
    tx.run("BEGIN")
    for begin in range(0, len(documents), _AT_ONCE):
        index.add(tx, documents[begin : begin + _AT_ONCE])
    while encoder is not None and (rows := vectors.missing(tx, (_KIND,), _AT_ONCE)):
        made = encoder.passages([documents[row["owner_id"]].text[: vectors.LONGEST] for row in rows])
        vectors.keep(tx, {row["id"]: (row["tokens"], vector) for row, vector in zip(rows, made, strict=True)})
    tx.run("COMMIT")

    def search(query: str, k: int) -> list[Any]:
        hits = index.search(tx, query, tenant_id=_TENANT, scopes=(_SCOPE,), kinds=(_KIND,), limit=k, encoder=encoder)
        return [docs[hit.owner_id]["id"] for hit in hits]

    return search


def _instant(time: Any) -> Millis:
    """Return a time as an instant; 0 where nothing can be made of it."""
    try:
        if isinstance(time, str):
            time = datetime.fromisoformat(time)
        return round((time.timestamp() if isinstance(time, datetime) else float(time or 0)) * 1000)
    except (ValueError, TypeError, OverflowError):
        return 0
