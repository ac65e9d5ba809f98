"""Setting a reminder: read back absolutely, changed, taken back, asked for what lacks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.commanding import GROUP, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import START, House, inbound
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

# START is Monday 21 September 2026, 14:13:20 UTC.
HOUR = 3600


async def triggers(house: House, *columns: str) -> list[tuple[object, ...]]:
    rows = await house.rows(f"SELECT {', '.join(columns)} FROM trigger ORDER BY id")
    return [tuple(row.values()) for row in rows]


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


@pytest.mark.databases("sqlite", "postgres")
async def test_a_reminder_is_active_at_once_and_read_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, timezone="Europe/Berlin")
    answer = await said(house, "/remind tomorrow at 9 to call Oma")
    assert answer == "⏰ Tue 22 Sep 09:00 (Berlin), in 16 h 47 min: call Oma"
    assert labels(house) == ["Change", "Undo", "🌍 Not my time zone"]
    (row,) = await triggers(house, "state", "deliver", "kind", "follows", "text", "next_at")
    assert row == ("active", "message", "once", 1, "call Oma", START + 60_400_000)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/remind in 20 minutes to stretch", "⏰ Mon 21 Sep 14:33 (UTC), in 20 min: stretch"),
        ("/remind me in 20 minutes to stretch", "⏰ Mon 21 Sep 14:33 (UTC), in 20 min: stretch"),
        ("/remind call Oma tomorrow 9am", "⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: call Oma"),
        ("/remind 27.11. 17:00 call Oma", "⏰ Fri 27 Nov 17:00 (UTC), in 67 d: call Oma"),
        ("/remind 2027-11-27 17:00 call Oma", "⏰ Saturday 27 November 2027 17:00 (UTC), in 432 d: call Oma"),
        (
            "/remind tomorrow at 9 to take *pills* until done",
            "⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min, again until it is done: take \\*pills\\*",
        ),
        ("/remind every weekday at 9:30 stand-up", "⏰ every weekday at 09:30 (UTC), next Tue 22 Sep: stand-up"),
        ("/every weekday at 9:30 stand-up", "⏰ every weekday at 09:30 (UTC), next Tue 22 Sep: stand-up"),
        ("/every every weekday at 9:30 stand-up", "⏰ every weekday at 09:30 (UTC), next Tue 22 Sep: stand-up"),
        ("/every 30 minutes drink", "⏰ every 30 minutes, next Mon 21 Sep 14:43: drink"),
        ("/remind 明天下午三点开会", "⏰ Tue 22 Sep 15:00 (UTC), in 1 d: 开会"),
    ],
)
async def test_what_is_set_is_said_whole(house: House, text: str, answer: str) -> None:
    assert await said(house, text) == answer


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("said_as", "shown"),
    [
        ("2026-11-23T09:00+01:00", "Mon 23 Nov 17:00 (Tokyo)"),
        ("2026-10-25T02:30+02:00", "Sun 25 Oct 09:30 (Tokyo)"),
        ("2026-10-25T02:30+01:00", "Sun 25 Oct 10:30 (Tokyo)"),
    ],
)
async def test_an_instant_with_its_offset_means_the_same_in_every_zone(
    database: Database, tmp_path: Path, said_as: str, shown: str
) -> None:
    house = await home(database, tmp_path, timezone="Asia/Tokyo")
    assert (await said(house, f"/remind {said_as} ⏰ call Oma at 9")).startswith(f"⏰ {shown}, in ")
    (row,) = await triggers(house, "text")
    assert row == ("call Oma at 9",)


async def test_an_instant_that_no_calendar_has_is_refused(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, timezone="Asia/Tokyo")
    assert "⏰" not in await said(house, "/remind 9999-12-31T23:00+00:00 ⏰ x")
    assert await triggers(house, "id") == []


async def test_in_chinese_the_same_is_said_in_chinese(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path, language="zh", timezone="Asia/Shanghai")
    assert await said(house, "/remind 明天下午三点开会") == "⏰ 9月22日 周二 15:00（上海），16小时47分钟后：开会"
    assert labels(house) == ["更改", "撤销", "🌍 不是我的时区"]
    assert "trinken" in await said(house, "/every 2 Stunden trinken")
    assert (await said(house, "/every 天早上8点吃药")).endswith("（上海），下次 9月22日 周二：吃药")


async def test_the_other_reading_is_a_button_that_takes_its_place(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert "Fri 2 Oct 15:00" in await said(house, "/remind next Friday at 3 to phone")
    assert labels(house)[0] == "Fri 25 Sep 15:00"
    before = len(house.shown("1"))
    await pressed(house, "Fri 25 Sep 15:00")
    assert len(house.shown("1")) == before
    assert house.shown("1")[-1].text == "⏰ Fri 25 Sep 15:00 (UTC), in 4 d: phone"
    assert labels(house) == ["Change", "Undo"]
    await pressed(house, "Undo")
    assert "Fri 2 Oct 15:00" in await said(house, "/tasks")


async def test_undo_ends_a_reminder_and_change_asks_for_the_new_time(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind tomorrow at 9 to call Oma")
    assert (await pressed(house, "Change")).startswith("When shall it be?")
    assert (await said(house, "tomorrow at 10")).endswith("⏰ Tue 22 Sep 10:00 (UTC), in 19 h 47 min: call Oma")
    assert await triggers(house, "state") == [("active",)]
    assert await pressed(house, "Undo") == "↩ Taken back: the new time of “call Oma”.\n⏰ Tue 22 Sep 09:00"
    assert "Tue 22 Sep 09:00" in await said(house, "/tasks")
    assert await said(house, "/undo") == "↩ Taken back: the reminder “call Oma”."
    assert await triggers(house, "state") == [("cancelled",)]


@pytest.mark.parametrize(
    ("text", "answer", "when", "read_back"),
    [
        ("/remind call Oma", "tomorrow at 9", "Tue 22 Sep 09:00", "call Oma"),
        ("/remind me to read chapter 5", "17:00", "Mon 21 Sep 17:00", "read chapter 5"),
        ("/remind buy 2 apples", "in 3 hours", "Mon 21 Sep 17:13", "buy 2 apples"),
        ("/remind 买牛奶", "明天9点", "Tue 22 Sep 09:00", "买牛奶"),
    ],
)
async def test_without_a_time_it_asks_for_one(house: House, text: str, answer: str, when: str, read_back: str) -> None:
    assert (await said(house, text)).startswith("When exactly?")
    assert await said(house, "hm, let me think") != ""
    found = await said(house, answer)
    assert when in found
    assert found.endswith(f": {read_back}")


@pytest.mark.parametrize("text", ["/remind tomorrow at 9", "/remind me tomorrow at 9"])
async def test_without_a_text_it_asks_for_one(house: House, text: str) -> None:
    assert await said(house, text) == "What shall I remind you of?"
    assert (await said(house, "2 apples at 5")).endswith("⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: 2 apples at 5")


@pytest.mark.parametrize("text", ["/remind", "/remind me"])
async def test_without_anything_it_says_how(house: House, text: str) -> None:
    assert (await said(house, text)).startswith("Write when and what:")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/remind 27.11.2020 17:00 call Oma", "That is in the past: it is Mon 21 Sep 14:13 now (UTC)."),
        ("/remind 31.2. 17:00 call Oma", "There is no such time."),
        ("/every call Oma", "Write how often, when and what:"),
        ("/every tomorrow at 9 call Oma", "Write how often, when and what:"),
        (f"/remind tomorrow at 9 {'x' * 1001}", "That is too long: a reminder has 1,000 characters at most."),
    ],
)
async def test_what_cannot_be_is_said(house: House, text: str, answer: str) -> None:
    assert (await said(house, text)).startswith(answer)
    assert await triggers(house, "id") == []


@pytest.mark.databases("sqlite", "postgres")
async def test_a_reply_keeps_the_text_and_the_link(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    quote = {"quoted": "the report is due", "link": "https://t.me/c/5/7", "reply_to": "7"}
    assert (await said(house, "/remind tomorrow at 9", **quote)).endswith(": the report is due")
    assert (await said(house, "/remind tell Bob tomorrow 9am", **quote)).endswith(": tell Bob the report is due")
    texts = [("the report is due", "https://t.me/c/5/7"), ("tell Bob\n\nthe report is due", "https://t.me/c/5/7")]
    assert await triggers(house, "text", "link") == texts


async def test_a_reply_without_a_time_keeps_both_over_the_question(house: House) -> None:
    quote = {"quoted": "the report\nis due ⏰", "link": "https://t.me/c/5/7", "reply_to": "7"}
    assert (await said(house, "/remind", **quote)).startswith("When exactly?")
    await said(house, "tomorrow 9am")
    assert await triggers(house, "text", "link") == [("the report is due", "https://t.me/c/5/7")]


async def test_a_long_quote_is_cut(house: House) -> None:
    await said(house, "/remind tomorrow at 9", quoted="x" * 4000, reply_to="7")
    ((text,),) = await triggers(house, "text")
    assert len(str(text)) == 1000


async def test_what_was_due_while_away_can_come_now_or_later(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    house.clock.advance(3 * HOUR)
    answer = await said(house, "/remind in 20 minutes to stretch", sent_at=START)
    assert answer == "“stretch” was due 2 h 40 min ago, while I was offline."
    assert labels(house) == ["Remind me now", "In 20 min from now", "Drop"]
    assert await triggers(house, "id") == []
    assert (await pressed(house, "In 20 min from now")).endswith("⏰ Mon 21 Sep 17:33 (UTC), in 20 min: stretch")


async def test_what_was_due_while_away_can_come_at_once_or_never(house: House) -> None:
    house.clock.advance(3 * HOUR)
    quote = {"quoted": "the report", "link": "https://t.me/c/5/7", "reply_to": "7"}
    await said(house, "/remind in 20 minutes", sent_at=START, **quote)
    assert (await pressed(house, "Remind me now")).startswith("⏰ now: the report")
    assert await triggers(house, "text", "link", "next_at") == [("the report", "https://t.me/c/5/7", house.clock.now())]
    await said(house, "/remind at 14:30 to stretch", sent_at=START)
    assert labels(house) == ["Remind me now", "Drop"]
    assert await pressed(house, "Drop") == "Dropped."
    assert len(await triggers(house, "id")) == 1


async def test_the_zone_is_asked_for_once_and_what_waits_is_read_anew(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/remind tomorrow at 9 to call Oma")
    await said(house, "/every weekday at 8 stand-up")
    assert "🌍 Not my time zone" not in labels(house)
    answer = await pressed(house, "🌍 Not my time zone")
    assert answer.startswith("Time zone: UTC.")
    assert "at other times: 2" in await pressed(house, "New York")
    assert await said(house, "/remind in 1 hour to rest") == "⏰ Mon 21 Sep 11:13 (New York), in 1 h: rest"
    listed = await said(house, "/tasks")
    assert "- Tue 22 Sep 08:00 ↻: stand-up\n- Tue 22 Sep 09:00: call Oma" in listed


async def test_in_a_new_zone_a_time_of_once_stays_and_a_rule_goes_along(house: House) -> None:
    await said(house, "/timezone Berlin")
    await said(house, "/remind tomorrow at 9 to call Oma")
    await said(house, "/every weekday at 8 stand-up")
    before = await triggers(house, "next_at")
    await said(house, "/timezone New York")
    once, rule = await triggers(house, "next_at")
    assert once == before[0]
    assert rule == (int(str(before[1][0])) + 6 * HOUR * 1000,)
    await said(house, "/undo")
    assert await triggers(house, "next_at") == before


async def test_taking_back_the_first_zone_reads_what_waits_as_before(house: House) -> None:
    await said(house, "/remind tomorrow at 9 to call Oma")
    before = await triggers(house, "next_at")
    await said(house, "/timezone Berlin")
    assert await triggers(house, "next_at") != before
    await said(house, "/undo")
    assert await triggers(house, "next_at") == before


async def test_another_language_is_understood_where_all_is_plain(house: House) -> None:
    sender = Sender(address="tg:1", name="Oma", language="de")
    message = replace(inbound("/remind morgen um 17:00 Oma anrufen", key="de"), sender=sender)
    await house.app.inbox.accept(house.tenant_id, [message])
    await house.work()
    assert house.adapter.texts("1")[-1] == "⏰ Tue 22 Sep 17:00 (UTC), in 1 d: Oma anrufen"
    assert (await said(house, "/remind appeler mamie demain vers 17 heures")).startswith("When exactly?")


async def test_in_a_group_what_recurs_has_its_buttons_for_as_long_as_it_lasts(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    answer = await said(house, "/remind everybody every weekday at 9:30 stand-up", **GROUP)
    assert answer == "⏰ everybody: every weekday at 09:30 (UTC), next Tue 22 Sep: stand-up"
    assert labels(house, "-5") == ["Skip next", "Pause until…", "Stop"]
    await house.press("Skip next", chat="-5", chat_kind="group")
    await house.work()
    assert "Tue 22 Sep 09:30 is skipped" in house.shown("-5")[-1].text
    assert "next Wed 23 Sep" in house.shown("-5")[-1].text


async def test_who_writes_as_the_group_has_reminders_but_is_not_asked_back(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    nobody = Sender(address="tg:-5", name="Family", anonymous=True)
    for n, text in enumerate(("/remind tomorrow at 9 to vote", "/remind vote")):
        await house.app.inbox.accept(house.tenant_id, [replace(inbound(text, key=f"as{n}", **GROUP), sender=nobody)])
        await house.work()
    assert house.adapter.texts("-5")[-2:] == [
        "⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min: vote",
        "When exactly? “vote” – for example: tomorrow at 5pm\nYou write as the group, so I can't tell your"
        " answer: write all of it anew, in one message.",
    ]
    assert await house.column("SELECT count(*) FROM question") == [0]
    # They would press as themselves, who are somebody else.
    await passes(house, 19 * 3600)
    assert house.shown("-5")[-1].text.startswith("⏰ Family: vote")
    assert [one.keyboard for one in house.shown("-5") if "vote" in one.text] == [None] * 3


@pytest.mark.databases("sqlite", "postgres")
async def test_a_message_forwarded_with_a_comment_is_what_the_reminder_is_about(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    link = "https://t.me/c/1/2"
    await house.hear("/remind tomorrow at 9")
    await house.hear("The rent is due", forwarded=True, link=link)
    await house.work()
    assert "The rent is due" in house.shown()[-1].text
    assert await house.column("SELECT text || link FROM trigger") == [f"The rent is due{link}"]
    assert await house.column("SELECT count(*) FROM inbox WHERE ended_at IS NULL") == [0]


async def test_a_forward_that_comes_a_moment_later_answers_what_the_reminder_is_about(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    link = "https://t.me/c/1/2"
    await said(house, "/remind tomorrow at 9")
    await said(house, "The rent is due", forwarded=True, link=link)
    assert await house.column("SELECT text || link FROM trigger") == [f"The rent is due{link}"]


async def test_another_wish_is_no_answer_to_what_a_command_asked_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert "What shall I remind you of?" in await said(house, "/remind at 17:00")
    assert "milk" in await said(house, "add milk to my list")
    await said(house, "call Oma")
    assert await house.column("SELECT text FROM trigger") == ["call Oma"]
    assert await house.column("SELECT content FROM todo") == ["milk"]
