"""Reminders that are queued when they are due, and written when they are sent (STATES: Delivery of a reminder)."""

from __future__ import annotations

import json
from pathlib import Path

from core.ids import ref
from core.ports import Database, Tx
from core.store import triggers
from core.when.schedule import Interval
from tests.commanding import home, said
from tests.fakes import House
from tests.triggering import passes, person_of, state, trigger

KEYS = "SELECT message_key FROM outbox WHERE message_key LIKE 'trigger:%' ORDER BY id"


async def is_due(house: House, seconds: float = 60) -> None:
    """Let time pass until something fires; nothing is sent yet."""
    house.clock.advance(seconds)
    await house.app.scheduler.due()


async def payloads(house: House) -> list[dict[str, object]]:
    found = await house.column("SELECT payload FROM outbox WHERE message_key LIKE 'trigger:%' ORDER BY id")
    return [json.loads(one) for one in found]


async def test_what_is_due_is_queued_with_its_instant_and_written_with_all_that_belongs_to_it(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    due_at = house.clock.now() + 60_000
    await is_due(house)
    assert await payloads(house) == [{"unwritten": due_at}]
    assert await house.column("SELECT id FROM reminder") == []
    await house.work()
    assert house.shown()[-1].text == "⏰ call Oma"
    (row,) = await house.rows("SELECT trigger_id, due_at, message_key, state FROM reminder")
    assert row == {"trigger_id": made, "due_at": due_at, "message_key": f"trigger:{made}:0", "state": "open"}
    assert await house.column("SELECT person_id FROM reminded") == [await person_of(house)]
    assert (await house.column("SELECT text FROM message ORDER BY id DESC"))[0] == "⏰ call Oma"


async def test_what_is_cancelled_before_it_is_sent_is_not_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made, kept = await trigger(house, "drink", Interval(seconds=3600, start=house.clock.now())), await trigger(house)
    count = len(house.shown())
    await is_due(house, 3600)
    await said(house, f"/cancel {ref('s', made)}")
    assert [sent.text for sent in house.shown()[count:] if "⏰" in sent.text and "Stopped" not in sent.text] == [
        "⏰ call Oma\n59 min late."
    ]
    assert (await state(house, kept))[0] == "done"
    errors = await house.column("SELECT error FROM outbox WHERE state = 'dead'")
    assert errors == ["superseded: what it was to tell is gone or was cancelled"]
    assert await house.column("SELECT trigger_id FROM reminder") == [kept]


async def test_it_says_how_late_it_is_when_it_is_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await is_due(house)
    await house.later(300)
    assert house.shown()[-1].text.startswith("⏰ call Oma\n")
    assert "5 min" in house.shown()[-1].text


async def test_it_has_the_words_that_its_trigger_has_when_it_is_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "call Oma", Interval(seconds=3600, start=house.clock.now()))
    await is_due(house, 3600)

    def change_text(tx: Tx) -> None:
        tx.run("UPDATE trigger SET text = 'call Opa' WHERE id = :id", {"id": made})

    await house.db.write(change_text)
    await house.work()
    assert house.shown()[-1].text == "⏰ call Opa"


async def test_two_times_of_one_trigger_that_wait_are_each_of_their_time(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    start = house.clock.now()
    made = await trigger(house, "drink", Interval(seconds=3600, start=start))
    await is_due(house, 3600)
    await is_due(house, 3600)
    await house.work()
    assert await house.column(KEYS) == [f"trigger:{made}:0:0", f"trigger:{made}:1:0"]
    assert await house.column("SELECT due_at FROM reminder ORDER BY id") == [start + 3_600_000, start + 7_200_000]


async def test_what_was_forgotten_meanwhile_is_not_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    await is_due(house)

    def forget_trigger(tx: Tx) -> None:
        tx.run("DELETE FROM trigger WHERE id = :id", {"id": made})

    await house.db.write(forget_trigger)
    count = len(house.shown())
    await house.work()
    assert len(house.shown()) == count
    assert await house.column("SELECT state FROM outbox WHERE message_key LIKE 'trigger:%'") == ["dead"]


async def test_a_text_that_may_be_too_long_is_written_at_once_with_its_parts_in_order(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "word " * 400)
    await trigger(house, "short")
    count = len(house.shown())
    await is_due(house)
    assert await house.column("SELECT trigger_id FROM reminder") == [made]
    await house.work()
    assert [sent.text[:6] for sent in house.shown()[count:]] == ["⏰ word", "⏰ shor"]


async def test_many_in_one_chat_come_each_once_in_order(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(20):
        await trigger(house, f"thing {n}", 60)
    count = len(house.shown())
    await passes(house, 60)
    assert [sent.text for sent in house.shown()[count:]] == [f"⏰ thing {n}" for n in range(20)]
    boards = await house.column("SELECT count(DISTINCT message_key) FROM keyboard WHERE message_key LIKE 'trigger:%'")
    assert boards == [20]
    assert await house.db.read(triggers.next_due) is None
