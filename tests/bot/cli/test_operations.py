"""The operator's commands on the data, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.cli import operations, report
from bot.cli.operations import House, perform
from core.capabilities.all import CAPABILITIES
from core.delivery.composer import Composer
from core.kernel.access import access
from core.kernel.errors import StorageError, StorageFull, TellerError
from core.kernel.ids import ref
from core.kernel.ports import Clock, Database, Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Message
from core.pipeline.intake.admission import Addressing, Admission
from core.pipeline.intake.conversations import Conversations, Profiles
from core.pipeline.intake.inbox import Inbox
from core.pipeline.intake.joining import Joining
from core.pipeline.intake.presence import BotPresence
from core.pipeline.runs.answer_reading import AnswerReader
from core.pipeline.runs.questions import Questions
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.scheduling.engine.embedded import EmbeddedEngine
from core.store.conversation import outbox
from core.store.conversation import runs as journal
from core.store.conversation.chat_migration import Chats
from core.store.people.people import Standings
from core.toolkit.ledger.ledger import Ledger
from tests.operating import NOW, StillClock, act, answer, house, inbound, lane, message

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def teller(database: Database, tmp_path: Path, clock: StillClock) -> House:
    return house(database, tmp_path / "data", clock)


async def row_of(db: Database, table: str, row_id: int) -> dict[str, Any]:
    row = await db.read(lambda tx: tx.one(f"SELECT * FROM {table} WHERE id = :id", {"id": row_id}))
    assert row is not None
    return {name: row[name] for name in row.keys()}  # noqa: SIM118 - a row of SQLite is no mapping


class Poked:
    """Notes who was poked."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []

    def __call__(self, tx: Tx, kind: str, key: int) -> None:
        self.seen.append((kind, key))


async def test_the_status_of_an_empty_house_has_no_worry_but_that_it_does_not_run(teller: House) -> None:
    found = await perform(teller, "status", {})
    assert found["problems"] == ["not running"]
    assert (found["unanswered"], found["oldest_unanswered_s"], found["next_due_at"]) == (0, None, None)
    assert found["database"] == teller.db.name
    assert found["database_bytes"] > 0
    assert found["disk_free_bytes"] > 0


async def test_the_status_counts_what_waits_and_what_is_dead(teller: House, clock: StillClock) -> None:
    def fill(tx: Tx) -> None:
        message(tx, "1", state="new", ended_at=None)
        message(tx, "2")
        shown = answer(tx, "a")
        answer(tx, "b", state="new", ended_at=None, repeated=1)
        answer(tx, "c", dead_for="doubt")
        answer(tx, "d", dead_for="superseded")
        answer(tx, "e", state="new", ended_at=None, repeated=1, replaces_id=shown)
        teller.ledger.append(tx, act(lane(tx)))

    await teller.db.write(fill)
    await teller.db.read(lambda tx: teller.ledger.anchor(tx, NOW))
    clock.at += 90_000
    found = await perform(teller, "status", {})
    assert (found["unanswered"], found["oldest_unanswered_s"]) == (1, 90)
    assert (found["outbox_waiting"], found["outbox_in_doubt"]) == (2, 2)
    assert (found["dead_inbox"], found["dead_outbox"]) == (1, 2)
    assert (found["ledger_rows"], found["last_anchor_at"]) == (1, NOW)


async def test_the_status_tells_of_calendars_that_nobody_can_read(teller: House, clock: StillClock) -> None:
    def fill(tx: Tx) -> None:
        day = 90_000_000
        rows = (("", 0, None), ("down", day, None), ("no_key", 1, None), ("down", 1, None), ("x", day, 1))
        for problem, age, removed in rows:
            values = {"problem": problem, "since": clock.at - age if age else None, "removed": removed}
            tx.run(
                "INSERT INTO calendar (tenant_id, scope_id, chat_id, lane_id, person_id, name, zone, next_at,"
                " created_at, problem, failing_since, removed_at) VALUES (:tenant_id, :scope_id, :chat_id, :lane_id, 1,"
                " 'x', 'UTC', 0, 0, :problem, :since, :removed)",
                {**lane(tx).params(), **values},
            )

    await teller.db.write(fill)
    found = await perform(teller, "status", {})
    assert (found["calendars_failing"], found["calendars_closed"]) == (1, 1)
    assert "secret_key" in found["problems"][-1]
    assert "calendars: 1 could not be read for a day" in report.status(found, ZoneInfo("UTC"))


