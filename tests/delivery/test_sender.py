"""Sending: classes, order, edits, pauses, refusals and doubt."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from pathlib import Path
from typing import Any, Literal

import pytest

from core.delivery.sender import DOUBT, RETRY_MOST
from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent, StorageError
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Urgency
from core.store.conversation import dead_letters, outbox
from core.store.conversation.outbox import Post
from core.store.giving_up import TRIES
from core.store.people import tenants
from tests.fakes import FRIEND, Hitch, House, house

pytestmark = pytest.mark.databases("sqlite")

MARK = "↻ Possibly a repeat – the connection broke while sending."


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house that knows two chats and has nothing to do."""
    return await furnished(database, tmp_path)


async def furnished(database: Database, folder: Path, **options: Any) -> House:
    home = await house(database, folder / "house", lambda request: "", **options)
    await home.hear("hello", chat="1")
    await home.hear("hello", chat="2", sender=FRIEND)
    await home.work()
    return home


async def lane(home: House, chat: str = "1") -> LaneKey:
    sql = (
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat"
    )
    (row,) = await home.rows(sql, chat=chat)
    return LaneKey(**row)


async def queue(home: House, text: str, *, chat: str = "1", **more: Any) -> int:
    """Queue a message whose key is its text; returns its row."""
    key = await lane(home, chat)
    payload = {"text": text, "serial": 0}

    def add(tx: Tx) -> int:
        outbox.add(tx, key, text, payload, now=home.clock.now(), **more)
        row = tx.one("SELECT id FROM outbox WHERE message_key = :key", {"key": text})
        assert row is not None
        return int(row["id"])

    return await home.db.write(add)


async def pump(home: House, chat: str = "1") -> None:
    await home.app.outbox.pump((await lane(home, chat)).chat_id)


async def claim(home: House, chat: str = "1") -> Post | int | None:
    chat_id = (await lane(home, chat)).chat_id
    return await home.db.write(lambda tx: outbox.claim(tx, chat_id, home.clock.now()))


async def state(home: House, text: str) -> dict[str, Any]:
    sql = "SELECT state, attempt, repeated, error, platform_id, not_before FROM outbox WHERE message_key = :key"
    (row,) = await home.rows(sql, key=text)
    return row


async def test_what_a_run_claims_of_others_when_it_ends_is_sent(home: House) -> None:
    """On several connections the poke of the others may have come and gone between that claim and its callback."""

    async def nothing_due() -> None:
        return None

    await home.hear("hello again", chat="1")
    await queue(home, "of others")
    running = asyncio.create_task(home.app.engine.run({"chat": home.app.outbox.pump}, nothing_due))
    await home.app.worker.answer((await lane(home)).lane_id)
    await home.app.engine.stop(10.0)
    await running
    assert (await state(home, "of others"))["state"] == "sent"


async def test_an_answer_overtakes_reminders_and_reminders_overtake_progress(home: House) -> None:
    await queue(home, "progress", urgency=Urgency.PROGRESS)
    for n in range(3):
        await queue(home, f"reminder {n}", urgency=Urgency.REMINDER)
    await queue(home, "answer")
    await home.send()
    assert home.adapter.texts() == ["answer", "reminder 0", "reminder 1", "reminder 2", "progress"]


async def test_one_message_is_in_flight_a_chat_and_other_chats_do_not_wait(home: House) -> None:
    for text in ("one", "two"):
        await queue(home, text)
    await queue(home, "other", chat="2")
    first = await claim(home)
    assert isinstance(first, Post)
    assert first.payload["text"] == "one"
    assert await claim(home) is None
    assert isinstance(await claim(home, "2"), Post)


async def test_the_second_part_goes_after_the_first(home: House) -> None:
    key = await lane(home)
    composer = home.app.worker._ending._composer
    outgoing = composer.outgoing("telegram", "run:9:1", "one\ftwo\fthree")
    await home.db.write(lambda tx: composer.post(tx, key, outgoing))
    home.adapter.hitches.append(Hitch(error=SendUnsent("connect")))
    await home.send()
    assert home.adapter.texts() == []
    await home.later(2)
    assert home.adapter.texts() == ["one", "two", "three"]


async def test_a_key_is_queued_once(home: House) -> None:
    key = await lane(home)
    added = [
        await home.db.write(lambda tx: outbox.add(tx, key, "k", {"text": "x", "serial": 0}, now=0)) for _ in range(2)
    ]
    assert added == [True, False]


async def test_a_sent_message_keeps_the_platforms_id(home: House) -> None:
    await queue(home, "one")
    await home.send()
    found = await state(home, "one")
    assert (found["state"], found["platform_id"]) == ("sent", home.adapter.sent[0].platform_id)


