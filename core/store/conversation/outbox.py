"""Outbox rows: new → sending → sent | dead; one in flight a chat, urgent ones first (STATES: Outbox).

What a message, and the buttons below it, came of is kept in columns, never read out of a key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic_core import to_json

from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis, Urgency
from core.store.conversation import inbox
from core.store.files import StoredFile


class SourceKind(StrEnum):
    """What a message came of; its number is that of a row there."""

    # Something that nothing is looked up by: a notice, a greeting.
    NONE = ""
    # An answer, or another thing that a run said.
    RUN = "run"
    # What a trigger was due for: a reminder, a brief, a notice.
    TRIGGER = "trigger"
    # A question, asked for the first time or again.
    QUESTION = "question"
    # The page of a person, of which only the buttons are stored.
    PAGE = "page"
    # The bot leaves a group.
    LEAVE = "leave"
    # The owners are told of a message that may not have arrived: its row in the outbox.
    DOUBT = "doubt"


class Source(NamedTuple):
    """What a message came of. `epoch` counts how often its trigger had fired.

    A `comment` only says what became of such a message, or changes it, and is no part of it.
    """

    kind: SourceKind = SourceKind.NONE
    number: int | None = None
    epoch: int | None = None
    comment: bool = False

    def commented(self) -> Source:
        """Return the source of what is said about a message of this source."""
        return self._replace(comment=True)

    def run(self) -> int | None:
        """Return the run whose words a message has; None when it has none of a run."""
        return self.number if self.kind is SourceKind.RUN and not self.comment else None

    def trigger(self) -> int | None:
        """Return the trigger that a message is due for; None when it is due for none."""
        return self.number if self.kind is SourceKind.TRIGGER and not self.comment else None

    def question(self) -> int | None:
        """Return the question that a message asks; None when it asks none."""
        return self.number if self.kind is SourceKind.QUESTION and not self.comment else None


NO_SOURCE = Source()


def _source(row: Row) -> Source:
    return Source(SourceKind(row["source_kind"]), row["source_id"], row["epoch"], row["part"] is None)


class OutboxState(StrEnum):
    """What has become of a message that is to be sent."""

    # It was certainly not sent.
    NEW = "new"
    # Its bytes may have left.
    SENDING = "sending"
    # The platform has it.
    SENT = "sent"
    # It was given up.
    DEAD = "dead"


class DeadFor(StrEnum):
    """Why a message was given up; its `error` says it in words."""

    # The platform refused it, or too many tries failed.
    FAULT = ""
    # What it says is over: nobody wants it any more, or a newer one says it.
    SUPERSEDED = "superseded"
    # What it was to say could not be written.
    UNWRITABLE = "unwritable"
    # It may have arrived, and is not sent once more.
    DOUBT = "doubt"
    # It was refused, and who waited for it was told so.
    TOLD = "told"
    # The operator has looked at it, and does not want it.
    DROPPED = "dropped"


# In the payload of an unwritten message, in the place of what an adapter rendered; the value is for whoever writes it.
UNWRITTEN = "unwritten"
FADED = "what it was to tell is over"
# Beside what an adapter rendered: name, type and size of the file whose path stands in the row.
DOCUMENT = "document"
# Beside what an adapter rendered: the address of the only person who is to see it. An adapter that knows nothing of
# this shows the message to all.
ONLY_FOR = "only_for"
# Beside what an adapter rendered: nobody is disturbed by the message, nor by edits of it, where a platform can do that.
SILENT = "silent"
# In the place of an instant: the chat is to be looked at again, at once.
LOOK_AGAIN: Millis = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message on its way, with the platform's own ids of its place; it is a part of the one of `whole_key`."""

    outbox_id: int
    lane: LaneKey
    key: str
    whole_key: str
    source: Source
    platform: str
    tenant: str
    chat: str
    thread: str
    payload: Mapping[str, Any]
    reply_to: str
    replaces: str
    attempt: int
    repeats: int
    created_at: Millis
    urgency: Urgency = Urgency.INTERACTIVE
    response_url: str = ""
    # When the last try to send it began, before this one.
    begun: Millis | None = None
    # Where its file lies; empty when it is none, or was erased.
    file: str = ""
    # Whom it answers, if that is known.
    person_id: int | None = None

    @property
    def document(self) -> StoredFile | None:
        """Return the file that it is; None when it is none. Its path is empty when the file was erased."""
        told = self.payload.get(DOCUMENT)
        return None if told is None else StoredFile(path=self.file, **told)

    @property
    def to_be_written(self) -> bool:
        """Return whether what it says is decided when it is claimed: it is unwritten, or a reminder that could not be
        sent."""
        put_back = self.urgency is Urgency.REMINDER and self.attempt > 1 and not (self.repeats or self.replaces)
        return UNWRITTEN in self.payload or put_back

    def due_of(self) -> int | None:
        """Return the trigger whose message this is; None when it is none of a trigger, or only changes one."""
        return None if self.replaces else self.source.trigger()

    @property
    def lasting(self) -> str:
        """Return a key that no other message has, also none of a database that was begun anew."""
        return f"{self.key}@{self.created_at}"


