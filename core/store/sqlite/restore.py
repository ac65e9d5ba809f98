"""Putting a backup in the place of the SQLite file; whatever was there is moved aside, never deleted."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from core.kernel.errors import StorageError
from core.store.private_files import private
from core.store.sqlite.backup import check


def put_in_place(database: Path, backup: Path, overheard: Path) -> list[str]:
    """Check `backup`, keep the files of `database` in the folder `overheard`, copy. Returns the names of what was kept.

    The data are the caller's (`locked`). Raises `StorageError` when the backup is no good; then nothing has changed.
    """
    try:
        return _replace(database, backup, overheard)
    except OSError as error:
        raise StorageError(f"cannot restore {backup}: {error.strerror or error}") from error


def _replace(database: Path, backup: Path, overheard: Path) -> list[str]:
    copy = database.with_name(f"{database.name}.restoring")
    copy.unlink(missing_ok=True)
    try:
        with (
            backup.open("rb") as source,
            open(copy, "xb", opener=private) as file,
        ):
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        # The copy, not the original: checking opens the file, and a backup may lie where nobody can write.
        try:
            check(copy)
        except StorageError as error:
            raise StorageError(str(error).replace(str(copy), str(backup))) from error
        moved = _keep(database, overheard)
        # A log beside the new file would be played into it. Without its log the old file is whole too, only older.
        for end in ("-wal", "-shm"):
            database.with_name(database.name + end).unlink(missing_ok=True)
        copy.replace(database)
    finally:
        for name in ("", "-wal", "-shm"):
            copy.with_name(copy.name + name).unlink(missing_ok=True)
    return moved


def _keep(database: Path, overheard: Path) -> list[str]:
    """Give the files of the database a second name in `overheard`: at no moment is there no database."""
    names = [database.name + end for end in ("", "-wal", "-shm") if database.with_name(database.name + end).exists()]
    if names:
        overheard.mkdir(parents=True, mode=0o700)
    try:
        for name in names:
            file, linked = database.with_name(name), False
            # A log belongs to its file as it is now: both are copied then, apart from the file that stays in use.
            if len(names) == 1:
                with suppress(OSError):  # a file system without links, or another one
                    os.link(file, overheard / name)
                    linked = True
            if not linked:
                shutil.copy2(file, overheard / name, follow_symlinks=False)
    except BaseException:
        shutil.rmtree(overheard, ignore_errors=True)
        raise
    return names
