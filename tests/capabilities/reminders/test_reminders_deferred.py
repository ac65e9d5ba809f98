"""Reminders that are queued when they are due, and written when they are sent (STATES: Delivery of a reminder)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.privacy import expired
from core.capabilities.reminders import keeps
from core.kernel.errors import SendUnsent
from core.kernel.ids import ref
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Interval
from core.scheduling import repository as triggers
from core.store.conversation.outbox import Post
from core.toolkit.keeping import Keep, Night
from tests.commanding import FRIEND, home, said
from tests.fakes import Hitch, House
from tests.triggering import contact_of, passes, person_of, state, trigger

pytestmark = pytest.mark.databases("sqlite")

FADED = "what it was to tell is over"


async def is_due(house: House, seconds: float = 60) -> None:
    """Let time pass until something fires; nothing is sent yet."""
    house.clock.advance(seconds)
    await house.app.scheduler.due()


async def payloads(house: House) -> list[dict[str, object]]:
    found = await house.column("SELECT payload FROM outbox WHERE message_key LIKE 'trigger:%' ORDER BY id")
    return [json.loads(one) for one in found]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_due_is_stored_and_its_message_written_with_all_that_belongs_to_it_when_it_is_sent(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    due_at = house.clock.now() + 60_000
    await is_due(house)
    assert await payloads(house) == [{"unwritten": []}]
    assert await house.column("SELECT id FROM message WHERE text LIKE '⏰%'") == []
    assert await house.column("SELECT id FROM keyboard WHERE message_key LIKE 'trigger:%'") == []
    await house.work()
    assert house.shown()[-1].text == "⏰ call Oma"
    (row,) = await house.rows("SELECT trigger_id, due_at, message_key, state FROM reminder")
    assert row == {"trigger_id": made, "due_at": due_at, "message_key": f"trigger:{made}:0", "state": "open"}
    assert await house.column("SELECT person_id FROM reminded") == [await person_of(house)]
    assert (await house.column("SELECT text FROM message ORDER BY id DESC"))[0] == "⏰ call Oma"


@pytest.mark.databases("sqlite", "postgres")
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
    assert errors == [FADED]
    assert await house.column("SELECT trigger_id FROM reminder WHERE state = 'open'") == [kept]
    assert await house.column("SELECT trigger_id FROM reminder WHERE state = 'lapsed'") == [made]


async def test_it_says_how_late_it_is_when_it_is_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await is_due(house)
    await house.later(300)
    assert house.shown()[-1].text.startswith("⏰ call Oma\n")
    assert "5 min" in house.shown()[-1].text


@pytest.mark.databases("sqlite", "postgres")
async def test_it_has_the_words_that_its_trigger_has_when_it_is_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "call Oma", Interval(seconds=3600, start=house.clock.now()))
    await is_due(house, 3600)

    def change_text(tx: Tx) -> None:
        tx.run("UPDATE trigger SET text = 'call Opa' WHERE id = :id", {"id": made})

    await house.db.write(change_text)
    await house.work()
    assert house.shown()[-1].text == "⏰ call Opa"


@pytest.mark.databases("sqlite", "postgres")
async def test_of_two_times_of_one_trigger_that_wait_the_last_one_comes(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    start = house.clock.now()
    made = await trigger(house, "drink", Interval(seconds=3600, start=start))
    await is_due(house, 3600)
    await is_due(house, 3600)
    await house.work()
    rows = await house.rows("SELECT message_key, state FROM outbox WHERE message_key LIKE 'trigger:%' ORDER BY id")
    assert [(row["message_key"], row["state"]) for row in rows] == [
        (f"trigger:{made}:0:0", "dead"),
        (f"trigger:{made}:1:0", "sent"),
    ]
    rows = await house.rows("SELECT due_at, state FROM reminder ORDER BY id")
    assert [tuple(row.values()) for row in rows] == [(start + 3_600_000, "lapsed"), (start + 7_200_000, "open")]


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


def parted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the platform send a text in parts, where the text has a mark."""
    render = house.adapter.render
    monkeypatch.setattr(house.adapter, "render", lambda text, *more: render(text.replace("¶", "\f"), *more))


