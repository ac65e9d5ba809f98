"""Stories of reminders: for oneself, for others, put off, late, taken back."""

from __future__ import annotations

from tests.acceptance.stories.days import DAY, MINUTE, Days
from tests.acceptance.stories.platform import Chat, Person, Shown
from tests.acceptance.stories.stage import HOUR

BUTTONS = ["Done", "+10 min", "+1 h", "tomorrow"]


async def _set(on: Days, person: Person, words: str, chat: Chat | None = None) -> Shown:
    """Let somebody set a reminder at noon; returns what is read back."""
    on.noon()
    answer = await on.says(person, words, chat)
    assert answer.text.startswith("⏰ "), answer.text
    return answer


async def _due(on: Days, person: Person, text: str) -> Shown:
    """A reminder of somebody who is alone with the bot is set, and comes; returns its message."""
    answer = await _set(on, person, f"/remind in 10 minutes to {text}")
    on.passes(10 * MINUTE)
    return await on.sees(answer.chat, f"⏰ {text}", after=answer)


# What one sets for oneself.


async def a_reminder_is_read_back_comes_and_is_done_by_its_button(on: Days) -> None:
    ann = on.platform.member()
    answer = await _set(on, ann, "/remind in 20 minutes to stretch")
    assert answer.text == f"⏰ {on.day()} 12:20 (UTC), in 20 min: stretch"
    assert answer.labels[:2] == ["Change", "Undo"]
    on.passes(20 * MINUTE)
    posted = await on.sees(answer.chat, "⏰ stretch", after=answer)
    assert posted.text == "⏰ stretch"
    assert posted.labels == BUTTONS
    await on.pressed(ann, posted, "Done")
    assert await on.closed(posted) == "✅ 12:20"
    assert len(on.texts(answer.chat)) == 2


async def an_open_question_when_traps_nobody_and_ends_by_a_press_or_by_a_word(on: Days) -> None:
    ann = on.platform.member()
    on.noon()
    asked = await on.says(ann, "/remind call the dentist")
    assert asked.labels == ["In 1 hour", "Tonight", "Tomorrow 9:00", "Skip"]
    assert (await on.says(ann, "add cheese to my list")).text.startswith("☐ cheese")
    assert (await on.says(ann, "/remind at 17:00 steak")).text.endswith("17:00 (UTC), in 5 h: steak")
    assert (await on.says(ann, "Call mum tomorrow?")).text == "You said: Call mum tomorrow?"
    # Once more, and never again.
    again = await on.sees(asked.chat, asked.text, after=asked)
    assert (await on.says(ann, "ok then")).text == "You said: ok then"
    async with on.down():
        pass
    await on.pressed(ann, asked, "In 1 hour")
    assert f"⏰ {on.day()} 13:0" in (await on.sees(asked.chat, ": call the dentist", after=again)).text
    assert asked.text not in on.texts(asked.chat)
    other = await on.says(ann, "/remind walk")
    on.platform.say(ann, "nvm")
    assert "Skipped" in await on.closed(other)


async def an_edit_of_the_wish_changes_what_it_set_and_its_answer_says_so(on: Days) -> None:
    ann = on.platform.member()
    on.noon()
    chat = on.platform.private(ann)
    message = on.platform.say(ann, "remind me at 17:00 to stretch")
    answer = await on.sees(chat, f"⏰ {on.day()} 17:00")
    on.platform.edit(ann, message, "remind me at 18:00 to stretch")
    await on.becomes(answer, f"⏰ {on.day()} 18:00")
    await on.says(ann, "make it 19:00")
    assert len(on.texts(chat)) == 2
    on.passes(7 * HOUR)
    await on.sees(chat, "⏰ stretch", after=answer)


