"""Restoring a backup of a SQLite database, and of what lies beside it in the data folder.

Everything is made ready and checked in a folder beside its place (`FRESH`), while nothing of what is there is touched.
Then `READY` is written, and `settle` exchanges all of it. Every start settles: where a restore is cut off, what was
ready is exchanged then, and what was not is removed. Whatever was there is moved aside, never deleted or overwritten.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from core.kernel.errors import StorageError
from core.store.files_backup import FRESH, PARTS, READY, REPLACED
from core.store.private_files import private
from core.store.sqlite.backup import check

log = logging.getLogger(__name__)

ANCHOR = "ledger.anchor"
# They hold what a database has not taken in yet, or would take back, and belong to no other one.
LOGS = ("-wal", "-journal")
# A rename that would replace a folder which is not empty says one of these, where it could be done otherwise.
MOVABLE = {errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST}


@contextmanager
def restoring(database: Path, data: Path, backup: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Give a checked copy of `backup` to be made ready, and the folders that take what was there. In `data`/FRESH lie
    the anchors, and files may. All of it is exchanged when the block ends, unless it fails.

    The data are the caller's (`locked`). Raises `StorageError`; then nothing has changed, unless it says so.
    """
    settle(database, data)
    database, data = database.parent.resolve() / database.name, data.resolve()
    folders, copy = dict.fromkeys((data, database.parent)), database.parent / FRESH / database.name
    stamp = REPLACED + time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    names = (stamp if n == 1 else f"{stamp}-{n}" for n in count(1))
    aside = next(name for name in names if not any(os.path.lexists(folder / name) for folder in folders))
    try:
        for folder in folders:
            (folder / FRESH).mkdir(mode=0o700, parents=True)
        for source, target, opener in (
            (backup, copy, None),
            *((backup.with_name(backup.name + end), copy.with_name(copy.name + end), None) for end in LOGS),
            (data / ANCHOR, data / FRESH / ANCHOR, private),
        ):
            if source == backup or os.path.lexists(source):
                with open(source, "rb", opener=opener) as old, open(target, "xb", opener=private) as new:
                    shutil.copyfileobj(old, new)
        # The copy, not the original: checking takes in its logs, and a backup may lie where nobody can write.
        check(copy)
        yield copy, [folder / aside for folder in reversed(folders)]
        for log_file in (copy.with_name(copy.name + end) for end in LOGS):
            if log_file.exists() and log_file.stat().st_size:
                raise StorageError(f"cannot restore {copy}: its log cannot be put into it; is the disk full?")
        _begin(database, data, aside)
    except StorageError as error:
        raise StorageError(str(error).replace(str(copy), str(backup))) from error
    except OSError as error:
        where = "" if error.filename in {None, str(backup)} else f": {error.filename}"
        raise StorageError(f"cannot restore {backup}: {error.strerror or error}{where}") from error
    finally:
        settle(database, data)


def _begin(database: Path, data: Path, aside: str) -> None:
    """Write READY, once it is known that all that is there can be moved to the folders `aside`. That of the database
    comes last, and counts; the one in `data` says whose the folder is."""
    plan = json.dumps({"database": str(database), "data": str(data), "aside": aside})
    folders = dict.fromkeys((data, database.parent))
    for folder in folders:
        (folder / aside).mkdir(mode=0o700)
        (folder / FRESH / "trial" / "trial").mkdir(parents=True)
        (folder / FRESH / f"{READY}.new").write_text(plan, encoding="utf-8")
    for path in (folder / name for folder, names in _places(database, data) for name in names):
        trial, refusal = path.parent / FRESH / "trial", None
        try:
            # Of a file that is mounted the rename says only that it is no folder. What else says no to a link is moved.
            os.link(path, trial / path.name, follow_symlinks=False)
        except OSError as error:
            refusal = error if error.errno == errno.EXDEV else None
        try:
            # It never succeeds, since that folder is not empty; but what cannot be moved at all says so before that.
            os.rename(path, trial)
        except FileNotFoundError:
            continue
        except OSError as error:
            refusal = refusal or (None if error.errno in MOVABLE else error)
        if refusal is not None:
            raise StorageError(
                f"cannot restore: {path} cannot be moved aside ({refusal.strerror}). It must lie on the disk of its"
                " folder, not be mounted there, and belong to the user that Teller runs as. Nothing has changed"
            ) from refusal
    for folder in folders:
        os.sync()
        os.rename(folder / FRESH / f"{READY}.new", folder / FRESH / READY)


