"""Fixtures for all tests."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from core.ports import Clock, Database
from tests.databases import NAMES, Place, PostgresServer, build

PlaceMaker = Callable[[str], Place]
DatabaseMaker = Callable[..., Awaitable[Database]]


@pytest.fixture(autouse=True)
def loudness() -> Iterator[None]:
    """What a test sets the logs to ends with it: others look at them too."""
    root = logging.getLogger()
    before = root.level
    yield
    root.setLevel(before)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A Postgres that starts with its first use."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture
def make_place(postgres_server: PostgresServer, tmp_path: Path) -> Iterator[PlaceMaker]:
    """Give fresh places for databases of a kind; they vanish after the test."""
    places: list[Place] = []

    def make(name: str) -> Place:
        file = tmp_path / f"data-{len(places) + 1}" / "teller.db"
        places.append(Place(name, postgres_server.create() if name == "postgres" else str(file)))
        return places[-1]

    yield make
    for place in places:
        if place.name == "postgres":
            postgres_server.drop(place.where)


@pytest.fixture
async def make_database(make_place: PlaceMaker) -> AsyncIterator[DatabaseMaker]:
    """Open databases, `await make_database("sqlite")`: fresh, or the one at a place. They close after the test."""
    opened: list[Database] = []

    async def make(name: str, at: Place | None = None, clock: Clock | None = None) -> Database:
        database = build(at or make_place(name), clock)
        await database.open()
        opened.append(database)
        return database

    yield make
    for database in reversed(opened):
        await database.close()


@pytest.fixture(params=NAMES)
def place(request: pytest.FixtureRequest, make_place: PlaceMaker) -> Place:
    """Where the `database` of this test lives, once for each kind."""
    return make_place(str(request.param))


@pytest.fixture
async def database(place: Place, make_database: DatabaseMaker) -> Database:
    """An open database, once for each kind."""
    return await make_database(place.name, at=place)
