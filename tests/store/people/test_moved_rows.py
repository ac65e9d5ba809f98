"""A group that becomes another: its triggers, reminders, to-dos and contacts go over, and nothing is there twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database, Tx
from core.store.conversation import chat_migration
from tests.fakes import FRIEND, OWNER, House, house

OLD: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
NEW: dict[str, Any] = {**OLD, "chat": "-1005"}
HERE = "tenant_id, scope_id, chat_id, lane_id"


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """Both ids of a group are chats of their own; the owner and a friend are known to both."""
    made = await house(database, tmp_path / "house", lambda request: "Hm.")
    for where in (OLD, NEW):
        for person in (OWNER, FRIEND):
            await made.hear("hello", sender=person, **where)
    await made.work()
    await made.db.write(lambda tx: tx.run("DELETE FROM contact_address"))
    await made.db.write(lambda tx: tx.run("DELETE FROM contact"))
    return made


async def add(home: House, chat: str, table: str, **values: Any) -> int:
    """Add a row that belongs to a chat; returns its id."""
    (place,) = await home.rows(
        "SELECT c.tenant_id, c.scope_id, c.id AS chat_id, min(l.id) AS lane_id FROM chat c JOIN lane l"
        " ON l.chat_id = c.id WHERE c.external_id = :chat GROUP BY c.tenant_id, c.scope_id, c.id",
        chat=chat,
    )
    columns = {row["name"] for row in await _columns(home, table)}
    row = {**{name: value for name, value in place.items() if name in columns}, **values}
    given = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})"
    if "id" not in columns:
        await home.db.write(lambda tx: tx.run(given, row))
        return 0
    found = await home.db.write(lambda tx: tx.one(f"{given} RETURNING id", row))
    assert found is not None
    return int(found["id"])


async def _columns(home: House, table: str) -> list[dict[str, Any]]:
    if home.db.name == "sqlite":
        return await home.rows(f"SELECT name FROM pragma_table_info('{table}')")
    return await home.rows("SELECT column_name AS name FROM information_schema.columns WHERE table_name = :t", t=table)


async def contact(home: House, chat: str, person: str | None, *addresses: str, **values: Any) -> int:
    ids = await home.column("SELECT person_id FROM address WHERE external_id = :address", address=person or "")
    fields = {"person_id": ids[0] if ids else None, "created_at": 0, "updated_at": 0, **values}
    found = await add(home, chat, "contact", **fields)
    for address in addresses:
        await add(home, chat, "contact_address", contact_id=found, external_id=address)
    return found


async def trigger(home: House, chat: str, *contacts: int) -> int:
    (person,) = await home.column("SELECT min(id) FROM person")
    found = await add(
        home,
        chat,
        "trigger",
        person_id=person,
        state="active",
        deliver="message",
        kind="once",
        spec="{}",
        text="tea",
        made_by="person",
        created_at=0,
    )
    for one in contacts:
        await add(home, chat, "addressee", trigger_id=found, contact_id=one)
    return found


async def move(home: House) -> None:
    def merge(tx: Tx) -> None:
        row = tx.one("SELECT id FROM chat WHERE external_id = '-5'")
        assert row is not None
        tx.lock(("chat", row["id"]))
        chat_migration.move(tx, home.tenant_id, "-5", "-1005", home.clock.now(), hears=home.app.inbox._chats)

    await home.db.write(merge)


async def strays(home: House, *tables: str) -> list[str]:
    """Tables that still have rows of another group than the one that stays."""
    stays = "(SELECT scope_id FROM chat WHERE external_id = '-1005')"
    found = [
        await home.column(f"SELECT count(*) FROM {table} WHERE scope_id NOT IN {stays}"
                          " AND scope_id IN (SELECT id FROM scope WHERE kind = 'group')")
        for table in tables
    ]  # fmt: skip
    return [table for table, (count,) in zip(tables, found, strict=True) if count]


async def test_what_is_due_and_to_do_goes_over(home: House) -> None:
    (person,) = await home.column("SELECT min(id) FROM person")
    made = await trigger(home, "-1005", await contact(home, "-1005", FRIEND, "tg:2"))
    (lane,) = await home.column("SELECT lane_id FROM trigger")
    reminder = await add(
        home,
        "-1005",
        "reminder",
        trigger_id=made,
        asker_id=person,
        asker_lane_id=lane,
        message_key="k",
        state="open",
        text="tea",
        due_at=0,
        created_at=0,
    )
    await add(home, "-1005", "reminded", reminder_id=reminder, person_id=person, state="open")
    todo = await add(home, "-1005", "todo", person_id=person, state="open", content="tea", folded="tea", created_at=0)
    await add(home, "-1005", "assignee", todo_id=todo, contact_id=(await home.column("SELECT id FROM contact"))[0])
    await add(home, "-1005", "mute", person_id=person, muted_id=person, created_at=0)
    await add(home, "-1005", "errand", person_id=person, recipient_id=person, message_key="e", created_at=0)
    await move(home)
    tables = ("trigger", "reminder", "todo", "addressee", "assignee", "reminded", "contact", "contact_address")
    assert await strays(home, *tables, "mute", "errand") == []
    (chat,) = await home.rows("SELECT id FROM chat WHERE external_id = '-1005'")
    for table in ("trigger", "reminder"):
        assert await home.column(f"SELECT chat_id FROM {table}") == [chat["id"]]
    (asker,) = await home.column("SELECT asker_lane_id FROM reminder")
    assert await home.column("SELECT chat_id FROM lane WHERE id = :id", id=asker) == [chat["id"]]


async def test_a_person_whom_both_know_is_one_contact(home: House) -> None:
    stays = await contact(home, "-5", FRIEND, "tg:2", nickname="Bo")
    other = await contact(home, "-1005", FRIEND, "tg:2", "tg:@bo", nickname="Bob")
    made = await trigger(home, "-1005", other)
    await move(home)
    assert await home.rows("SELECT id, nickname FROM contact") == [{"id": stays, "nickname": "Bo"}]
    assert await home.column("SELECT external_id FROM contact_address ORDER BY 1") == ["tg:2", "tg:@bo"]
    assert await home.rows("SELECT trigger_id, contact_id FROM addressee") == [
        {"trigger_id": made, "contact_id": stays}
    ]
    assert await strays(home, "contact_address", "addressee") == []


async def test_two_contacts_that_turn_out_to_be_one_are_reminded_once(home: House) -> None:
    stays = await contact(home, "-5", FRIEND, "tg:2", "tg:@bo")
    pair = [await contact(home, "-1005", FRIEND, "tg:2"), await contact(home, "-1005", None, "tg:@bo")]
    await trigger(home, "-1005", *pair)
    await move(home)
    assert await home.column("SELECT contact_id FROM addressee") == [stays]
    assert await home.column("SELECT id FROM contact") == [stays]


async def test_who_was_only_a_handle_is_known_then(home: House) -> None:
    stays = await contact(home, "-5", None, "tg:@bo", nickname="Bo")
    await contact(home, "-1005", FRIEND, "tg:2", "tg:@bo")
    await move(home)
    (row,) = await home.rows("SELECT id, nickname, person_id FROM contact")
    assert (row["id"], row["nickname"], row["person_id"] is not None) == (stays, "Bo", True)
    assert await home.column("SELECT external_id FROM contact_address ORDER BY 1") == ["tg:2", "tg:@bo"]


async def test_an_address_that_two_people_claim_stays_whose_it_was(home: House) -> None:
    stays = await contact(home, "-5", OWNER, "tg:@bo")
    other = await contact(home, "-1005", FRIEND, "tg:2", "tg:@bo")
    await move(home)
    assert await home.column("SELECT id FROM contact ORDER BY id") == [stays, other]
    rows = await home.rows("SELECT external_id, contact_id FROM contact_address ORDER BY 1")
    assert [(row["external_id"], row["contact_id"]) for row in rows] == [("tg:2", other), ("tg:@bo", stays)]


async def test_whom_only_one_knows_goes_over_as_they_are(home: House) -> None:
    other = await contact(home, "-1005", None, nickname="Oma")
    await move(home)
    assert await home.rows("SELECT id, nickname FROM contact") == [{"id": other, "nickname": "Oma"}]
    assert await strays(home, "contact") == []