async def test_the_status_names_triggers_that_the_database_refuses(teller: House) -> None:
    refused = [ref("s", number) for number in range(1, 8)]
    live: dict[str, Any] = {"platforms": {}, "model": None, "triggers_refused": refused}
    found = await perform(replace(teller, live=lambda: live), "status", {})
    (said,) = found["problems"]
    assert said.startswith("7 triggers are due, and the database refuses them")
    assert f"({', '.join(refused[:5])})" in said


async def test_the_dead_are_listed_newest_first_with_what_was_said(teller: House) -> None:
    def fill(tx: Tx) -> list[int]:
        return [message(tx, "1"), answer(tx, "a", ended_at=NOW + 1), message(tx, "2", state="done")]

    first, second, _ = await teller.db.write(fill)
    found = await perform(teller, "dead.list", {})
    assert [(row["ref"], row["kind"], row["text"]) for row in found] == [
        (ref("o", second), "answer", "answer a"),
        (ref("m", first), "message", "hello"),
    ]


async def test_a_dead_row_is_shown_whole_and_without_secrets(database: Database, tmp_path: Path) -> None:
    plain = house(database, tmp_path / "data")
    teller = House(
        config=plain.config,
        db=database,
        clock=plain.clock,
        ledger=plain.ledger,
        redact=lambda text: text.replace("hunter2", "[secret]"),
    )
    number = await database.write(lambda tx: message(tx, "1", error="refused: hunter2"))
    found = await perform(teller, "dead.show", {"ref": ref("m", number)})
    assert (found["error"], found["raw"]) == ("refused: [secret]", '{"text": "hello"}')
    assert (found["accepted_at"], found["ended_at"], found["platform"], found["chat"]) == (NOW, NOW, "telegram", "500")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_retried_message_waits_in_its_lane_again(teller: House) -> None:
    poked = Poked()
    running = House(
        config=teller.config, db=teller.db, clock=teller.clock, ledger=teller.ledger, poke=poked, live=lambda: {}
    )
    number = await teller.db.write(lambda tx: message(tx, "1"))
    assert await perform(running, "dead.retry", {"ref": ref("m", number)}) == f"{ref('m', number)} is tried again."
    row = await row_of(teller.db, "inbox", number)
    assert (row["state"], row["run_id"], row["held_until"], row["error"], row["ended_at"]) == ("new", None, 0, "", None)
    assert (await row_of(teller.db, "lane", row["lane_id"]))["pending"] == 1
    assert poked.seen == [("lane", row["lane_id"])]


async def test_a_retried_answer_in_doubt_says_that_it_may_be_a_repeat(teller: House) -> None:
    sure = await teller.db.write(lambda tx: answer(tx, "a"))
    unsure = await teller.db.write(lambda tx: answer(tx, "b", dead_for="doubt"))
    for number in (sure, unsure):
        await perform(teller, "dead.retry", {"ref": ref("o", number)})
    rows = [await row_of(teller.db, "outbox", number) for number in (sure, unsure)]
    assert [(row["state"], row["repeated"], row["not_before"]) for row in rows] == [("new", 0, 0), ("new", 1, 0)]
    post = await teller.db.write(lambda tx: outbox.claim(tx, rows[0]["chat_id"], NOW))
    assert isinstance(post, outbox.Post)


def paused(tx: Tx, reason: str) -> int:
    made = Trigger(lane(tx), 1, "message", "once", dump(Once(at=NOW)), "call Oma", NOW)
    number = triggers.insert(tx, made, NOW)
    assert pausing.pause(tx, number, reason)
    return number


