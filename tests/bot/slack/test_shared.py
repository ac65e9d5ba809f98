"""A channel that two workspaces share, both with the app: Slack hands over once what is said there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_installed import ANN, FIRST, SECOND, Running, configured, installed, running

BOB, THEIR_BOT = "U2001", "U0BOT2"
HEARD = (
    "SELECT t.external_id, i.text FROM inbox i JOIN tenant t ON t.id = i.tenant_id WHERE i.text != ''"
    " ORDER BY t.id, i.id"
)

EDITED = (
    "SELECT t.external_id, i.text FROM inbox i JOIN tenant t ON t.id = i.tenant_id WHERE i.text = 'note that'"
    " ORDER BY t.id, i.id"
)


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.team.installed = False
        found.user(ANN, name="ann")
        second = found.world.team(SECOND, installed=False)
        second.users[THEIR_BOT] = replace(second.users.pop(second.bot_user), id=THEIR_BOT)
        second.bot_user = THEIR_BOT
        found.user(BOB, team=SECOND, name="bob")
        yield found


@pytest.fixture
async def bot(server: SlackServer, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(configured(server, tmp_path)) as found:
        await installed(server, found)
        await installed(server, found, SECOND, BOB)
        for team in (FIRST, SECOND):
            await found.becomes(lambda team=team: found.app.adapters["slack"].hears(team))  # type: ignore[misc] # bound
        yield found


@pytest.fixture
def channel(server: SlackServer) -> str:
    found = server.channel((ANN, BOB), shared_with=SECOND)
    server.team.channels[found].members.add(THEIR_BOT)
    return found


async def test_each_bot_is_called_by_its_name_and_answers_once(server: SlackServer, bot: Running, channel: str) -> None:
    server.say(f"<@{THEIR_BOT}> /id", BOB, channel=channel, team=SECOND)
    await bot.until(HEARD, (SECOND, "/id"))
    server.say(f"<@{server.team.bot_user}> /id", ANN, channel=channel)
    await bot.until(HEARD, (FIRST, "/id"), (SECOND, "/id"))
    await server.wait_until(lambda: len(server.said(channel)) == 2, DEADLINE)
    assert [one.user for one in server.said(channel)] == [THEIR_BOT, server.team.bot_user]


async def test_what_follows_in_its_thread_is_heard_too(server: SlackServer, bot: Running, channel: str) -> None:
    root = server.say(f"<@{THEIR_BOT}> hello", BOB, channel=channel, team=SECOND)
    await bot.until(HEARD, (SECOND, "hello"))
    await server.wait_until(lambda: len(server.said(channel)) == 1, DEADLINE)
    await bot.until("SELECT COUNT(*) AS n FROM lane WHERE attends IS NOT NULL", (1,))
    server.say("and so on", BOB, channel=channel, team=SECOND, thread=root)
    await bot.until(HEARD, (SECOND, "hello"), (SECOND, "and so on"))


async def test_a_bot_that_is_not_in_the_channel_hears_nothing(server: SlackServer, bot: Running, channel: str) -> None:
    server.team.channels[channel].members.discard(THEIR_BOT)
    server.say(f"<@{THEIR_BOT}> /id", BOB, channel=channel, team=SECOND)
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    server.say(f"<@{server.team.bot_user}> /id", ANN, channel=channel)
    await bot.until(HEARD, (FIRST, "/id"))


async def test_when_it_cannot_be_asked_who_is_there_it_is_looked_for(
    server: SlackServer, bot: Running, channel: str
) -> None:
    server.fault("conversations.info", kind="500", channel=channel, times=2)
    server.say(f"<@{THEIR_BOT}> /id", BOB, channel=channel, team=SECOND)
    await bot.until(HEARD, (SECOND, "/id"))


@pytest.mark.parametrize("same", [True, False])
async def test_an_edit_is_heard_though_it_could_not_be_asked_who_is_there_a_moment_ago(
    server: SlackServer, bot: Running, channel: str, same: bool
) -> None:
    other = server.channel((ANN, BOB), shared_with=SECOND)
    server.team.channels[other].members.add(THEIR_BOT)
    ts = server.say(f"<@{THEIR_BOT}> note this", BOB, channel=channel, team=SECOND)
    await bot.until(HEARD, (SECOND, "note this"))
    # An edit of what is not answered yet changes that, too.
    await bot.until("SELECT state FROM inbox WHERE text = 'note this'", ("done",))
    for at in bot.app.adapters["slack"]._incoming._served.values():  # type: ignore[attr-defined] # as an hour later
        at.people.channels.moved(channel)
        at.people.channels.moved(other)
    server.fault("conversations.info", kind="500", channel=channel if same else other, times=10**6)
    server.say("hi", ANN, channel=channel if same else other)
    await server.wait_until(lambda: not server.pending() and len(server.calls("conversations.info")) >= 2, DEADLINE)
    server.faults.clear()
    server.edit(ts, f"<@{THEIR_BOT}> note that", channel=channel, user=BOB, team=SECOND)
    await bot.until(EDITED, (SECOND, "note that"))
