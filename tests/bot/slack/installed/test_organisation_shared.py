"""A channel of a workspace whose organisation has the app, shared with others: what is said there has one home."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.slack import adapter
from bot.adapters.slack.backfill.gaps import Watch
from bot.adapters.slack.backfill.shared_channels import MOST_UNSEEN
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK
from tests.slack_installed import ANN, FIRST, SECOND, Running, configured, installed, nothing, running

WHOLE, OTHER, THIRD, CARA, THEIR_BOT = "E0001", "T0000", "T0003", "U9001", "U0BOT9"
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


@pytest.mark.parametrize(("kind", "word"), [("error", "access_denied"), ("500", "")])
async def test_that_nobody_tells_whose_a_channel_is_keeps_nothing_from_being_heard(
    server: SlackServer, bot: Running, kind: str, word: str
) -> None:
    channel = server.channel((ANN,))
    server.fault("conversations.info", kind, error=word, channel=channel, times=10**6)
    server.say(called(server, "one"), ANN, channel=channel)
    await bot.until(HEARD, (FIRST, "one"))
    await settled(server)
    assert [one.attempts for one in server.deliveries.of("events_api")][-1] == 1
    server.delivery_fault("lost", "events_api", times=2)
    server.say(called(server, "two"), ANN, channel=channel)
    await looked_into(server, bot)
    await bot.until(HEARD, (FIRST, "one"), (FIRST, "two"))
    # What it is called is asked for with what is kept.
    assert len(server.calls("conversations.info")) <= 5


async def test_while_slack_wants_to_be_left_alone_all_of_an_organisation_is_heard(
    server: SlackServer, bot: Running
) -> None:
    first, second = server.channel((ANN,)), server.channel((ANN,), team=SECOND)
    server.fault("conversations.info", "429", channel=first, times=1, retry_after=60)
    server.say(called(server, "one"), ANN, channel=first)
    await bot.until(HEARD, (FIRST, "one"))
    server.say(called(server, "two"), ANN, channel=second, team=SECOND)
    await bot.until(HEARD, (FIRST, "one"), (SECOND, "two"))
    assert all(bot.app.adapters["slack"].hears(team) for team in (FIRST, SECOND))


async def test_what_was_named_while_nobody_told_stays_the_home(server: SlackServer, bot: Running) -> None:
    channel = server.channel((ANN,), shared_with=SECOND)
    server.fault("conversations.info", "500", channel=channel, times=10**6)
    named(server, SECOND, called(server, "one"), channel)
    await bot.until(HEARD, (SECOND, "one"))
    server.faults.clear()
    server.say(called(server, "two"), ANN, channel=channel)
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(SECOND, "one"), (SECOND, "two")]
    # As after a start: now Slack says that it is the other one's.
    incoming = bot.app.adapters["slack"]._incoming  # type: ignore[attr-defined] # no other way to forget
    incoming._receiver._sharing._homes.clear()
    for at in incoming._served.values():
        at.people.moved(channel)
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(SECOND, "one"), (SECOND, "two")]


async def test_a_workspace_that_is_given_back_answers_nothing_again(server: SlackServer, bot: Running) -> None:
    channel, slack = server.channel((ANN,), shared_with=SECOND), bot.app.adapters["slack"]
    server.say(called(server, "one"), ANN, channel=channel)
    await bot.until(HEARD, (FIRST, "one"))
    server.withdraw(FIRST)
    await bot.becomes(lambda: not slack.serves(FIRST))
    server.say(called(server, "two"), ANN, channel=channel, team=SECOND)
    await bot.until(HEARD, (FIRST, "one"), (SECOND, "two"))
    server.ahead = 5
    server.grant(FIRST)
    nothing(server, FIRST)
    await bot.becomes(lambda: slack.serves(FIRST) and slack.hears(FIRST))
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(FIRST, "one"), (SECOND, "two")]


async def test_a_private_message_has_one_home_whomever_slack_names(server: SlackServer, bot: Running) -> None:
    channel = server.dm(ANN, SECOND)
    named(server, FIRST, "hello", channel, SECOND)
    await bot.until(HEARD, (SECOND, "hello"))
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(SECOND, "hello")]


def named(server: SlackServer, team: str, text: str, channel: str, home: str = FIRST) -> None:
    """Let Ann say something of which a workspace is told that Slack chooses."""
    place = server.workspace(home)
    said = server.world.post(place, place.channels[channel], user=ANN, text=text)
    kind = place.channels[channel].kind
    event = {"type": "message", "channel": channel, "channel_type": kind, "user": ANN, "text": text, "ts": said.ts}
    server.push({**event, "event_ts": said.ts, "team": home}, team)


@pytest.fixture
def third(server: SlackServer, bot: Running) -> str:
    """A channel, shared with somebody else, of one of their workspaces from which nothing came yet."""
    place = server.world.team(THIRD, installed=False)
    place.enterprise, place.installed, place.granted = WHOLE, True, True
    place.together = server.workspace(FIRST).together
    place.together.append(place)
    server.user(ANN, team=THIRD, name="ann")
    found = server.channel((ANN, CARA), team=THIRD, shared_with=OTHER)
    place.channels[found].members.add(THEIR_BOT)
    return found


async def test_a_channel_of_one_from_which_nothing_came_yet_is_heard_by_it(
    server: SlackServer, bot: Running, third: str
) -> None:
    server.say(called(server, "hello"), ANN, channel=third, team=THIRD)
    await bot.until(HEARD, (THIRD, "hello"))
    await looked_into(server, bot)
    assert await bot.rows(HEARD) == [(THIRD, "hello")]


async def test_while_such_a_one_cannot_be_served_another_hears_its_channel(
    server: SlackServer, bot: Running, third: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.fault("auth.teams.list", "500", times=10**6)
    server.say(called(server, "hello"), ANN, channel=third, team=THIRD)
    await bot.until(HEARD, (FIRST, "hello"))
    assert f"no workspace that has channel {third} is served, it is kept in {FIRST}" in caplog.text


async def test_what_is_refused_is_looked_for_in_its_home_alone(
    server: SlackServer, bot: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel, doubted, doubt = server.channel((ANN,)), set[str](), Watch.doubt
    await settled(server)

    def noted(watch: Watch, teams: Iterable[str], *, heard: bool = False) -> None:
        found = tuple(teams)
        doubted.update(found)
        doubt(watch, found, heard=heard)

    monkeypatch.setattr(Watch, "doubt", noted)
    server.user("U1777", name="new")
    server.team.channels[channel].members.add("U1777")
    server.fault("users.info", "500", channel="U1777", times=10**6)
    server.say(called(server, "hello"), "U1777", channel=channel)
    await settled(server)
    assert doubted == {FIRST}


async def test_edits_ask_others_that_do_not_answer_a_few_times_and_let_nobody_look(
    server: SlackServer, bot: Running
) -> None:
    channel = server.channel((ANN, CARA), team=OTHER, shared_with=FIRST)
    server.workspace(OTHER).channels[channel].members.add(THEIR_BOT)
    ts = server.say("hey", CARA, channel=channel, team=OTHER)
    await settled(server)
    slack = bot.app.adapters["slack"]
    for at in slack._incoming._served.values():  # type: ignore[attr-defined] # as an hour later
        at.people.moved(channel)
    server.fault("conversations.info", "500", channel=channel, times=10**6)
    before = [len(server.calls("conversations.info")), *(len(_lists(server, team)) for team in (FIRST, SECOND))]
    for number in range(20):
        server.edit(ts, f"hey {number}", channel=channel, user=CARA, team=OTHER)
        await settled(server)
    after = [len(server.calls("conversations.info")), *(len(_lists(server, team)) for team in (FIRST, SECOND))]
    # Twenty are for the name, by the bot that Slack tells.
    assert after[0] - before[0] <= 20 + 1 + MOST_UNSEEN
    assert after[1:] == before[1:]
