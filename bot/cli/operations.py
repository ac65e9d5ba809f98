"""What an operator can do with the data: the functions behind the commands, on an open database.

They run in the bot itself when one runs (bot.cli.socket), else in the command's own process. Arguments and results are
plain JSON; secrets are blanked in whatever is handed out.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli import tools, transfer
from bot.cli.version import version
from bot.config.config import Config
from bot.runtime.spending import limits_that_may_not_hold
from core.kernel import ids
from core.kernel.errors import StorageError, TellerError
from core.kernel.ports import Clock, Database, Row, Tx
from core.kernel.timing.trigger import TriggerState
from core.kernel.types import DAY, Json
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.store import files_backup
from core.store import statistics as counts
from core.store.conversation import dead_letters, lanes, outbox
from core.store.private_files import unlinked
from core.toolkit.ledger import ledger
from core.toolkit.ledger.ledger import Ledger

if TYPE_CHECKING:
    from bot.runtime.app import App

log = logging.getLogger(__name__)

# Seconds that the database has for an answer.
PATIENCE = 5.0
LISTED = 50
NAMED = 5
LONGEST = 1000
# What is done at once, and has waited so long (milliseconds), cannot be done.
WAITING = 120_000
# Calendars of servers that are down for less are no news (milliseconds).
FAILING = DAY
LETTERS = {"m": dead_letters.INBOX, "o": dead_letters.OUTBOX, "s": dead_letters.TRIGGER}
KINDS = {"m": "message", "o": "answer", "s": "trigger"}
Args = Mapping[str, Any]
Poke = Callable[[Tx, str, int], None]


@dataclass(frozen=True, kw_only=True)
class House:
    """What the commands work on. `live` gives the facts that only a running bot knows."""

    config: Config
    db: Database
    clock: Clock
    ledger: Ledger
    redact: Callable[[str], str] = str
    # Without a running bot nobody is poked: the next start finds the row.
    poke: Poke = lambda _tx, _kind, _key: None
    live: Callable[[], Mapping[str, Json]] | None = None
    # The house that runs; without a running bot one is built around the data for what needs it.
    app: Callable[[], App] | None = None


async def status(house: House, _args: Args) -> Json:
    """How everything is: what waits, what is dead, platforms, model, disk; `problems` is empty when all is well."""
    now = house.clock.now()
    found, trouble = await _looked_up(house, now)
    found |= {"database": house.db.name, "version": version(), "at": now, "running": house.live is not None}
    found |= {"disk_free_bytes": shutil.disk_usage(house.config.data_dir).free, "has_room": house.db.has_room()}
    found["last_anchor_at"] = house.ledger.anchors.last_at()
    live = house.live() if house.live is not None else {"platforms": {}, "model": house.config.llm.model}
    found |= live
    found["limits"] = limits_that_may_not_hold(house.config.budget, house.config.llm) if found["model"] else ""
    problems = [f"{name}: no good poll lately" for name, health in found["platforms"].items() if not health.get("ok")]
    if not found["running"]:
        problems.append("not running")
    if found.get("stopping"):
        problems.append("stopping")
    if trouble:
        problems.append(trouble)
    if refused := found.get("triggers_refused"):
        named = ", ".join(refused[:NAMED])
        problems.append(f"{len(refused)} triggers are due, and the database refuses them: the log says why ({named})")
    if found.get("files_waiting"):
        problems.append(f"{found['files_waiting']} changes of files wait: see the log for what the disk says")
    if found.get("calendars_closed"):
        key = "set the secret_key that they were added with, or have them added again"
        problems.append(f"{found['calendars_closed']} calendars cannot be opened: {key}")
    if not found["has_room"]:
        problems.append("the disk is full, or cannot be written; no messages are accepted")
    return {**found, "problems": problems}


async def _looked_up(house: House, now: int) -> tuple[dict[str, Json], str]:
    """Return what is stored, as far as the database can be read, and what is wrong with it; empty for nothing."""
    found: dict[str, Json] = {}
    try:
        async with asyncio.timeout(PATIENCE):
            found = await house.db.read(lambda tx: _stored(tx, house.db.name, now))
            if house.live is not None and house.db.has_room():
                await house.db.write(counts.touch)
    except TimeoutError:
        return found, f"the database does not answer within {PATIENCE:.0f} s"
    except StorageError as error:
        return found, f"the database {'takes no writes' if found else 'cannot be read'}: {error}"
    return found, ""


def _stored(tx: Tx, kind: str, now: int) -> dict[str, Json]:
    unanswered, oldest = counts.unanswered(tx)
    failing, closed = counts.calendars(tx, now - FAILING)
    waiting, doubtful = counts.outbox(tx)
    times = (lanes.next_due(tx, now), outbox.next_due(tx, now), triggers.next_due(tx))
    return {
        "unanswered": unanswered,
        "oldest_unanswered_s": None if oldest is None else max(0, (now - oldest) // 1000),
        "outbox_waiting": waiting,
        "outbox_in_doubt": doubtful,
        "next_due_at": min((at for at in times if at is not None), default=None),
        "dead_inbox": dead_letters.count(tx, dead_letters.INBOX),
        "dead_outbox": dead_letters.count(tx, dead_letters.OUTBOX),
        "dead_triggers": dead_letters.count(tx, dead_letters.TRIGGER),
        "files_waiting": counts.file_changes(tx, now - WAITING),
        "calendars_failing": failing,
        "calendars_closed": closed,
        "ledger_rows": counts.ledger(tx),
        "database_bytes": counts.size(tx, kind),
    }


async def dead_list(house: House, _args: Args) -> Json:
    """Every message and trigger that was given up and not looked at yet, newest first."""

    def read(tx: Tx) -> list[Json]:
        return [
            _line(outgoing, row)
            for outgoing, table in LETTERS.items()
            for row in dead_letters.listed(tx, table, LISTED)
        ]

    return sorted(await house.db.read(read), key=lambda entry: -(entry["ended_at"] or 0))


def _line(outgoing: str, row: Row) -> dict[str, Json]:
    return {
        "ref": ids.ref(outgoing, row["id"]),
        "kind": KINDS[outgoing],
        "platform": row["platform"],
        "chat": row["chat"],
        "state": row["state"],
        "ended_at": row["ended_at"],
        "error": row["error"],
        "text": _text(outgoing, row["body"]),
    }


def _text(outgoing: str, body: str | None) -> str:
    if outgoing != "o" or not body:
        return body or ""
    try:
        return str(json.loads(body).get("text", ""))
    except (ValueError, AttributeError):
        return body


async def dead_show(house: House, args: Args) -> Json:
    """One row with everything that is kept of it."""
    outgoing, row_id = _target(args)
    row = await house.db.read(lambda tx: dead_letters.find(tx, LETTERS[outgoing], row_id))
    if row is None:
        raise _unknown(args)
    whole = {name: row[name] for name in dict.fromkeys(row.keys()) if name not in {"id", "body"}}
    return {**_line(outgoing, row), **whole}


async def dead_retry(house: House, args: Args) -> Json:
    """Put a dead row back to work."""
    outgoing, row_id = _target(args)

    def retry(tx: Tx) -> Json:
        row = _dead_row(tx, outgoing, row_id, args)
        if row["raw"] is None:
            raise TellerError(f"{args['ref']} cannot be tried again: its text was erased (retention).")
        if outgoing == "m":
            key = dead_letters.retry_inbox(tx, row_id)
        else:
            # What failed may be dead as a message, and rest as a trigger: it is tried again once.
            trigger_id = row_id if outgoing == "s" else row["source_id"] if row["source_kind"] == "trigger" else None
            message = row_id if outgoing == "o" else dead_letters.unwritten_of(tx, row_id)
            if message is None:
                # The next look, within half a minute, finds it.
                pausing.resume(tx, row_id, row["next_at"])
                return f"{args['ref']} is tried again."
            key = dead_letters.retry_outbox(tx, message)
            if key is not None and trigger_id is not None:
                pausing.resume_mended(tx, trigger_id, house.clock.now())
        if key is None:
            raise TellerError(f"{args['ref']} cannot be tried again: it could not be read ({row['error']}). Drop it.")
        house.poke(tx, "lane" if outgoing == "m" else "chat", key)
        return f"{args['ref']} is tried again."

    done = await house.db.write(retry)
    log.warning("dead %s: tried again by the operator", args["ref"])
    return done


async def dead_drop(house: House, args: Args) -> Json:
    """End a dead row for good: a message's body is erased, a trigger is cancelled."""
    outgoing, row_id = _target(args)
    now = house.clock.now()

    def drop(tx: Tx) -> str:
        row = _dead_row(tx, outgoing, row_id, args)
        if outgoing == "s":
            triggers.end(tx, row_id, TriggerState.CANCELLED, now, dead_letters.DROPPED + str(row["error"]))
        elif not dead_letters.drop(tx, LETTERS[outgoing], row_id, now):
            raise TellerError(f"{args['ref']} was dropped before.")
        return str(row["error"])

    error = await house.db.write(drop)
    log.warning("dead %s: dropped by the operator; it was: %s", args["ref"], error)
    return f"{args['ref']} is dropped."


