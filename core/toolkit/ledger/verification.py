"""Verifying the ledger: a walk through its chains, a page at a time, while rows are added.

Each page is a read of its own, so nobody waits for the walk. What is appended meanwhile is walked through as well; it
is held against the anchors of the beginning, which are older than it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.kernel.ports import Row, Tx
from core.kernel.types import MINUTE, Millis
from core.toolkit.ledger.anchors import AnchorFile, Anchors

WITH_BODY = (
    "SELECT l.*, b.arguments, b.result FROM ledger l LEFT JOIN ledger_body b ON b.tenant_id = l.tenant_id AND b.n = l.n"
)
# With their bodies, None when erased, in order.
_FOLLOWING = f"{WITH_BODY} WHERE l.tenant_id = :tenant_id AND l.n > :after ORDER BY l.n LIMIT :limit"

PAGE = 500
# The bot anchors every ten seconds while it runs, and at its start: rows further apart than this had time to be.
UNANCHORED: Millis = MINUTE


@dataclass(slots=True)
class Report:
    """What verifying found: rows read, how many of them the key does not prove, how many that were anchored are gone or
    others, bodies erased, problems in words, and notes on what is odd but explained."""

    rows: int = 0
    changed: int = 0
    missed: int = 0
    erased: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Chain:
    """A chain as far as it was walked: its last row's number and MAC, the anchors of rows that were not seen yet, and
    the last row that the anchors may know of."""

    tenant_id: int
    anchors: Anchors
    missing: dict[int, str]
    gap: _Gap
    until: int
    n: int = 0
    mac: str = ""


class Verification:
    """A walk through every chain from its first row, held against its head and the anchors. `mac` is what a row's must
    be, by that of the row before it; `anchored` are the rows that this process has anchored, by tenant."""

    def __init__(self, file: AnchorFile, mac: Callable[[str, Row], str], anchored: Mapping[int, int]) -> None:
        self.report = Report()
        self._file, self._mac, self._anchored = file, mac, anchored
        self._chains: list[_Chain] | None = None

    def page(self, tx: Tx) -> bool:
        """Walk through the next rows; return whether there may be more. One that fails may be tried again."""
        if self._chains is None:
            self._chains = self._begin(tx)
        if not self._chains:
            return False
        chain = self._chains[-1]
        # In this order: a row that is appended between the two is read, too, before the end is compared with the head.
        end = head(tx, chain.tenant_id)
        rows = tx.all(_FOLLOWING, {"tenant_id": chain.tenant_id, "after": chain.n, "limit": PAGE})
        for row in rows:
            self._take(chain, row)
        if not rows:
            self._finish(chain, end)
            self._chains.pop()
        return bool(self._chains)

    def _begin(self, tx: Tx) -> list[_Chain]:
        # What this process had anchored is in the file, so that is read after; and all that is in it, is in the tables.
        anchored = dict(self._anchored)
        report = Report()
        anchors = self._file.read(report.problems)
        ends = {tenant_id: n for tenant_id, n, _ in heads(tx)}
        # The bot makes the file at its start, before it answers: whoever has answered had one.
        found = tx.all("SELECT DISTINCT tenant_id FROM message WHERE role = 'assistant' AND run_id IS NOT NULL")
        answered = {row["tenant_id"] for row in found}
        if (ends or answered) and (lack := self._file.lack()):
            report.problems.append(f"the anchor file is {lack}")
        report.problems += [
            f"tenant {each}: answers were given, but no row is left" for each in sorted(answered - ends.keys())
        ]
        self.report = report
        self._anchored = anchored
        chains = []
        # The last one is walked through first.
        for tenant_id in sorted(ends.keys() | anchors.keys() | anchored.keys(), reverse=True):
            kept = anchors.get(tenant_id, Anchors())
            chain = _Chain(
                tenant_id=tenant_id,
                anchors=kept,
                missing={row: mac for row, mac in kept.points.items() if row > 0},
                gap=_Gap(f"tenant {tenant_id}", report),
                until=ends.get(tenant_id, 0),
            )
            chains.append(chain)
        return chains

    def _take(self, chain: _Chain, row: Row) -> None:
        report, n = self.report, row["n"]
        report.rows += 1
        name = f"tenant {chain.tenant_id} row {n}"
        if n != chain.n + 1:
            report.problems.append(f"{name}: rows {chain.n + 1} to {n - 1} are missing")
        if not hmac.compare_digest(self._mac(chain.mac, row), row["mac"]):
            report.changed += 1
            report.problems.append(f"{name}: changed")
        if row["arguments"] is None:
            report.erased += 1
        elif any(digest(row["salt"], row[body]) != row[f"{body}_digest"] for body in ("arguments", "result")):
            report.problems.append(f"{name}: body changed")
        chain.n, chain.mac = n, row["mac"]
        if chain.anchors.since < n <= chain.until:
            chain.gap.see(n, row["at"], anchored=n in chain.missing)
        if chain.missing.pop(n, chain.mac) != chain.mac:
            report.missed += 1
            report.problems.append(f"{name}: differs from its anchor")

    def _finish(self, chain: _Chain, end: tuple[int, str]) -> None:
        problems, name = self.report.problems, f"tenant {chain.tenant_id}"
        chain.gap.end()
        if (chain.n, chain.mac) != end:
            problems.append(f"{name}: ends at row {chain.n}, its head says {end[0]}")
        self.report.missed += len(chain.missing)
        if chain.missing:
            problems.append(f"{name}: rows up to {max(chain.missing)} were anchored, {chain.n} are left")
        if max(chain.anchors.points, default=0) < self._anchored.get(chain.tenant_id, 0):
            problems.append(f"{name}: the anchor file was cut; this process had anchored more")
        self.report.notes += [f"{name}: {text}" for text in chain.anchors.restored]


class _Gap:
    """Watches for rows that had time to be anchored and were not: the anchor file was cut, or could not be written."""

    def __init__(self, chain: str, report: Report) -> None:
        self._chain, self._report = chain, report
        self._first: tuple[int, Millis] | None = None
        self._last: tuple[int, Millis] = (0, 0)

    def see(self, n: int, at: Millis, *, anchored: bool) -> None:
        """Take the next row in."""
        self._first = self._first or (n, at)
        self._last = (n, at)
        if anchored:
            self.end()

    def end(self) -> None:
        """Report the rows since the last anchor if they span too long; then begin anew."""
        if self._first is not None and self._last[1] - self._first[1] > UNANCHORED:
            rows = f"rows {self._first[0]} to {self._last[0]}"
            self._report.notes.append(f"{self._chain}: {rows} have no anchor between them; was the anchor file cut?")
        self._first = None


def head(tx: Tx, tenant_id: int) -> tuple[int, str]:
    """Number and MAC of a tenant's last row; (0, "") when there is none."""
    row = tx.one("SELECT n, mac FROM ledger_head WHERE tenant_id = :tenant_id", {"tenant_id": tenant_id})
    return (0, "") if row is None else (row["n"], row["mac"])


def heads(tx: Tx) -> list[tuple[int, int, str]]:
    """Tenant, number and MAC of every chain."""
    rows = tx.all("SELECT tenant_id, n, mac FROM ledger_head WHERE n > 0 ORDER BY tenant_id")
    return [(row["tenant_id"], row["n"], row["mac"]) for row in rows]


def digest(salt: str, body: str) -> str:
    """Return what a row says of one of its bodies."""
    return hashlib.sha256(f"{salt}:{body}".encode()).hexdigest()
