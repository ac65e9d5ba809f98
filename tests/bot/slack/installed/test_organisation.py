"""An organisation installs the app for all of its workspaces: each is served by itself, until it is taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.emulators.slack import SlackServer
from tests.slack_installed import (
    ANN,
    BOTH,
    BOTH_SERVED,
    FIRST,
    ONE_SERVED,
    SECOND,
    SERVED,
    TRIGGERS,
    WHOLE,
    Running,
    answered,
    begun,
    configured,
    installed,
    nothing,
    running,
    settled,
)

pytestmark = pytest.mark.usefixtures("together")


async def test_an_organisation_is_served_workspace_by_workspace(server: SlackServer, grid: Running) -> None:
    server.say("/id", ANN)
    assert "slack:T0001:U1001" in (await answered(server, 1))[0]
    nothing(server, SECOND)
    await settled(server)
    assert await grid.rows(SERVED) == list(BOTH_SERVED)
    owners = "SELECT a.external_id FROM person p JOIN address a ON a.person_id = p.id WHERE p.owns = 1 ORDER BY p.id"
    assert await grid.rows(owners) == [("slack:T0001:U1001",), ("slack:T0002:U1001",)]


async def test_a_workspace_of_another_organisation_is_none_of_ours(server: SlackServer, grid: Running) -> None:
    server.workspace(SECOND).enterprise = "E0002"
    nothing(server, SECOND)
    await settled(server)
    assert await grid.rows(SERVED) == []


# The end of all of it.


async def test_its_workspaces_are_served_after_a_restart_and_end_together(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await begun(server, bot)
    async with running(configured(server, tmp_path)) as bot:
        assert all(map(bot.app.adapters["slack"].serves, BOTH))
        server.uninstall(SECOND)
        await bot.until(SERVED, (FIRST, WHOLE, 0), (SECOND, WHOLE, 0))


@pytest.mark.parametrize("team_id", [None, WHOLE])
async def test_an_end_that_names_no_workspace_is_that_of_all(
    server: SlackServer, served: Running, team_id: str | None
) -> None:
    given = [{"enterprise_id": WHOLE, "team_id": team_id, "is_enterprise_install": True}]
    server.push({"type": "app_uninstalled"}, FIRST, team_id=team_id, authorizations=given)
    await served.until(SERVED, (FIRST, WHOLE, 0), (SECOND, WHOLE, 0))
    await served.until("SELECT state FROM installation", ("revoked",))


@pytest.mark.parametrize("team", [SECOND, "T0009"])
async def test_the_end_of_what_a_workspace_had_installed_itself_is_not_that_of_its_organisation(
    server: SlackServer, served: Running, team: str
) -> None:
    given = [{"enterprise_id": WHOLE, "team_id": team, "is_enterprise_install": False}]
    server.push({"type": "app_uninstalled"}, SECOND, authorizations=given)
    await settled(server)
    assert await served.rows(SERVED) == list(BOTH_SERVED)
    assert await served.rows("SELECT state FROM installation") == [("active",)]


# Taken away from some of its workspaces.


async def test_a_workspace_that_it_is_taken_away_from_ends_as_if_it_were_uninstalled_there(
    server: SlackServer, served: Running
) -> None:
    server.user("U1002", team=SECOND)
    for n, team in enumerate(BOTH, 1):
        server.say("/remind in 2 days: call Oma", ANN, team=team)
        await answered(server, n)
    server.withdraw(SECOND)
    await served.until(SERVED, *ONE_SERVED)
    assert await served.rows(TRIGGERS) == [(FIRST, "active", ""), (SECOND, "paused", "uninstalled")]
    slack = served.app.adapters["slack"]
    await served.becomes(lambda: not slack.serves(SECOND))
    assert slack.serves(FIRST)
    assert slack.health()["installations"] == [{"id": WHOLE, "name": WHOLE, "state": "active"}]
    server.say("/id", ANN)
    assert "slack:T0001:U1001" in (await answered(server, 3))[-1]


@pytest.mark.parametrize(
    "body",
    [
        {"enterprise_id": "E0002", "authorizations": [{"enterprise_id": "E0002", "is_enterprise_install": True}]},
        {"enterprise_id": "E0002", "authorizations": []},
        {"enterprise_id": None, "authorizations": []},
        {"event_time": 1},
    ],
)
async def test_what_another_organisation_says_or_one_said_before_is_not_believed(
    server: SlackServer, served: Running, body: dict[str, Any]
) -> None:
    slack = served.app.adapters["slack"]
    known = slack._workspaces.get(SECOND)  # type: ignore[attr-defined] # whoever ends is another one when it comes back
    server.push({"type": "team_access_revoked", "team_ids": [SECOND]}, FIRST, **({"team_id": None} | body))
    await settled(server)
    assert await served.rows(SERVED) == list(BOTH_SERVED)
    assert slack._workspaces.get(SECOND) is known  # type: ignore[attr-defined] # as above


@pytest.mark.parametrize("teams", [None, "T0002", [], [None, 2, {}], ["T0009"], [WHOLE]])
async def test_what_names_none_of_its_workspaces_ends_nothing(
    server: SlackServer, served: Running, teams: object
) -> None:
    await server.push({"type": "team_access_revoked", "team_ids": teams}, FIRST, team_id=None).settled()
    assert await served.rows(SERVED) == list(BOTH_SERVED)


@pytest.mark.parametrize("body", [{"authorizations": []}, {"team_id": WHOLE}, {"team_id": FIRST}])
async def test_it_may_come_without_saying_for_whom(server: SlackServer, served: Running, body: dict[str, Any]) -> None:
    server.push({"type": "team_access_revoked", "team_ids": ["T0009", SECOND]}, FIRST, **body)
    await served.until(SERVED, *ONE_SERVED)


async def test_a_workspace_with_an_installation_of_its_own_keeps_it(server: SlackServer, bot: Running) -> None:
    server.world.app.whole = False
    await installed(server, bot, SECOND)
    server.world.app.whole = True
    await installed(server, bot)
    await server.push({"type": "team_access_revoked", "team_ids": [SECOND]}, FIRST, team_id=None).settled()
    assert await bot.rows(SERVED) == [(SECOND, "", 1)]


async def test_what_comes_late_does_not_bring_it_back_also_not_after_a_restart(
    server: SlackServer, tmp_path: Path
) -> None:
    before = int(server.world.now()) - 2
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await begun(server, bot)
        server.withdraw(SECOND)
        await bot.until(SERVED, *ONE_SERVED)
        nothing(server, SECOND, event_time=before)
        await settled(server)
        assert await bot.rows(SERVED) == list(ONE_SERVED)
    async with running(configured(server, tmp_path)) as bot:
        nothing(server, SECOND, event_time=before)
        await settled(server)
        assert await bot.rows(SERVED) == list(ONE_SERVED)
        assert bot.app.adapters["slack"]._workspaces.has_ended(SECOND)  # type: ignore[attr-defined] # what waits for it is given up


async def test_given_back_it_goes_on_where_it_was(server: SlackServer, served: Running) -> None:
    server.say("/remind in 2 days: call Oma", ANN, team=SECOND)
    await answered(server, 1)
    server.withdraw(SECOND)
    await served.becomes(lambda: not served.app.adapters["slack"].serves(SECOND))
    server.ahead = 5
    server.grant(SECOND)
    server.say("/id", ANN, team=SECOND)
    assert "slack:T0002:U1001" in (await answered(server, 2))[-1]
    assert await served.rows(SERVED) == list(BOTH_SERVED)
    assert await served.rows(TRIGGERS) == [(SECOND, "active", "")]


async def test_that_it_was_taken_away_is_noticed_though_nobody_said_so(server: SlackServer, served: Running) -> None:
    server.workspace(SECOND).installed = False
    server.sockets.abort()
    await served.until(SERVED, *ONE_SERVED)
    assert await served.rows("SELECT state FROM installation") == [("active",)]
