"""Inbox rows: new → taken(run) → done | dead (STATES: Inbox); and how far the streams of platforms have been read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any

from core.kernel import secret_words
from core.kernel.access import order
from core.kernel.intent import Intent, pack, unpack
from core.kernel.ports import Row, Tx
from core.kernel.types import SOUNDS, Inbound, LaneKey, Lease, Message, Millis, Spoken
from core.kernel.updates import Unreadable
from core.store.conversation import deletions, history
from core.store.conversation.attachment_text import said


class InboxState(StrEnum):
    """What has become of what came in."""

    # Nobody works on it.
    NEW = "new"
    # A run works on it.
    TAKEN = "taken"
    # It needs nothing more.
    DONE = "done"
    # It was given up, and kept.
    DEAD = "dead"


# It stands in SQL as a number: SQLite prepares a statement anew at each call if its limit, or a LIKE, is a parameter.
TAKE = 200
# How the keys of rows begin that carry the answer to a question: they wake the lane, and are no messages of a platform.
ANSWERED = "question:"
# How the keys of rows begin that a trigger made: nobody wrote them, whatever they stand for.
DUE = "trigger:"
# Stands before the platform's ids of messages from before their chat moved to a new id, where they mean nothing.
MOVED = "moved:"

_COLUMNS = (
    "id, person_id, platform_id, reply_to, quoted, link, forwarded, pressed, text, hook, sent_at, holds, doubts,"
    " held_until, run_id, question_id, trigger_id, task_id, album, intent, spoken,"
    " EXISTS (SELECT 1 FROM attachment a WHERE a.inbox_id = inbox.id) AS attached"
)


def insert(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    message: Inbound,
    now: Millis,
    *,
    state: InboxState = InboxState.NEW,
    held_until: Millis = 0,
    pressed: int | None = None,
    intent: Intent | None = None,
) -> int | None:
    """Store a message; None when one of its keys is known already (the platform delivered it twice).

    `pressed` is the keyboard whose button said it, `intent` what that stands for, if it is no line, or a form.
    """
    row = tx.one(
        "INSERT INTO inbox (tenant_id, scope_id, lane_id, person_id, update_key, state, platform_id, reply_to, quoted,"
        " link, forwarded, pressed, intent, text, raw, album, twin, hook, held_until, sent_at, spoken,"
        " accepted_at, ended_at)"
        " VALUES (:tenant_id, :scope_id, :lane_id, :person_id, :key, :state, :platform_id, :reply_to, :quoted,"
        " :link, :forwarded, :pressed, :intent, :text, :raw, :album, :twin, :hook, :held_until, :sent_at, :spoken,"
        " :now, :ended_at)"
        " ON CONFLICT DO NOTHING RETURNING id",
        {
            **lane.params(),
            "person_id": person_id,
            "key": message.key,
            "state": state,
            "platform_id": message.message_id,
            "reply_to": message.reply_to,
            "quoted": message.quoted,
            "link": message.link,
            "forwarded": int(message.forwarded),
            "pressed": pressed,
            "intent": "" if intent is None else pack(intent),
            "text": message.text,
            "raw": message.raw,
            "album": message.album,
            "twin": message.twin,
            "hook": message.response_url,
            "held_until": held_until,
            "sent_at": message.sent_at,
            "spoken": _spoken(message, state) if message.attachments else Spoken.NO,
            "now": now,
            "ended_at": None if state == "new" else now,
        },
    )
    return None if row is None else int(row["id"])


def _spoken(message: Inbound, state: InboxState) -> Spoken:
    """Return whether a message is to be listened to: not if it is a command, or nobody works on it."""
    sound = any(one.kind in SOUNDS for one in message.attachments)
    by_words = message.intent is not None or order(message.text, forwarded=message.forwarded)
    return Spoken.UNHEARD if sound and not by_words and state == InboxState.NEW else Spoken.NO


def is_from(
    tx: Tx, lane: LaneKey, person_id: int, platform_id: str, *, own: bool = False, to_bot: bool = False
) -> bool:
    """Return whether a message of this lane, by its platform's id, is kept and this person's. With `own` it must not be
    forwarded; with `to_bot` it must have been for the bot: a message that was only overheard never had a run."""
    said_so = " AND forwarded = 0" if own else ""
    heard = " AND (state <> 'done' OR run_id IS NOT NULL OR question_id IS NOT NULL)" if to_bot else ""
    row = tx.one(
        "SELECT 1 AS found FROM inbox WHERE platform_id = :platform_id AND lane_id = :lane_id"
        f" AND tenant_id = :tenant_id AND person_id = :person_id{said_so}{heard} LIMIT 1",
        {"platform_id": platform_id, "person_id": person_id, **lane.params()},
    )
    return row is not None


def has_album(tx: Tx, lane: LaneKey, person_id: int, album: str) -> bool:
    """Return whether a part of this person's album waits in the lane."""
    row = tx.one(
        "SELECT 1 AS found FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL"
        " AND person_id = :person_id AND album = :album LIMIT 1",
        {"person_id": person_id, "album": album, **lane.params()},
    )
    return row is not None


