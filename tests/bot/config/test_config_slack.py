"""The settings of Slack: what each is, what is told when they are mixed up, and what must be there together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.config.config import Config, load
from bot.runtime.logging import BLANK, Redactor
from core.kernel.errors import ConfigError

BOT, APP = "xoxb-1-CANARY", "xapp-1-CANARY"
OWNED = {"TELLER_OWNERS": '["slack:T01:U01"]'}
SOCKET = {**OWNED, "TELLER_SLACK__BOT_TOKEN": BOT, "TELLER_SLACK__APP_TOKEN": APP}
HTTP = {
    **OWNED,
    "TELLER_SLACK__BOT_TOKEN": BOT,
    "TELLER_SLACK__MODE": "http",
    "TELLER_SLACK__SIGNING_SECRET": "a-CANARY",
    "TELLER_HTTP__PORT": "8080",
}


def loaded(**environ: str) -> Config:
    return load(Path(os.devnull), environ)


def refusal(**environ: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(**environ)
    return str(caught.value)


def test_every_fixed_name_is_understood() -> None:
    environ = {
        **SOCKET,
        "TELLER_SLACK__SIGNING_SECRET": " abc123 \n",
        "TELLER_SLACK__BASE_URL": "http://127.0.0.1:8082/api",
        "TELLER_SLACK__MODE": "http",
        "TELLER_SLACK__CLIENT_ID": "1000.2000",
        "TELLER_SLACK__CLIENT_SECRET": "def456",
    }
    config = loaded(**environ)
    assert (config.slack.base_url, config.slack.mode, config.slack.client_id) == (
        "http://127.0.0.1:8082/api/",
        "http",
        "1000.2000",
    )
    assert config.secrets() == [BOT, APP, "abc123", "def456"]
    assert config.platforms == ("slack",)


def test_the_usual_values_lead_to_slack_itself() -> None:
    section = loaded().slack
    found = (section.base_url, section.mode, section.path, section.doubt, section.command, section.todo_command)
    assert found == ("https://slack.com/api/", "socket", "/slack/events", "resend", "/teller", "/todo")


@pytest.mark.parametrize("name", ["BOT_TOKEN", "APP_TOKEN", "SIGNING_SECRET", "CLIENT_SECRET"])
def test_a_secret_may_stay_in_a_file(name: str, tmp_path: Path) -> None:
    content = {"BOT_TOKEN": BOT, "APP_TOKEN": APP}.get(name, "abc123")
    (tmp_path / "secret").write_text(f"{content}\n", encoding="utf-8")
    config = loaded(**{f"TELLER_SLACK__{name}_FILE": str(tmp_path / "secret")})
    assert config.secrets() == [content]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("BOT_TOKEN", APP, "an app-level token, which belongs into slack.app_token"),
        ("APP_TOKEN", BOT, "the Bot User OAuth Token, which belongs into slack.bot_token"),
        ("BOT_TOKEN", "xoxp-1-CANARY", "a token of a person"),
        ("BOT_TOKEN", "xoxe.xoxb-1-CANARY", "a token that runs out"),
        ("SIGNING_SECRET", APP, "an app-level token"),
        ("CLIENT_SECRET", BOT, "the Bot User OAuth Token"),
        ("BOT_TOKEN", "CANARY", "it begins with xoxb-"),
        ("BOT_TOKEN", "xoxb-CANARY CANARY", "it begins with xoxb-"),
        ("APP_TOKEN", "xapp-", "it begins with xapp-"),
        ("CLIENT_ID", "CANARY", "two numbers with a dot"),
    ],
)
def test_tokens_that_are_mixed_up_are_explained_and_not_shown(name: str, value: str, said: str) -> None:
    text = refusal(**{f"TELLER_SLACK__{name}": value})
    assert text.startswith(f"slack.{name.lower()} (TELLER_SLACK__{name}): ")
    assert said in text
    assert "CANARY" not in text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("COMMAND", "teller"),
        ("COMMAND", "/Teller"),
        ("TODO_COMMAND", "/to do"),
        ("PATH", "/healthz"),
        ("PATH", "/"),
        ("PATH", "events"),
        ("PATH", "/{events}"),
        ("BASE_URL", "slack.com"),
        ("BASE_URL", "https://slack.com/api/?token=CANARY"),
        ("MODE", "rtm"),
        ("DOUBT", "maybe"),
    ],
)
def test_a_wrong_value_is_explained(name: str, value: str) -> None:
    assert f"slack.{name.lower()} (TELLER_SLACK__{name}): " in refusal(**{f"TELLER_SLACK__{name}": value})


def test_with_all_it_needs_it_starts() -> None:
    assert loaded(**SOCKET).problems_at_start() == []
    assert loaded(**HTTP).problems_at_start() == []


@pytest.mark.parametrize(
    ("environ", "without", "said"),
    [
        (SOCKET, "TELLER_SLACK__APP_TOKEN", "TELLER_SLACK__APP_TOKEN"),
        (SOCKET, "TELLER_SLACK__BOT_TOKEN", "TELLER_SLACK__BOT_TOKEN"),
        (SOCKET, "TELLER_OWNERS", "teller setup --platform slack"),
        (HTTP, "TELLER_SLACK__SIGNING_SECRET", "TELLER_SLACK__SIGNING_SECRET"),
        (HTTP, "TELLER_HTTP__PORT", "TELLER_HTTP__PORT"),
    ],
)
def test_what_is_missing_is_named_with_its_variable(environ: dict[str, str], without: str, said: str) -> None:
    (problem,) = loaded(**{name: value for name, value in environ.items() if name != without}).problems_at_start()
    assert said in problem


def test_things_that_cannot_go_together_are_told() -> None:
    one_path = {"TELLER_TELEGRAM__WEBHOOK_URL": "https://bot.example.org/slack/events"}
    (problem,) = loaded(**HTTP, **one_path).problems_at_start()
    assert "another path" in problem
    (problem,) = loaded(**SOCKET, TELLER_SLACK__TODO_COMMAND="/teller").problems_at_start()
    assert "the same" in problem
    (problem,) = loaded(**SOCKET, TELLER_SLACK__CLIENT_ID="1.2").problems_at_start()
    assert "TELLER_SLACK__CLIENT_SECRET" in problem


def test_an_owner_elsewhere_owns_nothing_here() -> None:
    (problem,) = loaded(**{**SOCKET, "TELLER_OWNERS": '["tg:1001"]'}).problems_at_start()
    assert problem.startswith("No owner yet.")


def test_both_platforms_run_together_and_one_owner_is_enough() -> None:
    config = loaded(**SOCKET, TELLER_TELEGRAM__TOKEN="1:abcde")
    assert (config.platforms, config.problems_at_start()) == (("telegram", "slack"), [])


@pytest.mark.parametrize("address", ["slack:T01:U01", "slack:E01:W01"])
def test_an_owner_is_a_member_of_a_workspace(address: str) -> None:
    assert loaded(TELLER_OWNERS=f'["{address}"]').owners == (address,)


@pytest.mark.parametrize(
    "address", ["slack:U01", "slack:T01", "slack:t01:u01", "slack:T01:C01", "slack:T01:U01:x", "slack::U01", "slack:"]
)
def test_an_owner_that_is_no_member_is_explained(address: str) -> None:
    text = refusal(TELLER_OWNERS=f'["{address}"]')
    assert f"{address!r} is not an address" in text
    assert "slack:T012ABC:U034DEF" in text


@pytest.mark.parametrize("address", ["tg:1", "slack:T01:U01", "slack:T01", "slack:T01:C01", "slack:T01:G01"])
def test_whole_workspaces_and_channels_may_be_let_in(address: str) -> None:
    assert loaded(TELLER_ACCESS__ALLOW=f'["{address}"]').access.allow == (address,)


@pytest.mark.parametrize("address", ["slack:C01", "slack:T01:D01", "slack:T01:#general", "slack:acme"])
def test_what_cannot_be_let_in_is_explained(address: str) -> None:
    assert "slack:T012ABC:C056GHI (a channel)" in refusal(TELLER_ACCESS__ALLOW=f'["{address}"]')


@pytest.mark.parametrize(
    "text",
    [
        "xoxe.xoxp-1-CANARY0123 and xoxe-1-CANARY0123",
        "https://hooks.slack.com/commands/T1/2/CANARY",
        r"https:\/\/hooks.slack.com\/actions\/T1\/2\/CANARY",
        "https%3A%2F%2Fhooks.slack.com%2Fcommands%2FCANARY",
        "wss://wss-primary.slack.com/link/?ticket=CANARY-1&app_id=x",
    ],
)
def test_secrets_of_slack_that_nobody_configured_are_blanked(text: str) -> None:
    found = Redactor().redact(text)
    assert "CANARY" not in found
    assert BLANK in found


KEYED = {
    "TELLER_SLACK__APP_TOKEN": APP,
    "TELLER_SLACK__CLIENT_ID": "1000.2000",
    "TELLER_SLACK__CLIENT_SECRET": "def456",
    "TELLER_SECRET_KEY": "CANARY of more than 16 characters",
    "TELLER_HTTP__PORT": "8080",
}


def test_an_app_that_is_installed_by_its_page_needs_no_token_and_no_owner() -> None:
    config = loaded(**KEYED)
    assert (config.platforms, config.problems_at_start(), config.slack.oauth) == (("slack",), [], True)
    assert KEYED["TELLER_SECRET_KEY"] in config.secrets()


@pytest.mark.parametrize("without", ["TELLER_SECRET_KEY", "TELLER_HTTP__PORT", "TELLER_SLACK__APP_TOKEN"])
def test_what_that_needs_besides_is_named(without: str) -> None:
    (problem,) = loaded(**{name: value for name, value in KEYED.items() if name != without}).problems_at_start()
    assert without in problem


def test_a_key_may_be_followed_by_the_former_one() -> None:
    config = loaded(TELLER_SECRET_KEY="the new CANARY key, the former CANARY key")
    assert config.secret_keys == ("the new CANARY key", "the former CANARY key")
    assert set(config.secret_keys) <= set(config.secrets())


@pytest.mark.parametrize("value", ["CANARY", "a CANARY that is long enough,CANARY", "a CANARY that is long enough,"])
def test_a_short_key_is_refused_and_not_shown(value: str) -> None:
    text = refusal(TELLER_SECRET_KEY=value)
    assert text.startswith("secret_key (TELLER_SECRET_KEY): ")
    assert "CANARY" not in text


@pytest.mark.parametrize("value", ["bot.example.org", "https://bot.example.org/path", "https://me@bot.example.org"])
def test_a_public_address_is_one_of_a_server(value: str) -> None:
    assert "slack.public_url (TELLER_SLACK__PUBLIC_URL): " in refusal(TELLER_SLACK__PUBLIC_URL=value)


@pytest.mark.parametrize("path", ["/slack/install", "/slack/oauth/"])
def test_the_pages_keep_their_paths(path: str) -> None:
    assert "slack.path (TELLER_SLACK__PATH): " in refusal(TELLER_SLACK__PATH=path)
