"""Emulated platforms as the program finds them: where it is to go, what must never leak, and when it listens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tests.emulators.slack import SlackServer
from tests.emulators.telegram import TelegramServer
from tests.ports import free_port

# Canaries: wherever they turn up, a secret has leaked.
TOKEN = "1000:CANARY-token_never_written_anywhere_1"
SLACK_SECRETS = {
    "bot_token": "xoxb-CANARY-token-never-written-anywhere-3",
    "app_token": "xapp-CANARY-token-never-written-anywhere-4",
    "signing_secret": "CANARYsecretneverwrittenanywhere5",
}
OWNER, SLACK_OWNER = 1001, "slack:T0001:U1001"
SOCKET, HTTP = "socket", "http"
HOOKS = "/actions/", "/commands/"


class Site(Protocol):
    """One emulated platform."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The variables, without their prefix, of a program that goes there and has one owner."""
        ...

    @property
    def secrets(self) -> Sequence[str]:
        """What must be written nowhere."""
        ...

    def unlogged(self) -> Sequence[str]:
        """What must not be in the output, but has its place in the database."""
        ...

    def listening(self) -> Callable[[], bool]:
        """A condition that comes true once a program which is started after this call hears what people do."""
        ...

    def deserted(self) -> bool:
        """Whether it is known here that nobody listens any more, as far as that can be known."""
        ...

    async def wait_until(self, condition: Callable[[], bool], timeout: float) -> None:
        """Wait until something that happens here makes a condition true; raises `TimeoutError`."""
        ...

    def heard(self) -> Sequence[tuple[str, str]]:
        """What the bot has said, oldest first, each with what the chat is called."""
        ...

    def inspect(self) -> None:
        """Fail where a message is not as all messages have to be."""
        ...


class TelegramSite:
    """Telegram, asked for updates."""

    secrets: Sequence[str] = (TOKEN,)

    def __init__(self, server: TelegramServer) -> None:
        self._server = server
        self.wait_until = server.wait_until

    @property
    def settings(self) -> Mapping[str, str]:
        return {"TELEGRAM__TOKEN": TOKEN, "TELEGRAM__BASE_URL": self._server.url, "OWNERS": f'["tg:{OWNER}"]'}

    def unlogged(self) -> Sequence[str]:
        return ()

    def deserted(self) -> bool:
        return True

    def listening(self) -> Callable[[], bool]:
        before = len(self._server.calls("getUpdates"))
        return lambda: len(self._server.calls("getUpdates")) > before

    def heard(self) -> Sequence[tuple[str, str]]:
        return [(str(message.chat_id), message.text) for message in self._server.sent()]

    def inspect(self) -> None:
        for message in self._server.sent():
            if message.document is None:
                assert message.params["link_preview_options"] == {"is_disabled": True}, message.text


class SlackSite:
    """Slack, which hands over what happens through a web socket, or posts it to the program's web server.

    What is written here as one message a second is not limited, or most time of the stories would pass with waiting.
    """

    secrets: Sequence[str] = tuple(SLACK_SECRETS.values())

    def __init__(self, server: SlackServer, mode: str = SOCKET) -> None:
        self._server, self._port = server, free_port()
        self.wait_until = server.wait_until
        app = server.world.app
        app.app_token, app.signing_secret = SLACK_SECRETS["app_token"], SLACK_SECRETS["signing_secret"]
        server.team.bot_token = SLACK_SECRETS["bot_token"]
        server.world.install(server.team)
        server.limit("chat.postMessage", 0)
        server.mode, server.request_url = mode, f"http://127.0.0.1:{self._port}/slack/events"

    @property
    def settings(self) -> Mapping[str, str]:
        secrets = {f"SLACK__{name.upper()}": value for name, value in SLACK_SECRETS.items()}
        web = {"HTTP__PORT": str(self._port)} if self._server.mode == HTTP else {}
        where = {"SLACK__BASE_URL": self._server.api, "SLACK__MODE": self._server.mode}
        return {**secrets, **where, **web, "OWNERS": f'["{SLACK_OWNER}"]'}

    def unlogged(self) -> Sequence[str]:
        return [f"{self._server.url}{path}" for path in HOOKS]

    def deserted(self) -> bool:
        return self._server.mode == HTTP or not self._server.sockets.open

    def listening(self) -> Callable[[], bool]:
        if self._server.mode == HTTP:
            # It comes again until somebody takes it in.
            event = self._server.push({"type": "nothing_to_us"})
            return lambda: event.acked
        before = self._server.sockets.greeted
        return lambda: self._server.sockets.greeted > before

    def heard(self) -> Sequence[tuple[str, str]]:
        rooms = self._server.team.channels.values()
        said = [message for room in rooms for message in (*room.messages.values(), *room.ephemeral)]
        own = sorted((one for one in said if one.bot_id == self._server.team.bot_id), key=lambda one: one.ts)
        return [(message.channel, message.text) for message in own]

    def inspect(self) -> None:
        for call in self._server.calls("chat.postMessage"):
            assert (call.params["unfurl_links"], call.params["unfurl_media"]) == (False, False), call.params


class PageSite(SlackSite):
    """Slack, where people install the app by its page; nobody has when it begins."""

    key = "CANARY-key-of-the-tokens-never-written-6"

    def __init__(self, server: SlackServer) -> None:
        super().__init__(server)
        server.world.app.client_secret = "CANARYclientsecretneverwritten7"
        server.world.revoke(server.team)

    @property
    def secrets(self) -> Sequence[str]:  # type: ignore[override] # tokens come while it runs
        return [*self._server.world.tokens, self._server.world.app.client_secret, self.key, *SLACK_SECRETS.values()]

    @property
    def settings(self) -> Mapping[str, str]:
        app = self._server.world.app
        return {
            "SLACK__APP_TOKEN": app.app_token,
            "SLACK__CLIENT_ID": app.client_id,
            "SLACK__CLIENT_SECRET": app.client_secret,
            "SLACK__BASE_URL": self._server.api,
            "SECRET_KEY": self.key,
            "HTTP__PORT": str(self._port),
        }

    @property
    def page(self) -> str:
        """Where the app is installed."""
        return f"http://127.0.0.1:{self._port}/slack/install"
