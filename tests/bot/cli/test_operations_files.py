"""Backup and restore never leave half a file, and never no file."""

from __future__ import annotations

import errno
import filecmp
import gzip
import io
import os
import shutil
import sqlite3
import stat
import tarfile
from pathlib import Path

import pytest

from core.kernel.clock import SystemClock
from core.kernel.errors import StorageError
from core.store import files_backup
from core.store.sqlite import backup as sqlite_copy
from core.store.sqlite import restore as sqlite_restore
from core.store.sqlite.database import SqliteDatabase
from core.store.sqlite.disk_reserve import DiskReserve


@pytest.fixture
async def backup(tmp_path: Path) -> Path:
    """A backup of an empty database, which is there too, as teller.db."""
    db = SqliteDatabase(tmp_path / "teller.db", SystemClock())
    await db.open()
    await db.backup(str(tmp_path / "copy.db"))
    await db.close()
    return tmp_path / "copy.db"


def names(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


async def test_half_a_copy_never_has_the_name_of_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    check = sqlite_copy.check

    def watched(path: Path) -> None:
        seen.append(names(tmp_path / "to"))
        check(path)

    monkeypatch.setattr(sqlite_copy, "check", watched)
    db = SqliteDatabase(tmp_path / "teller.db", SystemClock())
    await db.open()
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / "copy.db.part").write_text("what a killed backup left")
    try:
        await db.backup(str(tmp_path / "to" / "copy.db"))
        with pytest.raises(StorageError, match="File exists"):
            await db.backup(str(tmp_path / "to" / "copy.db"))
    finally:
        await db.close()
    assert seen == [{"copy.db.part"}]
    assert names(tmp_path / "to") == {"copy.db"}


async def test_what_a_restore_replaces_is_kept_with_its_log(tmp_path: Path, backup: Path) -> None:
    database = tmp_path / "teller.db"
    logs = {"teller.db-wal", "teller.db-shm", "teller.db-journal"}
    for name in logs:
        shutil.copy(database, tmp_path / name)
    with sqlite_restore.restoring(database, tmp_path, backup) as (_, asides):
        assert names(tmp_path) == {"teller.db", *logs, ".restoring", "copy.db", "lock", "ballast"}
    [aside] = asides
    assert names(aside) == {"teller.db", *logs}
    assert filecmp.cmp(database, backup, shallow=False)
    assert names(tmp_path) == {"teller.db", "copy.db", aside.name, "lock", "ballast"}


async def test_a_copy_of_a_newer_version_is_no_good(backup: Path) -> None:
    newer = sqlite3.connect(backup)
    newer.execute("INSERT INTO migration (name, applied_at) VALUES ('9999_future', 0)")
    newer.commit()
    newer.close()
    with pytest.raises(StorageError, match=r"newer Teller \(9999_future\)"):
        sqlite_copy.check(backup)


def test_a_folder_in_the_place_of_the_ballast_is_told(tmp_path: Path) -> None:
    (tmp_path / "ballast").mkdir()
    with pytest.raises(StorageError, match="ballast is a folder"):
        DiskReserve(tmp_path / "ballast", 1 << 20).load()


def _tree(data: Path) -> dict[str, bytes]:
    return {
        one.relative_to(data).as_posix(): one.read_bytes()
        for name in files_backup.PARTS
        for one in sorted((data / name).rglob("*"))
        if one.is_file() and not one.is_symlink()
    }


def test_files_go_into_a_backup_and_are_unpacked_beside_those_that_are_there(tmp_path: Path) -> None:
    data, archive = tmp_path / "data", tmp_path / "copy.db.files.tar"
    for path in ("files/7/1-photo.jpg", "folders/7/file_cache_dir/Grüße 你好.txt", "folders/7/kept/0123456789abcdef"):
        (data / path).parent.mkdir(parents=True, exist_ok=True)
        (data / path).write_text(path)
    (data / "secret").write_text("no file of anybody")
    (data / "folders" / "7" / "link").symlink_to(data / "secret")
    os.mkfifo(data / "folders" / "7" / "pipe")
    before = _tree(data)
    assert files_backup.pack(data, archive).endswith(" bytes, 3 files)")
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    (data / "files" / "7" / "1-photo.jpg").write_text("another")
    (data / "folders" / "8").mkdir()
    assert files_backup.unpack(tmp_path / "copy.db", data) == 3
    fresh = data / files_backup.FRESH
    assert _tree(fresh) == before
    assert (data / "files" / "7" / "1-photo.jpg").read_text() == "another"
    assert {stat.S_IMODE(one.lstat().st_mode) for one in (fresh / "folders").rglob("*")} == {0o700, 0o600}
    with pytest.raises(StorageError, match="exists"):
        files_backup.pack(data, archive)


