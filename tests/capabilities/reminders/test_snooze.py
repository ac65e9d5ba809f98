"""What was put off: it comes however late, and until then is among what is scheduled."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.capabilities.privacy.retention import Retention
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.fakes import House
from tests.triggering import contact_of, passes, trigger

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400


async def posted(house: House, chat: str = "1") -> str:
    """Post a reminder; returns the platform's id of its message. Its number is none of its trigger's."""
    await trigger(house, "something else", 300 * DAY, chat=chat)
    await trigger(house, chat=chat)
    await passes(house, 60)
    assert house.shown(chat)[-1].text.endswith("call Oma")
    return house.shown(chat)[-1].platform_id


async def snooze(house: House) -> tuple[int, str, str]:
    """Number, state and words of the newest trigger that brings something again."""
    (row,) = await house.rows(
        "SELECT id, state, text FROM trigger WHERE reminder_id IS NOT NULL ORDER BY id DESC LIMIT 1"
    )
    return row["id"], row["state"], row["text"]


async def test_what_is_put_off_for_longer_than_reminders_are_kept_comes(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    message = await posted(house)
    assert "💤" in await said(house, "in 75 days", reply_to=message)
    for _ in range(2):
        house.clock.advance(35 * DAY)
        await house.app.container.get(Retention).forget()
    await passes(house, 5 * DAY)
    assert house.shown()[-1].text == "⏰ call Oma"
    assert labels(house) == ["Done", "+10 min", "+1 h", "tomorrow"]
    await pressed(house, "Done")
    house.clock.advance(35 * DAY)
    await house.app.container.get(Retention).forget()
    for table in ("reminder", "reminded"):
        assert await house.column(f"SELECT count(*) FROM {table}") == [0]


async def test_what_was_put_off_is_opened_from_the_list_and_stopped(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await posted(house)
    await pressed(house, "+1 h")
    assert "- Mon 21 Sep 15:14: call Oma" in await said(house, "/tasks")
    await pressed(house, "call Oma")
    assert house.shown()[-1].text == "⏰ Mon 21 Sep 15:14 (UTC), in 1 h: call Oma"
    assert labels(house) == ["Change", "Stop", "All"]
    await pressed(house, "Stop")
    assert house.shown()[-1].text == "🗑 Stopped: call Oma"
    before = len(house.adapter.sent)
    await passes(house, 2 * HOUR)
    assert len(house.adapter.sent) == before
    assert (await snooze(house))[1] == "cancelled"


async def test_the_stop_of_what_was_put_off_is_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await posted(house)
    await pressed(house, "+1 h")
    assert (await said(house, "/cancel call Oma")).endswith("🗑 Stopped: call Oma")
    await pressed(house, "Undo")
    await passes(house, HOUR)
    assert house.shown()[-1].text == "⏰ call Oma"


async def test_what_was_put_off_gets_another_time(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    message = await posted(house)
    await pressed(house, "+1 h")
    number, _, _ = await snooze(house)
    house.clock.advance(60)
    answer = await said(house, f"/move {ref('s', number)} tomorrow at 10am")
    assert answer.endswith("\n⏰ Tue 22 Sep 10:00 (UTC), in 19 h 45 min: call Oma")
    first = next(sent for sent in house.shown() if sent.platform_id == message)
    assert first.text == "⏰ call Oma\n💤 Tue 22 Sep 10:00"
    house.clock.advance(60)
    await pressed(house, "Undo")
    assert "- Mon 21 Sep 15:14: call Oma" in await said(house, "/tasks")
    house.clock.advance(60)
    await pressed(house, "call Oma")
    await pressed(house, "Change")
    assert "\n⏰ Tue 22 Sep 11:00 (UTC), in " in await said(house, "tomorrow at 11")
    before = len(house.adapter.sent)
    await passes(house, 2 * HOUR)
    assert len(house.adapter.sent) == before
    await passes(house, DAY - 2 * HOUR)
    assert house.shown()[-1].text == "⏰ call Oma\n3 h 17 min late."


@pytest.mark.databases("sqlite", "postgres")
async def test_what_was_put_off_comes_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await posted(house)
    await pressed(house, "+1 h")
    this = ref("s", (await snooze(house))[0])
    for text in (f"/move {this} every day at 9", f"/skip {this}", f"/pause {this}"):
        assert (await said(house, text)).startswith("That comes only once.")
    assert (await snooze(house))[1] == "active"
    assert await house.column("SELECT kind FROM trigger WHERE reminder_id IS NOT NULL") == ["once"]


async def test_in_a_group_only_who_put_it_off_and_administrators_change_it(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    await posted(house, "-5")
    await pressed(house, "+1 h", chat="-5", chat_kind="group")
    this = ref("s", (await snooze(house))[0])
    for text in (f"/cancel {this}", f"/move {this} tomorrow at 9"):
        assert (await said(house, text, sender=GUEST, **GROUP)).startswith("Only whoever made it")
    assert (await said(house, f"/cancel {this}", **friend())).startswith("I know no such thing here.")
    assert (await snooze(house))[1] == "active"
    assert (await said(house, f"/cancel {this}", sender=FRIEND, **GROUP)).endswith("🗑 Stopped: call Oma")


async def test_what_repeats_by_itself_is_not_in_the_list(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, until_done=True)
    await passes(house, 60)
    number, state, _ = await snooze(house)
    assert state == "active"
    assert (await said(house, f"/cancel {ref('s', number)}")).startswith("I know no such thing here.")
    assert (await said(house, "/tasks")).startswith("Nothing is scheduled.")


async def test_a_message_no_longer_promises_what_was_stopped(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    message = await posted(house)
    await pressed(house, "+1 h")
    await said(house, "/cancel call Oma")
    first = next(sent for sent in house.shown() if sent.platform_id == message)
    assert (first.text, first.keyboard) == ("⏰ call Oma\n🗑 Stopped", None)
    await pressed(house, "Undo")
    first = next(sent for sent in house.shown() if sent.platform_id == message)
    assert first.text == "⏰ call Oma\n💤 Mon 21 Sep 15:14"
    assert first.keyboard is not None


async def test_what_comes_every_day_is_still_to_be_done_when_it_comes_no_more_today(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind me every day at 2:15pm to stretch")
    await passes(house, 120)
    message = house.shown()[-1].platform_id
    await pressed(house, "+1 h")
    stopped = await snooze(house)
    await said(house, f"/cancel {ref('s', stopped[0])}")
    first = next(sent for sent in house.shown() if sent.platform_id == message)
    assert (first.text, first.keyboard is None) == ("⏰ stretch", False)


async def test_what_was_put_off_is_open_no_more_when_it_is_stopped(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await posted(house)
    await pressed(house, "+1 h")
    done = house.button("Done")
    await said(house, "/cancel call Oma")
    assert await house.column("SELECT state FROM reminder") == ["lapsed"]
    await pressed(house, "Done", data=done)
    assert await house.column("SELECT state FROM reminder") == ["done"]


async def test_who_asked_learns_that_another_wants_no_more_of_it(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    await said(house, "/remind Bob in 1 minute to pay rent until done")
    await passes(house, 60)
    await said(house, "in 30 minutes", **friend())
    await said(house, "/cancel pay rent", **friend())
    assert house.shown()[-1].text == f"Name of {FRIEND} doesn't want to be reminded again: pay rent"
    before = len(house.adapter.sent)
    await passes(house, DAY)
    assert len(house.adapter.sent) == before


async def test_changes_in_the_same_millisecond_are_all_shown(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    message = await posted(house)
    for words, shown in (("in 1 hour", "15:14"), ("in 2 hours", "16:14"), ("in 1 hour", "15:14")):
        await said(house, words, reply_to=message)
        first = next(sent for sent in house.shown() if sent.platform_id == message)
        assert first.text == f"⏰ call Oma\n💤 Mon 21 Sep {shown}"


async def test_what_is_done_since_it_was_stopped_is_not_brought_again(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await posted(house)
    await pressed(house, "+1 h")
    done = house.button("Done")
    await said(house, "/cancel call Oma")
    await pressed(house, "Done", data=done)
    await pressed(house, "Undo")
    count = len(house.shown())
    await passes(house, 2 * HOUR)
    assert len(house.shown()) == count
    assert await house.column("SELECT state FROM reminder") == ["done"]


@pytest.mark.parametrize(
    ("former", "said_then", "moved"),
    [
        ("tomorrow at 9am", "at 10", "Tue 22 Sep 10:00"),
        ("tomorrow at 9am", "10点", "Tue 22 Sep 10:00"),
        ("tomorrow at 8pm", "at 10", "Tue 22 Sep 22:00"),
        ("tomorrow at 8pm", "at 10am", "Tue 22 Sep 10:00"),
        ("on Friday at 14:00", "at 3", "Fri 25 Sep 15:00"),
        ("tomorrow at 9am", "on Friday at 10", "Fri 25 Sep 10:00"),
        ("tomorrow at 9am", "in 2 hours", "Mon 21 Sep 16:13"),
    ],
)
async def test_another_time_of_day_keeps_the_day(
    database: Database, tmp_path: Path, former: str, said_then: str, moved: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, f"/remind {former} call Oma")
    await pressed(house, "Change")
    assert f"⏰ {moved} (UTC)" in await said(house, said_then)


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("wish", "waits", "label", "comes"),
    [
        ("remind me every day at 9 to take pills", 19 * HOUR, "tomorrow", DAY),
        ("remind me every day at 9 to take pills until done", 19 * HOUR, "tomorrow", DAY),
        ("/every hour stretch", HOUR, "+1 h", HOUR),
        ("/every 30 minutes stretch", HOUR // 2, "+1 h", HOUR),
    ],
)
async def test_what_is_put_off_until_its_series_comes_comes_once(
    database: Database, tmp_path: Path, wish: str, waits: int, label: str, comes: int
) -> None:
    house = await home(database, tmp_path)
    await said(house, wish)
    await passes(house, waits)
    await pressed(house, label)
    assert any("💤" in one.text for one in house.shown())
    assert (await said(house, "/tasks")).count("- ") == 1
    before = len([one for one in house.shown() if one.text.startswith("⏰")])
    await passes(house, comes)
    assert len([one for one in house.shown() if one.text.startswith("⏰")]) == before + 1
    assert await house.column("SELECT state FROM trigger WHERE reminder_id IS NOT NULL AND round = 0") == ["cancelled"]
    await passes(house, 600)
    assert len([one for one in house.shown() if one.text.startswith("⏰")]) <= before + 2


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("then", ["/skip {}", "/pause {} until 31 December", "/move {} every Friday at 18:00"])
async def test_what_was_put_off_until_its_series_comes_comes_though_that_does_not(
    database: Database, tmp_path: Path, then: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 9 to take pills")
    await passes(house, 19 * HOUR)
    await pressed(house, "tomorrow")
    (series,) = await house.column("SELECT id FROM trigger WHERE reminder_id IS NULL")
    await said(house, then.format(ref("s", series)))
    assert "Wed 23 Sep 09:00: take pills" in await said(house, "/tasks")
    before = len([one for one in house.shown() if one.text.startswith("⏰ take")])
    await passes(house, DAY)
    assert len([one for one in house.shown() if one.text.startswith("⏰ take")]) == before + 1
    assert await house.column("SELECT state FROM reminded WHERE until IS NOT NULL") == []


@pytest.mark.databases("sqlite", "postgres")
async def test_what_some_put_off_until_their_series_comes_is_theirs_alone(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=GUEST, **GROUP)
    await said(house, "/help", **{**friend(), **GROUP})
    contacts = [await contact_of(house, one) for one in (GUEST, FRIEND)]
    start = house.clock.now()
    series = await trigger(
        house, "water plants", Interval(seconds=HOUR, start=start), chat="-5", contacts=contacts, late="skip"
    )
    await passes(house, HOUR)
    message = house.shown("-5")[-1].platform_id
    await said(house, "in 1 hour", **GROUP, sender=GUEST, reply_to=message)
    await said(house, f"/cancel {ref('s', series)}", **GROUP)
    await passes(house, HOUR)
    assert "water plants" in house.shown("-5")[-1].text
    assert house.shown("-5")[-1].text.startswith("⏰")
    assert await house.column("SELECT state FROM reminded ORDER BY id") == ["open", "open"]


async def test_who_put_off_what_is_for_another_until_its_series_comes_changes_that(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/help", sender=GUEST, **GROUP)
    start = house.clock.now()
    contacts = [await contact_of(house, GUEST)]
    await trigger(house, "water plants", Interval(seconds=HOUR, start=start), chat="-5", contacts=contacts)
    await passes(house, HOUR)
    message = house.shown("-5")[-1].platform_id
    for words, shown in (("in 1 hour", "16:13"), ("in 30 minutes", "15:43")):
        assert f"💤 Mon 21 Sep {shown}" in await said(house, words, **GROUP, reply_to=message)


async def test_what_everybody_put_off_until_its_series_comes_says_so(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind everybody every hour stretch", **GROUP)
    await passes(house, HOUR)
    posted = house.shown("-5")[-1]
    await said(house, "in 1 hour", **GROUP, reply_to=posted.platform_id)
    assert any("💤" in one.text for one in house.shown("-5") if one.platform_id == posted.platform_id)
    before = len(house.shown("-5"))
    await passes(house, HOUR)
    assert len(house.shown("-5")) == before + 1
    assert await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL") == [1]


async def test_what_was_put_off_and_is_moved_to_its_series_is_that(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/every hour stretch")
    await passes(house, HOUR)
    await pressed(house, "+10 min")
    (trigger_id, _, _) = await snooze(house)
    await said(house, f"/move {ref('s', trigger_id)} in 1 hour")
    assert (await said(house, "/tasks")).count("- ") == 1
    await passes(house, HOUR)
    assert (await snooze(house))[1] == "cancelled"
    assert await house.column("SELECT state FROM trigger WHERE reminder_id IS NULL") == ["active"]


@pytest.mark.parametrize(("words", "answer"), [("/cancel {}", "Stopped: take pills"), ("cancel all reminders", "")])
async def test_what_was_put_off_until_its_series_comes_is_stopped_and_goes_on_with_that(
    database: Database, tmp_path: Path, words: str, answer: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 9 to take pills")
    await passes(house, 19 * HOUR)
    await pressed(house, "tomorrow")
    (series,) = await house.column("SELECT id FROM trigger WHERE reminder_id IS NULL")
    assert answer in await said(house, words.format(ref("s", series)))
    if not answer:
        assert house.shown()[-1].text.count("take pills") == 1
        await pressed(house, labels(house)[0])
        assert house.shown()[-1].text == "🗑 Stopped: 1"
    assert "take pills" not in await said(house, "/tasks")
    await said(house, "/undo")
    assert (await said(house, "/tasks")).count("take pills") == 1
    assert await house.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL") == [2]
    before = len([one for one in house.shown() if one.text.startswith("⏰ take")])
    await passes(house, DAY)
    assert len([one for one in house.shown() if one.text.startswith("⏰ take")]) == before + 1


@pytest.mark.databases("sqlite", "postgres")
async def test_what_everybody_put_off_until_its_series_comes_is_stopped_with_that(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind everybody every day at 9 stand-up", **GROUP)
    await said(house, "/help", **{**friend(), **GROUP})
    await passes(house, 19 * HOUR)
    message = house.shown("-5")[-1].platform_id
    await said(house, "tomorrow at 9", **{**friend(), **GROUP}, reply_to=message)
    (series,) = await house.column("SELECT id FROM trigger WHERE reminder_id IS NULL")
    await said(house, f"/cancel {ref('s', series)}", **GROUP)
    before = len(house.adapter.texts("-5"))
    await passes(house, DAY)
    assert len(house.adapter.texts("-5")) == before


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("then", "passing"),
    [
        ("/timezone Asia/Tokyo", 16 * HOUR),
        ("/timezone America/New_York", 29 * HOUR),
        ("/move {} every day at 9:03", DAY + 180),
    ],
)
async def test_what_was_put_off_until_its_series_comes_moves_with_that_and_comes_once(
    database: Database, tmp_path: Path, then: str, passing: int
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone UTC")
    await said(house, "remind me every Monday, Tuesday and Wednesday at 9 to take pills")
    await passes(house, 19 * HOUR)
    await pressed(house, "tomorrow")
    (series,) = await house.column("SELECT id FROM trigger WHERE reminder_id IS NULL")
    assert "Now at other times: 2" not in await said(house, then.format(ref("s", series)))
    assert (await said(house, "/tasks")).count("take pills") == 1
    (until,) = await house.column("SELECT until FROM reminded")
    assert await house.column("SELECT next_at FROM trigger WHERE reminder_id IS NOT NULL AND ended_at IS NULL") == [
        until
    ]
    before = len([one for one in house.shown() if one.text.startswith("⏰ take")])
    for _ in range(3):
        await passes(house, passing / 3)
    days = 2 if "York" in then else 1  # there it is Tuesday still
    assert len([one for one in house.shown() if one.text.startswith("⏰ take")]) == before + days
    assert await house.column("SELECT count(*) FROM trigger WHERE reminder_id IS NOT NULL AND ended_at IS NULL") == [0]
    assert await house.column("SELECT until FROM reminded WHERE until IS NOT NULL") == []


async def test_who_lives_by_another_clock_than_the_group_puts_it_off_by_both(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/timezone Asia/Tokyo")
    message = await posted(house, "-5")
    shown = (await said(house, "in 2 hours", **GROUP, reply_to=message)).splitlines()
    assert shown[1:] == [
        "💤 Mon 21 Sep 16:14 UTC (Tue 22 Sep 01:14 Tokyo)",
        "💤 Tue 22 Sep 01:14 Tokyo (Mon 21 Sep 16:14 UTC)",
    ]
