"""Reminders where people cross each other, change their minds, or cannot be reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.privacy.retention import Retention
from core.kernel.errors import SendRefused, SendUnsent
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval, Rule
from core.scheduling import repository as triggers
from tests.commanding import GROUP, group, home, labels, said
from tests.fakes import FRIEND, OWNER, Hitch, House
from tests.triggering import contact_of, mute, passes, state, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400
BLOCKED = "Forbidden: bot was blocked by the user"
GONE_THREAD = "Bad Request: message thread not found"


async def family(database: Database, tmp_path: Path) -> tuple[House, list[int]]:
    """A group with the owner and a friend, who talks to the bot in private, too; their contacts."""
    house = await group(database, tmp_path)
    await said(house, "hi", chat="2", sender=FRIEND)
    await said(house, "/help", **GROUP, sender=FRIEND)
    return house, [await contact_of(house, OWNER), await contact_of(house, FRIEND)]


def told(house: House, text: str, chat: str = "1") -> int:
    """In how many messages of a chat a text stands."""
    return sum(text in sent.text for sent in house.shown(chat))


async def this(house: House) -> str:
    """The first reminder that was posted."""
    return ref("r", min(await house.column("SELECT id FROM reminder")))


async def test_what_was_done_can_be_put_off_all_the_same(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house)
    await passes(house, 60)
    await house.press("Done")
    await house.work()
    await said(house, f"/snooze {await this(house)} 10m")
    count = told(house, "call Oma")
    await passes(house, 601)
    assert told(house, "call Oma") == count + 1


async def test_what_is_repeated_no_more_can_be_put_off(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    await passes(house, 60)
    for _ in range(4):
        await passes(house, 601)
    assert told(house, "I stop repeating this") == 1
    await house.press("+1 h")
    await house.work()
    count = told(house, "call Oma")
    await passes(house, HOUR + 1)
    assert told(house, "call Oma") == count + 1


async def test_what_is_put_off_and_repeated_once_more_ends_with_the_same_words(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    for times in (1, 2):
        await passes(house, HOUR + 1)
        for _ in range(4):
            await passes(house, 601)
        assert told(house, "I stop repeating this") == times
        await house.press("+1 h")
        await house.work()


async def test_who_says_that_it_is_done_when_it_is_repeated_no_more_has_done_it(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    for _ in range(6):
        await passes(house, 601)
    assert told(house, "I stop repeating this") == 1
    await passes(house, HOUR)
    assert (await said(house, "done")).endswith("✅ — call Oma")
    assert set(await house.column("SELECT state FROM reminder")) == {"done"}
    assert "No reminder is waiting" in await said(house, "done")


async def test_what_is_done_though_other_things_were_said_since_is_named(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    for _ in range(6):
        await passes(house, 601)
    await said(house, "remind me in 1 hour to pay the rent")
    await passes(house, HOUR + 1)
    assert (await said(house, "done")).endswith("✅")
    assert (await said(house, "done")).endswith("✅ — call Oma")


async def test_what_came_later_of_a_series_is_done_and_not_what_was_repeated_in_vain(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 15:00 to brush until done")
    for _ in range(24):
        await passes(house, HOUR + 1)
    assert told(house, "I stop repeating this") == 1
    assert (await said(house, "done")).endswith("✅ — brush")
    assert "No reminder is waiting" in await said(house, "done")


async def test_what_one_put_off_comes_though_the_repeats_for_the_other_end(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    await trigger(house, "vote", chat="-5", contacts=both, until_done=True)
    await passes(house, 60)
    await house.press("+1 h", chat="-5", sender=FRIEND, chat_kind="group")
    await house.work()
    for _ in range(4):
        await passes(house, 601)
    count = told(house, "vote", "-5")
    await passes(house, HOUR)
    assert told(house, "vote", "-5") > count
    assert f"Name of {FRIEND}" in house.shown("-5")[-1].text


async def test_there_is_one_chain_of_repeats_whoever_puts_off(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    await trigger(house, "vote", chat="-5", contacts=both, until_done=True)
    await passes(house, 60)
    await house.press("+10 min", chat="-5", sender=FRIEND, chat_kind="group")
    await house.work()
    await passes(house, 599)
    await passes(house, 2)
    waiting = await house.column("SELECT count(*) FROM trigger WHERE round > 0 AND ended_at IS NULL")
    assert waiting == [1]


async def test_who_has_done_it_is_not_reminded_again_for_anothers_sake(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path)
    await said(house, "/remind @bo and @chen in 1 minute to vote", **GROUP)
    bo, chen = "tg:21", "tg:22"
    await passes(house, 60)
    for address, handle, label in ((bo, "@bo", "Done"), (chen, "@chen", "+10 min")):
        await said(house, "/help", **GROUP, sender=address, handle=handle)
        await house.press(label, chat="-5", sender=address, chat_kind="group")
        await house.work()
    await passes(house, 601)
    last = house.shown("-5")[-1].text
    assert "chen" in last.lower() or chen in last
    assert "@bo" not in last


async def test_stopping_what_recurs_ends_its_repeats(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, "pill", Rule(cron="0 9 * * *", zone="UTC"), until_done=True)
    await passes(house, DAY)
    await said(house, f"/cancel {ref('s', made)}")
    count = told(house, "pill")
    for _ in range(5):
        await passes(house, 601)
    assert told(house, "pill") == count


async def test_a_groups_recurring_reminder_keeps_its_buttons(database: Database, tmp_path: Path) -> None:
    house, _ = await family(database, tmp_path)
    await trigger(house, "stand up", Interval(seconds=HOUR, start=house.clock.now()), chat="-5", everybody=True)
    await passes(house, HOUR)
    await said(house, f"/done {await this(house)}", **GROUP)
    shown = [sent for sent in house.shown("-5") if "stand up" in sent.text][-1]
    assert "✅" in shown.text
    assert shown.keyboard is not None
    assert [button.label for button in shown.keyboard.buttons] == ["Skip next", "Pause until…", "Stop"]


async def test_who_mutes_somebody_hears_no_repeats_either(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    await trigger(house, "pills", chat="-5", contacts=both[1:], until_done=True)
    await passes(house, 60)
    await mute(house, FRIEND, OWNER)
    for _ in range(5):
        await passes(house, 601)
    assert told(house, "pills", "2") == 1


async def test_in_a_group_nobody_is_named_for_somebody_they_muted(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    await mute(house, FRIEND, OWNER)
    await trigger(house, "vote", chat="-5", contacts=both)
    await passes(house, 60)
    posted = [sent.text for sent in house.shown("-5") if sent.text.startswith("⏰")]
    assert len(posted) == 1
    assert FRIEND not in posted[0]


async def test_what_is_forgotten_is_not_repeated_elsewhere_and_does_not_come_back(
    database: Database, tmp_path: Path
) -> None:
    house, _ = await family(database, tmp_path)
    await said(house, "/contacts add Bo tg:2")
    await said(house, "remind Bo in 1 minute to keep my secret until done")
    await passes(house, 60)
    assert told(house, "my secret", "2") == 1
    await said(house, "/forget yes")
    for _ in range(6):
        await passes(house, 601)
    assert told(house, "my secret", "2") == 1
    assert not any("secret" in sent.text for sent in house.shown("1")[-1:])


async def test_what_was_due_once_comes_when_who_blocked_the_bot_is_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    house.adapter.hitches.append(Hitch(error=SendRefused(BLOCKED)))
    await passes(house, 60)
    assert (await state(house, made))[:2] == ("paused", "gone")
    assert told(house, "call Oma") == 0
    await passes(house, HOUR)
    await house.hear("hello")
    await house.work()
    await house.sweep()
    assert [sent.text for sent in house.shown() if "call Oma" in sent.text] == ["⏰ call Oma\n1 h late."]


async def test_the_last_time_of_a_series_that_was_refused_does_not_come_back(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    now = house.clock.now()
    made = await trigger(house, when=Interval(seconds=HOUR, start=now, until=now + HOUR * 1000))
    house.adapter.hitches.append(Hitch(error=SendRefused(BLOCKED)))
    await passes(house, HOUR)
    assert (await state(house, made))[0] == "done"
    await passes(house, HOUR)
    await said(house, "hello")
    await house.sweep()
    assert told(house, "call Oma") == 0


@pytest.mark.parametrize("why", [BLOCKED, GONE_THREAD])
async def test_who_asked_in_a_group_learns_in_private_what_could_not_be_sent_there(
    database: Database, tmp_path: Path, why: str
) -> None:
    house, _ = await family(database, tmp_path)
    await trigger(house, "dinner", chat="-5")
    house.adapter.hitches.append(Hitch(error=SendRefused(why)))
    await passes(house, 60)
    assert house.shown("1")[-1].text.startswith("I couldn't deliver “dinner”: ")


async def test_a_new_time_that_comes_between_looking_and_firing_wins(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house)
    house.clock.advance(60)
    (seen,) = await database.read(lambda tx: triggers.due(tx, house.clock.now(), 10))
    later = house.clock.now() + DAY * 1000
    await database.write(lambda tx: triggers.move(tx, made, later))
    assert not await database.write(lambda tx: triggers.fire(tx, [(seen, None)], house.clock.now()))
    assert (await state(house, made))[2] == later


@pytest.mark.databases("sqlite", "postgres")
async def test_putting_off_for_two_months_survives_the_nights(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, when=30)
    await passes(house, 31)
    await trigger(house)
    await passes(house, 60)
    await said(house, f"/snooze {ref('r', max(await house.column('SELECT id FROM reminder')))} in 60 days")
    count = told(house, "call Oma")
    house.clock.advance(45 * DAY)
    await house.app.container.get(Retention).forget()
    await passes(house, 15 * DAY)
    assert told(house, "call Oma") == count + 1
    assert labels(house)[0] == "Done"


async def test_what_a_guest_asks_for_another_stays_in_the_group(database: Database, tmp_path: Path) -> None:
    house, both = await family(database, tmp_path)
    await said(house, "/help", **GROUP, sender="tg:7")
    await trigger(house, "spam", chat="-5", by="tg:7", contacts=both[1:])
    await passes(house, 60)
    assert told(house, "spam", "2") == 0
    assert told(house, "spam", "-5") == 1


async def test_repeats_are_not_counted_before_anybody_saw_the_reminder(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, "pills", 60, until_done=True)
    house.adapter.hitches.extend(Hitch(error=SendUnsent("no network", retry_after=60)) for _ in range(25))
    for _ in range(30):
        await passes(house, 60)
    assert [sent.text for sent in house.shown()[1:]] == ["⏰ pills\n25 min late."]
    for _ in range(12):
        await passes(house, 60)
    assert [sent.text for sent in house.shown()[2:]] == ["⏰ pills\n(once more, 1 of 3)"]


async def test_what_came_several_times_while_the_bot_was_down_comes_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, "pills", Interval(seconds=3600, start=house.clock.now()), until_done=True)
    await passes(house, 3600)
    await passes(house, 3 * 3600 + 300)
    assert [sent.text for sent in house.shown()[1:]] == ["⏰ pills", "⏰ pills\n5 min late."]