def wait_for_album(tx: Tx, lane: LaneKey, album: str, until: Millis) -> None:
    """Let all parts of an album wait for the next one until an instant."""
    tx.run(
        "UPDATE inbox SET held_until = :until WHERE lane_id = :lane_id AND tenant_id = :tenant_id"
        " AND ended_at IS NULL AND state = 'new' AND album = :album",
        {"album": album, "until": until, **lane.params()},
    )


def wake(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    key: str,
    *,
    now: Millis,
    question_id: int | None = None,
    trigger_id: int | None = None,
    task_id: int | None = None,
    text: str = "",
    sent_at: Millis | None = None,
    platform_id: str = "",
    reply_to: str = "",
    quoted: str = "",
    link: str = "",
    forwarded: bool = False,
    pressed: int | None = None,
    intent: Intent | None = None,
) -> None:
    """Store a row that wakes a lane, once a key. The caller marks and pokes the lane.

    It is the end of a question; or the prompt of a trigger that is due, or the outcome of a task (`text`); or it stands
    for something that a person says, as if they had written it at `sent_at` in the message `platform_id`, or pressed a
    button of the keyboard `pressed`. `intent` is what it asks for, if it is no line.
    """
    woken_by = {"question_id": question_id, "trigger_id": trigger_id, "task_id": task_id, "pressed": pressed}
    message = {"platform_id": platform_id, "reply_to": reply_to, "quoted": quoted, "link": link}
    tx.run(
        "INSERT INTO inbox (tenant_id, scope_id, lane_id, person_id, update_key, state, question_id, trigger_id,"
        " task_id, text, raw, platform_id, reply_to, quoted, link, forwarded, pressed, intent, sent_at, accepted_at)"
        " VALUES (:tenant_id, :scope_id, :lane_id, :person_id, :key, 'new', :question_id, :trigger_id, :task_id, :text,"
        " :raw, :platform_id, :reply_to, :quoted, :link, :forwarded, :pressed, :intent, :sent_at, :now)"
        " ON CONFLICT (tenant_id, update_key) DO NOTHING",
        {
            **lane.params(),
            "person_id": person_id,
            "key": key,
            **woken_by,
            **message,
            "text": text,
            "raw": "" if question_id is None else None,
            "forwarded": int(forwarded),
            "intent": "" if intent is None else pack(intent),
            "sent_at": now if sent_at is None else sent_at,
            "now": now,
        },
    )


def take_forwarded(tx: Tx, lane: LaneKey, person_id: int, behind: int, now: Millis) -> Row | None:
    """Take the message that a person forwarded right `behind` another one; return its text and link. It gets no run."""
    row = tx.one(
        "SELECT id, text, link FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL"
        " AND state = 'new' AND person_id = :person_id AND forwarded = 1 AND intent = '' AND text <> ''"
        " AND id > :behind ORDER BY id LIMIT 1",
        {"person_id": person_id, "behind": behind, **lane.params()},
    )
    if row is not None:
        settle(tx, lane, row["id"], now)
    return row


def settle(tx: Tx, lane: LaneKey, inbox_id: int, now: Millis) -> None:
    """Note that a message needs no run of its own."""
    tx.run(
        "UPDATE inbox SET state = 'done', ended_at = :now WHERE id = :id AND tenant_id = :tenant_id"
        " AND lane_id = :lane_id AND state = 'new'",
        {"id": inbox_id, "now": now, **lane.params()},
    )


