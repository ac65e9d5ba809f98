"""What of the spine is forgotten by itself: `EXPIRES` is the list, each in batches of the caller's transactions.

The conditions stand outside of the sub-queries too: on Postgres a row may have been put back to work meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from core.capabilities.privacy import erasure, repository
from core.kernel.ports import Tx
from core.scheduling.firing import NO_ACCESS
from core.store import expiry
from core.store.conversation import history
from core.store.people import installations
from core.toolkit.keeping import Expire, Keep, Night, Whose

# Rows of the inbox recognise repeats for as long, whatever is configured.
DEDUPE_DAYS = 7
_RECEIVED = "ended_at < :before AND state IN ('done', 'dead')"
_SENT = "ended_at < :before AND state IN ('sent', 'dead')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Old:
    """Rows of a table that are deleted, or to which `act` is done, when they are `days` old.

    `due` says which those are, by `:before` (the instant so many days ago) or `:day` (its date).
    """

    table: str
    days: Callable[[Keep], int]
    due: str
    act: str = ""
    key: str = "id"
    order: str = ""

    def __call__(self, tx: Tx, night: Night, limit: int) -> int:
        """Do one batch; return how many rows that was."""
        before = night.ago(self.days(night.keep))
        order = f" ORDER BY {self.order}" if self.order else ""
        chosen = f"SELECT {self.key} FROM {self.table} WHERE {self.due}{order} LIMIT :limit"
        day = datetime.fromtimestamp(before / 1000, UTC).date().isoformat()
        return tx.run(
            f"{self.act or f'DELETE FROM {self.table}'} WHERE {self.due} AND ({self.key}) IN ({chosen})",
            {"before": before, "day": day, "limit": limit},
        )


def delete_runs(tx: Tx, night: Night, limit: int) -> int:
    """Delete runs that ended long ago, with their steps."""
    due = "SELECT id, tenant_id, scope_id FROM run WHERE ended_at < :before ORDER BY ended_at, id LIMIT :limit"
    rows = tx.all(due, {"before": night.ago(night.keep.journal), "limit": limit // 5})
    for row in rows:
        run = {name: row[name] for name in ("id", "tenant_id", "scope_id")}
        tx.run("DELETE FROM step WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND run_id = :id", run)
        tx.run("DELETE FROM run WHERE id = :id", run)
    return len(rows)


def delete_questions(tx: Tx, night: Night, limit: int) -> int:
    """Delete questions that ended long ago, with their buttons."""
    rows = tx.all(
        "SELECT id FROM question WHERE ended_at < :before ORDER BY ended_at, id LIMIT :limit",
        {"before": night.ago(night.keep.questions), "limit": limit // 5},
    )
    return expiry.delete_with_parts(tx, "question", rows, parts="keyboard", key="question_id")


# Of each trigger that goes on, so many of the last tasks stay: its next one is told of them.
LAST_OF_TRIGGER = 5


def delete_tasks(tx: Tx, night: Night, limit: int) -> int:
    """Delete tasks that ended long ago, with what they were told; not the last ones of a trigger that goes on."""
    rows = tx.all(
        "SELECT t.id FROM task t WHERE t.ended_at < :before AND NOT EXISTS (SELECT 1 FROM trigger g"
        " WHERE g.id = t.trigger_id AND g.ended_at IS NULL AND (SELECT count(*) FROM task n"
        " WHERE n.trigger_id = t.trigger_id AND n.state = 'done' AND n.id > t.id) < :last)"
        " ORDER BY t.ended_at, t.id LIMIT :limit",
        {"before": night.ago(night.keep.journal), "last": LAST_OF_TRIGGER, "limit": limit // 5},
    )
    return expiry.delete_with_parts(tx, "task", rows, parts="task_input", key="task_id")


def delete_triggers(tx: Tx, night: Night, limit: int) -> int:
    """Delete triggers that ended long ago, or were due long ago and rest since who made them has no access, with whom
    they reminded; none of which something has to be sent."""
    rows = tx.all(
        "SELECT g.id FROM trigger g WHERE (g.ended_at < :before OR (g.state = 'paused' AND g.reason = :reason"
        " AND g.next_at < :rests)) AND NOT EXISTS (SELECT 1 FROM outbox o"
        " WHERE o.chat_id IN (SELECT g.chat_id UNION SELECT r.chat_id FROM reminder r WHERE r.trigger_id = g.id)"
        " AND o.ended_at IS NULL AND o.source_kind = 'trigger' AND o.source_id = g.id)"
        " ORDER BY g.ended_at, g.id LIMIT :limit",
        {
            "before": night.ago(night.keep.undo),
            "rests": night.ago(night.keep.without_access),
            "reason": NO_ACCESS,
            "limit": limit // 5,
        },
    )
    return expiry.delete_with_parts(tx, "trigger", rows, parts="addressee", key="trigger_id")


def erase_documents(tx: Tx, night: Night, limit: int, gone: list[str]) -> int:
    """Erase what files were sent long ago, as their bodies go; their paths go into `gone`, to be deleted after."""
    due = (
        f"{_SENT} AND file <> '' AND id IN (SELECT id FROM outbox WHERE {_SENT} AND file <> ''"
        " ORDER BY ended_at, id LIMIT :limit)"
    )
    params = {"before": night.ago(night.keep.outbox), "limit": limit}
    gone += [row["file"] for row in tx.all(f"SELECT file FROM outbox WHERE {due}", params)]
    return tx.run(f"UPDATE outbox SET file = '' WHERE {due}", params)


def erase_files(tx: Tx, night: Night, limit: int, gone: list[str]) -> int:
    """Erase what came with messages long ago; the paths of its files go into `gone`, to be deleted after."""
    due = (
        "created_at < :before AND state <> 'erased' AND id IN (SELECT id FROM attachment"
        " WHERE state <> 'erased' AND created_at < :before ORDER BY created_at, id LIMIT :limit)"
    )
    params = {"before": night.ago(night.keep.files), "limit": limit}
    gone += [row["path"] for row in tx.all(f"SELECT path FROM attachment WHERE {due} AND path <> ''", params)]
    return tx.run(f"UPDATE attachment SET state = 'erased', path = '', name = '', file = '' WHERE {due}", params)


def erase_in_chats(tx: Tx, night: Night, limit: int, gone: list[str]) -> int:
    """Erase what chats want to be kept for fewer days than that; the paths of its files go into `gone`."""
    for lane, kind, days in repository.wishes(tx):
        whose = Whose(lane=lane, before=0, until=night.ago(days))
        erased, paths = erasure.erase(tx, erasure.older(kind), whose, night.now, limit)
        gone += paths
        if erased:
            return erased
    return 0


EXPIRES: Mapping[str, Expire] = {
    # The rows stay and recognise repeats.
    "inbox bodies": Old(
        table="inbox",
        days=lambda keep: keep.inbox,
        due=f"{_RECEIVED} AND (raw IS NOT NULL OR text <> '' OR intent <> '' OR quoted <> '')",
        act="UPDATE inbox SET raw = NULL, text = '', intent = '', quoted = '', link = '', hook = ''",
        order="ended_at",
    ),
    "inbox rows": Old(
        table="inbox", days=lambda keep: max(2 * keep.inbox, DEDUPE_DAYS), due=_RECEIVED, order="ended_at"
    ),
    "outbox bodies": Old(
        table="outbox",
        days=lambda keep: keep.outbox,
        due=f"{_SENT} AND payload IS NOT NULL",
        act="UPDATE outbox SET payload = NULL, hook = ''",
        order="ended_at",
    ),
    # But none that an unsent edit, or the end of an open question, is to replace.
    "outbox rows": Old(
        table="outbox",
        days=lambda keep: 2 * keep.outbox,
        due=f"{_SENT} AND NOT EXISTS (SELECT 1 FROM outbox edit WHERE edit.replaces_id = outbox.id"
        " AND edit.state IN ('new', 'sending')) AND (tenant_id, message_key) NOT IN (SELECT k.tenant_id, k.message_key"
        " FROM question q JOIN keyboard k ON k.question_id = q.id WHERE q.state = 'open')",
        order="ended_at",
    ),
    # What was given up otherwise than by being sent.
    "forgotten bodies": Old(
        table="outbox",
        days=lambda _: 0,
        due="forgotten = 1 AND ended_at IS NOT NULL AND payload IS NOT NULL",
        act="UPDATE outbox SET payload = NULL",
    ),
    "questions": delete_questions,
    "buttons": Old(
        table="keyboard", days=lambda keep: keep.buttons, due="created_at < :before AND question_id IS NULL"
    ),
    "invitations": Old(table="invite", days=lambda keep: keep.buttons, due="expires_at < :before"),
    "rows of files": Old(
        table="attachment", days=lambda keep: 2 * keep.files, due="created_at < :before AND state = 'erased'"
    ),
    "tasks": delete_tasks,
    "triggers": delete_triggers,
    "undo": Old(table="undo", days=lambda keep: keep.undo, due="created_at < :before"),
    # What people of a group said to each other.
    "read along": Old(table="message", days=lambda keep: keep.readalong, due="aside = 1 AND created_at < :before"),
    # Nothing is forgotten by this: what a former version wrote becomes part of the text index.
    "lines not indexed": lambda tx, night, limit: history.catch_up(tx, limit // 5),
    "runs": delete_runs,
    "strangers": Old(
        table="stranger",
        days=lambda keep: keep.strangers,
        due="last_at < :before",
        key="tenant_id, external_id",
    ),
    "installations": lambda tx, night, limit: installations.forget(tx, night.ago(night.keep.uninstalled), limit),
    "token counts": Old(
        table="token_use",
        days=lambda keep: keep.token_use,
        due="day < :day",
        key="day, tenant_id, scope_id, person_id, model",
    ),
}
