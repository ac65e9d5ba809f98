"""Accepting: what is stored, once, and in one transaction with the cursor."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from core.kernel.errors import StorageError, StorageFull
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey
from core.kernel.updates import Skipped, Unreadable
from core.store.conversation import inbox, lanes
from core.store.people import strangers
from tests.fakes import FRIEND, STRANGER, CrashingDatabase, FakeEngine, House, house, inbound

pytestmark = pytest.mark.databases("sqlite")

T = TypeVar("T")


class NoEngine(FakeEngine):
    """An engine whose database goes away in the middle of a transaction."""

    def poke(self, tx: Tx, kind: str, key: int, *, bulk: bool = False) -> None:
        raise StorageError("away")


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house whose model answers what it hears."""
    return await house(database, tmp_path / "house", lambda request: f"re: {' | '.join(request.heard)}")


class Counting(CrashingDatabase):
    """A database that counts statements: those that write, and those that look."""

    writes = looks = 0

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        def counted(tx: Tx) -> T:
            return fn(cast(Tx, _Counted(tx, self)))

        return await super().write(counted, order=order)


class _Counted:
    def __init__(self, tx: Tx, counts: Counting) -> None:
        self._tx, self._counts = tx, counts

    def __getattr__(self, name: str) -> Any:
        if name in ("run", "many"):
            self._counts.writes += 1
        if name in ("one", "all"):
            self._counts.looks += 1
        return getattr(self._tx, name)


async def states(home: House) -> list[tuple[str, str]]:
    return [(row["update_key"], row["state"]) for row in await home.rows("SELECT * FROM inbox ORDER BY id")]