@pytest.mark.parametrize(("command", "state"), [("dead.retry", "active"), ("dead.drop", "cancelled")])
async def test_a_trigger_that_failed_is_among_the_dead(teller: House, command: str, state: str) -> None:
    number = await teller.db.write(lambda tx: paused(tx, "error"))
    await teller.db.write(lambda tx: paused(tx, "wish"))
    assert (await perform(teller, "status", {}))["dead_triggers"] == 1
    (row,) = await perform(teller, "dead.list", {})
    assert (row["ref"], row["kind"], row["text"], row["chat"]) == (ref("s", number), "trigger", "call Oma", "500")
    assert (await perform(teller, "dead.show", {"ref": ref("s", number)}))["state"] == "dead"
    await perform(teller, command, {"ref": ref("s", number)})
    found = await row_of(teller.db, "trigger", number)
    assert (found["state"], found["next_at"]) == (state, NOW)
    assert await perform(teller, "dead.list", {}) == []
    with pytest.raises(TellerError, match=f"is not dead; its state is {state}"):
        await perform(teller, command, {"ref": ref("s", number)})


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("outgoing", ["o", "s"])
async def test_a_message_of_a_trigger_that_cannot_be_written_is_tried_again_once(teller: House, outgoing: str) -> None:
    trigger_id = await teller.db.write(lambda tx: paused(tx, "error"))
    number = await teller.db.write(lambda tx: answer(tx, "a", dead_for="unwritable"))
    source = {"id": number, "trigger_id": trigger_id}
    await teller.db.write(
        lambda tx: tx.run("UPDATE outbox SET source_kind = 'trigger', source_id = :trigger_id WHERE id = :id", source)
    )
    await perform(teller, "dead.retry", {"ref": ref(outgoing, number if outgoing == "o" else trigger_id)})
    assert (await row_of(teller.db, "outbox", number))["state"] == "new"
    assert (await row_of(teller.db, "trigger", trigger_id))["state"] == "done"
    assert await perform(teller, "dead.list", {}) == []


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(("outgoing", "state"), [("m", "done"), ("o", "dead")])
async def test_a_dropped_row_keeps_its_place_and_loses_its_body(teller: House, outgoing: str, state: str) -> None:
    number = await teller.db.write(lambda tx: message(tx, "1") if outgoing == "m" else answer(tx, "a"))
    await perform(teller, "dead.drop", {"ref": ref(outgoing, number)})
    row = await row_of(teller.db, "inbox" if outgoing == "m" else "outbox", number)
    assert row["state"] == state
    assert row["error"].startswith("dropped by the operator; it was: ")
    assert row["raw" if outgoing == "m" else "payload"] is None
    assert await perform(teller, "dead.list", {}) == []
    found = await perform(teller, "status", {})
    assert (found["dead_inbox"], found["dead_outbox"]) == (0, 0)


@pytest.mark.databases("sqlite", "postgres")
async def test_a_dropped_message_loses_its_text_in_the_transcript_too(teller: House) -> None:
    def fill(tx: Tx) -> list[int]:
        where, numbers = lane(tx), [message(tx, key) for key in ("1", "2")]
        said = [Message(inbox_id=n, text="hello", sent_at=NOW, platform_id="1", holds=0) for n in numbers]
        journal.hear(tx, where, 1, person_id=1, speaker="Ann", messages=said)
        return numbers

    first, _ = await teller.db.write(fill)
    await perform(teller, "dead.drop", {"ref": ref("m", first)})
    rows = await teller.db.read(lambda tx: tx.all("SELECT text FROM message ORDER BY id"))
    assert [row["text"] for row in rows] == ["[erased]", "hello"]


async def test_an_unknown_reference_is_told(teller: House) -> None:
    for command in ("dead.show", "dead.retry", "dead.drop"):
        for wrong in ("m000000", "o123456zzzz", "hello", "", None, 7, "m" * 5000):
            with pytest.raises(TellerError, match=r"There is no message .* shows what there is"):
                await perform(teller, command, {"ref": wrong})