def test_an_archive_is_on_the_disk_before_it_has_its_name_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, archive = tmp_path / "data", tmp_path / "copy.db.files.tar"
    (data / "files").mkdir(parents=True)
    (data / "files" / "1-photo.jpg").write_text("a picture")
    synced: list[tuple[int, int, bool]] = []

    def fsync(file: int) -> None:
        found = os.fstat(file)
        synced.append((found.st_ino, found.st_size, archive.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    files_backup.pack(data, archive)
    whole, (folder, _, named) = synced
    assert whole == (archive.stat().st_ino, archive.stat().st_size, False)
    assert (folder, named) == (tmp_path.stat().st_ino, True)


def test_an_archive_is_written_where_no_folder_can_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, archive, sync = tmp_path / "data", tmp_path / "copy.db.files.tar", os.fsync
    (data / "files").mkdir(parents=True)
    (data / "files" / "1-photo.jpg").write_text("a picture")

    def fsync(file: int) -> None:
        """Do as Linux does with a folder that a virtual machine shares."""
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        sync(file)

    monkeypatch.setattr(os, "fsync", fsync)
    assert files_backup.pack(data, archive).endswith("1 files)")


def test_an_archive_that_was_cut_off_anywhere_changes_nothing(tmp_path: Path) -> None:
    data, archive, cut = tmp_path / "data", tmp_path / "copy.db.files.tar", tmp_path / "cut.db.files.tar"
    (data / "files").mkdir(parents=True)
    for n in range(5):
        (data / "files" / f"{n}.bin").write_bytes(b"x" * 700)
    files_backup.pack(data, archive)
    whole = archive.read_bytes()
    end = len(whole.rstrip(b"\0")) // tarfile.BLOCKSIZE + 1
    for blocks in range(end + files_backup.END_BYTES // tarfile.BLOCKSIZE):
        cut.write_bytes(whole[: blocks * tarfile.BLOCKSIZE])
        with pytest.raises(StorageError, match=f"cannot put the files of {cut} back"):
            files_backup.unpack(tmp_path / "cut.db", data)
        assert names(data) == {"files"}
    cut.write_bytes(whole[: 2 * 1536] + b"damaged" + whole[2 * 1536 + 7 :])
    with pytest.raises(StorageError, match="it is cut off or damaged"):
        files_backup.unpack(tmp_path / "cut.db", data)
    assert files_backup.unpack(tmp_path / "copy.db", data) == 5


def test_an_archive_with_a_hole_in_it_changes_nothing(tmp_path: Path) -> None:
    data, archive, holed = tmp_path / "data", tmp_path / "copy.db.files.tar", tmp_path / "holed.db.files.tar"
    (data / "files").mkdir(parents=True)
    for n in range(6):
        (data / "files" / f"{n}.bin").write_bytes(b"x" * 5000)
    files_backup.pack(data, archive)
    whole, header = archive.read_bytes(), tarfile.BLOCKSIZE + 10 * tarfile.BLOCKSIZE
    for n in range(1, 6):
        for end in (n * header + 2 * tarfile.BLOCKSIZE, len(whole)):
            holed.write_bytes(whole[: n * header] + bytes(end - n * header) + whole[end:])
            assert len(holed.read_bytes()) == len(whole)
            with pytest.raises(StorageError, match="it is cut off or damaged"):
                files_backup.unpack(tmp_path / "holed.db", data)
            assert names(data) == {"files"}


def test_a_file_that_has_a_name_like_what_is_being_written_is_in_the_archive(tmp_path: Path) -> None:
    data, archive = tmp_path / "data", tmp_path / "copy.db.files.tar"
    unfinished = ("files/1/7.part", f"folders/1/.{'0f' * 8}.part")
    for path in (*unfinished, "files/1/8-a.part", "folders/1/novel.part", "folders/1/7.part"):
        (data / path).parent.mkdir(parents=True, exist_ok=True)
        (data / path).write_text(path)
    files_backup.pack(data, archive)
    with tarfile.open(archive) as tar:
        assert tar.getnames() == ["files/1/8-a.part", "folders/1/7.part", "folders/1/novel.part"]


def test_an_archive_of_which_nothing_can_be_made_changes_nothing(tmp_path: Path) -> None:
    data, archive = tmp_path / "data", tmp_path / "bad.files.tar"
    data.mkdir()
    odd = tarfile.TarInfo("files/7/1-a.txt")
    odd.pax_headers = {"path": "files/7/1-\0.txt"}
    for damage in (lambda content: content, lambda content: gzip.compress(content)[:-20]):
        with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
            tar.addfile(odd)
        archive.write_bytes(damage(archive.read_bytes()))
        with pytest.raises(StorageError, match="cannot put the files of"):
            files_backup.unpack(tmp_path / "bad", data)
        assert names(data) == set()


def test_no_files_are_no_archive(tmp_path: Path) -> None:
    assert files_backup.pack(tmp_path, tmp_path / "copy.files.tar") == ""
    assert names(tmp_path) == set()


def test_what_cannot_be_read_is_told_and_all_else_is_in_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, archive, opened = tmp_path / "data", tmp_path / "copy.files.tar", os.open
    (data / "folders" / "7").mkdir(parents=True)
    for name in ("good.txt", "others.txt"):
        (data / "folders" / "7" / name).write_text(name)
    (data / "files").write_text("no folder")

    def refusing(path: str | Path, *how: int, **more: int) -> int:
        if str(path).endswith("others.txt"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *how, **more)

    # The modes of files don't count for root, who may run this.
    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(StorageError, match=rf"{data}/files cannot be read: Not a directory \(2 in all\)"):
        files_backup.pack(data, archive)
    with tarfile.open(archive) as tar:
        assert tar.getnames() == ["folders/7/good.txt"]


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/outside.txt", "teller.db", "files/../../outside.txt"])
def test_an_archive_that_leads_elsewhere_changes_nothing(tmp_path: Path, name: str) -> None:
    data, archive = tmp_path / "data", tmp_path / "bad.files.tar"
    (data / "files").mkdir(parents=True)
    (data / "files" / "kept.txt").write_text("kept")
    with tarfile.open(archive, "w") as tar:
        for one in ("files/7/1-good.txt", name):
            info = tarfile.TarInfo(one)
            info.size = 1
            tar.addfile(info, io.BytesIO(b"x"))
    with pytest.raises(StorageError, match="no file of a backup"):
        files_backup.unpack(tmp_path / "bad", data)
    assert names(data) == {"files"}
    assert names(tmp_path) == {"data", "bad.files.tar"}
    assert (data / "files" / "kept.txt").read_text() == "kept"
