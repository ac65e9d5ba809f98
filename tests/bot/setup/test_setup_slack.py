"""Set-up against the emulated Slack: two tokens, and a member who owns the bot."""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.adapters.slack.manifest import CHANNELS, scopes
from bot.adapters.slack.onboarding import NotReached
from bot.config.config import load
from bot.setup.draft import Draft
from bot.setup.setup import Given, Setup
from core.kernel.errors import ConfigError
from tests.emulators.slack import SlackServer
from tests.onboarding import EndOfInput, Prepared
from tests.operating import StillClock

OWNER = "U1001"
Answers = dict[str, Sequence[str | bool]]


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as running:
        running.user(OWNER, name="ann", locale="en-US")
        running.team.scopes = {scope.name for scope in scopes(CHANNELS)}
        yield running


@dataclass
class Desk:
    """Where set-up is run: a file, and an environment that names the emulator."""

    server: SlackServer
    file: Path
    environ: dict[str, str] = field(default_factory=dict)

    async def run(self, talk: Prepared, **given: str) -> None:
        folder = str(self.file.parent / "data")
        environ = {"TELLER_SLACK__BASE_URL": self.server.api, "TELLER_DATA_DIR": folder, **self.environ}
        await Setup(Draft(self.file, environ, talk), Given(**given), talk, StillClock()).run()

    def answers(self, **more: Sequence[str | bool]) -> Answers:
        """What somebody says who does everything right."""
        return {
            "BotFather": ["slack"],
            "OAuth": [self.server.team.bot_token],
            "app-level": [self.server.world.app.app_token],
            "member id": [OWNER],
            **more,
        }

    @property
    def written(self) -> dict[str, Any]:
        found: dict[str, Any] = yaml.safe_load(self.file.read_text(encoding="utf-8"))
        return {name: value for name, value in found.items() if name != "secret_key"}


@pytest.fixture
def worker(server: SlackServer, tmp_path: Path) -> Desk:
    return Desk(server, tmp_path / "config.yaml")


def told(server: SlackServer, user: str = OWNER) -> list[str]:
    """What the bot wrote to somebody in private."""
    chat = server.team.dm(user)
    return [message.text for message in chat.messages.values()] if chat else []


async def test_two_tokens_and_a_member_id_make_a_bot_with_an_owner(server: SlackServer, worker: Desk) -> None:
    talk = Prepared(worker.answers(**{"Time zone": ["Europe/Berlin"], "Language": ["en"]}))
    await worker.run(talk)
    tokens = {"bot_token": server.team.bot_token, "app_token": server.world.app.app_token}
    assert worker.written == {
        "slack": tokens,
        "owners": ["slack:T0001:U1001"],
        "timezone": "Europe/Berlin",
        "language": "en",
    }
    assert stat.S_IMODE(worker.file.stat().st_mode) == 0o600
    assert load(worker.file, {}).problems_at_start() == []
    assert told(server) == ["You own this bot now. It answers as soon as it is started. Then write: help"]
    assert "teller slack manifest" in talk.text
    assert [token for token in tokens.values() if token in talk.text] == []


async def test_the_zone_of_the_owners_profile_is_proposed(server: SlackServer, worker: Desk) -> None:
    server.user(OWNER, tz="Asia/Tokyo", tz_offset=32400)
    await worker.run(Prepared(worker.answers()))
    assert worker.written["timezone"] == "Asia/Tokyo"


async def test_a_bot_token_at_the_first_question_means_slack(server: SlackServer, worker: Desk) -> None:
    await worker.run(Prepared(worker.answers(BotFather=[f" {server.team.bot_token} "])))
    assert worker.written["slack"]["bot_token"] == server.team.bot_token


async def test_a_wrong_token_is_told_and_asked_for_again(server: SlackServer, worker: Desk) -> None:
    bot, app = server.team.bot_token, server.world.app.app_token
    answers = worker.answers(**{"OAuth": [app, "xoxb-1-CANARY", bot], "app-level": [bot, "xapp-1-CANARY", app]})
    talk = Prepared(answers)
    await worker.run(talk)
    assert "this is an app-level token" in talk.text
    assert sum("does not take this token (invalid_auth)" in text for text in talk.said) == 2
    assert "CANARY" not in talk.text
    assert worker.written["slack"] == {"bot_token": bot, "app_token": app}


async def test_missing_scopes_are_named_with_what_is_off(server: SlackServer, worker: Desk) -> None:
    server.team.scopes -= {"reactions:write"}
    talk = Prepared(worker.answers())
    await worker.run(talk)
    assert "! Without the scope reactions:write: no 👀 while it works." in talk.said


