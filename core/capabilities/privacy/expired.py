"""SQL of forgetting: each function does one batch in the caller's transaction and returns how many rows it was.

The conditions stand outside of the sub-queries too: on Postgres a row may have been put back to work meanwhile.
"""

from __future__ import annotations

from core.kernel.ports import Row, Tx
from core.kernel.types import Millis
from core.store import expiry

_ENDED = {"inbox": "state IN ('done', 'dead')", "outbox": "state IN ('sent', 'dead')"}


def erase_inbox(tx: Tx, before: Millis, limit: int) -> int:
    """Erase the bodies of messages that ended before an instant; the rows stay and recognise repeats."""
    wanted = "(raw IS NOT NULL OR text <> '' OR intent <> '' OR quoted <> '')"
    act = "UPDATE inbox SET raw = NULL, text = '', intent = '', quoted = '', link = '', hook = ''"
    return _batch(tx, act, "inbox", wanted, before, limit)


def delete_inbox(tx: Tx, before: Millis, limit: int) -> int:
    """Delete messages that ended before an instant."""
    return _batch(tx, "DELETE FROM inbox", "inbox", "ended_at IS NOT NULL", before, limit)


def erase_outbox(tx: Tx, before: Millis, limit: int) -> int:
    """Erase the bodies of messages that were sent or given up before an instant."""
    return _batch(tx, "UPDATE outbox SET payload = NULL, hook = ''", "outbox", "payload IS NOT NULL", before, limit)


def delete_outbox(tx: Tx, before: Millis, limit: int) -> int:
    """Delete such messages, but none that an unsent edit, or the end of an open question, is to replace."""
    wanted = (
        "NOT EXISTS (SELECT 1 FROM outbox edit WHERE edit.replaces_id = outbox.id AND edit.state IN ('new', 'sending'))"
        " AND (tenant_id, message_key) NOT IN (SELECT k.tenant_id, k.message_key FROM question q"
        " JOIN keyboard k ON k.question_id = q.id WHERE q.state = 'open')"
    )
    return _batch(tx, "DELETE FROM outbox", "outbox", wanted, before, limit)


def _batch(tx: Tx, act: str, table: str, wanted: str, before: Millis, limit: int) -> int:
    due = f"ended_at < :before AND {_ENDED[table]} AND {wanted}"
    return tx.run(
        f"{act} WHERE {due} AND id IN (SELECT id FROM {table} WHERE {due} ORDER BY ended_at LIMIT :limit)",
        {"before": before, "limit": limit},
    )


def delete_runs(tx: Tx, before: Millis, limit: int) -> int:
    """Delete runs that ended before an instant, with their steps."""
    due = "SELECT id, tenant_id, scope_id FROM run WHERE ended_at < :before ORDER BY ended_at, id LIMIT :limit"
    rows = tx.all(due, {"before": before, "limit": limit})
    for row in rows:
        run = {name: row[name] for name in ("id", "tenant_id", "scope_id")}
        tx.run("DELETE FROM step WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND run_id = :id", run)
        tx.run("DELETE FROM run WHERE id = :id", run)
    return len(rows)


def erase_files(tx: Tx, before: Millis, limit: int, gone: list[str]) -> int:
    """Erase what came with messages before an instant; the paths of its files go into `gone`, to be deleted after."""
    due = (
        "created_at < :before AND state <> 'erased' AND id IN (SELECT id FROM attachment"
        " WHERE state <> 'erased' AND created_at < :before ORDER BY created_at, id LIMIT :limit)"
    )
    params = {"before": before, "limit": limit}
    gone += [row["path"] for row in tx.all(f"SELECT path FROM attachment WHERE {due} AND path <> ''", params)]
    return tx.run(f"UPDATE attachment SET state = 'erased', path = '', name = '', file = '' WHERE {due}", params)


def delete_files(tx: Tx, before: Millis, limit: int) -> int:
    """Delete the rows of files that were erased and came before an instant."""
    return expiry.aged(tx, "attachment", "created_at < :before AND state = 'erased'", before, limit)


def _ended_before(tx: Tx, table: str, before: Millis, limit: int) -> list[Row]:
    return tx.all(
        f"SELECT id FROM {table} WHERE ended_at < :before ORDER BY ended_at, id LIMIT :limit",
        {"before": before, "limit": limit},
    )


def delete_questions(tx: Tx, before: Millis, limit: int) -> int:
    """Delete questions that ended before an instant, with their buttons."""
    return expiry.delete_with(tx, ("keyboard", "question_id"), "question", _ended_before(tx, "question", before, limit))


def delete_triggers(tx: Tx, before: Millis, limit: int) -> int:
    """Delete triggers that ended before an instant, with whom they reminded; none of which something has to be sent."""
    rows = tx.all(
        "SELECT g.id FROM trigger g WHERE g.ended_at < :before AND NOT EXISTS (SELECT 1 FROM outbox o"
        " WHERE o.chat_id IN (SELECT g.chat_id UNION SELECT r.chat_id FROM reminder r WHERE r.trigger_id = g.id)"
        " AND o.ended_at IS NULL AND o.source_kind = 'trigger' AND o.source_id = g.id)"
        " ORDER BY g.ended_at, g.id LIMIT :limit",
        {"before": before, "limit": limit},
    )
    return expiry.delete_with(tx, ("addressee", "trigger_id"), "trigger", rows)


def delete_keyboards(tx: Tx, before: Millis, limit: int) -> int:
    """Delete buttons that were shown before an instant and belong to no question."""
    return expiry.aged(tx, "keyboard", "created_at < :before AND question_id IS NULL", before, limit)


def delete_invites(tx: Tx, before: Millis, limit: int) -> int:
    """Delete words that stopped opening the door before an instant."""
    return expiry.aged(tx, "invite", "expires_at < :before", before, limit)


def delete_undo(tx: Tx, before: Millis, limit: int) -> int:
    """Delete what could be taken back before an instant."""
    return expiry.aged(tx, "undo", "created_at < :before", before, limit)


def delete_readalong(tx: Tx, before: Millis, limit: int) -> int:
    """Delete what people of a group said to each other before an instant."""
    return expiry.aged(tx, "message", "aside = 1 AND created_at < :before", before, limit)


def delete_strangers(tx: Tx, before: Millis, limit: int) -> int:
    """Delete people without access who were last seen before an instant."""
    return tx.run(
        "DELETE FROM stranger WHERE last_at < :before AND (tenant_id, external_id) IN"
        " (SELECT tenant_id, external_id FROM stranger WHERE last_at < :before LIMIT :limit)",
        {"before": before, "limit": limit},
    )


def delete_token_use(tx: Tx, before: str, limit: int) -> int:
    """Delete counts of model tokens of days before an ISO date."""
    key = "day, tenant_id, scope_id, person_id, model"
    return tx.run(
        f"DELETE FROM token_use WHERE ({key}) IN (SELECT {key} FROM token_use WHERE day < :before LIMIT :limit)",
        {"before": before, "limit": limit},
    )