def add(
    tx: Tx,
    lane: LaneKey,
    key: str,
    payload: Mapping[str, Any],
    *,
    now: Millis,
    urgency: Urgency = Urgency.INTERACTIVE,
    reply_to: str = "",
    replaces_id: int | None = None,
    person_id: int | None = None,
    response_url: str = "",
    source: Source = NO_SOURCE,
) -> bool:
    """Queue a message in one part; `person_id` is whom it answers. False when `key` is known: it is queued or sent."""
    part = Queued(lane, key, payload, urgency, reply_to, replaces_id, person_id, response_url, source)
    return bool(add_all(tx, [part], now))


class Queued(NamedTuple):
    """The part `n` of the message `whole_key`, which is `key` unless given, to be queued as `add` has it. Of one to be
    `forgotten` the body goes as soon as it has ended."""

    lane: LaneKey
    key: str
    payload: Mapping[str, Any]
    urgency: Urgency = Urgency.INTERACTIVE
    reply_to: str = ""
    replaces_id: int | None = None
    person_id: int | None = None
    response_url: str = ""
    source: Source = NO_SOURCE
    whole_key: str = ""
    n: int = 0
    file: str = ""
    forgotten: bool = False


def add_all(tx: Tx, parts: Sequence[Queued], now: Millis) -> set[tuple[int, str]]:
    """Queue parts; returns tenant and key of those that were not known."""
    rows = tx.many(
        "INSERT INTO outbox (tenant_id, scope_id, chat_id, lane_id, message_key, urgency, state, payload, reply_to,"
        " replaces_id, person_id, hook, source_kind, source_id, epoch, whole_key, part, file, forgotten, created_at)"
        " VALUES :rows"
        " ON CONFLICT (tenant_id, message_key) DO NOTHING RETURNING tenant_id, message_key",
        [
            (
                *(part.lane.tenant_id, part.lane.scope_id, part.lane.chat_id, part.lane.lane_id),
                part.key,
                part.urgency.value,
                "new",
                to_json(part.payload).decode(),
                part.reply_to,
                part.replaces_id,
                part.person_id,
                part.response_url,
                part.source.kind.value,
                part.source.number,
                part.source.epoch,
                part.whole_key or part.key,
                None if part.source.comment else part.n,
                part.file,
                int(part.forgotten),
                now,
            )
            for part in parts
        ],
    )
    return {(row["tenant_id"], row["message_key"]) for row in rows}


