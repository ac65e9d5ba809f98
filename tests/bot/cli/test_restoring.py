"""A restore is done whole or not at all, wherever it is cut off, and says what it did."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from bot.cli import offline
from bot.cli.typed import program
from bot.config.config import Config
from bot.config.sections import DatabaseSection
from core.kernel.errors import StorageError
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


def cut_off(config: Config, backup: Path, *, before: Callable[[Path, Path], bool]) -> bool:
    """Restore, and die before a rename for which that holds; return whether it came to that."""
    rename = os.rename

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:

        def dying(source: Path, target: Path) -> None:
            if before(Path(source), Path(target)):
                # Nor is anything tidied up.
                patch.setattr(shutil, "rmtree", killed)
                patch.setattr(os, "rename", killed)
                raise Killed
            rename(source, target)

        patch.setattr(os, "rename", dying)
        try:
            offline.restore(config, backup)
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
    for step in range(30):
        cut = tmp_path / f"cut-{step}"
        shutil.copytree(data, cut)
        done = count()
        was_cut_off = cut_off(Config(data_dir=cut), backup, before=lambda *_, done=done, step=step: next(done) >= step)
        assert offline.perform(Config(data_dir=cut), "ledger.verify", {})["problems"] == []
        ends.append(state(cut))
        assert not list(cut.glob("*restoring*"))
        if ends[-1] == after:
            assert change(cut / "teller.db", "SELECT DISTINCT state, repeated FROM outbox") == [("new", 1)]
            [aside] = cut.glob("replaced-*")
            assert state(aside) == before
        if not was_cut_off:
            break
    assert (was_cut_off, ends[0], ends[-1]) == (False, before, after)
    assert ends == sorted(ends, key=[before, after].index)
    assert len(ends) > 5


def test_a_bot_that_starts_after_a_cut_off_restore_sends_what_waited_with_its_mark(data: Path, backup: Path) -> None:
    assert cut_off(Config(data_dir=data), backup, before=lambda _, target: target == data / "teller.db")
    said = teller(data, "chat", stdin="echo three\n").stdout
    assert "↻ Possibly a repeat" in said
    assert said.endswith("teller> three\n")


def test_the_way_back_from_a_restore_brings_back_the_last_commits_and_files(data: Path, backup: Path) -> None:
    assert teller(data, "restore", str(backup)).returncode == 0
    assert state(data) == ("echo one", ["1-a.jpg"])
    teller(data, "chat", stdin="echo three\n")
    [aside] = data.glob("replaced-*")
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
    assert f"No files belong to it (there is no {copy}.files.tar): those that are there stay." in told
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
    [database], [kept] = other.glob("replaced-*"), data.glob("replaced-*")
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
    assert not list(new.glob("replaced-*"))
    wrong = (new / "ledger.key").read_bytes()
    shutil.copy(data / "ledger.key", new / "ledger.key")
    assert teller(new, "restore", str(backup)).returncode == 0
    assert "is intact: 2 rows" in teller(new, "ledger", "verify").stdout
    # Where the right one is lost it has to be said.
    (new / "ledger.key").write_bytes(wrong)
    done = teller(new, "restore", "--lost-key", str(backup))
    assert (done.returncode, f"`{program()} ledger verify` finds problems" in done.stdout) == (0, True)


def test_a_rollback_journal_beside_the_old_database_goes_aside_with_it(data: Path, backup: Path) -> None:
    teller(data, "chat", stdin="echo three\n")
    half = f"import os, sqlite3; c = sqlite3.connect({str(data / 'teller.db')!r}, isolation_level=None);"
    half += "c.execute('PRAGMA journal_mode = DELETE'); c.execute('PRAGMA cache_size = 1');"
    half += "c.execute('CREATE TABLE large AS SELECT randomblob(900000) AS blob'); c.execute('BEGIN');"
    half += "c.execute('UPDATE large SET blob = randomblob(900000)');"
    half += "c.execute(\"UPDATE inbox SET text = 'half done'\"); os._exit(0)"
    subprocess.run([sys.executable, "-c", half], check=True)
    assert (data / "teller.db-journal").stat().st_size
    offline.restore(Config(data_dir=data), backup)
    size = (data / "teller.db").stat().st_size
    assert change(data / "teller.db", "PRAGMA integrity_check") == [("ok",)]
    assert (state(data), (data / "teller.db").stat().st_size) == (("echo one", ["1-a.jpg"]), size)
    [aside] = data.glob("replaced-*")
    told = offline.restore(Config(data_dir=data), aside / "teller.db")
    assert state(data) == ("echo three", ["2-b.jpg"]), told
    assert change(data / "teller.db", "PRAGMA integrity_check") == [("ok",)]


def failing(at: Path, code: int, *, aside: bool) -> pytest.MonkeyPatch:
    """Let nothing be moved away from a place: at all, or only `aside`."""
    patch, rename = pytest.MonkeyPatch(), os.rename

    def refusing(source: Path, target: Path) -> None:
        if Path(source) == at and (not aside or Path(target).parent.name.startswith("replaced-")):
            raise OSError(code, os.strerror(code), str(source))
        rename(source, target)

    patch.setattr(os, "rename", refusing)
    return patch


@pytest.mark.parametrize("code", [errno.EXDEV, errno.EBUSY, errno.EACCES])
@pytest.mark.parametrize("name", ["files", "teller.db"])
def test_a_restore_that_cannot_be_done_is_refused_before_anything_changes(
    data: Path, backup: Path, name: str, code: int
) -> None:
    patch = failing(data / name, code, aside=False)
    with pytest.raises(StorageError, match=f"{data / name} cannot be moved aside .*Nothing has changed"):
        offline.restore(Config(data_dir=data), backup)
    patch.undo()
    assert state(data) == ("committed last", ["2-b.jpg"])
    assert not [*data.glob("*restoring*"), *data.glob("replaced-*")]
    assert teller(data, "chat", stdin="echo three\n").stdout == "teller> three\n"


@pytest.mark.parametrize("name", ["ledger.anchor", "teller.db", "teller.db-wal"])
def test_a_restore_over_a_file_that_is_mounted_is_refused_before_anything_changes(
    data: Path, backup: Path, name: str
) -> None:
    patch, link = pytest.MonkeyPatch(), os.link

    def mounted(source: Path, target: Path, **options: bool) -> None:
        """Say what Linux says of a file that is mounted; a rename onto a folder says EISDIR there as of any file."""
        if Path(source) == data / name:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(source))
        link(source, target, **options)

    patch.setattr(os, "link", mounted)
    before = sorted(path.name for path in data.iterdir())
    with pytest.raises(StorageError, match=f"{data / name} cannot be moved aside .*Nothing has changed"):
        offline.restore(Config(data_dir=data), backup)
    patch.undo()
    assert sorted(path.name for path in data.iterdir()) == before
    assert state(data) == ("committed last", ["2-b.jpg"])


def test_a_restore_of_which_nothing_could_be_exchanged_is_given_up_and_stops_no_start(data: Path, backup: Path) -> None:
    patch = failing(data / "teller.db-shm", errno.EIO, aside=True)
    with pytest.raises(StorageError, match="the restore is given up, and nothing has changed: Input/output error"):
        offline.restore(Config(data_dir=data), backup)
    patch.undo()
    assert state(data) == ("committed last", ["2-b.jpg"])
    assert not [*data.glob("*restoring*"), *data.glob("replaced-*")]
    assert teller(data, "chat", stdin="echo three\n").stdout == "teller> three\n"


def test_the_way_back_has_the_files_that_were_deleted_since_a_restore_without_files(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    teller(data, "chat", stdin="echo one\n")
    offline.perform(Config(data_dir=data), "backup", {"path": str(copy), "files": False})
    keep(data, "1-a.jpg", "since")
    (data / "folders" / "1").mkdir(parents=True)
    (data / "folders" / "1" / "b.txt").write_text("since", encoding="utf-8")
    assert f"No files belong to it (there is no {copy}.files.tar)" in offline.restore(Config(data_dir=data), copy)
    [aside] = data.glob("replaced-*")
    assert (data / "folders" / "1" / "b.txt").stat().st_nlink == 1
    for path in ("files/1/1-a.jpg", "folders/1/b.txt"):
        assert (data / path).read_text(encoding="utf-8") == "since"
        (data / path).unlink()
    offline.restore(Config(data_dir=data), aside / "teller.db")
    for path in ("files/1/1-a.jpg", "folders/1/b.txt"):
        assert (data / path).read_text(encoding="utf-8") == "since"


def test_what_was_moved_aside_is_never_overwritten(data: Path, backup: Path) -> None:
    assert cut_off(Config(data_dir=data), backup, before=lambda _, target: target == data / "teller.db")
    assert not (data / "teller.db").exists()
    told = teller(data, "doctor").stdout
    assert "✗ database: a restore is not finished; the next start, or command, goes on with it" in told.replace(
        "  ", " "
    )
    assert "The database is missing" not in told
    shutil.copy(backup, data / "teller.db")
    change(data / "teller.db", "UPDATE inbox SET text = 'by hand'")
    assert teller(data, "ledger", "verify").returncode == 0
    assert state(data) == ("echo one", ["1-a.jpg"])
    first, second = sorted(data.glob("replaced-*"))
    assert change(first / "teller.db", COMMITTED_LAST) == [("committed last",)]
    assert change(second / "teller.db", COMMITTED_LAST) == [("by hand",)]
    assert (first / "files" / "1" / "2-b.jpg").exists()


def test_a_data_folder_that_is_moved_while_a_restore_is_not_finished_takes_it_along(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    assert cut_off(Config(data_dir=data), backup, before=lambda _, target: target == data / "teller.db")
    moved = tmp_path / "mounted" / "elsewhere"
    moved.parent.mkdir()
    data.rename(moved)
    assert offline.perform(Config(data_dir=moved), "ledger.verify", {})["problems"] == []
    assert state(moved) == ("echo one", ["1-a.jpg"])
    assert not list(moved.glob("*restoring*"))


def test_no_other_data_finish_a_restore_that_was_cut_off(data: Path, backup: Path, tmp_path: Path) -> None:
    database = tmp_path / "other" / "teller.db"
    database.parent.mkdir()
    for path in data.glob("teller.db*"):
        path.rename(database.parent / path.name)
    mine = Config(data_dir=data, database=DatabaseSection(url=f"sqlite:///{database}"))
    assert cut_off(mine, backup, before=lambda _, target: target.parent.name.startswith("replaced-"))
    wrong = [
        Config(data_dir=tmp_path / "wrong", database=DatabaseSection(url=f"sqlite:///{database}")),
        Config(data_dir=data, database=DatabaseSection(url=f"sqlite:///{database.parent}/other.db")),
        Config(data_dir=data),
    ]
    for config in wrong:
        with pytest.raises(StorageError, match=f"a restore of {database} with the data folder {data} is not finished"):
            offline.perform(config, "status", {})
    # Nor do half of the data, where a disk is missing.
    (data / ".restoring").rename(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match=f"{data}/.restoring/ready is missing; is its disk mounted"):
        offline.perform(mine, "status", {})
    (tmp_path / "elsewhere").rename(data / ".restoring")
    ready = database.parent / ".restoring" / "ready"
    plan = ready.read_text(encoding="utf-8")
    for wrong_plan in ("", '{"database": "x"}'):
        ready.write_text(wrong_plan, encoding="utf-8")
        with pytest.raises(StorageError, match=f"a restore is not finished: {ready} is no plan of a restore"):
            offline.perform(mine, "status", {})
    ready.write_text(plan, encoding="utf-8")
    assert offline.perform(mine, "ledger.verify", {})["problems"] == []
    assert change(database, COMMITTED_LAST) == [("echo one",)]
    assert [path.name for path in (data / "files").rglob("*.jpg")] == ["1-a.jpg"]
    assert not [*data.glob("*restoring*"), *database.parent.glob("*restoring*")]


def test_on_a_new_machine_a_command_finishes_a_restore_and_files_that_lack_are_told(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    new.mkdir()
    shutil.copy(data / "ledger.key", new)
    archive = backup.with_name(f"{backup.name}.files.tar")
    archive.unlink()
    told = offline.restore(Config(data_dir=new), backup)
    assert told.endswith(f"from 2 rows. No files belong to it (there is no {archive}): those that are there stay.")
    part = archive.with_name(f"{archive.name}.part")
    part.touch()
    assert f"No files belong to it ({part} was cut off)" in offline.restore(Config(data_dir=new), backup)
    shutil.rmtree(new)
    new.mkdir()
    shutil.copy(data / "ledger.key", new)
    assert cut_off(Config(data_dir=new), backup, before=lambda _, target: target == new / "teller.db")
    assert offline.perform(Config(data_dir=new), "status", {})["ledger_rows"] == 2


def test_what_a_restore_has_left_stops_no_start(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    teller(data, "chat", stdin="echo one\n")
    (tmp_path / "outside" / "kept").mkdir(parents=True)
    (data / ".restoring").symlink_to(tmp_path / "outside")
    assert teller(data, "chat", stdin="echo two\n").stdout == "teller> two\n"
    assert not (data / ".restoring").is_symlink()
    assert (tmp_path / "outside" / "kept").exists()
    (data / ".restoring").mkdir()

    def refusing(path: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(shutil, "rmtree", refusing)
    assert offline.perform(Config(data_dir=data), "ledger.verify", {})["problems"] == []
    with pytest.raises(StorageError, match=f"File exists: {data}/.restoring"):
        offline.restore(Config(data_dir=data), data / "teller.db")
