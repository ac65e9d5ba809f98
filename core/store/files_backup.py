"""Copies of the files beside a database: one archive, written while the bot runs, and unpacked while it does not."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import tarfile
from pathlib import Path, PurePosixPath

from core.kernel.errors import StorageError
from core.store.files import FOLDERS
from core.store.private_files import name_for_good, private

# What opening says of a file that went meanwhile, of a link, and of a socket: there is nothing to be copied.
NOTHING = {errno.ENOENT, errno.ELOOP, errno.ENXIO}
# Of the data folder: what people sent, and the folders that models write to.
PARTS = ("files", FOLDERS)
ENDING = ".files.tar"
# How the folders begin to which a restore moves what was there.
REPLACED = "replaced-"
# Where a restore makes everything ready, beside its place.
FRESH = ".restoring"
# In there it names the data, and the folder that takes what was there. Before it is written nothing has changed; after
# it all will be exchanged.
READY = "ready"
# What is being written has such a path (`Files.keep`, and `disk` of the capability files).
UNFINISHED = re.compile(rf"files/.*/[0-9]+\.part|{FOLDERS}/.*/\.[0-9a-f]{{16}}\.part", re.DOTALL)
# An archive ends with two empty blocks.
END_BYTES = 2 * tarfile.BLOCKSIZE


def beside(backup: Path) -> Path:
    """Return where the files of a backup are: beside the copy of the database."""
    return backup.with_name(f"{backup.name}{ENDING}")


def pack(data: Path, archive: Path) -> str:
    """Copy all files to a new archive (0600), and return a line about it, empty where there are none.

    A file is never changed in its place, so that each is whole. Raises `StorageError`; then there is no archive, unless
    it says so: what cannot be read is not in it, and all else is.
    """
    part, count = archive.with_name(f"{archive.name}.part"), 0
    unread: list[OSError] = []
    try:
        part.unlink(missing_ok=True)
        with open(part, "xb", opener=private) as file:
            with tarfile.open(fileobj=file, mode="w") as tar:
                walks = (walk for name in PARTS for walk in os.walk(data / name, onerror=unread.append))
                for path in sorted(Path(folder, one) for folder, _, names in walks for one in names):
                    name = path.relative_to(data).as_posix()
                    if not UNFINISHED.fullmatch(name):
                        count += _add(tar, path, name, unread)
            # Written whole before it has its name, after a power cut too.
            file.flush()
            os.fsync(file.fileno())
        unread = [error for error in unread if error.errno not in NOTHING]
        if not count and not unread:
            return ""
        if archive.exists():
            raise StorageError(f"cannot write {archive}: it exists")
        name_for_good(part, archive)
    except OSError as error:
        raise StorageError(f"cannot write {archive}: {error.strerror}. The copy of the database is there") from error
    finally:
        part.unlink(missing_ok=True)
    if unread:
        raise StorageError(
            f"{archive} is there with {count:,} files, and so is the copy of the database; but"
            f" {unread[0].filename} cannot be read: {unread[0].strerror} ({len(unread)} in all). Give it to the user"
            " that Teller runs as, and run it again"
        )
    return f"{archive} ({archive.stat().st_size:,} bytes, {count:,} files)"


def _add(tar: tarfile.TarFile, path: Path, name: str, unread: list[OSError]) -> bool:
    """Add a file, unless it went meanwhile or is none: a link, or what would have to be waited for. Why one cannot be
    opened is added to `unread`.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        unread.append(error)
        return False
    with open(opened, "rb") as file:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            return False
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = found.st_size, int(found.st_mtime), 0o600
        tar.addfile(info, file)
    return True


def unpack(backup: Path, data: Path) -> int | None:
    """Put the files of a backup into a folder beside those that are there (`FRESH`), and return how many; None when no
    files belong to it. They are in its archive; those of a database that a restore moved aside lie there as they were.
    Where none belong to it those that are there are put there once more: each night takes what no row names any more.

    Raises `StorageError` when the archive is no good, or was cut off; then nothing is left of it.
    """
    archive, fresh, name = beside(backup), data / FRESH, backup.parent.name
    # Where the database is on another disk they were moved to a folder of the same name; `backups` took it once.
    asides = (backup.parent, data / name, data / "backups" / name) if name.startswith(REPLACED) else ()
    places = dict.fromkeys(aside.resolve() for aside in asides)
    kept = [aside / part for aside in places for part in PARTS if (aside / part).is_dir()]
    folders = kept or [data / part for part in PARTS if (data / part).is_dir()]
    try:
        for part in PARTS:
            (fresh / part).mkdir(mode=0o700, parents=True)
        if archive.exists():
            with tarfile.open(archive) as tar:
                count = sum(_extract(tar, member, fresh) for member in tar)
                _demand_end(tar)
            return count
        for folder in folders:
            # What people sent is never changed in its place; what is written in a folder must have one name.
            copy = shutil.copy2 if folder.name == FOLDERS else _link
            shutil.copytree(folder, fresh / folder.name, symlinks=True, dirs_exist_ok=True, copy_function=copy)
    except Exception as error:  # whatever a damaged archive makes of the library
        shutil.rmtree(fresh, ignore_errors=True)
        source = archive if archive.exists() else backup.parent if kept else data
        why = getattr(error, "strerror", None) or error
        raise StorageError(f"cannot put the files of {source} back: {why}") from error
    return sum(len(files) for part in PARTS for _, _, files in os.walk(fresh / part)) if kept else None


def _link(source: str, target: str) -> None:
    """Give a file another name, which takes no room; where the disk cannot do that, or is another one, copy it."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        shutil.copy2(source, target)


def _demand_end(tar: tarfile.TarFile) -> None:
    """Raise `StorageError` unless zeros, and nothing else, follow the last file, up to the end of its record: with
    fewer it is not known to be the last, and with more there may have been others behind it."""
    assert tar.fileobj is not None
    most = END_BYTES - (tar.offset + END_BYTES) % -tarfile.RECORDSIZE
    tar.fileobj.seek(tar.offset)
    rest = tar.fileobj.read(most + 1)
    if not END_BYTES <= len(rest) <= most or any(rest):
        raise StorageError("it is cut off or damaged")


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, fresh: Path) -> int:
    path = PurePosixPath(member.name)
    if (
        not member.isreg()
        or path.is_absolute()
        or ".." in path.parts
        or path.parts[:1] not in {(one,) for one in PARTS}
    ):
        raise StorageError(f"{member.name!a} is no file of a backup")
    source, target = tar.extractfile(member), fresh / path
    assert source is not None
    for folder in (*reversed(target.relative_to(fresh).parents), target.parent.relative_to(fresh)):
        (fresh / folder).mkdir(mode=0o700, exist_ok=True, parents=True)
    with source, open(target, "xb", opener=private) as file:
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(file.fileno())
    os.utime(target, (member.mtime, member.mtime))
    return 1
