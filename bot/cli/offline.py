"""An operator's commands while no bot runs: on the data themselves, which are locked meanwhile."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from pathlib import Path

from bot.cli import operations
from bot.cli.operations import House
from bot.config.config import Config
from bot.runtime import logfile
from bot.runtime.app import App
from bot.runtime.wiring import model, opened
from core.kernel.clock import SystemClock
from core.kernel.errors import StorageError, TellerError
from core.kernel.ports import Clock, Database
from core.kernel.types import Json
from core.store import files_backup
from core.store.conversation import dead_letters
from core.store.private_files import unlinked
from core.toolkit.ledger.ledger import Ledger, load_key, read_key


def perform(config: Config, command: str, args: dict[str, Json]) -> Json:
    """Carry out a command. Raises `StorageBusy` while another process has the data."""
    return asyncio.run(_alone(config, lambda house: operations.perform(house, command, args)))


async def _alone(config: Config, act: Callable[[House], Awaitable[Json]], *, restored: bool = False) -> Json:
    path = config.database.path
    # Where there are anchors there was a database: it is missing then, which is told by what opens it.
    if path is not None and not path.exists() and not (config.data_dir / "ledger.anchor").exists():
        raise TellerError(f"There is no data in {path.parent} yet; `teller run` makes it.")
    redactor = logfile.configure(config, to_file=True)
    clock = SystemClock()
    async with opened(config, clock, restored=restored) as db:
        house = House(
            config=config,
            db=db,
            clock=clock,
            ledger=Ledger(load_key(config.data_dir / "ledger.key"), config.data_dir / "ledger.anchor", redactor.redact),
            redact=redactor.redact,
            app=partial(_built, config, db, clock, redactor.redact),
        )
        return await act(house)


def _built(config: Config, db: Database, clock: Clock, redact: Callable[[str], str]) -> App:
    """Put a house together around the data, without platforms: nothing of it runs but what is called."""
    from bot.app import build  # noqa: PLC0415 - heavy, and only for what needs it

    return build(config, {}, db=db, clock=clock, model=model(config, clock), redact=redact)


def restore(config: Config, backup: Path) -> str:
    """Put a backup in place while no bot runs; returns what was done. Raises `StorageBusy` while one does."""
    path = config.database.path
    if path is None:
        raise TellerError(
            "A Postgres database is restored with its own tool while the bot is stopped: pg_restore --clean --if-exists"
            f" --no-owner --single-transaction --dbname=NAME {backup}. The files are put back by hand: move files and"
            f" folders of {config.data_dir} aside, then tar --extract --file={files_backup.beside(backup)}"
            f" --directory={config.data_dir}"
        )
    from core.store.sqlite.database import locked  # noqa: PLC0415 - one of two drivers
    from core.store.sqlite.restore import put_in_place  # noqa: PLC0415

    read_key(config.data_dir / "ledger.key")
    stamp, backups = time.strftime("replaced-%Y%m%d-%H%M%S", time.gmtime()), unlinked(path.parent / "backups")
    names = (stamp if n == 1 else f"{stamp}-{n}" for n in count(1))
    replaced = next(backups / name for name in names if not (backups / name).exists())
    archive, data = files_backup.beside(backup), config.data_dir
    files, moved = None, None
    try:
        with locked(path):
            # What can be wrong with the files is found before anything is changed.
            files = files_backup.unpack(archive, data)
            moved = put_in_place(path, backup, replaced)
        rows = asyncio.run(_alone(config, partial(_settle, aside=replaced), restored=True))
    except TellerError as error:
        if moved is None:
            raise
        was = f" What was there is in {replaced}." if moved else ""
        done = f"{path} is the database of {backup} now, but not all is done"
        raise StorageError(f"{done}: {error}. Mend that and run it again.{was}") from error
    finally:
        if files is not None:
            shutil.rmtree(data / files_backup.FRESH, ignore_errors=True)
    was = f" What was there is in {replaced}." if moved or replaced.exists() else ""
    brought = f" {files:,} files of {archive} are there." if files else ""
    return f"Restored {path} from {backup}; the ledger goes on from {rows} rows.{brought}{was}"


async def _settle(house: House, aside: Path) -> Json:
    """After a restore: what waited then may have been sent since, and the ledger's anchors went further. Then the files
    that belong to it are put in place, while nobody else has the data."""
    now = house.clock.now()
    await house.db.write(dead_letters.doubt_all)
    await house.db.read(lambda tx: house.ledger.restored(tx, now))
    await asyncio.to_thread(files_backup.put_in_place, house.config.data_dir, aside)
    return (await house.db.read(house.ledger.verify)).rows