def last_of(tx: Tx, lane: LaneKey, person_id: int) -> str:
    """Return the platform's id of the last message of a person in a lane; empty when there is none."""
    row = tx.one(
        "SELECT i.platform_id FROM message m JOIN inbox i ON i.id = m.inbox_id WHERE m.lane_id = :lane_id"
        " AND m.tenant_id = :tenant_id AND m.person_id = :person_id AND i.platform_id <> ''"
        " AND i.platform_id NOT LIKE :moved ORDER BY m.id DESC LIMIT 1",
        {"person_id": person_id, "moved": f"{MOVED}%", **lane.params()},
    )
    return "" if row is None else str(row["platform_id"])


def answers(tx: Tx, lane: LaneKey, inbox_id: int, question_id: int) -> None:
    """Note that a message answered a question."""
    tx.run(
        "UPDATE inbox SET question_id = :question_id WHERE id = :id AND tenant_id = :tenant_id AND lane_id = :lane_id",
        {"id": inbox_id, "question_id": question_id, **lane.params()},
    )


def drop_waiting(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    now: Millis,
    why: str = "stopped",
    *,
    upto: Millis | None = None,
    only_held: bool = False,
    by_itself: bool = False,
) -> int:
    """End what a person has waiting in a lane; return how many messages. Runs end whole.

    With `upto` only what was sent until then, `only_held` only what waits for the model. What is due, or came of a
    task, nobody wrote: it stays, unless what is there `by_itself` is to go, too.
    """
    params: dict[str, Any] = {"person_id": person_id, "now": now, "why": why, "upto": upto, **lane.params()}
    sent = "" if upto is None else " AND (run_id IS NOT NULL OR platform_id = '' OR sent_at <= :upto)"
    held = " AND holds > 0" if only_held else ""
    held += "" if by_itself else f" AND task_id IS NULL AND update_key NOT LIKE '{DUE}%'"
    waiting = (
        "lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL AND state = 'new'"
        f" AND person_id = :person_id{sent}{held}"
    )
    parked = f"(SELECT run_id FROM inbox WHERE {waiting} AND run_id IS NOT NULL)"
    tx.run(
        "UPDATE question SET state = 'withdrawn', ended_at = :now WHERE state = 'new' AND tenant_id = :tenant_id"
        f" AND run_id IN {parked}",
        params,
    )
    tx.run(
        f"UPDATE run SET state = 'failed', error = :why, ended_at = :now WHERE ended_at IS NULL AND id IN {parked}",
        params,
    )
    tx.run(
        "UPDATE task SET state = 'cancelled', ended_at = :now WHERE state = 'new' AND tenant_id = :tenant_id"
        f" AND made_in IN {parked}",
        params,
    )
    return tx.run(f"UPDATE inbox SET state = 'done', error = :why, ended_at = :now WHERE {waiting}", params)


def insert_unreadable(tx: Tx, tenant_id: int, update: Unreadable, now: Millis) -> None:
    """Keep an update that cannot be parsed as a dead row."""
    tx.run(
        "INSERT INTO inbox (tenant_id, update_key, state, raw, error, sent_at, accepted_at, ended_at)"
        " VALUES (:tenant_id, :key, 'dead', :raw, :error, :now, :now, :now)"
        " ON CONFLICT (tenant_id, update_key) DO NOTHING",
        {"tenant_id": tenant_id, "key": update.key, "raw": update.raw, "error": update.error, "now": now},
    )


