"""The section of the configuration for Slack, and what has to be there together before it starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr

from bot.config.sections import Secret, Section, stripped, web_root

BOT, APP = "xoxb-", "xapp-"
# What the app's pages show side by side, and what each of them is.
KINDS = {
    BOT: "the Bot User OAuth Token, which belongs into slack.bot_token",
    APP: "an app-level token, which belongs into slack.app_token",
    "xoxp-": "a token of a person; the bot needs the Bot User OAuth Token, xoxb-…",
    "xoxe": "a token that runs out; make an app whose manifest has token_rotation_enabled: false",
}
TOKEN_TEXT = re.compile(r"[A-Za-z0-9-]{3,}")
CLIENT_ID = re.compile(r"[0-9]+\.[0-9]+")
COMMAND = re.compile(r"/[a-z0-9][a-z0-9_-]{0,30}")
PATH = re.compile(r"/[A-Za-z0-9/._~-]+")
# Where the app is installed (bot.adapters.slack.install.pages), and what else is taken.
TAKEN = frozenset({"", "/healthz", "/slack/install", "/slack/oauth"})


def _token(value: SecretStr | None, kind: str) -> SecretStr | None:
    found = stripped(value)
    if found is None:
        return None
    text = found.get_secret_value()
    wrong = next((what for prefix, what in KINDS.items() if text.startswith(prefix) and prefix != kind), "")
    if wrong:
        raise ValueError(f"this is {wrong}")
    if not text.startswith(kind) or not TOKEN_TEXT.fullmatch(text.removeprefix(kind)):
        raise ValueError(
            f"it begins with {kind} and goes on with letters, digits and -. Copy it again, whole and alone"
        )
    return found


def _bot_token(value: SecretStr | None) -> SecretStr | None:
    return _token(value, BOT)


def _app_token(value: SecretStr | None) -> SecretStr | None:
    return _token(value, APP)


def _no_token(value: SecretStr | None) -> SecretStr | None:
    found = stripped(value)
    text = found.get_secret_value() if found is not None else ""
    wrong = next((what for prefix, what in KINDS.items() if text.startswith(prefix)), "")
    if wrong:
        raise ValueError(f"this is {wrong}")
    return found


def _client_id(value: str) -> str:
    if value and not CLIENT_ID.fullmatch(value.strip()):
        raise ValueError("it is two numbers with a dot between them, from Basic Information")
    return value.strip()


def _api_root(value: str) -> str:
    root = web_root(value)
    if urlsplit(root).query or urlsplit(root).fragment:
        raise ValueError("give the address of the Web API only, such as https://slack.com/api/")
    return f"{root}/"


def _path(value: str) -> str:
    if not PATH.fullmatch(value) or value.rstrip("/") in TAKEN:
        taken = ", ".join(sorted(TAKEN - {""}))
        raise ValueError(f"it begins with /, may hold letters, digits, /, ., _, ~ and -, and is none of {taken}")
    return value


def _public_url(value: str) -> str:
    if not value:
        return value
    root = web_root(value)
    parts = urlsplit(root)
    if parts.path or parts.query or parts.fragment or parts.username:
        raise ValueError("give the address only, such as https://bot.example.org; /slack/install is appended")
    return root


def _command(value: str) -> str:
    if not COMMAND.fullmatch(value):
        raise ValueError("it is / and at most 31 small letters, digits, _ or -, such as /teller")
    return value


BotToken = Annotated[SecretStr | None, AfterValidator(_bot_token)]
AppToken = Annotated[SecretStr | None, AfterValidator(_app_token)]
NoToken = Annotated[Secret, AfterValidator(_no_token)]
ClientId = Annotated[str, AfterValidator(_client_id)]
ApiRoot = Annotated[str, AfterValidator(_api_root)]
Path = Annotated[str, AfterValidator(_path)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
Command = Annotated[str, AfterValidator(_command)]


class SlackSection(Section):
    """Slack; switched on by its bot token, or by `client_id` and `client_secret`: then workspaces install the app.

    In mode `socket` it asks Slack, in mode `http` Slack posts to us.
    """

    bot_token: BotToken = None
    app_token: AppToken = None
    signing_secret: NoToken = None
    client_id: ClientId = ""
    client_secret: NoToken = None
    profile: Literal["minimal", "channels"] = "channels"
    agent: bool = False
    public_url: PublicUrl = ""
    mode: Literal["socket", "http"] = "socket"
    base_url: ApiRoot = Field(default="https://slack.com/api/", repr=False)
    path: Path = "/slack/events"
    doubt: Literal["resend", "hold"] = "resend"
    history_limit: Literal["auto", "minute", "normal"] = "auto"
    command: Command = "/teller"
    todo_command: Command = "/todo"

    @property
    def wanted(self) -> bool:
        """Whether somebody has begun to set Slack up."""
        return self.bot_token is not None or self.app_token is not None or self.oauth

    @property
    def oauth(self) -> bool:
        """Whether the app is installed by its page, in many workspaces."""
        return bool(self.client_id) and self.client_secret is not None

    @property
    def scarce_history(self) -> bool:
        """Whether conversations may be read once a minute only: Slack says so of apps that are distributed, but not by
        its Marketplace. An app that is installed by its page is taken for one."""
        return self.history_limit == "minute" or (self.history_limit == "auto" and self.oauth)

    def problems(self, port: int, *, sealed: bool) -> Iterator[str]:
        """Yield why Slack must not be started, one sentence each; `port` is that of the web server, `sealed` when there
        is a key for the tokens of workspaces."""
        if self.wanted and self.bot_token is None and not self.oauth:
            yield (
                "slack.app_token is set, but not slack.bot_token (TELLER_SLACK__BOT_TOKEN): the Bot User OAuth Token, "
                "xoxb-…, of the app's page OAuth & Permissions."
            )
        if self.bot_token is None and not self.oauth:
            return
        yield from self._unreachable(port)
        if self.oauth:
            yield from self._uninstallable(port, sealed=sealed)
        if self.command == self.todo_command:
            yield "slack.command and slack.todo_command are the same; Slack knows each command once."
        if self.client_id and self.client_secret is None:
            yield "slack.client_id needs slack.client_secret (TELLER_SLACK__CLIENT_SECRET), of the same page."

    def _unreachable(self, port: int) -> Iterator[str]:
        """Yield what is missing for hearing of anything."""
        if self.mode == "socket" and self.app_token is None:
            yield (
                "slack.mode is socket, which needs slack.app_token (TELLER_SLACK__APP_TOKEN): an app-level token, "
                "xapp-…, with the scope connections:write, of the app's page Basic Information."
            )
        if self.mode == "http" and self.signing_secret is None:
            yield (
                "slack.mode is http, which needs slack.signing_secret (TELLER_SLACK__SIGNING_SECRET), of the app's "
                "page Basic Information: without it nobody knows what comes from Slack."
            )
        if self.mode == "http" and not port:
            yield (
                "slack.mode is http, but there is no web server for Slack to reach. Set http.port "
                "(TELLER_HTTP__PORT), such as 8080, or slack.mode to socket."
            )

    def _uninstallable(self, port: int, *, sealed: bool) -> Iterator[str]:
        """Yield what is missing for installing the app by its page."""
        if not sealed:
            yield (
                "slack.client_id and slack.client_secret are set, so workspaces can install the app; their tokens are "
                "kept encrypted. Set secret_key (TELLER_SECRET_KEY) to what `openssl rand -base64 32` prints, and keep "
                "it: without it the tokens are lost."
            )
        if self.mode == "socket" and not port:
            yield (
                "slack.client_id is set, but there is no web server for the page on which the app is installed. Set "
                "http.port (TELLER_HTTP__PORT), such as 8080, or remove slack.client_id."
            )
