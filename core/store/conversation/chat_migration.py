"""A chat that has moved to a new id: one column changes; what came to the new id before goes over to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.capabilities.contacts import rows as contact_rows
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation import lanes
from core.store.people import chats
from core.store.people.chats import ALLOWED, GONE
from core.store.people.people import lane_key

Back = Callable[[Tx, LaneKey], None]


def move(tx: Tx, tenant_id: int, chat: str, to: str, now: Millis, *, back: Back) -> list[int]:
    """Give a chat its new id: everything of it stays where it is. Returns the lanes that have more to do now.

    The caller has locked the chat. That the platform says of the old group the bot has left it, is no removal: `back`
    hears that the chat is there, for what rested meanwhile.
    """
    old, new = chats.find(tx, tenant_id, chat), chats.find(tx, tenant_id, to)
    if old is None:
        return []
    found = [] if new is None else _merge(tx, new, old, now)
    params = {"id": old["id"], "to": to, "state": _state(old, new)}
    tx.run("UPDATE chat SET external_id = :to, state = :state WHERE id = :id", params)
    if params["state"] == ALLOWED:
        back(tx, LaneKey(tenant_id=tenant_id, scope_id=old["scope_id"], chat_id=old["id"], lane_id=0))
    return found


def _state(old: Row, new: Row | None) -> str:
    """What the chat was before it went, or what somebody with access made of it under its new id."""
    was_allowed = old["state"] == GONE and bool(old["was_allowed"])
    taken_on = new is not None and new["state"] == ALLOWED
    return ALLOWED if was_allowed or taken_on else str(old["state"])


def _merge(tx: Tx, new: Row, old: Row, now: Millis) -> list[int]:
    """Hand the lanes of `new`, with all that is in them, over to the chat `old`; returns its lanes."""
    rows = tx.all("SELECT id, tenant_id, thread FROM lane WHERE chat_id = :chat_id", {"chat_id": new["id"]})
    pairs = [(int(row["id"]), _same_thread(tx, row, old)) for row in rows]
    tx.lock(*(("lane", lane_id) for source, target in pairs for lane_id in (source, target.lane_id)))
    for source, target in pairs:
        params = {"source": source, "now": now, **target.params()}
        _put_down(tx, params)
        _hand_over(tx, params)
        lanes.mark(tx, target.lane_id)
    if pairs:
        _hand_over_contacts(tx, pairs[0][1], new["scope_id"])
    _hand_over_scope(tx, {"source": new["scope_id"], "scope_id": old["scope_id"]})
    tx.run(
        "UPDATE chat SET external_id = external_id || :merged, state = 'gone',"
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
    """Take a lane from its holder, who can write no more; its run waits with its journal, unless it was stopped."""
    mine = "lane_id = :source AND tenant_id = :tenant_id AND ended_at IS NULL"
    tx.run(
        f"UPDATE inbox SET state = 'done', error = 'stopped', ended_at = :now WHERE {mine} AND state = 'taken'"
        " AND EXISTS (SELECT 1 FROM lane WHERE id = :source AND stopped = 1)",
        params,
    )
    tx.run(f"UPDATE inbox SET state = 'new', held_until = 0 WHERE {mine} AND state = 'taken'", params)
    idle = f"{mine} AND id NOT IN (SELECT run_id FROM inbox WHERE {mine} AND run_id IS NOT NULL)"
    tx.run(
        "UPDATE question SET state = 'withdrawn', ended_at = :now WHERE state = 'new'"
        f" AND tenant_id = :tenant_id AND run_id IN (SELECT id FROM run WHERE {idle})",
        params,
    )
    tx.run(f"UPDATE run SET state = 'failed', error = 'moved', command = '', ended_at = :now WHERE {idle}", params)
    tx.run(
        "UPDATE lane SET owner = NULL, epoch = epoch + 1, expires_at = 0, attempts = 0, pending = 0, run_id = NULL,"
        " stopped = 0 WHERE id = :source",
        params,
    )


_OF_LANES = (
    "inbox", "message", "outbox", "run", "question", "keyboard", "attachment", "trigger", "reminder", "todo",
)  # fmt: skip
_OF_CHATS = frozenset({"outbox", "question", "keyboard", "trigger", "reminder"})
_OF_SCOPES = (
    "step", "invite", "undo", "contact", "contact_address", "addressee", "assignee", "reminded", "mute", "errand",
)  # fmt: skip


def _hand_over(tx: Tx, params: Mapping[str, Any]) -> None:
    for table in _OF_LANES:
        chat = ", chat_id = :chat_id" if table in _OF_CHATS else ""
        tx.run(
            f"UPDATE {table} SET lane_id = :lane_id, scope_id = :scope_id{chat}"
            " WHERE lane_id = :source AND tenant_id = :tenant_id",
            params,
        )
    for table, lane in (("undo", "lane_id"), ("reminder", "asker_lane_id")):
        tx.run(f"UPDATE {table} SET {lane} = :lane_id WHERE {lane} = :source AND tenant_id = :tenant_id", params)


def _hand_over_contacts(tx: Tx, target: LaneKey, source: int) -> None:
    """Whom both scopes know is one contact from now on; an address stays whose it was in the scope that stays."""
    for contact in tx.all("SELECT id, person_id FROM contact WHERE scope_id = :source ORDER BY id", {"source": source}):
        found = tx.all("SELECT external_id FROM contact_address WHERE contact_id = :id", {"id": contact["id"]})
        addresses = [row["external_id"] for row in found]
        known = contact_rows.same(tx, target, contact["person_id"], addresses or [""])
        tx.run(
            "DELETE FROM contact_address WHERE contact_id = :id AND external_id IN (SELECT external_id"
            " FROM contact_address WHERE tenant_id = :tenant_id AND scope_id = :scope_id)",
            {"id": contact["id"], **target.params()},
        )
        if known is not None:
            contact_rows.join(tx, known["id"], contact["id"])


def _hand_over_scope(tx: Tx, params: Mapping[str, Any]) -> None:
    """What belongs to no lane. The acts in the ledger stay where they were done."""
    for table in _OF_SCOPES:
        tx.run(f"UPDATE {table} SET scope_id = :scope_id WHERE scope_id = :source", params)
    tx.run(
        "INSERT INTO optout (tenant_id, scope_id, person_id, created_at)"
        " SELECT tenant_id, :scope_id, person_id, created_at FROM optout WHERE scope_id = :source"
        " ON CONFLICT (tenant_id, scope_id, person_id) DO NOTHING",
        params,
    )
    tx.run("DELETE FROM optout WHERE scope_id = :source", params)