async def test_who_is_nobody_or_may_not_own_the_bot_is_asked_for_again(server: SlackServer, worker: Desk) -> None:
    server.user("U2002", deleted=True)
    talk = Prepared(worker.answers(**{"member id": ["U9999", "U0BOT", "U2002", "slack:T0002:U1001", "u1001"]}))
    await worker.run(talk)
    for said in (
        "U9999 is nobody",
        "is a bot and cannot",
        "is switched off and cannot",
        "no address of this workspace",
    ):
        assert said in talk.text
    assert worker.written["owners"] == ["slack:T0001:U1001"]


async def test_who_stops_before_an_owner_is_named_leaves_nothing_behind(worker: Desk) -> None:
    answers = worker.answers()
    del answers["member id"]
    with pytest.raises(EndOfInput):
        await worker.run(Prepared(answers))
    assert not worker.file.exists()


async def test_who_stops_after_the_owner_has_a_bot_all_the_same(worker: Desk) -> None:
    class Gone(Prepared):
        def ask(self, question: str, default: str | None = None, *, hidden: bool = False) -> str:
            if "Time zone" in question:
                raise EndOfInput
            return super().ask(question, default, hidden=hidden)

    with pytest.raises(EndOfInput):
        await worker.run(Gone(worker.answers()))
    assert load(worker.file, {}).problems_at_start() == []


async def test_unattended_tokens_of_the_environment_are_used_and_not_written(server: SlackServer, worker: Desk) -> None:
    worker.environ = {
        "TELLER_SLACK__BOT_TOKEN": server.team.bot_token,
        "TELLER_SLACK__APP_TOKEN": server.world.app.app_token,
        "TELLER_TIMEZONE": "Asia/Tokyo",
    }
    talk = Prepared()
    await worker.run(talk, owner=OWNER, language="zh")
    assert worker.written == {"owners": ["slack:T0001:U1001"], "language": "zh"}
    assert told(server)[0].startswith("你现在是")


async def test_an_owner_said_in_advance_who_is_nobody_ends_set_up(worker: Desk) -> None:
    with pytest.raises(ConfigError, match="nobody in this workspace"):
        await worker.run(Prepared(worker.answers()), platform="slack", owner="U9999")
    assert not worker.file.exists()


async def test_an_owner_who_cannot_be_told_is_the_owner(server: SlackServer, worker: Desk) -> None:
    server.world.app.messages_tab = False
    talk = Prepared(worker.answers())
    await worker.run(talk)
    assert "The owner could not be told" in talk.text
    assert worker.written["owners"] == ["slack:T0001:U1001"]


@pytest.mark.parametrize("kind", ["500", "html", "cut", "429"])
async def test_trouble_with_the_network_is_told_and_tried_again(server: SlackServer, worker: Desk, kind: str) -> None:
    server.fault("auth.test", kind=kind)
    server.fault("apps.connections.open", kind=kind)
    talk = Prepared(worker.answers())
    await worker.run(talk)
    assert talk.asked.count("Try again?") == 2
    assert worker.written["owners"] == ["slack:T0001:U1001"]


async def test_trouble_with_the_network_may_end_set_up(server: SlackServer, worker: Desk) -> None:
    server.fault("auth.test", kind="cut")
    with pytest.raises(NotReached):
        await worker.run(Prepared(worker.answers(**{"Try again": [False]})))
    assert not worker.file.exists()


async def test_with_posts_the_signing_secret_is_asked_for(server: SlackServer, worker: Desk) -> None:
    worker.file.write_text("slack: {mode: http}\nhttp: {port: 8080}\n", encoding="utf-8")
    await worker.run(Prepared(worker.answers(**{"Signing Secret": ["abc123"]})))
    assert worker.written["slack"] == {
        "mode": "http",
        "bot_token": server.team.bot_token,
        "signing_secret": "abc123",
    }
    assert server.calls("apps.connections.open") == []


async def test_beside_telegram_it_is_chosen_by_name_and_telegram_stays(server: SlackServer, worker: Desk) -> None:
    before: Mapping[str, Any] = {"telegram": {"token": "1:abcde"}, "owners": ["tg:1001"]}
    worker.file.write_text(yaml.safe_dump(dict(before)), encoding="utf-8")
    await worker.run(Prepared(worker.answers()), platform="slack")
    assert worker.written["telegram"] == before["telegram"]
    assert worker.written["owners"] == ["tg:1001", "slack:T0001:U1001"]


async def test_a_second_run_keeps_what_is_there_and_may_add_an_owner(server: SlackServer, worker: Desk) -> None:
    server.user("U2002")
    await worker.run(Prepared(worker.answers()))
    first = worker.written
    await worker.run(Prepared())
    assert worker.written == first
    await worker.run(Prepared({"another owner": [True], "member id": ["U2002"]}))
    assert worker.written == {**first, "owners": ["slack:T0001:U1001", "slack:T0001:U2002"]}
