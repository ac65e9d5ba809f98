"""Keyboards: what the buttons below a message mean, found by the random token they carry."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_core import to_json

from core.kernel.intent import Order, unpacked
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation.outbox import NO_SOURCE, Source, SourceKind

# Among the `people` of a board: nobody has this number.
EVERYBODY = 0

# A button as its row has it: an `Offer`, or of a former version one that stands for the line of a command.
Hung = tuple[str, Order]

_COLUMNS = (
    "k.id, k.tenant_id, k.scope_id, k.chat_id, k.lane_id, k.token, k.message_key, k.question_id, k.person_id, k.people,"
    " k.once, k.text, k.buttons, k.source_kind, k.source_id, k.ended_at"
)


# Not frozen: thousands are made at once, and each would take three times as long.
@dataclass(slots=True, kw_only=True)
class KeyboardRow:
    """The buttons of one message: labels and what a press asks for. `text` is the message, `message_key` its outbox
    key.

    `source` is what the message came of, or the one in whose place it stands.
    `person_id` is the only one who may press, None for everybody. Where others may, they are `people`, and `person_id`
    is only whose words it shows. A board that is for `once` ends with the first press.
    """

    lane: LaneKey
    token: str
    message_key: str
    text: str
    offers: tuple[Hung, ...]
    question_id: int | None = None
    person_id: int | None = None
    people: tuple[int, ...] = ()
    once: bool = True
    keyboard_id: int = 0
    ended: bool = False
    source: Source = NO_SOURCE

    def is_of(self, run_id: int) -> bool:
        """Return whether the keyboard hangs below a message of a run."""
        return self.source.run() == run_id

    def is_for(self, person_id: int) -> bool:
        """Return whether a person may press the buttons."""
        if self.people:
            return person_id in self.people or EVERYBODY in self.people
        return self.person_id in {None, person_id}


def new_token() -> str:
    """22 characters nobody guesses: with `:` and the button's number well under the 64 bytes a button may carry."""
    return secrets.token_urlsafe(16)


def insert(tx: Tx, keyboard_rows: Sequence[KeyboardRow], now: Millis) -> None:
    """Store keyboards together with their messages."""
    tx.many(
        "INSERT INTO keyboard (tenant_id, scope_id, chat_id, lane_id, token, message_key, question_id, person_id,"
        " people, once, text, buttons, source_kind, source_id, created_at) VALUES :rows",
        [
            (
                *(one.lane.tenant_id, one.lane.scope_id, one.lane.chat_id, one.lane.lane_id),
                one.token,
                one.message_key,
                one.question_id,
                one.person_id,
                f"[{', '.join(map(str, one.people))}]" if one.people else "",
                int(one.once),
                one.text,
                stored(one.offers),
                one.source.kind.value,
                one.source.number,
                now,
            )
            for one in keyboard_rows
        ],
    )


def stored(offers: Sequence[Hung]) -> str:
    """Return what a row keeps of its buttons, as JSON: of an intent as `Intent.packed` does where nothing is open."""
    # Thousands are made at once: no call for each.
    kept = [
        (label, asks if isinstance(asks, str) else {"intent": asks.name, "arguments": asks.arguments})
        for label, asks in offers
    ]
    return to_json(kept).decode()


def find(tx: Tx, tenant_id: int, chat: str, token: str, own: str = "") -> KeyboardRow | None:
    """Return the keyboard with this token if it hangs in this chat, or in the private one of the address `own`."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM keyboard k JOIN chat c ON c.id = k.chat_id WHERE k.tenant_id = :tenant_id"
        " AND k.token = :token AND (c.external_id = :chat OR (c.kind = 'private' AND c.scope_id IN"
        " (SELECT a.scope_id FROM address a WHERE a.tenant_id = :tenant_id AND a.external_id = :own)))",
        {"tenant_id": tenant_id, "token": token, "chat": chat, "own": own},
    )
    return None if row is None else _keyboard_row(row)


def load(tx: Tx, lane: LaneKey, keyboard_id: int) -> KeyboardRow | None:
    """Return a keyboard of this chat."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM keyboard k WHERE k.id = :id AND k.tenant_id = :tenant_id AND k.chat_id = :chat_id",
        {"id": keyboard_id, **lane.params()},
    )
    return None if row is None else _keyboard_row(row)