def _dead_row(tx: Tx, outgoing: str, row_id: int, args: Args) -> Row:
    row = dead_letters.find(tx, LETTERS[outgoing], row_id)
    if row is None:
        raise _unknown(args)
    if row["state"] != "dead":
        raise TellerError(f"{args['ref']} is not dead; its state is {row['state']}.")
    return row


def _target(args: Args) -> tuple[str, int]:
    """The letter and the row number of the `ref` asked for."""
    text = args.get("ref")
    if isinstance(text, str):
        for outgoing in LETTERS:
            found = ids.number(outgoing, text)
            if found is not None and found < 1 << 62:
                return outgoing, found
    raise _unknown(args)


def _unknown(args: Args) -> TellerError:
    return TellerError(f"There is no message {str(args.get('ref'))[:40]!r}. `teller dead list` shows what there is.")


async def backup(house: House, args: Args) -> Json:
    """Write a checked copy of the database, and one of the files beside it; `path` is a file, or a folder that is there
    or ends in a slash, by default backups in the data folder."""
    path = _backup_path(house, args.get("path"))
    done = [await house.db.backup(str(path))]
    if args.get("files", True):
        done.append(await asyncio.to_thread(files_backup.pack, house.config.data_dir, files_backup.beside(path)))
    return "\n".join(filter(None, done))


