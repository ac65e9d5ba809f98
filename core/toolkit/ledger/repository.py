"""SQL of the ledger: rows that are only ever added, and bodies beside them that can be erased."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel.ports import Row, Tx

COLUMNS = (
    "tenant_id", "scope_id", "n", "lane_id", "run_id", "trace_id", "person_id", "role", "tool", "phase", "success",
    "error", "salt", "arguments_digest", "result_digest", "at", "duration_ms", "model", "tokens_in", "tokens_out",
    "cost_microdollars", "approved_by",
)  # fmt: skip
_INSERT = f"INSERT INTO ledger ({', '.join(COLUMNS)}, mac) VALUES ({', '.join(':' + name for name in COLUMNS)}, :mac)"


def head(tx: Tx, tenant_id: int) -> tuple[int, str]:
    """Number and MAC of a tenant's last row; (0, "") when there is none."""
    row = tx.one("SELECT n, mac FROM ledger_head WHERE tenant_id = :tenant_id", {"tenant_id": tenant_id})
    return (0, "") if row is None else (row["n"], row["mac"])


def heads(tx: Tx) -> list[Row]:
    """Tenant, number and MAC of every chain."""
    return tx.all("SELECT tenant_id, n, mac FROM ledger_head WHERE n > 0 ORDER BY tenant_id")


def answered(tx: Tx) -> set[int]:
    """The tenants in whose chats a run has answered: the answer and its row were written together."""
    found = tx.all("SELECT DISTINCT tenant_id FROM message WHERE role = 'assistant' AND run_id IS NOT NULL")
    return {row["tenant_id"] for row in found}


def insert(tx: Tx, row: Mapping[str, Any], mac: str, arguments: str, result: str) -> None:
    """Add a row, its body, and move the head."""
    params = {**row, "mac": mac, "arguments": arguments, "result": result}
    tx.run(_INSERT, params)
    tx.run(
        "INSERT INTO ledger_body (tenant_id, scope_id, n, arguments, result)"
        " VALUES (:tenant_id, :scope_id, :n, :arguments, :result)",
        params,
    )
    tx.run("UPDATE ledger_head SET n = :n, mac = :mac WHERE tenant_id = :tenant_id", params)


_WITH_BODY = (
    "SELECT l.*, b.arguments, b.result FROM ledger l LEFT JOIN ledger_body b ON b.tenant_id = l.tenant_id AND b.n = l.n"
)


def page(tx: Tx, tenant_id: int, after: int, limit: int) -> list[Row]:
    """Rows of a chain with their bodies (None when erased), in order, after row number `after`."""
    return tx.all(
        f"{_WITH_BODY} WHERE l.tenant_id = :tenant_id AND l.n > :after ORDER BY l.n LIMIT :limit",
        {"tenant_id": tenant_id, "after": after, "limit": limit},
    )


def last(tx: Tx, limit: int) -> list[Row]:
    """The newest rows of all chains with their bodies (None when erased), oldest of them first."""
    newest = f"{_WITH_BODY} ORDER BY l.at DESC, l.tenant_id DESC, l.n DESC LIMIT :limit"
    return tx.all(newest, {"limit": limit})[::-1]
