"""One row that is broken holds up nobody else's: it rests, and what is due beside it comes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.cli import operations
from bot.config.sections import AccessSection
from core.capabilities.contacts import repository as contacts
from core.kernel.errors import SendDoubtful, SendMoved, SendRefused, StorageAway
from core.kernel.ids import ref
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Interval, Rule
from core.kernel.types import Keyboard, Part, Sender
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.scheduling.firing import MOST_AT_ONCE, Triggers
from core.store.conversation import chat_migration
from tests.asking import TEA, ask, states
from tests.fake_adapter import FakeAdapter, Hitch
from tests.fakes import House
from tests.fakes import house as build
from tests.triggering import lane_of, passes, person_of, state, trigger

pytestmark = pytest.mark.databases("sqlite")

ANNA: dict[str, Any] = {"chat": "D8", "sender": "slack:T1:U8", "kin": "full", "timezone": "America/Nowhere"}
BOB: dict[str, Any] = {"chat": "D9", "sender": "slack:T1:U9", "kin": "full", "timezone": "UTC"}


class Fragile(FakeAdapter):
    """A platform that fails on every text with `broken` in it."""

    broken = "\0"
    error: type[Exception] = ValueError

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        if self.broken in text:
            raise self.error("no such text")
        return super().render(text, choices, keyboard)


async def home(database: Database, folder: Path, *script: Any) -> tuple[House, Fragile]:
    adapter = Fragile()
    house = await build(database, folder / "house", *script, adapter=adapter)
    await house.hear("hello")
    await house.work()
    return house, adapter


async def test_a_zone_nobody_knows_keeps_no_other_chat_shut(database: Database, tmp_path: Path) -> None:
    """Anna's profile has it. What she wished for Bob is refused, so she is to be told when it is not quiet there."""
    access = AccessSection(mode="allowlist", allow=("slack:T1",))
    adapter = FakeAdapter("slack")
    house = await build(
        database, tmp_path / "house", lambda _: "heard", adapter=adapter, owners=("slack:T1:U1",), access=access
    )
    for one in (ANNA, BOB):
        await house.hear("hello", **one)
        await house.work()
    lane, bob, now = await lane_of(house, "D8"), await person_of(house, BOB["sender"]), house.clock.now()
    him = Sender(address=BOB["sender"], name="Bob")
    known = await house.db.write(lambda tx: contacts.learn(tx, lane, bob, him, now))
    assert known is not None
    await trigger(house, "call Oma", 60, chat="D8", by=ANNA["sender"], contacts=[known])
    adapter.hitches.append(Hitch(error=SendRefused("Forbidden: user_disabled")))
    await passes(house, 61)
    assert "call Oma" in adapter.texts("D8")[-1]
    await house.hear("are you there", **BOB)
    await house.work()
    assert adapter.texts("D9")[-1] == "heard"
    assert await house.column("SELECT count(*) FROM outbox WHERE ended_at IS NULL") == [0]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("error", "ends"),
    [
        (SendRefused("Bad Request"), ("dead", "Bad Request")),
        (SendRefused("Forbidden: blocked"), ("dead", "Forbidden: blocked")),
        (SendMoved("9"), ("sent", "")),
    ],
)
async def test_an_outcome_that_nobody_can_be_told_is_stored_all_the_same(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, ends: tuple[str, str]
) -> None:
    house, adapter = await home(database, tmp_path, "hi", "broken off", "and on")

    def fail(*_: Any, **__: Any) -> bool:
        raise AssertionError("nobody can be told")

    outbox = house.app.outbox
    outbox._hooks = replace(outbox._hooks, refused=fail)
    monkeypatch.setattr(chat_migration, "move", fail)
    await house.hear("one")
    adapter.hitches.append(Hitch(error=error))
    await house.answer()
    await house.work()
    assert house.app.outbox.claims.in_hand == set()
    house.clock.advance(120)
    await house.sweep()
    (row,) = await house.rows("SELECT o.state, o.error FROM outbox o WHERE payload LIKE '%broken off%'")
    assert (row["state"], row["error"]) == ends


