"""Wishes for a reminder that lack something: it is asked for, and nothing of what was said gets lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import START, House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
BOTH = "What shall I remind you of, and when?"
WHEN, WHAT, TOO_LONG = "When exactly?", "What shall I remind you of?", "That is too long:"


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def test_of_a_wish_that_says_nothing_both_are_asked_and_told_in_one_answer(house: House) -> None:
    assert await said(house, "remind me") == BOTH
    assert (await said(house, "tomorrow at 9 call Oma")).endswith("Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call Oma")
    assert await said(house, "set a reminder") == BOTH
    assert WHEN in await said(house, "call Opa")
    assert (await said(house, "tomorrow at 10")).endswith("Tue 22 Sep 10:00 (UTC), in 19 h 47 min: call Opa")


@pytest.mark.parametrize(
    "wish",
    [
        "remind me of something tomorrow at 9",
        "um i need to be reminded about something tomorrow at 9",
        "I wish to be reminded of something tomorrow at 9.",
        "remind me to do something important tomorrow at 9",
        "set a reminder for a thing tomorrow at 9",
        "I need to be reminded tomorrow at 9",
        "Could you set a reminder for tomorrow at 9?",
    ],
)
async def test_of_a_wish_for_something_it_is_asked_what_that_is(house: House, wish: str) -> None:
    assert WHAT in await said(house, wish)
    assert (await said(house, "call Oma")).endswith("Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call Oma")


@pytest.mark.parametrize("order", ["/remind", "remind me"])
@pytest.mark.parametrize("text", ["tomorrow at 9 letter to grandma", "tomorrow at 9 birthday card to grandma"])
async def test_what_stands_between_a_time_and_to_is_kept(house: House, order: str, text: str) -> None:
    assert f"“{text}”" in await said(house, f"{order} {text}")
    assert (await said(house, "tomorrow at 5pm")).endswith(text)


async def test_a_whole_wish_for_the_same_leaves_no_question_that_would_set_it_again(house: House) -> None:
    assert WHEN in await said(house, "remind me to call Oma")
    assert WHEN in await said(house, "remind me to buy milk")
    assert "Tue 22 Sep 09:00" in await said(house, "remind me to call oma tomorrow at 9")
    assert await house.column("SELECT state FROM question ORDER BY id") == ["withdrawn", "open"]
    assert "Skipped" in house.shown()[-3].text
    assert "22 Sep 08:00" in await said(house, "tomorrow at 8")
    assert await triggers(house) == ["call oma", "buy milk"]


async def test_a_time_behind_a_whole_wish_that_was_asked_about_before_moves_it(house: House) -> None:
    await said(house, "remind me to call Oma")
    await said(house, "remind me to call Oma tomorrow at 9")
    assert "Tue 22 Sep 10:00" in await said(house, "at 10")
    assert await triggers(house) == ["call Oma"]


async def test_a_whole_wish_for_everybody_leaves_what_one_is_asked_for_themselves(house: House) -> None:
    await said(house, "/help", **GROUP)
    assert WHEN in await said(house, "remind me to call Oma", **GROUP)
    assert "everybody: Tue 22 Sep 09:00" in await said(house, "remind us tomorrow at 9 to call Oma", **GROUP)
    assert await house.column("SELECT state FROM question") == ["open"]


@pytest.mark.parametrize(
    ("lacking", "whole"),
    [
        ("remind us to call Oma", "remind us tomorrow at 9 to call Oma"),
        ("remind everybody to call Oma", "remind us tomorrow at 9 to call Oma"),
        ("remind @bo to call Oma", "remind @bo tomorrow at 9 to call Oma"),
        ("erinnere uns daran, Oma anzurufen", "erinnere uns morgen um 9 daran, Oma anzurufen"),
        ("提醒我们打电话", "明天9点提醒我们打电话"),
    ],
)
async def test_a_whole_wish_for_others_leaves_no_question_that_would_set_it_for_them_again(
    house: House, lacking: str, whole: str
) -> None:
    await said(house, "/help", **GROUP)
    await said(house, lacking, **GROUP)
    await said(house, whole, **GROUP)
    assert await house.column("SELECT state FROM question") == ["withdrawn"]


@pytest.mark.parametrize("answer", ["at 6", "no, at 6", "make it 6", "nein, um 6", "actually 6pm", "不，下午6点"])
async def test_a_time_that_corrects_is_no_text_where_both_were_asked_for(house: House, answer: str) -> None:
    assert await said(house, "remind me") == BOTH
    assert WHAT in await said(house, answer)
    assert "Mon 21 Sep 18:00" in await said(house, "stretch")
    assert await triggers(house) == ["stretch"]


@pytest.mark.parametrize("at_once", [True, False])
async def test_what_was_forwarded_behind_such_a_wish_says_neither_when_nor_for_whom(
    house: House, at_once: bool
) -> None:
    link = "https://t.me/c/1/2"
    await house.hear("remind me")
    if not at_once:
        await house.work()
    asked = await said(house, "Dinner tomorrow at 7 with everybody", forwarded=True, link=link)
    assert asked.endswith("When exactly? “Dinner tomorrow at 7 with everybody” – for example: tomorrow at 5pm")
    assert await triggers(house) == []
    assert "Tue 22 Sep 17:00" in await said(house, "tomorrow at 5pm")
    kept = await house.column("SELECT text || link FROM trigger")
    assert kept == [f"Dinner tomorrow at 7 with everybody{link}"]


async def test_what_was_forwarded_says_neither_when_nor_for_whom_by_its_button(house: House) -> None:
    text = "@mallory pay the rent tomorrow at 9"
    await said(house, "hello", **GROUP)
    await said(house, text, forwarded=True, **GROUP)
    asked = await pressed(house, "Remind me", chat="-5")
    assert asked.startswith(f"When exactly? “{text}” – for example: tomorrow at 5pm\n")
    assert await triggers(house) == []
    assert await house.column("SELECT count(*) FROM contact_address WHERE external_id LIKE '%mallory'") == [0]
    assert text in await said(house, "tomorrow at 10", **GROUP)
    assert await triggers(house) == [text]


@pytest.mark.parametrize(
    "text", ["remind me every Monday at 9", "每周一9点提醒我", "10点提醒我一下", "10点提醒我做件事"]
)
async def test_a_wish_that_lacks_its_text_is_not_what_another_is_about(house: House, text: str) -> None:
    assert await said(house, "remind me tomorrow at 9") == WHAT
    assert await said(house, text) == WHAT
    await said(house, "Milch")
    await said(house, "Tee")
    assert await triggers(house) == ["Milch", "Tee"]


@pytest.mark.parametrize("text", ["no, at 6", "18:00", "in 20 minutes"])
async def test_a_time_that_others_wrote_is_what_it_is_about(house: House, text: str) -> None:
    assert await said(house, "remind me tomorrow at 9") == WHAT
    assert f"Tue 22 Sep 09:00 (UTC), in 18 h 47 min: {text}" in await said(house, text, forwarded=True)


async def test_an_edit_of_the_answer_that_says_both_is_followed(house: House) -> None:
    await said(house, "remind me")
    await said(house, "tomorrow at 9 call Oma", message_id="m1")
    assert "Tue 22 Sep 10:00" in await said(house, "tomorrow at 10 call Opa", edits="m1")
    assert await triggers(house) == ["call Opa"]


@pytest.mark.parametrize("text", ["Milch", "Tea", "Müll und Glas"])
async def test_a_word_that_may_be_a_name_is_what_it_is_about(house: House, text: str) -> None:
    await said(house, "remind me")
    assert f"When exactly? “{text}”" in await said(house, text)
    assert (await said(house, "tomorrow at 9")).endswith(f": {text}")


async def test_whom_it_is_for_may_be_said_in_the_answer(house: House) -> None:
    assert await said(house, "set a reminder") == BOTH
    assert "I can't reach Dirk from here" in await said(house, "for Dirk to buy milk tomorrow at 9")


async def test_an_hour_is_no_text_but_says_when_instead(house: House) -> None:
    assert await said(house, "remind me tomorrow") == WHAT
    assert (await said(house, "Christmas")).endswith(": Christmas")
    assert await said(house, "/remind in 10 minutes") == WHAT
    assert WHAT in await said(house, "in 20 minutes")
    assert (await said(house, "stretch")).endswith("Mon 21 Sep 14:33 (UTC), in 20 min: stretch")


@pytest.mark.parametrize(
    ("wish", "correction", "at"),
    [
        ("remind me at 5pm tomorrow", "no, at 6", "Tue 22 Sep 18:00"),
        ("remind me at 5pm tomorrow", "at 6", "Tue 22 Sep 18:00"),
        ("remind me at 9pm tomorrow", "make it 10", "Tue 22 Sep 22:00"),
        ("remind me at 5pm tomorrow", "sorry, on Friday", "Fri 25 Sep 17:00"),
        ("remind me every day at 8", "no, at 9", "every day at 09:00"),
        ("erinnere mich morgen um 17 Uhr", "nein, um 18 Uhr", "Tue 22 Sep 18:00"),
        ("明天下午5点提醒我", "不对，6点", "Tue 22 Sep 18:00"),
        ("明天下午5点提醒我", "改成6点", "Tue 22 Sep 18:00"),
        ("remind me at 5pm tomorrow", "no, in 20 minutes", "Mon 21 Sep 14:33"),
        ("remind me tonight at 11", "no, at 12", "Tue 22 Sep 00:00"),
        ("remind me at 11pm", "no, at 1:30", "Tue 22 Sep 01:30"),
        ("remind me tomorrow at 11pm", "no, at 12", "Wed 23 Sep 00:00"),
        ("remind me on Friday at 11pm", "no, at 12", "Sat 26 Sep 00:00"),
        ("remind me on 24 December at 11pm", "no, at 12", "Fri 25 Dec 00:00"),
        ("remind me every Friday at 11pm", "no, at 12", "every Saturday at 00:00"),
        ("remind me every Friday at 9pm", "no, at 10", "every Friday at 22:00"),
        ("remind me tomorrow at 11pm", "no, on Friday at 12", "Fri 25 Sep 12:00"),
        ("remind me at 11pm", "no, on Friday at 12", "Fri 25 Sep 12:00"),
        ("remind me every day at 11pm", "no, at 12", "every day at 00:00"),
        ("remind me every day at 11pm", "no, at 10", "every day at 22:00"),
        ("remind me every day at 11pm", "no, tomorrow", "Tue 22 Sep 23:00"),
    ],
)
async def test_a_time_that_corrects_is_no_text_and_keeps_the_day(
    house: House, wish: str, correction: str, at: str
) -> None:
    await said(house, wish)
    await said(house, correction)
    assert await triggers(house) == []
    assert at in await said(house, "stretch")
    assert await triggers(house) == ["stretch"]


@pytest.mark.parametrize(
    ("answer", "at"),
    [
        ("make it 7pm", "Mon 21 Sep 19:00"),
        ("no, tomorrow", "Tue 22 Sep 09:00"),
        ("let's say 8pm", "Mon 21 Sep 20:00"),
        ("lieber morgen um 10 bitte", "Tue 22 Sep 10:00"),
        ("改成明天9点吧", "Tue 22 Sep 09:00"),
    ],
)
async def test_words_that_correct_are_no_part_of_the_time_that_was_asked_for(
    house: House, answer: str, at: str
) -> None:
    assert WHEN in await said(house, "remind me to stretch")
    assert at in await said(house, answer)
    await pressed(house, "Change")
    await said(house, answer)
    assert await triggers(house) == ["stretch"]
    assert await house.column("SELECT state FROM question") == ["answered", "answered"]


async def test_a_time_in_a_reply_to_somebody_elses_question_is_told_so(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await group(await make_database("sqlite"), tmp_path)
    assert WHEN in await said(house, "remind me to buy bread", **GROUP)
    asked = house.shown("-5")[-1].platform_id
    told = await said(house, "in 5 minutes", sender=GUEST, reply_to=asked, **GROUP)
    assert told == "This question is for somebody else."
    assert "in 6 min" in await said(house, "in 6 minutes", reply_to=asked, **GROUP)


async def triggers(house: House) -> list[object]:
    return await house.column("SELECT text FROM trigger ORDER BY id")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("remind me at 5", WHAT),
        ("Remind me tomorrow", WHAT),
        ("remind me every weekday at 9", WHAT),
        ("please remind me in half an hour", WHAT),
        ("remind me tomorrow at 9 👍", WHAT),
        ("提醒我8点", WHAT),
        ("提醒我明天", WHAT),
        ("Remind me", BOTH),
        ("set up a reminder", BOTH),
        ("I need a reminder", BOTH),
        ("set up a reminder please", BOTH),
        ("remind me please", BOTH),
        ("Remind me!", BOTH),
        ("ich möchte eine Erinnerung erstellen", BOTH),
        ("Ich brauche eine Erinnerung", BOTH),
        ("提醒我", BOTH),
        ("我需要一个提醒", BOTH),
        ("remind me in a bit to call mum", WHEN),
        ("remind me to call mum later", WHEN),
        ("remind me tumorow at 9 to call mum", WHEN),
        ("remind me when I get home", WHEN),
        ("提醒我一会儿吃药", WHEN),
        ("remind me at 25:00 to call mum", WHEN),
        ("remind him at 9 to call", "Whom shall I remind?"),
        ("remind me what we talked about", "I can't answer that"),
        ("what do you remind me of", "I can't answer that"),
        ("ich möchte eine Erinnerung löschen", "I can't answer that"),
        ("需要提醒吗", "这个我答不了"),
    ],
)
async def test_without_a_model_a_wish_that_is_not_understood_whole_is_asked_about(
    house: House, text: str, answer: str
) -> None:
    assert (await said(house, text)).startswith(answer)
    assert await triggers(house) == []


@pytest.mark.parametrize(
    "text",
    [
        "alert me about the weather",
        "alert me about the weather tomorrow",
        "notify me about news at 9",
        "remind me when the price drops",
        "Please remind me to sell when the price drops",
        "remind me if it rains tomorrow",
        "let me know as soon as the parcel arrives",
        "下雨的时候提醒我带伞",
        "降价了提醒我",
        "如果下雨，提醒我带伞",
        "每天通知我天气",
    ],
)
async def test_what_waits_for_something_to_happen_is_not_given_a_time(house: House, text: str) -> None:
    answer = await said(house, text)
    assert answer.startswith(("I can't look out for that", "这个我没法自己留意"))
    assert await triggers(house) == []
    assert await house.column("SELECT content FROM todo") == []
    assert await house.column("SELECT id FROM question") == []


@pytest.mark.parametrize(
    "text",
    [
        "remind me at 17:00 to call mom\nremind me at 18:00 to call dad",
        "add milk to my list\n\nadd eggs to my list",
        "17点提醒我给妈妈打电话\n18点提醒我给爸爸打电话",
    ],
)
async def test_two_wishes_in_one_message_are_not_taken_for_one(house: House, text: str) -> None:
    answer = await said(house, text)
    assert answer.startswith(("One at a time", "请一件一件来"))
    assert await triggers(house) == []
    assert await house.column("SELECT content FROM todo") == []


@pytest.mark.parametrize(
    ("wish", "rest", "answer"),
    [
        ("remind me tomorrow at 9 to read ", "a long text ", "That is too long for me to read"),
        ("erinnere mich morgen um 9 daran: ", "ein langer Text ", "That is too long for me to read"),
        ("明天9点提醒我看", "读书", "太长了，没有模型时我读不了"),
        ("add to my list: ", "a long text ", "That is too long for me to read"),
    ],
)
async def test_a_wish_that_is_too_long_to_be_read_is_told_so(house: House, wish: str, rest: str, answer: str) -> None:
    assert (await said(house, f"{wish}{rest * 1_001}"[:3_000])).startswith(answer)
    assert "too long" not in await said(house, (rest * 1_001)[:3_000])


async def test_lines_of_one_wish_are_one(house: House) -> None:
    assert "call mom about the party" in await said(house, "remind me at 17:00\nto call mom\nabout the party")
    assert len(await triggers(house)) == 1


@pytest.mark.parametrize("answer", ["at 20:00", "in 2 hours", "20点"])
async def test_a_time_behind_a_question_that_has_run_out_puts_off_nothing_that_came_before_it(
    house: House, answer: str
) -> None:
    await said(house, "remind me in 1 minute to take the pills")
    await passes(house, 61)
    house.clock.advance(60)
    await said(house, "remind me to call the vet")
    await passes(house, 4000)
    assert house.shown()[-1].text.endswith("⏱ No answer in time.")
    assert await said(house, answer) == "What shall I remind you of?"
    assert (await said(house, "call the vet")).endswith(": call the vet")
    assert await house.column("SELECT text FROM trigger WHERE ended_at IS NULL") == ["call the vet"]


@pytest.mark.parametrize("text", ["never mind", "forget it", "算了"])
async def test_who_leaves_the_question_when_is_not_reminded(house: House, text: str) -> None:
    assert (await said(house, "/remind call mum")).startswith(WHEN)
    await said(house, text)
    assert await triggers(house) == []
    await said(house, "at 17:00")
    assert await triggers(house) == []


async def test_a_sign_before_a_clock_is_no_handle(house: House) -> None:
    assert (await said(house, "/remind @10 tea")).endswith("⏰ Mon 21 Sep 22:00 (UTC), in 7 h 47 min: tea")
    await said(house, "/remind milk")
    assert (await said(house, "@5")).endswith("⏰ Mon 21 Sep 17:00 (UTC), in 2 h 47 min: milk")
    await said(house, "/todo bread @10")
    assert await house.column("SELECT content FROM todo") == ["bread"]


@pytest.mark.parametrize("text", ["@5 tea", "tea @5", "at 5 green tea", "Tea at 5pm", "@5 milk"])
async def test_a_time_beside_other_words_is_no_answer(house: House, text: str) -> None:
    await said(house, "/remind green tea")
    await said(house, text)
    assert await triggers(house) == []
    await said(house, "@5")
    assert await triggers(house) == ["green tea"]


async def test_tonight_at_five_said_too_late_may_be_either_five_of_tomorrow(house: House) -> None:
    assert "⏰ Mon 21 Sep 17:00" in await said(house, "remind me tonight at 5 to call mum")
    house.clock.advance(4 * 3_600)
    assert (await said(house, "remind me tonight at 5 to call Bo")).startswith("That is in the past:")
    assert labels(house) == ["Tue 22 Sep 17:00", "Tue 22 Sep 05:00", "Skip"]
    assert "⏰ Tue 22 Sep 05:00" in await pressed(house, "Tue 22 Sep 05:00")


@pytest.mark.parametrize(
    ("text", "answer", "read_back"),
    [
        ("remind me in a bit to call mum", "at 5pm", "⏰ Mon 21 Sep 17:00 (UTC), in 2 h 47 min: call mum"),
        ("/remind call mum, not now", "tomorrow at 9", "⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call mum"),
        ("/remind 一会儿吃药", "明天8点", "⏰ Tue 22 Sep 08:00 (UTC), in 17 h 47 min: 吃药"),
        ("/remind every monday 25 bins", "20:00", "⏰ every Monday at 20:00 (UTC), next Mon 21 Sep: 25 bins"),
        ("/remind call Bob", "Friday at 5", "⏰ Fri 25 Sep 17:00 (UTC), in 4 d: call Bob"),
    ],
)
async def test_the_time_that_was_asked_for_goes_with_what_was_understood(
    house: House, text: str, answer: str, read_back: str
) -> None:
    assert (await said(house, text)).startswith(WHEN)
    assert (await said(house, answer)).endswith(read_back)


async def test_a_clock_as_an_answer_does_not_throw_away_a_day_that_may_have_been_said(house: House) -> None:
    assert (await said(house, "/remind call mum tumorow at 5pm")).startswith(WHEN)
    assert "On which day, and when?" in await said(house, "at 17:00")
    assert await triggers(house) == []
    assert "⏰ Tue 22 Sep 17:00" in await said(house, "tomorrow at 17:00")


@pytest.mark.parametrize(
    "text", ["/remind in 5 minutes " + "x" * 2_500, "/remind " + "x " * 600, "/remind tomorrow at 9 " + "x" * 1_001]
)
async def test_what_is_too_long_is_said_and_not_cut(house: House, text: str) -> None:
    assert (await said(house, text)).startswith(TOO_LONG)
    assert (await said(house, text, quoted="the report", reply_to="7")).startswith(TOO_LONG)
    assert await triggers(house) == []


async def test_a_long_quote_shows_that_it_goes_on(house: House) -> None:
    await said(house, "/remind tomorrow at 9", quoted="x" * 4_000, reply_to="7")
    assert await triggers(house) == ["x" * 999 + "…"]


async def test_what_was_to_be_today_and_is_past_can_be_tomorrow(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert (await said(house, "remind me at 9am today to shower")).startswith("That is in the past:")
    assert labels(house) == ["Tue 22 Sep 09:00", "Skip"]
    assert (await pressed(house, "Tue 22 Sep 09:00")).startswith("⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: shower")
    assert (await said(house, "/remind 27.11.2020 17:00 call Oma")).startswith("That is in the past:")
    assert labels(house) == ["In 1 hour", "Tonight", "Tomorrow 9:00", "Skip"]


async def test_what_is_years_away_is_said_in_years(house: House) -> None:
    answer = "⏰ Saturday 21 September 2126 14:13 (UTC), in 100 years: live"
    assert await said(house, "remind me in 100 years to live") == answer


async def test_who_asks_may_be_among_those_who_are_reminded(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/contacts add Bob tg:2")
    answer = await said(house, "remind Bob and me tomorrow at 9 to call Oma")
    assert "⏰ Bob: Tue 22 Sep 09:00" in answer
    assert "\n⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call Oma" in answer
    assert await triggers(house) == ["call Oma", "call Oma"]


# The zone.


async def test_the_zone_is_offered_with_the_first_time_of_day_whatever_came_before(house: House) -> None:
    await said(house, "remind me in 10 minutes to stretch")
    assert "🌍 Not my time zone" not in labels(house)
    await said(house, "remind me tomorrow at 9 to stretch twice")
    assert "🌍 Not my time zone" in labels(house)
    await said(house, "remind me tomorrow at 10 to stretch again")
    assert "🌍 Not my time zone" not in labels(house)


@pytest.mark.parametrize("text", ["/todo call Oma at 17:00", "/brief 7:30"])
async def test_to_dos_and_briefs_offer_it_too(house: House, text: str) -> None:
    await said(house, text)
    assert "🌍 Not my time zone" in labels(house)


async def test_a_to_do_goes_along_when_its_zone_is_said(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo call Oma at 17:00")
    await pressed(house, "🌍 Not my time zone")
    assert "at other times: 1" in await pressed(house, "New York")
    assert await house.column("SELECT due_at - :start FROM todo", start=START) == [24_400_000]
    assert await house.column("SELECT next_at - :start FROM trigger", start=START) == [24_400_000]
    assert "today 17:00" in await said(house, "/todo")


async def test_who_may_not_choose_the_zone_is_not_offered_to(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/remind tomorrow at 9 to vote", sender=GUEST, **GROUP)
    assert labels(house, "-5") == ["Change", "Undo"]
    answer = await said(house, "/remind @nobody_here tomorrow at 9 to vote", sender=GUEST, **GROUP)
    assert "/contacts zone" not in answer
    await said(house, "/remind @nobody_here tomorrow at 9 to vote", **GROUP)
    assert "/contacts zone" in house.adapter.texts("-5")[-1]


async def test_in_chinese_a_zone_is_shown_by_its_town(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh", timezone="Europe/Berlin")
    assert "（柏林）" in await said(house, "/remind 明天下午三点开会")


@pytest.mark.parametrize("text", ["#all hands meeting", "#until further notice call"])
async def test_what_begins_with_a_sign_of_its_own_is_a_text(database: Database, tmp_path: Path, text: str) -> None:
    house = await group(database, tmp_path)
    assert text in await said(house, f"/remind {text} tomorrow at 9", **GROUP)
    assert await house.rows("SELECT text, everybody, until_done FROM trigger") == [
        {"text": text, "everybody": 0, "until_done": 0}
    ]


@pytest.mark.parametrize("text", ['"remind me at 5" is what I typed', "“提醒我8点”是我昨天写的"])
async def test_what_is_quoted_before_more_is_said_about_it_is_no_wish(house: House, text: str) -> None:
    await said(house, text)
    assert await triggers(house) == []
    assert await house.column("SELECT count(*) FROM question") == [0]


@pytest.mark.parametrize(
    ("wish", "answer", "read_back"),
    [
        ("remind me friday around 9 to call", "at 10", "Fri 25 Sep 10:00 (UTC), in 4 d: call"),
        ("remind me tomorrow around 9 to call", "at 10", "Tue 22 Sep 10:00 (UTC), in 19 h 47 min: call"),
        # What is not surely a time stays: nothing that was said is lost.
        (
            "remind me to pay the 300 euro bill around 9",
            "tomorrow at 9",
            "09:00 (UTC), in 18 h 47 min: pay the 300 euro",
        ),
    ],
)
async def test_a_day_in_front_of_a_half_read_time_is_kept_and_nothing_is_lost(
    house: House, wish: str, answer: str, read_back: str
) -> None:
    await said(house, wish)
    assert read_back in await said(house, answer)


@pytest.mark.parametrize(("wish", "offered"), [("remind me friday around 9 to call", 1), ("remind me to call", 4)])
async def test_no_times_are_offered_beside_a_day_that_was_said(house: House, wish: str, offered: int) -> None:
    await said(house, wish)
    assert len(labels(house)) == offered


async def test_a_german_question_leaves_out_whom_it_is_for(house: House) -> None:
    await said(house, "/language de")
    assert "„gegen acht an den Bus“" in await said(house, "Erinnere mich gegen acht an den Bus")


@pytest.mark.parametrize(
    ("language", "wish", "about"),
    [
        ("de", "Erinnere mich an Brot", "„Brot“"),
        ("de", "Stell einen Timer", "„Timer“"),
        ("en", "remind me about Bob", "“Bob”"),
        ("zh", "提醒我小王", "“小王”"),
    ],
)
async def test_a_wish_that_lacks_a_time_is_about_its_text_also_where_that_is_a_name(
    house: House, language: str, wish: str, about: str
) -> None:
    await said(house, f"/language {language}")
    assert about in await said(house, wish)
    assert len(labels(house)) == 4


async def test_in_a_group_it_is_said_that_words_answer_as_a_reply(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    hint = "\nReply to this message to answer in your own words."
    asked = await said(house, "remind me to call Oma", **GROUP)
    assert asked.startswith(WHEN)
    assert asked.endswith(hint)
    # A thread is a conversation, in private there is nobody else, and what one person sees takes no reply.
    assert not (await said(house, "remind me to call Opa", **GROUP, thread="7")).endswith(hint)
    assert not (await said(house, "remind me to call Ida")).endswith(hint)
    seen = {**GROUP, "response_url": "https://slack.test/1"}
    assert not (await said(house, "/remind call Udo", **seen)).endswith(hint)
