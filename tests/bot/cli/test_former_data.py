"""Data of a former version: only a start brings them up to date. A look leaves them as they are and says what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bot.cli.typed import program
from core.store.sqlite.tables import reading
from tests.frozen.thawing import loaded, unpacked
from tests.operating import teller
from tests.postgres_server import PostgresServer

LOOKS = [
    ("status", "--check"),
    ("dead", "list"),
    ("ledger", "verify"),
    ("tool", "list"),
    ("export", "exports"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    unpacked(tmp_path, "telegram")
    return tmp_path / "data"


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    url = loaded(postgres_server.create(empty=True))
    yield url
    postgres_server.drop(url)


def newest(url: str) -> str:
    """The newest migration that a Postgres database has."""
    with psycopg.connect(url) as conn:
        [(name,)] = conn.execute("SELECT max(name) FROM migration")
    return str(name)


@pytest.mark.parametrize("args", LOOKS)
def test_a_look_leaves_data_of_a_former_version_as_they_are(data: Path, tmp_path: Path, args: tuple[str, ...]) -> None:
    before = (data / "teller.db").read_bytes()
    args = tuple(str(tmp_path / arg) if arg == "exports" else arg for arg in args)
    done = teller(data, *args)
    told = "The data are of a former version (0004_workspaces), and nothing has changed. Start the bot"
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr
    assert f"`{program()} run`" in done.stderr
    assert (data / "teller.db").read_bytes() == before
    assert not (data / "backups").exists()


def test_a_backup_of_data_of_a_former_version_is_a_copy_of_them_as_they_are(data: Path, tmp_path: Path) -> None:
    done = teller(data, "backup", str(tmp_path / "copy.db"))
    assert (done.returncode, done.stderr) == (0, "")
    assert not (data / "backups").exists()
    with reading(tmp_path / "copy.db") as copy, reading(data / "teller.db") as ours:
        assert [(name, copy.count(name)) for name in copy.names()] == [
            (name, ours.count(name)) for name in ours.names()
        ]
    assert teller(data, "restore", str(tmp_path / "copy.db")).returncode == 0
    assert "! not running" in teller(data, "status").stdout


def test_a_look_and_a_backup_leave_tables_of_a_former_version_in_postgres_as_they_are(
    data: Path, url: str, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    env = {"TELLER_DATABASE__URL": url}
    before = newest(url)
    done = teller(data, "status", env=env)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"The data are of a former version ({before})" in done.stderr
    assert newest(url) == before
    path = f"{postgres_server.programs}{os.pathsep}{os.environ['PATH']}"
    done = teller(data, "backup", "--no-files", str(tmp_path / "copy.dump"), env={**env, "PATH": path})
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "copy.dump").stat().st_size > 0
    assert newest(url) == before
    assert not (data / "backups").exists()
