"""Forgetting on request: what is erased of a whole scope, or of one person's words in a group, with what
they were answered.

`SPINE` is the list of what belongs to no capability; each of those brings its own (`Keeps`). Each batch may be
repeated, and nothing is left over when a batch finds nothing. What an open run works on stays, so that it can finish,
and so does what is unsent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.capabilities.privacy.models import Kind
from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.toolkit.keeping import LANES, OF_SCOPE, Eraser, Keeps, Phase, Whose

_AT_WORK = f"(SELECT run_id FROM lane WHERE {OF_SCOPE} AND run_id IS NOT NULL)"
_SAID = (
    f"inbox_id IN (SELECT id FROM inbox WHERE {OF_SCOPE} AND person_id = :person_id UNION ALL"
    f" SELECT inbox_id FROM message WHERE {OF_SCOPE} AND person_id = :person_id AND inbox_id IS NOT NULL)"
)
_LEDGER = f"SELECT n FROM ledger WHERE {OF_SCOPE} AND run_id NOT IN {_AT_WORK}"

# In this order: the buttons of a question before it, what a message brought before the message says whose it was.
SPINE: Mapping[str, Eraser] = {
    "buttons": Eraser(
        table="keyboard",
        act="DELETE FROM keyboard",
        phase=Phase.SAID,
        # Those of reminders and of pages are needed as long as these.
        old="created_at < :until AND source_kind NOT IN ('trigger', 'page') AND (question_id IS NULL"
        " OR question_id IN (SELECT id FROM question WHERE ended_at < :until))",
    ),
    "questions": Eraser(
        table="question",
        act="DELETE FROM question",
        phase=Phase.SAID,
        due=f"run_id NOT IN {_AT_WORK} AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.lane_id = question.lane_id"
        " AND i.ended_at IS NULL AND i.question_id = question.id)",
        old="ended_at < :until AND NOT EXISTS (SELECT 1 FROM keyboard k WHERE k.question_id = question.id)",
    ),
    "files": Eraser(
        table="attachment",
        act="DELETE FROM attachment",
        phase=Phase.SAID,
        counted="files",
        due="NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = attachment.inbox_id AND i.ended_at IS NULL)",
        own=_SAID,
        told="state = 'kept'",
        old="created_at < :until",
        file="path",
    ),
    "documents": Eraser(
        table="outbox",
        act="UPDATE outbox SET file = ''",
        phase=Phase.SAID,
        due="ended_at IS NOT NULL AND file <> ''",
        old="ended_at < :until",
        file="file",
    ),
    "lines brought": Eraser(
        table="imported_line",
        act="DELETE FROM imported_line",
        phase=Phase.SAID,
        counted="lines_brought",
        old="said_at < :until AND import_id IN (SELECT j.id FROM import_job j WHERE j.state = 'done')",
    ),
    "imports": Eraser(
        table="import_job",
        act="DELETE FROM import_job",
        phase=Phase.PARTS,
        due="NOT EXISTS (SELECT 1 FROM imported_line i WHERE i.import_id = import_job.id)",
    ),
    "messages": Eraser(
        table="message",
        act="DELETE FROM message",
        phase=Phase.SAID,
        counted="messages",
        due=f"lane_id IN {LANES} AND (run_id IS NULL OR run_id NOT IN {_AT_WORK})",
        old="created_at < :until",
    ),
    # Those of messages went with them.
    "index": Eraser(
        table="document",
        act="DELETE FROM document",
        phase=Phase.SAID,
        due="message_id IS NULL",
        old="kind = 'imported' AND at < :until"
        " AND NOT EXISTS (SELECT 1 FROM imported_line i WHERE i.id = document.owner_id)",
    ),
    # Others' copies of what was said, also of what is too old to be known by its sender.
    "quotes": Eraser(
        table="inbox",
        act="UPDATE inbox SET quoted = '', raw = NULL",
        phase=Phase.SAID,
        due="ended_at IS NOT NULL AND quoted <> ''",
        own="TRUE",
    ),
    "received": Eraser(
        table="inbox",
        act="UPDATE inbox SET text = '', intent = '', raw = NULL, reply_to = '', quoted = '', link = '',"
        " person_id = NULL",
        phase=Phase.SAID,
        due="ended_at IS NOT NULL AND (raw IS NOT NULL OR text <> '' OR reply_to <> '' OR quoted <> ''"
        " OR person_id IS NOT NULL)",
        old="ended_at < :until",
    ),
    "sent": Eraser(
        table="outbox",
        act="UPDATE outbox SET payload = NULL",
        phase=Phase.SAID,
        due="ended_at IS NOT NULL AND payload IS NOT NULL",
        old="ended_at < :until",
    ),
    # It is sent all the same, and then goes.
    "unsent": Eraser(
        table="outbox",
        act="UPDATE outbox SET forgotten = 1",
        phase=Phase.SAID,
        due="ended_at IS NULL AND payload IS NOT NULL AND forgotten = 0",
    ),
    "steps": Eraser(
        table="step",
        act="DELETE FROM step",
        phase=Phase.SAID,
        due=f"run_id IN (SELECT id FROM run WHERE {OF_SCOPE} AND ended_at IS NOT NULL)",
        own=f"run_id IN (SELECT id FROM run WHERE {OF_SCOPE} AND person_id = :person_id AND ended_at IS NOT NULL)",
        key="run_id, n",
        old="started_at < :until",
    ),
    "runs": Eraser(
        table="run",
        act="DELETE FROM run",
        phase=Phase.SAID,
        due="ended_at IS NOT NULL",
        counted="answers",
        old="ended_at < :until",
    ),
    # Whoever works on a task finds no lease any more, and breaks off. Its journal ends before, so that it can go.
    "journals of tasks": Eraser(
        table="run",
        act="UPDATE run SET state = 'failed', error = 'forgotten', ended_at = started_at",
        phase=Phase.SAID,
        due="ended_at IS NULL AND role IN ('planner', 'worker')",
    ),
    "what tasks were told": Eraser(
        table="task_input",
        act="DELETE FROM task_input",
        phase=Phase.PARTS,
        own=f"task_id IN (SELECT id FROM task WHERE {OF_SCOPE} AND person_id = :person_id)",
        old=f"task_id IN (SELECT id FROM task WHERE {OF_SCOPE} AND ended_at < :until)",
    ),
    "tasks": Eraser(
        table="task",
        act="DELETE FROM task",
        phase=Phase.THINGS,
        due="NOT EXISTS (SELECT 1 FROM inbox i WHERE i.task_id = task.id AND i.ended_at IS NULL)"
        " AND NOT EXISTS (SELECT 1 FROM task_input o WHERE o.task_id = task.id)",
        counted="tasks",
        told="ended_at IS NULL",
        old="ended_at < :until",
    ),
    "undo": Eraser(table="undo", act="DELETE FROM undo", phase=Phase.SAID, old="created_at < :until"),
    "addressed": Eraser(
        table="addressee",
        act="DELETE FROM addressee",
        phase=Phase.PARTS,
        own=f"trigger_id IN (SELECT id FROM trigger WHERE {OF_SCOPE} AND person_id = :person_id)",
        key="trigger_id, contact_id",
    ),
    "triggers": Eraser(
        table="trigger", act="DELETE FROM trigger", phase=Phase.THINGS, counted="triggers", told="ended_at IS NULL"
    ),
    "acts": Eraser(
        table="ledger_body",
        act="DELETE FROM ledger_body",
        phase=Phase.ACTS,
        due=f"n IN ({_LEDGER})",
        own=f"n IN ({_LEDGER} AND person_id = :person_id)",
        key="n",
        counted="acts",
        old=f"n IN (SELECT n FROM ledger WHERE {OF_SCOPE} AND at < :until)",
    ),
}


# What somebody linked was shown in their own chat since then: what commands answered, and what they did there.
_COMMANDS = f"SELECT run_id FROM ledger WHERE {OF_SCOPE} AND tool = 'reply' AND role = 'person' AND at >= :since"
_SHOWN: Sequence[str] = (
    f"DELETE FROM message WHERE tenant_id = :tenant_id AND lane_id IN {LANES} AND role = 'assistant'"
    f" AND run_id IN ({_COMMANDS})",
    f"UPDATE outbox SET payload = NULL WHERE {OF_SCOPE} AND created_at >= :since AND source_kind = 'run'"
    " AND ended_at IS NOT NULL AND payload IS NOT NULL",
    f"DELETE FROM keyboard WHERE {OF_SCOPE} AND created_at >= :since AND source_kind = 'run' AND question_id IS NULL",
    f"DELETE FROM step WHERE {OF_SCOPE} AND run_id IN ({_COMMANDS}) AND run_id NOT IN {_AT_WORK}",
    f"DELETE FROM ledger_body WHERE {OF_SCOPE} AND n IN (SELECT n FROM ledger WHERE {OF_SCOPE} AND at >= :since"
    f" AND role = 'person' AND run_id NOT IN {_AT_WORK})",
)


_UNDO = (
    f"DELETE FROM undo WHERE {OF_SCOPE} AND created_at >= :since AND subject LIKE '{{kind}}:%'"
    f" AND subject NOT IN (SELECT '{{kind}}:' || id FROM {{table}} WHERE {OF_SCOPE})"
)


def everything(keeps: Sequence[Keeps]) -> Mapping[str, Eraser]:
    """Return what erases the tables of the spine and of all capabilities, in its order."""
    found = [*SPINE.items(), *(item for one in keeps for item in one.erasers.items())]
    return dict(sorted(found, key=lambda item: item[1].phase))


def erase_shown(tx: Tx, keeps: Sequence[Keeps], person_id: int) -> None:
    """Erase what was shown in the own scopes of people since they were linked with somebody, who is forgotten.

    What a model or a brief said of it there is not told from other words, and stays.
    """
    subjects = {"schedule": "trigger"} | {kind: table for one in keeps for kind, table in one.subjects.items()}
    undoing = [_UNDO.format(kind=kind, table=table) for kind, table in subjects.items()]
    for one in keeps:
        for lane, since in one.shown_to(tx, person_id) if one.shown_to is not None else ():
            for sql in (*_SHOWN, *undoing):
                tx.run(sql, {**lane.params(), "since": since})


def older(kind: Kind) -> Mapping[str, Eraser]:
    """Return what erases that of a kind which is old, of what chats may want to be kept for fewer days."""
    of_kind = {name: one for name, one in SPINE.items() if one.old and (kind is Kind.MESSAGES or name == "files")}
    return {name: replace(one, due=" AND ".join(filter(None, (one.due, one.old)))) for name, one in of_kind.items()}


# Files are deleted right after the commit, on the event loop: not many at once.
FILES_AT_ONCE = 100


def erase(tx: Tx, erasers: Mapping[str, Eraser], whose: Whose, now: Millis, limit: int) -> tuple[int, list[str]]:
    """Erase up to about `limit` rows; returns how many, 0 when all is forgotten, and the paths of erased files."""
    done, params = _drop_waiting(tx, whose, now), whose.params()
    paths: list[str] = []
    for eraser in erasers.values():
        if whose.person_id is None or eraser.own:
            condition = _condition(eraser, whose)
            chosen = f"SELECT {eraser.key} FROM {eraser.table} WHERE {condition} ORDER BY {eraser.key} LIMIT :limit"
            wanted = limit - done
            if eraser.file:
                wanted = min(wanted, FILES_AT_ONCE)
                lying = (
                    f"SELECT {eraser.file} AS path FROM {eraser.table} WHERE id IN ({chosen}) AND {eraser.file} <> ''"
                )
                paths += [row["path"] for row in tx.all(lying, {**params, "limit": wanted})]
            erased = tx.run(
                f"{eraser.act} WHERE {condition} AND ({eraser.key}) IN ({chosen})", {**params, "limit": wanted}
            )
            done += erased
            if erased == wanted:
                break
    return done, paths


def counts(tx: Tx, erasers: Mapping[str, Eraser], whose: Whose) -> dict[str, int]:
    """Return how much there is of what is counted, by what it is counted as."""
    found: dict[str, int] = {}
    for eraser in erasers.values():
        if eraser.counted:
            row = tx.one(
                f"SELECT count(*) AS n FROM {eraser.table} WHERE {_condition(eraser, whose)}"
                f" AND {eraser.told or 'TRUE'}",
                whose.params(),
            )
            found[eraser.counted] = found.get(eraser.counted, 0) + (0 if row is None else int(row["n"]))
    return found


def at_work(tx: Tx, whose: Whose, run_id: int) -> bool:
    """Return whether an open run other than this one works on what is to be forgotten, which it keeps until it ends."""
    mine = "" if whose.person_id is None else " AND person_id = :person_id"
    open_runs = f"SELECT 1 AS found FROM run WHERE {OF_SCOPE} AND ended_at IS NULL AND id <> :run_id{mine} LIMIT 1"
    return tx.one(open_runs, {**whose.params(), "run_id": run_id}) is not None


def _condition(eraser: Eraser, whose: Whose) -> str:
    own = eraser.own if whose.person_id is not None else ""
    return " AND ".join(filter(None, (eraser.within, eraser.due, own)))


def _drop_waiting(tx: Tx, whose: Whose, now: Millis) -> int:
    """Drop messages that wait for the model and are older than the wish to be forgotten; return how many."""
    mine = "" if whose.person_id is None else " AND person_id = :person_id"
    waiting = f"{OF_SCOPE} AND state = 'new' AND ended_at IS NULL AND id < :before{mine}"
    params = {**whose.params(), "now": now}
    tx.run(
        "UPDATE run SET state = 'failed', error = 'forgotten', ended_at = :now WHERE ended_at IS NULL"
        f" AND id IN (SELECT run_id FROM inbox WHERE {waiting} AND run_id IS NOT NULL)",
        params,
    )
    return tx.run(
        f"UPDATE inbox SET state = 'done', error = 'forgotten', ended_at = :now, held_until = 0 WHERE {waiting}",
        params,
    )