def correct(tx: Tx, lane: LaneKey, message: Inbound) -> None:
    """Take an edit over: into the text of a message that is not answered, and into the transcript in any case.

    A message that was given up counts as not answered unless it is erased: it may be tried again. The free answer to a
    question is changed as long as no run has worked with it, but not by words that are forwarded.
    """
    params: dict[str, Any] = {**lane.params(), "edits": message.edits, "text": message.text, "answered": f"{ANSWERED}%"}
    params["forwarded"] = int(message.forwarded)
    written = "lane_id = :lane_id AND platform_id = :edits AND pressed IS NULL AND update_key NOT LIKE :answered"
    # An edit of the caption does not replace words that were spoken.
    written = f"{written} AND spoken <> {Spoken.HEARD.value}"
    open_still = f"{written} AND tenant_id = :tenant_id AND (state = 'new' OR (state = 'dead' AND raw IS NOT NULL))"
    tx.run(f"UPDATE inbox SET text = :text, forwarded = :forwarded WHERE {open_still}", params)
    answer = message.text.strip()
    if answer and not message.forwarded:
        tx.run(
            "UPDATE question SET answer = :answer WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
            " AND state = 'answered' AND options = '[]'"
            f" AND id IN (SELECT question_id FROM inbox WHERE {open_still} AND question_id IS NOT NULL)",
            {**params, "answer": answer},
        )
    corrected = tx.all(
        "UPDATE message SET text = :text, indexed = 1 WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        f" AND inbox_id IN (SELECT id FROM inbox WHERE {written}) RETURNING {history.COLUMNS}",
        {**params, "text": secret_words.without_sealed(said(message.text, message.attachments))},
    )
    history.keep(tx, corrected)


def began(tx: Tx, lane: LaneKey, run_id: int) -> str:
    """Return the platform's id of the last message that a run answers; empty where nobody wrote one."""
    row = tx.one(
        "SELECT platform_id FROM inbox WHERE run_id = :run_id AND lane_id = :lane_id AND tenant_id = :tenant_id"
        " AND platform_id <> '' AND platform_id NOT LIKE :moved AND pressed IS NULL ORDER BY id DESC LIMIT 1",
        {"run_id": run_id, "moved": f"{MOVED}%", **lane.params()},
    )
    return "" if row is None else str(row["platform_id"])


def answered_by(tx: Tx, lane: LaneKey, person_id: int | None, platform_id: str) -> tuple[int, str] | None:
    """Return the run that has answered a message of this person (None: of anybody), or asked the question that it left;
    and the message's last text. None while no run has ended. A message that answers a question has a second row."""
    asker = "COALESCE(run_id, (SELECT q.run_id FROM question q WHERE q.id = inbox.question_id))"
    rows = tx.all(
        f"SELECT update_key, {asker} AS run_id, text, ended_at FROM inbox WHERE lane_id = :lane_id AND forwarded = 0"
        f" AND tenant_id = :tenant_id AND platform_id = :platform_id AND pressed IS NULL"
        f"{'' if person_id is None else ' AND person_id = :person_id'} AND spoken <> {Spoken.HEARD.value} ORDER BY id",
        {"platform_id": platform_id, "person_id": person_id, **lane.params()},
    )
    runs = [int(row["run_id"]) for row in rows if row["run_id"] is not None and row["ended_at"] is not None]
    texts = [str(row["text"]) for row in rows if not row["update_key"].startswith(ANSWERED)]
    return (runs[0], texts[-1]) if runs and texts else None


def answer_of(tx: Tx, lane: LaneKey, run_id: int) -> Intent | None:
    """Return the intent that the answer to a question completed, which a run carried out; None for another run."""
    row = tx.one(
        "SELECT intent FROM inbox WHERE run_id = :run_id AND lane_id = :lane_id AND tenant_id = :tenant_id"
        f" AND update_key LIKE '{ANSWERED}%' AND intent <> '' LIMIT 1",
        {"run_id": run_id, **lane.params()},
    )
    found = None if row is None else unpack(row["intent"])
    return found if isinstance(found, Intent) else None


def runs_of_edits(tx: Tx, lane: LaneKey, person_id: int, run_id: int) -> list[int]:
    """Return the runs that worked on edits of the message that a run has answered, the first one first."""
    rows = tx.all(
        "SELECT run_id FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND person_id = :person_id"
        " AND run_id IS NOT NULL AND run_id <> :run_id AND platform_id <> '' AND platform_id IN (SELECT platform_id"
        " FROM inbox WHERE run_id = :run_id AND lane_id = :lane_id AND person_id = :person_id AND pressed IS NULL)"
        " ORDER BY id",
        {"person_id": person_id, "run_id": run_id, **lane.params()},
    )
    return [int(row["run_id"]) for row in rows]


