"""The manifest asks for what the code uses: each method that is called and each event that is read, and no more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from slack_sdk.web.async_client import AsyncWebClient

from bot.__main__ import main
from bot.adapters.slack import manifest
from bot.adapters.slack.manifest import AGENT, EVENTS, METHODS, SCOPES, Wishes
from bot.adapters.slack.parse import events as parsing
from bot.adapters.slack.receive import interactions
from tests.emulators.slack_manifest import refusals

ROOM = Path(manifest.__file__).parent
KNOWN = {name for name in vars(AsyncWebClient) if "_" in name and not name.startswith("_") and name != "api_call"}
# Limits of docs.slack.dev/reference/app-manifest.
LONGEST = {"command": 32, "usage_hint": 1000, "name": 24, "callback_id": 255, "description": 150}
URL = "https://bot.example.org/slack/events"


def called() -> set[str]:
    """The methods of the Web API that the room calls, by their names at Slack."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in ROOM.glob("*.py"))
    nodes = [node for tree in trees for node in ast.walk(tree)]
    attributes = {
        node.attr.replace("_", ".") for node in nodes if isinstance(node, ast.Attribute) and node.attr in KNOWN
    }
    return attributes | set(_by_name(nodes))


def _by_name(nodes: list[ast.AST]) -> Iterator[str]:
    """What `api_call` is given."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "api_call":
            yield ast.literal_eval(node.args[0])


def made(**wishes: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(manifest.manifest(Wishes(**wishes)))
    return found


def scopes(profile: str) -> set[str]:
    return set(made(profile=profile)["oauth_config"]["scopes"]["bot"])


def test_each_method_that_is_called_is_in_the_table() -> None:
    assert {"auth.test", "chat.postMessage", "users.info"} <= called()
    assert called() - set(METHODS) == set()


def test_each_scope_that_a_method_or_event_needs_is_asked_for() -> None:
    wholly = scopes("channels")
    for needed in METHODS.values():
        assert not needed or set(needed) <= wholly
    for event in EVENTS:
        assert set(event.scopes) <= wholly
        assert event.profile != "minimal" or not event.scopes or set(event.scopes) & scopes("minimal")


def test_no_scope_is_asked_for_that_nothing_needs() -> None:
    used = {scope for needed in METHODS.values() for scope in needed} | {s for one in EVENTS for s in one.scopes}
    used |= {"commands"}  # for what Slack offers by itself: slash commands and shortcuts
    assert {scope.name for scope in (*SCOPES, *AGENT)} <= used


def test_each_event_that_is_read_is_asked_for() -> None:
    told = {event.name.partition(".")[0] for event in EVENTS}
    read = parsing.MESSAGES | parsing.GONE | parsing.ENDED | parsing.UNREAD | set(parsing._READERS)
    assert told == read


@pytest.mark.parametrize("profile", manifest.PROFILES)
@pytest.mark.parametrize("url", ["", URL])
def test_it_is_yaml_of_the_shape_that_slack_takes(profile: str, url: str) -> None:
    found = made(profile=profile, url=url)
    assert set(found) == {"_metadata", "display_information", "features", "oauth_config", "settings"}
    assert found["features"]["app_home"] == {
        "home_tab_enabled": True,
        "messages_tab_enabled": True,
        "messages_tab_read_only_enabled": False,
    }
    for one in (*found["features"]["slash_commands"], *found["features"]["shortcuts"]):
        assert [key for key, value in one.items() if len(str(value)) > LONGEST.get(key, 3000)] == []
    settings = found["settings"]
    assert settings["socket_mode_enabled"] is (url == "")
    assert settings["token_rotation_enabled"] is False
    places = [settings["event_subscriptions"].get("request_url"), settings["interactivity"].get("request_url")]
    places += [command.get("url") for command in found["features"]["slash_commands"]]
    assert set(places) == {url or None}


@pytest.mark.parametrize("profile", manifest.PROFILES)
def test_the_app_is_an_agent_of_today(profile: str) -> None:
    found = made(profile=profile)
    assert list(refusals(found)) == []
    view = found["features"]["agent_view"]
    assert "Remind me in 1 minute to stretch" in [prompt["message"] for prompt in view["suggested_prompts"]]
    assert "assistant_view" not in found["features"]
    assert "assistant:write" in scopes(profile)


def test_what_slack_would_refuse_of_an_agent_is_seen() -> None:
    found = made()
    found["features"]["assistant_view"] = {}
    found["features"]["agent_view"] = {"assistant_description": "x", "suggested_prompts": [{"title": "x"}] * 5}
    found["features"]["app_home"]["messages_tab_enabled"] = False
    found["oauth_config"]["scopes"]["bot"].remove("assistant:write")
    found["settings"]["event_subscriptions"]["bot_events"] = ["message.im", "assistant_thread_started"]
    assert len(list(refusals(found))) == 10


def test_an_older_app_lacks_nothing_because_it_is_no_agent() -> None:
    assert manifest.missing(scopes("channels") - {"assistant:write"}) == ()


def test_the_minimal_one_asks_for_nothing_that_is_said_in_channels() -> None:
    assert scopes("minimal") < scopes("channels")
    assert not {scope for scope in scopes("minimal") if scope.startswith(("channels:", "groups:", "mpim:"))}


def test_each_scope_and_event_says_why() -> None:
    lines = manifest.manifest(Wishes(back="https://bot.example.org/slack/oauth")).splitlines()
    items = [line for line in lines if re.match(r" {6}- (?!title)", line)]
    assert len(items) == len(SCOPES) + len(AGENT) + len(EVENTS)
    assert [line for line in items if not re.search(r"  # \w", line)] == []


def test_the_shortcuts_are_those_that_are_answered() -> None:
    source = Path(interactions.__file__).read_text(encoding="utf-8")
    for one in made()["features"]["shortcuts"]:
        assert f'"{one["callback_id"]}"' in source


def test_what_a_token_lacks_is_measured_by_what_it_was_made_for() -> None:
    assert [scope.name for scope in manifest.missing(scopes("minimal") - {"im:read"})] == ["im:read"]
    assert [scope.name for scope in manifest.missing(scopes("channels") - {"groups:read"})] == ["groups:read"]
    assert manifest.missing(scopes("minimal")) == ()


def printed(*args: str, **environ: str) -> str:
    done = CliRunner().invoke(main, ["slack", "manifest", *args], env={"TELLER_CONFIG": None, **environ})
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_prints_it_with_the_names_of_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = yaml.safe_load(
        printed("--profile", "minimal", TELLER_SLACK__COMMAND="/jarvis", TELLER_SLACK__TODO_COMMAND="/list")
    )
    assert [one["command"] for one in found["features"]["slash_commands"]] == ["/jarvis", "/list"]
    assert "channels:history" not in found["oauth_config"]["scopes"]["bot"]


def test_the_address_for_posts_gets_the_path_at_which_they_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for given in ("https://bot.example.org", URL, "https://bot.example.org/"):
        assert yaml.safe_load(printed("--http", given))["settings"]["interactivity"]["request_url"] == URL


@pytest.mark.parametrize(
    "url", ["http://bot.example.org", "bot.example.org", "https://x.org/other", "https://a:b@x.org"]
)
def test_an_address_that_slack_cannot_post_to_is_refused(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["slack", "manifest", "--http", url], env={"TELLER_CONFIG": None})
    assert (done.exit_code, "--http" in done.output) == (2, True)


def test_an_app_that_is_installed_by_its_page_names_where_people_come_back_to() -> None:
    found = yaml.safe_load(manifest.manifest(Wishes(back="https://bot.example.org/slack/oauth")))
    assert found["oauth_config"]["redirect_urls"] == ["https://bot.example.org/slack/oauth"]
    assert "redirect_urls" not in yaml.safe_load(manifest.manifest(Wishes()))["oauth_config"]


def test_no_app_is_installed_for_a_whole_organisation() -> None:
    for wishes in (Wishes(), Wishes(back="https://bot.example.org/slack/oauth")):
        assert yaml.safe_load(manifest.manifest(wishes))["settings"]["org_deploy_enabled"] is False
