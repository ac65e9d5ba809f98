"""Who said something on Slack is asked for beside the way, and somebody who is only named hinders nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.directory.cache import LONGEST_UNKNOWN_SECONDS, Cache
from bot.adapters.slack.directory.channels import enumerated
from core.kernel.types import Sender
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import ACK_SECONDS
from tests.memory_intake import DEADLINE, RealClock
from tests.slack_house import USER, SlackHouse

HOUR = 3600


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.retry_after = ()
        yield found


@pytest.fixture
async def house(server: SlackServer) -> AsyncIterator[SlackHouse]:
    found = SlackHouse(server)
    async with found.receiving():
        yield found


async def test_many_whom_nobody_met_are_acknowledged_in_time_and_in_their_order(
    house: SlackHouse, server: SlackServer
) -> None:
    people = [f"U6{n:03d}" for n in range(40)]
    channel = server.channel(people)
    server.fault("users.info", "slow", times=10**6, delay=0.15)
    for user in people:
        server.say(f"I am {user}", user, channel)
    assert [one.text for one in await house.arrived()] == [f"I am {user}" for user in people]
    assert {one.attempts for one in server.deliveries.of("events_api")} == {1}


async def test_whoever_is_there_at_the_start_need_not_be_asked_for(server: SlackServer) -> None:
    house = SlackHouse(server)
    for n in range(450):
        server.user(f"U5{n:03d}", name=f"u5{n:03d}", tz="Asia/Tokyo", locale="ja-JP")
    async with house.receiving():
        await server.wait_until(lambda: len(server.calls("users.list")) == 3, DEADLINE)
        server.fault("users.info", kind="500", times=10**6)
        server.say("hello", "U5440")
        [found] = await house.arrived()
    assert (found.sender.handle, found.sender.timezone, found.sender.language) == ("@u5440", "Asia/Tokyo", "ja")


async def test_a_list_that_cannot_be_read_hinders_nothing(server: SlackServer) -> None:
    house = SlackHouse(server)
    server.fault("users.list", kind="garbage", times=1)
    server.user(USER, name="ada")
    async with house.receiving():
        server.say("hello")
        [found] = await house.arrived()
    assert found.sender.name == "ada"


async def test_while_slack_wants_to_be_left_alone_nobody_is_asked_for(house: SlackHouse, server: SlackServer) -> None:
    server.fault("users.info", kind="429", times=10**6, retry_after=30)
    server.deliveries.ack_seconds = 1.0  # nothing is acknowledged: a shorter wait for that
    server.say("hello", "U8000")
    await house.arrived()
    for n in range(1, 5):
        server.say(f"hello {n}", f"U8{n:03d}")
    await house.arrived()
    assert (len(server.calls("users.info")), house.intake.messages()) == (1, [])


@pytest.mark.parametrize("word", ["missing_scope", "method_deprecated", "something_new"])
async def test_who_may_never_be_asked_for_is_heard_at_once(
    house: SlackHouse, server: SlackServer, caplog: pytest.LogCaptureFixture, word: str
) -> None:
    server.fault("users.info", error=word, times=10**6)
    for user in ("U8001", "U8002"):
        server.say("hello", user)
        found = (await house.arrived())[-1]
        assert found.sender == Sender(address=f"slack:T0001:{user}", name=user, unknown="ever")
    assert caplog.text.count(f"they are their ids: {word}") == 1


@pytest.mark.parametrize("word", ["internal_error", "service_unavailable", "two_factor_setup_required"])
async def test_who_may_not_be_asked_for_now_is_asked_for_again(
    house: SlackHouse, server: SlackServer, word: str
) -> None:
    server.user(USER, name="ada")
    server.fault("users.info", error=word, times=2)
    server.say("hello")
    await house.intake.wait(lambda: "hello" in house.intake.messages())
    assert house.intake.inbound()[-1].sender.handle == "@ada"


@pytest.mark.parametrize("word", ["access_denied", "ekm_access_denied", "no_permission"])
@pytest.mark.parametrize("others", [True, False])
async def test_what_is_denied_of_one_while_others_are_told_of_is_about_them(
    server: SlackServer, word: str, others: bool
) -> None:
    server.user(USER, name="ada")
    server.fault("users.list", error=word, times=0 if others else 10**6)
    server.fault("users.info", error=word, times=0 if others else 10**6)
    house = SlackHouse(server)
    async with house.receiving():
        await server.wait_until(lambda: bool(server.calls("users.list")), DEADLINE)
        server.fault("users.info", error=word, channel="U8001", times=10**6)
        server.deliveries.ack_seconds = 1.0  # nothing is acknowledged for now: a shorter wait for that
        server.say("hello", "U8001")
        await server.wait_until(lambda: not server.pending(), DEADLINE)
        if others:
            server.deliveries.ack_seconds = ACK_SECONDS
        server.say("hello again", "U8001")
        await house.arrived()
        assert {one.sender.unknown for one in house.intake.inbound()} == ({"ever"} if others else set())


async def test_who_is_denied_once_is_asked_for_again(house: SlackHouse, server: SlackServer) -> None:
    server.user(USER, name="ada")
    await server.wait_until(lambda: bool(server.calls("users.list")), DEADLINE)
    server.user("U8001", name="bo")
    server.fault("users.info", error="access_denied", channel="U8001", times=1)
    server.say("hello", "U8001")
    await house.intake.wait(lambda: "hello" in house.intake.messages())
    assert [(one.sender.name, one.sender.unknown) for one in house.intake.inbound()] == [("bo", "")]


async def test_of_whom_slack_says_nothing_for_long_is_heard_after_all(house: SlackHouse, server: SlackServer) -> None:
    server.fault("users.info", kind="500", times=10**6)
    passed, monotonic = 0.0, house.clock.monotonic
    house.clock.monotonic = lambda: monotonic() + passed  # type: ignore[method-assign] # that much has passed
    server.deliveries.ack_seconds = 1.0  # nothing is acknowledged for now: a shorter wait for that
    for _ in range(6):
        server.say("hello", "U8001")
        assert not await house.arrived()
        passed += LONGEST_UNKNOWN_SECONDS / 6
    server.deliveries.ack_seconds = ACK_SECONDS
    server.say("is anybody there?", "U8001")
    await house.intake.wait(lambda: "is anybody there?" in house.intake.messages())
    found = house.intake.inbound()[-1].sender
    assert (found.name, found.unknown) == ("U8001", "now")


async def test_what_failed_long_ago_says_nothing_of_a_failure_of_today() -> None:
    clock, passed = RealClock(), 0.0
    monotonic = clock.monotonic
    clock.monotonic = lambda: monotonic() + passed  # type: ignore[method-assign] # that much has passed

    async def ask(key: str) -> str:
        raise ConnectionError(key)

    cache = Cache(ask, clock, instead=lambda key, seconds: "nobody knows")
    with pytest.raises(ConnectionError):
        await cache.get("U1")
    passed = 24.0 * HOUR
    with pytest.raises(ConnectionError):
        await cache.get("U1")
    for _ in range(5):
        passed += 100
        with pytest.raises(ConnectionError):
            await cache.get("U1")
    passed += 100
    assert await cache.get("U1") == "nobody knows"


async def test_of_a_hundred_names_ten_are_looked_up(house: SlackHouse, server: SlackServer) -> None:
    people = [f"U4{n:03d}" for n in range(100)]
    for user in people:
        server.user(user, name=user.lower())
    server.say(" ".join(f"<@{user}>" for user in people))
    [found] = await house.arrived()
    assert [one.handle for one in found.mentioned] == [f"@u4{n:03d}" for n in range(10)]
    assert "U4099" in found.text
    assert len(server.calls("users.info")) == 11


async def test_somebody_who_is_named_and_cannot_be_asked_for_keeps_no_message(
    house: SlackHouse, server: SlackServer
) -> None:
    server.say("hello")
    await house.arrived()
    server.fault("users.info", kind="500", times=10**6)
    server.say("<@U1002> is not known")
    assert "is not known" in (await house.arrived())[-1].text


async def test_what_is_known_for_long_is_better_than_nothing(house: SlackHouse, server: SlackServer) -> None:
    server.user(USER, name="ada")
    server.say("hello")
    await house.arrived()
    monotonic = house.clock.monotonic
    house.clock.monotonic = lambda: monotonic() + HOUR + 1  # type: ignore[method-assign] # an hour has passed
    server.fault("users.info", kind="500", times=10**6)
    server.say("an hour later")
    server.say("and once more")
    found = await house.arrived()
    assert [(one.text, one.sender.handle) for one in found[1:]] == [
        ("an hour later", "@ada"),
        ("and once more", "@ada"),
    ]
    assert len(server.calls("users.info")) == 2


@pytest.mark.parametrize("kind", ["garbage", "short"])
async def test_an_answer_of_slacks_that_is_none_makes_no_command_unreadable(
    house: SlackHouse, server: SlackServer, kind: str
) -> None:
    channel = server.channel(bot=False)
    server.fault("conversations.open", kind, times=1)
    server.deliveries.ack_seconds = 1.0  # it is not acknowledged: a shorter wait for that
    command = server.command("/teller todo add milk", USER, channel)
    await command.envelope.settled()
    assert not house.intake.rows
    assert not command.envelope.acked
    server.deliveries.ack_seconds = ACK_SECONDS
    await server.command("/teller todo add milk", USER, channel).envelope.settled()
    assert house.intake.messages() == ["/todo add milk"]


@pytest.mark.parametrize(("code", "kin"), [("user_not_visible", "outsider"), ("user_not_found", "outsider")])
async def test_who_is_not_to_be_seen_is_an_outsider(
    house: SlackHouse, server: SlackServer, code: str, kin: str
) -> None:
    server.fault("users.info", error=code, times=10**6)
    server.say("let me in")
    [found] = await house.arrived()
    assert (found.sender.name, found.sender.kin) == (USER, kin)


async def test_without_the_scope_the_event_says_who_is_from_elsewhere(house: SlackHouse, server: SlackServer) -> None:
    server.team.scopes -= {"users:read"}
    server.world.team("T0002", installed=False)
    server.user("U7", team="T0002", name="eve")
    channel = server.channel((USER, "U7"), shared_with="T0002")
    server.say(f"<@{server.team.bot_user}> let me in", "U7", channel, team="T0002")
    server.mention("me too", USER, channel)
    eve, ada = await house.arrived()
    assert (eve.sender.address, eve.sender.kin) == ("slack:T0002:U7", "outsider")
    assert (ada.sender.address, ada.sender.kin) == ("slack:T0001:U1001", "")


async def test_a_conversation_of_several_is_called_by_its_people(house: SlackHouse, server: SlackServer) -> None:
    for user, name in (("U7001", "ann"), ("U7002", "bob"), ("U7003", "chen")):
        server.user(user, name=name)
    several = server.channel(["U7001", "U7002", "U7003"], kind="mpim")
    server.say("<@U0BOT> hello", "U7001", several)
    await house.arrived()
    people = house.adapter._incoming._served[server.team.id].people
    assert (await people.channels.place(several)).title == "ann, bob and chen"


async def test_a_conversation_of_several_keeps_its_name_while_one_of_them_is_not_known(
    house: SlackHouse, server: SlackServer
) -> None:
    for user, name in (("U7001", "ann"), ("U7002", "bob"), ("U7003", "chen")):
        server.user(user, name=name)
    several = server.channel(["U7001", "U7002", "U7003"], kind="mpim")
    for user in ("U7001", "U7003"):
        server.say("hello", user)
    await house.arrived()
    server.fault("users.info", "500", times=10**6)
    server.say("<@U0BOT> hello", "U7001", several)
    # By what has no title no chat is renamed.
    assert (await house.arrived())[-1].title == ""


async def test_a_channel_is_called_by_its_new_name_from_the_next_message_on(
    house: SlackHouse, server: SlackServer
) -> None:
    team = server.workspace()
    channel = server.channel(name="old")
    server.say(f"<@{team.bot_user}> hello", channel=channel)
    await house.arrived()
    place = team.channels[channel]
    place.name = "new"
    said = {"type": "message", "subtype": "channel_name", "channel": channel, "user": USER, "text": "renamed"}
    names = {"name": "new", "old_name": "old", "ts": server.world.next_ts(), "channel_type": "channel"}
    server.telling.in_channel(place, said | names)
    await house.arrived()
    server.say(f"<@{team.bot_user}> hello again", channel=channel)
    assert [one.title for one in await house.arrived()][-1] == "#new"


@pytest.mark.parametrize(
    ("names", "shown"),
    [([], ""), (["Ann"], "Ann"), (["Ann", "Bob", "Di", "Ed"], "Ann, Bob, Di and Ed"), (["小林", "小明"], "小林和小明")],
)
def test_names_are_enumerated_as_their_language_does(names: list[str], shown: str) -> None:
    assert enumerated(names) == shown
