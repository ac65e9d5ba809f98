"""Doctor against the emulators: what is far away, and the whole command."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import AsyncIterator, Callable
from email.utils import formatdate
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from bot.adapters.telegram.onboarding import Onboarding
from bot.cli import socket as control
from bot.config.config import load
from bot.doctor import doctor
from bot.doctor import network as doctor_network
from bot.doctor.finding import Finding, Patient
from core.kernel.types import Json
from core.store.postgres.inspect import look
from tests.conftest import PlaceMaker
from tests.emulators.loopback import LoopbackServer, Reply, Request
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer
from tests.operating import teller

pytestmark = pytest.mark.databases("sqlite")

Check = Callable[[Patient], AsyncIterator[Finding]]
NOBODY = "http://127.0.0.1:9"  # the discard port: nothing listens there


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as running:
        yield running


async def found(check: Check, **environ: str) -> list[Finding]:
    config = load(Path(os.devnull), environ)
    return [one async for one in check(Patient(config=config, file=Path("config.yaml")))]


def bot(url: str, **more: str) -> dict[str, str]:
    return {"TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN, "TELLER_TELEGRAM__BASE_URL": url, **more}


def model(url: str, name: str = "small", key: str = "sk-emulated") -> dict[str, str]:
    return {"TELLER_LLM__BASE_URL": f"{url}/v1", "TELLER_LLM__MODEL": name, "TELLER_LLM__API_KEY": key}


async def test_a_good_token_names_the_bot_and_its_privacy_mode(server: TelegramServer) -> None:
    token, privacy = await found(doctor_network.telegram, **bot(server.url))
    assert token.line() == "✓ telegram: @teller_test_bot (bot 1000)"
    assert privacy.text.startswith("on: in groups the bot is sent only commands")


async def test_privacy_mode_off_and_groups_forbidden_are_told(server: TelegramServer) -> None:
    server.chats.bot["can_read_all_group_messages"] = True
    assert (await found(doctor_network.telegram, **bot(server.url)))[1].text.startswith("off")
    server.chats.bot["can_join_groups"] = False
    assert (await found(doctor_network.telegram, **bot(server.url)))[1].mark == "warning"


async def test_a_wrong_token_is_told_with_what_to_do_and_not_shown(server: TelegramServer) -> None:
    (only,) = await found(doctor_network.telegram, **bot(server.url, TELLER_TELEGRAM__TOKEN="1000:CANARY_token"))
    assert (only.mark, "teller setup" in only.text, "CANARY" in only.text) == ("wrong", True, False)


async def test_without_a_network_each_check_names_the_cause() -> None:
    environ = {**bot(NOBODY), **model(NOBODY)}
    checks = doctor_network.CHECKS.values()
    lines = [one for check in checks for one in await found(check, **environ)]
    assert [one.mark for one in lines] == ["wrong", "warning", "warning", "ok", "ok", "warning"]
    assert "ClientConnectorError" in lines[0].text


async def test_a_webhook_and_what_waits_are_told(server: TelegramServer) -> None:
    server.say("hello")
    (polling,) = await found(doctor_network.webhook, **bot(server.url))
    assert (polling.mark, "1 waiting" in polling.text) == ("ok", True)
    async with Onboarding(DEFAULT_TOKEN, server.url) as api:
        await api._call("setWebhook", url="https://old.example.org/secret-path")
    (hooked,) = await found(doctor_network.webhook, **bot(server.url))
    assert (hooked.mark, "old.example.org" in hooked.text, "secret-path" in hooked.text) == ("warning", True, False)


async def test_a_webhook_that_is_wanted_and_missing_is_told(server: TelegramServer) -> None:
    (only,) = await found(doctor_network.webhook, **bot(server.url, TELLER_TELEGRAM__WEBHOOK_URL="https://a.example"))
    assert (only.mark, "sets it" in only.text) == ("warning", True)


async def test_a_webhook_that_leads_elsewhere_is_told_without_its_path(server: TelegramServer) -> None:
    async with Onboarding(DEFAULT_TOKEN, server.url) as api:
        await api._call("setWebhook", url="https://a.example/secret-path")
    same, other = [
        (await found(doctor_network.webhook, **bot(server.url, TELLER_TELEGRAM__WEBHOOK_URL=url)))[0]
        for url in ("https://a.example/secret-path", "https://a.example/another-path")
    ]
    assert (same.mark, other.mark) == ("ok", "warning")
    assert "webhook_url" in other.text
    assert "-path" not in same.text + other.text


def test_a_silent_model_server_is_given_up_before_the_check_is() -> None:
    assert doctor_network.MODEL_SECONDS + 3 < doctor.SECONDS


async def test_a_limit_in_money_that_no_known_price_holds_is_told() -> None:
    async with OpenAIServer(models=["small"]) as provider:
        asked = model(provider.url)
        limited = {**asked, "TELLER_BUDGET__PERSON_MONEY": "0.5"}
        first, _ = await found(doctor_network.model, **limited)
        assert (first.mark, first.text.split(":")[0]) == ("warning", "no price of small is known")
        priced = {**limited, "TELLER_LLM__INPUT_PRICE": "0.1", "TELLER_LLM__OUTPUT_PRICE": "0.4"}
        for settings in (asked, priced, {**asked, "TELLER_BUDGET__PERSON_TOKENS": "5000"}):
            assert len(await found(doctor_network.model, **settings)) == 1


async def test_a_model_is_listed_or_not_or_its_key_is_refused() -> None:
    async with OpenAIServer(models=["small"]) as provider:
        lines = [
            *await found(doctor_network.model, **model(provider.url)),
            *await found(doctor_network.model, **model(provider.url, "tiny")),
            *await found(doctor_network.model, **model(provider.url, key="sk-CANARY-key")),
        ]
        assert provider.requests == []
    assert [one.mark for one in lines] == ["ok", "warning", "wrong"]
    assert "CANARY" not in str(lines)


async def test_a_small_window_is_told_with_what_helps() -> None:
    async with OpenAIServer(models=["small"]) as provider:
        provider.described = {"max_model_len": 4_096}
        (_, told) = await found(doctor_network.model, **model(provider.url))
        provider.described = {"max_model_len": 131_072}
        (only,) = await found(doctor_network.model, **model(provider.url))
    assert told.text == "its server shows it 4,096 tokens: requests are kept small (llm.profile)."
    assert (told.mark, only.mark) == ("warning", "ok")


class Answering(LoopbackServer):
    """Answers everything with the same reply."""

    reply = Reply()

    async def respond(self, request: Request) -> Reply:
        return self.reply


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        (Reply(status=404), "ok"),
        (Reply(status=500), "warning"),
        (Reply(chunks=(b"no JSON",)), "ok"),
        (Reply(chunks=(b'{"data": [1, {"id": 2}, null]}',)), "ok"),
        (Reply(chunks=(b'{"data": [{"id": "other"}]}',)), "warning"),
    ],
)
async def test_whatever_a_models_server_answers_is_a_finding(reply: Reply, mark: str) -> None:
    async with Answering() as server:
        server.reply = reply
        (only,) = await found(doctor_network.model, **model(server.url))
    assert only.mark == mark


@pytest.mark.parametrize(
    ("ahead", "mark", "word"), [(0, "ok", "right"), (300, "warning", "slow"), (-300, "warning", "fast")]
)
async def test_the_clock_is_compared_with_telegrams(ahead: int, mark: str, word: str) -> None:
    async with Answering() as server:
        server.reply = Reply(headers={"Date": formatdate(time.time() + ahead, usegmt=True)})
        (only,) = await found(doctor_network.clock, **bot(server.url))
    assert (only.mark, word in only.text) == (mark, True)


@pytest.mark.parametrize("headers", [{}, {"Date": "yesterday"}])
async def test_a_server_that_tells_no_time_is_no_clock(headers: dict[str, str]) -> None:
    async with Answering() as server:
        server.reply = Reply(headers=headers)
        (only,) = await found(doctor_network.clock, **bot(server.url))
    assert "does not tell its time" in only.text


async def test_a_running_bot_is_asked(server: TelegramServer, tmp_path: Path) -> None:
    async def perform(command: object, args: object) -> Json:
        return (
            {"problems": ["the disk is full"], "database": "sqlite", "database_bytes": 1} if command == "status" else {}
        )

    (tmp_path / "data").mkdir()
    async with control.serving(tmp_path / "data", perform):
        lines, _ = await doctor.examine(Path(os.devnull), {"TELLER_DATA_DIR": str(tmp_path / "data")})
    told = {one.check: one for one in lines}
    assert (told["bot"].mark, "the disk is full" in told["bot"].text) == ("wrong", True)
    assert "running bot" in told["database"].text


async def test_a_bot_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def perform(command: object, args: object) -> Json:
        return await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(doctor, "ASK_SECONDS", 0.1)
    async with control.serving(tmp_path, perform):
        lines, _ = await doctor.examine(Path(os.devnull), {"TELLER_DATA_DIR": str(tmp_path)})
    assert [one.mark for one in lines if one.check == "bot"] == ["wrong"]


def test_postgres_tells_its_version_and_that_of_the_tables(make_place: PlaceMaker) -> None:
    where = make_place("postgres").where
    assert re.fullmatch(r"PostgreSQL \d+, version \d{4}_\w+", look(where, 5))
    assert "made at the first start" in look(re.sub(r"/test_\d+", "/postgres", where), 5)
    # It looks where the bot does.
    ours = make_conninfo(where, options="-c search_path=elsewhere")
    assert "made at the first start" in look(ours, 5)


def test_the_command_says_a_line_a_check_and_fails_when_something_is_wrong(tmp_path: Path) -> None:
    environ = {**bot(NOBODY), "TELLER_DATABASE__URL": "postgresql://me:hunter2@127.0.0.1:9/x"}
    done = teller(tmp_path / "data", "doctor", env=environ)
    assert done.returncode == 1
    assert "✗ start: No owner yet." in done.stdout
    assert "✗ telegram: 127.0.0.1 cannot be asked" in done.stdout
    assert "✗ database: the server cannot be asked" in done.stdout
    assert DEFAULT_TOKEN not in done.stdout + done.stderr
    assert "hunter2" not in done.stdout + done.stderr
    assert (done.stderr, (tmp_path / "data").exists()) == ("", False)


def test_the_command_speaks_json_too(tmp_path: Path) -> None:
    done = teller(tmp_path / "data", "doctor", "--json", env={"PYTHONIOENCODING": "ascii"}, cold=True)
    told = json.loads(done.stdout)
    assert (done.returncode, told["ok"]) == (0, True)
    assert {"configuration", "database", "telegram", "model", "sqlite"} <= {one["check"] for one in told["checks"]}


def test_signs_that_the_terminal_does_not_have_are_replaced(tmp_path: Path) -> None:
    done = teller(tmp_path / "data", "doctor", env={"PYTHONIOENCODING": "ascii"}, cold=True)
    assert done.returncode == 0
    assert "? telegram: no token" in done.stdout


def searching(**fields: str) -> dict[str, str]:
    return {f"TELLER_WEB__SEARCH__{name.upper()}": value for name, value in fields.items()}


@pytest.mark.parametrize(
    ("reply", "mark", "told"),
    [
        (Reply.json({"results": []}), "ok", "answers in JSON"),
        (Reply(status=403), "wrong", "add json to search.formats"),
        (Reply(chunks=(b"<html>",)), "wrong", "add json to search.formats"),
        (Reply(status=302), "warning", "answers 302"),
    ],
)
async def test_a_searxng_is_asked_for_json(reply: Reply, mark: str, told: str) -> None:
    async with Answering() as running:
        running.reply = reply
        (only,) = await found(doctor_network.web, **searching(provider="searxng", base_url=running.url))
    assert (only.mark, told in only.text) == (mark, True)


@pytest.mark.parametrize(("status", "mark"), [(405, "ok"), (404, "warning"), (502, "warning")])
async def test_the_public_address_is_to_lead_to_the_bot(status: int, mark: str) -> None:
    async with Answering() as running:
        running.reply = Reply(status=status)
        [only] = [one async for one in doctor_network.public(serving(running.url, {"pid": 1}))]
    assert (only.mark, running.url in only.text) == (mark, True)


async def test_a_public_address_that_leads_nowhere_is_told() -> None:
    assert [one async for one in doctor_network.public(serving("", {}))] == []
    [absent] = [one async for one in doctor_network.public(serving(NOBODY, {}))]
    [asleep] = [one async for one in doctor_network.public(serving(NOBODY, None))]
    [off] = [one async for one in doctor_network.public(serving(NOBODY, {}, port="0"))]
    assert [one.mark for one in (absent, asleep, off)] == ["warning", "ok", "wrong"]


def serving(url: str, running: dict[str, Json] | None, port: str = "8080") -> Patient:
    config = load(Path(os.devnull), {"TELLER_HTTP__PUBLIC_URL": url, "TELLER_HTTP__PORT": port})
    return Patient(config=config, file=Path("config.yaml"), running=running)


async def test_who_searches_the_web_is_told() -> None:
    (absent,) = await found(doctor_network.web, **searching(base_url=NOBODY))
    (keyless,) = await found(doctor_network.web)
    (off,) = await found(doctor_network.web, **searching(provider="off"))
    (keyed,) = await found(doctor_network.web, **searching(provider="brave", api_key="secret-word"))
    assert [one.mark for one in (absent, keyless, off, keyed)] == ["warning", "ok", "ok", "ok"]
    assert "base_url" in absent.text
    assert "secret-word" not in keyed.text