def keep_in(tx: Tx, lane: LaneKey, now: Millis) -> None:
    """Cancel the leaving of a group: somebody with access wants the bot there."""
    tx.run(
        "UPDATE outbox SET state = 'dead', dead_for = 'superseded', error = 'somebody with access wants the bot here',"
        " ended_at = :now WHERE chat_id = :chat_id AND tenant_id = :tenant_id AND ended_at IS NULL AND state = 'new'"
        " AND source_kind = :leave",
        {"now": now, "leave": SourceKind.LEAVE.value, **lane.params()},
    )


def editable(tx: Tx, lane: LaneKey, key: str) -> tuple[int, Source] | None:
    """Return row and source of a message of this chat, by its key, that an edit can replace whole: it is new, in one
    part, and neither lost nor older than its chat's id.
    """
    row = tx.one(
        "SELECT id, source_kind, source_id, epoch, part FROM outbox o WHERE tenant_id = :tenant_id"
        " AND message_key = :key AND chat_id = :chat_id AND state <> 'dead' AND replaces_id IS NULL AND part = 0"
        " AND (state <> 'sent' OR platform_id IS NOT NULL)"
        " AND NOT EXISTS (SELECT 1 FROM outbox p WHERE p.tenant_id = o.tenant_id"
        " AND p.message_key = o.whole_key || ':1')",
        {"key": key, **lane.params()},
    )
    return None if row is None else (int(row["id"]), _source(row))


def source_of(tx: Tx, lane: LaneKey, platform_id: str) -> Source | None:
    """Return what a message of the bot in this chat came of, by the platform's id of it; None where it is not the
    bot's."""
    row = tx.one(
        "SELECT source_kind, source_id, epoch, part FROM outbox WHERE tenant_id = :tenant_id AND chat_id = :chat_id"
        " AND platform_id = :platform_id ORDER BY id DESC LIMIT 1",
        {"platform_id": platform_id, **lane.params()},
    )
    return None if row is None else _source(row)


def row_of(tx: Tx, tenant_id: int, key: str) -> int | None:
    """Return the id of the row with this key, for an edit to name."""
    sql = "SELECT id FROM outbox WHERE tenant_id = :tenant_id AND message_key = :key"
    row = tx.one(sql, {"tenant_id": tenant_id, "key": key})
    return None if row is None else int(row["id"])


_OPEN = "o.chat_id = :chat_id AND o.ended_at IS NULL AND o.state = 'new'"
# The parts of a message stand together where its first one does: the others may have been written later.
_PLACE = (
    "CASE WHEN o.part > 0 THEN COALESCE((SELECT f.id FROM outbox f WHERE f.tenant_id = o.tenant_id"
    " AND f.message_key = o.whole_key || ':0'), o.id) ELSE o.id END"
)
# An edit waits for what it replaces.
_READY = f"{_OPEN} AND (r.id IS NULL OR r.ended_at IS NOT NULL)"
_REPLACED = "LEFT JOIN outbox r ON r.id = o.replaces_id"
# Whatever must wait keeps back what comes after it in its lane, of its own kind: messages of one class, or edits.
_WAITING = (
    f"SELECT o.lane_id, o.urgency, o.replaces_id IS NULL AS is_new, min({_PLACE}) AS place FROM outbox o"
    f" WHERE {_OPEN} AND o.not_before > :now GROUP BY 1, 2, 3"
)
_HEAD = (
    "SELECT o.id, o.tenant_id, o.scope_id, o.chat_id, o.lane_id, o.message_key, o.payload, o.reply_to, o.attempt,"
    " o.repeated, o.replaces_id, o.urgency, o.hook, o.created_at, o.sending_at, o.source_kind, o.source_id, o.epoch,"
    " o.whole_key, o.part, o.file, o.person_id, c.external_id AS chat, l.thread, t.platform,"
    " t.external_id AS tenant FROM outbox o"
    " JOIN chat c ON c.id = o.chat_id JOIN lane l ON l.id = o.lane_id JOIN tenant t ON t.id = o.tenant_id"
    f" {_REPLACED} LEFT JOIN ({_WAITING}) w ON w.lane_id = o.lane_id AND w.urgency = o.urgency"
    " AND w.is_new = (o.replaces_id IS NULL)"
    f" WHERE {_READY} AND o.not_before <= :now AND (w.place IS NULL OR w.place > {_PLACE})"
    f" ORDER BY o.urgency, {_PLACE}, o.id LIMIT 1"
)


