"""The ledger: what the bot did, in a chain nobody can change unseen.

Each row carries an HMAC over the row before it and over salted digests of its bodies; the key lies in a file outside
the database, and the head of each chain is anchored in another file. So an edit, a cut tail and a rewritten table are
all found, while a body can be erased on request: verifying then says `erased`, not `changed`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from core.kernel.errors import ConfigError, StorageError
from core.kernel.ports import Row, Tx
from core.kernel.types import Json, JsonText, LaneKey, Millis, Usage
from core.store.private_files import MODE, name_for_good, private
from core.toolkit.ledger.anchors import BEGUN, AnchorFile
from core.toolkit.ledger.verification import WITH_BODY, Report, Verification, digest, head, heads

COLUMNS = (
    "tenant_id", "scope_id", "n", "lane_id", "run_id", "trace_id", "person_id", "role", "tool", "phase", "success",
    "error", "salt", "arguments_digest", "result_digest", "at", "duration_ms", "model", "tokens_in", "tokens_out",
    "cost_microdollars", "approved_by",
)  # fmt: skip
_VALUES = itemgetter(*COLUMNS)
_INSERT = f"INSERT INTO ledger ({', '.join(COLUMNS)}, mac) VALUES ({', '.join(':' + name for name in COLUMNS)}, :mac)"
_KEYS = ("tenant_id", "scope_id", "n")
_INSERT_BODY = (
    "INSERT INTO ledger_body (tenant_id, scope_id, n, arguments, result)"
    " VALUES (:tenant_id, :scope_id, :n, :arguments, :result)"
)
_MOVE_HEAD = "UPDATE ledger_head SET n = :n, mac = :mac WHERE tenant_id = :tenant_id"

KEY_BYTES = 32
# Made once: with options of its own `json.dumps` makes a new one at each call.
_BODY = json.JSONEncoder(ensure_ascii=False, default=str, sort_keys=True)
_ROW = json.JSONEncoder(ensure_ascii=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One act. `phase` is `planned` (before an outward call) or `outcome`; instants and durations are milliseconds.

    `arguments` and `result` (which may be JSON already) are bodies and can be erased; all else stays for good. So
    `error` is a code: its text belongs into the result.
    """

    lane: LaneKey
    run_id: int
    trace_id: str
    person_id: int
    role: str
    tool: str
    at: Millis
    arguments: Json
    result: Json = None
    phase: str = "outcome"
    success: bool = True
    error: str = ""
    duration_ms: int = 0
    usage: Usage = Usage()
    cost_microdollars: int = 0
    approved_by: int | None = None


class Ledger:
    """Appends to the chains and verifies them; `anchors` is their file. `redact` takes secrets out of bodies before
    they are stored."""

    def __init__(self, key: bytes, anchor: Path, redact: Callable[[str], str] = str) -> None:
        self._key, self._redact = key, redact
        # With the key worked in: each row takes a copy of it.
        self._keyed = hmac.new(key, digestmod=hashlib.sha256)
        self.anchors = AnchorFile(anchor, key)
        self._anchored: dict[int, int] = {}
        self._begun = False

    def seal(self, data: bytes) -> str:
        """Return what proves that this bot wrote something, such as an export."""
        return hmac.new(self._key, b"export\0" + data, hashlib.sha256).hexdigest()

    def sealed(self, data: bytes, seal: str) -> bool:
        """Return whether this bot wrote it."""
        return hmac.compare_digest(self.seal(data).encode(), seal.encode("utf-8", "replace"))

    def append(self, tx: Tx, record: Record) -> int:
        """Add a row in the caller's transaction and return its number. Locks the tenant's chain."""
        tenant_id = record.lane.tenant_id
        tx.lock(("ledger_head", tenant_id))
        last, previous = head(tx, tenant_id)
        salt = secrets.token_hex(16)
        arguments = self._text(_BODY.encode(record.arguments))
        result = self._text(record.result if isinstance(record.result, JsonText) else _BODY.encode(record.result))
        row: dict[str, Any] = {
            "tenant_id": tenant_id,
            "scope_id": record.lane.scope_id,
            "n": last + 1,
            "lane_id": record.lane.lane_id,
            "run_id": record.run_id,
            "trace_id": record.trace_id,
            "person_id": record.person_id,
            "role": record.role,
            "tool": self._text(record.tool),
            "phase": record.phase,
            "success": int(record.success),
            "error": self._text(record.error)[:1000],
            "salt": salt,
            "arguments_digest": digest(salt, arguments),
            "result_digest": digest(salt, result),
            "at": record.at,
            "duration_ms": record.duration_ms,
            "model": self._text(record.usage.model),
            "tokens_in": record.usage.tokens_in,
            "tokens_out": record.usage.tokens_out,
            "cost_microdollars": record.cost_microdollars,
            "approved_by": record.approved_by,
        }
        row["mac"] = self._mac(previous, row)
        tx.run(_INSERT, row)
        tx.run(_INSERT_BODY, {**{name: row[name] for name in _KEYS}, "arguments": arguments, "result": result})
        tx.run(_MOVE_HEAD, {name: row[name] for name in ("tenant_id", "n", "mac")})
        return last + 1

    def _text(self, value: str) -> str:
        """Without secrets and without what a database would store differently (NUL, halves of surrogate pairs)."""
        text = self._redact(value)
        if text.isascii() and "\0" not in text:
            return text
        return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()

    def _mac(self, previous: str, row: Mapping[str, Any] | Row) -> str:
        content = _ROW.encode([previous, *_VALUES(row)])
        mac = self._keyed.copy()
        mac.update(content.encode())
        return mac.hexdigest()

    def anchor(self, tx: Tx, now: Millis) -> None:
        """Write the heads that moved since the last time to the anchor file; the first time the file is made."""
        moved = [one for one in heads(tx) if self._anchored.get(one[0]) != one[1]]
        if moved or not self._begun:
            self.anchors.append(moved or [BEGUN], now)
            self._anchored.update({tenant_id: n for tenant_id, n, _ in moved})
            self._begun = True

    def restored(self, tx: Tx, now: Millis) -> None:
        """Let the chains go on from the heads of a backup that was put in place, without missing rows anchored
        later."""
        ends = {tenant_id: (n, mac) for tenant_id, n, mac in heads(tx)}
        known = (ends.keys() | self.anchors.read([]).keys()) - {BEGUN[0]}
        lines = [(tenant_id, *ends.get(tenant_id, (0, ""))) for tenant_id in sorted(known)]
        try:
            if lines:
                self.anchors.append(lines, now, restored=True)
        except OSError as error:
            raise StorageError(f"the ledger's anchor file cannot be written: {error.strerror}") from error
        self._anchored = {tenant_id: n for tenant_id, (n, _) in ends.items()}

    def verification(self) -> Verification:
        """Return a walk through every chain, to be done page by page."""
        return Verification(self.anchors, self._mac, self._anchored)

    def verify(self, tx: Tx) -> Report:
        """Walk every chain from its first row, in one transaction, and hold it against its head and the anchors."""
        walk = self.verification()
        while walk.page(tx):
            pass
        return walk.report


