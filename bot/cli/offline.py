"""An operator's commands while no bot runs: on the data themselves, which are locked meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot.cli import operations
from bot.cli.operations import House
from bot.config.config import Config
from bot.runtime import logfile
from bot.runtime.app import App
from bot.runtime.wiring import database, model, opened
from core.kernel.clock import SystemClock
from core.kernel.errors import ConfigError, TellerError
from core.kernel.ports import Clock, Database, Tx
from core.kernel.types import Json, Millis
from core.store import files_backup
from core.store.conversation import dead_letters
from core.store.files_backup import FRESH, READY
from core.toolkit.ledger.ledger import Ledger, load_key, read_key
from core.toolkit.ledger.verification import Report

# Seconds to find out whether a server has our tables.
ASKED_FOR = 10


def perform(config: Config, command: str, args: dict[str, Json]) -> Json:
    """Carry out a command. Raises `StorageBusy` while another process has the data."""
    return asyncio.run(_alone(config, command, args))


async def _alone(config: Config, command: str, args: dict[str, Json]) -> Json:
    path, anchor = config.database.path, config.data_dir / "ledger.anchor"
    # Where there are anchors, or is a restore to be finished, there was a database; what opens it tells of it.
    if path is not None:
        new = not any(trace.exists() for trace in (path, anchor, path.parent / FRESH / READY))
    else:
        new = not anchor.exists() and _is_new(config.database.url)
    if new:
        where = "the database of database.url" if path is None else path.parent
        raise TellerError(f"There is no data in {where} yet; `teller run` makes it.")
    redactor = logfile.configure(config, to_file=True)
    clock = SystemClock()
    async with opened(config, clock, upgrade=False, as_it_is=command == "backup") as db:
        house = House(
            config=config,
            db=db,
            clock=clock,
            ledger=Ledger(load_key(config.data_dir / "ledger.key"), config.data_dir / "ledger.anchor", redactor.redact),
            redact=redactor.redact,
            app=partial(_built, config, db, clock, redactor.redact),
        )
        return await operations.perform(house, command, args)


def _is_new(url: str) -> bool:
    try:
        from core.store.postgres.inspect import is_new  # noqa: PLC0415 - an optional extra
    except ImportError:
        return False  # which is told when it is opened
    return is_new(url, ASKED_FOR)


def _built(config: Config, db: Database, clock: Clock, redact: Callable[[str], str]) -> App:
    """Put a house together around the data, without platforms: nothing of it runs but what is called."""
    from bot.app import build  # noqa: PLC0415 - heavy, and only for what needs it

    return build(config, {}, db=db, clock=clock, model=model(config, clock), redact=redact)


def restore(config: Config, backup: Path, *, lost_key: bool = False) -> str:
    """Put a backup in place while no bot runs; returns what was done. Raises `StorageBusy` while one does, and
    `ConfigError` when the ledger's key proves no row of it, unless it is said that the right one is lost."""
    path, data, archive = config.database.path, config.data_dir, files_backup.beside(backup)
    if path is None:
        raise TellerError(
            "A Postgres database is restored with its own tools, into a new one, while the bot is stopped: createdb"
            " --owner ROLE NEW, then as ROLE pg_restore --no-owner --single-transaction --dbname=NEW"
            f" {backup}, then name NEW in database.url. The files are put back by hand: move files and folders of"
            f" {data} aside, then tar --extract --file={archive} --directory={data}"
        )
    from core.store.sqlite.database import SqliteDatabase, locked  # noqa: PLC0415 - one of two drivers
    from core.store.sqlite.restore import ANCHOR, restoring  # noqa: PLC0415

    key, clock = read_key(data / "ledger.key"), SystemClock()
    logfile.configure(config, to_file=True)
    with locked(path), restoring(path, data, backup) as (copy, asides):
        files = files_backup.unpack(backup, data)
        ledger = Ledger(key, data / FRESH / ANCHOR)
        report = asyncio.run(_made_ready(SqliteDatabase(copy, clock), ledger, clock.now()))
        if 0 < report.rows == report.changed and not lost_key:
            raise ConfigError(
                f"{backup} was not written with the ledger's key {data}/ledger.key. Nothing has changed. Put the key"
                f" there that goes with it; or, if every copy of that is lost: teller restore --lost-key {backup}"
            )
    kept = " and ".join(str(aside) for aside in asides if aside.exists())
    was = f" What was there is in {kept}." if kept else ""
    if files is not None:
        brought = f" {files:,} files of {archive if archive.exists() else backup.parent} are there."
    else:
        cut_off = archive.with_name(f"{archive.name}.part")
        why = f"{cut_off} was cut off" if cut_off.exists() else f"there is no {archive}"
        brought = f" No files belong to it ({why}): those that are there stay."
    odd = " But `teller ledger verify` finds problems in it." if report.problems else ""
    return f"Restored {path} from {backup}; the ledger goes on from {report.rows} rows.{odd}{brought}{was}"


