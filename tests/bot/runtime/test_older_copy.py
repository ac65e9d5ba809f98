"""A database that went back to an older state, by whatever way, sends nothing twice without a word."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from bot.config.config import Config
from bot.config.sections import DatabaseSection
from bot.runtime.wiring import opened
from core.kernel.clock import SystemClock
from core.kernel.ports import Tx
from core.toolkit.ledger.ledger import Ledger, load_key
from tests.conftest import PlaceMaker
from tests.operating import NOW, act, answer, lane
from tests.postgres_server import PostgresServer


class Bot:
    """One that is started, does something that the ledger tells, and ends."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.ledger = Ledger(load_key(config.data_dir / "ledger.key"), config.data_dir / "ledger.anchor")

    async def run(self, *waiting: str) -> dict[str, int]:
        """Return what waits at its start, and whether each is marked as a possible repeat; more waits at its end."""
        async with opened(self.config, SystemClock()) as db:
            found = await db.read(marks)
            for key in waiting:
                await db.write(partial(answer, key=key, ended_at=None, state="new"))
            await db.write(lambda tx: self.ledger.append(tx, act(lane(tx))))
            await db.read(lambda tx: self.ledger.anchor(tx, NOW))
        return found


def marks(tx: Tx) -> dict[str, int]:
    rows = tx.all("SELECT message_key, repeated FROM outbox WHERE state = 'new' ORDER BY id")
    return {row["message_key"]: row["repeated"] for row in rows}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.mark.databases("postgres")
async def test_what_waits_in_a_restored_postgres_database_is_marked_once(
    postgres_server: PostgresServer, make_place: PlaceMaker, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(postgres_server.programs), prepend=os.pathsep)
    url, dump = make_place("postgres").where, data / "copy.dump"
    config = Config(data_dir=data, database=DatabaseSection(url=url))
    await Bot(config).run("sent since")
    async with opened(config, SystemClock()) as db:
        await db.backup(str(dump))
    assert await Bot(config).run() == {"sent since": 0}
    restore = ["pg_restore", "--clean", "--if-exists", "--single-transaction", f"--dbname={url}", str(dump)]
    await asyncio.to_thread(subprocess.run, restore, check=True, capture_output=True)
    assert await Bot(config).run("new") == {"sent since": 1}
    assert await Bot(config).run() == {"sent since": 1, "new": 0}


@pytest.mark.databases("sqlite")
async def test_what_waits_in_a_copy_that_was_put_back_by_hand_is_marked_once(data: Path) -> None:
    config = Config(data_dir=data)
    await Bot(config).run("sent since")
    shutil.copy(data / "teller.db", data / "copy.db")
    assert await Bot(config).run() == {"sent since": 0}
    shutil.copy(data / "copy.db", data / "teller.db")
    assert await Bot(config).run("new") == {"sent since": 1}
    assert await Bot(config).run() == {"sent since": 1, "new": 0}


@pytest.mark.databases("sqlite")
async def test_what_waits_in_a_database_that_came_without_its_anchors_is_marked(data: Path) -> None:
    config = Config(data_dir=data)
    await Bot(config).run("perhaps sent")
    (data / "ledger.anchor").unlink()
    assert await Bot(config).run() == {"perhaps sent": 1}
