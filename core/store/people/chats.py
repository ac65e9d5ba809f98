"""Chats and their lanes: made on first sight, allowed, gone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted, lane_key, scope


class ChatState(StrEnum):
    """Whether the bot speaks in a chat."""

    # It is a private chat, or a group that nobody has let the bot into.
    NONE = ""
    # Somebody with access wants the bot in the group.
    ALLOWED = "allowed"
    # The bot was thrown out or blocked.
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something arrived, in the platform's own ids, as it is needed to make the chat on first sight."""

    chat: str
    thread: str = ""
    kind: str = "private"
    title: str = ""


def lane(tx: Tx, tenant_id: int, place: Place, private_scope: int, now: Millis) -> LaneKey:
    """Return the lane of a chat and thread, made on first sight."""
    row = tx.one(
        "SELECT l.id, l.scope_id, l.chat_id FROM chat c JOIN lane l ON l.chat_id = c.id AND l.thread = :thread"
        " WHERE c.tenant_id = :tenant_id AND c.external_id = :chat",
        {"tenant_id": tenant_id, "chat": place.chat, "thread": place.thread},
    )
    if row is not None:
        return lane_key(tenant_id, row)
    chat_id, scope_id = _chat(tx, tenant_id, place, private_scope, now)
    params = {"tenant_id": tenant_id, "scope_id": scope_id, "chat_id": chat_id, "thread": place.thread}
    lane_id = inserted(
        tx.one(
            "INSERT INTO lane (tenant_id, scope_id, chat_id, thread)"
            " VALUES (:tenant_id, :scope_id, :chat_id, :thread) RETURNING id",
            params,
        )
    )
    return LaneKey(tenant_id=tenant_id, scope_id=scope_id, chat_id=chat_id, lane_id=lane_id)


def _chat(tx: Tx, tenant_id: int, place: Place, private_scope: int, now: Millis) -> tuple[int, int]:
    """Return (chat id, scope id): a private chat belongs to its person's scope, a group to one of its own."""
    row = find(tx, tenant_id, place.chat)
    if row is not None:
        return row["id"], row["scope_id"]
    private = place.kind == "private"
    params: dict[str, Any] = {
        "tenant_id": tenant_id,
        "scope_id": private_scope if private else scope(tx, tenant_id, "group", now),
        "chat": place.chat,
        "kind": place.kind,
        "title": place.title,
        "now": now,
    }
    made = tx.one(
        "INSERT INTO chat (tenant_id, scope_id, external_id, kind, title, created_at)"
        " VALUES (:tenant_id, :scope_id, :chat, :kind, :title, :now) RETURNING id",
        params,
    )
    return inserted(made), int(params["scope_id"])


def find(tx: Tx, tenant_id: int, chat: str) -> Row | None:
    """Return the row of a chat by its platform's id: id, scope_id, kind, state, was_allowed, reads_along, title,
    language."""
    return tx.one(
        "SELECT id, scope_id, kind, state, was_allowed, reads_along, title, language FROM chat"
        " WHERE tenant_id = :tenant_id AND external_id = :chat",
        {"tenant_id": tenant_id, "chat": chat},
    )


def reads_along(tx: Tx, lane: LaneKey) -> bool:
    """Return whether the bot reads what people say to each other in a lane's chat."""
    row = tx.one("SELECT reads_along FROM chat WHERE id = :chat_id AND tenant_id = :tenant_id", lane.params())
    return row is not None and bool(row["reads_along"])


def state(tx: Tx, lane: LaneKey) -> ChatState:
    """Return the state of a lane's chat: allowed, gone, or nothing."""
    row = tx.one("SELECT state FROM chat WHERE id = :chat_id AND tenant_id = :tenant_id", lane.params())
    return ChatState.NONE if row is None else ChatState(row["state"])


def gone(tx: Tx, tenant_id: int, most: int) -> list[str]:
    """Return the platform's ids of the private chats that are gone, the newest."""
    rows = tx.all(
        "SELECT external_id FROM chat WHERE tenant_id = :tenant_id AND kind = 'private' AND state = 'gone'"
        " ORDER BY id DESC LIMIT :most",
        {"tenant_id": tenant_id, "most": most},
    )
    return [row["external_id"] for row in rows]


def strays(tx: Tx, tenant_id: int, since: Millis, now: Millis) -> int:
    """Return how many groups came up after `since`, and not later than `now`, that nobody with access brought, whether
    the bot has left them or not."""
    row = tx.one(
        "SELECT count(*) AS n FROM chat WHERE tenant_id = :tenant_id AND kind = 'group' AND state <> 'allowed'"
        " AND was_allowed = 0 AND created_at > :since AND created_at <= :now",
        {"tenant_id": tenant_id, "since": since, "now": now},
    )
    return 0 if row is None else int(row["n"])


def set_state(tx: Tx, lane: LaneKey, state: ChatState, title: str) -> bool:
    """Note that the bot may work in a chat, or is gone from it. False when nothing changed."""
    changed = tx.run(
        "UPDATE chat SET state = :state, was_allowed = CASE WHEN state = 'allowed' THEN 1 ELSE 0 END"
        " WHERE id = :chat_id AND tenant_id = :tenant_id AND state <> :state",
        {"state": state, **lane.params()},
    )
    rename(tx, lane, title)
    return bool(changed)