async def head(home: House) -> list[str]:
    """The texts the next run would take."""
    (row,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    return [found["text"] for found in await home.db.read(lambda tx: inbox.head(tx, LaneKey(**row), home.clock.now()))]


async def test_an_accepted_message_is_a_row_and_its_lane_has_work(home: House) -> None:
    await home.hear("hello", key="u1")
    assert await states(home) == [("u1", "new")]
    assert await home.column("SELECT pending FROM lane") == [1]


async def test_accepting_pokes_the_lane_once_after_the_commit(home: House) -> None:
    engine = FakeEngine()
    home.app.inbox._acceptance._engine = engine
    await home.app.inbox.accept(home.tenant_id, [inbound("a", key="1"), inbound("b", key="2")])
    (lane_id,) = await home.column("SELECT id FROM lane")
    assert engine.pokes == [("lane", lane_id)]


async def test_the_same_key_is_stored_once_and_pokes_nobody_the_second_time(home: House) -> None:
    await home.hear("hello", key="u1")
    await home.work()
    await home.hear("hello", key="u1")
    assert await home.column("SELECT pending FROM lane") == [0]
    await home.work()
    assert home.adapter.texts() == ["re: hello"]


async def test_the_same_key_twice_in_one_delivery_is_stored_once(home: House) -> None:
    await home.app.inbox.accept(home.tenant_id, [inbound("a", key="1"), inbound("a", key="1")])
    assert await states(home) == [("1", "new")]


async def test_the_same_key_of_another_tenant_is_another_message(home: House) -> None:
    other = await home.app.inbox.tenant("telegram", "second bot")
    await home.hear("hello", key="u1")
    await home.app.inbox.accept(other, [inbound("hello", key="u1")])
    assert await states(home) == [("u1", "new"), ("u1", "new")]
    assert len(await home.column("SELECT id FROM person")) == 2


@pytest.mark.databases("sqlite", "postgres")
async def test_the_cursor_moves_with_the_messages_or_not_at_all(home: House) -> None:
    await home.app.inbox.accept(home.tenant_id, [inbound("a", key="1")], ("updates", "2"))
    assert await home.app.inbox.cursor(home.tenant_id, "updates") == "2"
    home.app.inbox._acceptance._engine = NoEngine()
    with pytest.raises(StorageError):
        await home.app.inbox.accept(home.tenant_id, [inbound("b", key="2")], ("updates", "4"))
    assert await home.app.inbox.cursor(home.tenant_id, "updates") == "2"
    assert await states(home) == [("1", "new")]


async def test_an_update_the_database_does_not_take_is_dead_and_those_beside_it_go_on(home: House) -> None:
    poison = inbound("b", key="2", sent_at=None)  # type: ignore[arg-type]
    for _ in range(2):
        updates = [inbound("a", key="1"), poison, inbound("c", key="3")]
        await home.app.inbox.accept(home.tenant_id, updates, ("updates", "4"))
    assert await home.app.inbox.cursor(home.tenant_id, "updates") == "4"
    assert await states(home) == [("1", "new"), ("2", "dead"), ("3", "new")]


async def test_a_cursor_nobody_stored_is_none(home: House) -> None:
    assert await home.app.inbox.cursor(home.tenant_id, "updates") is None


@pytest.mark.databases("sqlite", "postgres")
async def test_an_unreadable_update_is_a_dead_row_and_the_rest_goes_on(home: House) -> None:
    await home.app.inbox.accept(
        home.tenant_id,
        [Unreadable(key="1", raw="{", error="no JSON"), Skipped(key="2"), inbound("hello", key="3")],
        ("updates", "4"),
    )
    assert await states(home) == [("1", "dead"), ("3", "new")]
    (dead,) = await home.rows("SELECT raw, error, lane_id, ended_at FROM inbox WHERE state = 'dead'")
    assert (dead["raw"], dead["error"], dead["lane_id"]) == ("{", "no JSON", None)
    await home.work()
    assert home.adapter.texts() == ["re: hello"]


async def test_an_unreadable_update_delivered_twice_is_kept_once(home: House) -> None:
    for _ in range(2):
        await home.app.inbox.accept(home.tenant_id, [Unreadable(key="1", raw="{", error="no JSON")])
    assert await states(home) == [("1", "dead")]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_stranger_leaves_a_number_and_no_word(home: House) -> None:
    for key in ("s1", "s2", "s3"):
        await home.hear("my secret", sender=STRANGER, chat="99", key=key)
    assert await states(home) == []
    assert await home.rows("SELECT external_id, updates FROM stranger") == [{"external_id": STRANGER, "updates": 3}]
    assert await home.column("SELECT count(*) FROM person") == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_two_thousand_messages_of_strangers_take_few_statements(home: House) -> None:
    database = home.app.inbox._db = Counting(home.db)
    for first in range(0, 2_000, 100):
        who = [f"tg:{1000 + n}" for n in range(first, first + 100)]
        messages = [inbound("buy this", key=f"s{one}", chat=one[3:], sender=one) for one in who]
        await home.app.inbox.accept(home.tenant_id, messages, ("offset", str(first)))
    # Of each batch: the count, what makes room for it, and the cursor. Of each message: two looks for its sender.
    assert (database.commits, database.writes) == (20, 60)
    assert database.looks <= 2 * 2_000 + 10
    assert await home.rows("SELECT count(*) AS n, sum(updates) AS updates FROM stranger") == [
        {"n": 1000, "updates": 1000}
    ]


@pytest.mark.databases("sqlite", "postgres")
async def test_strangers_are_forgotten_oldest_first_when_there_are_too_many(home: House) -> None:
    def count(tx: Tx) -> None:
        for n in range(7):
            strangers.count(tx, home.tenant_id, {f"tg:{n}": 1}, now=n)
        strangers.forget_oldest(tx, home.tenant_id, keep=3)

    await home.db.write(count)
    assert await home.column("SELECT external_id FROM stranger ORDER BY last_at") == ["tg:4", "tg:5", "tg:6"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_stranger_who_comes_again_is_no_new_one(home: House) -> None:
    def count(tx: Tx) -> list[int]:
        who = ["a", "b", "a", "b"]
        return [strangers.count(tx, home.tenant_id, {name: 1}, now=now) for now, name in enumerate(who)]

    assert await home.db.write(count) == [1, 1, 0, 0]
    assert await home.column("SELECT updates FROM stranger") == [2, 2]


async def test_strangers_who_come_one_by_one_take_one_statement_each(home: House) -> None:
    """By a webhook each message is stored by itself."""
    database = home.app.inbox._db = Counting(home.db)
    for n in range(1_500):
        await home.app.inbox.accept(home.tenant_id, [inbound("buy", key=f"s{n}", chat=f"{n}9", sender=f"tg:{n}9")])
    # The oldest are forgotten by every hundredth.
    assert database.writes <= 1_500 + 15 + 1
    (kept,) = await home.column("SELECT count(*) FROM stranger")
    assert 1_000 <= kept < 1_100


async def test_a_full_disk_leaves_the_updates_with_the_platform(home: House) -> None:
    class Full(CrashingDatabase):
        def has_room(self) -> bool:
            return False

    home.app.inbox._db = Full(home.db)
    with pytest.raises(StorageFull):
        await home.hear("hello")
    assert await states(home) == []


async def test_a_run_takes_what_one_person_wrote_up_to_the_first_word_of_another(home: House) -> None:
    await home.hear("one")
    await home.hear("two")
    await home.hear("three", sender=FRIEND)
    await home.hear("four")
    assert await head(home) == ["one", "two"]
    await home.work()
    assert home.adapter.texts() == ["re: one | two", "re: three", "re: four"]


async def test_a_command_stands_alone(home: House) -> None:
    for text in ("one", "/help", "two"):
        await home.hear(text)
    assert await head(home) == ["one"]
    await home.work()
    first, second, third = home.adapter.texts()
    assert (first, third) == ("re: one", "re: two")
    assert second.startswith("I'm Teller")


@pytest.mark.databases("sqlite", "postgres")
async def test_a_held_message_wakes_nobody_but_goes_along_with_a_later_one(home: House) -> None:
    """So the order stays even when the model comes back between the two."""
    await home.hear("one")
    until = home.clock.now() + 1000
    await home.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = :u WHERE text = 'one'", {"u": until}))
    assert await head(home) == []
    await home.hear("two")
    assert await head(home) == ["one", "two"]


async def test_a_held_message_of_somebody_else_is_passed_over_until_its_time(home: House) -> None:
    await home.hear("one", sender=FRIEND)
    await home.hear("two")
    until = home.clock.now() + 1000
    await home.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = :u WHERE text = 'one'", {"u": until}))
    assert await head(home) == ["two"]
    home.clock.advance(1)
    assert await head(home) == ["one"]


async def test_a_run_takes_at_most_fifty_messages(home: House) -> None:
    messages = [inbound(f"{n}", key=f"k{n}") for n in range(inbox.TAKE + 2)]
    await home.app.inbox.accept(home.tenant_id, messages)
    await home.work()
    assert [text.count("|") + 1 for text in home.adapter.texts()] == [inbox.TAKE, 2]


async def test_an_edit_of_an_unanswered_message_replaces_it(home: House) -> None:
    await home.hear("helo", key="1")
    await home.hear("hello", key="2", edits="1", message_id="1")
    await home.work()
    assert home.adapter.texts() == ["re: hello"]
    assert await states(home) == [("1", "done"), ("2", "done")]


@pytest.mark.databases("sqlite", "postgres")
async def test_an_edit_of_an_answered_message_corrects_the_record_and_answers_nobody(home: House) -> None:
    await home.hear("helo", key="1")
    await home.work()
    await home.hear("hello", key="2", edits="1", message_id="1")
    await home.work()
    assert home.adapter.texts() == ["re: helo"]
    assert await home.column("SELECT text FROM message WHERE role = 'user'") == ["hello"]
    assert await home.column("SELECT text FROM inbox WHERE update_key = '1'") == ["helo"]


async def test_an_edit_delivered_again_after_a_newer_one_changes_nothing(home: House) -> None:
    await home.hear("one", key="1")
    await home.hear("two", key="2", edits="1", message_id="1")
    await home.hear("three", key="3", edits="1", message_id="1")
    await home.hear("two", key="2", edits="1", message_id="1")
    await home.work()
    assert home.adapter.texts() == ["re: three"]


async def test_an_edit_in_another_chat_with_the_same_message_id_touches_nothing(home: House) -> None:
    await home.hear("mine", key="1", message_id="7")
    await home.hear("changed", key="2", edits="7", message_id="7", chat="2", sender=FRIEND)
    await home.work()
    assert home.adapter.texts() == ["re: mine"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_persons_name_and_language_are_kept_current(home: House) -> None:
    await home.hear("one")
    renamed = inbound("two", key="k2")
    await home.app.inbox.accept(home.tenant_id, [renamed])
    assert await home.column("SELECT name FROM person") == ["Name of tg:1"]
    assert await home.column("SELECT language FROM person") == ["en"]


@pytest.mark.databases("sqlite", "postgres")
async def test_two_threads_of_a_chat_are_two_lanes_of_one_scope(home: House) -> None:
    await home.hear("one", thread="")
    await home.hear("two", thread="t")
    rows = await home.rows("SELECT thread, scope_id, chat_id FROM lane ORDER BY id")
    assert [row["thread"] for row in rows] == ["", "t"]
    assert len({(row["scope_id"], row["chat_id"]) for row in rows}) == 1


@pytest.mark.databases("sqlite", "postgres")
async def test_marking_makes_a_waiting_lane_due_now(home: House) -> None:
    await home.hear("one")
    (lane_id,) = await home.column("SELECT id FROM lane")
    await home.db.write(lambda tx: tx.run("UPDATE lane SET wake_at = 9999999999999"))
    await home.db.write(lambda tx: lanes.mark(tx, lane_id))
    assert await home.column("SELECT wake_at FROM lane") == [0]
