"""Doctor's look at this computer: files, database, zone, port, tools."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from bot.cli.report import amount, duration
from bot.cli.version import version
from bot.config import file as config_file
from bot.config.sections import password_of, system_timezone
from bot.doctor.finding import Finding, Patient, careful, fine, wrong
from core.capabilities.all import CAPABILITIES
from core.capabilities.data.sandbox import AVAILABLE, Sandbox
from core.kernel.errors import StorageBusy, TellerError
from core.kernel.types import Json
from core.store import files_backup
from core.store.beneath import OPENER
from core.store.files_backup import FRESH, READY
from core.store.postgres import NO_DRIVER
from core.store.sqlite.disk_reserve import DiskReserve
from core.toolkit.ledger.anchors import AnchorFile
from core.toolkit.ledger.ledger import lost_database, lost_key, read_key
from core.toolkit.own_tools.loading import FOLDER, load

FEW_BYTES, HARDLY_ANY = 200 << 20, 20 << 20
CHECK_SECONDS = 5.0
OTHERS = 0o077
PACKAGES = ("bot", "core", "teller_tools")
SECRETS = (
    *("telegram.token", "telegram.webhook_secret", "llm.api_key", "voice.api_key", "secret_key"),
    *("slack.bot_token", "slack.app_token", "slack.signing_secret", "slack.client_secret"),
)
URLS = ("database.url", "llm.base_url", "voice.base_url", "telegram.base_url", "slack.base_url")


def configuration(patient: Patient) -> Iterator[Finding]:
    """The file: there, and closed to others when it holds secrets. That it can be read was found out before."""
    yield from (careful("configuration", warning) for warning in patient.config.warnings())
    file = patient.file
    if not file.exists():
        yield fine("configuration", f"no file {file}; only TELLER_… variables and defaults are used")
        return
    mode = stat.S_IMODE(file.stat().st_mode)
    _, values = config_file.read(file)
    if mode & OTHERS and any(_secret(key, value) for key, value in values.items()):
        yield careful("configuration", f"{file} holds secrets and others can read it; run: chmod 600 {file}")
    else:
        yield fine("configuration", f"{file}")


def _secret(key: str, value: Json) -> bool:
    if key in URLS and isinstance(value, str):
        return bool(password_of(value))
    return bool(value) and key in SECRETS


def installation(_patient: Patient) -> Iterator[Finding]:
    """The environment: our packages have everyday names, so that another program may bring one of them too."""
    found = metadata.packages_distributions()
    others = sorted({name for package in PACKAGES for name in found.get(package, ())} - {"teller"})
    if others:
        clash = f"{', '.join(others)} in {sys.prefix} has a package called as one of ours too ({', '.join(PACKAGES)})"
        clash += ", and one hides the other"
        yield careful("installation", f"{clash}; install Teller into an environment of its own (pipx, uv tool, venv)")
    else:
        yield fine("installation", f"version {version()}, in {sys.prefix}")


def owners(patient: Patient) -> Iterator[Finding]:
    """Who the bot obeys, and whether it may start."""
    config = patient.config
    problems = config.problems_at_start()
    yield from (wrong("start", problem) for problem in problems)
    if config.owners:
        yield fine("owners", ", ".join(config.owners))
    elif not config.platforms:
        yield fine("owners", "none; the console needs none")
    budget = config.budget.daily_tokens
    limit = f"at most {budget} model tokens a day" if budget else "no limit for model tokens"
    yield fine("access", f"{config.access.mode}, {limit}")


def bot(patient: Patient) -> Iterator[Finding]:
    """The running bot, if there is one."""
    found = patient.running
    if found is None:
        yield fine("bot", "not running; start it with: teller run")
    elif not found:
        return  # it does not answer, which is told already
    elif found.get("problems"):
        yield wrong("bot", f"running, but: {'; '.join(map(str, found['problems']))}; teller status tells more")
    elif found.get("calendars_failing"):
        text = f"{found['calendars_failing']} calendars could not be read for a day; who added them was told"
        yield careful("bot", f"running for {duration(found.get('uptime_s'))} (process {found.get('pid')}); {text}")
    else:
        yield fine("bot", f"running for {duration(found.get('uptime_s'))} (process {found.get('pid')})")


def folder(patient: Patient) -> Iterator[Finding]:
    """The data folder: ours, closed to others, with space."""
    path = patient.config.data_dir
    if not path.exists():
        above = next(parent for parent in path.parents if parent.exists())
        if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
            yield fine("data folder", f"{path} is made at the first start")
            yield from _room(patient, above)
        else:
            yield wrong("data folder", f"{path} cannot be made in {above}; set data_dir (TELLER_DATA_DIR)")
        return
    if not path.is_dir():
        yield wrong("data folder", f"{path} is a file; set data_dir (TELLER_DATA_DIR) to a folder, or move it away")
        return
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        # What lies in it is no news then.
        yield wrong("data folder", _denied(path))
    else:
        if stat.S_IMODE(path.stat().st_mode) & OTHERS:
            yield careful("data folder", f"others can look into {path}; the next start closes it (0700)")
        else:
            yield fine("data folder", f"{path}")
        for part in (path / name for name in (*files_backup.PARTS, "backups", "ledger.anchor")):
            if part.exists() and not os.access(part, os.R_OK | os.W_OK | (os.X_OK if part.is_dir() else 0)):
                yield wrong("data folder", _denied(part))
    yield from _room(patient, path)


def _denied(path: Path) -> str:
    """Say why what is there cannot be written, and what to do."""
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return f"{path} is on a disk that is mounted read-only; see why, mend it, and mount it again"
    return f"{path} cannot be written; give it to the user that Teller runs as, or run teller as that user"


def _room(patient: Patient, path: Path) -> Iterator[Finding]:
    """The disk that a folder is on, and that of the database: what the bot keeps free must fit, also before the folder
    of the database is made."""
    data = patient.config.database.path
    if data is not None and patient.running is None:
        there = next(parent for parent in data.parents if parent.exists())
        reserve = DiskReserve(there / "ballast", patient.config.database.ballast_mb << 20)
        if reserve.lacks_room:
            text = f"{amount(reserve.needed)} must be free for database.ballast_mb; lower it, or make room"
            yield wrong("disk", f"no message would be accepted: {text}")
    yield _space(path)


def _space(path: Path) -> Finding:
    free = shutil.disk_usage(path).free
    text = f"{amount(free)} free"
    if free < HARDLY_ANY:
        return wrong("disk", f"{text}; make room")
    return careful("disk", f"{text}; make room soon") if free < FEW_BYTES else fine("disk", text)


def allowed_folders(patient: Patient) -> Iterator[Finding]:
    """The folders that owners may use by the bot, and how paths of files are opened."""
    for one in patient.config.files.rules.allowed:
        needed = os.R_OK | os.X_OK | (os.W_OK if one.writable else 0)
        if not os.path.isdir(one.path):
            yield careful("files", f"files.allowed_paths names {one.path}, which is no folder; make it, or remove it")
        elif not os.access(one.path, needed):
            what = "written" if one.writable else "read"
            yield careful("files", f"{one.path} cannot be {what} by this user; change its mode, or files.allowed_paths")
        else:
            yield fine("files", f"{one.path} may be {'changed' if one.writable else 'read'} by owners")
    if not OPENER.kernel:
        yield fine("files", "this kernel, or its container, has no openat2: each step of a path is opened by itself")


def database(patient: Patient) -> Iterator[Finding]:
    """The database: asked of the running bot, else looked at here; a server also where that bot cannot read it."""
    path = patient.config.database.path
    found = patient.running
    if found is not None and "database_bytes" in found:
        size = amount(int(found["database_bytes"]))
        yield fine("database", f"in use by the running bot: {found.get('database')}, {size}")
    elif found is not None and path is not None:
        return  # which is told of the bot
    elif patient.config.data_dir.is_file():
        return  # which is told of the data folder
    elif path is None:
        yield _postgres(patient.config.database.url)
    elif any((folder / FRESH / READY).exists() for folder in (path.parent, patient.config.data_dir)):
        yield wrong("database", "a restore is not finished; the next start, or command, goes on with it")
    elif path.exists() and not os.access(path, os.R_OK | os.W_OK):
        yield wrong("database", _denied(path))
    elif path.exists() and path.stat().st_uid != os.getuid():
        yield careful("database", f"{path} belongs to another user; run teller as that user")
    else:
        yield _sqlite_file(path, patient.config.data_dir / "ledger.anchor")


def _sqlite_file(path: Path, anchor: Path) -> Finding:
    """Return how the file of SQLite is, or whether it can be made; the `anchor` file tells whether one was lost."""
    from core.store.sqlite.inspect import look  # noqa: PLC0415 - one of two drivers

    try:
        found = look(path, CHECK_SECONDS) if path.exists() and path.stat().st_size else None
        # Without it nobody knows whether the line about a restore is ours.
        key = read_key(anchor.with_name("ledger.key")) if anchor.with_name("ledger.key").exists() else b""
        lost = (found is None or found.unused) and AnchorFile(anchor, key).knows_rows()
    except StorageBusy as error:
        return careful("database", str(error))
    except TellerError as error:
        return wrong("database", str(error))
    if lost:
        return wrong("database", lost_database(anchor))
    if found is None:
        above = next(parent for parent in path.parents if parent.exists())
        if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
            return wrong("database", f"{path} cannot be made in {above}; set database.url to a place that is yours")
        return fine("database", f"{path} is made at the first start")
    whole = "intact" if found.checked else "too large to be checked here; teller backup checks a copy"
    late = "; it is brought up to date at the next start, after a backup" if found.behind else ""
    return fine("database", f"{path}, {whole}, version {found.newest or 'none'}{late}")


def _postgres(url: str) -> Finding:
    try:
        from core.store.postgres.inspect import look  # noqa: PLC0415 - an optional extra

        return fine("database", look(url, int(CHECK_SECONDS)))
    except ImportError:
        return wrong("database", NO_DRIVER)
    except TellerError as error:
        return wrong("database", str(error))


def sqlite(patient: Patient) -> Iterator[Finding]:
    """The library, and how many connections it may have."""
    if patient.config.database.path is None:
        return
    from core.store.sqlite.inspect import library  # noqa: PLC0415 - one of two drivers

    found = library()
    rule = "reads go beside the writer" if found.shared else "one connection for everything: it is before 3.51.3"
    yield fine("sqlite", f"{found.version} ({found.module}); {rule}")


def ledger_key(patient: Patient) -> Iterator[Finding]:
    """The key of the ledger: there, whole, and nobody else's."""
    path = patient.config.data_dir / "ledger.key"
    data = patient.config.database.path
    if not path.exists():
        if data is not None and data.exists():
            yield wrong("ledger key", lost_key(path))
        else:
            yield fine("ledger key", "made at the first start")
        return
    try:
        read_key(path)
    except TellerError as error:
        yield wrong("ledger key", str(error))
        return
    if stat.S_IMODE(path.stat().st_mode) & OTHERS:
        yield careful("ledger key", f"others can read it; run: chmod 600 {path}")
    else:
        yield fine("ledger key", "there; keep a copy in a safe place")