# What is said at the time of a trigger and is no reminder.
NO_REMINDER = "g.deliver IN ('brief', 'summary', 'task')"
# Such a message of a trigger that was cancelled, or of the run that it woke; unless a part of it has left, or may have.
_CANCELLED = (
    f"o.id = :id AND o.part IS NOT NULL AND g.state = 'cancelled' AND {NO_REMINDER} AND NOT EXISTS"
    " (SELECT 1 FROM outbox f WHERE f.tenant_id = o.tenant_id AND f.message_key = o.whole_key || ':0'"
    " AND (f.state = 'sent' OR f.repeated > 0 OR f.dead_for = 'doubt'))"
)
_UNWANTED = (
    "SELECT 1 AS found FROM outbox o JOIN trigger g ON g.id = o.source_id AND o.source_kind = 'trigger'"
    f" WHERE {_CANCELLED} UNION ALL SELECT 1 FROM outbox o JOIN run ON run.id = o.source_id AND o.source_kind = 'run'"
    # Hardly any has ended since a run began: they are looked at before what woke it.
    " CROSS JOIN trigger g CROSS JOIN inbox i WHERE g.ended_at >= run.started_at AND g.tenant_id = o.tenant_id"
    " AND i.lane_id = run.lane_id AND i.platform_id = '' AND i.run_id = run.id AND i.intent <> ''"
    f" AND i.update_key LIKE '{inbox.DUE}' || g.id || ':%' AND {_CANCELLED}"
)


def claim(tx: Tx, chat_id: int, now: Millis, *, unwritten: bool = True) -> Post | Millis | None:
    """Take the next message of a chat for sending, and return it; else return when it may go, None where none waits.

    A message that is `to_be_written` is left unless the `unwritten` are wanted: then `LOOK_AGAIN` is returned.
    """
    tx.lock(("chat", chat_id))
    sending = "SELECT 1 AS found FROM outbox WHERE chat_id = :chat_id AND ended_at IS NULL AND state = 'sending'"
    if tx.one(sending, {"chat_id": chat_id}) is not None:
        return None
    while True:
        row = tx.one(_HEAD, {"chat_id": chat_id, "now": now})
        if row is None:
            # When the first one that must wait may go, of those that could be sent then.
            later = f"SELECT min(o.not_before) AS at FROM outbox o {_REPLACED} WHERE {_READY} AND o.not_before > 0"
            waiting = tx.one(later, {"chat_id": chat_id})
            return None if waiting is None else waiting["at"]
        target = _target(tx, row)
        if target is None:
            fail(tx, row["id"], FADED, now, dead_for=DeadFor.SUPERSEDED)
            continue
        post = _post(row, target)
        if post.to_be_written and not unwritten:
            return LOOK_AGAIN
        tx.run(
            "UPDATE outbox SET state = 'sending', attempt = attempt + 1, sending_at = :now"
            " WHERE id = :id AND state = 'new'",
            {"id": row["id"], "now": now},
        )
        return post


def _target(tx: Tx, row: Row) -> str | None:
    """Return the platform's id of the message that an edit replaces; None where it, or a message, is pointless."""
    if row["replaces_id"] is None:
        return "" if tx.one(_UNWANTED, {"id": row["id"]}) is None else None
    sql = "SELECT 1 AS found FROM outbox WHERE tenant_id = :tenant_id AND replaces_id = :replaces_id AND id > :id"
    params = {"tenant_id": row["tenant_id"], "replaces_id": row["replaces_id"], "id": row["id"]}
    newer = tx.one(f"{sql} LIMIT 1", params)
    target = tx.one("SELECT platform_id FROM outbox WHERE id = :replaces_id", {"replaces_id": row["replaces_id"]})
    return None if newer is not None or target is None else target["platform_id"]