async def test_a_text_of_several_messages_has_them_together_and_in_order(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await home(database, tmp_path)
    parted(house, monkeypatch)
    await trigger(house, "one¶two¶three")
    await trigger(house, "short")
    count = len(house.shown())
    await passes(house, 60)
    assert [sent.text for sent in house.shown()[count:]] == ["⏰ one", "two", "three", "⏰ short"]


class TooFast:
    """The platform makes one send wait: the one after so many."""

    def __init__(self, house: House, after: int) -> None:
        self._send, self._after = house.adapter.send, after

    async def __call__(self, *args: object, **more: object) -> str:
        self._after -= 1
        if self._after == -1:
            raise SendUnsent("too fast", retry_after=120)
        return await self._send(*args, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("sent", [0, 1])
async def test_the_messages_of_a_text_stay_together_when_one_of_them_must_wait(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: int
) -> None:
    house = await home(database, tmp_path)
    parted(house, monkeypatch)
    await trigger(house, "one¶two¶three")
    await trigger(house, "short")
    count = len(house.shown())
    monkeypatch.setattr(house.adapter, "send", TooFast(house, sent))
    await passes(house, 60)
    assert len(house.shown()) == count + sent
    await house.later(121)
    assert [one.text.partition("\n")[0] for one in house.shown()[count:]] == ["⏰ one", "two", "three", "⏰ short"]


async def due_for_somebody_else(house: House) -> int:
    """The owner's reminder for Bob is due, and its message waits in Bob's private chat; returns the trigger."""
    await said(house, "Hi!", chat="2", sender=FRIEND)
    await said(house, "Hi!", chat="-5", sender=FRIEND)
    await said(house, "Hi!", chat="-5")
    made = await trigger(house, "bring milk", chat="-5", contacts=[await contact_of(house, FRIEND)])
    await is_due(house)
    return made


async def test_what_is_for_somebody_else_says_how_late_it_is_when_it_is_sent(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await due_for_somebody_else(house)
    house.clock.advance(300)
    await house.work()
    assert house.shown("2")[-1].text.splitlines()[-1] == "5 min late."


async def test_what_is_for_somebody_else_can_be_cancelled_until_it_is_sent_and_brought_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await due_for_somebody_else(house)
    now = house.clock.now()
    assert await house.db.write(lambda tx: triggers.end(tx, made, "cancelled", now))
    assert await house.column("SELECT state FROM reminder") == ["lapsed"]
    assert await house.db.write(lambda tx: triggers.send_after_all(tx, made))
    assert await house.column("SELECT state FROM reminder") == ["open"]
    await house.work()
    assert "bring milk" in house.shown("2")[-1].text


@pytest.mark.databases("sqlite", "postgres")
async def test_what_was_snoozed_is_written_when_it_is_sent_too(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    await house.press("+10 min")
    await house.work()
    await is_due(house, 600)
    (mine,) = await house.column("SELECT id FROM reminded")
    assert (await payloads(house))[-1] == {"unwritten": [mine]}
    await house.later(120)
    assert house.shown()[-1].text == "⏰ call Oma\n2 min late."


@pytest.mark.databases("sqlite", "postgres")
async def test_what_a_former_version_queued_without_storing_it_is_sent(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made, due_at = await trigger(house), house.clock.now() + 60_000
    await is_due(house)

    def as_it_was(tx: Tx) -> None:
        for table in ("reminded", "reminder"):
            tx.run(f"DELETE FROM {table}")
        tx.run("UPDATE outbox SET payload = :payload WHERE state = 'new'", {"payload": f'{{"unwritten":{due_at}}}'})

    await house.db.write(as_it_was)
    await house.later(120)
    assert house.shown()[-1].text == "⏰ call Oma\n2 min late."
    (row,) = await house.rows("SELECT trigger_id, due_at, message_key, state FROM reminder")
    assert row == {"trigger_id": made, "due_at": due_at, "message_key": f"trigger:{made}:0", "state": "open"}
    await house.press("Done")
    await house.work()
    assert await house.column("SELECT state FROM reminder") == ["done"]


async def test_what_its_recipient_had_forgotten_is_not_sent_and_whoever_asked_learns_so(
    database: Database, tmp_path: Path
) -> None:
    """Its words went with the private chat of whom it was for: they don't come to whoever asked instead."""
    house = await home(database, tmp_path)
    await due_for_somebody_else(house)
    count = len(house.shown("2"))

    def forget_reminder(tx: Tx) -> None:
        for table in ("reminded", "reminder"):
            tx.run(f"DELETE FROM {table}")

    await house.db.write(forget_reminder)
    await house.work()
    assert len(house.shown("2")) == count
    told = [sent.text for sent in house.shown("-5") if "milk" in sent.text]
    assert told == ["I couldn't deliver “bring milk”: what I kept of the chat where it was due has been erased."]


@pytest.mark.databases("sqlite", "postgres")
async def test_many_in_one_chat_come_each_once_in_order(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(20):
        await trigger(house, f"thing {n}", 60)
    count = len(house.shown())
    await passes(house, 60)
    assert [sent.text for sent in house.shown()[count:]] == [f"⏰ thing {n}" for n in range(20)]
    keyboard_rows = await house.column(
        "SELECT count(DISTINCT message_key) FROM keyboard WHERE message_key LIKE 'trigger:%'"
    )
    assert keyboard_rows == [20]
    assert await house.db.read(triggers.next_due) is None


class Slow:
    """A send takes time, so that no two things are written in one millisecond."""

    def __init__(self, house: House) -> None:
        self._house, self._send = house, house.adapter.send

    async def __call__(self, *args: object, **more: object) -> str:
        self._house.clock.advance(0.05)
        return await self._send(*args, **more)  # type: ignore[arg-type]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(("word", "asked"), [("done", "Which one"), ("in 2h", "Which one")])
async def test_of_two_that_were_due_together_it_asks_which_is_meant(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, asked: str
) -> None:
    house = await home(database, tmp_path)
    monkeypatch.setattr(house.adapter, "send", Slow(house))
    await trigger(house, "take pills")
    await trigger(house, "call Oma")
    await passes(house, 60)
    assert asked in await said(house, word)
    assert await house.column("SELECT DISTINCT state FROM reminder") == ["open"]


@pytest.mark.parametrize("words", ["/todo done call Oma", "/todo remove call Oma", "/todo due call Oma: tomorrow"])
async def test_of_a_to_do_that_is_off_the_list_before_its_reminder_is_sent_nothing_comes(
    database: Database, tmp_path: Path, words: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo call Oma in 1 hour")
    await is_due(house, 3600)
    count = len(house.shown())
    await said(house, words)
    assert [sent.text for sent in house.shown()[count:] if sent.text.startswith("⏰ call Oma")] == []
    assert await house.column("SELECT error FROM outbox WHERE state = 'dead'") == [FADED]


async def test_what_comes_once_can_be_cancelled_until_it_is_sent_and_brought_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    await is_due(house)
    count = len(house.shown())
    assert "Stopped" in await said(house, f"/cancel {ref('s', made)}")
    assert len(house.shown()) == count + 1
    assert (await state(house, made))[0] == "cancelled"


@pytest.mark.databases("sqlite", "postgres")
async def test_what_was_cancelled_before_it_was_sent_comes_when_that_is_taken_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made, now = await trigger(house, "take pills", Interval(seconds=86_400, start=house.clock.now())), house.clock.now()
    await is_due(house, 86_400)
    assert await house.db.write(lambda tx: triggers.end(tx, made, "cancelled", now))
    assert await house.column("SELECT state FROM outbox WHERE message_key LIKE 'trigger:%'") == ["dead"]
    assert await house.db.write(lambda tx: triggers.revive(tx, made, now + 2 * 86_400_000))
    await house.work()
    assert house.shown()[-1].text == "⏰ take pills"
    assert await house.column("SELECT error FROM outbox WHERE message_key LIKE 'trigger:%'") == [""]


async def test_what_comes_once_is_sent_when_its_cancellation_is_taken_back_later(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    await is_due(house)
    assert "Stopped" in await said(house, f"/cancel {ref('s', made)}")
    house.clock.advance(600)
    await said(house, "/undo")
    await house.work()
    assert [sent.text for sent in house.shown() if "late" in sent.text] == ["⏰ call Oma\n10 min late."]
    assert (await state(house, made))[0] == "done"


async def test_what_was_given_up_by_a_try_since_it_was_cancelled_comes_when_that_is_taken_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "drink", Interval(seconds=86_400, start=house.clock.now()))
    house.adapter.hitches.append(Hitch(error=SendUnsent("too fast", retry_after=300)))
    await passes(house, 86_400)
    await said(house, f"/cancel {ref('s', made)}")
    await house.later(301)
    assert await house.column("SELECT state FROM reminder") == ["lapsed"]
    await said(house, "/undo")
    await house.work()
    assert await house.column("SELECT state FROM reminder") == ["open"]
    assert [sent.text for sent in house.shown() if "late" in sent.text] == ["⏰ drink\n5 min late."]
    assert (await state(house, made))[0] == "active"


async def test_what_could_not_be_sent_says_how_late_it_is_when_it_can(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    house.adapter.hitches.append(Hitch(error=SendUnsent("no network", retry_after=7200)))
    await passes(house, 60)
    assert await house.column("SELECT state FROM reminder") == ["open"]
    await house.later(7201)
    assert house.shown()[-1].text == "⏰ call Oma\n2 h late."
    await house.press("Done")
    await house.work()
    assert await house.column("SELECT state FROM reminder") == ["done"]


async def test_what_could_not_be_sent_and_is_cancelled_meanwhile_is_not_sent(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "drink", Interval(seconds=86_400, start=house.clock.now()))
    house.adapter.hitches.append(Hitch(error=SendUnsent("too fast", retry_after=300)))
    await passes(house, 86_400)
    await said(house, f"/cancel {ref('s', made)}")
    count = len(house.shown())
    await house.later(301)
    assert len(house.shown()) == count
    assert await house.column("SELECT state FROM reminder") == ["lapsed"]


async def test_what_somebody_does_with_a_late_one_stands_on_it(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    house.adapter.hitches.append(Hitch(error=SendUnsent("no network", retry_after=600)))
    await passes(house, 60)
    (made,) = await house.column("SELECT id FROM reminder")
    await said(house, f"/done {ref('r', made)}")
    await house.later(601)
    assert house.shown()[-1].text.startswith("⏰ call Oma\n✅")


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("word", "states"), [("done", ["done", "open"]), ("ok", ["done", "open"]), ("in 2 hours", ["open", "open"])]
)
async def test_what_was_not_sent_is_answered_by_nobody(
    database: Database, tmp_path: Path, word: str, states: list[str]
) -> None:
    house = await home(database, tmp_path)
    await trigger(house, "take A")
    await passes(house, 60)
    await trigger(house, "take B")
    house.adapter.hitches.append(Hitch(error=SendUnsent("too fast", retry_after=90)))
    await passes(house, 60)
    await said(house, word)
    assert await house.column("SELECT state FROM reminder ORDER BY id") == states
    snooze = await house.column("SELECT r.text FROM reminded d JOIN reminder r ON r.id = d.reminder_id WHERE until > 0")
    assert snooze == (["take A"] if word == "in 2 hours" else [])
    await house.later(91)
    assert house.shown()[-1].text.startswith("⏰ take B")
    assert "✅" not in house.shown()[-1].text


async def test_what_comes_once_and_could_not_be_sent_can_be_cancelled_meanwhile(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    house.adapter.hitches.append(Hitch(error=SendUnsent("too fast", retry_after=90)))
    await passes(house, 60)
    assert "Stopped" in await said(house, f"/cancel {ref('s', made)}")
    count = len(house.shown())
    await house.later(91)
    assert len(house.shown()) == count
    assert await house.column("SELECT state FROM reminder") == ["lapsed"]
    assert "over already" in await said(house, f"/cancel {ref('s', made)}")


async def test_what_could_not_be_sent_comes_once_when_its_cancellation_is_taken_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    house.adapter.hitches.append(Hitch(error=SendUnsent("too fast", retry_after=90)))
    await passes(house, 60)
    await said(house, f"/cancel {ref('s', made)}")
    count = len(house.shown())
    await said(house, "/undo")
    await passes(house, 91)
    await passes(house, 91)
    assert [one.text[:10] for one in house.shown()[count:] if one.text.startswith("⏰")] == ["⏰ call Oma"]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_waits_to_be_sent_keeps_what_it_comes_of(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    await is_due(house)
    house.clock.advance(40 * 86_400)
    night = Night(keep=Keep(undo=1), now=house.clock.now())
    assert await house.db.write(lambda tx: expired.delete_triggers(tx, night, 500)) == 0
    assert await house.db.write(lambda tx: keeps.delete_reminders(tx, night.ago(1), 100)) == 0
    await house.work()
    assert house.shown()[-1].text.startswith("⏰ call Oma\n")
    assert await house.db.write(lambda tx: expired.delete_triggers(tx, night, 500)) == 1
    assert await house.column("SELECT id FROM trigger WHERE id = :id", id=made) == []


async def test_what_waits_for_somebody_else_keeps_what_it_comes_of(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await due_for_somebody_else(house)
    house.clock.advance(40 * 86_400)
    night = Night(keep=Keep(undo=1), now=house.clock.now())
    assert await house.db.write(lambda tx: expired.delete_triggers(tx, night, 500)) == 0
    await house.work()
    assert "bring milk" in house.shown("2")[-1].text


@pytest.mark.databases("sqlite", "postgres")
async def test_whoever_cancels_it_waits_until_it_is_written(database: Database, tmp_path: Path) -> None:
    """Or it is not sent: nobody is told that it stopped, or is forgotten, before it comes all the same."""
    house = await home(database, tmp_path)
    made, outbox = await trigger(house), house.app.outbox
    await is_due(house)
    read, go = threading.Event(), threading.Event()
    write, *others = outbox.claims._writes

    def slowly(tx: Tx, post: Post) -> Mapping[str, Any] | None:
        found = write(tx, post)
        read.set()
        assert go.wait(30)
        return found

    outbox.claims._writes = (slowly, *others)
    (chat_id,) = await house.column("SELECT DISTINCT chat_id FROM outbox")
    pump = asyncio.create_task(outbox.pump(chat_id))
    await asyncio.to_thread(read.wait, 30)
    now = house.clock.now()
    cancel = asyncio.create_task(house.db.write(lambda tx: triggers.end(tx, made, "cancelled", now)))
    done, _ = await asyncio.wait({cancel}, timeout=0.3)
    assert done == set()
    go.set()
    assert await cancel is False
    await pump
    assert house.shown()[-1].text == "⏰ call Oma"
