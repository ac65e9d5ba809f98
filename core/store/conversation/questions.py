"""Questions: new → open → answered | expired | withdrawn (STATES: Question); decided once, by their state."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.kernel.intent import Expects, Intent, Order, expected, unpack
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation import inbox
from core.store.people.people import inserted


class QuestionState(StrEnum):
    """What has become of a question."""

    # It is asked when its run ends.
    NEW = "new"
    # It waits for an answer.
    OPEN = "open"
    # Somebody has answered it.
    ANSWERED = "answered"
    # Its time is over: its default is taken, if it has one.
    EXPIRED = "expired"
    # It is asked no more.
    WITHDRAWN = "withdrawn"


_COLUMNS = (
    "id, tenant_id, scope_id, chat_id, lane_id, run_id, person_id, state, text, options, default_answer, timeout_s,"
    " command, expects, answer, source, repeated, task_id, expires_at,"
    " ended_at, tainted"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to one person; `timeout_s` are seconds. `default` is None when there is none. `task_id` is the task
    that asks, which goes on with the answer. What is `tainted` has words of others.

    With an `order` the answer is carried out: it fills the hole of an intent, or stands behind a line, as if the person
    had written both. `expects` says which words are an answer.
    """

    question_id: int
    lane: LaneKey
    run_id: int
    person_id: int
    state: str
    text: str
    options: tuple[str, ...]
    default: str | None
    timeout_s: int
    order: Order
    expects: Expects
    answer: str
    source: str
    repeated: int
    task_id: int | None
    expires_at: Millis | None
    ended_at: Millis | None
    tainted: bool = False


def insert(
    tx: Tx,
    lane: LaneKey,
    run_id: int,
    person_id: int,
    text: str,
    *,
    options: Sequence[str],
    default: str | None,
    timeout_s: int,
    now: Millis,
    command: str = "",
    time: bool = False,
    task_id: int | None = None,
    tainted: bool = False,
) -> int:
    """Note a question of a run; it is asked when the run ends. `command` is a packed order, which may want a `time`."""
    return inserted(
        tx.one(
            "INSERT INTO question (tenant_id, scope_id, chat_id, lane_id, run_id, person_id, state, text, options,"
            " default_answer, timeout_s, command, expects, task_id, tainted, created_at) VALUES (:tenant_id, :scope_id,"
            " :chat_id, :lane_id, :run_id, :person_id, 'new', :text, :options, :default, :timeout_s, :command,"
            " :expects, :task_id, :tainted, :now) RETURNING id",
            {
                **lane.params(),
                "run_id": run_id,
                "person_id": person_id,
                "text": text,
                "options": json.dumps(list(options), ensure_ascii=False),
                "default": default,
                "timeout_s": timeout_s,
                "command": command,
                "expects": "time" if time else "",
                "task_id": task_id,
                "tainted": int(tainted),
                "now": now,
            },
        )
    )


def of_run(tx: Tx, lane: LaneKey, run_id: int) -> list[Question]:
    """Return the questions a run has noted and not asked yet, oldest first."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM question WHERE run_id = :run_id AND tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND state = 'new' ORDER BY id",
        {"run_id": run_id, **lane.params()},
    )
    return [_question(row) for row in rows]


def load(tx: Tx, lane: LaneKey, question_id: int) -> Question | None:
    """Return a question of this scope."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM question WHERE id = :id AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"id": question_id, **lane.params()},
    )
    return None if row is None else _question(row)


