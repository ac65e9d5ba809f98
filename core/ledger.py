"""The ledger: what the bot did, in a chain nobody can change unseen.

Each row carries an HMAC over the row before it and over salted digests of its bodies; the key lies in a file outside the
database, and the head of each chain is anchored in another file. So an edit, a cut tail and a rewritten table are all
found, while a body can be erased on request: verifying then says `erased`, not `changed`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.ports import Row, Tx
from core.store import ledger as rows
from core.types import Json, LaneKey, Millis, Usage

PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One act. `phase` is `planned` (before an outward call) or `outcome`; instants and durations are milliseconds."""

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
    approved_by: int | None = None


@dataclass(slots=True)
class Report:
    """What verifying found: rows read, bodies erased, and problems in words."""

    rows: int = 0
    erased: int = 0
    problems: list[str] = field(default_factory=list)


class Ledger:
    """Appends to the chains and verifies them. `redact` takes secrets out of bodies before they are stored."""

    def __init__(self, key: bytes, anchor: Path, redact: Callable[[str], str] = str) -> None:
        self._key, self._anchor, self._redact = key, anchor, redact
        self._anchored: dict[int, int] = {}

    def append(self, tx: Tx, record: Record) -> int:
        """Add a row in the caller's transaction and return its number. Locks the tenant's chain."""
        tenant_id = record.lane.tenant_id
        tx.lock(("ledger_head", tenant_id))
        n, previous = rows.head(tx, tenant_id)
        arguments, result = self._body(record.arguments), self._body(record.result)
        row = _row(record, n + 1, secrets.token_hex(16), arguments, result)
        rows.insert(tx, row, self._mac(previous, row), arguments, result)
        return n + 1

    def _body(self, value: Json) -> str:
        return self._redact(json.dumps(value, ensure_ascii=False, default=str, sort_keys=True))

    def _mac(self, previous: str, row: Mapping[str, Any] | Row) -> str:
        content = json.dumps([previous, *(row[name] for name in rows.COLUMNS)], ensure_ascii=True)
        return hmac.new(self._key, content.encode(), hashlib.sha256).hexdigest()

    def anchor(self, tx: Tx, now: Millis) -> None:
        """Write the heads that moved since the last time to the anchor file, one JSON line each."""
        moved = [row for row in rows.heads(tx) if self._anchored.get(row["tenant_id"]) != row["n"]]
        if not moved:
            return
        with open(os.open(self._anchor, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "a") as file:
            for row in moved:
                line = {"tenant": row["tenant_id"], "n": row["n"], "mac": row["mac"], "at": now}
                file.write(json.dumps(line) + "\n")
                self._anchored[row["tenant_id"]] = row["n"]

    def verify(self, tx: Tx) -> Report:
        """Walk every chain from its first row, and hold it against its head and the anchors."""
        report = Report()
        anchors = self._read_anchors(report)
        tenants = {row["tenant_id"]: (row["n"], row["mac"]) for row in rows.heads(tx)}
        for tenant_id in sorted(tenants.keys() | anchors.keys()):
            self._verify_chain(tx, tenant_id, tenants.get(tenant_id, (0, "")), anchors[tenant_id], report)
        return report

    def _verify_chain(
        self, tx: Tx, tenant_id: int, head: tuple[int, str], anchors: Mapping[int, str], report: Report
    ) -> None:
        n, mac = 0, ""
        open_anchors = dict(anchors)
        while page := rows.page(tx, tenant_id, n, PAGE):
            for row in page:
                self._verify_row(row, n, mac, report)
                n, mac = row["n"], row["mac"]
                if open_anchors.pop(n, mac) != mac:
                    report.problems.append(f"tenant {tenant_id} row {n}: differs from its anchor")
        if (n, mac) != head:
            report.problems.append(f"tenant {tenant_id}: ends at row {n}, its head says {head[0]}")
        if open_anchors:
            report.problems.append(f"tenant {tenant_id}: rows up to {max(open_anchors)} were anchored, {n} are left")

    def _verify_row(self, row: Row, n: int, previous: str, report: Report) -> None:
        report.rows += 1
        name = f"tenant {row['tenant_id']} row {row['n']}"
        if row["n"] != n + 1:
            report.problems.append(f"{name}: rows {n + 1} to {row['n'] - 1} are missing")
        if not hmac.compare_digest(self._mac(previous, row), row["mac"]):
            report.problems.append(f"{name}: changed")
        if row["arguments"] is None:
            report.erased += 1
        elif any(_digest(row["salt"], row[body]) != row[f"{body}_digest"] for body in ("arguments", "result")):
            report.problems.append(f"{name}: body changed")

    def _read_anchors(self, report: Report) -> defaultdict[int, dict[int, str]]:
        found: defaultdict[int, dict[int, str]] = defaultdict(dict)
        lines = self._anchor.read_text().splitlines() if self._anchor.exists() else []
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                found[entry["tenant"]][entry["n"]] = entry["mac"]
            except (ValueError, KeyError, TypeError):
                report.problems.append(f"anchor file line {number} cannot be read")
        return found


def _digest(salt: str, body: str) -> str:
    return hashlib.sha256(f"{salt}:{body}".encode()).hexdigest()


def _row(record: Record, n: int, salt: str, arguments: str, result: str) -> dict[str, Any]:
    return {
        "tenant_id": record.lane.tenant_id,
        "scope_id": record.lane.scope_id,
        "n": n,
        "lane_id": record.lane.lane_id,
        "run_id": record.run_id,
        "trace_id": record.trace_id,
        "person_id": record.person_id,
        "role": record.role,
        "tool": record.tool,
        "phase": record.phase,
        "success": int(record.success),
        "error": record.error[:1000],
        "salt": salt,
        "arguments_digest": _digest(salt, arguments),
        "result_digest": _digest(salt, result),
        "at": record.at,
        "duration_ms": record.duration_ms,
        "model": record.usage.model,
        "tokens_in": record.usage.tokens_in,
        "tokens_out": record.usage.tokens_out,
        "cost_microdollars": 0,
        "approved_by": record.approved_by,
    }


def load_key(path: Path) -> bytes:
    """Read the chain's key, or make one (32 bytes, file 0600) on the first start."""
    if not path.exists():
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
    return bytes.fromhex(path.read_text().strip())
