"""Stories of Slack alone: threads, commands for one's own eyes, windows, the page, and what was missed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from tests.acceptance.playing import AHEAD, played_on_slack
from tests.acceptance.slack_driver import admitted
from tests.acceptance.stories.days import DAY, MINUTE
from tests.acceptance.stories.office import MENTION, Office
from tests.acceptance.stories.stage import HOUR
from tests.acceptance.stories.watching import hearing, model
from tests.emulators.openai_answers import Call

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    """One program for all stories, with a list of those who have access."""
    settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted(), "ROLES__PRESET": "assistant"}
    async with played_on_slack(Office, tmp_path_factory.mktemp("office"), AHEAD, **settings) as stage:
        yield stage


# Threads.


async def test_it_reads_a_thread_that_it_never_saw_and_keeps_nothing_of_it(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    root = office.write(ann, "Pizza or pasta on Friday?", room)
    office.write(bob, "Pasta alla Norma it is.", room, root)
    await office.asked(ann, "what did we decide?", room, root)
    heard = json.dumps(office.model.requests[-1].messages)
    assert "Pizza or pasta" in heard
    assert bob.name in heard
    assert "alla Norma" in heard
    assert not [name for name, content in office.bot.written().items() if b"alla Norma" in content]


async def test_a_talk_goes_on_with_whom_it_answered_until_they_speak_to_somebody_else(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    root = await office.asked(ann, "hello", room)
    office.write(ann, "and what about tea", room, root)
    await office.hears(room, "You said: and what about tea", thread=root)
    office.write(bob, "I would rather have juice", room, root)
    office.write(ann, f"<@{bob.key}> juice is out", room, root)
    office.write(ann, "or is there some left", room, root)
    await office.asked(bob, "Still here?", room, root)
    assert [one.text for one in office.said(room, root)] == [
        "You said: hello",
        "You said: and what about tea",
        "You said: Still here?",
    ]


async def test_what_was_said_before_the_mention_is_not_answered_when_slack_hands_it_over_late(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    root = office.write(bob, "Tea on Friday?", room)
    await office.slack.wait_until(lambda: not office.slack.pending())
    office.slack.delivery_fault("kept")
    office.write(ann, "Bob, shall we inquire of it?", room, root)
    await office.asked(bob, "pasta or pizza", room, root)
    await office.asked(ann, "pizza or pasta", room, root)
    office.slack.deliveries.hand_out()
    await office.slack.wait_until(lambda: not office.slack.pending())
    assert not [name for name, content in office.bot.written().items() if b"inquire of it" in content]
    await office.asked(ann, "or soup", room, root)
    assert [one.text.removeprefix("You said: ") for one in office.said(room, root)] == [
        "pasta or pizza",
        "pizza or pasta",
        "or soup",
    ]


async def test_who_has_it_hush_is_answered_again_when_they_mention_it(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    root = await office.asked(ann, "hello", room)
    office.write(ann, "hush", room, root)
    await office.hears(room, "🤫", thread=root)
    office.write(ann, "where is the milk", room, root)
    await office.asked(ann, "Still here?", room, root)
    assert len(office.said(room, root)) == 3


async def test_a_question_in_a_thread_is_answered_there_in_words_also_after_a_crash(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    question = json.dumps([{"question": "Which room?"}])
    root = office.write(ann, f"{MENTION} ask {question}", room)
    await office.hears(room, "Which room?", thread=root)
    await office.restart()
    office.write(bob, "The red one", room, root)
    office.write(ann, "The blue one", room, root)
    await office.hears(room, "Noted: The blue one (user).", thread=root)


async def test_who_forgot_the_mention_adds_it_and_is_answered_once(office: Office) -> None:
    ann = office.platform.member()
    room = await office.family(ann)
    root = office.write(ann, "what is left of the tea", room)
    office.slack.edit(root, f"{MENTION} what is left of the tea", ann.key, room.key)
    await office.hears(room, "You said: what is left of the tea", thread=root)
    office.slack.edit(root, f"{MENTION} what is left of the green tea", ann.key, room.key)
    await office.asked(ann, "thanks", room, root)
    assert [one.text for one in office.said(room, root)] == ["You said: what is left of the tea", "You said: thanks"]


# People.


async def test_who_is_deactivated_while_the_bot_is_off_has_left_their_groups(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    await office.asked(ann, "hello", room)
    await office.asked(bob, "hello there", room)
    office.write(ann, f"{MENTION} remind <@{bob.key}> tomorrow at 9 to bring the cake", room)
    await office.hears(room, "bring the cake")
    await office.bot.stop()
    # Nobody ever says so again.
    office.slack.user(bob.key).deleted = True
    await office.bot.start()
    told = await office.hears(room, f"{bob.name} has left")
    assert told.text.endswith("- bring the cake")


async def test_who_is_reactivated_while_the_bot_is_off_gets_late_what_came_meanwhile(office: Office) -> None:
    ann = office.platform.member()
    home = office.platform.private(ann)
    await office.says(ann, "/remind in 2 hours to feed the cat")
    await office.says(ann, "/remind every day at 9 to walk")
    office.slack.user(ann.key, deleted=True)
    await office.slack.wait_until(lambda: not office.slack.pending())
    async with office.away(3 * HOUR):
        assert office.bot.value("SELECT state FROM chat WHERE external_id = ?", home.key) == "gone"
        # Nobody ever says so again.
        office.slack.user(ann.key).deleted = False
    assert "1 h late" in (await office.hears(home, "⏰ feed the cat")).text
    office.passes(DAY)
    await office.hears(home, "⏰ walk")


# Slash commands.


async def test_what_a_command_says_is_seen_by_one_person_until_they_share_it(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    answer = await office.commands(ann, "/teller time", room)
    assert "Share here" in answer.labels
    assert len(office.said(room, person=bob)) == 1
    office.slack.press(answer.ts, "Share here", ann.key, room.key)
    shared = await office.hears(room, "Shared by", person=bob)
    assert shared.text.startswith(answer.text)
    assert ann.name in shared.text


async def test_a_command_where_the_bot_is_not_is_answered_to_one_person_there(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = office.platform.group(ann, bob)
    answer = await office.commands(ann, "/teller time", room)
    assert "UTC" in answer.text
    assert office.said(room) == []
    note = (await office.commands(ann, "/teller todo buy milk", room)).text
    assert note == "☐ buy milk\n\nIn your own list: I am not in this channel. Invite me: /invite @Teller"
    assert "buy milk" in (await office.says(ann, "/todo")).text


async def test_a_press_where_the_bot_is_not_is_answered_also_when_it_comes_too_late(office: Office) -> None:
    ann = office.platform.member()
    room = office.platform.group(ann)
    added = await office.commands(ann, "/teller todo buy milk", room)
    for _ in range(2):
        office.slack.press(added.ts, "Undo", ann.key, room.key)
    await office.hears(office.platform.private(ann), "Already done.")


async def test_what_is_for_all_of_a_channel_where_the_bot_is_not_says_why_it_comes_in_private(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = office.platform.group(ann, bob)
    why = "I am not in this channel. Invite me: /invite @Teller, then ask once more."
    for words in ("remind us tomorrow at 9 standup", "remind everybody every day at 9 to stretch"):
        answer = await office.commands(ann, f"/teller {words}", room)
        assert answer.text.endswith(f"It comes in your own chat with me, where only you see it.\n{why}")
    assert why not in (await office.commands(ann, "/teller remind me tomorrow at 9 call Oma", room)).text


async def test_what_is_only_for_a_channel_says_why_it_is_not_there(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = office.platform.group(ann, bob)
    why = "I am not in this channel. Invite me: /invite @Teller, then ask once more."
    brief = (await office.commands(ann, "/teller brief 9", room)).text
    assert brief.endswith(f"the daily brief\nIt comes in your own chat with me, where only you see it.\n\n{why}")
    for line in ("readalong on", "summary fridays at 17"):
        answer = (await office.commands(ann, f"/teller {line}", room)).text
        assert answer == f"That works in a group only.\n\n{why}"
    assert why not in (await office.says(ann, "/brief off")).text
    office.platform.add_bot(room, ann)
    await office.hears(room, "Hello!")
    assert why not in (await office.commands(ann, "/teller readalong off", room)).text


async def test_the_list_has_a_command_of_its_own(office: Office) -> None:
    ann = office.platform.member()
    room = await office.family(ann)
    added = (await office.commands(ann, "/todo add buy bread", room)).text
    assert added.startswith("☐ buy bread\n\nIn the list of #family-")
    assert "buy bread" in (await office.commands(ann, "/todo", room)).text
    own, _, of_groups = (await office.says(ann, "/todo")).text.partition("From your groups:")
    assert ("buy bread" in own, "buy bread" in of_groups) == (False, True)


async def test_a_colleague_without_access_is_told_once_a_day_and_nobody_else_sees_it(office: Office) -> None:
    ann, eve = office.platform.member(), office.platform.stranger()
    room = office.platform.group(ann, eve)
    told = await office.commands(eve, "/teller help", room)
    assert "not set up for you" in told.text
    press = office.slack.command("/teller todo", eve.key, room.key)
    await press.envelope.settled()
    assert len(office.alone(eve, room)) == 1
    office.passes(DAY + MINUTE)
    assert (await office.commands(eve, "/teller help", room)).text == told.text
    assert office.said(room) == []


async def test_a_mass_mention_reaches_nobody(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    for words in ("say <!channel> and @here", "and <!subteam^S1|@all> @everyone", "for <!everyone|x>"):
        root = office.write(ann, f"{MENTION} {words}", room)
        await office.hears(room, "You said: ", thread=root)
    for call in office.slack.calls("chat.postMessage"):
        sent = json.dumps([call.params.get("text"), call.params.get("blocks")])
        assert "<!" not in sent
        assert not {"@here", "@channel", "@everyone"} & set(sent.replace('"', " ").split())


# Windows.


async def test_a_long_answer_is_written_in_a_window_by_whom_was_asked(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    root = office.write(ann, f"{MENTION} ask {json.dumps([{'question': 'What is your plan?'}])}", room)
    question = await office.hears(room, "What is your plan?", thread=root)
    # Where it stands is stored before the next message goes there. Who presses sooner is refused in the window.
    office.write(ann, f"{MENTION} /timezone", room)
    await office.hears(room, "Time zone")
    press = office.slack.press(question.ts, question.labels[-1], bob.key, room.key)
    await office.slack.wait_until(lambda: bool(office.slack.toasts(press)))
    assert [one.text for one in office.slack.toasts(press)] == ["This question is for somebody else."]
    assert office.slack.views(bob.key) == []
    office.slack.press(question.ts, question.labels[-1], ann.key, room.key)
    assert await office.window(ann) == "Your answer"
    await office.sends(ann, {"Answer": "First this.\nThen that."})
    await office.hears(room, "Noted: First this.\nThen that. (user).", thread=root)


async def test_long_options_are_chosen_from_a_menu(office: Office) -> None:
    ann = office.platform.member()
    options = [f"{n}: the way that goes by the old mill and the river, then up the hill" for n in range(1, 9)]
    (question,) = await office.ask(ann, {"question": "Which way?", "options": options})
    message = office.slack.team.channels[question.chat.key].messages[question.key]
    assert [one["type"] for block in message.blocks if block["type"] == "actions" for one in block["elements"]] == [
        "static_select"
    ]
    assert len(question.labels) == len(options) + 1
    await office.pressed(ann, question, question.labels[2])
    await office.told(question.chat, f"Noted: {options[2]} (user).")


async def test_a_message_is_to_be_remembered_in_the_time_of_who_wants_it(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    zone = "Asia/Tokyo"
    office.slack.user(ann.key, tz=zone, tz_offset=32400)
    room = await office.family(ann, bob)
    await office.talk(ann)
    wish = office.write(bob, "The lease ends in May", room)
    office.slack.shortcut("remind_message", ann.key, message=wish, channel=room.key)
    await office.window(ann)
    then = office.clock.replace(microsecond=0).timestamp() // 60 * 60 + 3 * 3600
    await office.sends(ann, {"When": int(then)})
    local = datetime.fromtimestamp(then, UTC).astimezone(ZoneInfo(zone))
    home = office.platform.private(ann)
    read_back = await office.sees(home, "The lease ends in May")
    assert f"{local:%H:%M}" in read_back.text
    office.passes(3 * 3600 + MINUTE)
    reminder = await office.sees(home, "⏰ The lease ends in May", after=read_back)
    blocks = office.slack.team.channels[home.key].messages[reminder.key].blocks
    assert f"/archives/{room.key}/p{wish.replace('.', '')}" in json.dumps(blocks)


# Colleagues.


async def test_a_model_reminds_a_colleague_who_has_never_written(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    await office.talk(ann)
    when = f"{office.clock + timedelta(hours=20):%Y-%m-%dT%H:%M}+00:00"
    call = Call("remind", {"text": "send the slides", "when": when, "for": [f"@{bob.name.lower()}"]})
    office.model.reply_with(model(teller=hearing("could you see to it", call)))
    office.platform.say(ann, f"could you see to it that {office.platform.handle(bob)} sends the slides tomorrow?")
    await office.sees(office.platform.private(ann), "⏰")
    home = office.platform.private(bob)
    assert office.texts(home) == []
    office.passes(20 * 3600 + MINUTE)
    reminder = await office.sees(home, "send the slides")
    assert ann.name in reminder.text
    assert "OK" in reminder.labels


# The page.


async def test_the_page_shows_what_is_ones_own_and_does_it(office: Office) -> None:
    ann = office.platform.member()
    await office.says(ann, "/todo water the fern")
    reminder = await office.says(ann, "/remind in 2 hours to call the plumber")
    await office.says(ann, "/remind in 3 hours to feed the cat")
    assert reminder.text.startswith("⏰")
    office.slack.open_home(ann.key)
    page = await office.home(ann, lambda text: "water the fern" in text)
    assert "call the plumber" in page
    assert "UTC" in page
    labels = [one["text"]["text"] for one in office.buttons(ann)]
    office.uses_home(ann, next(one for one in labels if "Done" in one))
    before = await office.home(ann, lambda text: "water the fern" not in text)
    assert (await office.says(ann, "/todo")).labels == ["☑ water the fern"]
    snooze, cancel = (next(one for one in labels if word in one) for word in ("+1 h", "Cancel"))
    office.uses_home(ann, snooze)
    page = await office.home(ann, lambda text: "call the plumber" in text and text != before)
    office.uses_home(ann, cancel)
    await office.home(ann, lambda text: ("call the plumber" in text) != ("feed the cat" in text))


# Where the bot is not, and what it missed.


async def test_who_made_a_reminder_is_told_how_to_invite_the_bot_that_was_thrown_out(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    await office.talk(ann)
    await office.says(ann, "/remind everybody in 10 minutes to stand up", room)
    office.platform.remove_bot(room, bob)
    await office.talk(ann)
    office.passes(11 * MINUTE)
    told = await office.sees(office.platform.private(ann), "stand up")
    assert "/invite @Teller" in told.text


async def test_what_was_said_while_nobody_listened_is_answered_after_the_reconnection(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    root = await office.asked(ann, "hello", room)
    await office.talk(bob)
    async with office.cut_off():
        office.platform.say(bob, "Anybody there?")
        office.write(ann, "and a thread goes on", room, root)
        other = office.write(bob, f"{MENTION} a new one", room)
        office.write(bob, "nobody is meant", room)
    await office.told(office.platform.private(bob), "You said: Anybody there?")
    await office.hears(room, "You said: and a thread goes on", thread=root)
    await office.hears(room, "You said: a new one", thread=other)
    await office.talk(bob)
    assert office.texts(office.platform.private(bob)).count("You said: Anybody there?") == 1
    assert not [one for one in office.said(room) if "nobody is meant" in one.text]


async def test_who_moves_to_another_zone_is_reminded_in_it(office: Office) -> None:
    ann = office.platform.member()
    await office.says(ann, "/brief 08:00")
    office.slack.user(ann.key, tz="Asia/Tokyo", tz_offset=32400)
    await office.talk(ann)
    answer = await office.says(ann, "/remind tomorrow at 9 to call Oma")
    assert "09:00 (Tokyo)" in answer.text


# What only one person sees is theirs.


async def test_what_somebody_wants_to_be_reminded_of_in_a_channel_comes_to_them_alone(office: Office) -> None:
    office.noon()
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    home = office.platform.private(ann)
    answer = await office.commands(ann, "/teller remind me in 10 minutes to call the doctor", room)
    assert "It comes in your own chat with me, where only you see it." in answer.text
    instead = f"In #{office.slack.team.channels[room.key].name} instead"
    assert answer.labels == ["Change", "Undo", instead]
    office.passes(10 * MINUTE)
    await office.hears(home, "⏰ call the doctor")
    other = await office.commands(ann, "/teller remind me in 10 minutes to water the fern", room)
    office.slack.press(other.ts, instead, ann.key, room.key)
    await office.until(lambda: any("It comes here" in one.text for one in office.alone(ann, room)))
    office.passes(10 * MINUTE)
    await office.hears(room, "water the fern", person=bob)
    assert not [one for one in office.said(room, person=bob) if "doctor" in one.text]


async def test_an_answer_for_one_person_is_shown_to_nobody_else_where_its_address_is_foreign(office: Office) -> None:
    ann, bob = office.platform.member(), office.platform.member()
    room = await office.family(ann, bob)
    url, office.slack.responding.url = office.slack.responding.url, "https://evil.example"
    try:
        answer = await office.commands(ann, "/teller todo buy a ring", room)
    finally:
        office.slack.responding.url = url
    assert answer.text.startswith("☐ buy a ring")
    assert not [one for one in office.said(room, person=bob) if "ring" in one.text]


# What was said.


async def test_a_summary_in_a_channel_is_seen_by_who_asked_alone(office: Office) -> None:
    ann, bob = office.platform.owner, office.platform.member()
    room = await office.family(ann, bob)
    office.write(ann, f"{MENTION} /readalong on", room)
    await office.hears(room, "read along")
    office.write(ann, "Berta brings the plum cake", room)
    shown = await office.commands(bob, "/teller summary", room)
    assert "plum cake" in shown.text
    office.write(bob, f"{MENTION} what did I miss?", room)
    await office.until(lambda: len([one for one in office.alone(bob, room) if "plum cake" in one.text]) > 1)
    assert office.alone(ann, room) == []
    assert not any("plum cake" in one.text for one in office.said(room))
    found = await office.commands(bob, "/teller history plum cake", room)
    assert "Berta brings the plum cake" in found.text
    messages = office.slack.team.channels[room.key].ephemeral
    assert any(f"/archives/{room.key}/p" in str(one.blocks) for one in messages)
