"""Two workspaces in which everything has the same id: people, channels, messages. They never meet."""

from __future__ import annotations

import pytest

from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_installed import ANN, FIRST, SECOND, Running, answered, installed

BOTH = (FIRST, SECOND)


@pytest.fixture
async def bot(server: SlackServer, bot: Running) -> Running:
    """A bot that both have installed."""
    for team in BOTH:
        await installed(server, bot, team)
        await answered(server, 1, team)
    return bot


async def both_say(server: SlackServer, *texts: str) -> dict[str, list[str]]:
    """Let both Anns write, in the same channel at the same time; return what each was told last, of each."""
    before = {team: len(await answered(server, 1, team)) for team in BOTH}
    found: dict[str, list[str]] = {}
    for number, text in enumerate(texts, 1):
        ts = f"{int(server.world.now())}.{number:06d}"
        for team in BOTH:
            server.say(text.format(team=team), ANN, team=team, ts=ts, client_msg_id=f"same-{number}")
        for team in BOTH:
            found[team] = (await answered(server, before[team] + number, team))[before[team] :]
    return found


async def test_what_one_notes_the_other_never_sees(server: SlackServer, bot: Running) -> None:
    told = await both_say(server, "/todo add secret of {team}", "/todo", "/remind in 2 days: plan of {team}", "/tasks")
    for team, other in (BOTH, BOTH[::-1]):
        assert f"secret of {team}" in told[team][1]
        assert f"plan of {team}" in told[team][3]
        assert other not in "\n".join(told[team])


async def test_equal_ids_are_two_of_everything(server: SlackServer, bot: Running) -> None:
    await both_say(server, "hello from {team}")
    twice = "SELECT external_id, count(*), count(DISTINCT tenant_id) FROM {table} GROUP BY 1 HAVING count(*) > 1"
    assert await bot.rows(twice.format(table="chat")) == [("D1001", 2, 2)]
    assert await bot.rows("SELECT count(*), count(DISTINCT scope_id) FROM person") == [(2, 2)]
    same = "SELECT platform_id, count(*), count(DISTINCT tenant_id) FROM inbox GROUP BY 1 HAVING count(*) > 1"
    assert [tuple(row[1:]) for row in await bot.rows(same)] == [(2, 2)]
    keys = "SELECT update_key, count(*) FROM inbox GROUP BY 1 HAVING count(*) > 1"
    assert [row[1] for row in await bot.rows(keys)] == [2]


async def test_a_button_of_one_workspace_does_nothing_in_the_other(server: SlackServer, bot: Running) -> None:
    await both_say(server, "/remind in 2 days: plan of {team}")
    [(token,)] = await bot.rows(
        "SELECT k.token FROM keyboard k JOIN tenant t ON t.id = k.tenant_id WHERE t.external_id = 'T0001'"
        " ORDER BY k.id DESC LIMIT 1"
    )
    before = await bot.rows("SELECT id, state, epoch, next_at FROM trigger ORDER BY id")
    press = {
        "type": "block_actions",
        "team": {"id": SECOND},
        "user": {"id": ANN, "team_id": SECOND},
        "api_app_id": server.world.app.id,
        "container": {"type": "message", "message_ts": "1.1", "channel_id": "D1001"},
        "channel": {"id": "D1001"},
        "actions": [
            {"type": "button", "action_id": f"teller:{n}", "value": f"{token}:{n}", "action_ts": "2.2"} for n in (0, 1)
        ][:1],
    }
    await server.deliveries.send("interactive", press).settled()
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    assert await bot.rows("SELECT id, state, epoch, next_at FROM trigger ORDER BY id") == before
    assert await bot.rows("SELECT count(*) FROM inbox WHERE pressed IS NOT NULL") == [(0,)]


async def test_both_tokens_are_used_each_for_its_own(server: SlackServer, bot: Running) -> None:
    await both_say(server, "/id")
    posts = {call.team for call in server.calls("chat.postMessage")}
    assert posts == set(BOTH)
    sealed = await bot.rows("SELECT DISTINCT sealed FROM installation")
    assert len(sealed) == 2
