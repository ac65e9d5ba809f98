"""A channel that several workspaces share, where others have the app too that have nothing to do with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.slack import adapter
from bot.adapters.slack.backfill.gaps import Watch
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK
from tests.slack_installed import ANN, FIRST, SECOND, Running, configured, installed, running

BOB, CHEN, THIRD, WITHOUT, STRANGER = "U2001", "U3001", "T0003", "T0009", "U9001"
MANY = tuple(f"T01{number:02d}" for number in range(6))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "Timing", lambda: QUICK)


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.team.installed = False
        found.user(ANN, name="ann")
        for team, user in ((SECOND, BOB), (THIRD, CHEN), (WITHOUT, STRANGER), *((one, f"U{one}") for one in MANY)):
            other = found.world.team(team, installed=False)
            number = f"U0BOT{team}"
            other.users[number] = replace(other.users.pop(other.bot_user), id=number)
            other.bot_user = number
            found.user(user, team=team, name=user.lower())
        yield found


@pytest.fixture
async def bot(server: SlackServer, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(configured(server, tmp_path)) as found:
        for team, user in ((FIRST, ANN), (SECOND, BOB), (THIRD, CHEN)):
            await installed(server, found, team, user)
        await until_heard(found, (FIRST, SECOND, THIRD))
        yield found


async def until_heard(bot: Running, teams: Iterable[str]) -> None:
    slack = bot.app.adapters["slack"]
    await bot.becomes(lambda: all(slack.hears(team) for team in teams))


async def settled(server: SlackServer) -> None:
    await server.wait_until(lambda: not server.pending(), DEADLINE)


async def test_others_that_do_not_answer_keep_no_message_from_being_acknowledged(
    server: SlackServer, bot: Running
) -> None:
    channel = server.channel((ANN, STRANGER), shared_with=WITHOUT)
    server.say("warm", ANN, channel=channel)
    await settled(server)
    served = bot.app.adapters["slack"]._incoming._served  # type: ignore[attr-defined] # as an hour later
    for team in (SECOND, THIRD):
        served[team].people.channels.moved(channel)
    server.fault("conversations.info", "slow", times=10**6, delay=6.0)
    server.retry_after, before = (), len(server.calls("conversations.info"))
    for number in range(3):
        server.say(f"message {number}", ANN, channel=channel)
        await settled(server)
    assert [one.reasons for one in server.deliveries.of("events_api")[-3:]] == [[], [], []]
    # They were asked once, not for each message.
    assert len(server.calls("conversations.info")) == before + 2


async def test_many_others_are_asked_all_at_once(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        for team in MANY:
            await installed(server, bot, team, f"U{team}")
        await until_heard(bot, (FIRST, *MANY))
        channel = server.channel((ANN, STRANGER), shared_with=WITHOUT)
        await settled(server)
        for at in bot.app.adapters["slack"]._incoming._served.values():  # type: ignore[attr-defined] # as an hour later
            at.people.channels.moved(channel)
        server.fault("conversations.info", "slow", times=10**6, delay=0.5)
        server.say("good morning", ANN, channel=channel)
        await settled(server)
        assert server.deliveries.of("events_api")[-1].attempts == 1


async def test_what_is_refused_in_a_channel_says_nothing_of_those_who_are_not_in_it(
    server: SlackServer, bot: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = server.channel((ANN, BOB), shared_with=SECOND)
    server.team.channels[channel].members.add(server.workspace(SECOND).bot_user)
    await settled(server)
    doubted: set[str] = set()
    doubt = Watch.doubt

    def noted(watch: Watch, teams: Iterable[str], *, heard: bool = False) -> None:
        found = tuple(teams)
        doubted.update(found)
        doubt(watch, found, heard=heard)

    monkeypatch.setattr(Watch, "doubt", noted)
    server.user("U1777", name="new")
    server.team.channels[channel].members.add("U1777")
    server.retry_after = ()
    server.fault("users.info", kind="500", times=10**6)
    server.say("hi all", "U1777", channel=channel)
    await settled(server)
    assert FIRST in doubted
    assert THIRD not in doubted
