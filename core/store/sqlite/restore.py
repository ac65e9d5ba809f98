"""Restoring a backup of a SQLite database, and of what lies beside it in the data folder.

Everything is made ready in a folder beside its place (`FRESH`), while nothing of what is there is touched. Then `READY`
is written, and `settle` exchanges all of it. Every start settles: where a restore is cut off, what was ready is
exchanged then, and what was not is removed. Whatever was there is moved aside, never deleted.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.kernel.errors import StorageError
from core.store.files_backup import FRESH, PARTS
from core.store.private_files import private
from core.store.sqlite.backup import check

log = logging.getLogger(__name__)

# Names the folder that takes what was there. Before it is written nothing has changed; after it all will be exchanged.
READY = "ready"
ANCHOR = "ledger.anchor"


@contextmanager
def restoring(database: Path, data: Path, backup: Path, aside: str) -> Iterator[Path]:
    """Give a checked copy of `backup` to be made ready; in `data`/FRESH lie the anchors, and files may. All of it is
    exchanged when the block ends, unless it fails. What was there goes to the folders `aside` in `backups`.

    The data are the caller's (`locked`). Raises `StorageError`; then nothing has changed, unless it says so.
    """
    settle(database, data)
    fresh = database.parent / FRESH
    copy = fresh / database.name
    try:
        for folder in (fresh, data / FRESH):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What a bot that was killed committed last lies in the log; it goes along with what a restore moved aside.
        for source, target, opener in (
            (backup, copy, None),
            (backup.with_name(f"{backup.name}-wal"), copy.with_name(f"{copy.name}-wal"), None),
            (data / ANCHOR, data / FRESH / ANCHOR, private),
        ):
            if source == backup or os.path.lexists(source):
                with open(source, "rb", opener=opener) as old, open(target, "xb", opener=private) as new:
                    shutil.copyfileobj(old, new)
        # The copy, not the original: checking opens the file, and a backup may lie where nobody can write.
        check(copy)
        yield copy
        log_file = copy.with_name(f"{copy.name}-wal")
        if log_file.exists() and log_file.stat().st_size:
            raise StorageError(f"cannot restore {copy}: its log cannot be put into it; is the disk full?")
        (fresh / f"{READY}.new").write_text(aside, encoding="utf-8")
        os.sync()
        os.rename(fresh / f"{READY}.new", fresh / READY)
    except StorageError as error:
        raise StorageError(str(error).replace(str(copy), str(backup))) from error
    except OSError as error:
        raise StorageError(f"cannot restore {backup}: {error.strerror or error}") from error
    finally:
        settle(database, data)


def settle(database: Path, data: Path) -> None:
    """Exchange what a restore has made ready, and remove what one has left that was cut off before it came so far.

    The data are the caller's (`locked`). Raises `StorageError`; what was ready is exchanged by the next call then.
    """
    fresh = database.parent / FRESH
    logs = (f"{database.name}-wal", f"{database.name}-shm")
    places = [(data, (name,)) for name in (*PARTS, ANCHOR)] + [(database.parent, (database.name, *logs))]
    try:
        if (fresh / READY).exists():
            aside = Path("backups", (fresh / READY).read_text(encoding="utf-8"))
            for folder, names in places:
                if not (folder / FRESH / names[0]).exists():
                    continue
                (folder / aside).mkdir(mode=0o700, parents=True, exist_ok=True)
                for name in names:
                    with suppress(FileNotFoundError):
                        os.rename(folder / name, folder / aside / name)
                os.rename(folder / FRESH / names[0], folder / names[0])
            log.warning("a backup was restored; what was there is in %s", database.parent / aside)
        for folder in (data / FRESH, fresh):
            if os.path.lexists(folder):
                shutil.rmtree(folder)
    except OSError as error:
        why = f"{error.strerror or error}: {error.filename}"
        raise StorageError(f"a restore is not finished: {why}. Mend that; the next start goes on with it") from error
