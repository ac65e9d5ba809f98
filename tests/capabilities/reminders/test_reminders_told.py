"""Who asked for a reminder learns what came of it, and what becomes of that news changes nothing of the reminder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.errors import SendRefused
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from core.kernel.types import Sender
from core.kernel.updates import Presence
from core.scheduling import firing, pausing
from core.scheduling import repository as triggers
from tests.commanding import FRIEND, GROUP, friend, group, home, pressed, said
from tests.fakes import OWNER, Hitch, House
from tests.triggering import contact_of, lane_of, mute, passes, person_of, state, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400
BLOCKED = "Forbidden: bot was blocked by the user"
WRONG = "Bad Request: whatever"


async def acquainted(database: Database, tmp_path: Path) -> House:
    """A house whose owner knows Bob, who talks to the bot, too."""
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    return house


async def daily(house: House, text: str, *people: str) -> int:
    contacts = [await contact_of(house, one, "1") for one in people]
    return await trigger(house, text, Interval(seconds=DAY, start=house.clock.now()), contacts=contacts)


async def visit(house: House, chat: str, *, present: bool, key: str) -> None:
    """Somebody blocks the bot in private, or no longer does."""
    sender = Sender(address=f"tg:{chat}", name="Bob", language="en")
    told = Presence(key=key, raw="{}", chat=chat, chat_kind="private", present=present, title="", sender=sender)
    await house.app.inbox.accept(house.tenant_id, [told])


def told(house: House, text: str, chat: str) -> int:
    """In how many messages of a chat a text stands."""
    return sum(text in sent.text for sent in house.shown(chat))


@pytest.mark.parametrize("why", [BLOCKED, WRONG])
async def test_what_was_done_does_not_come_again_when_the_news_of_it_is_refused(
    database: Database, tmp_path: Path, why: str
) -> None:
    house = await acquainted(database, tmp_path)
    await said(house, "/remind Bob in 1 minute to pay rent")
    await passes(house, 60)
    house.adapter.hitches.extend([None, Hitch(error=SendRefused(why))])
    await house.press("OK", **friend())
    await house.work()
    assert not house.adapter.hitches
    assert await house.rows("SELECT state, reason FROM trigger") == [{"state": "done", "reason": ""}]
    await passes(house, HOUR)
    await said(house, "I am back")
    await house.sweep()
    assert told(house, "pay rent", "2") == 1


@pytest.mark.parametrize("why", [BLOCKED, WRONG])
async def test_what_recurs_goes_on_when_the_news_of_it_is_refused(database: Database, tmp_path: Path, why: str) -> None:
    house = await acquainted(database, tmp_path)
    made = await daily(house, "feed the cat", FRIEND)
    await passes(house, DAY)
    house.adapter.hitches.extend([None, Hitch(error=SendRefused(why))])
    await house.press("OK", **friend())
    await house.work()
    assert not house.adapter.hitches
    assert (await state(house, made))[:2] == ("active", "")


@pytest.mark.parametrize("why", [BLOCKED, WRONG])
async def test_a_held_notice_that_is_refused_brings_no_further_news(
    database: Database, tmp_path: Path, why: str
) -> None:
    house = await acquainted(database, tmp_path)
    await said(house, "/remind Bob in 1 minute to pay rent")
    await passes(house, 60)
    await said(house, "/quiet always")
    await house.press("OK", **friend())
    await house.work()
    await said(house, "/quiet off")
    house.adapter.hitches.append(Hitch(error=SendRefused(why)))
    count = len(house.adapter.sent)
    await passes(house, DAY)
    assert not house.adapter.hitches
    assert len(house.adapter.sent) == count
    assert await house.column("SELECT state FROM trigger") == ["done", "done"]


async def test_the_other_still_gets_what_one_could_not_be_sent(database: Database, tmp_path: Path) -> None:
    house = await acquainted(database, tmp_path)
    made = await daily(house, "feed the cat", FRIEND, OWNER)
    house.adapter.hitches.extend([None, Hitch(error=SendRefused(BLOCKED))])
    for day in (1, 2):
        await passes(house, DAY)
        assert told(house, "⏰ feed the cat", "1") == day
    assert not house.adapter.hitches
    assert (await state(house, made))[0] == "active"
    assert told(house, "rests", "1") == 0


async def test_what_rested_for_somebody_who_blocked_the_bot_goes_on_when_they_are_back(
    database: Database, tmp_path: Path
) -> None:
    house = await acquainted(database, tmp_path)
    made = await daily(house, "feed the cat", FRIEND)
    await visit(house, "2", present=False, key="gone")
    await passes(house, DAY)
    assert (await state(house, made))[:2] == ("paused", "blocked")
    assert "they have blocked me, or I was removed there. It rests now;" in house.shown()[-1].text
    await visit(house, "2", present=True, key="back")
    assert (await state(house, made))[:2] == ("active", "")
    await passes(house, DAY)
    assert told(house, "feed the cat", "2") == 1


async def test_what_was_skipped_is_left_out_also_where_it_rested_for_a_reason_of_ours(
    database: Database, tmp_path: Path
) -> None:
    house = await acquainted(database, tmp_path)
    made = await daily(house, "feed the cat", FRIEND)
    await visit(house, "2", present=False, key="gone")
    await said(house, "/skip feed the cat")
    await house.db.write(lambda tx: pausing.pause(tx, made, firing.BLOCKED))
    await visit(house, "2", present=True, key="back")
    assert (await state(house, made))[:2] == ("active", "")
    await passes(house, DAY)
    assert told(house, "feed the cat", "2") == 0
    await passes(house, DAY)
    assert told(house, "feed the cat", "2") == 1


async def test_what_rested_for_somebody_and_is_paused_stays_paused_when_they_are_back(
    database: Database, tmp_path: Path
) -> None:
    house = await acquainted(database, tmp_path)
    made = await daily(house, "feed the cat", FRIEND)
    await visit(house, "2", present=False, key="gone")
    await passes(house, DAY)
    assert (await state(house, made))[:2] == ("paused", "blocked")
    await said(house, "/pause feed the cat")
    await pressed(house, "No end for now")
    await visit(house, "2", present=True, key="back")
    assert (await state(house, made))[:2] == ("paused", "wish")
    await said(house, "/resume feed the cat")
    await passes(house, DAY)
    assert told(house, "feed the cat", "2") == 1


async def test_what_was_refused_for_good_goes_on_when_who_blocked_the_bot_writes_again(
    database: Database, tmp_path: Path
) -> None:
    house = await acquainted(database, tmp_path)
    made = await daily(house, "feed the cat", FRIEND)
    house.adapter.hitches.append(Hitch(error=SendRefused(BLOCKED)))
    await passes(house, DAY)
    assert (await state(house, made))[:2] == ("paused", "blocked")
    await said(house, "I am back", **friend())
    await passes(house, DAY)
    assert told(house, "feed the cat", "2") == 1


async def test_nobody_elses_return_wakes_what_rests(database: Database, tmp_path: Path) -> None:
    house = await acquainted(database, tmp_path)
    await said(house, "hello", chat="3", sender="tg:3")
    made = await daily(house, "feed the cat", FRIEND)
    await visit(house, "2", present=False, key="gone")
    await passes(house, DAY)
    await visit(house, "1", present=True, key="other")
    assert (await state(house, made))[0] == "paused"


async def test_a_repeat_that_is_muted_ends_and_who_asked_learns_it(database: Database, tmp_path: Path) -> None:
    house = await acquainted(database, tmp_path)
    await said(house, "/remind Bob in 1 minute to pay rent until done")
    await passes(house, 60)
    await mute(house, FRIEND, OWNER)
    for _ in range(5):
        await passes(house, 601)
    assert told(house, "pay rent", "2") == 1
    assert told(house, "No answer from", "1") == 1
    assert await house.column("SELECT state FROM reminder") == ["lapsed"]


async def test_a_private_chat_that_is_gone_is_not_called_a_group(database: Database, tmp_path: Path) -> None:
    house = await acquainted(database, tmp_path)
    await said(house, "/remind Bob in 1 minute to pay rent until done")
    await passes(house, 60)
    await visit(house, "2", present=False, key="gone")
    await passes(house, 601)
    last = house.shown()[-1].text
    assert last == "I couldn't deliver “pay rent”: they have blocked me, or I was removed there."


async def test_what_the_platform_refused_in_a_group_goes_on_when_the_bot_has_other_rights_there(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    made = await trigger(house, "stand up", Interval(seconds=DAY, start=house.clock.now()), chat="-5", everybody=True)
    house.adapter.hitches.append(Hitch(error=SendRefused("Bad Request: not enough rights to send text messages")))
    await passes(house, DAY)
    assert (await state(house, made))[:2] == ("paused", "refused")
    rights = Presence(
        key="rights", chat="-5", sender=Sender(address=OWNER), present=True, raw="{}", chat_kind="group", title="Family"
    )
    await house.app.inbox.accept(house.tenant_id, [rights])
    await passes(house, DAY)
    assert told(house, "stand up", "-5") == 1


@pytest.mark.databases("sqlite", "postgres")
async def test_a_group_learns_after_quiet_hours_once_that_a_maker_has_no_access(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", **GROUP, sender=FRIEND)
    schedule = Interval(seconds=DAY, start=house.clock.now())
    await trigger(house, "stand up", schedule, chat="-5", by=FRIEND, everybody=True)
    await house.db.write(lambda tx: tx.run("UPDATE chat SET quiet = 'always' WHERE kind = 'group'"))
    await house.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE name = 'Name of tg:2'"))
    for _ in range(3):
        await passes(house, DAY)
    assert told(house, "no longer has access", "-5") == 0
    assert await house.column("SELECT count(*) FROM trigger WHERE deliver = 'note'") == [1]
    await house.db.write(lambda tx: tx.run("UPDATE chat SET quiet = '' WHERE kind = 'group'"))
    for _ in range(2):
        await passes(house, DAY)
    assert told(house, "no longer has access", "-5") == 1


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_held_back_to_be_said_counts_for_no_cap(database: Database, tmp_path: Path) -> None:
    house = await acquainted(database, tmp_path)
    await said(house, "/quiet always")
    await said(house, "/remind Bob in 1 minute to pay rent")
    await passes(house, 60)
    await said(house, "done", **friend())
    assert await house.column("SELECT count(*) FROM trigger WHERE deliver = 'note' AND ended_at IS NULL") == [1]
    lane, me = await lane_of(house), await person_of(house)
    assert await database.read(lambda tx: triggers.open_of(tx, lane, me)) == (0, 0)
