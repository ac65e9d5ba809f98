"""The Slack emulator where an organisation has the app installed: one token, and who has to say which workspace."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for, refusal
from tests.emulators.slack_world import Channel, User

FIRST, SECOND, WHOLE = "T0001", "T0002", "E0001"


@pytest.fixture
def whole(server: SlackServer) -> AsyncWebClient:
    """The client of an organisation's installation."""
    server.world.app.whole = True
    server.world.team(SECOND, installed=False)
    for team in (FIRST, SECOND):
        home = server.workspace(team)
        home.enterprise = WHOLE
        home.users["U7"] = User(id="U7", team_id=team, name="grace")
    theirs = Channel(id="C9", name="theirs", members={"U7", server.team.bot_user})
    server.workspace(SECOND).channels[theirs.id] = theirs
    return client_for(server, server.world.install(server.team))


@pytest.mark.parametrize("method", ["users_list", "conversations_list", "users_conversations"])
async def test_what_is_about_a_workspace_wants_its_id(server: SlackServer, whole: AsyncWebClient, method: str) -> None:
    call: Any = getattr(whole, method)
    assert await refusal(call()) == "missing_argument"
    assert (await call(team_id=SECOND))["ok"]
    for team in ("T0009", WHOLE):
        assert await refusal(call(team_id=team)) == "team_access_not_granted"
    assert server.calls()[-3].team == SECOND


async def test_a_workspace_of_another_organisation_is_not_reached(server: SlackServer, whole: AsyncWebClient) -> None:
    server.world.team("T0003", installed=False, enterprise="E0002")
    assert await refusal(whole.users_list(team_id="T0003")) == "team_access_not_granted"


async def test_auth_test_speaks_of_the_organisation(whole: AsyncWebClient) -> None:
    me = await whole.auth_test()
    assert (me["team_id"], me["enterprise_id"], me["is_enterprise_install"]) == (WHOLE, WHOLE, True)


async def test_its_workspaces_are_listed_page_by_page(server: SlackServer, whole: AsyncWebClient) -> None:
    server.world.team("T0003", installed=False, enterprise="E0002")
    first = await whole.auth_teams_list(limit=1)
    rest = await whole.auth_teams_list(limit=1, cursor=first["response_metadata"]["next_cursor"])
    assert [one["id"] for page in (first, rest) for one in page["teams"]] == [FIRST, SECOND]
    assert rest["response_metadata"]["next_cursor"] == ""
    server.withdraw(SECOND)
    assert [one["id"] for one in (await whole.auth_teams_list())["teams"]] == [FIRST]


async def test_what_is_named_says_where_it_is(server: SlackServer, whole: AsyncWebClient) -> None:
    posted = await whole.chat_postMessage(channel="C9", text="hi")
    assert posted["ts"] in server.workspace(SECOND).channels["C9"].messages
    person = (await whole.users_info(user="U7"))["user"]
    assert (person["team_id"], person["enterprise_user"]["teams"]) == (FIRST, [FIRST, SECOND])


async def test_people_write_to_it_in_one_place_from_all_workspaces(server: SlackServer, whole: AsyncWebClient) -> None:
    opened = await whole.conversations_open(users="U7")
    assert server.workspace(SECOND).dm_with("U7") is server.team.dm_with("U7")
    assert opened["channel"]["id"] == server.team.dm_with("U7").id


async def test_taken_away_from_a_workspace_the_token_is_good_for_the_others(
    server: SlackServer, whole: AsyncWebClient
) -> None:
    server.withdraw(SECOND)
    body = server.deliveries.all[-1].payload
    assert (body["team_id"], body["enterprise_id"], body["event"]["team_ids"]) == (None, WHOLE, [SECOND])
    for call in (whole.users_list(team_id=SECOND), whole.chat_postMessage(channel="C9", text="hi")):
        assert await refusal(call) == "team_access_not_granted"
    assert (await whole.users_list(team_id=FIRST))["ok"]
    server.grant(SECOND)
    assert (await whole.users_list(team_id=SECOND))["ok"]
    server.uninstall()
    assert await refusal(whole.users_list(team_id=FIRST)) == "account_inactive"