async def test_an_edit_goes_to_the_id_of_the_message_it_replaces(home: House) -> None:
    target = await queue(home, "first")
    await queue(home, "edit", replaces_id=target)
    await home.send()
    first, edit = home.adapter.sent
    assert edit.to.replaces == first.platform_id


async def test_only_the_newest_edit_is_sent(home: House) -> None:
    target = await queue(home, "first")
    await home.send()
    for text in ("old edit", "newer edit", "newest edit"):
        await queue(home, text, replaces_id=target)
    await home.send()
    assert home.adapter.texts() == ["first", "newest edit"]
    assert (await state(home, "old edit"))["state"] == "dead"


async def test_an_edit_waits_until_its_target_has_an_id(home: House) -> None:
    """Even when the edit is more urgent than the message it replaces."""
    target = await queue(home, "working…", urgency=Urgency.PROGRESS)
    await queue(home, "done", replaces_id=target)
    home.adapter.hitches.append(Hitch(error=SendUnsent("connect")))
    await home.send()
    assert home.adapter.texts() == []
    await home.later(2)
    assert home.adapter.texts() == ["working…", "done"]


async def test_a_waiting_edit_holds_up_nobody(home: House) -> None:
    target = await queue(home, "working…", urgency=Urgency.PROGRESS)
    await queue(home, "done", replaces_id=target)
    await queue(home, "answer")
    await home.send()
    assert home.adapter.texts() == ["answer", "working…", "done"]


async def test_an_edit_of_a_dead_message_dies_with_it(home: House) -> None:
    target = await queue(home, "first")
    await queue(home, "edit", replaces_id=target)
    await queue(home, "next")
    home.adapter.hitches.append(Hitch(error=SendRefused("403")))
    await home.send()
    assert home.adapter.texts() == ["next"]
    assert (await state(home, "edit"))["state"] == "dead"


async def test_a_refused_message_dies_visibly_and_blocks_nobody(home: House) -> None:
    for text in ("one", "two"):
        await queue(home, text)
    home.adapter.hitches.append(Hitch(error=SendRefused("403: bot was blocked")))
    await home.send()
    assert home.adapter.texts() == ["two"]
    found = await state(home, "one")
    assert (found["state"], found["error"]) == ("dead", "403: bot was blocked")


async def test_an_unsent_message_is_tried_again_with_growing_pauses(home: House) -> None:
    await queue(home, "one")
    pauses = []
    for _ in range(9):
        home.adapter.hitches.append(Hitch(error=SendUnsent("connect")))
        await home.send()
        pause = (await state(home, "one"))["not_before"] - home.clock.now()
        pauses.append(pause / 1000)
        home.clock.advance(pause / 1000)
    assert pauses == [1, 2, 4, 8, 16, 32, RETRY_MOST, RETRY_MOST, RETRY_MOST]
    await home.send()
    assert home.adapter.texts() == ["one"]
    assert home.adapter.sent[0].repeated == ""


async def test_a_pause_the_platform_asks_for_is_kept_by_the_whole_chat_and_by_no_other(home: House) -> None:
    for text in ("one", "two"):
        await queue(home, text)
    await queue(home, "other", chat="2")
    home.adapter.hitches.append(Hitch(error=SendUnsent("429", retry_after=30)))
    await pump(home)
    await home.work()
    assert home.adapter.texts("1") == []
    assert home.adapter.texts("2") == ["other"]
    await home.later(29)
    assert home.adapter.texts("1") == []
    await home.later(1)
    assert home.adapter.texts("1") == ["one", "two"]


async def test_a_doubtful_send_is_repeated_with_the_mark(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("read timeout"), effect=True))
    await home.send()
    await home.later(2)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent] == [("one", ""), ("one", MARK)]


@pytest.mark.parametrize("doubt", ["resend", "hold"])
async def test_an_edit_in_doubt_is_made_again_without_a_mark(database: Database, tmp_path: Path, doubt: str) -> None:
    home = await furnished(database, tmp_path, doubt=doubt)
    target = await queue(home, "one")
    await home.send()
    await queue(home, "edit", replaces_id=target)
    home.adapter.hitches.append(Hitch(error=SendDoubtful("read timeout"), effect=True))
    await home.later(2)
    await home.later(2)
    await queue(home, "next edit", replaces_id=target)
    assert isinstance(await claim(home), Post)
    assert await home.app.outbox.doubts.settle() == 1  # as after a kill
    await home.later(2)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent[1:]] == [
        ("edit", ""),
        ("edit", ""),
        ("next edit", ""),
    ]


