"""SQL of a tenant's end: the app was removed from a workspace, comes back within a month, or all of it is erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis

# Why a trigger rests: for the tenant's sake, or for its chat's.
REMOVED, GONE = "uninstalled", "gone"
FILES_AT_ONCE = 100
# Before such a row goes, the database looks whether anything still points to it: a few at a time.
PARENTS_AT_ONCE = 20

# Whose keys are not `id`. Everything goes in this order: what points to something before it.
_KEYS: Mapping[str, str] = {
    "step": "scope_id, run_id, n",
    "addressee": "trigger_id, contact_id",
    "assignee": "todo_id, contact_id",
    "contact_address": "scope_id, external_id",
    "mute": "person_id, muted_id",
    "optout": "scope_id, person_id",
    "chat_retention": "scope_id, kind",
    "condition": "owner, owner_id",
    "fetch_use": "hour, scope_id, person_id",
    "token_use": "day, scope_id, person_id, model",
    "ledger_body": "n",
    "stranger": "external_id",
    "cursor_position": "name",
    "incident": "tenant_id",
    "address": "external_id",
    "link": "person_id, other_id",
}
TABLES = (
    *("step", "addressee", "assignee", "contact_address", "reminded", "keyboard", "question", "passage", "attachment"),
    *(
        "document",
        "imported_line",
        "import_job",
        "message",
        "outbox",
        "inbox",
        "run",
        "condition",
        "hook_call",
        "hook",
        "calendar_event",
        "calendar",
        "calendar_feed",
        "task_input",
        "task",
        "undo",
        "trigger",
        "reminder",
        "todo",
        "contact",
        "memory",
        "file_change",
        "folder",
        "mute",
        "errand",
    ),
    *(
        "invite",
        "optout",
        "chat_retention",
        "token_use",
        "fetch_use",
        "ledger_body",
        "link_code",
        "link",
        "stranger",
        "cursor_position",
        "incident",
        "address",
    ),
    *("lane", "chat", "person", "scope"),
)
# Where the paths of files stand.
FILED = {"attachment": "path", "outbox": "file", "file_change": "kept", "folder": "path"}
PARENTS = frozenset({"lane", "chat", "person", "scope"})
# What stays: the tenant's number, and the chain of its ledger, which has no words.
KEPT = frozenset({"tenant", "ledger", "ledger_head"})


def end(tx: Tx, tenant_id: int, now: Millis) -> bool:
    """Note that the app was removed: triggers are paused, messages that wait are given up. False when that was
    known."""
    # Whoever brings it back is to say anew whether its people may be linked with others.
    ended = "UPDATE tenant SET ended_at = :now, links = 0 WHERE id = :id AND ended_at IS NULL"
    if not tx.run(ended, _at(tenant_id, now)):
        return False
    tx.run(
        "UPDATE trigger SET state = 'paused', reason = :reason WHERE tenant_id = :id AND state = 'active'",
        {"id": tenant_id, "reason": REMOVED},
    )
    bury(tx, tenant_id, now)
    return True


def bury(tx: Tx, tenant_id: int, now: Millis) -> None:
    """Give up what waits to be sent: when the app is removed, and what was queued since then when it comes back."""
    tx.run(
        "UPDATE outbox SET state = 'dead', error = 'the app was removed', ended_at = :now"
        " WHERE tenant_id = :id AND ended_at IS NULL AND state = 'new'",
        _at(tenant_id, now),
    )


def wake(tx: Tx, tenant_id: int) -> list[LaneKey]:
    """Let the triggers that were paused with the tenant wait for their chats alone; return the chats that are there,
    whose triggers the caller resumes.

    A chat that was gone by itself is not among them.
    """
    params = {"id": tenant_id, "removed": REMOVED, "gone": GONE}
    rows = tx.all(
        "SELECT id, scope_id FROM chat WHERE tenant_id = :id AND state <> :gone AND id IN (SELECT chat_id FROM trigger"
        " WHERE tenant_id = :id AND state = 'paused' AND reason = :removed) ORDER BY id",
        params,
    )
    tx.run("UPDATE trigger SET reason = :gone WHERE tenant_id = :id AND state = 'paused' AND reason = :removed", params)
    return [LaneKey(tenant_id=tenant_id, scope_id=row["scope_id"], chat_id=row["id"], lane_id=0) for row in rows]


def present(tx: Tx) -> list[tuple[int, str, str]]:
    """Return the number, the platform and the platform's id of each tenant that has not ended."""
    rows = tx.all("SELECT id, platform, external_id FROM tenant WHERE ended_at IS NULL ORDER BY id")
    return [(row["id"], row["platform"], row["external_id"]) for row in rows]