def open_in(tx: Tx, lane: LaneKey) -> list[Question]:
    """Return the open questions of a lane, oldest first."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM question WHERE lane_id = :lane_id AND state = 'open' AND tenant_id = :tenant_id"
        " ORDER BY id",
        lane.params(),
    )
    return [_question(row) for row in rows]


def asked_by(tx: Tx, lane: LaneKey, person_id: int, run_id: int, names: Collection[str]) -> list[Question]:
    """Return the questions that a run, or that of an edit of its message, has asked this person, and that are open,
    whose answer is for an intent of one of these names, oldest first."""
    runs = {run_id, *inbox.runs_of_edits(tx, lane, person_id, run_id)}
    asked = [one for one in open_in(tx, lane) if one.person_id == person_id and one.run_id in runs]
    return [one for one in asked if isinstance(one.order, Intent) and one.order.name in names]


def response_url(tx: Tx, question: Question) -> str:
    """Return the `response_url` by which a question was asked so that one person sees it; empty where all see it."""
    row = tx.one(
        "SELECT o.hook FROM keyboard k JOIN outbox o ON o.tenant_id = k.tenant_id AND o.message_key = k.message_key"
        " WHERE k.question_id = :id AND k.tenant_id = :tenant_id ORDER BY k.id DESC LIMIT 1",
        {"id": question.question_id, **question.lane.params()},
    )
    return "" if row is None else str(row["hook"])


def whisper(tx: Tx, question: Question, key: str, response_url: str) -> None:
    """Have what comes of the row that a question's end has made be sent by a `response_url`, for one person alone."""
    tx.run(
        "UPDATE inbox SET hook = :hook WHERE tenant_id = :tenant_id AND update_key = :key AND state = 'new'",
        {"hook": response_url, "key": key, **question.lane.params()},
    )


def began(tx: Tx, tenant_id: int, chat: str, thread: str) -> Question | None:
    """Return the open question with whose message a thread of this chat began."""
    row = tx.one(
        f"SELECT {', '.join(f'q.{name}' for name in _COLUMNS.split(', '))} FROM question q"
        " JOIN lane l ON l.id = q.lane_id"
        " JOIN keyboard k ON k.question_id = q.id AND k.tenant_id = q.tenant_id"
        " JOIN outbox o ON o.tenant_id = k.tenant_id AND o.message_key = k.message_key"
        " WHERE q.state = 'open' AND q.lane_id IN (SELECT id FROM lane WHERE chat_id IN (SELECT id FROM chat"
        " WHERE tenant_id = :tenant_id AND external_id = :chat)) AND l.thread <> :thread AND o.platform_id = :thread"
        " ORDER BY q.id DESC LIMIT 1",
        {"tenant_id": tenant_id, "chat": chat, "thread": thread},
    )
    return None if row is None else _question(row)


def shown_as(tx: Tx, tenant_id: int, chat: str, message_id: str) -> Question | None:
    """Return the question, open or ended, that a message of a chat asks."""
    row = tx.one(
        f"SELECT {', '.join(f'q.{name}' for name in _COLUMNS.split(', '))} FROM question q"
        " JOIN keyboard k ON k.question_id = q.id AND k.tenant_id = q.tenant_id"
        " JOIN outbox o ON o.tenant_id = k.tenant_id AND o.message_key = k.message_key"
        " JOIN chat c ON c.id = q.chat_id"
        " WHERE c.tenant_id = :tenant_id AND c.external_id = :chat AND o.platform_id = :message_id"
        " ORDER BY q.id DESC LIMIT 1",
        {"tenant_id": tenant_id, "chat": chat, "message_id": message_id},
    )
    return None if row is None else _question(row)


def is_passed(tx: Tx, question: Question, since: Millis, until: Millis, but: str) -> bool:
    """Return whether something that the person asked wrote or pressed between two instants is not done yet, `but` for
    the message with this id of the platform. What is held for the model does not count."""
    row = tx.one(
        "SELECT 1 AS found FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND person_id = :person_id"
        " AND ended_at IS NULL AND holds = 0 AND trigger_id IS NULL AND task_id IS NULL AND platform_id <> :but"
        " AND sent_at BETWEEN :since AND :until LIMIT 1",
        {"person_id": question.person_id, "since": since, "until": until, "but": but, **question.lane.params()},
    )
    return row is not None


