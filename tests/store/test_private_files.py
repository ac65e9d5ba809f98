"""No file of the data folder is opened through a symbolic link; the folder itself may be one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.adapters.console.terminal import TerminalScreen
from bot.cli import offline
from bot.cli import socket as control
from bot.runtime import logfile
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError, StorageError
from core.store.files import Files
from core.store.sqlite.database import SqliteDatabase
from core.store.sqlite.disk_reserve import DiskReserve
from core.store.sqlite.inspect import look
from core.store.sqlite.restore import restoring
from core.toolkit.ledger.anchors import BEGUN, AnchorFile
from core.toolkit.ledger.ledger import load_key, read_key
from tests.fakes import config

SECRET = b"nobody's business"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A file that is not the bot's."""
    path = tmp_path / "elsewhere"
    path.write_bytes(SECRET)
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder that is reached through a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "real")
    return tmp_path / "data"


def content(path: Path) -> bytes:
    return path.read_bytes()


async def opened(path: Path) -> None:
    database = SqliteDatabase(path, SystemClock(), ballast_bytes=1)
    await database.open()
    await database.close()


@pytest.mark.parametrize("name", ["teller.db", "teller.db-wal", "teller.db-shm", "lock"])
async def test_no_file_of_the_database_may_be_a_link(data: Path, elsewhere: Path, name: str) -> None:
    await opened(data / "teller.db")
    (data / name).unlink(missing_ok=True)
    (data / name).symlink_to(elsewhere)
    with pytest.raises(StorageError):
        await opened(data / "teller.db")
    assert content(elsewhere) == SECRET


async def test_what_is_made_in_a_data_folder_that_is_a_link_works(data: Path) -> None:
    await opened(data / "teller.db")
    await opened(data / "teller.db")
    assert look(data / "teller.db", 5).checked
    assert load_key(data / "ledger.key") == read_key(data / "ledger.key")
    files = Files(data / "files")
    assert files.read(files.keep(1, 2, "a.txt", b"hello")) == b"hello"
    assert (files.of_scope(1), files.unlink(["1/2-a.txt"])) == (["1/2-a.txt"], 1)


async def test_a_database_behind_a_link_is_neither_looked_at_nor_kept_aside(
    data: Path, elsewhere: Path, tmp_path: Path
) -> None:
    await opened(tmp_path / "other" / "teller.db")
    (data / "teller.db").symlink_to(tmp_path / "other" / "teller.db")
    with pytest.raises(StorageError, match="symbolic link"):
        look(data / "teller.db", 5)
    (data / "teller.db").unlink()
    (data / "teller.db").symlink_to(elsewhere)
    (data / "teller.db-wal").symlink_to(elsewhere)
    with restoring(data / "teller.db", data, tmp_path / "other" / "teller.db") as (_, [aside]):
        pass
    assert sorted(path.name for path in aside.iterdir() if path.is_symlink()) == ["teller.db", "teller.db-wal"]
    assert not (data / "teller.db").is_symlink()
    (data / "ledger.anchor").symlink_to(elsewhere)
    with (
        pytest.raises(StorageError, match=r"symbolic link; put the real one there: .*/ledger\.anchor"),
        restoring(data / "teller.db", data, tmp_path / "other" / "teller.db"),
    ):
        pass
    assert [name for name in os.listdir(data) if name.startswith("replaced-")] == [aside.name]


