"""Fixtures for all tests."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from core.kernel.ports import Clock, Database
from core.store.postgres import database as postgres
from core.toolkit.own_tools import loading
from tests import ground
from tests.databases import NAMES, Place, build, furnish
from tests.postgres_server import PostgresServer, WarmConnections

ground.prepare()
# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# One state of the code gets one verdict: the examples of `make test` are the same each time. `make fuzz` looks for new
# ones, and many; what it finds becomes a case of its own.
settings.register_profile("same", settings.get_profile("untimed"), derandomize=True)
settings.register_profile("wide", settings.get_profile("untimed"), max_examples=1_000)
settings.load_profile("same")

# Programs and their time, of which most is waiting: they also leave the processors to what computes, which comes after.
LONG = ("tests/test_ways.py", "tests/acceptance/", "tests/evals/", "tests/bot/cli/", "tests/bot/setup/")

PlaceMaker = Callable[[str], Place]
DatabaseMaker = Callable[..., Awaitable[Database]]


def pytest_xdist_auto_num_workers() -> int:
    """How many run tests at once: one more than there are processors, for some tests wait for time to pass."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Of what is made while tests are collected hardly a thing ends before they do: garbage is not looked for there."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, or one worker would be at it in the end while all others have nothing to do."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.fixture(autouse=True)
def loudness() -> Iterator[None]:
    """What a test sets the logs to ends with it: others look at them too."""
    root = logging.getLogger()
    before = root.level
    yield
    root.setLevel(before)


@pytest.fixture(scope="session", autouse=True)
def installed_packages() -> Iterator[None]:
    """What is installed stays so: to search all packages takes as long as many a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "entry_points", cache(entry_points))
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A Postgres that starts with its first use."""
    server = PostgresServer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres, "Connections", WarmConnections)
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
        place = at or make_place(name)
        if place.name != "postgres":
            await furnish(Path(place.where))
        database = build(place, clock)
        await database.open()
        opened.append(database)
        return database

    yield make
    for database in reversed(opened):
        await database.close()


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give `place` the databases that the nearest mark `databases` names, or both.

    A test earns Postgres by statements that no other one runs there, by what it does at the same time, or by a crash.
    """
    mark = metafunc.definition.get_closest_marker("databases")
    if mark is not None and "place" in metafunc.fixturenames:
        metafunc.definition.add_marker(pytest.mark.parametrize("place", mark.args, indirect=True))


@pytest.fixture(params=NAMES)
def place(request: pytest.FixtureRequest, make_place: PlaceMaker) -> Place:
    """Where the `database` of this test lives, once for each kind that the mark `databases` leaves."""
    return make_place(str(request.param))


@pytest.fixture
async def database(place: Place, make_database: DatabaseMaker) -> Database:
    """An open database, once for each kind."""
    return await make_database(place.name, at=place)
