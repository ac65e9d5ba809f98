"""Documents are found by their words, in their scope alone, and leave nothing when they go."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database, Tx
from core.store.text_index import index
from core.store.text_index.index import Document
from tests.conftest import DatabaseMaker
from tests.databases import Place, prepare

HOUR = 3_600_000


@pytest.fixture
async def db(database: Database) -> Database:
    await database.write(prepare)
    return database


def memory(n: int, text: str, scope: int = 1, **more: Any) -> Document:
    return Document(tenant_id=1, scope_id=scope, kind="memory", owner_id=n, text=text, at=more.pop("at", n), **more)


async def put(db: Database, *documents: Document) -> None:
    await db.write(lambda tx: index.add(tx, documents))


async def found(db: Database, query: str, *scopes: int, **more: Any) -> list[int]:
    def fn(tx: Tx) -> list[int]:
        hits = index.search(tx, query, tenant_id=1, scopes=scopes or (1,), kinds=("memory",), **more)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        return [hit.owner_id for hit in hits]

    return await db.read(fn)


async def test_a_document_is_found_by_its_words_in_any_form(db: Database) -> None:
    await put(db, memory(1, "The cats were running"), memory(2, "Ein Gespräch mit Oma"), memory(3, "下周三去上海"))
    assert await found(db, "a cat runs") == [1]
    assert await found(db, "Gespräche") == [2]
    assert await found(db, "GESPRÄCH") == [2]
    assert await found(db, "上海") == [3]
    assert await found(db, "dog") == []
    assert await found(db, "Mein Haustier? My pet!") == [1]


@pytest.mark.parametrize("query", ["", "?!", "the", '"', "a AND NOT (b", "tokens : *", "x' | !y", "\0", "❤️", "-1"])
async def test_what_has_no_words_or_looks_like_a_query_language_finds_nothing(db: Database, query: str) -> None:
    await put(db, memory(1, "cake"))
    assert await found(db, query) == []


async def test_the_best_comes_first(db: Database) -> None:
    await put(
        db,
        memory(1, "I like tea"),
        memory(2, "I like cake and tea"),
        memory(3, "I like coffee"),
        memory(4, "I like swimming"),
    )
    assert (await found(db, "cake and tea"))[:2] == [2, 1]


async def test_a_single_document_is_found_although_every_document_has_the_word(db: Database) -> None:
    await put(db, memory(1, "cake"))
    assert await found(db, "cake") == [1]


async def test_scopes_and_kinds_are_apart(db: Database) -> None:
    await put(db, memory(1, "cake"), memory(2, "cake", scope=2), memory(12, "cake", scope=3))
    assert await found(db, "cake", 1) == [1]
    assert set(await found(db, "cake", 1, 2)) == {1, 2}
    other = await db.read(lambda tx: index.search(tx, "cake", tenant_id=1, scopes=(1,), kinds=("file",)))
    assert other == []
    assert await db.read(lambda tx: index.search(tx, "cake", tenant_id=2, scopes=(1,), kinds=("memory",))) == []


async def test_what_others_have_changes_no_score(db: Database) -> None:
    await put(db, memory(1, "cake and tea"), memory(2, "cake and coffee"), memory(3, "beer"))

    def scores(tx: Tx) -> list[float]:
        return [hit.score for hit in index.search(tx, "cake tea", tenant_id=1, scopes=(1,), kinds=("memory",))]

    before = await db.read(scores)
    await put(db, *(memory(n, "tea", scope=2) for n in range(100, 150)))
    assert await db.read(scores) == before


async def test_only_who_it_was_whispered_to_finds_it(db: Database) -> None:
    await put(db, memory(1, "cake", person_id=7, whispered=True, session_id=4, position=1))
    await put(db, memory(2, "When?", person_id=8, session_id=4, position=2), memory(3, "cake", person_id=8))
    assert await found(db, "cake") == [3]
    assert await found(db, "cake", reader_id=8) == [3]
    assert 1 in await found(db, "cake", reader_id=7)


async def test_the_time_is_looked_at_before_the_best_are_cut_off(db: Database) -> None:
    await put(db, *(memory(n, "cake " * (1 + n % 3), at=n * HOUR) for n in range(1, 200)))
    assert set(await found(db, "cake", after=3 * HOUR, before=5 * HOUR)) == {3, 4}


async def test_an_answer_is_found_by_the_words_of_its_question(db: Database) -> None:
    lines = ["Nice weather", "Who brings the cake?", "Me, of course!", "Great", "See you", "Bye", "Hello", "Well"]
    await put(db, *(memory(n, line, session_id=9, position=10 * n) for n, line in enumerate(lines, 1)))
    assert (await found(db, "cake"))[0] == 2
    assert set(await found(db, "cake")) == {1, 2, 3, 4}


async def test_what_does_not_count_brings_nothing_in_and_a_time_alone_answers_nothing(db: Database) -> None:
    lines = ["We meet at 5 pm", "When did we see the unicorn?", "Nice weather"]
    await put(db, *(memory(n, line, session_id=9, position=n) for n, line in enumerate(lines, 1)))
    assert set(await found(db, "when did we see the unicorn?")) == {1, 2, 3}
    assert (
        await found(db, "when did we see the unicorn?", counts=lambda rows: [one for one in rows if one[1] != 2]) == []
    )


async def test_neighbours_are_near_in_time_and_of_one_session(db: Database) -> None:
    await put(
        db,
        memory(1, "cake", session_id=1, position=1, at=0),
        memory(2, "yes", session_id=1, position=2, at=10 * HOUR),
        memory(3, "no", session_id=2, position=2, at=0),
        memory(4, "never", at=0),
    )
    assert await found(db, "cake") == [1]


async def test_a_new_text_takes_the_place_of_the_old_one(db: Database) -> None:
    await put(db, memory(1, "cake"))
    await put(db, memory(1, "bread"))
    assert (await found(db, "cake"), await found(db, "bread")) == ([], [1])
    await put(db, memory(1, "…"))
    assert await found(db, "bread") == []


async def test_what_is_removed_is_not_found(db: Database) -> None:
    await put(db, memory(1, "cake"), memory(2, "cake"))
    await db.write(lambda tx: index.remove(tx, "memory", [1, 5]))
    assert await found(db, "cake") == [2]


async def test_a_scope_that_became_another_takes_its_documents_along(db: Database) -> None:
    await put(db, memory(1, "cake"), memory(2, "cake", person_id=3, whispered=True))
    await db.write(lambda tx: index.hand_over(tx, 1, 2, {}))
    assert await found(db, "cake", 1) == []
    assert set(await found(db, "cake", 2, reader_id=3)) == {1, 2}


async def test_how_frequent_a_word_is_among_very_many_documents_is_told_by_a_sample(db: Database) -> None:
    await put(db, *(memory(n, "cake" if n % 2 else "cake tea") for n in range(1, 6_001)))
    await put(db, *(memory(n, "coffee", scope=2) for n in range(7_001, 7_008)))
    await db.write(lambda tx: index.hand_over(tx, 1, 3, {}))
    terms = ("cake", "tea", "coffe", "juic")
    many = await db.read(lambda tx: index.frequencies(tx, ["1_3_memory"], terms))
    assert 5_700 < many.everything < 6_300
    assert many.terms["cake"] == many.everything
    assert 2_700 < many.terms["tea"] < 3_300
    assert (many.terms["coffe"], many.terms["juic"]) == (0, 0)
    few = await db.read(lambda tx: index.frequencies(tx, ["1_2_memory"], ("coffe", "tea")))
    assert (few.everything, few.terms) == (7, {"coffe": 7, "tea": 0})


@pytest.mark.databases("sqlite")
async def test_both_databases_find_the_same_for_the_same_words(make_database: DatabaseMaker) -> None:
    chance = random.Random(11)
    words = [
        "cake",
        "tea",
        "Gespräch",
        "上海",
        "数据库",
        "ran",
        "runs",
        "Ω",
        "مرحبا",
        "naïve",
        "10:30",
        "o'clock",
        "mother",
        "dad",
        "May",
        "2024",
        "|",
        "_time",
        "'",
        '"',
        "&",
        "!",
    ]
    texts = [" ".join(chance.choices(words, k=chance.randint(1, 9))) for _ in range(25)]
    documents = [memory(n, text, session_id=n % 3 or None, position=n) for n, text in enumerate(texts)]
    questions = [" ".join(chance.choices(words, k=chance.randint(1, 4))) for _ in range(40)]
    answers = []
    for name in ("sqlite", "postgres"):
        db = await make_database(name)
        await db.write(prepare)
        await put(db, *documents)
        answers.append([await found(db, question, limit=30) for question in questions])
    assert answers[0] == answers[1]
    assert sum(map(bool, answers[0])) > 30


@pytest.mark.databases("sqlite")
async def test_nothing_is_left_in_the_file(make_database: DatabaseMaker, place: Place) -> None:
    """Also of words that stood in the index with many others, whose segments were merged."""
    db = await make_database("sqlite", at=place)
    await db.write(prepare)
    for n in range(300):
        await put(db, memory(n, f"canary{n} tea xylophone{n % 7}"))
    await db.write(lambda tx: index.remove(tx, "memory", range(300)))
    await db.write(lambda tx: tx.scrub())
    files = b"".join(path.read_bytes() for path in Path(place.where).parent.iterdir() if path.is_file())
    assert b"canary" not in files
    assert b"xylophone" not in files
