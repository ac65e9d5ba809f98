"""However much was said on Slack while nobody listened, and whatever stands in the way of some of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.backfill import backfill as catchup
from bot.adapters.slack.backfill import calls as pace
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE, SkippingClock
from tests.slack_house import USER, SlackHouse

HEARD = (1, "heard")


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.retry_after = ()
        yield found


@pytest.fixture
def house(server: SlackServer) -> SlackHouse:
    found = SlackHouse(server)
    found.intake.cursors[HEARD] = f"{found.clock.now() // 1000 - 600}.000000"
    return found


async def missed(house: SlackHouse) -> None:
    """Wait until Slack has given up whatever was said."""
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)


def chatter(server: SlackServer, channel: str, lines: int) -> None:
    """Let people say much to one another, of which nobody tells us."""
    for n in range(lines):
        server.world.post(server.team, server.team.channels[channel], user=USER, text=f"chatter {n}")


async def test_no_conversation_is_one_too_many(house: SlackHouse, server: SlackServer) -> None:
    people = [f"U2{n:03d}" for n in range(60)]
    for n, user in enumerate(people):
        server.dm(user)
        server.say(f"private {n}", user)
    server.mention("in a channel", channel=server.channel())
    await missed(house)
    async with house.receiving():
        assert set(house.intake.messages()) == {"in a channel", *(f"private {n}" for n in range(60))}


async def test_what_stands_behind_much_talk_is_found(house: SlackHouse, server: SlackServer) -> None:
    channel = server.channel()
    chatter(server, channel, 205)
    server.mention("after all that", channel=channel)
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["after all that"]


async def test_short_pages_are_followed_to_their_end(house: SlackHouse, server: SlackServer) -> None:
    server.world.app.history_most = 15
    for n in range(40):
        server.say(f"m{n}")
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == [f"m{n}" for n in range(40)]


@pytest.mark.parametrize(
    ("page", "before", "missing", "calls"), [(15, 10, 1, 1), (15, 150, 1, 2), (15, 0, 40, 4), (200, 500, 1, 2)]
)
async def test_a_private_chat_costs_a_call_and_of_much_talk_what_is_missing_alone_is_read(
    house: SlackHouse, server: SlackServer, page: int, before: int, missing: int, calls: int
) -> None:
    server.world.app.history_most = page
    now, user = house.clock.now() // 1000, server.team.channels[server.dm()]
    for n in range(before):
        server.world.post(server.team, user, user=USER, text=f"m{n}", ts=f"{now - 36_000 + n}.000100")
    expected = [f"missed {n}" for n in range(missing)]
    for n, text in enumerate(expected):
        server.say(text, ts=f"{now - 300 + n}.000100")
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == expected
        assert len(server.calls("conversations.history")) == calls


async def test_in_a_private_chat_with_much_talk_a_thread_that_went_on_is_found(
    house: SlackHouse, server: SlackServer
) -> None:
    server.world.app.history_most = 15
    now = house.clock.now() // 1000
    for n in range(40):
        last = server.say(f"m{n}", ts=f"{now - 36_000 + n}.000100")
    server.say("and so on", ts=f"{now - 300}.000100", thread=last)
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["and so on"]


async def test_more_than_is_read_at_once_is_read_in_turns(
    house: SlackHouse, server: SlackServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catchup, "MOST_CALLS", 7)
    caplog.set_level("INFO")
    before, moved = house.intake.cursors[HEARD], set[str]()
    house.intake.on_accept = lambda: moved.add(house.intake.cursors[HEARD])
    people = [f"U2{n:03d}" for n in range(20)]
    for user in people:
        server.dm(user)
        server.say(f"from {user}", user)
    await missed(house)
    async with house.receiving():
        assert set(house.intake.messages()) == {f"from {user}" for user in people}
        assert moved == {before}
    assert "more to look at" in caplog.text
    # One call each, also for threads that began before.
    assert len(server.calls("conversations.history")) == len(people)


async def test_nobody_waits_for_the_whole_look_when_its_calls_have_to_wait(
    house: SlackHouse, server: SlackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The lists, and one conversation.
    monkeypatch.setattr(pace, "BURST", 5)
    people = [f"U2{n:03d}" for n in range(6)]
    for user in people:
        server.say(f"from {user}", user)
    counts = list[int]()
    house.intake.on_accept = lambda: counts.append(len(server.calls("conversations.history")))
    await missed(house)
    async with house.receiving():
        assert sorted(house.intake.messages()) == [f"from {user}" for user in people]
    assert counts[:6] == [1, 2, 3, 4, 5, 6]


async def test_a_thread_that_went_on_is_read_with_its_channel_and_one_that_may_have_is_read_last(
    house: SlackHouse, server: SlackServer
) -> None:
    now, channel = house.clock.now() // 1000, server.channel()
    root = server.mention("hello", channel=channel, ts=f"{now - 40_000}.000100")
    server.say("and so on", channel=channel, thread=root, ts=f"{now - 300}.000100")
    old = server.mention("long ago", channel=channel, ts=f"{now - 200_000}.000100")
    house.intake.spoken = [(channel, root), (server.dm(), ""), (channel, old)]
    await missed(house)
    async with house.receiving():
        read = [call for call in server.calls() if call.method in ("conversations.history", "conversations.replies")]
    places = [str(call.params.get("ts") or call.params["channel"]) for call in read]
    assert places == [channel, channel, root, server.dm(), old]


async def test_a_question_in_a_thread_of_others_is_found(house: SlackHouse, server: SlackServer) -> None:
    channel, now = server.channel(), house.clock.now() // 1000
    root = server.say("lunch anybody?", channel=channel)
    old = server.say("an old thread", channel=channel, ts=f"{now - 40_000}.000100")
    quiet = server.say("a quiet thread", channel=channel, ts=f"{now - 30_000}.000100")
    server.say("long ago", channel=channel, thread=quiet, ts=f"{now - 20_000}.000100")
    for thread in (root, old):
        server.say("me", channel=channel, thread=thread)
        server.mention(f"what did we decide in {thread}?", channel=channel, thread=thread)
        server.say("tell us", channel=channel, thread=thread)
    await missed(house)
    async with house.receiving():
        found = [(one.thread, one.text) for one in house.intake.inbound()]
        expected = [(one, text) for one in (root, old) for text in (f"what did we decide in {one}?", "tell us")]
        assert sorted(found) == sorted(expected)
        assert {one.params["ts"] for one in server.calls("conversations.replies")} == {root, old}


async def test_what_began_a_thread_was_not_said_to_us(house: SlackHouse, server: SlackServer) -> None:
    channel = server.channel()
    root = server.say("Let us talk about this here.", channel=channel)
    server.say(f"<@{server.team.bot_user}> are you there?", channel=channel, thread=root)
    server.say("and what do you think?", channel=channel, thread=root)
    house.intake.spoken.append((channel, root))
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["are you there?", "and what do you think?"]


async def test_of_a_thread_whose_beginning_was_deleted_the_rest_is_read(
    house: SlackHouse, server: SlackServer, caplog: pytest.LogCaptureFixture
) -> None:
    channel = server.channel()
    left, empty = (server.say(f"root {n}", channel=channel) for n in range(2))
    house.intake.spoken = [(channel, left), (channel, empty)]
    server.say("and then", channel=channel, thread=left)
    server.mention("and after that", channel=channel, thread=left)
    for root in (left, empty):
        server.delete(root, channel=channel)
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["and then", "and after that"]
    assert server.calls("conversations.replies")
    assert "cannot be read" not in caplog.text


@pytest.mark.parametrize("code", ["access_denied", "no_permission", "team_access_not_granted", "something_new"])
async def test_one_conversation_that_may_not_be_read_keeps_nothing_else(
    house: SlackHouse, server: SlackServer, code: str
) -> None:
    channel = server.channel()
    server.fault("conversations.history", error=code, channel=channel, times=10**6)
    server.mention("unreadable", channel=channel)
    server.mention("readable", channel=server.channel())
    server.say("waiting")
    await missed(house)
    async with house.receiving():
        assert set(house.intake.messages()) == {"readable", "waiting"}
        assert house.adapter.health()["hears"]


async def test_one_conversation_that_cannot_be_read_now_is_read_later(house: SlackHouse, server: SlackServer) -> None:
    channel, before = server.channel(), house.intake.cursors[HEARD]
    server.fault("conversations.history", kind="500", channel=channel, times=2)
    server.mention("later", channel=channel)
    server.say("now")
    await missed(house)
    async with house.running():
        await house.intake.wait(lambda: house.intake.messages() == ["now"])
        assert house.intake.cursors[HEARD] == before
        await house.intake.wait_messages("now", "later")


async def test_one_person_of_whom_nothing_is_known_keeps_nothing_else(house: SlackHouse, server: SlackServer) -> None:
    server.user("U2001")
    server.say("from somebody new", "U2001")
    server.say("from somebody else")
    server.fault("users.info", kind="500", times=1)
    await missed(house)
    async with house.running():
        await house.intake.wait(lambda: len(house.intake.messages()) == 1)
        assert not house.adapter.health()["hears"]
        await house.intake.wait(lambda: len(house.intake.messages()) == 2)
        await house.intake.wait(lambda: bool(house.adapter.health()["hears"]))


async def test_a_kind_that_may_not_be_read_is_no_other_kind(house: SlackHouse, server: SlackServer) -> None:
    server.team.scopes -= {"groups:history"}
    public, private = server.channel(), server.channel(kind="group")
    server.mention("in a private channel", channel=private)
    server.mention("one", channel=public)
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["one"]
        server.sockets.abort()
        await server.wait_until(lambda: not server.sockets.links, DEADLINE)
        server.mention("two", channel=public)
        await house.intake.wait_messages("one", "two")


async def test_where_nothing_may_be_listed_it_is_not_said_that_all_is_here(
    house: SlackHouse, server: SlackServer
) -> None:
    before = house.intake.cursors[HEARD]
    server.fault("users.conversations", error="missing_argument", times=8)
    server.say("missed")
    await missed(house)
    async with house.running():
        await house.clock.wait_sleeps(1)
        assert (house.adapter.hears("T0001"), house.adapter.health()["last_error"]) == (False, "missing_argument")
        assert house.intake.cursors[HEARD] == before
        await house.intake.wait_messages("missed")
        await house.intake.wait(lambda: house.intake.cursors[HEARD] != before)


async def test_without_any_scope_there_is_nothing_to_be_read(house: SlackHouse, server: SlackServer) -> None:
    server.fault("users.conversations", error="missing_scope", times=10**6)
    async with house.receiving():
        assert house.adapter.hears("T0001")


async def test_an_answer_that_is_none_is_asked_for_again(house: SlackHouse, server: SlackServer) -> None:
    server.fault("conversations.history", kind="garbage", times=1)
    server.say("behind it")
    await missed(house)
    async with house.running():
        await house.intake.wait_messages("behind it")


async def test_where_reading_is_scarce_all_is_found_a_page_a_minute_and_nothing_waits_for_the_rest(
    server: SlackServer,
) -> None:
    clock = SkippingClock()
    house = SlackHouse(server, clock=clock, scarce=True)
    server.distributed(clock.monotonic)
    for n in range(6):
        server.user(f"U2{n:03d}", name=f"user{n}")
    house.intake.cursors[HEARD] = f"{house.clock.now() // 1000 - 30}.000000"
    expected = [server.say(f"missed {n}", f"U2{n:03d}") and f"missed {n}" for n in range(6)]
    # Whoever spoke with the bot last is read first.
    house.intake.spoken = [(server.dm("U2004"), ""), (server.dm("U2002"), "")]
    server.channel()
    counts = list[int]()
    house.intake.on_accept = lambda: counts.append(len(server.calls("conversations.history")))
    await missed(house)
    async with house.receiving():
        found = house.intake.messages()
    assert (sorted(found), found[:2]) == (expected, ["missed 4", "missed 2"])
    calls = server.calls("conversations.history")
    assert [call.error for call in calls] == [""] * 8
    assert {str(call.params["limit"]) for call in calls} == {"15"}
    # Each was taken in before the next minute.
    assert counts[:6] == [1, 2, 3, 4, 5, 6]