def timezone(patient: Patient) -> Iterator[Finding]:
    """The zone for people who chose none. That it is one was found out when the configuration was read."""
    ours, system = patient.config.timezone, system_timezone()
    said = "timezone" in patient.config.model_fields_set
    if not said and ours in {"UTC", "Etc/UTC"}:
        yield careful("time zone", f"{ours}, as this computer says; if you live elsewhere set timezone")
    elif ours == system:
        yield fine("time zone", ours)
    else:
        yield fine("time zone", f"{ours} (this computer: {system})")


def port(patient: Patient) -> Iterator[Finding]:
    """The port of the small web server."""
    http = patient.config.http
    if not http.port:
        yield fine("http", "off (http.port is 0)")
        return
    where = f"{http.host} port {http.port}"
    if patient.running is not None:
        yield fine("http", f"{where}, of the running bot")
        return
    family = socket.AF_INET6 if ":" in http.host else socket.AF_INET
    try:
        socket.create_server((http.host, http.port), family=family).close()
    except OSError as error:
        why = error.strerror or error
        yield wrong("http", f"cannot listen on {where}: {why}; free it, or choose another http.port or http.host")
    else:
        yield fine("http", f"{where} is free")


def sandbox(_patient: Patient) -> Iterator[Finding]:
    """The tool that will lock programs in."""
    found = shutil.which("bwrap")
    yield fine("sandbox", f"{found or 'no bwrap'}; not needed yet")


