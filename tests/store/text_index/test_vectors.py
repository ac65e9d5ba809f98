"""Documents are found by what they mean, in their scope alone, and a vector lasts no longer than its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.kernel.ports import Database, Tx
from core.store.text_index import index, vectors
from core.store.text_index.index import Document
from tests.databases import prepare

MEANINGS = ({"purring", "whiskers"}, {"rowing", "oars"}, {"drizzle", "umbrella"})


class Dictionary:
    """Knows what a few words mean: a vector has a digit for each meaning."""

    def passages(self, texts: Sequence[str]) -> list[str]:
        return ["".join(str(int(bool(meaning & set(text.lower().split())))) for meaning in MEANINGS) for text in texts]

    def nearest(self, query: str, vectors: Sequence[str], limit: int) -> list[int]:
        (sought,) = self.passages([query])
        alike = [sum(a == b == "1" for a, b in zip(sought, vector, strict=True)) for vector in vectors]
        return [n for n in sorted(range(len(vectors)), key=lambda n: (-alike[n], n)) if alike[n]][:limit]


@pytest.fixture
async def db(database: Database) -> Database:
    await database.write(prepare)
    return database


def memory(n: int, text: str, scope: int = 1, **more: Any) -> Document:
    return Document(tenant_id=1, scope_id=scope, kind="memory", owner_id=n, text=text, at=more.pop("at", n), **more)


async def put(db: Database, *documents: Document) -> None:
    """Index documents, and give them vectors as the background does."""
    await db.write(lambda tx: index.add(tx, documents))
    texts = {document.owner_id: document.text for document in documents}

    def make(tx: Tx) -> None:
        rows = [row for row in vectors.missing(tx, ("memory",), 100) if row["owner_id"] in texts]
        made = Dictionary().passages([texts[row["owner_id"]] for row in rows])
        vectors.keep(tx, {row["id"]: (row["tokens"], vector) for row, vector in zip(rows, made, strict=True)})

    await db.write(make)


async def found(db: Database, query: str, *scopes: int, **more: Any) -> list[int]:
    def fn(tx: Tx) -> list[int]:
        hits = index.search(
            tx, query, tenant_id=1, scopes=scopes or (1,), kinds=("memory",), encoder=Dictionary(), **more
        )
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        return [hit.owner_id for hit in hits]

    return await db.read(fn)


async def waiting(db: Database) -> list[int]:
    return await db.read(lambda tx: [row["owner_id"] for row in vectors.missing(tx, ("memory",), 10)])


async def test_a_document_is_found_that_has_no_word_of_the_question(db: Database) -> None:
    await put(db, memory(1, "Our purring one is grey"), memory(2, "I go rowing"))
    assert await found(db, "oars") == [2]
    assert await db.read(lambda tx: index.search(tx, "oars", tenant_id=1, scopes=(1,), kinds=("memory",))) == []


async def test_what_both_rankings_find_comes_first(db: Database) -> None:
    await put(
        db, memory(1, "the umbrella"), memory(2, "drizzle tomorrow"), memory(3, "drizzle dance"), memory(4, "a dance")
    )
    assert (await found(db, "drizzle dance"))[0] == 3
    assert set(await found(db, "drizzle dance")) == {1, 2, 3, 4}


async def test_scopes_readers_and_times_are_apart(db: Database) -> None:
    await put(
        db,
        memory(1, "purring", at=1_000),
        memory(2, "purring", scope=2),
        memory(3, "purring", person_id=7, whispered=True, at=1_500),
        memory(4, "purring", at=2_000),
    )
    assert set(await found(db, "whiskers")) == {1, 4}
    assert set(await found(db, "whiskers", reader_id=7)) == {1, 3, 4}
    assert await found(db, "whiskers", 2) == [2]
    assert await found(db, "whiskers", after=1_200, before=3_000) == [4]
    assert await found(db, "whiskers", counts=lambda found: [one for one in found if one[1] != 4]) == [1]


async def test_a_changed_text_is_without_a_vector_until_it_gets_another(db: Database) -> None:
    await put(db, memory(1, "purring"))
    assert await waiting(db) == []
    await db.write(lambda tx: index.add(tx, [memory(1, "my rowing")]))
    assert await found(db, "whiskers") == []
    assert await waiting(db) == [1]
    await put(db, memory(1, "my rowing"))
    assert await found(db, "oars") == [1]


async def test_a_vector_of_a_text_that_was_changed_or_erased_meanwhile_is_not_kept(db: Database) -> None:
    await db.write(lambda tx: index.add(tx, [memory(1, "purring"), memory(2, "purring")]))
    rows = await db.read(lambda tx: vectors.missing(tx, ("memory",), 10))
    await db.write(lambda tx: index.add(tx, [memory(1, "drizzle")]))
    await db.write(lambda tx: index.remove(tx, "memory", [2]))
    await db.write(lambda tx: vectors.keep(tx, {row["id"]: (row["tokens"], "100") for row in rows}))
    assert await waiting(db) == [1]
    assert await found(db, "whiskers") == []


async def test_erasing_a_document_erases_its_vector(db: Database) -> None:
    await put(db, memory(1, "purring"), memory(2, "purring"))
    await db.write(lambda tx: index.remove(tx, "memory", [1]))
    assert await found(db, "whiskers") == [2]
    assert [row["n"] for row in await db.read(lambda tx: tx.all("SELECT count(vector) AS n FROM document"))] == [1]


async def test_a_text_of_which_there_is_no_vector_is_not_asked_for_again(db: Database) -> None:
    await db.write(lambda tx: index.add(tx, [memory(1, "purring")]))
    rows = await db.read(lambda tx: vectors.missing(tx, ("memory",), 10))
    await db.write(lambda tx: vectors.keep(tx, {row["id"]: (row["tokens"], "") for row in rows}))
    assert await waiting(db) == []
    assert await found(db, "whiskers") == []


async def test_a_scope_that_became_another_takes_its_vectors_along(db: Database) -> None:
    await put(db, memory(1, "purring"))
    await db.write(lambda tx: index.hand_over(tx, 1, 2, {}))
    assert await found(db, "whiskers", 2) == [1]
    assert await found(db, "whiskers", 1) == []
