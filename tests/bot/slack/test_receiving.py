"""Receiving from Slack: what people do there is taken in before it is acknowledged, each thing once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from core.kernel.errors import StorageError
from core.kernel.types import Destination, Inbound, Press, Sender
from core.kernel.updates import Deleted, Left, Opened, Presence, Profile, Returned, Update
from core.toolkit import intents
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import ACK_SECONDS
from tests.memory_intake import DEADLINE
from tests.slack_house import USER, SlackHouse

ACTIONS = {
    "type": "actions",
    "block_id": "a",
    "elements": [
        {
            "type": "button",
            "action_id": "teller:0",
            "value": "abcdefghijklmnopqrstuv:0",
            "text": {"type": "plain_text", "text": "Yes"},
        },
        {"type": "button", "action_id": "teller:answer", "text": {"type": "plain_text", "text": "Answer"}},
    ],
}


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.retry_after = (0.0, 0.05, 0.05)
        found.user(USER, name="ada", real_name="Ada L.", tz="Europe/Berlin", locale="en-GB")
        yield found


@pytest.fixture
async def house(server: SlackServer) -> AsyncIterator[SlackHouse]:
    found = SlackHouse(server)
    async with found.receiving():
        yield found


async def taken(house: SlackHouse, kind: type[Update]) -> list[Update]:
    """Wait until everything is acknowledged, and return what was taken in of a kind."""
    await house.arrived()
    return [row for row in house.intake.rows.values() if isinstance(row, kind)]


def has(house: SlackHouse, text: str) -> bool:
    """Whether a message with this text was taken in."""
    return text in house.intake.messages()


async def said(house: SlackHouse) -> Inbound:
    [found] = await taken(house, Inbound)
    assert isinstance(found, Inbound)
    return found


async def test_a_private_message_is_read_whole(house: SlackHouse) -> None:
    ts = house.server.say("hello & <b>")
    found = await said(house)
    assert found.sender == Sender(
        address="slack:T0001:U1001",
        name="ada",
        language="en",
        handle="@ada",
        kin="full",
        timezone="Europe/Berlin",
    )
    assert (found.text, found.chat_kind, found.thread, found.addressed) == ("hello & <b>", "private", "", True)
    assert (found.key, found.message_id) == (f"m:{house.server.dm()}:{ts}", ts)
    assert found.twin.startswith("c:")


async def test_a_mention_comes_twice_and_is_one_message_in_its_thread(house: SlackHouse) -> None:
    channel = house.server.channel(name="general")
    ts = house.server.mention("what is up", channel=channel)
    found = await said(house)
    assert (found.text, found.addressed, found.converses) == ("what is up", True, True)
    assert (found.thread, found.title, found.chat_kind) == (ts, "#general", "group")
    assert len(house.server.deliveries.of("events_api")) == 2


async def test_what_people_say_to_each_other_is_not_addressed(house: SlackHouse) -> None:
    channel = house.server.channel(("U1001", "U1002"))
    root = house.server.say("<@U1002> lunch?", channel=channel)
    await said(house)
    house.server.say("yes", "U1002", channel, thread=root)
    first, second = await taken(house, Inbound)
    assert isinstance(first, Inbound)
    assert isinstance(second, Inbound)
    assert (first.text, first.addressed, [one.handle for one in first.mentioned]) == (
        "@u1002 lunch?",
        False,
        ["@u1002"],
    )
    assert second.thread == root


async def test_other_bots_and_our_own_messages_are_not_taken_in(house: SlackHouse) -> None:
    channel = house.server.channel()
    house.server.other_bot("<@U0BOT> hello", channel)
    house.server.say("me", "U0BOT", channel)
    assert not await taken(house, Inbound)


async def test_what_is_deleted_before_it_comes_never_comes(house: SlackHouse) -> None:
    house.server.delivery_fault("kept")
    ts = house.server.say("my PIN is 4711")
    house.server.delete(ts)
    await house.intake.wait(lambda: any(isinstance(one, Deleted) for one in house.intake.rows.values()))
    house.server.deliveries.hand_out()
    assert await taken(house, Inbound) == []
    house.server.say("hello")
    assert (await said(house)).text == "hello"


async def test_what_is_edited_before_it_comes_comes_as_it_is_now(house: SlackHouse) -> None:
    house.server.delivery_fault("kept")
    ts = house.server.say("remind me at 5")
    for text in ("remind me at 6", "remind me at 7"):
        house.server.edit(ts, text)
        await house.intake.wait(partial(has, house, text))
    house.server.deliveries.hand_out()
    texts = [one.text for one in await taken(house, Inbound) if isinstance(one, Inbound) and not one.edits]
    assert texts == ["remind me at 7"]


async def test_of_edits_that_come_in_another_order_the_last_one_counts(house: SlackHouse) -> None:
    house.server.delivery_fault("kept")
    ts = house.server.say("remind me at 5")
    house.server.delivery_fault("held")
    for text in ("remind me at 6", "remind me at 7"):
        house.server.edit(ts, text)
    for envelope in house.server.deliveries.all[-2:]:
        await envelope.settled()
    house.server.deliveries.hand_out()
    texts = [one.text for one in await taken(house, Inbound) if isinstance(one, Inbound)]
    assert texts == ["remind me at 7"] * 2


async def test_an_edit_that_comes_after_the_deletion_brings_nothing_back(house: SlackHouse) -> None:
    house.server.delivery_fault("kept")
    ts = house.server.say("my PIN is")
    house.server.delivery_fault("held")
    house.server.edit(ts, "my PIN is 4711")
    house.server.delete(ts)
    for envelope in house.server.deliveries.all[-2:]:
        await envelope.settled()
    house.server.deliveries.hand_out()
    assert await taken(house, Inbound) == []


async def test_an_edit_and_a_deletion_name_their_message(house: SlackHouse) -> None:
    ts = house.server.say("helo")
    house.server.edit(ts, "hello")
    house.server.delete(ts)
    rows = await taken(house, Inbound)
    edited = next(row for row in rows if isinstance(row, Inbound) and row.edits)
    assert isinstance(edited, Inbound)
    assert (edited.text, edited.edits, edited.key.startswith("e:")) == ("hello", ts, True)
    [deleted] = await taken(house, Deleted)
    assert deleted == Deleted(key=f"d:{house.server.dm()}:{ts}", chat=house.server.dm(), message_id=ts)


async def test_what_could_not_be_stored_comes_again(house: SlackHouse) -> None:
    house.intake.failures.append(StorageError("the disk is gone"))
    house.server.say("keep me")
    found = await said(house)
    [envelope] = house.server.deliveries.of("events_api")
    assert (found.text, envelope.attempts) == ("keep me", 2)


async def test_who_cannot_be_found_out_now_is_asked_for_again(house: SlackHouse) -> None:
    house.server.fault("users.info", kind="500")
    house.server.say("who am I")
    found = await said(house)
    assert found.sender.name == "ada"


async def test_who_may_not_be_asked_for_has_a_bare_name(house: SlackHouse) -> None:
    house.server.team.scopes.discard("users:read")
    house.server.say("who am I", "U2001")
    found = await said(house)
    assert found.sender == Sender(address="slack:T0001:U2001", name="U2001", unknown="ever")


async def test_a_lost_acknowledgement_makes_no_second_message(house: SlackHouse) -> None:
    house.server.delivery_fault("lost_ack")
    house.server.say("once")
    assert (await said(house)).text == "once"


async def test_a_press_carries_its_data_and_is_answered_to_the_presser_alone(house: SlackHouse) -> None:
    house.intake.told = lambda update: "Already answered." if isinstance(update, Press) else None
    channel = house.server.channel()
    team = house.server.team
    message = house.server.world.post(
        team, team.channels[channel], user=team.bot_user, bot_id=team.bot_id, blocks=[ACTIONS]
    )
    press = house.server.press(message.ts, "Yes", channel=channel)
    [found] = await taken(house, Press)
    assert isinstance(found, Press)
    assert (found.data, found.chat, found.message_id) == ("abcdefghijklmnopqrstuv:0", channel, message.ts)
    assert (found.thread, found.response_url) == (message.ts, "")
    await house.server.wait_until(lambda: bool(house.server.toasts(press)), DEADLINE)
    assert [one.text for one in house.server.toasts(press)] == ["Already answered."]


async def test_a_long_answer_is_given_in_a_window(house: SlackHouse) -> None:
    server = house.server
    team, dm = server.team, server.dm()
    message = server.world.post(team, team.channels[dm], user=team.bot_user, bot_id=team.bot_id, blocks=[ACTIONS])
    server.press(message.ts, "Answer")
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    [view] = server.views()
    await server.submit({"text": "  a long\nstory  "}).settled()
    found = await said(house)
    assert (found.text, found.reply_to, found.chat, found.thread) == ("a long\nstory", message.ts, dm, "")
    assert found.key.startswith(f"v:{view.id}:")


async def test_the_answer_to_what_only_one_sees_belongs_to_the_channel_and_no_thread(house: SlackHouse) -> None:
    server = house.server
    channel = server.channel(name="general")
    client = house.adapter._incoming._served[server.team.id].workspace.client
    await client.chat_postEphemeral(channel=channel, user="U1001", text="When?", blocks=[ACTIONS])
    [shown] = server.shown(channel, "U1001")
    server.press(shown.ts, "Answer", channel=channel)
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    await server.submit({"text": "tomorrow"}).settled()
    found = await said(house)
    assert (found.text, found.chat, found.thread, found.reply_to) == ("tomorrow", channel, "", "")


async def test_an_empty_answer_leaves_the_window_open(house: SlackHouse) -> None:
    server = house.server
    team, dm = server.team, server.dm()
    message = server.world.post(team, team.channels[dm], user=team.bot_user, bot_id=team.bot_id, blocks=[ACTIONS])
    server.press(message.ts, "Answer")
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    await server.submit({"text": "   "}).settled()
    assert server.errors() == {"text": "Please write something."}
    assert not await taken(house, Inbound)


async def test_a_message_becomes_a_reminder_by_its_menu(house: SlackHouse) -> None:
    server = house.server
    channel = server.channel()
    ts = server.say("the report is due", channel=channel)
    await said(house)
    server.shortcut("remind_message", message=ts, channel=channel)
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    await server.submit({"when": 1_900_000_000}).settled()
    rows = await taken(house, Inbound)
    found = rows[-1]
    assert isinstance(found, Inbound)
    asked = {"quoted": "the report is due", "link": found.link}
    wanted = intents.remind_at("the report is due", 1_900_000_000_000, "2030-03-17T18:46", **asked)
    assert (found.intent, found.text) == (wanted, "the report is due")
    assert (found.chat, found.quoted, found.link[:8]) == (server.dm(), "the report is due", "https://")


async def test_a_reminder_in_the_past_is_refused_in_the_window(house: SlackHouse) -> None:
    server = house.server
    ts = server.say("the report is due")
    server.shortcut("remind_message", message=ts)
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    await server.submit({"when": 1_600_000_000}).settled()
    assert server.errors() == {"when": "That is in the past."}


async def test_a_to_do_is_written_in_a_window(house: SlackHouse) -> None:
    server = house.server
    server.shortcut("new_todo")
    await server.wait_until(lambda: bool(server.views()), DEADLINE)
    await server.submit({"text": "buy milk", "due": "2030-03-18"}).settled()
    found = await said(house)
    assert (found.intent, found.text) == (intents.add("buy milk", due="2030-03-18"), "buy milk")


async def test_a_command_in_a_channel_of_ours_belongs_there(house: SlackHouse) -> None:
    channel = house.server.channel(name="general")
    press = house.server.command("/teller todo add milk", channel=channel)
    await press.envelope.settled()
    found = await said(house)
    assert (found.text, found.chat, found.chat_kind, found.thread) == ("/todo add milk", channel, "group", "")
    assert found.title == "#general"
    assert (found.response_url, found.polite, press.envelope.response) == (press.url, True, None)
    # What is no command is theirs alone: so it is told where their own conversation is.
    assert found.direct == house.server.dm()


async def test_a_command_is_taken_though_the_private_conversation_cannot_be_opened(house: SlackHouse) -> None:
    channel = house.server.channel(name="general")
    house.server.fault("conversations.open", error="missing_scope")
    await house.server.command("/teller hello", channel=channel).envelope.settled()
    found = await said(house)
    assert (found.chat, found.direct) == (channel, "")


async def test_a_command_elsewhere_belongs_to_the_private_conversation(house: SlackHouse) -> None:
    channel = house.server.channel(bot=False)
    press = house.server.command("/teller how are you", channel=channel)
    await press.envelope.settled()
    found = await said(house)
    assert (found.text, found.chat, found.chat_kind) == ("how are you", house.server.dm(), "private")
    assert found.response_url == press.url


async def test_a_command_in_the_private_conversation_is_answered_there(house: SlackHouse) -> None:
    await house.server.command("/todo").envelope.settled()
    found = await said(house)
    assert (found.text, found.chat, found.response_url) == ("/todo", house.server.dm(), "")


async def test_somebody_without_access_is_told_so_at_once(house: SlackHouse) -> None:
    house.intake.told = lambda update: "I'm not set up for you."
    press = house.server.command("/teller help")
    await press.envelope.settled()
    assert press.envelope.response == {"response_type": "ephemeral", "text": "I'm not set up for you."}


@pytest.mark.parametrize("private", [True, False])
async def test_a_colleague_without_access_who_writes_to_the_bot_is_told_so(house: SlackHouse, private: bool) -> None:
    server = house.server
    once = ["I'm not set up for you."]
    house.intake.told = lambda update: once.pop() if getattr(update, "polite", False) and once else ""
    channel = server.dm() if private else server.channel(name="general")
    if private:
        server.say("hello")
    else:
        server.say("not for you", channel=channel)
        server.mention("hello", USER, channel)
    await server.wait_until(lambda: bool(server.team.channels[channel].ephemeral), DEADLINE)
    assert [one.text for one in server.team.channels[channel].ephemeral] == ["I'm not set up for you."]


async def test_where_the_bot_comes_and_goes_is_noted(house: SlackHouse) -> None:
    channel = house.server.channel(("U1001", "U1002"), bot=False, name="team")
    house.server.invite_bot(channel)
    [come] = await taken(house, Presence)
    assert isinstance(come, Presence)
    assert (come.present, come.chat, come.title, come.sender.name) == (True, channel, "#team", "ada")
    house.server.leave("U1002", channel)
    [left] = await taken(house, Left)
    assert isinstance(left, Left)
    assert left.address == "slack:T0001:U1002"
    house.server.kick_bot(channel)
    _, gone = await taken(house, Presence)
    assert isinstance(gone, Presence)
    assert not gone.present


async def test_who_leaves_a_channel_is_not_taken_for_a_member_from_then_on(house: SlackHouse) -> None:
    channel, who = house.server.channel(("U1001", "U1002"), name="team"), "slack:T0001:U1002"
    place = Destination(tenant="T0001", chat=channel)
    assert await house.adapter.belongs(place, who)
    house.server.leave("U1002", channel)
    await taken(house, Left)
    assert not await house.adapter.belongs(place, who)
    house.server.join("U1002", channel)
    await taken(house, Returned)
    assert await house.adapter.belongs(place, who)


async def test_a_new_profile_is_noted_and_used(house: SlackHouse) -> None:
    house.server.say("one")
    await said(house)
    house.server.user(USER, tz="Asia/Tokyo")
    [changed] = await taken(house, Profile)
    assert isinstance(changed, Profile)
    assert (changed.sender.timezone, changed.sender.language) == ("Asia/Tokyo", "en")
    house.server.say("two")
    _, second = await taken(house, Inbound)
    assert isinstance(second, Inbound)
    assert second.sender.timezone == "Asia/Tokyo"


async def test_the_page_is_opened_and_prompts_are_offered(house: SlackHouse) -> None:
    house.server.team.scopes.add("assistant:write")
    house.server.open_home()
    [opened] = await taken(house, Opened)
    assert isinstance(opened, Opened)
    assert (opened.chat, opened.sender.name) == (house.server.dm(), "ada")
    house.server.open_home(tab="messages")
    await house.server.wait_until(lambda: bool(house.server.team.prompts), DEADLINE)
    assert set(house.server.team.prompts) == {(house.server.dm(), "")}


async def test_an_older_app_goes_on_by_threads(house: SlackHouse) -> None:
    house.server.world.app.agent = False
    place = house.server.dm()
    root = house.server.world.next_ts()
    thread = {"user_id": USER, "context": {"channel_id": "C0SEEN"}, "channel_id": place, "thread_ts": root}
    for kind in ("assistant_thread_started", "assistant_thread_context_changed"):
        house.server.push({"type": kind, "assistant_thread": thread, "event_ts": house.server.world.next_ts()})
    assert await house.arrived() == []
    written = {"type": "message", "user": USER, "text": "hello", "channel": place, "channel_type": "im"}
    written |= {"ts": house.server.world.next_ts(), "event_ts": root, "thread_ts": root}
    house.server.push({**written, "assistant_thread": {}})
    [found] = await house.arrived()
    assert (found.text, found.thread) == ("hello", root)


async def test_what_somebody_looks_at_is_acknowledged_and_nothing_of_it_is_taken_in(house: SlackHouse) -> None:
    house.server.deliveries.ack_seconds = 0.5  # what is no event of Slack's is never acknowledged
    house.server.look("C0SECRET")
    house.server.push({"type": "app_context_changed", "context": "broken", "user": 5, "channel": None})
    assert await house.arrived() == []
    assert house.intake.rows == {}
    house.server.deliveries.ack_seconds = ACK_SECONDS
    house.server.say("hello")
    assert (await said(house)).raw.count("C0SECRET") == 0
    assert "app_context" in house.server.deliveries.of("events_api", "message")[-1].payload["event"]


async def test_somebody_of_another_workspace_is_an_outsider(house: SlackHouse) -> None:
    server = house.server
    server.world.team("T0002", installed=False)
    server.user("U7", team="T0002", name="eve")
    channel = server.channel(("U1001", "U7"), shared_with="T0002")
    server.mention("let me in", "U7", channel)
    found = await said(house)
    assert (found.sender.address, found.sender.kin) == ("slack:T0002:U7", "outsider")


async def test_the_end_of_the_tokens_is_seen_in_the_health(house: SlackHouse) -> None:
    assert house.adapter.health()["ok"]
    house.server.uninstall()
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)
    assert not house.adapter.health()["ok"]


async def test_a_page_of_ours_is_pressed_from_the_private_conversation(house: SlackHouse) -> None:
    server = house.server
    client = AsyncWebClient(server.team.bot_token, base_url=server.api)
    await client.views_publish(user_id=USER, view={"type": "home", "blocks": [ACTIONS]})
    view = server.home()
    assert view is not None
    server.press(view.id, "Yes")
    [found] = await taken(house, Press)
    assert isinstance(found, Press)
    assert (found.chat, found.chat_kind, found.message_id) == (server.dm(), "private", "")


async def test_what_only_one_person_sees_is_changed_by_its_hook(house: SlackHouse) -> None:
    server = house.server
    channel, team = server.channel(), server.team
    message = server.world.post(
        team, team.channels[channel], user=team.bot_user, bot_id=team.bot_id, blocks=[ACTIONS], ephemeral_for=USER
    )
    press = server.press(message.ts, "Yes", channel=channel)
    [found] = await taken(house, Press)
    assert isinstance(found, Press)
    assert found.response_url == press.url


async def test_a_file_is_fetched_as_it_came(house: SlackHouse) -> None:
    house.server.upload(b"hello", text="read this")
    found = await said(house)
    [attachment] = found.attachments
    assert (found.text, attachment.kind, attachment.name) == ("read this", "document", "file.txt")
    assert await house.adapter.fetch(attachment, 100) == b"hello"


async def test_who_is_not_asked_is_told_so_at_the_press_and_gets_no_window(house: SlackHouse) -> None:
    server, asked = house.server, "This question is for somebody else."
    house.intake.refusal = lambda answer: asked if (answer.chat, answer.sender.address[-5:]) == (dm, "U1001") else ""
    team, dm = server.team, server.dm()
    message = server.world.post(team, team.channels[dm], user=team.bot_user, bot_id=team.bot_id, blocks=[ACTIONS])
    press = server.press(message.ts, "Answer")
    await server.wait_until(lambda: bool(server.toasts(press)), DEADLINE)
    assert ([one.text for one in server.toasts(press)], server.views()) == ([asked], [])
