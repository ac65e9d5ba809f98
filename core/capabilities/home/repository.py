"""Who looks at their page (Slack: App Home), so that it is kept current; and what its buttons mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.kernel.intent import Order
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import LaneKey, Millis
from core.store.conversation import keyboards
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import Source, SourceKind
from core.store.people.people import lane_key

# A press says the number of its button in two digits.
MOST = 100


def look(tx: Tx, tenant_id: int, person_id: int, now: Millis) -> None:
    """Note that somebody looks at their page."""
    tx.run(
        "UPDATE person SET looked_at = :now WHERE id = :id AND tenant_id = :tenant_id",
        {"id": person_id, "tenant_id": tenant_id, "now": now},
    )


def looks(tx: Tx, tenant_id: int, person_id: int, since: Millis) -> bool:
    """Return whether somebody has looked at their page after `since`."""
    row = tx.one(
        "SELECT 1 AS found FROM person WHERE id = :id AND tenant_id = :tenant_id AND looked_at > :since",
        {"id": person_id, "tenant_id": tenant_id, "since": since},
    )
    return row is not None


def lane(tx: Tx, person_id: int) -> LaneKey | None:
    """Return the lane that the page of somebody belongs to: that of their private chat, outside its threads."""
    row = tx.one(
        "SELECT p.tenant_id, l.id, l.scope_id, l.chat_id FROM person p JOIN chat c ON c.scope_id = p.scope_id"
        " AND c.kind = 'private' AND c.tenant_id = p.tenant_id JOIN lane l ON l.chat_id = c.id"
        " AND l.tenant_id = c.tenant_id AND l.thread = '' WHERE p.id = :id AND p.looked_at > 0"
        " ORDER BY l.id DESC LIMIT 1",
        {"id": person_id},
    )
    return None if row is None else lane_key(row["tenant_id"], row)


def hangs(keyboard_row: KeyboardRow) -> bool:
    """Return whether buttons are those of a page: then no message has them."""
    return keyboard_row.source.kind is SourceKind.PAGE


def hang(tx: Tx, lane: LaneKey, person_id: int, offers: Sequence[Offer], now: Millis) -> dict[Order, str]:
    """Store what the buttons of somebody's page mean; returns what each carries, by what it asks for.

    A page is shown anew while somebody may be pressing a button of the former one: what a button means never changes,
    what is new comes behind. Only when there are too many a new keyboard begins, and the former one stays as it was.
    """
    keyboard_row = _keyboard_row(tx, lane, person_id)
    known = () if keyboard_row is None else keyboard_row.offers
    said = {one for _, one in known}
    new = [(label, one) for label, one in dict.fromkeys(offers) if one not in said]
    if keyboard_row is None or len(known) + len(new) > MOST:
        keyboard_row = _begin(tx, lane, person_id, offers, now)
    elif new:
        keyboard_row = replace(keyboard_row, offers=(*known, *new))
        tx.run(
            "UPDATE keyboard SET buttons = :buttons, created_at = :now WHERE id = :id AND tenant_id = :tenant_id",
            {"buttons": keyboards.stored(keyboard_row.offers), "now": now, "id": keyboard_row.keyboard_id}
            | lane.params(),
        )
    return {one: f"{keyboard_row.token}:{n}" for n, (_, one) in enumerate(keyboard_row.offers)}


def _keyboard_row(tx: Tx, lane: LaneKey, person_id: int) -> KeyboardRow | None:
    """Return the keyboard of somebody's page; numbers of rows that are gone may be those of others."""
    row = tx.one(
        "SELECT page_id FROM person WHERE id = :id AND tenant_id = :tenant_id", {"id": person_id, **lane.params()}
    )
    keyboard_row = None if row is None or row["page_id"] is None else keyboards.load(tx, lane, row["page_id"])
    return keyboard_row if keyboard_row is not None and keyboard_row.source == _page(person_id) else None


def _page(person_id: int) -> Source:
    return Source(SourceKind.PAGE, person_id)


def _begin(tx: Tx, lane: LaneKey, person_id: int, offers: Sequence[Offer], now: Millis) -> KeyboardRow:
    token = keyboards.new_token()
    keyboard_row = KeyboardRow(
        lane=lane,
        token=token,
        message_key=f"page:{person_id}",
        text="",
        offers=tuple({said: (label, said) for label, said in offers}.values())[:MOST],
        person_id=person_id,
        once=False,
        source=_page(person_id),
    )
    keyboards.insert(tx, [keyboard_row], now)
    tx.run(
        "UPDATE person SET page_id = (SELECT id FROM keyboard WHERE tenant_id = :tenant_id AND token = :token)"
        " WHERE id = :id AND tenant_id = :tenant_id",
        {"token": token, "id": person_id, **lane.params()},
    )
    return keyboard_row
