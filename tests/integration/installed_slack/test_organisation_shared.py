"""A channel of a workspace whose organisation has the app, shared with others: what is said there has one home."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.slack import adapter
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK
from tests.slack_installed import ANN, FIRST, SECOND, Running, configured, installed, running

WHOLE, OTHER, CARA, THEIR_BOT = "E0001", "T0000", "U9001", "U0BOT9"
HEARD = (
    "SELECT t.external_id, i.text FROM inbox i JOIN tenant t ON t.id = i.tenant_id WHERE i.text <> ''"
    " ORDER BY i.text, t.id"
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "Timing", lambda: QUICK)


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    """An organisation of two workspaces, and somebody else's, which Slack tells of what is said first."""
    async with SlackServer() as found:
        found.team.installed, found.world.app.whole, found.retry_after = False, True, ()
        other = found.world.team(OTHER, installed=False)
        other.users[THEIR_BOT] = replace(other.users.pop(other.bot_user), id=THEIR_BOT)
        other.bot_user = THEIR_BOT
        found.user(CARA, team=OTHER, name="cara")
        found.world.team(SECOND, installed=False)
        for team in (FIRST, SECOND):
            found.workspace(team).enterprise = WHOLE
            found.user(ANN, team=team, name="ann")
        yield found


@pytest.fixture
async def bot(server: SlackServer, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(configured(server, tmp_path)) as found:
        await installed(server, found, OTHER, CARA)
        await installed(server, found)
        for team in (FIRST, SECOND):
            server.push({"type": "reaction_added", "event_ts": "1.1"}, team)
        slack = found.app.adapters["slack"]
        await found.becomes(lambda: all(slack.hears(team) and slack.serves(team) for team in (FIRST, SECOND, OTHER)))
        yield found


def called(server: SlackServer, text: str) -> str:
    return f"<@{server.team.bot_user}> {text}"


async def settled(server: SlackServer) -> None:
    await server.wait_until(lambda: not server.pending(), DEADLINE)


async def looked_into(server: SlackServer, bot: Running) -> None:
    """Let everybody be looked into, once more, after what Slack has given up."""
    await settled(server)
    before = {team: len(_lists(server, team)) for team in (FIRST, SECOND)}
    server.sockets.abort()
    await server.wait_until(lambda: all(len(_lists(server, team)) >= count + 4 for team, count in before.items()), 15)
    slack = bot.app.adapters["slack"]
    await bot.becomes(lambda: all(slack.hears(team) for team in (FIRST, SECOND, OTHER)))


def _lists(server: SlackServer, team: str) -> list[str]:
    return [call.method for call in server.calls("users.conversations") if call.params.get("team_id") == team]


async def test_what_is_said_in_a_channel_of_one_of_them_is_for_that_one_alone(
    server: SlackServer, bot: Running
) -> None:
    channel = server.channel((ANN, CARA), team=SECOND, shared_with=OTHER)
    server.workspace(SECOND).channels[channel].members.add(THEIR_BOT)
    server.say(called(server, "one"), ANN, channel=channel, team=SECOND)
    await bot.until(HEARD, (SECOND, "one"))
    # Slack names whichever it likes.
    server.workspace(OTHER).channels[channel].members.discard(THEIR_BOT)
    server.say(called(server, "two"), ANN, channel=channel, team=SECOND)
    await bot.until(HEARD, (SECOND, "one"), (SECOND, "two"))
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(SECOND, "one"), (SECOND, "two")]


async def test_what_was_missed_in_a_channel_that_both_have_is_for_one_of_them(
    server: SlackServer, bot: Running
) -> None:
    channel = server.channel((ANN,), shared_with=SECOND)
    server.delivery_fault("lost", "events_api", times=2)
    server.say(called(server, "missed"), ANN, channel=channel)
    await looked_into(server, bot)
    await bot.until(HEARD, (FIRST, "missed"))
    server.say(called(server, "heard"), ANN, channel=channel, team=SECOND)
    await bot.until(HEARD, (FIRST, "heard"), (FIRST, "missed"))


@pytest.mark.parametrize("team", [FIRST, SECOND])
async def test_what_was_missed_in_private_is_for_the_one_where_it_was_said(
    server: SlackServer, bot: Running, team: str
) -> None:
    for one in (FIRST, SECOND):
        server.dm(ANN, one)
    server.delivery_fault("lost", "events_api", times=1)
    server.say("missed", ANN, team=team)
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(team, "missed")]
