"""A restore is done whole or not at all, wherever it is cut off, and says what it did."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from bot.cli import offline
from bot.cli.typed import program
from bot.config.config import Config
from bot.config.sections import DatabaseSection
from tests.operating import teller

pytestmark = pytest.mark.databases("sqlite")

COMMITTED_LAST = "SELECT text FROM inbox ORDER BY id DESC LIMIT 1"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def backup(data: Path, tmp_path: Path) -> Path:
    """A backup with a file, whose answer waits to be sent. Since then the bot has gone on, and was killed."""
    copy = tmp_path / "copy.db"
    teller(data, "chat", stdin="echo one\n")
    keep(data, "1-a.jpg", "then")
    assert teller(data, "backup", str(copy)).returncode == 0
    change(copy, "UPDATE outbox SET state = 'new', ended_at = NULL")
    teller(data, "chat", stdin="echo two\n")
    (data / "files" / "1" / "1-a.jpg").unlink()
    keep(data, "2-b.jpg", "since")
    commit = f"import os, sqlite3; c = sqlite3.connect({str(data / 'teller.db')!r});"
    commit += "c.execute(\"UPDATE inbox SET text = 'committed last'\"); c.commit(); os._exit(0)"
    subprocess.run([sys.executable, "-c", commit], check=True)
    assert (data / "teller.db-wal").stat().st_size
    return copy


def keep(data: Path, name: str, content: str) -> None:
    (data / "files" / "1").mkdir(parents=True, exist_ok=True)
    (data / "files" / "1" / name).write_text(content, encoding="utf-8")


def change(database: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(database)) as conn, conn:
        return conn.execute(sql).fetchall()


def cut_off(data: Path, backup: Path, *, after: int) -> bool:
    """Restore, and die before something is renamed once more than so often; return whether it came to that."""
    rename, done = os.rename, count()

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:

        def dying(source: Path, target: Path) -> None:
            if next(done) >= after:
                # Nor is anything tidied up.
                patch.setattr(shutil, "rmtree", killed)
                raise Killed
            rename(source, target)

        patch.setattr(os, "rename", dying)
        try:
            offline.restore(Config(data_dir=data), backup)
        except Killed:
            return True
    return False


def state(data: Path) -> tuple[str, list[str]]:
    """What was committed last, and the names of the files."""
    [(text,)] = change(data / "teller.db", COMMITTED_LAST)
    return str(text), sorted(path.name for path in (data / "files").rglob("*") if path.is_file())


def test_a_restore_cut_off_at_any_step_is_done_whole_or_not_at_all_at_the_next_start(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    before, after = ("committed last", ["2-b.jpg"]), ("echo one", ["1-a.jpg"])
    ends = []
    for step in range(20):
        cut = tmp_path / f"cut-{step}"
        shutil.copytree(data, cut)
        was_cut_off = cut_off(cut, backup, after=step)
        assert offline.perform(Config(data_dir=cut), "ledger.verify", {})["problems"] == []
        ends.append(state(cut))
        assert not list(cut.glob("*restoring*"))
        if ends[-1] == after:
            assert change(cut / "teller.db", "SELECT DISTINCT state, repeated FROM outbox") == [("new", 1)]
            [aside] = (cut / "backups").glob("replaced-*")
            assert state(aside) == before
        if not was_cut_off:
            break
    assert (was_cut_off, ends[0], ends[-1]) == (False, before, after)
    assert ends == sorted(ends, key=[before, after].index)
    assert len(ends) > 5


def test_a_bot_that_starts_after_a_cut_off_restore_sends_what_waited_with_its_mark(data: Path, backup: Path) -> None:
    assert cut_off(data, backup, after=4)
    said = teller(data, "chat", stdin="echo three\n").stdout
    assert "↻ Possibly a repeat" in said
    assert said.endswith("teller> three\n")


def test_the_way_back_from_a_restore_brings_back_the_last_commits_and_files(data: Path, backup: Path) -> None:
    assert teller(data, "restore", str(backup)).returncode == 0
    assert state(data) == ("echo one", ["1-a.jpg"])
    teller(data, "chat", stdin="echo three\n")
    [aside] = (data / "backups").glob("replaced-*")
    done = teller(data, "restore", str(aside / "teller.db"))
    assert (done.returncode, f"1 files of {aside} are there" in done.stdout) == (0, True)
    assert state(data) == ("committed last", ["2-b.jpg"])
    assert state(aside) == ("committed last", ["2-b.jpg"])
    assert teller(data, "ledger", "verify").returncode == 0


def test_only_what_a_restore_moved_aside_brings_the_files_that_lie_beside_it(data: Path, tmp_path: Path) -> None:
    teller(data, "chat", stdin="echo one\n")
    keep(data, "1-a.jpg", "of the bot")
    copy = tmp_path / "elsewhere" / "copy.db"
    offline.perform(Config(data_dir=data), "backup", {"path": str(copy), "files": False})
    keep(copy.parent, "private.jpg", "of the operator")
    told = offline.restore(Config(data_dir=data), copy)
    assert "No files belong to it: those that are there stay." in told
    assert [path.name for path in (data / "files").rglob("*.jpg")] == ["1-a.jpg"]


def test_files_that_lie_on_another_disk_than_the_database_are_put_back(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, copy, rename = tmp_path / "other", tmp_path / "copy.db", os.rename
    url = f"sqlite:///{other}/teller.db"
    teller(data, "chat", stdin="echo one\n", env={"TELLER_DATABASE__URL": url})
    keep(data, "1-a.jpg", "then")
    config = Config(data_dir=data, database=DatabaseSection(url=url))
    offline.perform(config, "backup", {"path": str(copy)})
    keep(data, "1-a.jpg", "now")

    def within_a_disk(source: Path, target: Path) -> None:
        if (other in Path(source).parents) != (other in Path(target).parents):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(source))
        rename(source, target)

    monkeypatch.setattr(os, "rename", within_a_disk)
    told = offline.restore(config, copy)
    assert (data / "files" / "1" / "1-a.jpg").read_text(encoding="utf-8") == "then"
    [database], [kept] = (other / "backups").glob("replaced-*"), (data / "backups").glob("replaced-*")
    assert (kept / "files" / "1" / "1-a.jpg").read_text(encoding="utf-8") == "now"
    assert (database / "teller.db").is_file()
    assert told.endswith(f"What was there is in {database} and {kept}.")


def test_a_backup_is_not_restored_under_another_installations_key(data: Path, backup: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    teller(new, "chat", stdin="echo hello\n")
    refused = teller(new, "restore", str(backup))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"was not written with the ledger's key {new}/ledger.key" in refused.stderr
    assert change(new / "teller.db", COMMITTED_LAST) == [("echo hello",)]
    assert not list((new / "backups").glob("replaced-*"))
    wrong = (new / "ledger.key").read_bytes()
    shutil.copy(data / "ledger.key", new / "ledger.key")
    assert teller(new, "restore", str(backup)).returncode == 0
    assert "is intact: 2 rows" in teller(new, "ledger", "verify").stdout
    # Where the right one is lost it has to be said.
    (new / "ledger.key").write_bytes(wrong)
    done = teller(new, "restore", "--lost-key", str(backup))
    assert (done.returncode, f"`{program()} ledger verify` finds problems" in done.stdout) == (0, True)