def rename(tx: Tx, lane: LaneKey, title: str) -> None:
    """Note what a chat is called, where that is said."""
    if title:
        tx.run(
            "UPDATE chat SET title = :title WHERE id = :chat_id AND tenant_id = :tenant_id AND title <> :title",
            {"title": title, **lane.params()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A chat that something may be kept of, with a lane of it; in private with who has it, and their address."""

    lane: LaneKey
    group: bool
    title: str
    external_id: str
    person_id: int | None
    address: str


def all_of(tx: Tx, tenant_id: int) -> list[Kept]:
    """Return every chat of a tenant."""
    rows = tx.all(
        "SELECT c.id AS chat_id, c.scope_id, c.kind, c.title, c.external_id, min(l.id) AS lane_id,"
        " min(p.id) AS person_id, min(a.external_id) AS address FROM chat c JOIN lane l ON l.chat_id = c.id"
        " LEFT JOIN person p ON p.scope_id = c.scope_id AND p.tenant_id = c.tenant_id AND c.kind = 'private'"
        " LEFT JOIN address a ON a.person_id = p.id AND a.tenant_id = p.tenant_id"
        " WHERE c.tenant_id = :tenant_id GROUP BY c.id, c.scope_id, c.kind, c.title, c.external_id ORDER BY c.id",
        {"tenant_id": tenant_id},
    )
    return [
        Kept(
            lane=LaneKey(tenant_id=tenant_id, scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["lane_id"]),
            group=row["kind"] == "group",
            title=row["title"] or "",
            external_id=row["external_id"],
            person_id=row["person_id"],
            address=row["address"] or "",
        )
        for row in rows
    ]


def chosen(tx: Tx, lane: LaneKey) -> tuple[str, str, str]:
    """Return what a group has chosen for itself: language, zone and quiet hours, empty where nothing."""
    row = tx.one(
        "SELECT language, timezone, quiet FROM chat WHERE id = :chat_id AND tenant_id = :tenant_id", lane.params()
    )
    return ("", "", "") if row is None else (row["language"] or "", row["timezone"] or "", row["quiet"] or "")


def choose(
    tx: Tx, lane: LaneKey, *, language: str | None = None, timezone: str | None = None, quiet: str | None = None
) -> None:
    """Set what a group has chosen for itself; None leaves it."""
    tx.run(
        "UPDATE chat SET language = COALESCE(:language, language), timezone = COALESCE(:timezone, timezone),"
        " quiet = COALESCE(:quiet, quiet)"
        " WHERE id = :chat_id AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"language": language, "timezone": timezone, "quiet": quiet, **lane.params()},
    )


def note_explained(tx: Tx, lane: LaneKey, day: str) -> None:
    """Note that a chat was told at length, on this day, why there is no model."""
    tx.run(
        "UPDATE chat SET explained_on = :day WHERE id = :chat_id AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"day": day, **lane.params()},
    )


def note_voice(tx: Tx, lane: LaneKey) -> bool:
    """Note that a chat was told how voice notes are set up; False when it was told before."""
    return bool(
        tx.run(
            "UPDATE chat SET told_voice = 1 WHERE id = :chat_id AND tenant_id = :tenant_id AND scope_id = :scope_id"
            " AND told_voice = 0",
            lane.params(),
        )
    )


def read_along(tx: Tx, lane: LaneKey, on: bool) -> bool:
    """Switch reading along on or off; False when it was so already."""
    return bool(
        tx.run(
            "UPDATE chat SET reads_along = :reads WHERE id = :chat_id AND tenant_id = :tenant_id"
            " AND scope_id = :scope_id AND reads_along <> :reads",
            {"reads": int(on), **lane.params()},
        )
    )


def notes_silently(tx: Tx, lane: LaneKey) -> bool:
    """Return whether a lane's chat is not shown what a model notes by itself."""
    row = tx.one("SELECT silent_notes FROM chat WHERE id = :chat_id AND tenant_id = :tenant_id", lane.params())
    return row is not None and bool(row["silent_notes"])


def note_silently(tx: Tx, lane: LaneKey, silent: bool) -> bool:
    """Show in a chat what a model notes by itself, or (`silent`) do not; False when it was so already."""
    return bool(
        tx.run(
            "UPDATE chat SET silent_notes = :silent WHERE id = :chat_id AND tenant_id = :tenant_id"
            " AND scope_id = :scope_id AND silent_notes <> :silent",
            {"silent": int(silent), **lane.params()},
        )
    )


def forget_context(tx: Tx, lane: LaneKey, after: int | None = None) -> int:
    """Begin a new context behind the lane's newest message (or `after` that id); returns the former mark."""
    row = tx.one("SELECT context_after FROM lane WHERE id = :lane_id AND tenant_id = :tenant_id", lane.params())
    tx.run(
        "UPDATE lane SET context_after = COALESCE(:after, (SELECT max(id) FROM message WHERE lane_id = :lane_id), 0)"
        " WHERE id = :lane_id AND tenant_id = :tenant_id",
        {"after": after, **lane.params()},
    )
    return 0 if row is None else int(row["context_after"])
