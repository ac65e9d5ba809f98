"""Runs and their steps: what a run has done so far, so that it can go on after a crash (STATES: Run)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from core.kernel import secret_words
from core.kernel.intent import Order, pack
from core.kernel.ports import Row, Tx
from core.kernel.replies import Step
from core.kernel.types import OWN_SOUNDS, Entry, LaneKey, Message, Millis
from core.store.conversation import history
from core.store.conversation.asides import BESIDE_OTHERS, IN_CONTEXT, OF_OTHERS, OVERHEARD, WHISPERED
from core.store.conversation.attachment_text import heard
from core.store.conversation.history import COLUMNS
from core.store.people.optouts import HEARD
from core.store.people.people import inserted


class RunState(StrEnum):
    """What has become of a run."""

    # It is worked on, or will be taken up again.
    RUNNING = "running"
    # It has answered.
    DONE = "done"
    # It ended with a question.
    ASKED = "asked"
    # It was given up.
    FAILED = "failed"


class StepKind(StrEnum):
    """What a step of a run is."""

    # What a model answered.
    ANSWER = "answer"
    # The call of a tool.
    CALL = "call"


class StepState(StrEnum):
    """Whether a step of a run has happened."""

    # It was begun.
    STARTED = "started"
    # Its result is known.
    DONE = "done"
    # It was begun, and nobody can know whether it has happened.
    UNKNOWN = "unknown"


class Unjournalled:
    """Keeps the journal's rows of what a run has only looked at, until they are written with its next act.

    Looking changed nothing, so after a crash the run looks again.
    """

    def __init__(self) -> None:
        self._rows: list[Callable[[Tx], None]] = []

    def add(self, row: Callable[[Tx], None]) -> None:
        """Keep what writes a row, for the next act."""
        self._rows.append(row)

    def commit(self, tx: Tx) -> None:
        """Write all rows in the transaction of an act, behind its fence. Acts of a run come one after another."""
        if rows := tuple(self._rows):
            for row in rows:
                row(tx)
            tx.after_commit(lambda: self._rows.__delitem__(slice(len(rows))))


# What is neither forgotten, nor a word of ours about ourselves, nor between somebody else and the bot, nor of who wants
# to be left alone.
_OPEN = f"forgotten_with IS NULL AND aside < 3 AND (aside <> 2 OR person_id = :reader) AND {HEARD}"
# The past of a lane that models see.
_PAST = f"lane_id = :lane_id AND tenant_id = :tenant_id AND scope_id = :scope_id AND {_OPEN} AND {IN_CONTEXT}"
# Of a history that has grown too long so much is kept.
KEPT = 2 / 3
MOST_LINES = 200
# So many of the last lines of a lane say with whom the bot talks there.
MOST_OF_TALK = 100


def start(tx: Tx, lane: LaneKey, *, person_id: int, role: str, trace_id: str, now: Millis, command: Order = "") -> int:
    """Open a run and return its id; `command` is what a message was understood as."""
    return inserted(
        tx.one(
            "INSERT INTO run (tenant_id, scope_id, lane_id, person_id, role, trace_id, state, command, started_at)"
            " VALUES (:tenant_id, :scope_id, :lane_id, :person_id, :role, :trace_id, 'running', :command, :now)"
            " RETURNING id",
            {
                **lane.params(),
                "person_id": person_id,
                "role": role,
                "trace_id": trace_id,
                "command": pack(command) if command else "",
                "now": now,
            },
        )
    )


def load(tx: Tx, lane: LaneKey, run_id: int) -> Row:
    """Return the row of a run of this lane."""
    row = tx.one(
        "SELECT id, person_id, role, trace_id, state, command, started_at FROM run"
        " WHERE id = :run_id AND tenant_id = :tenant_id AND scope_id = :scope_id AND lane_id = :lane_id",
        {"run_id": run_id, **lane.params()},
    )
    assert row is not None
    return row


def asker(tx: Tx, tenant_id: int, run_id: int) -> int | None:
    """Return whom a run of the tenant works for; None when it is gone."""
    row = tx.one(
        "SELECT person_id FROM run WHERE id = :run_id AND tenant_id = :tenant_id",
        {"run_id": run_id, "tenant_id": tenant_id},
    )
    return None if row is None else int(row["person_id"])


def told_task(tx: Tx, lane: LaneKey, run_id: int) -> tuple[int, str] | None:
    """Return whose the task is of which a run says what came of it, and its prompt; None where it says that of none."""
    row = tx.one(
        "SELECT k.person_id, k.prompt FROM inbox i JOIN task k ON k.id = i.task_id AND k.tenant_id = i.tenant_id"
        " WHERE i.lane_id = :lane_id AND i.tenant_id = :tenant_id AND i.run_id = :run_id ORDER BY i.id LIMIT 1",
        {"run_id": run_id, **lane.params()},
    )
    return None if row is None else (int(row["person_id"]), str(row["prompt"]))


def end(tx: Tx, lane: LaneKey, run_id: int, state: RunState, now: Millis, error: str = "") -> None:
    """Close a run as `done`, `asked` or `failed`. The words of its message are needed no more."""
    tx.run(
        "UPDATE run SET state = :state, error = :error, command = '', ended_at = :now"
        " WHERE id = :run_id AND tenant_id = :tenant_id AND scope_id = :scope_id",
        {"state": state, "error": error, "now": now, "run_id": run_id, **lane.params()},
    )


def needed_no_model(tx: Tx, lane: LaneKey, run_id: int) -> bool:
    """Return whether a run of this lane came to its end, and no model answered in it: none was needed, or there was
    none."""
    row = tx.one(
        "SELECT 1 AS found FROM run WHERE id = :run_id AND tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND state IN ('done', 'asked') AND NOT EXISTS (SELECT 1 FROM step WHERE run_id = :run_id"
        " AND tenant_id = :tenant_id AND scope_id = :scope_id AND kind = 'answer')",
        {"run_id": run_id, **lane.params()},
    )
    return row is not None


def steps(tx: Tx, lane: LaneKey, run_id: int) -> list[Step]:
    """Return all steps of a run in order."""
    rows = tx.all(
        "SELECT n, kind, state, call_id, tool, content FROM step WHERE tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND run_id = :run_id ORDER BY n",
        {"run_id": run_id, **lane.params()},
    )
    return [
        Step(
            n=row["n"],
            kind=row["kind"],
            state=row["state"],
            call_id=row["call_id"],
            tool=row["tool"],
            content=row["content"],
        )
        for row in rows
    ]


def write(tx: Tx, lane: LaneKey, run_id: int, step: Step, now: Millis) -> None:
    """Commit a step; a second step with the same number is an error of the database."""
    tx.run(
        "INSERT INTO step (tenant_id, scope_id, run_id, n, kind, state, call_id, tool, content, started_at, ended_at)"
        " VALUES (:tenant_id, :scope_id, :run_id, :n, :kind, :state, :call_id, :tool, :content, :now, :ended_at)",
        {
            **lane.params(),
            "run_id": run_id,
            "n": step.n,
            "kind": step.kind,
            "state": step.state,
            "call_id": step.call_id,
            "tool": step.tool,
            "content": step.content,
            "now": now,
            "ended_at": None if step.state == StepState.STARTED else now,
        },
    )


def conclude(tx: Tx, lane: LaneKey, run_id: int, n: int, *, state: str, content: str, now: Millis) -> None:
    """Give a started step its outcome."""
    tx.run(
        "UPDATE step SET state = :state, content = :content, ended_at = :now WHERE tenant_id = :tenant_id"
        " AND scope_id = :scope_id AND run_id = :run_id AND n = :n AND state = 'started'",
        {"state": state, "content": content, "now": now, "run_id": run_id, "n": n, **lane.params()},
    )


def hear(tx: Tx, lane: LaneKey, run_id: int, *, person_id: int, speaker: str, messages: Sequence[Message]) -> None:
    """Enter the person's messages into the transcript, with a line for what came with them.

    A message that waited for the model is entered once.
    """
    entered: list[Row] = []
    for message in messages:
        text = secret_words.without_sealed(heard(message) if message.attachments else message.text)
        if not text:
            continue
        others = bool(message.forwarded or message.replied)
        if message.quoted:
            others = others or history.quotes_others(tx, lane, person_id, message.quoted)
        if message.attachments:
            others = others or any(one.sent.kind not in OWN_SOUNDS for one in message.attachments)
        entered += tx.all(
            "INSERT INTO message (tenant_id, scope_id, lane_id, run_id, inbox_id, person_id, role, speaker, text,"
            " aside, tainted, created_at, indexed) VALUES (:tenant_id, :scope_id, :lane_id, :run_id, :inbox_id,"
            " :person_id, 'user', :speaker, :text, :aside, :tainted, :at, 1)"
            " ON CONFLICT (tenant_id, scope_id, inbox_id) WHERE inbox_id IS NOT NULL DO UPDATE SET"
            f" run_id = excluded.run_id, tainted = excluded.tainted, indexed = 1 RETURNING {COLUMNS}",
            {
                **lane.params(),
                "run_id": run_id,
                "inbox_id": message.inbox_id,
                "person_id": person_id,
                "speaker": speaker,
                "text": text,
                "aside": WHISPERED if message.response_url else 0,
                "tainted": int(others),
                "at": message.sent_at,
            },
        )
    history.keep(tx, entered)


def hide(tx: Tx, lane: LaneKey, inbox_id: int, text: str) -> None:
    """Put something else in the place of a message of the transcript, which holds a secret."""
    hidden = tx.all(
        "UPDATE message SET text = :text, indexed = 1 WHERE inbox_id = :inbox_id AND tenant_id = :tenant_id"
        f" AND scope_id = :scope_id RETURNING {COLUMNS}",
        {"text": text, "inbox_id": inbox_id, **lane.params()},
    )
    history.keep(tx, hidden)


def say(tx: Tx, lane: LaneKey, run_id: int | None, text: str, now: Millis, *, person_id: int | None = None) -> None:
    """Enter what the bot says into the transcript. `person_id` is whom it answers: it goes with their words."""
    say_all(tx, run_id, [(lane, text, person_id, 0, False)], now)


def say_all(
    tx: Tx, run_id: int | None, said: Sequence[tuple[LaneKey, str, int | None, int, bool]], now: Millis
) -> None:
    """Enter what the bot says in several lanes: lane, text, whom it answers, what it is beside what was said in the
    open (`WHISPERED`, `NOTICE`, `WHISPERED_NOTICE`, else 0), and whether it has words of others; it has where the run
    has read some. What else a run says is marked where such lines stand before it."""
    mark = 0
    if run_id is not None and said:
        found = tx.one(
            # The scope of the run leads to its steps; without it all of the tenant's are read for each thing said.
            "SELECT (SELECT 1 FROM step s WHERE s.tenant_id = r.tenant_id AND s.scope_id = r.scope_id"
            " AND s.run_id = r.id AND s.kind = 'call' AND s.content LIKE :marked LIMIT 1) AS has_read,"
            f" (SELECT 1 FROM message WHERE tainted = {OF_OTHERS} AND {_PAST} LIMIT 1) AS beside"
            " FROM run r WHERE r.id = :run_id AND r.tenant_id = :tenant_id",
            {"run_id": run_id, "marked": '%"tainted": true%', "reader": said[0][2] or 0, **said[0][0].params()},
        )
        if found is not None:
            mark = OF_OTHERS if found["has_read"] else BESIDE_OTHERS if found["beside"] else 0
    lines = tx.many(
        "INSERT INTO message (tenant_id, scope_id, lane_id, run_id, person_id, role, text, aside, tainted, created_at,"
        f" indexed) VALUES :rows RETURNING {COLUMNS}",
        [
            (
                lane.tenant_id,
                lane.scope_id,
                lane.lane_id,
                run_id,
                person_id,
                "assistant",
                text,
                aside,
                OF_OTHERS if tainted else mark,
                now,
                1,
            )
            for lane, text, person_id, aside, tainted in said
        ],
    )
    history.keep(tx, lines)


def note(
    tx: Tx,
    lane: LaneKey,
    run_id: int,
    text: str,
    now: Millis,
    *,
    person_id: int | None = None,
    whispered: bool = False,
    tainted: bool = False,
) -> None:
    """Enter an event into the transcript: what woke a run that was no message. `person_id` is whose words it holds;
    `whispered` when they alone see what comes of it, `tainted` when it has words of others."""
    tx.run(
        "INSERT INTO message (tenant_id, scope_id, lane_id, run_id, person_id, role, text, aside, tainted, created_at,"
        " indexed) VALUES (:tenant_id, :scope_id, :lane_id, :run_id, :person_id, 'event', :text, :aside, :tainted,"
        " :now, 1)",
        {
            **lane.params(),
            "run_id": run_id,
            "person_id": person_id,
            "text": text,
            "aside": WHISPERED if whispered else 0,
            "tainted": int(tainted),
            "now": now,
        },
    )


def overhear(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    speaker: str,
    text: str,
    at: Millis,
    *,
    inbox_id: int | None = None,
    tainted: bool = False,
) -> None:
    """Enter what people of a group say to each other, where the group wants the bot to read along; it is `tainted` when
    it has words of others."""
    lines = tx.all(
        "INSERT INTO message (tenant_id, scope_id, lane_id, inbox_id, person_id, role, speaker, text, aside,"
        " tainted, created_at, indexed) VALUES (:tenant_id, :scope_id, :lane_id, :inbox_id, :person_id, 'user',"
        f" :speaker, :text, 1, :tainted, :at, 1) RETURNING {COLUMNS}",
        {
            **lane.params(),
            "inbox_id": inbox_id,
            "person_id": person_id,
            "speaker": speaker,
            "text": text,
            "tainted": int(tainted),
            "at": at,
        },
    )
    history.keep(tx, lines)


def talked_with(tx: Tx, lane: LaneKey, person_id: int, sent_at: Millis) -> bool:
    """Return whether the bot's talk in a lane was with a person when they wrote something at an instant: they had
    written to it last before that, or nobody has written to it since. Presses do not count: our clock times them."""
    written = tx.all(
        "SELECT m.person_id, m.created_at FROM (SELECT id, inbox_id, person_id, role, aside, created_at FROM message"
        " WHERE lane_id = :lane_id AND tenant_id = :tenant_id ORDER BY id DESC LIMIT :most) m LEFT JOIN inbox i"
        f" ON i.id = m.inbox_id WHERE m.role = 'user' AND m.aside <> {OVERHEARD} AND i.pressed IS NULL"
        " ORDER BY m.created_at DESC, m.id DESC",
        {"most": MOST_OF_TALK, **lane.params()},
    )
    before = next((row["person_id"] for row in written if row["created_at"] <= sent_at), None)
    return before == person_id or not written or written[0]["created_at"] <= sent_at


def unhear(tx: Tx, lane: LaneKey, person_id: int, platform_id: str) -> bool:
    """Take out what was overheard of a person's message, by its platform's id; False when nothing was."""
    values = {"platform_id": platform_id, "person_id": person_id, **lane.params()}
    theirs = "platform_id = :platform_id AND lane_id = :lane_id AND tenant_id = :tenant_id AND person_id = :person_id"
    gone = tx.run(
        "DELETE FROM message WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND aside = 1 AND inbox_id IN"
        f" (SELECT id FROM inbox WHERE {theirs})",
        values,
    )
    if gone:
        tx.run(
            f"UPDATE inbox SET text = '', raw = NULL, quoted = '' WHERE {theirs} AND state = 'done' AND run_id IS NULL",
            values,
        )
    return gone > 0


def transcript(tx: Tx, lane: LaneKey, run_id: int, limit: int, *, reader: int | None = None) -> list[Entry]:
    """Return the lane's past before this run's own messages, oldest first, as far as models see it: whole messages, at
    most `limit` bytes of text.

    It only grows. Where it is too long, a third goes at once and stays away: so most requests begin as the one before.
    What was before a new context is left out, what we said of ourselves, and what was between somebody and the bot,
    unless they are the `reader`.
    """
    rows = tx.all(
        f"SELECT id, role, text, created_at, speaker, aside, tainted FROM message WHERE {_PAST}"
        " AND (run_id IS NULL OR run_id <> :run_id) ORDER BY id DESC LIMIT :most",
        {"run_id": run_id, "reader": reader or 0, "most": MOST_LINES, **lane.params()},
    )
    if len(rows) < MOST_LINES and _size(rows) <= limit:
        return [_entry(row) for row in reversed(rows)]
    kept: list[Row] = []
    for row in rows[: int(MOST_LINES * KEPT)]:
        if _size([*kept, row]) > (limit * KEPT if kept else limit):
            break
        kept.append(row)
    after = int(kept[-1]["id"]) - 1 if kept else int(rows[0]["id"])
    tx.run("UPDATE lane SET history_after = :after WHERE id = :lane_id", {"after": after, **lane.params()})
    return [_entry(row) for row in reversed(kept)]


def past_has_others(tx: Tx, lane: LaneKey, reader: int) -> bool:
    """Return whether the past of a lane that models see for a `reader` has words of others, or what a run said that had
    such before it: that may repeat them, and stays when they are cut off because the past is long."""
    row = tx.one(
        f"SELECT 1 FROM (SELECT tainted FROM message WHERE {_PAST} ORDER BY id DESC LIMIT :most) AS seen"
        " WHERE tainted <> 0 LIMIT 1",
        # What a run works on itself, and what is said meanwhile, stands behind what its model sees.
        {"reader": reader, "most": 2 * MOST_LINES, **lane.params()},
    )
    return row is not None


def _size(rows: Sequence[Row]) -> int:
    return sum(len(row["text"].encode()) for row in rows)


_LANES = "(SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id)"


# What was said to the bot, and by it.
_SPOKEN = " AND aside <> 1 AND role <> 'event'"


def recent(
    tx: Tx, lane: LaneKey, count: int, offset: int, *, spoken: bool = False, reader: int | None = None
) -> list[Entry]:
    """`count` messages of the scope after skipping the `offset` newest, oldest first; with `spoken` without what the
    bot only overheard, and without events; `reader` as in `transcript`."""
    rows = tx.all(
        f"SELECT role, text, created_at, speaker, aside, tainted FROM message WHERE lane_id IN {_LANES}"
        f" AND tenant_id = :tenant_id AND scope_id = :scope_id AND {_OPEN}{_SPOKEN if spoken else ''} ORDER BY id DESC"
        " LIMIT :count OFFSET :offset",
        {"count": count, "offset": offset, "reader": reader or 0, **lane.params()},
    )
    return [_entry(row) for row in reversed(rows)]


def between(
    tx: Tx,
    lane: LaneKey,
    after: Millis,
    before: Millis,
    limit: int,
    *,
    spoken: bool = False,
    reader: int | None = None,
) -> list[Entry]:
    """Messages of the scope from `after` to `before`, both included, oldest first; the rest as in `recent`."""
    rows = tx.all(
        f"SELECT role, text, created_at, speaker, aside, tainted FROM message WHERE lane_id IN {_LANES}"
        " AND tenant_id = :tenant_id AND scope_id = :scope_id AND created_at >= :after"
        f" AND created_at <= :before AND {_OPEN}{_SPOKEN if spoken else ''} ORDER BY id LIMIT :limit",
        {"after": after, "before": before, "limit": limit, "reader": reader or 0, **lane.params()},
    )
    return [_entry(row) for row in rows]


def _entry(row: Row) -> Entry:
    fields: dict[str, Any] = {name: row[name] for name in ("role", "created_at", "speaker")}
    fields |= {"overheard": row["aside"] == OVERHEARD, "tainted": bool(row["tainted"])}
    # Former versions kept what was encrypted in their lines.
    return Entry(**fields, text=secret_words.without_sealed(row["text"]))
