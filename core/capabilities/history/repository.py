"""SQL of groups that are read along, and of what was said in them. It only reads."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.history.models import Decision, Group, Since
from core.kernel.ports import Row, Tx
from core.kernel.types import Destination, LaneKey, Millis
from core.store.conversation.history import Permalink

_GROUP = (
    "SELECT c.id AS chat_id, c.tenant_id, c.scope_id, c.title, c.external_id AS chat, t.external_id AS tenant,"
    " (SELECT min(l.id) FROM lane l WHERE l.chat_id = c.id) AS lane_id FROM chat c JOIN tenant t ON t.id = c.tenant_id"
    " WHERE c.tenant_id = :tenant_id AND c.kind = 'group' AND c.state = 'allowed' AND c.reads_along = 1"
)
_OPTED_OUT = "(SELECT o.person_id FROM optout o WHERE o.tenant_id = :tenant_id AND o.scope_id = :scope_id)"
_LANES = "(SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id)"


def group(tx: Tx, tenant_id: int, chat_id: int) -> Group | None:
    """Return a group of the tenant that is read along; None for what is no such group, or none at all."""
    row = tx.one(f"{_GROUP} AND c.id = :chat_id", {"tenant_id": tenant_id, "chat_id": chat_id})
    return None if row is None or row["lane_id"] is None else _group(row)


def groups(tx: Tx, tenant_id: int, person_id: int, limit: int) -> list[Group]:
    """Return the groups that are read along, first those where somebody was met. Whether they are in them only the
    platform knows: ask before anything of it is shown."""
    rows = tx.all(
        f"{_GROUP} ORDER BY EXISTS (SELECT 1 FROM contact k WHERE k.scope_id = c.scope_id AND k.person_id = :person_id)"
        " DESC, c.id DESC LIMIT :limit",
        {"tenant_id": tenant_id, "person_id": person_id, "limit": limit},
    )
    return [_group(row) for row in rows if row["lane_id"] is not None]


def _group(row: Row) -> Group:
    return Group(
        lane=LaneKey.of(row),
        title=row["title"] or row["chat"],
        place=Destination(tenant=row["tenant"], chat=row["chat"]),
    )


def last_seen(tx: Tx, lane: LaneKey, person_id: int, after: Millis) -> Since | None:
    """Return when somebody last wrote or pressed in a group, of what was dealt with `after` an instant; else None.

    What woke its lane by itself is neither.
    """
    row = tx.one(
        "SELECT id, sent_at FROM inbox WHERE ended_at > :after AND person_id = :person_id"
        f" AND tenant_id = :tenant_id AND lane_id IN {_LANES} AND (platform_id <> '' OR pressed IS NOT NULL)"
        " ORDER BY id DESC LIMIT 1",
        {"after": after, "person_id": person_id, **lane.params()},
    )
    return None if row is None else Since(at=row["sent_at"], inbox_id=row["id"])


def said_since(tx: Tx, lane: LaneKey, since: Since, but_run: int, limit: int) -> tuple[list[int], int]:
    """Return what people said in a group that all may see, the newest lines by their ids, oldest first, and how many
    there are: no commands, nothing of the run `but_run`, and nothing of whoever wants to be left alone there."""
    seen = (
        f"FROM message WHERE lane_id IN {_LANES} AND tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND forgotten_with IS NULL AND aside IN (0, 1) AND role = 'user' AND text NOT LIKE '/%'"
        " AND created_at >= :since AND COALESCE(inbox_id, 0) > :inbox_id AND (run_id IS NULL OR run_id <> :but_run)"
        f" AND (person_id IS NULL OR person_id NOT IN {_OPTED_OUT})"
    )
    params = {"since": since.at, "inbox_id": since.inbox_id, "but_run": but_run, "limit": limit, **lane.params()}
    rows = tx.all(f"SELECT id {seen} ORDER BY id DESC LIMIT :limit", params)
    row = tx.one(f"SELECT count(*) AS n {seen}", params) if len(rows) == limit else None
    return [row["id"] for row in reversed(rows)], len(rows) if row is None else int(row["n"])


def answered(tx: Tx, lane: LaneKey, since: Millis, ids: Sequence[int]) -> frozenset[int]:
    """Return those of some lines after an instant that others of them replied to, or that the bot answered."""
    rows = tx.many(
        "SELECT m.id, m.run_id, COALESCE(i.platform_id, '') AS sent, COALESCE(i.reply_to, '') AS reply_to"
        " FROM (VALUES :rows) AS v JOIN message m ON m.id = v.column1 LEFT JOIN inbox i ON i.id = m.inbox_id",
        [(one,) for one in ids],
    )
    answers = tx.all(
        f"SELECT DISTINCT run_id FROM message WHERE lane_id IN {_LANES} AND tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND role = 'assistant' AND run_id IS NOT NULL AND created_at >= :since",
        {"since": since, **lane.params()},
    )
    replied = {row["reply_to"] for row in rows} - {""}
    runs = {row["run_id"] for row in answers}
    return frozenset(row["id"] for row in rows if row["sent"] in replied or row["run_id"] in runs)


def decisions(tx: Tx, lane: LaneKey, since: Millis, permalink: Permalink) -> list[Decision]:
    """Return the questions of a group that somebody answered by a button after an instant, the oldest first. Those that
    only one person saw are none of them, nor is what somebody chose who wants to be left alone there."""
    rows = tx.all(
        "SELECT q.id, q.text, q.answer, q.ended_at, COALESCE(p.name, '') AS name, t.external_id AS tenant,"
        " c.external_id AS chat, l.thread, (SELECT o.platform_id FROM keyboard k JOIN outbox o"
        " ON o.tenant_id = k.tenant_id AND o.message_key = k.message_key WHERE k.question_id = q.id LIMIT 1) AS sent"
        " FROM question q JOIN lane l ON l.id = q.lane_id JOIN chat c ON c.id = q.chat_id"
        " JOIN tenant t ON t.id = q.tenant_id LEFT JOIN person p ON p.id = q.answered_by"
        " WHERE q.tenant_id = :tenant_id AND q.scope_id = :scope_id AND q.state = 'answered' AND q.source = 'user'"
        " AND q.options <> '[]' AND q.command = '' AND q.ended_at > :since"
        f" AND (q.answered_by IS NULL OR q.answered_by NOT IN {_OPTED_OUT})"
        " AND NOT EXISTS (SELECT 1 FROM keyboard k JOIN outbox o ON o.tenant_id = k.tenant_id"
        " AND o.message_key = k.message_key WHERE k.question_id = q.id AND o.hook <> '')"
        " ORDER BY q.ended_at, q.id",
        {"since": since, **lane.params()},
    )
    return [
        Decision(
            question=row["text"],
            answer=row["answer"],
            name=row["name"],
            at=row["ended_at"],
            link=permalink(Destination(tenant=row["tenant"], chat=row["chat"], thread=row["thread"]), row["sent"])
            if row["sent"]
            else "",
        )
        for row in rows
    ]