async def test_repeats_come_to_an_end_and_an_owner_is_told(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.extend([Hitch(error=SendDoubtful("read timeout"), effect=True)] * 10)
    for _ in range(10):
        await home.send()
        home.clock.advance(100)
    assert home.adapter.texts().count("one") == TRIES
    found = await state(home, "one")
    assert (found["state"], found["error"]) == ("dead", DOUBT)


async def test_what_is_held_has_ended_now_and_not_later(database: Database, tmp_path: Path) -> None:
    home = await furnished(database, tmp_path, doubt="hold")
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("502")))
    await home.send()
    assert (await state(home, "one"))["state"] == "dead"
    assert await home.column("SELECT ended_at FROM outbox WHERE message_key = 'one'") == [home.clock.now()]


@pytest.mark.parametrize(("doubt", "tries"), [("resend", TRIES), ("hold", 1)])
async def test_what_was_given_up_in_doubt_goes_out_marked_when_the_operator_wants_it(
    database: Database, tmp_path: Path, doubt: str, tries: int
) -> None:
    home = await furnished(database, tmp_path, doubt=doubt)
    row = await queue(home, "one")
    home.adapter.hitches.extend([Hitch(error=SendDoubtful("502"))] * tries)
    for _ in range(4):
        await home.later(70)
    assert (await state(home, "one"))["state"] == "dead"
    await home.db.write(lambda tx: dead_letters.retry_outbox(tx, row))
    await home.send()
    assert [sent.repeated for sent in home.adapter.sent if sent.text == "one"] == [MARK]


async def test_in_an_outage_no_repeat_is_spent_in_vain(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("502")))
    await home.send()
    home.adapter.ok = False
    for _ in range(8):
        await home.later(60)
    assert home.adapter.texts() == []
    home.adapter.ok = True
    await home.later(61)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent] == [("one", MARK)]


async def test_in_a_long_outage_no_repeat_is_spent_in_vain_either(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("502")))
    await home.send()
    home.adapter.ok = home.adapter.answering = False
    for _ in range(120):
        await home.later(61)
    assert (len(home.adapter.tried), (await state(home, "one"))["state"]) == (1, "new")
    home.adapter.answering = True
    await home.later(61)
    await home.later(61)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent] == [("one", MARK)]


async def test_no_message_is_in_doubt_once_more_if_the_process_ends_while_the_platform_is_asked(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("502")))
    await home.send()
    home.adapter.ok, home.adapter.gate = False, asyncio.Event()
    for _ in range(12):
        await home.later(61)
    # Nobody has answered yet, and is asked once.
    assert (len(home.adapter.tried), home.adapter.pings) == (1, ["bot"])
    row = await state(home, "one")
    assert (row["state"], row["repeated"]) == ("new", 1)
    await home.app.outbox.finish(0.01)
    assert not home.app.outbox._asking


async def test_who_sends_but_is_not_heard_is_repeated_after_ten_minutes(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("read timeout")))
    await home.send()
    home.adapter.ok = False
    for _ in range(12):
        await home.later(61)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent] == [("one", MARK)]


async def test_who_sends_but_is_not_heard_is_repeated_once_another_message_has_arrived(home: House) -> None:
    home.adapter.ok = False
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("read timeout")))
    await home.send()
    await home.later(2)
    assert home.adapter.texts("1") == []
    await queue(home, "two", chat="2")
    await home.later(2)
    await home.later(4)
    assert [(sent.text, sent.repeated) for sent in home.adapter.sent if sent.to.chat == "1"] == [("one", MARK)]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_send_whose_outcome_was_lost_with_the_connection_is_in_doubt_after_a_minute(home: House) -> None:
    await queue(home, "one")
    assert isinstance(await claim(home), Post)  # as after a commit whose news never came: nobody has it in hand
    await home.app.scheduler.due()
    assert (await state(home, "one"))["state"] == "sending"
    home.clock.advance(61)
    await home.app.scheduler.due()
    found = await state(home, "one")
    assert (found["state"], found["repeated"]) == ("new", 1)