def last(tx: Tx, limit: int) -> list[Row]:
    """Return the newest rows of all chains with their bodies (None when erased), oldest of them first."""
    newest = f"{WITH_BODY} ORDER BY l.at DESC, l.tenant_id DESC, l.n DESC LIMIT :limit"
    return tx.all(newest, {"limit": limit})[::-1]


def begin(tx: Tx, folder: Path) -> None:
    """Hold an opened database against the key and the anchors in `folder`, before `load_key` may make a key there.

    Raises `StorageError` when the database has no row but the anchors know some, or cannot be read: it is not the one
    that was here. And `ConfigError` when it has rows but the key is gone: with a new one none of them would prove
    anything any more.
    """
    key, anchor = folder / "ledger.key", folder / "ledger.anchor"
    known = read_key(key) if heads(tx) or os.path.lexists(key) else b""
    if not heads(tx) and AnchorFile(anchor, known).knows_rows():
        raise StorageError(lost_database(anchor))


def went_back(tx: Tx, folder: Path) -> bool:
    """Return whether the database is older than the one that was here, or another: a row that was anchored last is not
    in it, or it has rows and none was anchored. It was restored by hand, or lost its last moments with the power."""
    newest = AnchorFile(folder / "ledger.anchor", b"").newest()
    row = "SELECT 1 AS found FROM ledger WHERE tenant_id = :tenant_id AND n = :n AND mac = :mac"
    anchored = ({"tenant_id": tenant_id, "n": n, "mac": mac} for tenant_id, (n, mac) in newest.items() if n)
    return any(tx.one(row, one) is None for one in anchored) if newest else bool(heads(tx))


def lost_database(anchor: Path) -> str:
    """Say what to do where anchors know rows that the database does not have."""
    return (
        f"The database is missing or empty, but there was one: {anchor} knows of its rows. Restore a backup (`teller"
        f" restore FILE`) or put the database back; from SQLite to Postgres it is moved (`teller move FILE`). Or, to"
        f" begin anew, move {anchor} away."
    )


def lost_key(key: Path) -> str:
    """Say what to do where there are rows and no key."""
    return (
        f"The ledger's key {key} is missing. Put your copy back. If it is lost, make a new one: (umask 077; openssl"
        f" rand -hex {KEY_BYTES} > {key}). Then no row from before proves anything, and `teller ledger verify` says so."
    )


def load_key(path: Path, tighten: Callable[[int, int], None] = os.fchmod) -> bytes:
    """Read the chain's key, or make one (32 bytes) on the first start. One that others can read is closed to them.

    Raises `ConfigError`, also where it stays open to others.
    """
    try:
        if not os.path.lexists(path):
            # Under another name first: a key that a full disk cut short would weaken every row. And on the disk before
            # any row needs it: after a power cut nothing starts with an empty one, and nobody has a copy yet.
            new = path.with_name(f"{path.name}.new")
            with open(new, "w", opener=private) as file:
                file.write(secrets.token_hex(KEY_BYTES))
                file.flush()
                os.fsync(file.fileno())
            name_for_good(new, path)
        with open(path, "rb", opener=private) as opened:
            if _others_may_read(opened.fileno()):
                with suppress(OSError):
                    tighten(opened.fileno(), MODE)
            # Some file systems don't do it.
            still_readable = _others_may_read(opened.fileno())
        if still_readable:
            raise ConfigError(
                f"Others can read the ledger's key {path}, and that cannot be changed. Run: chmod 600 {path}"
            )
    except OSError as error:
        raise ConfigError(f"The ledger's key {path} cannot be read or made: {error.strerror}.") from error
    return read_key(path)


def read_key(path: Path) -> bytes:
    """Read the chain's key and change nothing; raises `ConfigError`."""
    try:
        with open(path, encoding="utf-8", errors="replace", opener=private) as file:
            key = bytes.fromhex(file.read().strip())
    except FileNotFoundError as error:
        raise ConfigError(lost_key(path)) from error
    except OSError as error:
        raise ConfigError(f"The ledger's key {path} cannot be read or made: {error.strerror}.") from error
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigError(f"The ledger's key {path} is damaged. Put the right file back, from where you keep a copy.")
    return key


def _others_may_read(file: int) -> bool:
    return bool(stat.S_IMODE(os.fstat(file).st_mode) & 0o077)