def edited_meanwhile(tx: Tx, lane: LaneKey, person_id: int, message: Message) -> tuple[str, str] | None:
    """Return the key and the text of the last edit of a message that a run has worked on; None where it says the same.

    An edit that came before the run began is in the text of the message already.
    """
    row = tx.one(
        "SELECT update_key, text FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND id > :inbox_id"
        " AND platform_id = :platform_id AND person_id = :person_id AND pressed IS NULL AND forwarded = 0"
        " AND run_id IS NULL AND state = 'done' ORDER BY id DESC LIMIT 1",
        {"platform_id": message.platform_id, "inbox_id": message.inbox_id, "person_id": person_id, **lane.params()},
    )
    if row is None or row["text"].strip() == message.text.strip():
        return None
    return str(row["update_key"]), str(row["text"]).strip()


def needs_no_model(row: Row) -> bool:
    """Return whether a row can be worked on without a model: it is a command, typed or pressed; it is of a trigger or a
    task, whose text is said as it stands then; or it is spoken, and written down first."""
    if row["trigger_id"] is not None or row["task_id"] is not None or row["spoken"] == Spoken.UNHEARD:
        return True
    return bool(row["intent"] or order(row["text"], forwarded=bool(row["forwarded"])))


def head(tx: Tx, lane: LaneKey, now: Millis, passes: Callable[[Row], bool] = needs_no_model) -> list[Row]:
    """Return the messages of a lane for its next run: the oldest that are due and from one person; a command alone.

    Earlier messages of the person that are held go with them, so that the order stays. Behind a parked run only a row
    that `passes` goes, one that needs no model; the run itself is resumed with its own messages, which have its
    `run_id`. A message in doubt is a run of its own, and keeps nobody waiting, parked or not.
    """
    rows = _waiting(tx, lane, now, held=True)
    parked = [row for row in rows if row["run_id"] is not None]
    due = next((row["run_id"] for row in parked if row["held_until"] <= now), None)
    if due is not None:
        return [row for row in parked if row["run_id"] == due]
    if any(not row["doubts"] for row in parked):
        passing = (row for row in rows if row["run_id"] is None and row["question_id"] is None)
        return list(islice(filter(passes, passing), 1))
    return _together(rows, now) or (_together(_waiting(tx, lane, now, held=False), now) if len(rows) == TAKE else [])


def _together(rows: Sequence[Row], now: Millis) -> list[Row]:
    """Return the first due message, those that its person wrote right after it, and those of them held before it."""
    due = next((place for place, row in enumerate(rows) if row["held_until"] <= now), None)
    if due is None:
        return []
    # Rows that are runs of their own: commands, ends of questions, messages with a response_url, triggers.
    alone = {row["id"] for row in rows if row["question_id"] is not None or row["hook"] or needs_no_model(row)}
    doubted = {row["id"] for row in rows if row["doubts"]}
    if rows[due]["id"] in alone | doubted:
        # An album stays together, also in doubt.
        album = rows[due]["album"]
        return [row for row in rows if row is rows[due] or (album and row["album"] == album and row["id"] in doubted)]
    # Parts of an album that may still be followed by others; not if the album waits for the model.
    unripe = {row["id"] for row in rows if row["album"] and row["holds"] == 0 and row["held_until"] > now}
    apart = alone | doubted | unripe
    person, taken = rows[due]["person_id"], []
    for row in rows[due:]:
        if row["person_id"] != person or row["id"] in apart:
            break
        taken.append(row)
    before = [row for row in rows[:due] if row["person_id"] == person]
    return [row for row in before if row["id"] not in apart] + taken


def _waiting(tx: Tx, lane: LaneKey, now: Millis, *, held: bool) -> list[Row]:
    only_due = "" if held else " AND held_until <= :now"
    return tx.all(
        f"SELECT {_COLUMNS} FROM inbox"
        f" WHERE lane_id = :lane_id AND ended_at IS NULL AND state = 'new'{only_due} ORDER BY id LIMIT {TAKE}",
        {"lane_id": lane.lane_id, "now": now},
    )


