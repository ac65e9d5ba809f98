"""What costs much to import is imported when it is used for the first time."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.emulators.openai import DEFAULT_KEY, OpenAIServer
from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer

HEAVY = {"openai", "slack_bolt", "slack_sdk", "dateparser", "psycopg", "uvicorn", "prompt_toolkit", "cryptography"}
# What opens connections to the web, and those of the model's library, which have connections of ours instead.
UNUSED = {"anyio.streams.tls", "httpcore2"}
USER = 1001


async def imported(
    server: TelegramServer, data: Path, said: str, settings: Mapping[str, str] | None = None
) -> set[str]:
    """Start a bot, wait until it has answered, stop it; return the modules that it imported."""
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "TELLER_DATA_DIR": str(data),
        "TELLER_OWNERS": f'["tg:{USER}"]',
        "TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN,
        "TELLER_TELEGRAM__BASE_URL": server.url,
        **(settings or {}),
    }
    log = data.parent / "imports.txt"
    with log.open("wb") as stderr:
        command = [sys.executable, "-X", "importtime", "-m", "bot", "run"]
        process = await asyncio.create_subprocess_exec(*command, env=environment, stderr=stderr)
        try:
            server.say(said, user=USER)
            await server.wait_sent(1, USER, 60)
        finally:
            process.terminate()
            await process.wait()
    lines = [line for line in log.read_text().splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def test_garbage_is_hardly_looked_for_while_the_program_is_loaded() -> None:
    code = "import gc, bot.runtime.run; print(sum(one['collections'] for one in gc.get_stats()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20


async def test_a_bot_without_slack_and_model_answers_without_what_these_need(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        found = await imported(server, tmp_path / "data", "remind me tomorrow at 9:00 to call the dentist")
    assert "bot.adapters.telegram.send.client" in found
    assert found & HEAVY == set()
    assert "core.store.people.encryption" not in found


@pytest.mark.parametrize(("said", "heavy"), [("/todo buy bread", set()), ("How are things today?", {"openai"})])
async def test_a_model_costs_nothing_until_it_is_asked(said: str, heavy: set[str], tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer() as model:
        settings = {
            "TELLER_LLM__BASE_URL": f"{model.url}/v1",
            "TELLER_LLM__API_KEY": DEFAULT_KEY,
            "TELLER_LLM__MODEL": "some",
        }
        found = await imported(server, tmp_path / "data", said, settings)
    assert found & HEAVY == heavy
    assert found & UNUSED == set()