def move(config: Config, source: Path) -> str:
    """Move the data of a SQLite file to the empty Postgres database of the configuration, while no bot runs on either;
    returns what was done. The file keeps another name, so that nobody goes on with it. Raises `StorageBusy` while a
    bot runs, and `StorageError`; then nothing was moved."""
    from core.store.sqlite.database import SqliteDatabase  # noqa: PLC0415 - one of two drivers
    from core.store.sqlite.restore import settle  # noqa: PLC0415 - the same

    if config.database.path is not None:
        raise ConfigError(
            "database.url (TELLER_DATABASE__URL) names a SQLite file. Set it to the address of the Postgres database"
            " that is to take the data."
        )
    kept = source.with_name(f"{source.name}.moved")
    if not source.is_file():
        was = f"It has been moved, and is {kept}." if kept.exists() else "The data are in teller.db in the data folder."
        raise TellerError(f"There is no file {source}. {was}")
    if kept.exists():
        raise TellerError(f"{kept} is there from another move. Delete it, or give it another name.")
    data, own = config.data_dir.resolve(), source.parent.resolve()
    if data != own and (own / "ledger.key").exists():
        raise ConfigError(
            f"{source} is of the data folder {own}, which Postgres needs, too: with it go its files, key and anchors."
            f" But data_dir (TELLER_DATA_DIR) is {data}. Set it to {own}."
        )
    key = read_key(data / "ledger.key")
    logfile.configure(config, to_file=True)
    old = SqliteDatabase(source, SystemClock(), settle=partial(settle, source, config.data_dir))
    rows, report = asyncio.run(_moved(config, old, source, Ledger(key, config.data_dir / "ledger.anchor")))
    was = f"What was in {source} is in {kept}; delete it when you don't need it any more."
    try:
        source.rename(kept)
    except OSError as error:
        was = f"{source} cannot be renamed ({error.strerror}): take it away, so that nobody goes on with it."
    odd = " But `teller ledger verify` finds problems in it." if report.problems else ""
    return (
        f"Moved {rows:,} rows to Postgres; the ledger goes on from {report.rows} rows.{odd} Start the bot with the same"
        f" data folder. {was}"
    )


async def _moved(config: Config, old: Database, source: Path, ledger: Ledger) -> tuple[int, Report]:
    """Check the file and bring it up to date, so that both have the same tables, and move its rows. No bot may begin
    meanwhile."""
    from core.store.postgres.moving import move  # noqa: PLC0415 - an optional extra
    from core.store.sqlite.backup import check  # noqa: PLC0415 - one of two drivers
    from core.store.sqlite.database import locked  # noqa: PLC0415 - the same
    from core.store.sqlite.tables import reading  # noqa: PLC0415 - the same

    with locked(source):
        check(source)
    await old.open()
    await old.close()
    new = database(config, SystemClock())

    def moving(tx: Tx) -> int:
        with reading(source) as tables:
            return move(tx, tables)

    with locked(source):
        await new.open()
        try:
            rows = await new.write(moving)
            return rows, await new.read(ledger.verify)
        finally:
            await new.close()


async def _made_ready(db: Database, ledger: Ledger, now: Millis) -> Report:
    """Bring a copy to be restored up to date. What waits in it to be sent may have been sent since, and the anchors of
    its ledger went further."""
    await db.open()
    try:
        await db.write(dead_letters.doubt_all)
        await db.read(lambda tx: ledger.restored(tx, now))
        return await db.read(ledger.verify)
    finally:
        await db.close()