def by_message(tx: Tx, lane: LaneKey, platform_id: str) -> KeyboardRow | None:
    """Return the buttons below a message of this chat, by the platform's id of the message, also when they are used
    up."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM outbox o JOIN keyboard k ON k.message_key = o.message_key"
        " AND k.tenant_id = o.tenant_id WHERE o.tenant_id = :tenant_id AND o.platform_id = :platform_id"
        " AND k.chat_id = :chat_id ORDER BY k.id DESC LIMIT 1",
        {"platform_id": platform_id, **lane.params()},
    )
    return None if row is None else _keyboard_row(row)


def below(tx: Tx, lane: LaneKey, message_key: str) -> KeyboardRow | None:
    """Return the newest buttons below a message of this chat, by its key, also when they are used up."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM keyboard k WHERE k.tenant_id = :tenant_id AND k.message_key = :key"
        " AND k.chat_id = :chat_id ORDER BY k.id DESC LIMIT 1",
        {"key": message_key, **lane.params()},
    )
    return None if row is None else _keyboard_row(row)


def newest(tx: Tx, lane: LaneKey, since: Millis) -> KeyboardRow | None:
    """Return the newest buttons of a lane, if they were shown since an instant."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM keyboard k WHERE k.created_at >= :since AND k.lane_id = :lane_id"
        " AND k.tenant_id = :tenant_id ORDER BY k.created_at DESC, k.id DESC LIMIT 1",
        {"since": since, **lane.params()},
    )
    return None if row is None else _keyboard_row(row)


def newest_of_run(tx: Tx, lane: LaneKey, run_id: int) -> KeyboardRow | None:
    """Return the newest buttons below the messages of a run, also if they took the place of others."""
    row = tx.one(
        f"SELECT {_COLUMNS} FROM keyboard k WHERE k.source_kind = :run AND k.source_id = :run_id"
        " AND k.lane_id = :lane_id AND k.tenant_id = :tenant_id ORDER BY k.id DESC LIMIT 1",
        {"run": SourceKind.RUN.value, "run_id": run_id, **lane.params()},
    )
    return None if row is None else _keyboard_row(row)


def of_run(tx: Tx, lane: LaneKey, run_id: int) -> list[KeyboardRow]:
    """Return the keyboards below what a run said."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM keyboard k WHERE k.source_kind = :run AND k.source_id = :run_id"
        " AND k.lane_id = :lane_id AND k.tenant_id = :tenant_id ORDER BY k.id",
        {"run": SourceKind.RUN.value, "run_id": run_id, **lane.params()},
    )
    return [_keyboard_row(row) for row in rows]


def of_question(tx: Tx, lane: LaneKey, question_id: int) -> list[KeyboardRow]:
    """Return the keyboards of the messages that show a question."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM keyboard k WHERE k.question_id = :question_id AND k.tenant_id = :tenant_id"
        " ORDER BY k.id",
        {"question_id": question_id, **lane.params()},
    )
    return [_keyboard_row(row) for row in rows]


def shown_as(tx: Tx, keyboard_row: KeyboardRow) -> str:
    """Return the platform's id of the message above these buttons; empty while nobody can know it (it is unsent, or may
    have been sent twice)."""
    row = tx.one(
        "SELECT platform_id, repeated FROM outbox WHERE tenant_id = :tenant_id AND message_key = :key",
        {"tenant_id": keyboard_row.lane.tenant_id, "key": keyboard_row.message_key},
    )
    return str(row["platform_id"] or "") if row is not None and not row["repeated"] else ""


def response_url(tx: Tx, keyboard_row: KeyboardRow) -> str:
    """Return the `response_url` by which buttons were shown to one person alone; empty where all see them."""
    row = tx.one(
        "SELECT hook FROM outbox WHERE tenant_id = :tenant_id AND message_key = :key",
        {"tenant_id": keyboard_row.lane.tenant_id, "key": keyboard_row.message_key},
    )
    return "" if row is None else str(row["hook"])


def end(tx: Tx, keyboard_row: KeyboardRow, now: Millis) -> bool:
    """End a keyboard; False when it had ended already."""
    return bool(
        tx.run(
            "UPDATE keyboard SET ended_at = :now WHERE id = :id AND ended_at IS NULL",
            {"id": keyboard_row.keyboard_id, "now": now},
        )
    )


def _keyboard_row(row: Row) -> KeyboardRow:
    return KeyboardRow(
        lane=LaneKey.of(row),
        token=row["token"],
        message_key=row["message_key"],
        text=row["text"],
        offers=tuple(
            (label, asks if isinstance(asks, str) else unpacked(asks)) for label, asks in json.loads(row["buttons"])
        ),
        question_id=row["question_id"],
        person_id=row["person_id"],
        people=tuple(json.loads(row["people"])) if row["people"] else (),
        once=bool(row["once"]),
        keyboard_id=row["id"],
        ended=row["ended_at"] is not None,
        source=Source(SourceKind(row["source_kind"]), row["source_id"]),
    )