def settle(database: Path, data: Path) -> None:
    """Exchange what a restore has made ready, and remove what one has left that was cut off before it came so far.

    The data are the caller's (`locked`). Raises `StorageError`: what was ready is exchanged by the next call then, or
    given up where nothing of it could be.
    """
    database, data = database.parent.resolve() / database.name, data.resolve()
    aside, copy = "", database.parent / FRESH / database.name
    plans: list[dict[str, str]] = []
    try:
        # Another database may have had this data folder, or another data folder this database.
        for fresh in (data / FRESH, database.parent / FRESH):
            if fresh.is_symlink():
                fresh.unlink()
            plan = json.loads((fresh / READY).read_text(encoding="utf-8")) if (fresh / READY).exists() else {}
            # A data folder that has its database in it may have been moved, or be mounted elsewhere, as a whole.
            within = bool(plan) and database.is_relative_to(data)
            moved = within and os.path.relpath(plan["database"], plan["data"]) == str(database.relative_to(data))
            if plan and not moved and (plan["database"], plan["data"]) != (str(database), str(data)):
                raise StorageError(
                    f"a restore of {plan['database']} with the data folder {plan['data']} is not finished. Start with"
                    f" both of them; or, if they lie here now ({database}, {data}), write that into {fresh / READY}"
                )
            plans.append(plan)
        aside = plans[-1].get("aside", "")
        if aside and not plans[0]:
            raise StorageError(f"a restore is not finished: {data / FRESH / READY} is missing; is its disk mounted?")
        if aside:
            os.sync()
            _exchange(database, data, aside)
            os.sync()
            copy.with_name(READY).unlink()
            log.warning("a backup was restored; what was there is in %s", database.parent / aside)
    except (OSError, ValueError, KeyError) as error:
        by_hand = f"{copy.with_name(READY)} is no plan of a restore ({error})"
        why = f"{error.strerror or error}: {error.filename}" if isinstance(error, OSError) else by_hand
        if aside and copy.exists() and not any((database.parent / aside).glob("*")):
            with suppress(OSError):
                copy.with_name(READY).unlink()
                _tidy(database, data)
                raise StorageError(f"the restore is given up, and nothing has changed: {why}") from error
        raise StorageError(f"a restore is not finished: {why}. Mend that; the next start goes on with it") from error
    _tidy(database, data)


def _exchange(database: Path, data: Path, aside: str) -> None:
    """Move what is there to the folders `aside`, or to the next ones that have nothing of that name, and what is ready
    to its place."""
    for folder, names in _places(database, data):
        if not (folder / FRESH / names[-1]).exists():
            continue
        for name in (name for name in names if os.path.lexists(folder / name)):
            asides = (folder / (aside if n == 1 else f"{aside}-{n}") for n in count(1))
            free = next(one for one in asides if not os.path.lexists(one / name))
            free.mkdir(mode=0o700, exist_ok=True)
            os.rename(folder / name, free / name)
        os.rename(folder / FRESH / names[-1], folder / names[-1])


def _places(database: Path, data: Path) -> list[tuple[Path, list[str]]]:
    """Return the folders with what is exchanged there: the last of the names, for all of them. The database comes
    first: as long as it was not touched nothing was."""
    files = [database.name + end for end in ("-shm", *LOGS, "")]
    return [(database.parent, files), *((data, [name]) for name in (ANCHOR, *PARTS))]


def _tidy(database: Path, data: Path) -> None:
    """Remove what is no longer needed: the folders FRESH, and those for what was there in which there is nothing."""
    for folder in (data, database.parent):
        if os.path.lexists(folder / FRESH):
            for aside in folder.glob(f"{REPLACED}*"):
                with suppress(OSError):
                    aside.rmdir()
            try:
                shutil.rmtree(folder / FRESH)
            except OSError as error:
                log.warning("%s, which a restore has left, cannot be removed: %s", folder / FRESH, error)