def _backup_path(house: House, wanted: object) -> Path:
    ending = "dump" if house.db.name == "postgres" else "db"
    name = f"teller-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(house.clock.now() / 1000))}.{ending}"
    path = Path(str(wanted or unlinked(house.config.data_dir / "backups") / name))
    return path / name if path.is_dir() or str(wanted).endswith("/") else path


async def ledger_verify(house: House, _args: Args) -> Json:
    """Walk the ledger: rows, erased bodies, problems and notes."""
    walk = house.ledger.verification()
    while await house.db.read(walk.page):
        pass
    return asdict(walk.report)


async def ledger_restored(house: House, args: Args) -> Json:
    """Take the operator's word that an older copy of the database was put in place, which the anchor file notes under
    the ledger's seal for good; returns what verifying finds then."""
    before = await ledger_verify(house, args)
    if not before["missed"]:
        raise TellerError("No row that was anchored is missing: there is nothing to be said of an older copy.")
    await house.db.read(lambda tx: house.ledger.restored(tx, house.clock.now()))
    log.warning("the operator says that an older copy of the database was restored: %s", "; ".join(before["problems"]))
    return await ledger_verify(house, args)


async def ledger_show(house: House, args: Args) -> Json:
    """The newest rows of the ledger, oldest first."""
    limit = args.get("limit", 20)
    if not isinstance(limit, int) or not 1 <= limit <= LONGEST:
        raise TellerError(f"The limit is a number from 1 to {LONGEST}.")
    rows = await house.db.read(lambda tx: ledger.last(tx, limit))
    return [{name: row[name] for name in (*ledger.COLUMNS, "arguments", "result")} for row in rows]


COMMANDS: Mapping[str, Callable[[House, Args], Awaitable[Json]]] = {
    "status": status,
    "dead.list": dead_list,
    "dead.show": dead_show,
    "dead.retry": dead_retry,
    "dead.drop": dead_drop,
    "backup": backup,
    "export": transfer.export,
    "import": transfer.take_in,
    "ledger.verify": ledger_verify,
    "ledger.restored": ledger_restored,
    "ledger.show": ledger_show,
    "tool.list": tools.listed,
    "tool.run": tools.run,
}


async def perform(house: House, command: object, args: object) -> Json:
    """Carry out a command by name; raises `TellerError` with one sentence for the operator."""
    known = COMMANDS.get(command) if isinstance(command, str) else None
    if known is None:
        raise TellerError(f"There is no command {str(command)[:40]!r}.")
    if not isinstance(args, Mapping):
        raise TellerError("The arguments must be an object.")
    return _clean(await known(house, args), house.redact)


def _clean(value: Json, redact: Callable[[str], str]) -> Json:
    """The value with secrets blanked in every text."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {name: _clean(inner, redact) for name, inner in value.items()}
    return [_clean(inner, redact) for inner in value] if isinstance(value, list | tuple) else value