async def test_what_is_not_dead_is_left_alone(teller: House) -> None:
    number = await teller.db.write(lambda tx: message(tx, "1", state="done"))
    for command in ("dead.retry", "dead.drop"):
        with pytest.raises(TellerError, match="is not dead; its state is done"):
            await perform(teller, command, {"ref": ref("m", number)})


@pytest.mark.databases("sqlite", "postgres")
async def test_what_could_not_be_read_or_is_erased_cannot_be_tried_again(teller: House) -> None:
    def fill(tx: Tx) -> tuple[int, int]:
        unread, erased = message(tx, "1"), message(tx, "2")
        tx.run("UPDATE inbox SET lane_id = NULL WHERE id = :id", {"id": unread})
        tx.run("UPDATE inbox SET raw = NULL WHERE id = :id", {"id": erased})
        return unread, erased

    unread, erased = await teller.db.write(fill)
    with pytest.raises(TellerError, match="could not be read"):
        await perform(teller, "dead.retry", {"ref": ref("m", unread)})
    with pytest.raises(TellerError, match="was erased"):
        await perform(teller, "dead.retry", {"ref": ref("m", erased)})


class FullDisk:
    """A database whose disk is full."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.name, self.full = db.name, True

    def has_room(self) -> bool:
        return not self.full

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


class StuckDatabase:
    """A database that takes no writes, and may answer nothing."""

    def __init__(self, db: Database) -> None:
        self._db, self.answers = db, True

    async def write(self, fn: object) -> None:
        raise StorageError("read-only")

    async def read(self, fn: Any) -> Any:
        return await (self._db.read(fn) if self.answers else asyncio.get_running_loop().create_future())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def open_inbox(db: Database, clock: Clock) -> Inbox:
    """An inbox that is open to everybody."""
    engine = EmbeddedEngine()
    composer = Composer({}, engine, clock)
    questions = Questions(composer, engine, clock, AnswerReader())
    standings = Standings(access("open", ()))
    profiles = Profiles(
        composer, clock, lambda tx, trigger: None, lambda tx, tenant_id, person_id: None, lambda tx, lane: None
    )
    conversations = Conversations(profiles, clock, CAPABILITIES)
    admission = Admission(
        standings,
        composer,
        clock,
        addressing=Addressing(questions.reader, CAPABILITIES),
        conversations=conversations,
        joining=Joining(
            standings, composer, clock, conversations, pairing=False, let_in=lambda tx, tenant_id, person_id: None
        ),
        presence=BotPresence(standings, composer, clock, profiles, back=lambda tx, lane: None),
    )
    chats = Chats(back=lambda tx, lane: None, merged=lambda tx, merged: None)
    return Inbox(db, engine, clock, admission=admission, composer=composer, questions=questions, chats=chats)


async def test_on_a_full_disk_nothing_is_accepted_and_the_status_says_so_until_there_is_room(
    database: Database, tmp_path: Path
) -> None:
    full: Any = FullDisk(database)
    teller = house(full, tmp_path / "data")
    intake = open_inbox(full, teller.clock)
    tenant = await intake.tenant("telegram", "77")
    with pytest.raises(StorageFull):
        await intake.accept(tenant, [inbound("1")])
    problem = "the disk is full, or cannot be written; no messages are accepted"
    assert problem in (await perform(teller, "status", {}))["problems"]
    full.full = False
    await intake.accept(tenant, [inbound("1")])
    found = await perform(teller, "status", {})
    assert (found["unanswered"], found["problems"]) == (1, ["not running"])


async def test_a_database_that_takes_no_writes_or_does_not_answer_is_a_problem(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "PATIENCE", 0.2)
    stuck: Any = StuckDatabase(database)
    teller = replace(house(stuck, tmp_path / "data"), live=lambda: {"platforms": {}, "model": ""})
    found = await perform(teller, "status", {})
    assert (found["problems"], found["unanswered"]) == (["the database takes no writes: read-only"], 0)
    stuck.answers = False
    found = await perform(teller, "status", {})
    assert found["problems"] == ["the database does not answer within 0 s"]
    assert "! the database does not answer" in report.status(found, ZoneInfo("UTC"))


@pytest.mark.databases("sqlite", "postgres")
async def test_an_older_copy_that_was_put_in_place_on_purpose_is_said_once_and_noted_for_good(
    teller: House, clock: StillClock
) -> None:
    async def act_and_anchor() -> None:
        await teller.db.write(lambda tx: teller.ledger.append(tx, act(lane(tx))))
        await teller.db.read(lambda tx: teller.ledger.anchor(tx, clock.at))

    def go_back(tx: Tx) -> None:
        """As a copy has it that was made after the first row."""
        tx.run("DELETE FROM ledger_body WHERE n > 1")
        tx.run("DELETE FROM ledger WHERE n > 1")
        tx.run("UPDATE ledger_head SET n = 1, mac = (SELECT mac FROM ledger WHERE n = 1) WHERE n > 0")

    for _ in range(3):
        await act_and_anchor()
    with pytest.raises(TellerError, match="nothing to be said"):
        await perform(teller, "ledger.restored", {})
    await teller.db.write(go_back)
    later = replace(teller, ledger=Ledger(b"k" * 32, teller.config.data_dir / "ledger.anchor"))
    await later.db.write(lambda tx: later.ledger.append(tx, act(lane(tx))))
    await later.db.read(lambda tx: later.ledger.anchor(tx, clock.at))
    assert (await perform(later, "ledger.verify", {}))["problems"]
    found = await perform(later, "ledger.restored", {})
    assert (found["problems"], found["rows"]) == ([], 2)
    assert "rows 3 to 3 were left behind" in found["notes"][0]
    await later.db.write(lambda tx: later.ledger.append(tx, act(lane(tx))))
    await later.db.read(lambda tx: later.ledger.anchor(tx, clock.at))
    again = await perform(later, "ledger.verify", {})
    assert (again["problems"], again["notes"]) == ([], found["notes"])
    with pytest.raises(TellerError, match="nothing to be said"):
        await perform(later, "ledger.restored", {})


@pytest.mark.databases("sqlite", "postgres")
async def test_the_ledger_is_shown_oldest_first(teller: House) -> None:
    for text in ("one", "two", "three"):
        await teller.db.write(lambda tx, text=text: teller.ledger.append(tx, act(lane(tx), arguments=text)))  # type: ignore[misc]
    found = await perform(teller, "ledger.show", {"limit": 2})
    assert [(row["n"], row["arguments"]) for row in found] == [(2, '"two"'), (3, '"three"')]


async def test_a_silly_limit_is_refused(teller: House) -> None:
    for limit in (0, -1, 100_000, "many", None):
        with pytest.raises(TellerError, match="from 1 to"):
            await perform(teller, "ledger.show", {"limit": limit})


async def test_verifying_reports_in_plain_values(teller: House) -> None:
    await teller.db.write(lambda tx: teller.ledger.append(tx, act(lane(tx))))
    found = await perform(teller, "ledger.verify", {})
    problems = ["the anchor file is missing"]
    assert found == {"rows": 1, "changed": 0, "missed": 0, "erased": 0, "problems": problems, "notes": []}


async def test_an_unknown_command_is_refused(teller: House) -> None:
    commands: tuple[object, ...] = ("", "status.x", None, 3, ["status"], {})
    for command in commands:
        with pytest.raises(TellerError, match="There is no command"):
            await perform(teller, command, {})


async def test_arguments_that_are_no_object_are_refused(teller: House) -> None:
    wrong: tuple[object, ...] = (None, [], "ref", 3)
    for args in wrong:
        with pytest.raises(TellerError, match="must be an object"):
            await perform(teller, "status", args)