def _post(row: Row, target: str) -> Post:
    return Post(
        outbox_id=row["id"],
        lane=LaneKey.of(row),
        key=row["message_key"],
        whole_key=row["whole_key"],
        source=_source(row),
        platform=row["platform"],
        tenant=row["tenant"],
        chat=row["chat"],
        thread=row["thread"],
        payload=json.loads(row["payload"]),
        reply_to=row["reply_to"],
        replaces=target,
        attempt=row["attempt"] + 1,
        repeats=row["repeated"],
        urgency=Urgency(row["urgency"]),
        created_at=row["created_at"],
        response_url=row["hook"],
        begun=row["sending_at"],
        file=row["file"],
        person_id=row["person_id"],
    )


def sent(tx: Tx, outbox_id: int, platform_id: str, now: Millis, *, keeps_file: bool = False) -> None:
    """Note that the platform has a message, under this id. With `keeps_file` people read its file where it lies."""
    change = "state = 'sent', platform_id = :platform_id, error = '' WHERE id = :id AND state = 'sending'"
    if not keeps_file:
        tx.run("UPDATE outbox SET file = '' WHERE id = :id AND state = 'sending' AND file <> ''", {"id": outbox_id})
    _end(tx, change, {"id": outbox_id, "platform_id": platform_id, "now": now})


def _end(tx: Tx, to: str, params: Mapping[str, Any]) -> None:
    """End a message. If it was forgotten before it was sent, its body and the name of its file go now."""
    kept = "payload = CASE forgotten WHEN 1 THEN NULL ELSE payload END,"
    kept += " file = CASE forgotten WHEN 1 THEN '' ELSE file END"
    ended = tx.one(f"UPDATE outbox SET ended_at = :now, {kept}, {to} RETURNING forgotten", params)
    if ended is not None and ended["forgotten"]:
        tx.scrub()


def again(
    tx: Tx, outbox_id: int, *, not_before: Millis, error: str, repeated: bool = False, begun: Millis | None = None
) -> None:
    """Put a message back to be sent not before an instant. `repeated` when it may have arrived already: that is
    counted, and the message says so.

    If nothing left by this try, `begun` is when the one before it began. If the app was removed meanwhile, the message
    is given up.
    """
    params = {"id": outbox_id, "not_before": not_before, "error": error, "repeated": int(repeated), "begun": begun}
    ended = "SELECT t.ended_at FROM tenant t WHERE t.id = outbox.tenant_id AND t.ended_at IS NOT NULL"
    tx.run(
        "UPDATE outbox SET not_before = :not_before, error = :error, repeated = repeated + :repeated,"
        f" state = CASE WHEN EXISTS ({ended}) THEN 'dead' ELSE 'new' END, ended_at = ({ended}),"
        " sending_at = COALESCE(:begun, sending_at) WHERE id = :id AND state = 'sending'",
        params,
    )


def anew(tx: Tx, post: Post, now: Millis) -> None:
    """Send an edit that was refused as a message of its own; the buttons of the edited one hang below that."""
    whole_key = f"{post.key}:anew"
    params: dict[str, Any] = {"id": post.outbox_id, "key": f"{whole_key}:0", "whole": whole_key, "now": now}
    params |= post.lane.params()
    edited = "(SELECT r.{} FROM outbox e JOIN outbox r ON r.id = e.replaces_id WHERE e.id = :id)"
    tx.run(
        "UPDATE keyboard SET message_key = :key, source_kind = :kind, source_id = :number WHERE tenant_id = :tenant_id"
        f" AND message_key = {edited.format('message_key')} AND created_at >= {edited.format('created_at')}",
        {**params, "kind": post.source.kind.value, "number": post.source.number},
    )
    tx.run(
        "INSERT INTO outbox (tenant_id, scope_id, chat_id, lane_id, message_key, urgency, state, payload, person_id,"
        " hook, source_kind, source_id, epoch, whole_key, part, created_at, forgotten) SELECT tenant_id, scope_id,"
        " chat_id, lane_id, :key, urgency, 'new', payload, person_id, hook, source_kind, source_id, epoch, :whole, 0,"
        " :now, forgotten FROM outbox WHERE id = :id ON CONFLICT (tenant_id, message_key) DO NOTHING",
        params,
    )


