"""Forgetting on request: what is erased of a whole scope, or of one person's words in a group, with what
they were answered.

`ERASERS` is the one list: whatever keeps content gets a line there. Each batch may be repeated, and nothing is left
over when a batch finds nothing. What an open run works on stays, so that it can finish, and so does what is unsent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """What is to be forgotten: the scope of `lane`, or (`person_id`) what this person said there.

    `before` is the newest message that asked for it: what came later is to be answered.
    """

    lane: LaneKey
    before: int
    person_id: int | None = None

    def params(self) -> dict[str, Any]:
        """As SQL parameters."""
        return {**self.lane.params(), "before": self.before, "person_id": self.person_id}


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """One kind of content. `own` says which rows hold one person's words, or what they were answered; empty: none
    of them does.

    Rows have `due` to be erased; `told` says which are worth a word to whoever asks what there is. In all of them the
    row's columns stand bare. `within` is where they are: in the scope.
    """

    table: str
    act: str
    due: str = ""
    own: str = "person_id = :person_id"
    key: str = "id"
    told: str = ""
    within: str = "tenant_id = :tenant_id AND scope_id = :scope_id"


_SCOPE = "tenant_id = :tenant_id AND scope_id = :scope_id"
_AT_WORK = f"(SELECT run_id FROM lane WHERE {_SCOPE} AND run_id IS NOT NULL)"
_LANES = f"(SELECT id FROM lane WHERE {_SCOPE})"
_SAID = (
    f"inbox_id IN (SELECT id FROM inbox WHERE {_SCOPE} AND person_id = :person_id UNION ALL"
    f" SELECT inbox_id FROM message WHERE {_SCOPE} AND person_id = :person_id AND inbox_id IS NOT NULL)"
)
_NAMED = (
    "(EXISTS (SELECT 1 FROM addressee WHERE contact_id = contact.id)"
    " OR EXISTS (SELECT 1 FROM assignee WHERE contact_id = contact.id))"
)
_LEDGER = f"SELECT n FROM ledger WHERE {_SCOPE} AND run_id NOT IN {_AT_WORK}"

# In this order: the buttons of a question before it, what a message brought before the message says whose it was.
ERASERS: Mapping[str, Eraser] = {
    "buttons": Eraser(table="keyboard", act="DELETE FROM keyboard"),
    "questions": Eraser(
        table="question",
        act="DELETE FROM question",
        due=f"run_id NOT IN {_AT_WORK} AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.lane_id = question.lane_id"
        " AND i.ended_at IS NULL AND i.question_id = question.id)",
    ),
    "files": Eraser(
        table="attachment",
        act="DELETE FROM attachment",
        due="NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = attachment.inbox_id AND i.ended_at IS NULL)",
        own=_SAID,
        told="state = 'kept'",
    ),
    "messages": Eraser(
        table="message",
        act="DELETE FROM message",
        due=f"lane_id IN {_LANES} AND (run_id IS NULL OR run_id NOT IN {_AT_WORK})",
    ),
    "received": Eraser(
        table="inbox",
        act="UPDATE inbox SET text = '', raw = NULL, reply_to = '', quoted = '', link = '', person_id = NULL",
        due="ended_at IS NOT NULL AND (raw IS NOT NULL OR text <> '' OR reply_to <> '' OR quoted <> ''"
        " OR person_id IS NOT NULL)",
    ),
    "sent": Eraser(
        table="outbox",
        act="UPDATE outbox SET payload = NULL",
        due="ended_at IS NOT NULL AND payload IS NOT NULL",
    ),
    "steps": Eraser(
        table="step",
        act="DELETE FROM step",
        due=f"run_id IN (SELECT id FROM run WHERE {_SCOPE} AND ended_at IS NOT NULL)",
        own=f"run_id IN (SELECT id FROM run WHERE {_SCOPE} AND person_id = :person_id AND ended_at IS NOT NULL)",
        key="run_id, n",
    ),
    "runs": Eraser(table="run", act="DELETE FROM run", due="ended_at IS NOT NULL"),
    "undo": Eraser(table="undo", act="DELETE FROM undo"),
    "assigned": Eraser(
        table="assignee",
        act="DELETE FROM assignee",
        own=f"(todo_id IN (SELECT id FROM todo WHERE {_SCOPE} AND person_id = :person_id)"
        f" OR contact_id IN (SELECT id FROM contact WHERE {_SCOPE} AND person_id = :person_id))",
        key="todo_id, contact_id",
    ),
    # What was asked for here and posted elsewhere is not repeated there, and nothing of it is told here.
    "repeats": Eraser(
        table="trigger",
        act="DELETE FROM trigger",
        due=f"round > 0 AND reminder_id IN (SELECT id FROM reminder WHERE asker_lane_id IN {_LANES})",
        within="tenant_id = :tenant_id",
    ),
    # What its recipient put off there comes, since they wished that; it is not repeated either.
    "endless": Eraser(
        table="trigger",
        act="UPDATE trigger SET until_done = 0",
        due="round = 0 AND until_done = 1 AND scope_id <> :scope_id"
        f" AND reminder_id IN (SELECT id FROM reminder WHERE asker_lane_id IN {_LANES})",
        own="reminder_id IN (SELECT id FROM reminder WHERE asker_id = :person_id)",
        within="tenant_id = :tenant_id",
    ),
    "outcomes": Eraser(
        table="reminder",
        act="UPDATE reminder SET asker_lane_id = lane_id",
        due=f"asker_lane_id IN {_LANES} AND scope_id <> :scope_id",
        own="asker_id = :person_id",
        within="tenant_id = :tenant_id",
    ),
    # What others put off of it ends: its words are to be forgotten.
    "put off": Eraser(
        table="trigger",
        act="DELETE FROM trigger",
        due="reminder_id IS NOT NULL",
        own=f"reminder_id IN (SELECT id FROM reminder WHERE {_SCOPE} AND asker_id = :person_id)",
    ),
    "addressed": Eraser(
        table="addressee",
        act="DELETE FROM addressee",
        own=f"trigger_id IN (SELECT id FROM trigger WHERE {_SCOPE} AND person_id = :person_id)",
        key="trigger_id, contact_id",
    ),
    "triggers": Eraser(table="trigger", act="DELETE FROM trigger", told="ended_at IS NULL"),
    "reminded": Eraser(
        table="reminded",
        act="DELETE FROM reminded",
        own=f"(person_id = :person_id OR reminder_id IN (SELECT id FROM reminder WHERE {_SCOPE}"
        " AND asker_id = :person_id))",
    ),
    "reminders": Eraser(table="reminder", act="DELETE FROM reminder", own="asker_id = :person_id"),
    "todos": Eraser(table="todo", act="DELETE FROM todo", told="state = 'open'"),
    "addresses": Eraser(
        table="contact_address",
        act="DELETE FROM contact_address",
        own=f"contact_id IN (SELECT id FROM contact WHERE {_SCOPE} AND person_id = :person_id)",
        key="external_id",
    ),
    # Whoever others have reminded is left as nobody: a reminder without people would be for whoever made it.
    "people named": Eraser(
        table="contact",
        act="UPDATE contact SET person_id = NULL, status = 'inactive', nickname = '', subject_id = '',"
        " persona_brief = '', persona_traits = '{}', pronouns = '', timezone = '', preference_context = '',"
        " topic_weights = '{}'",
        due=f"{_NAMED} AND (nickname <> '' OR person_id IS NOT NULL OR subject_id <> '' OR persona_brief <> ''"
        " OR preference_context <> '' OR topic_weights <> '{}' OR persona_traits <> '{}' OR pronouns <> ''"
        " OR timezone <> '')",
    ),
    "people": Eraser(table="contact", act="DELETE FROM contact", due=f"NOT {_NAMED}"),
    "acts": Eraser(
        table="ledger_body",
        act="DELETE FROM ledger_body",
        due=f"n IN ({_LEDGER})",
        own=f"n IN ({_LEDGER} AND person_id = :person_id)",
        key="n",
    ),
}


# What somebody linked was shown in their own chat since then: what commands answered, and what they did there.
_COMMANDS = f"SELECT run_id FROM ledger WHERE {_SCOPE} AND tool = 'reply' AND role = 'person' AND at >= :since"
_SHOWN: Sequence[str] = (
    f"DELETE FROM message WHERE tenant_id = :tenant_id AND lane_id IN {_LANES} AND role = 'assistant'"
    f" AND run_id IN ({_COMMANDS})",
    f"UPDATE outbox SET payload = NULL WHERE {_SCOPE} AND created_at >= :since AND source_kind = 'run'"
    " AND ended_at IS NOT NULL AND payload IS NOT NULL",
    f"DELETE FROM keyboard WHERE {_SCOPE} AND created_at >= :since AND source_kind = 'run' AND question_id IS NULL",
    f"DELETE FROM step WHERE {_SCOPE} AND run_id IN ({_COMMANDS}) AND run_id NOT IN {_AT_WORK}",
    f"DELETE FROM ledger_body WHERE {_SCOPE} AND n IN (SELECT n FROM ledger WHERE {_SCOPE} AND at >= :since"
    f" AND role = 'person' AND run_id NOT IN {_AT_WORK})",
    f"DELETE FROM undo WHERE {_SCOPE} AND created_at >= :since AND subject <> '' AND subject NOT IN"
    f" (SELECT 'todo:' || id FROM todo WHERE {_SCOPE}) AND subject NOT IN"
    f" (SELECT 'schedule:' || id FROM trigger WHERE {_SCOPE})"
    " AND (subject LIKE 'todo:%' OR subject LIKE 'schedule:%')",
)


def erase_shown(tx: Tx, lane: LaneKey, since: Millis) -> None:
    """Erase what the scope of `lane`, somebody's own, was shown since they were linked with whoever is forgotten.

    What a model or a brief said of it there is not told from other words, and stays.
    """
    for sql in _SHOWN:
        tx.run(sql, {**lane.params(), "since": since})


# Files are deleted right after the commit, on the event loop: not many at once.
FILES_AT_ONCE = 100


def erase(tx: Tx, whose: Whose, now: Millis, limit: int) -> tuple[int, list[str]]:
    """Erase up to about `limit` rows; returns how many, 0 when all is forgotten, and the paths of erased files."""
    done = _drop_waiting(tx, whose, now)
    paths: list[str] = []
    for name, eraser in ERASERS.items():
        if whose.person_id is None or eraser.own:
            condition = _condition(eraser, whose)
            wanted = limit - done
            if name == "files":
                wanted = min(wanted, FILES_AT_ONCE)
                paths = _paths(tx, condition, whose, wanted)
            erased = _batch(tx, eraser, condition, whose, wanted)
            done += erased
            if erased == wanted:
                break
    return done, paths


def counts(tx: Tx, whose: Whose, names: Sequence[str]) -> dict[str, int]:
    """How much there is of these kinds, by their names in `ERASERS`."""
    found = {}
    for name in names:
        eraser = ERASERS[name]
        row = tx.one(
            f"SELECT count(*) AS n FROM {eraser.table} WHERE {_condition(eraser, whose)} AND {eraser.told or 'TRUE'}",
            whose.params(),
        )
        found[name] = 0 if row is None else int(row["n"])
    return found


def _condition(eraser: Eraser, whose: Whose) -> str:
    own = eraser.own if whose.person_id is not None else ""
    return " AND ".join(filter(None, (eraser.within, eraser.due, own)))


def _chosen(eraser: Eraser, condition: str) -> str:
    return f"SELECT {eraser.key} FROM {eraser.table} WHERE {condition} ORDER BY {eraser.key} LIMIT :limit"


def _batch(tx: Tx, eraser: Eraser, condition: str, whose: Whose, limit: int) -> int:
    return tx.run(
        f"{eraser.act} WHERE {condition} AND ({eraser.key}) IN ({_chosen(eraser, condition)})",
        {**whose.params(), "limit": limit},
    )


def _paths(tx: Tx, condition: str, whose: Whose, limit: int) -> list[str]:
    """Where the files of the next batch lie."""
    rows = tx.all(
        f"SELECT path FROM attachment WHERE id IN ({_chosen(ERASERS['files'], condition)}) AND path <> ''",
        {**whose.params(), "limit": limit},
    )
    return [row["path"] for row in rows]


def _drop_waiting(tx: Tx, whose: Whose, now: Millis) -> int:
    """What waits for the model, and is older than the wish to be forgotten, is not answered any more."""
    mine = "" if whose.person_id is None else " AND person_id = :person_id"
    waiting = f"{_SCOPE} AND state = 'new' AND ended_at IS NULL AND id < :before{mine}"
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