@pytest.mark.databases("sqlite", "postgres")
async def test_a_send_in_doubt_of_which_nobody_can_be_told_keeps_nothing_waiting(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi", "one", "two")
    house.app.outbox.doubts._rules = {"telegram": "hold"}
    await house.db.write(
        lambda tx: tx.run("UPDATE outbox SET state = 'sending', repeated = 1, ended_at = NULL, sending_at = 0")
    )
    adapter.broken = "may not have arrived"
    reminder = await trigger(house, "call Oma", 60)
    await passes(house, 61)
    assert (await state(house, reminder))[0] == "done"
    assert await house.column("SELECT state FROM outbox ORDER BY id") == ["dead", "sent"]
    assert adapter.texts()[-1] == "⏰ call Oma"


async def test_a_doubt_while_sending_of_which_nobody_can_be_told_ends(database: Database, tmp_path: Path) -> None:
    house, adapter = await home(database, tmp_path, "hi", "one")
    house.app.outbox.doubts._rules = {"telegram": "hold"}
    adapter.broken = "may not have arrived"
    await house.hear("say one")
    adapter.hitches += [Hitch(error=SendDoubtful("read timeout"))] * 2
    await house.work()
    await passes(house, 2)
    assert await house.column("SELECT state FROM outbox ORDER BY id") == ["sent", "dead"]
    assert house.app.outbox.claims.in_hand == set()


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("error", [ValueError, KeyError])
async def test_a_question_that_cannot_be_ended_is_withdrawn_and_the_others_end(
    database: Database, tmp_path: Path, error: type[ValueError]
) -> None:
    juice = {**TEA, "question": "Juice?"}
    house, adapter = await home(database, tmp_path, "hi", ask(TEA), ask(juice), "fine")
    for text in ("ask me", "ask me again"):
        await house.hear(text)
        await house.work()
    reminder = await trigger(house, "call Oma", 60)
    adapter.broken, adapter.error = "Tea or coffee", error
    await passes(house, 61)
    assert await states(house) == ["withdrawn", "expired"]
    assert [text for text in adapter.texts() if "could not be ended and is withdrawn" in text]
    assert (await state(house, reminder))[0] == "done"
    assert await house.column("SELECT count(*) FROM keyboard WHERE ended_at IS NULL AND question_id IS NOT NULL") == [0]


async def test_what_waits_is_sent_though_questions_cannot_be_looked_at(database: Database, tmp_path: Path) -> None:
    house, _ = await home(database, tmp_path, "hi")

    async def fail() -> bool:
        raise KeyError("questions")

    house.app.scheduler._expire = fail
    reminder = await trigger(house, "call Oma", 60)
    await passes(house, 61)
    assert (await state(house, reminder))[0] == "done"
    assert house.adapter.texts()[-1] == "⏰ call Oma"


async def test_a_trigger_of_which_nobody_can_be_told_rests_and_the_others_come(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    broken, sound = await trigger(house, "broken"), await trigger(house, "sound")
    adapter.broken = "broken"
    await passes(house, 61)
    assert (await state(house, broken))[:2] == ("paused", "error")
    assert (await state(house, sound))[0] == "done"
    assert adapter.texts()[-1] == "⏰ sound"
    assert await house.column("SELECT error FROM outbox WHERE state = 'dead'") == ["it cannot be written; see the log"]


async def test_what_could_not_be_written_comes_when_who_made_it_presses_resume(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    broken = await trigger(house, "broken", 60)
    adapter.broken = "⏰ broken"
    await passes(house, 61)
    assert (await state(house, broken))[:2] == ("paused", "error")
    adapter.broken = "\0"
    await house.press("Resume")
    await house.work()
    await passes(house, 300)
    assert [text for text in adapter.texts() if text.startswith("⏰ broken\n")]
    assert (await state(house, broken))[0] == "done"


@pytest.mark.databases("sqlite", "postgres")
async def test_a_repeat_that_could_not_be_written_comes_when_who_asked_presses_resume(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    first = await trigger(house, "broken", 60, until_done=True)
    await passes(house, 61)
    adapter.broken = "⏰ broken"
    await passes(house, 601)
    repeat = first + 1
    assert (await state(house, repeat))[:2] == ("paused", "error")
    adapter.broken = "\0"
    await house.press("Resume")
    await house.work()
    await passes(house, 30)
    assert "once more, 1 of 3" in adapter.texts()[-1]
    assert (await state(house, repeat))[0] == "done"


async def test_what_comes_next_is_not_given_up_for_what_could_not_be_written(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    broken, sound = await trigger(house, "broken"), await trigger(house, "sound")
    adapter.broken = "broken"
    write, tries = house.db.write, 0

    async def cancelling(fn: Callable[[Tx], Any], *, order: Hashable = None) -> Any:
        """Cancel what is broken when it has failed three times."""
        nonlocal tries
        try:
            return await write(fn, order=order)
        except ValueError:
            tries += 1
            if tries == 3:
                await write(lambda tx: triggers.end(tx, broken, "cancelled", house.clock.now()))
            raise

    monkeypatch.setattr(house.db, "write", cancelling)
    await passes(house, 61)
    assert tries >= 3
    assert (await state(house, sound))[0] == "done"
    assert adapter.texts()[-1] == "⏰ sound"


async def test_an_answer_does_not_wait_for_a_reminder_that_cannot_be_written(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "here I am", "and here")
    broken = await trigger(house, "broken")
    adapter.broken = "broken"
    house.clock.advance(61)
    await house.app.scheduler.due()
    await house.hear("are you there")
    await house.work()
    assert adapter.texts()[-1] == "and here"
    assert (await state(house, broken))[:2] == ("paused", "error")


async def retried(house: House, trigger_id: int) -> None:
    """The operator has what failed tried again."""
    operated = operations.House(config=house.app.config, db=house.db, clock=house.clock, ledger=house.app.ledger)
    await operations.dead_retry(operated, {"ref": ref("s", trigger_id)})
    await house.work()


@pytest.mark.parametrize("by", ["person", "operator", "nobody"])
async def test_the_last_time_of_a_series_that_failed_comes_once_when_it_is_tried_again_and_then_all_is_over(
    database: Database, tmp_path: Path, by: str
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    now = house.clock.now()
    made = await trigger(house, "broken", Interval(seconds=3600, start=now, until=now + 3_600_000))
    adapter.broken = "⏰ broken"
    await passes(house, 3600)
    assert (await state(house, made))[:2] == ("paused", "error")
    adapter.broken = "\0"
    if by == "person":
        await house.press("Resume")
        await house.work()
    elif by == "operator":
        await retried(house, made)
    await house.sweep()
    for _ in range(4):
        await passes(house, 6 * 3600)
    assert [text for text in adapter.texts() if text.startswith("⏰ broken")] == ["⏰ broken"] * (by != "nobody")
    await passes(house, 3 * 3600)
    assert (await state(house, made))[:3] == ("done", "", None)


async def test_a_series_that_goes_on_comes_once_when_its_message_is_tried_again_later(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    made = await trigger(house, "broken", Interval(seconds=3600, start=house.clock.now()))
    adapter.broken = "⏰ broken"
    await passes(house, 3600)
    adapter.broken = "\0"
    await passes(house, 3 * 3600)
    await retried(house, made)
    await passes(house, 60)
    assert [text for text in adapter.texts() if text.startswith("⏰ broken")] == ["⏰ broken\n3 h late."]
    assert (await state(house, made))[0] == "active"


async def test_a_series_whose_zone_nobody_knows_rests_on_and_holds_up_no_other(
    database: Database, tmp_path: Path
) -> None:
    house, _ = await home(database, tmp_path, *["hi"] * 9)
    rule = Rule(cron="0 9 * * *", zone="UTC", until="2026-09-22")
    bad, good, gone = [await trigger(house, text, rule) for text in ("bad", "good", "gone")]
    for number, reason in ((bad, "wish"), (good, "wish"), (gone, "gone")):
        await house.db.write(partial(pausing.pause, trigger_id=number, reason=reason))
    spec = "UPDATE trigger SET spec = replace(spec, 'UTC', 'Nowhere/Town') WHERE text <> 'good'"
    await house.db.write(lambda tx: tx.run(spec))
    for _ in range(3):
        await passes(house, 40_000)
    assert (await state(house, good))[:2] == ("done", "")
    assert (await state(house, bad))[:2] == ("paused", "wish")
    await house.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone'"))
    await house.hear("hello again")
    await house.work()
    await passes(house, 60)
    assert (await state(house, gone))[:2] == ("paused", "error")


# A statement fails for what one row says, by no constraint: a value that cannot be read, an index that is damaged.
POISON = {
    "sqlite": ("CREATE TRIGGER poison {when} WHEN {row} BEGIN SELECT json('['); END",),
    "postgres": (
        "CREATE FUNCTION damaged() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RAISE EXCEPTION ''damaged'' USING ERRCODE = ''XX001''; END'",
        "CREATE TRIGGER poison {when} FOR EACH ROW WHEN ({row}) EXECUTE FUNCTION damaged()",
    ),
}
ANTIDOTE = {"sqlite": "DROP TRIGGER poison", "postgres": "DROP FUNCTION damaged CASCADE"}


async def poisoned(
    database: Database, when: str = "BEFORE INSERT ON reminder", row: str = "NEW.text = 'broken'"
) -> None:
    """Let the database refuse a row."""
    for sql in POISON[database.name]:
        await database.write(lambda tx, sql=sql: tx.run(sql.format(when=when, row=row)))  # type: ignore[misc]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_trigger_that_the_database_refuses_holds_up_no_other_and_comes_once_it_can(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    await poisoned(database)
    broken, sound = await trigger(house, "broken"), await trigger(house, "sound")
    later = await trigger(house, "later", 100)
    await passes(house, 61)
    assert (await state(house, sound))[0] == "done"
    assert adapter.texts()[-1] == "⏰ sound"
    broken_ones = house.app.container.get(Triggers).broken
    assert broken_ones.refused.rows[broken][0] == 1
    for _ in range(60):
        await passes(house, 1)
    assert broken_ones.refused.rows[broken][0] == 4  # after 5, 10 and 20 s
    assert (await state(house, later))[0] == "done"
    told = f"⚠️ This is due, but fails on my side; I keep trying ({ref('s', broken)}): broken"
    assert adapter.texts()[-2:] == [told, "⏰ later"]
    assert (await state(house, broken))[0] == "active"
    at = await house.app.scheduler.due()
    assert at is not None
    assert 0 < at - house.clock.now() <= 60_000
    await database.write(lambda tx: tx.run(ANTIDOTE[database.name]))
    await passes(house, 60)
    assert (await state(house, broken))[0] == "done"
    assert adapter.texts()[-1] == "⏰ broken\n2 min late."
    assert broken_ones.refused.rows == {}


@pytest.mark.databases("sqlite", "postgres")
async def test_a_question_that_the_database_does_not_end_holds_up_no_other(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    juice = {**TEA, "question": "Juice?"}
    house, _ = await home(database, tmp_path, "hi", ask(TEA), ask(juice), "fine", "and fine")
    for text in ("ask me", "ask me again"):
        await house.hear(text)
        await house.work()
    await poisoned(database, "BEFORE UPDATE ON question", "OLD.text LIKE '%Tea%'")
    await passes(house, 61)
    assert await states(house) == ["open", "expired"]
    caplog.clear()
    for _ in range(10):
        await passes(house, 1)
    lines = [record.message for record in caplog.records if "the end of question" in record.message]
    assert [line.rpartition("; ")[2] for line in lines] == ["try 3 is in 10 s"]
    await database.write(lambda tx: tx.run(ANTIDOTE[database.name]))
    await passes(house, 30)
    assert await states(house) == ["expired", "expired"]


async def test_a_database_that_refuses_all_is_no_fault_of_what_is_due(database: Database, tmp_path: Path) -> None:
    house, _ = await home(database, tmp_path, "hi")
    await poisoned(database)
    for _ in range(MOST_AT_ONCE + 1):
        await trigger(house, "broken")
    await passes(house, 61)
    assert len(house.app.container.get(Triggers).broken.refused.rows) == MOST_AT_ONCE
    await database.write(lambda tx: tx.run(ANTIDOTE[database.name]))
    await passes(house, 6)
    assert await house.column("SELECT count(*) FROM trigger WHERE state = 'done'") == [MOST_AT_ONCE + 1]


async def test_more_refused_triggers_than_are_tried_at_once_hold_up_no_other(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    await poisoned(database)
    for _ in range(2 * MOST_AT_ONCE + 1):
        await trigger(house, "broken")
    sound = await trigger(house, "sound", 61)
    for seconds in (62, *[5] * 12):
        await passes(house, seconds)
    assert (await state(house, sound))[0] == "done"
    assert len([text for text in adapter.texts() if "fails on my side" in text]) == MOST_AT_ONCE


async def test_owners_are_told_in_one_notice_how_many_triggers_the_database_refuses(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    await poisoned(database)
    refused = [await trigger(house, "broken") for _ in range(7)]
    for seconds in (61, 5, 10):
        await passes(house, seconds)
    named = ", ".join(ref("s", number) for number in refused[:5])
    told = f"⚠️ The database refuses what is due ({named}, … (7)); I keep trying. The log says why. Who made it knows."
    assert [text for text in adapter.texts() if "The database refuses" in text] == [told]
    assert len([text for text in adapter.texts() if "fails on my side" in text]) == 7


async def test_that_the_database_refuses_a_trigger_is_told_once_it_can_be_reached(
    database: Database, tmp_path: Path
) -> None:
    house, adapter = await home(database, tmp_path, "hi")
    await poisoned(database)
    await trigger(house, "broken")
    adapter.broken, adapter.error = "fails on my side", StorageAway
    for seconds in (61, 5, 10):
        await passes(house, seconds)
    adapter.broken = "\0"
    await passes(house, 30)
    assert "fails on my side" in adapter.texts()[-1]