def python(_patient: Patient) -> Iterator[Finding]:
    """Whether models can run Python here."""
    if not AVAILABLE:
        yield fine(
            "run_python", "not on this platform: pydantic-monty has no wheel for it; models calculate by themselves"
        )
        return

    async def calculate() -> str:
        sandbox = Sandbox()
        try:
            return (await sandbox.run("6 * 7", datetime.now(UTC))).output
        finally:
            await sandbox.close()

    try:
        output = asyncio.run(calculate())
    except Exception as error:  # whatever keeps a child process from starting
        yield wrong(
            "run_python", f"its process cannot be started ({type(error).__name__}: {error}); install Teller again"
        )
    else:
        yield fine("run_python", "works") if output == "42" else wrong("run_python", f"6 * 7 is {output!r} to it")


def tools(patient: Patient) -> Iterator[Finding]:
    """Tools of one's own, and why some were not loaded."""
    built_in = {tool.name for capability in CAPABILITIES for tool in capability.tools}
    own = load(patient.config.data_dir / FOLDER, built_in)
    yield from (careful("own tools", problem) for problem in own.problems)
    names = ", ".join(tool.name for tool, _ in own.tools)
    if names or not own.problems:
        yield fine("own tools", names or f"none; they may stand in {patient.config.data_dir / FOLDER}")


CHECKS: dict[str, Callable[[Patient], Iterator[Finding]]] = {
    "installation": installation,
    "configuration": configuration,
    "owners": owners,
    "bot": bot,
    "data folder": folder,
    "files": allowed_folders,
    "database": database,
    "sqlite": sqlite,
    "ledger key": ledger_key,
    "time zone": timezone,
    "http": port,
    "sandbox": sandbox,
    "run_python": python,
    "own tools": tools,
}