def to_read(tx: Tx, lane_id: int) -> list[Message]:
    """Return the free texts that wait in a lane, oldest first: no commands, nor what answers a question."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM inbox WHERE lane_id = :lane_id AND ended_at IS NULL AND state = 'new'"
        f" AND question_id IS NULL ORDER BY id LIMIT {TAKE}",
        {"lane_id": lane_id},
    )
    return [message(row) for row in rows if not needs_no_model(row)]


def take(tx: Tx, lease: Lease, run_id: int, rows: Sequence[Row]) -> list[Message]:
    """Bind messages to a run."""
    for row in rows:
        tx.run(
            "UPDATE inbox SET state = 'taken', run_id = :run_id WHERE id = :id AND tenant_id = :tenant_id",
            {"run_id": run_id, "id": row["id"], **lease.lane.params()},
        )
    return [message(row) for row in rows]


def of_run(tx: Tx, lane: LaneKey, run_id: int) -> list[Message]:
    """Return the messages a run works on, oldest first."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM inbox"
        " WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL AND run_id = :run_id"
        " AND state = 'taken' ORDER BY id",
        {"run_id": run_id, **lane.params()},
    )
    return [message(row) for row in rows]


def message(row: Row) -> Message:
    """Return a row as a message, without its attachments."""
    stored = unpack(row["intent"]) if row["intent"] else None
    return Message(
        inbox_id=row["id"],
        text=row["text"],
        sent_at=row["sent_at"],
        platform_id="" if row["platform_id"].startswith(MOVED) else row["platform_id"],
        holds=row["holds"],
        doubts=row["doubts"],
        question_id=row["question_id"],
        trigger_id=row["trigger_id"],
        task_id=row["task_id"],
        pressed=row["pressed"],
        reply_to=row["reply_to"],
        quoted=row["quoted"],
        link=row["link"],
        forwarded=bool(row["forwarded"]),
        response_url=row["hook"],
        intent=stored if isinstance(stored, Intent) else None,
        spoken=Spoken(row["spoken"]),
    )


def end(
    tx: Tx, lane: LaneKey, run_id: int, now: Millis, *, state: InboxState = InboxState.DONE, error: str = ""
) -> None:
    """End all messages of a run as answered (`done`) or given up (`dead`)."""
    tx.run(
        f"UPDATE inbox SET state = :state, {deletions.ENDED}, ended_at = :now WHERE lane_id = :lane_id"
        " AND tenant_id = :tenant_id AND ended_at IS NULL AND run_id = :run_id AND state = 'taken'",
        {"state": state, "error": error, "now": now, "run_id": run_id, **lane.params()},
    )


def listened(tx: Tx, lane: LaneKey, inbox_id: int, text: str, spoken: Spoken, now: Millis, *, forwarded: bool) -> bool:
    """Put a message back with what was spoken in it as its text; False when it was deleted meanwhile."""
    tx.run(
        "UPDATE inbox SET state = 'new', run_id = NULL, text = :text, spoken = :spoken, forwarded = :forwarded"
        " WHERE id = :id AND tenant_id = :tenant_id AND lane_id = :lane_id AND state = 'taken'",
        {"text": text, "spoken": spoken.value, "forwarded": int(forwarded), "id": inbox_id, **lane.params()},
    )
    deletions.put_back(tx, lane, inbox_id, now)
    row = tx.one("SELECT 1 AS found FROM inbox WHERE id = :id AND ended_at IS NULL", {"id": inbox_id})
    return row is not None


def hold(tx: Tx, lane: LaneKey, inbox_id: int, until: Millis, now: Millis, *, doubted: bool) -> None:
    """Put a message back to wait for the model. A try before its time, beside a newer message, is not counted."""
    tx.run(
        "UPDATE inbox SET state = 'new', run_id = NULL, held_until = :until, doubts = doubts + :doubted,"
        " holds = holds + CASE WHEN held_until <= :now THEN 1 ELSE 0 END"
        " WHERE id = :id AND tenant_id = :tenant_id AND lane_id = :lane_id",
        {"until": until, "now": now, "doubted": int(doubted), "id": inbox_id, **lane.params()},
    )
    deletions.put_back(tx, lane, inbox_id, now)


