"""Doctor against the emulated Slack: tokens, scopes, owners, and the way things are heard."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack.manifest import Wishes, scopes
from bot.config.config import load
from bot.doctor import doctor
from bot.doctor import slack as doctor_slack
from bot.doctor.finding import Finding, Patient
from tests.emulators.slack import SlackServer

OWNER = "U1001"


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as running:
        running.user(OWNER, real_name="Ann")
        running.team.scopes = {scope.name for scope in scopes(Wishes().profile)}
        yield running


def app(server: SlackServer, **more: str) -> dict[str, str]:
    return {
        "TELLER_SLACK__BOT_TOKEN": server.team.bot_token,
        "TELLER_SLACK__APP_TOKEN": server.world.app.app_token,
        "TELLER_SLACK__BASE_URL": server.api,
        "TELLER_OWNERS": f'["slack:{server.team.id}:{OWNER}"]',
        **more,
    }


async def found(environ: dict[str, str]) -> list[Finding]:
    patient = Patient(config=load(Path(os.devnull), environ), file=Path("config.yaml"))
    return [one for check in doctor_slack.CHECKS.values() async for one in check(patient)]


def lines(findings: list[Finding], check: str) -> list[str]:
    return [one.line() for one in findings if one.check == check]


async def test_a_good_app_names_its_workspace_and_its_owner(server: SlackServer) -> None:
    told = await found(app(server))
    assert [one.mark for one in told] == ["ok"] * 4
    assert lines(told, "slack") == ["✓ slack: @teller (U0BOT) in Acme (T0001)"]
    assert lines(told, "slack owners") == ["✓ slack owners: u1001 (slack:T0001:U1001)"]
    assert lines(told, "slack socket") == ["✓ slack socket: Slack gives an address to listen at"]


async def test_without_a_token_nothing_is_asked(server: SlackServer) -> None:
    assert await found({"TELLER_SLACK__BASE_URL": server.api}) == []
    assert server.calls() == []


async def test_a_wrong_token_is_told_with_what_to_do_and_not_shown(server: SlackServer) -> None:
    wrong, _ = await found(app(server, TELLER_SLACK__BOT_TOKEN="xoxb-1-CANARY"))
    assert (wrong.mark, "invalid_auth" in wrong.text, "teller setup" in wrong.text) == ("wrong", True, True)
    assert "CANARY" not in wrong.text


async def test_a_missing_scope_is_named_with_what_is_off_without_it(server: SlackServer) -> None:
    server.team.scopes -= {"users:read", "groups:history", "chat:write"}
    told = await found(app(server))
    assert lines(told, "slack scopes") == [
        "✗ slack scopes: chat:write is missing: it can write nothing; add it and install the app again",
        "! slack scopes: users:read is missing: nobody's name and time zone is known; add it and install the app again",
        "! slack scopes: groups:history is missing: in private channels only mentions are heard, threads are not read, "
        "and nothing is caught up; add it and install the app again",
    ]
    assert lines(told, "slack owners") == ["! slack owners: slack:T0001:U1001 cannot be looked up without users:read"]


async def test_the_minimal_app_is_well_and_told_what_more_there_is(server: SlackServer) -> None:
    server.team.scopes = {scope.name for scope in scopes("minimal")}
    (line,) = lines(await found(app(server)), "slack scopes")
    assert line.startswith("✓ slack scopes: as in profile minimal")


async def test_an_app_token_that_opens_nothing_is_told(server: SlackServer) -> None:
    told = await found(app(server, TELLER_SLACK__APP_TOKEN="xapp-1-CANARY"))
    (line,) = lines(told, "slack socket")
    assert line.startswith("✗ slack socket: ")
    assert "connections:write" in line
    assert "CANARY" not in line


async def test_in_http_mode_the_address_to_enter_is_told(server: SlackServer) -> None:
    told = await found(app(server, TELLER_SLACK__MODE="http", TELLER_SLACK__PATH="/in"))
    assert "https://YOUR-HOST/in" in lines(told, "slack http")[0]
    assert server.calls("apps.connections.open") == []


@pytest.mark.parametrize(
    ("user", "mark", "said"),
    [
        ("U9999", "wrong", "nobody in this workspace"),
        ("U0BOT", "wrong", "a bot"),
        ("U2002", "wrong", "switched off"),
    ],
)
async def test_an_owner_who_is_none_is_told(server: SlackServer, user: str, mark: str, said: str) -> None:
    server.user("U2002", deleted=True)
    told = await found(app(server, TELLER_OWNERS=f'["slack:T0001:{user}"]'))
    (owner,) = [one for one in told if one.check == "slack owners"]
    assert (owner.mark, said in owner.text) == (mark, True)


async def test_a_workspace_in_which_nobody_is_an_owner_is_told(server: SlackServer) -> None:
    told = await found(app(server, TELLER_OWNERS='["tg:1001", "slack:T0002:U1001"]'))
    assert lines(told, "slack owners") == ["! slack owners: nobody of T0001; run: teller setup --platform slack"]


@pytest.mark.parametrize(("kind", "mark"), [("500", "wrong"), ("html", "wrong"), ("cut", "wrong"), ("429", "wrong")])
async def test_whatever_slack_answers_is_a_finding(server: SlackServer, kind: str, mark: str) -> None:
    server.fault("auth.test", kind=kind)
    (only, _) = await found(app(server))
    assert (only.check, only.mark, "online" in only.text) == ("slack", mark, True)
    assert server.team.bot_token not in only.text


async def test_without_a_network_the_cause_is_named(server: SlackServer) -> None:
    nobody = "http://127.0.0.1:9/api/"  # the discard port: nothing listens there
    told = await found(app(server, TELLER_SLACK__BASE_URL=nobody))
    assert [one.mark for one in told] == ["wrong", "warning"]
    assert "127.0.0.1 cannot be asked" in told[0].text


async def test_the_whole_look_has_slack_in_it_and_says_no_more_console_only(
    server: SlackServer, tmp_path: Path
) -> None:
    environ = app(server, TELLER_DATA_DIR=str(tmp_path / "data"), TELLER_TIMEZONE="Europe/Berlin")
    told, _ = await doctor.examine(Path(os.devnull), environ)
    assert [one for one in told if one.mark == "wrong"] == []
    assert lines(told, "telegram") == ["✓ telegram: no token"]
    assert len(lines(told, "slack")) == 1


def many(server: SlackServer) -> dict[str, str]:
    environ = app(server, TELLER_SLACK__CLIENT_ID="1000.2000", TELLER_SLACK__CLIENT_SECRET="abc123")
    return {name: value for name, value in environ.items() if name != "TELLER_SLACK__BOT_TOKEN"}


async def test_the_installations_of_the_running_bot_are_listed(server: SlackServer) -> None:
    rows = [
        {"id": "T1", "name": "Acme", "state": "active"},
        {"id": "T2", "name": "", "state": "removed"},
        {"id": "T3", "name": "", "state": "its tokens cannot be read"},
    ]
    running = {"platforms": {"slack": {"ok": True, "installations": rows}}}
    patient = Patient(config=load(Path(os.devnull), many(server)), file=Path("config.yaml"), running=running)
    told = [one.line() async for one in doctor_slack.CHECKS["slack installations"](patient)]
    assert told == [
        "✓ slack installations: Acme (T1)",
        "✓ slack installations: T2: the app was removed there",
        "✗ slack installations: T3: its tokens cannot be read; is secret_key the right one?",
    ]


async def test_without_a_running_bot_or_installations_it_says_what_to_do(server: SlackServer) -> None:
    told = await found(many(server))
    assert lines(told, "slack installations") == ["! slack installations: start the bot to see them"]
    assert lines(told, "slack socket") == ["✓ slack socket: Slack gives an address to listen at"]
    config = load(Path(os.devnull), many(server))
    patient = Patient(config=config, file=Path("config.yaml"), running={"platforms": {"slack": {"installations": []}}})
    [none] = [one.line() async for one in doctor_slack.CHECKS["slack installations"](patient)]
    assert none == "! slack installations: none yet; open https://YOUR-HOST/slack/install in a browser"
