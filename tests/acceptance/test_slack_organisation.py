"""An organisation installs the app: people of its workspaces write and are answered, until it is taken away there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.adapters.slack.install.manifest import EVENTS
from tests.acceptance.harness import Bot
from tests.acceptance.playing import AHEAD
from tests.acceptance.sites import PageSite
from tests.acceptance.slack_driver import RETRIES
from tests.acceptance.stories.days import DAY
from tests.emulators.slack import SlackServer
from tests.emulators.slack_shown import ShownMessage

FIRST, SECOND, WHOLE = "T0001", "T0002", "E0001"
BOTH = (FIRST, SECOND)
# Ann is in both workspaces, as one account; Bob is in the second one alone.
ANN, BOB = "U1001", "U1002"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The program, and a room of each workspace."""

    slack: SlackServer
    bot: Bot
    rooms: dict[str, str]

    async def said(self, words: str, team: str, channel: str = "", user: str = ANN, *, times: int = 1) -> ShownMessage:
        """Wait until the bot has said something with these words so often, in private without a channel."""

        def found() -> list[ShownMessage]:
            place = channel or self.slack.dm(user, team)
            return [one for one in self.slack.said(place, team=team) if words in one.text]

        await self.bot.until(lambda: len(found()) >= times)
        return found()[-1]

    async def both_mention(self, text: str, words: str) -> dict[str, ShownMessage]:
        """Let Ann say the same in both rooms, as messages with the same ids."""
        ts = self.slack.world.next_ts()
        for team in BOTH:
            self.slack.mention(
                text.format(team=team), ANN, self.rooms[team], team=team, ts=ts, client_msg_id=f"same-{ts}"
            )
        return {team: await self.said(words.format(team=team), team, self.rooms[team]) for team in BOTH}


@pytest.fixture
async def grid(tmp_path: Path) -> AsyncIterator[Grid]:
    async with SlackServer() as slack:
        slack.retry_after, slack.world.app.whole = RETRIES, True
        slack.telling.subscribed = frozenset(event.name for event in EVENTS)
        slack.world.team(SECOND, installed=False)
        for team in BOTH:
            slack.workspace(team).enterprise = WHOLE
            slack.user(ANN, team=team, name="ann")
        site = PageSite(slack)
        rooms = {FIRST: slack.channel((ANN,)), SECOND: slack.channel((ANN, BOB), team=SECOND)}
        settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": f'["slack:{FIRST}", "slack:{SECOND}"]'}
        bot = Bot(site, tmp_path, settings, AHEAD)
        try:
            await bot.start()
            assert (await slack.install(site.page, ANN, FIRST)).status == 200
            yield Grid(slack=slack, bot=bot, rooms=rooms)
            await bot.end()
        finally:
            if bot.running:
                await bot.kill()


async def test_its_workspaces_are_served_each_by_itself_and_one_of_them_no_more(grid: Grid) -> None:
    slack = grid.slack
    # Everybody is answered where they write, as who they are there.
    for user, team in ((ANN, FIRST), (BOB, SECOND)):
        slack.say("/id", user, team=team)
        await grid.said(f"slack:{team}:{user}", team, user=user)
    # What is the same in both never meets.
    await grid.both_mention("/todo add plan of {team}", "plan of {team}")
    listed = await grid.both_mention("/todo", "To do: 1")
    for team, other in (BOTH, BOTH[::-1]):
        assert f"plan of {team}" in listed[team].text
        assert other not in "\n".join(one.text for one in slack.said(grid.rooms[team], team=team))
    for team in BOTH:
        slack.command(f"/teller todo add secret of {team}", ANN, team=team)
        await grid.said(f"secret of {team}", team)
    slack.command("/teller todo", ANN, team=SECOND)
    assert FIRST not in (await grid.said("To do: 1", SECOND)).text
    await used(grid)
    for user, team in ((ANN, FIRST), (BOB, SECOND)):
        slack.say(f"/remind in 2 days: water of {team}", user, team=team)
        await grid.said(f"water of {team}", team, user=user)
    await taken_away(grid)


async def used(grid: Grid) -> None:
    """Buttons, windows and the page work where the payload names no workspace."""
    slack = grid.slack
    slack.say("/todo add tea", BOB, team=SECOND)
    note = await grid.said("tea", SECOND, user=BOB)
    slack.shortcut("new_todo", BOB, team=SECOND)
    await grid.bot.until(lambda: bool(slack.views(BOB, SECOND)))
    block = next(one for one in slack.views(BOB, SECOND)[-1].content["blocks"] if one["type"] == "input")
    done = slack.submit({block["label"]["text"]: "buy bread"}, BOB, team=SECOND)
    await grid.bot.until(done.done.is_set)
    await grid.said("bread", SECOND, user=BOB)
    slack.open_home(BOB, team=SECOND)
    await grid.bot.until(lambda: "bread" in slack.home_text(BOB, SECOND) and "tea" in slack.home_text(BOB, SECOND))
    pressed = slack.press(note.ts, note.labels[0], BOB, team=SECOND)
    await grid.bot.until(pressed.envelope.done.is_set)
    private = slack.dm(BOB, SECOND)
    await grid.bot.until(lambda: note not in slack.said(private, team=SECOND))


async def taken_away(grid: Grid) -> None:
    """In the second workspace it is deaf and dumb; in the first one it goes on."""
    slack = grid.slack
    before = int(slack.world.now()) - 1
    slack.withdraw(SECOND)
    await grid.bot.until(lambda: not slack.pending())
    calls = len(slack.calls("chat.postMessage"))
    late = {"type": "message", "channel": slack.dm(BOB, SECOND), "channel_type": "im", "user": BOB, "text": "/id"}
    slack.push(late | {"ts": slack.world.next_ts()}, SECOND, event_time=before)
    slack.push(late | {"ts": slack.world.next_ts(), "text": "anybody there?"}, SECOND)
    await grid.bot.until(lambda: not slack.pending())
    grid.bot.advance(3 * DAY)
    await grid.said(f"water of {FIRST}", FIRST, times=2)
    slack.say("/id", ANN)
    await grid.said(f"slack:{FIRST}:{ANN}", FIRST, times=2)
    await grid.bot.stop()
    assert {call.team for call in slack.calls("chat.postMessage")[calls:]} == {FIRST}
    tenants = "SELECT external_id, organisation, ended_at IS NULL AS served FROM tenant ORDER BY external_id"
    assert [tuple(row.values()) for row in grid.bot.rows(tenants)] == [(FIRST, WHOLE, 1), (SECOND, WHOLE, 0)]
    resting = "SELECT count(*) FROM trigger WHERE state = 'paused' AND reason = 'uninstalled'"
    assert grid.bot.value(resting) == 1