def own(tx: Tx, tenant_id: int, person_id: int) -> None:
    """Make somebody an owner of the tenant."""
    tx.run(
        "UPDATE person SET owns = 1 WHERE id = :id AND tenant_id = :tenant_id",
        {"id": person_id, "tenant_id": tenant_id},
    )


def owners(tx: Tx, tenant_id: int) -> list[str]:
    """Addresses of the owners whom the database knows: those who installed the app."""
    rows = tx.all(
        "SELECT a.external_id FROM person p JOIN address a ON a.person_id = p.id AND a.tenant_id = p.tenant_id"
        " WHERE p.tenant_id = :tenant_id AND p.owns = 1 ORDER BY p.id, a.external_id",
        {"tenant_id": tenant_id},
    )
    return [row["external_id"] for row in rows]


def erase_ended(tx: Tx, before: Millis, limit: int, gone: list[str], now: Millis) -> int:
    """Erase about `limit` rows of a tenant that ended before an instant; returns how many changed, 0 when none is left.

    Once that has begun (`erased_at` is 0) it goes on to the end. Paths of its files go into `gone`, to be deleted
    after.
    """
    # Its row is held from here on: who brings it back waits, and finds that this has begun.
    row = tx.one(
        "UPDATE tenant SET erased_at = 0 WHERE id = (SELECT id FROM tenant WHERE ended_at < :before"
        " AND COALESCE(erased_at, 0) = 0 ORDER BY id LIMIT 1) AND ended_at < :before RETURNING id",
        {"before": before},
    )
    return 0 if row is None else _erase(tx, int(row["id"]), limit, gone, now)


def erase_rest(tx: Tx, platform: str, external_id: str, limit: int, now: Millis) -> int:
    """Erase about `limit` rows of a tenant that comes back while it is erased; returns how many changed, 0 when nothing
    of it has begun to be erased, or all of it is. Its files have no row then, and go with others of that kind."""
    # Its row is held: nobody begins to erase what comes back in this transaction.
    row = tx.one(
        "UPDATE tenant SET ended_at = ended_at WHERE platform = :platform AND external_id = :external_id"
        " AND ended_at IS NOT NULL RETURNING id, erased_at",
        {"platform": platform, "external_id": external_id},
    )
    return 0 if row is None or row["erased_at"] != 0 else _erase(tx, int(row["id"]), limit, [], now)


def _erase(tx: Tx, tenant_id: int, limit: int, gone: list[str], now: Millis) -> int:
    done = 0
    for table in TABLES:
        if done < limit:
            done += _batch(tx, table, tenant_id, limit - done, gone)
    if not done:
        done = tx.run("UPDATE tenant SET erased_at = :now, name = '' WHERE id = :id", _at(tenant_id, now))
    return done


def _batch(tx: Tx, table: str, tenant_id: int, limit: int, gone: list[str]) -> int:
    most = PARENTS_AT_ONCE if table in PARENTS else FILES_AT_ONCE if table in FILED else limit
    params = {"id": tenant_id, "limit": min(limit, most)}
    key = _KEYS.get(table, "id")
    chosen = f"SELECT {key} FROM {table} WHERE tenant_id = :id ORDER BY {key} LIMIT :limit"
    if column := FILED.get(table):
        lying = f"SELECT {column} AS path FROM {table} WHERE {column} <> '' AND id IN ({chosen})"
        gone += [row["path"] for row in tx.all(lying, params)]
    if table == "link_code":
        # Accounts of other tenants that were linked with somebody here are so no more, before anything goes that they
        # were shown by.
        theirs = "(SELECT id FROM person WHERE tenant_id = :id)"
        tx.run(f"DELETE FROM link WHERE other_id IN {theirs}", {"id": params["id"]})
        tx.run(f"DELETE FROM link_code WHERE asked_by IN {theirs}", {"id": params["id"]})
    return tx.run(f"DELETE FROM {table} WHERE tenant_id = :id AND ({key}) IN ({chosen})", params)


def _at(tenant_id: int, now: Millis) -> dict[str, int]:
    return {"id": tenant_id, "now": now}


def tables() -> Sequence[str]:
    """Every table that holds something of a tenant, whether it goes or stays."""
    return (*TABLES, *sorted(KEPT))