class Gate(asyncio.Event):
    """A gate that tells when somebody stands before it."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def wait(self) -> Literal[True]:
        self.reached.set()
        return await super().wait()


@pytest.mark.databases("sqlite", "postgres")
async def test_a_send_in_hand_is_never_taken_for_lost(home: House) -> None:
    await queue(home, "one")
    gate = home.adapter.gate = Gate()
    sending = asyncio.create_task(home.send())
    await asyncio.wait_for(gate.reached.wait(), 10)
    home.clock.advance(600)
    await home.app.scheduler.due()
    assert (await state(home, "one"))["state"] == "sending"
    gate.set()
    await sending
    assert [sent.repeated for sent in home.adapter.sent] == [""]


async def test_once_in_doubt_the_mark_stays_over_further_tries(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.extend([Hitch(error=SendDoubtful("read timeout")), Hitch(error=SendUnsent("connect"))])
    await home.later(0)
    await home.later(5)
    await home.later(5)
    assert [sent.repeated for sent in home.adapter.sent] == [MARK]


async def test_an_error_nobody_knows_counts_as_doubt(home: House) -> None:
    await queue(home, "one")
    home.adapter.hitches.append(Hitch(error=RuntimeError("bug in the adapter")))
    await home.send()
    assert (await state(home, "one"))["repeated"] == 1


async def test_under_hold_a_doubtful_send_is_never_repeated_and_an_owner_is_told(
    database: Database, tmp_path: Path
) -> None:
    home = await furnished(database, tmp_path, doubt="hold")
    for text in ("one", "two"):
        await queue(home, text)
    home.adapter.hitches.append(Hitch(error=SendDoubtful("read timeout"), effect=True))
    await home.send()
    await home.later(1000)
    *texts, notice = home.adapter.texts("1")
    assert texts == ["one", "two"]
    assert "may not have arrived" in notice
    found = await state(home, "one")
    assert (found["state"], found["error"]) == ("dead", DOUBT)


@pytest.mark.parametrize(("doubt", "texts"), [("resend", ["one"]), ("hold", [])])
async def test_what_was_being_sent_when_the_process_died_is_in_doubt(
    database: Database, tmp_path: Path, doubt: str, texts: list[str]
) -> None:
    home = await furnished(database, tmp_path, doubt=doubt)
    await queue(home, "one")
    assert isinstance(await claim(home), Post)
    assert await home.app.outbox.doubts.settle() == 1
    await home.later(1)
    repeats = [sent for sent in home.adapter.sent if sent.text == "one"]
    assert [sent.text for sent in repeats] == texts
    assert all(sent.repeated == MARK for sent in repeats)


@pytest.mark.databases("sqlite", "postgres")
async def test_a_message_for_a_platform_that_does_not_run_waits(home: House) -> None:
    other = await home.app.inbox.tenant("slack", "T1")
    await queue(home, "one")
    await home.db.write(lambda tx: tx.run("UPDATE outbox SET tenant_id = :other", {"other": other}))
    await home.send()
    found = await state(home, "one")
    assert (found["state"], home.adapter.texts()) == ("new", [])
    assert found["not_before"] > home.clock.now()


async def test_a_send_in_flight_is_finished_even_when_its_pump_is_stopped(home: House) -> None:
    await queue(home, "one")
    home.adapter.gate = asyncio.Event()
    home.adapter.begun.clear()
    pump = asyncio.create_task(home.app.outbox.pump((await lane(home)).chat_id))
    await home.adapter.begun.wait()
    pump.cancel()
    await asyncio.gather(pump, return_exceptions=True)
    home.adapter.gate.set()
    await home.app.outbox.finish(5)
    assert (await state(home, "one"))["state"] == "sent"


async def test_what_could_not_be_sent_to_a_workspace_that_is_gone_by_then_is_given_up(home: House) -> None:
    await queue(home, "one")
    home.adapter.gate = asyncio.Event()
    home.adapter.hitches.append(Hitch(error=SendUnsent("no token", retry_after=180)))
    at, now = await lane(home), home.clock.now()
    pump = asyncio.create_task(home.app.outbox.pump(at.chat_id))
    await home.adapter.begun.wait()
    assert await home.db.write(lambda tx: tenants.end(tx, at.tenant_id, now))
    home.adapter.gate.set()
    await pump
    assert (await state(home, "one"))["state"] == "dead"
    assert await home.column("SELECT count(*) FROM outbox WHERE ended_at IS NULL") == [0]


async def test_what_became_of_a_send_is_recorded_even_when_the_database_fails_for_a_moment(home: House) -> None:
    """Else the row stays `sending`, and its chat is silent until the next start."""
    for text in ("one", "two"):
        await queue(home, text)
    database, failures = home.app.outbox._db, [StorageError("gone"), StorageError("still gone")]
    chat_id = (await lane(home)).chat_id

    class Failing:
        async def write(self, fn: Any, *, order: Hashable = None) -> Any:
            if home.adapter.sent and failures:
                raise failures.pop()
            return await database.write(fn, order=order)

    home.app.outbox._db = Failing()  # type: ignore[assignment]
    await home.app.outbox.pump(chat_id)
    await home.app.outbox.finish(5)
    assert home.adapter.texts() == ["one", "two"]
    assert (await state(home, "one"))["state"] == "sent"