def open_in_scope(tx: Tx, lane: LaneKey, person_id: int | None) -> list[Question]:
    """Return the open questions of a lane's scope, of all its lanes; those to one person, or (None) to anybody."""
    mine = "" if person_id is None else " AND person_id = :person_id"
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM question WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND state = 'open'"
        f" AND lane_id IN (SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id){mine}"
        " ORDER BY id",
        {"person_id": person_id, **lane.params()},
    )
    return [_question(row) for row in rows]


def open_up(tx: Tx, question_id: int, expires_at: Millis) -> None:
    """Open a question: it is asked now."""
    tx.run(
        "UPDATE question SET state = 'open', expires_at = :expires_at WHERE id = :id AND state = 'new'",
        {"id": question_id, "expires_at": expires_at},
    )


def drop_new(tx: Tx, lane: LaneKey, run_id: int, now: Millis) -> None:
    """Withdraw the questions that a run had noted and ended without asking."""
    tx.run(
        "UPDATE question SET state = 'withdrawn', ended_at = :now WHERE run_id = :run_id AND state = 'new'"
        " AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"run_id": run_id, "now": now, **lane.params()},
    )


def decide(
    tx: Tx, question_id: int, state: str, now: Millis, *, answer: str = "", source: str = "", by: int | None = None
) -> bool:
    """Answer, expire or withdraw an open question; False when it was decided before."""
    return bool(
        tx.run(
            "UPDATE question SET state = :state, answer = :answer, source = :source, answered_by = :by,"
            " ended_at = :now WHERE id = :id AND state = 'open'",
            {"id": question_id, "state": state, "answer": answer, "source": source, "by": by, "now": now},
        )
    )


def repeat(tx: Tx, question_id: int) -> bool:
    """Note that the options are shown again; False when they were already, or it is decided."""
    return bool(
        tx.run(
            "UPDATE question SET repeated = 1 WHERE id = :id AND state = 'open' AND repeated = 0", {"id": question_id}
        )
    )


def due(
    tx: Tx, now: Millis, limit: int, *, elsewhere: Collection[int] = (), left_alone: Collection[int] = ()
) -> list[Question]:
    """Open questions whose time is up, but not of the tenants that are `elsewhere`, nor those that are `left_alone`."""
    others = f" AND tenant_id NOT IN ({', '.join(map(str, elsewhere))})" if elsewhere else ""
    others += f" AND id NOT IN ({', '.join(map(str, left_alone))})" if left_alone else ""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM question WHERE state = 'open' AND expires_at <= :now{others}"
        " ORDER BY expires_at, id LIMIT :limit",
        {"now": now, "limit": limit},
    )
    return [_question(row) for row in rows]


def any_due(tx: Tx, now: Millis, tenant_ids: Collection[int]) -> bool:
    """Return whether the time of an open question of one of these tenants is up."""
    among = ", ".join(str(int(tenant_id)) for tenant_id in sorted(tenant_ids))
    late = "state = 'open' AND expires_at <= :now"
    sql = f"SELECT 1 AS found FROM question WHERE {late} AND tenant_id IN ({among}) LIMIT 1"
    return bool(tenant_ids) and tx.one(sql, {"now": now}) is not None


def next_due(tx: Tx, now: Millis) -> Millis | None:
    """Return when the next open question's time is up, or None."""
    row = tx.one("SELECT min(expires_at) AS at FROM question WHERE state = 'open' AND expires_at > :now", {"now": now})
    return None if row is None else row["at"]


def _question(row: Row) -> Question:
    order = unpack(row["command"])
    return Question(
        question_id=row["id"],
        lane=LaneKey.of(row),
        run_id=row["run_id"],
        person_id=row["person_id"],
        state=row["state"],
        text=row["text"],
        options=tuple(json.loads(row["options"])),
        default=row["default_answer"],
        timeout_s=row["timeout_s"],
        order=order,
        expects=expected(order, row["expects"] == "time"),
        answer=row["answer"],
        source=row["source"],
        repeated=row["repeated"],
        task_id=row["task_id"],
        expires_at=row["expires_at"],
        ended_at=row["ended_at"],
        tainted=bool(row["tainted"]),
    )