def test_no_copy_is_written_into_a_folder_for_backups_that_is_a_link(data: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    asyncio.run(opened(data / "teller.db"))
    (data / "backups").symlink_to(tmp_path / "out")
    settings = config(data)
    with pytest.raises(StorageError, match="symbolic link"):
        offline.perform(settings, "backup", {})
    offline.restore(settings, data / "teller.db")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_reserve_is_a_file_of_its_own(data: Path, elsewhere: Path) -> None:
    (data / "ballast").symlink_to(elsewhere)
    disk_reserve = DiskReserve(data / "ballast", 10)
    disk_reserve.load()
    assert (disk_reserve.has_room(), elsewhere.read_bytes()) == (True, SECRET)


def test_the_ledgers_key_is_read_through_no_link(data: Path, tmp_path: Path) -> None:
    key = load_key(tmp_path / "ledger.key")
    (data / "ledger.key").symlink_to(tmp_path / "ledger.key")
    for read in (load_key, read_key):
        with pytest.raises(ConfigError, match="symbolic link"):
            read(data / "ledger.key")
    (data / "ledger.key").unlink()
    (data / "ledger.key").symlink_to(tmp_path / "nothing")
    with pytest.raises(ConfigError, match="symbolic link"):
        load_key(data / "ledger.key")
    (data / "ledger.key").unlink()
    (data / "ledger.key.new").symlink_to(tmp_path / "ledger.key")
    with pytest.raises(ConfigError, match="symbolic link"):
        load_key(data / "ledger.key")
    assert read_key(tmp_path / "ledger.key") == key


def test_anchors_are_neither_written_nor_read_through_a_link(data: Path, elsewhere: Path) -> None:
    (data / "ledger.anchor").symlink_to(elsewhere)
    anchors, problems = AnchorFile(data / "ledger.anchor", b"key"), list[str]()
    with pytest.raises(OSError, match="symbolic link"):
        anchors.append([BEGUN], 1)
    assert (anchors.read(problems), anchors.last_at()) == ({}, None)
    assert problems == ["the anchor file cannot be read: it is a symbolic link; put the real one there"]
    assert elsewhere.read_bytes() == SECRET


def keep(files: Files) -> object:
    return files.keep(1, 2, "a.txt", b"hello")


def read(files: Files) -> object:
    return files.read("1/2-a.txt")


@pytest.mark.parametrize(
    ("act", "step"),
    [
        *((keep, step) for step in ("files", "files/1", "files/1/2-a.txt", "files/1/2.part")),
        *((read, step) for step in ("files", "files/1", "files/1/2-a.txt")),
    ],
)
def test_no_step_to_a_persons_file_may_be_a_link(
    data: Path, tmp_path: Path, act: Callable[[Files], object], step: str
) -> None:
    files, outside = Files(data / "files"), Files(tmp_path / "outside")
    outside.keep(1, 2, "a.txt", SECRET)
    (data / step).parent.mkdir(parents=True, exist_ok=True)
    (data / step).symlink_to(tmp_path / "outside" / step.removeprefix("files").lstrip("/"))
    if (act, step) == (keep, "files/1/2-a.txt"):
        # It takes the place of the link.
        act(files)
        assert not (data / step).is_symlink()
    else:
        with pytest.raises(OSError, match=r"symbolic link|exists"):
            act(files)
    assert outside.read("1/2-a.txt") == SECRET


def test_nothing_is_deleted_through_a_link(data: Path, tmp_path: Path) -> None:
    outside = Files(tmp_path / "outside")
    path = outside.keep(1, 2, "a.txt", SECRET)
    (data / "files").symlink_to(tmp_path / "outside")
    files = Files(data / "files")
    assert (files.unlink([path]), files.of_scope(1), outside.read(path)) == (0, [], SECRET)


def test_the_log_is_written_through_no_link(data: Path, elsewhere: Path) -> None:
    (data / logfile.NAME).symlink_to(elsewhere)
    with pytest.raises(StorageError, match="symbolic link"):
        logfile.configure(config(data), to_file=True)
    assert elsewhere.read_bytes() == SECRET


def test_the_history_of_a_terminal_is_kept_through_no_link(data: Path, elsewhere: Path) -> None:
    (data / "console_history").symlink_to(elsewhere)
    with (
        open(os.devnull) as nothing,
        open(os.devnull, "w") as nowhere,
        pytest.raises(OSError, match="symbolic link"),
        TerminalScreen(nothing, nowhere, data / "console_history").opened(),
    ):
        raise AssertionError("it was opened")


async def test_no_bot_is_asked_through_a_link(data: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()

    async def answer(*_: object) -> str:
        return "from elsewhere"

    async with control.serving(tmp_path / "other", answer):
        (data / control.NAME).symlink_to(tmp_path / "other" / control.NAME)
        with pytest.raises(control.NotRunning):
            control.ask(data, "status", {}, 1)
