"""What is left of reminders when somebody is forgotten: nothing goes round, and nobody reads what was for another."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, said
from tests.fakes import House
from tests.triggering import contact_of, mute, passes, state, trigger

HOUR, DAY = 3600, 86_400


def told(house: House, text: str, chat: str) -> int:
    """In how many messages of a chat a text stands."""
    return sum(text in sent.text for sent in house.shown(chat))


@pytest.mark.databases("sqlite")
async def test_what_was_put_off_before_who_asked_was_forgotten_comes_once_and_nobody_is_told(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/remind Bob in 1 minute to keep my secret until done")
    await passes(house, 60)
    await said(house, "in 30 minutes", **friend())
    await said(house, "/forget yes")
    count = told(house, "secret", "2")
    for _ in range(9):
        await passes(house, 601)
    assert told(house, "secret", "2") == count + 1
    assert told(house, "No answer", "2") == 0
    before = len(house.adapter.sent)
    await house.press("OK", **friend())
    await house.work()
    told_by = [sent.text for sent in house.adapter.sent[before:]]
    assert told_by
    assert not any(text.startswith(f"Name of {FRIEND}") for text in told_by)


async def test_nobody_is_told_in_their_own_chat_that_they_did_not_answer(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/remind Bob in 1 minute to keep my secret until done")
    await passes(house, 60)
    await said(house, "in 30 minutes", **friend())
    await said(house, "/forget yes")
    await house.db.write(lambda tx: tx.run("UPDATE trigger SET until_done = 1"))
    for _ in range(9):
        await passes(house, 601)
    assert told(house, "once more", "2") == 3
    assert told(house, "No answer", "2") == 0


async def test_what_others_put_off_of_forgotten_words_ends_with_them(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    for sender in (FRIEND, GUEST):
        await said(house, "/help", **GROUP, sender=sender)
    both = [await contact_of(house, FRIEND), await contact_of(house, GUEST)]
    await trigger(house, "my secret", chat="-5", by=GUEST, contacts=both)
    await passes(house, 60)
    message = house.shown("-5")[-1].platform_id
    await said(house, "in 3 hours", **GROUP, sender=FRIEND, reply_to=message)
    await said(house, "/forget yes", **GROUP, sender=GUEST)
    assert await house.rows("SELECT id FROM reminder") == []
    assert await house.rows("SELECT text FROM trigger WHERE text LIKE '%secret%'") == []


@pytest.mark.databases("sqlite")
async def test_what_others_put_off_of_their_own_words_outlives_who_is_forgotten(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    for sender in (FRIEND, GUEST):
        await said(house, "/help", **GROUP, sender=sender)
    await trigger(house, "bring cake", chat="-5", by=FRIEND)
    await passes(house, 60)
    await house.press("+1 h", chat="-5", sender=FRIEND, chat_kind="group")
    await house.work()
    await said(house, "/forget yes", **GROUP, sender=GUEST)
    count = told(house, "bring cake", "-5")
    await passes(house, HOUR)
    assert told(house, "bring cake", "-5") == count + 1


async def test_what_came_in_private_is_not_posted_to_the_group_when_who_got_it_is_forgotten(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/help", **GROUP, sender=FRIEND)
    daily = Interval(seconds=DAY, start=house.clock.now())
    made = await trigger(house, "take the pill", daily, chat="-5", contacts=[await contact_of(house, FRIEND)])
    await passes(house, DAY + 1)
    assert told(house, "take the pill", "2") == 1
    await said(house, "/forget yes", **GROUP, sender=FRIEND)
    await passes(house, DAY + 1)
    assert told(house, "⏰", "-5") == 0
    assert (await state(house, made))[:2] == ("paused", "never")
    assert house.shown("-5")[-1].text.startswith("I couldn't remind – of “take the pill”: ")


KEPT = "SELECT text FROM message UNION ALL SELECT payload FROM outbox UNION ALL SELECT text FROM keyboard"


async def left_of(house: House, word: str) -> list[str]:
    """What of the transcript, of what was sent and of its buttons still has a word."""
    return [text for text in await house.column(KEPT) if word in (text or "")]


@pytest.mark.parametrize("everybody", [False, True])
async def test_nothing_is_left_of_what_who_is_forgotten_was_reminded_of_in_the_group(
    database: Database, tmp_path: Path, *, everybody: bool
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=FRIEND)
    both = [] if everybody else [await contact_of(house, FRIEND)]
    await trigger(house, "zebrafish", chat="-5", by=FRIEND, contacts=both, everybody=everybody)
    await trigger(house, "bring cake", chat="-5")
    await passes(house, 60)
    await house.press("Done", chat="-5", sender=FRIEND, chat_kind="group", data=pressed_of(house, "zebrafish"))
    await house.work()
    assert len(await left_of(house, "zebrafish")) > 3
    await said(house, "/forget me", **GROUP, sender=FRIEND)
    assert await left_of(house, "zebrafish") == []
    assert len(await left_of(house, "bring cake")) == 3


async def test_nothing_is_left_of_a_notice_about_the_reminder_of_who_is_forgotten(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    for sender in (FRIEND, GUEST):
        await said(house, "/help", **GROUP, sender=sender)
    await mute(house, GUEST, FRIEND)
    await trigger(house, "zebrafish", chat="-5", by=FRIEND, contacts=[await contact_of(house, GUEST)])
    broken = await trigger(house, "zebrafish", chat="-5", by=FRIEND)
    await database.write(lambda tx: tx.run("UPDATE trigger SET spec = '{}' WHERE id = :id", {"id": broken}))
    await passes(house, 60)
    assert told(house, "zebrafish", "-5") == 2
    await said(house, "/forget me", **GROUP, sender=FRIEND)
    assert await left_of(house, "zebrafish") == []


@pytest.mark.databases("sqlite")
async def test_a_reminder_for_everybody_is_for_everybody_to_press(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=GUEST)
    await trigger(house, "bring cake", chat="-5", everybody=True)
    await passes(house, 60)
    assert await house.press("Done", chat="-5", sender=GUEST, chat_kind="group") == "Done"
    await house.work()
    assert await house.column("SELECT state FROM reminder") == ["done"]


def pressed_of(house: House, word: str) -> str:
    """The data of the first button below the newest message with a word."""
    shown = next(sent for sent in reversed(house.shown("-5")) if word in sent.text and sent.keyboard is not None)
    assert shown.keyboard is not None
    return shown.keyboard.buttons[0].data
