"""Reminders: what people do with them, and who learns of it (DESIGN: Delight; STATES: Trigger)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.config.sections import NoticesSection
from core.kernel.errors import SendRefused
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Rule
from tests.commanding import GROUP, group, home, labels, said
from tests.fakes import FRIEND, OWNER, Hitch
from tests.triggering import contact_of, passes, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400


async def test_done_ends_a_reminder_on_its_own_message(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    count = len(house.shown())
    assert await house.press("Done") == "Done"
    await house.work()
    last = house.shown()[-1]
    assert len(house.shown()) == count
    assert last.text.startswith("⏰ call Oma\n✅ ")
    assert last.keyboard is None
    assert await house.column("SELECT state FROM reminder") == ["done"]


@pytest.mark.databases("sqlite", "postgres")
async def test_done_twice_changes_nothing(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    button = house.button("Done")
    await house.press("Done")
    await house.work()
    shown = [sent.text for sent in house.shown()]
    await house.press("", data=button)
    await house.work()
    assert [sent.text for sent in house.shown()][: len(shown)] == shown
    assert await house.column("SELECT count(*) FROM reminded WHERE state = 'done'") == [1]


async def test_ten_minutes_more_bring_it_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    await house.press("+10 min")
    await house.work()
    assert "💤" in house.shown()[-1].text
    count = len(house.shown())
    await passes(house, 599)
    assert len(house.shown()) == count
    await passes(house, 2)
    assert len(house.shown()) == count + 1
    assert house.shown()[-1].text == "⏰ call Oma"
    await house.press("Done")
    await house.work()
    assert await house.column("SELECT state FROM reminder") == ["done", "done"]
    assert [("✅" in sent.text) for sent in house.shown() if "⏰" in sent.text] == [True, True]


async def test_putting_off_twice_brings_it_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    await house.press("+10 min")
    await house.work()
    await house.press("+1 h")
    await house.work()
    count = len(house.shown())
    await passes(house, 2 * HOUR)
    assert len(house.shown()) == count + 1


async def test_several_people_are_counted(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=FRIEND)
    people = [await contact_of(house, OWNER), await contact_of(house, FRIEND)]
    await trigger(house, "vote", chat="-5", contacts=people)
    await passes(house, 60)
    assert house.shown("-5")[-1].text.startswith(f"⏰ [Name of {OWNER}]({OWNER}), [Name of {FRIEND}]({FRIEND})")
    assert f" (from Name of {OWNER}): vote\n" in f"{house.shown('-5')[-1].text}\n"
    await house.press("Done", chat="-5", sender=FRIEND, chat_kind="group")
    await house.work()
    assert house.shown("-5")[-1].text.endswith(f"1 of 2: · Name of {OWNER} ✅ Name of {FRIEND}")
    assert labels(house, "-5")[0] == "Done"
    await house.press("Done", chat="-5", chat_kind="group")
    await house.work()
    assert "2 of 2" in house.shown("-5")[-1].text
    assert house.shown("-5")[-1].keyboard is None


async def test_who_is_not_meant_cannot_finish_it(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await trigger(house, "mine", chat="-5")
    await passes(house, 60)
    assert await house.press("Done", chat="-5", sender=FRIEND, chat_kind="group") == "This button is for somebody else."
    this = await house.column("SELECT id FROM reminder")
    await said(house, f"/done {ref('r', this[0])}", **GROUP, sender=FRIEND)
    assert await house.column("SELECT state FROM reminder") == ["open"]


async def test_a_reminder_for_another_goes_to_their_own_chat_and_who_asked_sees_the_outcome(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await trigger(house, "send the report", chat="-5", contacts=[await contact_of(house, FRIEND)])
    await passes(house, 60)
    there = house.shown("2")[-1]
    assert there.text == f"⏰ Name of {OWNER} asked me to remind you: send the report"
    assert labels(house, "2") == ["OK", f"Mute Name of {OWNER}"]
    assert not any("report" in sent.text for sent in house.shown("-5"))
    await house.press("OK", chat="2", sender=FRIEND)
    await house.work()
    assert house.shown("-5")[-1].text.startswith(f"Name of {FRIEND} ✅ ")
    assert house.shown("-5")[-1].text.endswith(": send the report")


async def test_who_never_talked_to_the_bot_is_reminded_in_the_group(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender="tg:7")
    await trigger(house, "bring cake", chat="-5", contacts=[await contact_of(house, "tg:7")])
    await passes(house, 60)
    assert house.shown("-5")[-1].text == "⏰ [Name of tg:7](tg:7) (from Name of tg:1): bring cake"


async def test_until_done_repeats_three_times_then_tells_who_asked(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await trigger(house, "take pills", chat="-5", contacts=[await contact_of(house, FRIEND)], until_done=True)
    await passes(house, 60)
    for _ in range(6):
        await passes(house, 601)
    posts = [sent for sent in house.shown("2") if "take pills" in sent.text]
    assert len(posts) == 4
    assert "(once more, 3 of 3)" in posts[-1].text
    assert house.shown("-5")[-1].text == f"No answer from Name of {FRIEND}: take pills"


async def test_of_what_is_for_everybody_it_is_not_said_who_gave_no_answer(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "remind everybody in 1 minute to leave until done", **GROUP)
    for _ in range(7):
        await passes(house, 601)
    assert house.shown("-5")[-1].text == "I stop repeating this: leave"


async def test_repeats_count_among_what_a_chat_gets_from_the_bot_by_itself(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, notices=NoticesSection(daily=4))
    for text in ("run", "swim", "jump"):
        await said(house, f"remind me in 1 minute to {text} until done")
    for _ in range(9):
        await passes(house, 601)
    assert sum("once more" in sent.text for sent in house.shown("1")) == 4
    await passes(house, 25 * 3600)
    assert sum("once more" in sent.text for sent in house.shown("1")) > 4


async def test_done_ends_the_repeats(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    await passes(house, 60)
    await passes(house, 601)
    await house.press("Done")
    await house.work()
    count = len(house.shown())
    for _ in range(4):
        await passes(house, 601)
    assert len(house.shown()) == count


async def test_a_daily_reminder_until_done_does_not_pile_up(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, "pills", Rule(cron="0 9 * * *", zone="UTC"), until_done=True)
    for _ in range(4):
        await passes(house, DAY)
    assert await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL AND reminder_id IS NOT NULL") == [1]


async def test_at_night_repeats_wait_and_what_a_person_set_does_not(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    now = await said(house, "/time UTC")
    assert now
    await house.db.write(lambda tx: tx.run("UPDATE person SET quiet = 'always'"))
    await trigger(house, until_done=True)
    await passes(house, 60)
    posts = [sent for sent in house.shown() if "call Oma" in sent.text]
    assert len(posts) == 1
    await passes(house, 3601)
    assert len([sent for sent in house.shown() if "call Oma" in sent.text]) == 1


async def test_a_blocked_reminder_is_told_to_who_asked(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await trigger(house, "report", chat="-5", contacts=[await contact_of(house, FRIEND)])
    house.adapter.hitches.append(Hitch(error=SendRefused("Forbidden: bot was blocked by the user")))
    await passes(house, 60)
    assert house.shown("-5")[-1].text.startswith(
        f"I couldn't remind Name of {FRIEND} of “report”: they have blocked me"
    )
    assert await house.column("SELECT state FROM reminder") == ["unseen"]


async def test_what_was_put_off_is_among_what_is_scheduled(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    await passes(house, 60)
    await house.press("+1 h")
    await house.work()
    assert "call Oma" in await said(house, "/tasks")
    assert labels(house) == ["call Oma"]


async def test_who_has_no_access_is_not_reminded_in_private(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await trigger(house, "report", chat="-5", contacts=[await contact_of(house, FRIEND)])
    await house.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE id <> 1"))
    count = len(house.shown("2"))
    await passes(house, 60)
    assert len(house.shown("2")) == count
    assert "report" in house.shown("-5")[-1].text


async def test_notices_wait_as_long_as_the_bot_shall_start_nothing(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, "/help", **GROUP, sender=FRIEND)
    await house.db.write(lambda tx: tx.run("UPDATE chat SET quiet = 'always' WHERE kind = 'group'"))
    await trigger(house, "report", chat="-5", contacts=[await contact_of(house, FRIEND)])
    await passes(house, 60)
    await house.press("OK", chat="2", sender=FRIEND)
    await house.work()
    for _ in range(3):
        await passes(house, DAY)
    assert not any("✅" in sent.text for sent in house.shown("-5"))
    await house.db.write(lambda tx: tx.run("UPDATE chat SET quiet = '' WHERE kind = 'group'"))
    await passes(house, DAY + 1)
    assert house.shown("-5")[-1].text.startswith(f"Name of {FRIEND} ✅ ")
