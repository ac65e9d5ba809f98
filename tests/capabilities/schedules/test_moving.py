"""Another time for what is scheduled: a time of day near the former one, and what of a series shall move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel import ids
from core.kernel.ports import Database
from core.kernel.timing.schedule import Rule, load
from tests.commanding import home, labels, pressed, said
from tests.fakes import House
from tests.triggering import trigger

pytestmark = pytest.mark.databases("sqlite")

# The clock of the house shows Mon 21 Sep 2026 14:13.
YOGA = "remind me every tuesday at 19:00 yoga"
FRIDAYS, ONCE, SKIP = "From now on every Friday at 19:00", "Just once, then no more", "Skip next"


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    return await home(database, tmp_path)


async def due(house: House) -> list[tuple[str, int]]:
    """Of what kind what is scheduled is, and when it is due next: minutes from now."""
    now = house.clock.now()
    rows = await house.rows("SELECT kind, next_at FROM trigger WHERE state = 'active'")
    return [(row["kind"], (row["next_at"] - now) // 60_000) for row in rows]


async def test_what_recurs_is_not_made_to_come_once_by_a_word(house: House) -> None:
    await said(house, YOGA)
    before = await due(house)
    assert await said(house, "move yoga to friday") == (
        "“yoga” comes again and again. Shall all of it move to Fri 25 Sep 19:00? For one time alone, skip the next one "
        "and set another."
    )
    assert labels(house) == [FRIDAYS, ONCE, SKIP]
    assert await due(house) == before


async def test_all_of_a_series_is_moved_to_another_day_of_the_week(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await pressed(house, FRIDAYS)
    assert "every Friday at 19:00 (UTC), next Fri 25 Sep: yoga" in house.shown()[-1].text


async def test_a_series_comes_once_where_that_is_wished(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await pressed(house, ONCE)
    assert "⏰ Fri 25 Sep 19:00" in house.shown()[-1].text
    assert [kind for kind, _ in await due(house)] == ["once"]


@pytest.mark.parametrize(
    ("wish", "to", "series"),
    [
        (YOGA, "friday at 18:00", "From now on every Friday at 18:00"),
        ("remind me every day at 18:00 yoga", "tomorrow at 19:00", "From now on every day at 19:00"),
        ("remind me every tuesday at 8:00 and 20:00 yoga", "friday", "From now on every Friday at 08:00 and 20:00"),
        ("remind me every tuesday at 8:00 and 20:00 yoga", "friday at 9:00", ""),
        ("remind me every 3 hours yoga", "tomorrow", ""),
        (YOGA, "in 10 minutes", ""),
    ],
)
async def test_the_series_keeps_what_is_not_said(house: House, wish: str, to: str, series: str) -> None:
    await said(house, wish)
    await said(house, f"move yoga to {to}")
    assert labels(house) == [*([series] if series else []), ONCE, SKIP]


async def test_the_next_time_is_skipped_where_another_is_set_for_it(house: House) -> None:
    await said(house, YOGA)
    await said(house, "move yoga to friday")
    await pressed(house, SKIP)
    assert "Tue 29 Sep 19:00 ↻: yoga" in await said(house, "/tasks")


async def test_a_rule_of_another_zone_moves_by_its_own_clock(house: House) -> None:
    rule = Rule(cron="0 9 * * 2", zone="Asia/Tokyo")
    await trigger(house, "ken", rule)
    await said(house, "move ken to friday")
    await pressed(house, "From now on every Friday at 09:00")
    (spec,) = await house.column("SELECT spec FROM trigger")
    assert load(str(spec)) == replace(rule, cron="0 9 * * 5")


@pytest.mark.parametrize(
    ("wish", "change", "shown"),
    [
        ("set an alarm for 7am tomorrow", "change my 7am alarm to 6:30", "Tue 22 Sep 06:30"),
        ("set an alarm for 7:15am tomorrow", "make it 6:45", "Tue 22 Sep 06:45"),
        ("remind me tomorrow at 21:00 to call", "move call to 10:00", "Tue 22 Sep 22:00"),
        ("remind me tomorrow at 13:00 lunch", "move lunch to 11:00", "Tue 22 Sep 11:00"),
        ("remind me tomorrow at 9 dentist", "move dentist to 2:00", "Tue 22 Sep 14:00"),
        ("remind me every day at 7am to get up", "move get up to 6:30", "every day at 06:30"),
    ],
)
async def test_a_time_of_day_is_in_the_half_where_it_is_near_the_former_one(
    house: House, wish: str, change: str, shown: str
) -> None:
    await said(house, wish)
    assert shown in await said(house, change)


async def test_what_is_put_off_by_an_hour_keeps_its_new_hour_on_another_day(house: House) -> None:
    await said(house, "remind me tomorrow at 8 gym")
    await said(house, "push the gym back an hour")
    assert "Thu 24 Sep 09:00" in await said(house, "move gym to thursday")
    await said(house, "push the gym back 2 hours")
    assert "Fri 25 Sep 11:00" in await said(house, "move gym to friday")


async def test_a_reminder_is_asked_for_by_its_name(house: House) -> None:
    await said(house, "remind me on friday at 10 to call the bank")
    assert await said(house, "when was I supposed to call the bank again?") == (
        "⏰ Fri 25 Sep 10:00 (UTC), in 4 d: call the bank"
    )
    assert "no model" in await said(house, "when is my birthday?")


@pytest.mark.parametrize(
    ("wish", "move", "answer"),
    [
        (
            "Zahnarzt morgen um 15 Uhr, erinnere mich eine Stunde vorher",
            "Verschieb den Zahnarzt auf Freitag um 16 Uhr",
            "Fri 25 Sep 15:00 (UTC), in 4 d: Zahnarzt (16:00)",
        ),
        (
            "dentist tomorrow at 3, remind me an hour before",
            "move dentist to 5",
            "16:00 (UTC), in 1 d: dentist (17:00)",
        ),
        ("dentist tomorrow at 3, remind me an hour before", "/move dentist", "When"),
        ("明天下午三点看牙医，提前一小时提醒我", "把看牙医改到周五下午4点", "看牙医 (16:00)"),
        (
            "remind me 2 days before mom's visit on 3 may",
            "move mom's visit to 10 may",
            "8 May 2027 09:00 (UTC), in 229 d: mom's visit (Monday 10 May 2027)",
        ),
        (
            "flight on friday at 1am, remind me 3 hours before it",
            "move flight to saturday",
            "Fri 25 Sep 22:00 (UTC), in 4 d: flight (Sat 26 Sep 01:00)",
        ),
        (
            "dentist tomorrow at 3, remind me an hour before",
            "postpone the dentist by 2 hours",
            "16:00 (UTC), in 1 d: dentist (17:00)",
        ),
        (
            "dentist tomorrow at 3, remind me an hour before",
            "move dentist to today at 15:00",
            "15:00 (UTC), in 47 min: dentist",
        ),
    ],
)
async def test_what_comes_ahead_of_something_moves_along_with_it(
    house: House, wish: str, move: str, answer: str
) -> None:
    await said(house, wish)
    assert answer in await said(house, move)


async def test_what_a_former_version_kept_ahead_of_something_moves_along_with_it(house: House) -> None:
    await said(house, "/language zh")
    await said(house, "周五下午三点看牙医，提前一天提醒我")
    await house.db.write(lambda tx: tx.run("UPDATE trigger SET text = replace(replace(text, '（', ' ('), '）', ')')"))
    assert "看牙医 (9月25日 周五 15:00)" in await said(house, "/tasks")
    answer = await said(house, "把看牙医改到周六下午4点")
    assert answer.startswith("⏰ 9月25日 周五 16:00")
    assert "看牙医（9月26日 周六 16:00）" in answer


async def test_an_event_that_moved_is_taken_back_with_its_time(house: House) -> None:
    await said(house, "dentist tomorrow at 3, remind me an hour before")
    await said(house, "move dentist to friday at 4")
    await said(house, "/undo")
    assert "14:00: dentist (15:00)" in await said(house, "/tasks")


async def test_what_only_looks_like_an_event_is_moved_itself(house: House) -> None:
    await said(house, "remind me tomorrow at 14:00 to watch film (part 2)")
    assert "film (part 2)" in await said(house, "move watch film to friday at 16:00")


DENTIST = "dentist tomorrow at 3, remind me an hour before"


@pytest.mark.parametrize(
    ("wish", "move", "answer"),
    [
        (DENTIST, "move the dentist reminder to 13:00", "Tue 22 Sep 13:00 (UTC), in 22 h 47 min: dentist (15:00)"),
        (DENTIST, "postpone the reminder by 30 minutes", "14:30 (UTC), in 1 d: dentist (15:00)"),
        (
            "Zahnarzt morgen um 15 Uhr, erinnere mich eine Stunde vorher",
            "Verschieb die Erinnerung an den Zahnarzt auf 13 Uhr",
            "Tue 22 Sep 13:00 (UTC), in 22 h 47 min: Zahnarzt (15:00)",
        ),
        (
            "明天下午三点看牙医，提前一小时提醒我",
            "把看牙医的提醒改到明天下午1点",
            "Tue 22 Sep 13:00 (UTC), in 22 h 47 min: 看牙医 (15:00)",
        ),
    ],
)
async def test_a_reminder_that_is_named_as_one_moves_alone(house: House, wish: str, move: str, answer: str) -> None:
    await said(house, wish)
    assert answer in await said(house, move)


@pytest.mark.parametrize(
    ("button", "answer"),
    [
        ("Tomorrow 9:00", "Tue 22 Sep 09:00 (UTC), in 18 h 47 min: dentist (15:00)"),
        ("In 1 hour", "Mon 21 Sep 15:13 (UTC), in 1 h: dentist (15:00)"),
    ],
)
async def test_an_offered_time_is_the_reminders_own(house: House, button: str, answer: str) -> None:
    await said(house, DENTIST)
    await pressed(house, "Change")
    assert answer in await pressed(house, button)


async def test_an_answer_to_when_is_the_reminders_own_time(house: House) -> None:
    await said(house, DENTIST)
    await pressed(house, "Change")
    assert "Tue 22 Sep 13:00 (UTC), in 22 h 47 min: dentist (15:00)" in await said(house, "tomorrow at 13:00")


async def test_an_event_moves_with_the_one_that_is_picked_of_several(house: House) -> None:
    await said(house, "dentist on friday at 3, remind me an hour before")
    await said(house, "dentist on friday at 3, remind me a day before")
    assert await said(house, "move dentist to saturday at 4") == "Which one?"
    await pressed(house, "dentist (15:00)")
    assert "Sat 26 Sep 15:00: dentist (16:00)" in await said(house, "/tasks")


@pytest.mark.parametrize(
    ("wish", "change"),
    [
        ("remind me tomorrow at 9 to run", "move run to tomorrow at 9"),
        ("remind me every day at 9 to run", "/move s1 every day at 9"),
        ("/brief 9:00", "/brief 9:00"),
    ],
)
async def test_what_is_moved_to_the_time_that_it_has_is_not_taken_back_to_that(
    house: House, wish: str, change: str
) -> None:
    await said(house, wish)
    before = await due(house)
    (number,) = await house.column("SELECT id FROM trigger")
    before_sent = len(house.adapter.sent)
    assert await said(house, change.replace("s1", ids.ref("s", number))) != ""
    assert await due(house) == before
    shown = [one.label for sent in house.adapter.sent[before_sent:] if sent.keyboard for one in sent.keyboard.buttons]
    assert "Undo" not in shown
    # What made it is still what is taken back.
    assert (await said(house, "/undo")).startswith("↩ Taken back")
    assert await due(house) == []


async def test_what_rests_and_is_moved_to_the_time_that_it_has_goes_on_and_rests_again(house: House) -> None:
    await said(house, "remind me every day at 9 to run")
    await said(house, "/pause run")
    await said(house, "move run to every day at 9")
    assert [kind for kind, _ in await due(house)] == ["rule"]
    await pressed(house, "Undo")
    assert await due(house) == []


async def test_what_was_put_off_is_not_taken_back_to_the_time_that_it_has(house: House) -> None:
    await said(house, "remind me in 10 minutes to jump")
    house.clock.advance(601)
    await house.sweep()
    await said(house, "in 2 hours")
    before = len(house.adapter.sent)
    await said(house, "move jump to 16:23")
    assert [minutes for _, minutes in await due(house)] == [119]
    shown = [one.label for sent in house.adapter.sent[before:] if sent.keyboard for one in sent.keyboard.buttons]
    assert "Undo" in shown
    before = len(house.adapter.sent)
    await said(house, "move jump to 16:23")
    shown = [one.label for sent in house.adapter.sent[before:] if sent.keyboard for one in sent.keyboard.buttons]
    assert "Undo" not in shown
    # That of the first move works on.
    assert "↩ Taken back" in await said(house, "/undo")
    assert [minutes for _, minutes in await due(house)] == [120]