async def an_edit_of_a_wish_that_is_asked_back_about_is_what_is_asked_and_set(on: Days) -> None:
    ann = on.platform.member()
    on.noon()
    chat = on.platform.private(ann)
    message = on.platform.say(ann, "remind me at 16:00")
    asked = await on.sees(chat, "What shall I remind you of?")
    on.platform.edit(ann, message, "remind me at 17:00")
    again = await on.sees(chat, "What shall I remind you of?", after=asked)
    answer = await on.says(ann, "call mom")
    assert answer.text.startswith(f"⏰ {on.day()} 17:00")
    message = on.platform.say(ann, "remind me at 18:00")
    last = await on.sees(chat, "What shall I remind you of?", after=answer)
    on.platform.edit(ann, message, "remind me at 18:00 to call dad")
    answer = await on.sees(chat, f"⏰ {on.day()} 18:00", after=last)
    assert answer.text.endswith("call dad")
    assert (await on.says(ann, "hello")).text == "You said: hello"
    assert "Skipped" in on.now(asked).text
    assert "Skipped" not in on.now(again).text
    on.passes(6 * HOUR)
    await on.sees(chat, "⏰ call mom", after=answer)
    await on.sees(chat, "⏰ call dad", after=answer)


async def an_answer_in_words_puts_it_off_and_done_ends_it(on: Days) -> None:
    ann = on.platform.member()
    posted = await _due(on, ann, "call Oma")
    answer = await on.says(ann, "in 2h", reply_to=posted)
    assert "14:10" in answer.text
    assert "💤" in on.now(posted).text
    on.passes(2 * HOUR)
    again = await on.sees(posted.chat, "⏰ call Oma", after=answer)
    await on.pressed(ann, again, "+10 min")
    await on.becomes(again, "💤")
    on.passes(10 * MINUTE)
    third = await on.sees(posted.chat, "⏰ call Oma", after=again)
    await on.says(ann, "done", reply_to=third)
    assert "✅" in await on.closed(third)
    assert "✅" in await on.closed(posted)


async def done_and_a_name_finishes_a_reminder_or_an_item(on: Days) -> None:
    ann = on.platform.member()
    posted = await _due(on, ann, "call Oma")
    await on.says(ann, "/todo eggs")
    assert "☑ eggs" in (await on.says(ann, "/done eggs")).text
    assert (await on.says(ann, "/done oma")).text == "✅ — call Oma"
    assert "✅" in await on.closed(posted)


async def the_last_thing_said_is_finished_in_any_language(on: Days) -> None:
    ann = on.platform.member()
    posted = await _due(on, ann, "吃药")
    await on.says(ann, "好了")
    assert "✅" in await on.closed(posted)


async def a_reminder_can_be_taken_back(on: Days) -> None:
    ann = on.platform.member()
    answer = await _set(on, ann, "/remind in 10 minutes to stretch")
    await on.pressed(ann, answer, "Undo")
    await on.sees(answer.chat, "Taken back: the reminder “stretch”")
    on.passes(20 * MINUTE)
    assert (await on.says(ann, "/tasks")).text.startswith("Nothing is scheduled.")
    assert len(on.texts(answer.chat)) == 3


async def words_that_look_like_an_id_are_words_all_the_same(on: Days) -> None:
    ann = on.platform.member()
    await _set(on, ann, "/remind in 10 minutes to stretch")
    assert (await on.says(ann, "/cancel stretch")).text == "🗑 Stopped: stretch"


async def who_says_that_it_is_another_zone_gets_it_at_that_time(on: Days) -> None:
    ann = on.platform.member()
    answer = await _set(on, ann, "/remind tomorrow at 9 to call Oma")
    assert "09:00 (UTC)" in answer.text
    if on.platform.knows_zones:
        # It is taken for theirs, and what was set holds; from now on times are meant elsewhere.
        assert "🌍 Not my time zone" not in answer.labels
        zones = await on.says(ann, "/timezone")
    else:
        await on.pressed(ann, answer, "🌍 Not my time zone")
        zones = await on.sees(answer.chat, "Time zone: UTC.", after=answer)
    await on.pressed(ann, zones, "New York")
    changed = await on.sees(answer.chat, "America/New_York.", after=zones)
    if on.platform.knows_zones:
        assert "09:00: call Oma" not in (await on.says(ann, "/tasks")).text
        await on.pressed(ann, answer, "Undo")
        await on.sees(answer.chat, "Taken back:", after=changed)
        await on.says(ann, "/remind tomorrow at 9 to call Oma")
    tasks = await on.says(ann, "/tasks")
    assert "09:00: call Oma" in tasks.text


async def what_is_understood_whole_needs_no_model_and_all_else_does(on: Days) -> None:
    ann = on.platform.member()
    asked = len(on.model.requests)
    answer = await _set(on, ann, "remind me tomorrow at 9 to call Oma")
    assert answer.text.endswith(": call Oma")
    assert len(on.model.requests) == asked
    await on.talk(ann, words="what is love?")
    assert len(on.model.requests) == asked + 1