def park(tx: Tx, lane: LaneKey, run_id: int, until: Millis, *, doubted: bool) -> None:
    """Put a run's messages back with its id on them: it goes on from its journal when the model is back."""
    tx.run(
        "UPDATE inbox SET state = 'new', held_until = :until, holds = holds + 1, doubts = doubts + :doubted WHERE"
        " lane_id = :lane_id AND tenant_id = :tenant_id AND ended_at IS NULL AND run_id = :run_id AND state = 'taken'",
        {"until": until, "run_id": run_id, "doubted": int(doubted), **lane.params()},
    )


def held(tx: Tx, lane: LaneKey) -> int:
    """Return how many messages of this lane wait for the model, without those in doubt."""
    row = tx.one(
        "SELECT count(*) AS n FROM inbox WHERE lane_id = :lane_id AND tenant_id = :tenant_id"
        " AND ended_at IS NULL AND state = 'new' AND holds > 0 AND doubts = 0",
        lane.params(),
    )
    return 0 if row is None else int(row["n"])


def position(tx: Tx, tenant_id: int, name: str) -> str | None:
    """Return how far the stream of a platform has been read."""
    row = tx.one(
        "SELECT position FROM cursor_position WHERE tenant_id = :tenant_id AND name = :name",
        {"tenant_id": tenant_id, "name": name},
    )
    return None if row is None else row["position"]


def set_position(tx: Tx, tenant_id: int, name: str, position: str) -> None:
    """Note how far the stream of a platform has been read."""
    tx.run(
        "INSERT INTO cursor_position (tenant_id, name, position) VALUES (:tenant_id, :name, :position)"
        " ON CONFLICT (tenant_id, name) DO UPDATE SET position = excluded.position",
        {"tenant_id": tenant_id, "name": name, "position": position},
    )


_PARKED = (
    "EXISTS (SELECT 1 FROM inbox p WHERE p.lane_id = i.lane_id AND p.ended_at IS NULL AND p.state = 'new'"
    " AND p.run_id IS NOT NULL AND p.doubts = 0 AND p.held_until > :now)"
)


def unsettled(tx: Tx, tenant_id: int, now: Millis) -> int:
    """Messages of a tenant that are being or can be answered at `now`, tasks that are or can be worked on, and answers
    that are not sent."""
    row = tx.one(
        "SELECT (SELECT count(*) FROM inbox i WHERE i.ended_at IS NULL AND i.tenant_id = :tenant_id"
        f" AND (i.state = 'taken' OR (i.held_until <= :now AND NOT {_PARKED})))"
        " + (SELECT count(*) FROM task WHERE ended_at IS NULL AND tenant_id = :tenant_id"
        " AND (state = 'running' OR (state = 'queued' AND wake_at <= :now)))"
        " + (SELECT count(*) FROM outbox WHERE ended_at IS NULL AND tenant_id = :tenant_id) AS n",
        {"tenant_id": tenant_id, "now": now},
    )
    return 0 if row is None else int(row["n"])


def writer_of(tx: Tx, lane: LaneKey, platform_id: str) -> tuple[str, Millis]:
    """Return whose a message of a lane is, by its platform's id, and when it was sent; empty and 0 for none."""
    row = tx.one(
        "SELECT p.name, i.sent_at FROM inbox i JOIN person p ON p.id = i.person_id WHERE i.platform_id = :platform_id"
        " AND i.lane_id = :lane_id AND i.tenant_id = :tenant_id ORDER BY i.id LIMIT 1",
        {"platform_id": platform_id, **lane.params()},
    )
    return ("", 0) if row is None else (row["name"], row["sent_at"])


def said_before(tx: Tx, lane: LaneKey, person_id: int, limit: int) -> list[str]:
    """Return what somebody wrote in a lane last, the newest first: nothing that they forwarded or pressed."""
    rows = tx.all(
        "SELECT i.text FROM message m JOIN inbox i ON i.id = m.inbox_id WHERE m.lane_id = :lane_id"
        " AND m.tenant_id = :tenant_id AND m.person_id = :person_id AND i.forwarded = 0 AND i.pressed IS NULL"
        " AND i.trigger_id IS NULL AND m.forgotten_with IS NULL ORDER BY m.id DESC LIMIT :limit",
        {**lane.params(), "person_id": person_id, "limit": limit},
    )
    return [row["text"] for row in rows]
