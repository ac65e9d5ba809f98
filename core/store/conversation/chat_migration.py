"""A chat that has moved to a new id: one column changes; what came to the new id before goes over to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.kernel.ports import Row, Tx
from core.kernel.types import Inbound, LaneKey, Millis
from core.store.conversation import inbox, lanes
from core.store.people import chats, groups
from core.store.people.chats import ChatState
from core.store.people.people import lane_key
from core.store.text_index import index

# Of the spine, by whether their rows name the chat; the acts in the ledger stay where they were done.
_OF_LANES: Mapping[str, bool] = {
    "inbox": False, "message": False, "run": False, "attachment": False,
    "outbox": True, "question": True, "keyboard": True, "trigger": True, "task": True,
}  # fmt: skip
_OF_SCOPES = ("passage", "step", "invite", "undo", "addressee", "task_input")


@dataclass(frozen=True, kw_only=True)
class Merged:
    """Two chats that are one since `at`: which lane each lane of the one is now, and the scope `source` that is
    `scope_id` now."""

    lanes: Sequence[tuple[int, LaneKey]]
    source: int
    scope_id: int
    at: Millis


@dataclass(frozen=True, kw_only=True)
class Chats:
    """Who hears what becomes of chats: that one is there again, and that one has become another."""

    back: Callable[[Tx, LaneKey], None]
    merged: Callable[[Tx, Merged], None]


def move(tx: Tx, tenant_id: int, chat: str, to: str, now: Millis, *, hears: Chats) -> list[int]:
    """Give a chat its new id: everything of it stays where it is. Returns the lanes that have more to do now.

    The caller has locked the chat. That the platform says of the old group the bot has left it, is no removal: it
    is heard that the chat is there, for what rested meanwhile. Ids of messages count anew under the new id: that of an
    older message is another one's. The bot's cannot be edited any more, and an edit is not one of what people had said.
    """
    old, new = chats.find(tx, tenant_id, chat), chats.find(tx, tenant_id, to)
    if old is None:
        return []
    tx.run("UPDATE outbox SET platform_id = NULL WHERE chat_id = :id AND platform_id IS NOT NULL", {"id": old["id"]})
    # What is still to be answered keeps its id until it is: nothing new is likely to have the same so soon.
    tx.run(
        "UPDATE inbox SET platform_id = :moved || platform_id,"
        " reply_to = CASE WHEN reply_to = '' THEN '' ELSE :moved || reply_to END"
        " WHERE tenant_id = :tenant_id AND platform_id <> '' AND ended_at IS NOT NULL"
        " AND lane_id IN (SELECT id FROM lane WHERE chat_id = :id)",
        {"moved": inbox.MOVED, "tenant_id": tenant_id, "id": old["id"]},
    )
    found = [] if new is None else _merge(tx, new, old, now, hears)
    # It is what it was before it went, or what somebody with access made of it under its new id.
    was_allowed = old["state"] == ChatState.GONE and bool(old["was_allowed"])
    allowed = was_allowed or (new is not None and new["state"] == ChatState.ALLOWED)
    state = ChatState.ALLOWED if allowed else str(old["state"])
    tx.run(
        "UPDATE chat SET external_id = :to, former_id = :former, state = :state WHERE id = :id",
        {"id": old["id"], "to": to, "former": chat, "state": state},
    )
    if state == ChatState.ALLOWED:
        hears.back(tx, LaneKey(tenant_id=tenant_id, scope_id=old["scope_id"], chat_id=old["id"], lane_id=0))
    return found


def edited_since(tx: Tx, tenant_id: int, message: Inbound) -> Inbound:
    """Return an edit in a group that names its former id, by who is still there, as one of what was said before it
    moved; any other as it is."""
    to, there = groups.moved(tx, tenant_id, message.chat, message.sender.address) or ("", False)
    if not there:
        return message
    moved = f"{inbox.MOVED}{message.edits}"
    # What was still to be answered when the chat moved has kept its id, which another message may have by now.
    row = tx.one(
        "SELECT max(platform_id) AS id FROM inbox WHERE tenant_id = :tenant_id AND platform_id IN (:moved, :edits)"
        " AND (platform_id = :moved OR sent_at = :sent_at) AND lane_id IN"
        " (SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.tenant_id = :tenant_id"
        " AND c.external_id = :to)",
        {"tenant_id": tenant_id, "moved": moved, "edits": message.edits, "sent_at": message.sent_at, "to": to},
    )
    edits = moved if row is None else row["id"] or moved
    return replace(message, chat=to, edits=edits, message_id=edits)


def _merge(tx: Tx, new: Row, old: Row, now: Millis, hears: Chats) -> list[int]:
    """Hand the lanes of `new`, with all that is in them, over to the chat `old`; returns its lanes."""
    rows = tx.all("SELECT id, tenant_id, thread FROM lane WHERE chat_id = :chat_id", {"chat_id": new["id"]})
    pairs = [(int(row["id"]), _same_thread(tx, row, old)) for row in rows]
    tx.lock(*(("lane", lane_id) for source, target in pairs for lane_id in (source, target.lane_id)))
    for source, target in pairs:
        params = {"source": source, "now": now, **target.params()}
        _put_down(tx, params)
    merged = Merged(lanes=pairs, source=new["scope_id"], scope_id=old["scope_id"], at=now)
    for table, chat in _OF_LANES.items():
        hand_over(tx, merged, table, chat=chat)
    for lane in ("lane_id", "done_in"):
        hand_over(tx, merged, "undo", lane=lane, scope=False)
    index.hand_over(tx, merged.source, merged.scope_id, {source: target.lane_id for source, target in pairs})
    hears.merged(tx, merged)
    for table in _OF_SCOPES:
        hand_over_scope(tx, merged, table)
    for _, target in pairs:
        lanes.mark(tx, target.lane_id)
    tx.run(
        "UPDATE chat SET external_id = external_id || :merged, former_id = '', state = 'gone',"
        " was_allowed = CASE WHEN state = 'allowed' THEN 1 ELSE was_allowed END WHERE id = :id",
        {"merged": f":merged:{new['id']}", "id": new["id"]},
    )
    return [target.lane_id for _, target in pairs]


def _same_thread(tx: Tx, lane: Row, chat: Row) -> LaneKey:
    params = {
        "tenant_id": lane["tenant_id"],
        "chat_id": chat["id"],
        "scope_id": chat["scope_id"],
        "thread": lane["thread"],
    }
    tx.run(
        "INSERT INTO lane (tenant_id, scope_id, chat_id, thread) VALUES (:tenant_id, :scope_id, :chat_id, :thread)"
        " ON CONFLICT (tenant_id, chat_id, thread) DO NOTHING",
        params,
    )
    row = tx.one("SELECT id, scope_id, chat_id FROM lane WHERE chat_id = :chat_id AND thread = :thread", params)
    assert row is not None
    return lane_key(lane["tenant_id"], row)


def _put_down(tx: Tx, params: Mapping[str, Any]) -> None:
    """Take a lane, and its tasks, from who holds them, who can write no more; its run waits with its journal, unless
    it was stopped, and so do tasks."""
    mine = "lane_id = :source AND tenant_id = :tenant_id AND ended_at IS NULL"
    tx.run(
        f"UPDATE inbox SET state = 'done', error = 'stopped', ended_at = :now WHERE {mine} AND state = 'taken'"
        " AND EXISTS (SELECT 1 FROM lane WHERE id = :source AND stopped = 1)",
        params,
    )
    tx.run(f"UPDATE inbox SET state = 'new', held_until = 0 WHERE {mine} AND state = 'taken'", params)
    tx.run(f"UPDATE task SET state = 'queued', owner = NULL WHERE {mine} AND state = 'running'", params)
    idle = (
        f"{mine} AND id NOT IN (SELECT run_id FROM inbox WHERE {mine} AND run_id IS NOT NULL)"
        f" AND id NOT IN (SELECT run_id FROM task WHERE {mine} AND run_id IS NOT NULL)"
    )
    tx.run(
        "UPDATE question SET state = 'withdrawn', ended_at = :now WHERE state = 'new'"
        f" AND tenant_id = :tenant_id AND run_id IN (SELECT id FROM run WHERE {idle})",
        params,
    )
    tx.run(
        "UPDATE task SET state = 'cancelled', ended_at = :now WHERE state = 'new' AND tenant_id = :tenant_id"
        f" AND made_in IN (SELECT id FROM run WHERE {idle})",
        params,
    )
    tx.run(f"UPDATE run SET state = 'failed', error = 'moved', command = '', ended_at = :now WHERE {idle}", params)
    tx.run(
        "UPDATE lane SET owner = NULL, epoch = epoch + 1, expires_at = 0, attempts = 0, pending = 0, run_id = NULL,"
        " stopped = 0 WHERE id = :source",
        params,
    )


def hand_over(
    tx: Tx, merged: Merged, table: str, *, lane: str = "lane_id", scope: bool = True, chat: bool = False
) -> None:
    """Rows of a table that stand in a lane of the one chat stand in that of the other.

    `lane` is the column; `scope` and `chat` say whether the rows' own scope and chat are those of that lane.
    """
    where = (", scope_id = :scope_id" if scope else "") + (", chat_id = :chat_id" if chat else "")
    for source, target in merged.lanes:
        tx.run(
            f"UPDATE {table} SET {lane} = :lane_id{where} WHERE {lane} = :source AND tenant_id = :tenant_id",
            {"source": source, **target.params()},
        )


def hand_over_scope(tx: Tx, merged: Merged, table: str) -> None:
    """Rows of a table that belong to the scope of the one chat belong to that of the other."""
    tx.run(
        f"UPDATE {table} SET scope_id = :scope_id WHERE scope_id = :source",
        {"scope_id": merged.scope_id, "source": merged.source},
    )