async def the_daily_brief_says_what_is_on(on: Days) -> None:
    ann = on.platform.member()
    answer = await _set(on, ann, "/brief 17:30")
    await on.says(ann, "/todo buy milk today")
    await on.says(ann, "/remind at 20:00 to call Oma")
    on.passes(5.5 * HOUR)
    brief = await on.sees(answer.chat, "📅", after=answer)
    assert "20:00 call Oma" in brief.text
    assert "buy milk" in brief.text


# For others.


async def who_is_known_by_a_handle_only_is_named_in_the_group(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.stranger()
    family = await on.family(ann, bob)
    answer = await _set(on, ann, f"/remind {on.platform.handle(bob)} in 10 minutes to bring cake", family)
    on.passes(10 * MINUTE)
    posted = await on.sees(family, "bring cake", after=answer)
    assert posted.text == f"⏰ {on.platform.named(bob, met=False)} (from {ann.name}): bring cake"
    assert posted.told == (bob.key,)
    assert posted.labels[0] == "OK"
    await on.pressed(bob, posted, "OK")
    assert " 12:10" in await on.closed(posted)
    assert on.texts(on.platform.private(bob)) == []


async def who_never_wrote_in_private_is_reminded_in_the_group(on: Days) -> None:
    ann, bob, eve = on.platform.member(), on.platform.stranger(), on.platform.stranger()
    family = await on.family(ann, bob, eve)
    await on.talk(bob, family)
    answer = await _set(on, ann, f"/remind {bob.name} in 10 minutes to bring cake", family)
    on.passes(10 * MINUTE)
    posted = await on.sees(family, "bring cake", after=answer)
    assert posted.told == (bob.key,)
    await on.pressed(eve, posted, "OK")
    await on.pressed(bob, posted, "OK")
    assert await on.closed(posted) == f"✅ {bob.name} 12:10"
    assert on.texts(on.platform.private(bob)) == []


async def who_wrote_in_private_is_reminded_there_in_their_own_time(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    await on.says(bob, "/timezone New York")
    await on.talk(bob, family)
    answer = await _set(on, ann, f"/remind {bob.name} tomorrow at 9 to send the report", family)
    assert "09:00 New York (1" in answer.text
    assert "for you)" in answer.text
    on.passes(DAY + 3 * HOUR)
    posted = await on.sees(on.platform.private(bob), "send the report")
    assert posted.text.startswith(f"⏰ {ann.name} asked me to remind you: send the report")
    assert posted.labels == ["OK", f"Mute {ann.name}"]
    await on.pressed(bob, posted, "OK")
    assert "✅" in await on.closed(posted)
    told = await on.sees(family, f"{bob.name} ✅")
    assert told.text.endswith(": send the report")


async def of_several_the_message_says_who_has_done_it(on: Days) -> None:
    ann, bob, eve = on.platform.member(), on.platform.member(), on.platform.member()
    family = await on.family(ann, bob, eve)
    for one in (bob, eve):
        await on.talk(one, family)
    answer = await _set(on, ann, f"/remind {bob.name} and {eve.name} in 10 minutes to pay the rent", family)
    on.passes(10 * MINUTE)
    posted = await on.sees(family, "⏰", after=answer)
    assert posted.told == (bob.key, eve.key)
    await on.pressed(bob, posted, "Done")
    half = await on.becomes(posted, "1 of 2:")
    assert f"✅ {bob.name}" in half.text
    assert f"· {eve.name}" in half.text
    await on.pressed(eve, half, "Done")
    assert "2 of 2:" in await on.closed(posted)


async def what_is_for_everybody_names_and_counts_those_who_are_known(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    await on.talk(bob, family)
    answer = await _set(on, ann, "/remind everybody in 10 minutes to vote", family)
    on.passes(10 * MINUTE)
    posted = await on.sees(family, "⏰", after=answer)
    assert set(posted.told) == {ann.key, bob.key}
    assert posted.text.endswith(": vote\n👥 for 2 people")
    await on.pressed(bob, posted, "Done")
    assert await on.closed(posted) == f"✅ {bob.name} 12:10"


async def who_is_muted_reminds_no_more(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    await on.talk(bob)
    await on.talk(bob, family)
    await _set(on, ann, f"/remind {bob.name} in 10 minutes to call me", family)
    on.passes(10 * MINUTE)
    posted = await on.sees(on.platform.private(bob), "call me")
    await on.pressed(bob, posted, f"Mute {ann.name}")
    await on.count(posted.chat, 3)
    answer = await on.says(ann, f"/remind {bob.name} in 10 minutes to call me now", family)
    assert answer.text.startswith("I can't reach")


# What recurs in a group.


async def what_recurs_can_be_skipped_paused_and_stopped(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    answer = await _set(on, ann, "/remind everybody every day at 12:30 stand-up", family)
    on.passes(HOUR)
    posted = await on.sees(family, "⏰ stand-up", after=answer)
    assert posted.labels == ["Skip next", "Pause until…", "Stop"]
    await on.pressed(ann, posted, "Skip next")
    skipped = await on.becomes(posted, "is skipped")
    on.passes(DAY)
    await on.talk(ann, family)
    assert [text for text in on.texts(family) if text == "⏰ stand-up"] == []
    await on.pressed(ann, skipped, "Pause until…")
    question = await on.sees(family, "Until when shall it rest?")
    await on.says(ann, "in 3 days", family, reply_to=question)
    on.passes(2 * DAY)
    await on.talk(ann, family, words="And now?")
    assert [text for text in on.texts(family) if text == "⏰ stand-up"] == []
    on.passes(2 * DAY)
    posted = await on.sees(family, "⏰ stand-up", after=question)
    await on.pressed(ann, posted, "Stop")
    await on.becomes(posted, "🗑 Stopped: stand-up")
    on.passes(2 * DAY)
    assert (await on.says(ann, "/tasks", family)).text.startswith("Nothing is scheduled.")


async def what_was_skipped_is_left_out_also_after_a_pause(on: Days) -> None:
    ann = on.platform.member()
    answer = await _set(on, ann, "/every day at 17:00 stretch")
    await on.says(ann, "/skip stretch")
    assert "paused" in (await on.says(ann, "/pause stretch no end for now")).text
    assert f"next {on.day(1)}" in (await on.says(ann, "/resume stretch")).text
    on.passes(6 * HOUR)
    await on.talk(ann)
    assert "⏰ stretch" not in on.texts(answer.chat)
    on.passes(DAY)
    await on.sees(answer.chat, "⏰ stretch", after=answer)


# While the program was down.


async def what_was_missed_comes_late_or_never_as_it_wants(on: Days) -> None:
    ann = on.platform.member()
    home = on.platform.private(ann)
    on.noon()
    for text in ("run", "skip", "3600", "14400"):
        await on.says(ann, f"/remind in 1 hour to do as {text} says")
    async with on.away(4 * HOUR):
        on.bot.change("UPDATE trigger SET late = substr(text, 7, length(text) - 11) WHERE text LIKE 'do as %'")
    await on.sees(home, "as run says\n3 h late – I was offline.")
    await on.talk(ann)
    came = sorted(text for text in on.texts(home) if text.startswith("⏰ do as"))
    assert [text.split()[3] for text in came] == ["14400", "run"], came


async def a_wish_that_was_over_when_it_was_read_can_come_now_later_or_never(on: Days) -> None:
    people = [on.platform.member() for _ in range(3)]
    for one in people:
        await on.talk(one)
    on.noon()
    async with on.away(3 * HOUR):
        for one in people:
            on.platform.say(one, "/remind in 20 minutes to stretch")
    for one, label, outcome in zip(
        people,
        ("Remind me now", "In 20 min from now", "Drop"),
        ("⏰ now: stretch", "in 20 min: stretch", "Dropped."),
        strict=True,
    ):
        home = on.platform.private(one)
        asked = await on.sees(home, "“stretch” was due 2 h 40 min ago, while I was offline.")
        assert asked.labels == ["Remind me now", "In 20 min from now", "Drop"]
        await on.pressed(one, asked, label)
        await on.sees(home, outcome, after=asked)
    now, later, never = map(on.platform.private, people)
    await on.until(lambda: "⏰ stretch" in on.texts(now))
    on.passes(20 * MINUTE)
    await on.until(lambda: "⏰ stretch" in on.texts(later))
    await on.talk(people[2])
    assert not [text for text in on.texts(never) if text.startswith("⏰")]