def fail(tx: Tx, outbox_id: int, reason: str, now: Millis, *, dead_for: DeadFor = DeadFor.FAULT) -> None:
    """Give a message up, visibly; it blocks nobody. `reason` is for the operator."""
    _end(
        tx,
        "state = 'dead', dead_for = :dead_for, error = :reason WHERE id = :id AND state IN ('new', 'sending')",
        {"id": outbox_id, "reason": reason, "dead_for": dead_for.value, "now": now},
    )


def fault_told(tx: Tx, outbox_id: int) -> None:
    """Note that whoever waited for a message that was given up was told: nobody else need decide about it."""
    tx.run("UPDATE outbox SET dead_for = 'told' WHERE id = :id AND state = 'dead'", {"id": outbox_id})


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A message whose bytes may have left; `replaces` whether it is an edit."""

    outbox_id: int
    lane: LaneKey
    key: str
    source: Source
    platform: str
    tenant: str
    repeats: int
    sending_at: Millis
    replaces: bool


def in_doubt(tx: Tx) -> list[Doubt]:
    """Messages that are being sent, or were when their process ended."""
    rows = tx.all(
        "SELECT o.id, o.tenant_id, o.scope_id, o.chat_id, o.lane_id, o.message_key, o.repeated, o.sending_at,"
        " o.replaces_id, o.source_kind, o.source_id, o.epoch, o.part, t.platform, t.external_id AS tenant FROM outbox o"
        " JOIN tenant t ON t.id = o.tenant_id WHERE o.ended_at IS NULL AND o.state = 'sending' ORDER BY o.id"
    )
    return [
        Doubt(
            outbox_id=row["id"],
            lane=LaneKey.of(row),
            key=row["message_key"],
            source=_source(row),
            platform=row["platform"],
            tenant=row["tenant"],
            repeats=row["repeated"],
            sending_at=row["sending_at"],
            replaces=row["replaces_id"] is not None,
        )
        for row in rows
    ]


def started(tx: Tx, lane: LaneKey, since: Millis, now: Millis) -> int:
    """Return how many messages the bot has sent to a chat by itself after `since`, and not later than `now`: notices
    and repeats of reminders, but not what shows a task that somebody asked for."""
    row = tx.one(
        "SELECT count(*) AS n FROM outbox WHERE chat_id = :chat_id AND tenant_id = :tenant_id AND (urgency = :urgency"
        " OR (source_kind = 'trigger' AND EXISTS (SELECT 1 FROM trigger r WHERE r.id = source_id AND r.round > 0)))"
        " AND created_at > :since AND created_at <= :now AND replaces_id IS NULL AND NOT EXISTS (SELECT 1 FROM task t"
        " WHERE t.tenant_id = outbox.tenant_id AND t.message_key = outbox.whole_key)",
        {"urgency": Urgency.PROGRESS.value, "since": since, "now": now, **lane.params()},
    )
    return 0 if row is None else int(row["n"])


def due(tx: Tx, now: Millis, limit: int = 10_000) -> dict[int, bool]:
    """Chats with messages that may go now, and whether nobody waits for any of them; those with answers first."""
    rows = tx.all(
        "SELECT chat_id, min(urgency) AS first FROM outbox WHERE ended_at IS NULL AND state = 'new'"
        " AND not_before <= :now GROUP BY chat_id ORDER BY first, chat_id LIMIT :limit",
        {"now": now, "limit": limit},
    )
    return {row["chat_id"]: row["first"] != Urgency.INTERACTIVE.value for row in rows}


def next_due(tx: Tx, now: Millis) -> Millis | None:
    """Return when the next delayed message may go, or None."""
    row = tx.one(
        "SELECT min(not_before) AS at FROM outbox WHERE ended_at IS NULL AND state = 'new' AND not_before > :now",
        {"now": now},
    )
    return None if row is None else row["at"]


# Messages of triggers, which are queued when they are due, and written when they are sent.
ITS_OWN = "replaces_id IS NULL AND part IS NOT NULL AND source_kind = 'trigger' AND source_id = :trigger_id"
_WAITS = f"ended_at IS NULL AND state = 'new' AND {ITS_OWN}"
# Where messages of a trigger are: in its chat, and where others are reminded.
_ITS_CHATS = (
    "chat_id IN (SELECT g.chat_id FROM trigger g WHERE g.id = :trigger_id"
    " UNION SELECT r.chat_id FROM reminder r WHERE r.trigger_id = :trigger_id)"
)
# Whether the message of a tenant and a key has several parts.
_IN_PARTS = "EXISTS (SELECT 1 FROM outbox p WHERE p.tenant_id = {0} AND p.message_key = {1} || ':1')"
# A first reminder that could certainly not be sent, of which it is decided anew whether it is.
_PUT_BACK = (
    "attempt > 0 AND repeated = 0 AND EXISTS (SELECT 1 FROM reminder r WHERE r.tenant_id = outbox.tenant_id"
    " AND r.message_key = outbox.whole_key AND r.root_id IS NULL)"
    f" AND NOT {_IN_PARTS.format('outbox.tenant_id', 'outbox.whole_key')}"
)


def write(tx: Tx, outbox_id: int, payload: Mapping[str, Any]) -> None:
    """Give a message another payload, for this and every further try."""
    tx.run("UPDATE outbox SET payload = :text WHERE id = :id", {"text": to_json(payload).decode(), "id": outbox_id})


def in_parts(tx: Tx, post: Post) -> bool:
    """Return whether a message that was written has several parts: so it stays as it is."""
    params = {"tenant_id": post.lane.tenant_id, "key": post.whole_key}
    return tx.one(f"SELECT 1 AS found WHERE {_IN_PARTS.format(':tenant_id', ':key')}", params) is not None


def withdraw(tx: Tx, trigger_id: int, now: Millis) -> bool:
    """Give up the reminders of a trigger that wait to be written; return whether any did.

    Of what is no reminder that is decided when it is claimed.
    """
    rows = tx.all(
        "UPDATE outbox SET state = 'dead', dead_for = 'superseded', error = :error, ended_at = :now"
        f" WHERE {_ITS_CHATS} AND {_WAITS} AND (payload LIKE :unwritten OR ({_PUT_BACK}))"
        " RETURNING tenant_id, whole_key",
        {"now": now, "unwritten": f'{{"{UNWRITTEN}":%', "error": FADED, "trigger_id": trigger_id},
    )
    for row in rows:
        tx.run(
            "UPDATE reminder SET state = 'lapsed', ended_at = :now WHERE tenant_id = :tenant_id"
            " AND message_key = :whole_key AND state = 'open'",
            {"now": now, **row},
        )
    return bool(rows)


def waits_behind(tx: Tx, post: Post) -> bool:
    """Return whether what the same trigger wanted at a later time waits, too, behind this message of a chat."""
    sql = f"SELECT 1 AS found FROM outbox WHERE chat_id = :chat_id AND {_WAITS} AND id > :id AND epoch <> :e LIMIT 1"
    params = {"id": post.outbox_id, "trigger_id": post.source.trigger(), "e": post.source.epoch}
    return tx.one(sql, {"chat_id": post.lane.chat_id, **params}) is not None
