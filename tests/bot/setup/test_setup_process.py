"""`teller setup` as people start it: a process, lines typed into it, and then the bot."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from bot.cli import socket as control
from core.kernel.types import Json
from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer
from tests.onboarding import LINK
from tests.operating import ROOT, environment

ME = 1001
# A program that starts from nothing takes a second, and on a busy machine half a minute.
SECONDS = 120


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as running:
        yield running


@contextmanager
def interrupts(handling: signal.Handlers) -> Iterator[None]:
    """Handle SIGINT so meanwhile. A process that is started then inherits whether it is ignored."""
    before = signal.signal(signal.SIGINT, handling)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def start(folder: Path, server: TelegramServer, *args: str, env: Mapping[str, str]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    variables = {"TELLER_TELEGRAM__BASE_URL": server.url, "TELLER_CONFIG": str(folder / "config.yaml"), **env}
    # As a terminal starts it, however the tests were started: a script's `pytest &` ignores SIGINT.
    with interrupts(signal.SIG_DFL):
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", *args, cwd=ROOT, env=environment(folder / "data", variables),
            stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip


async def code_of(process: asyncio.subprocess.Process) -> str:
    """The code of the link, as soon as it is printed."""
    assert process.stdout is not None
    async with asyncio.timeout(SECONDS):
        async for line in process.stdout:
            if found := LINK.search(line.decode().rstrip()):
                return found[2]
    raise EOFError


async def rest(process: asyncio.subprocess.Process, typed: str = "") -> str:
    async with asyncio.timeout(SECONDS):
        said, _ = await process.communicate(typed.encode())
    return said.decode()


async def test_unattended_it_takes_what_it_is_given_and_shows_the_link(server: TelegramServer, tmp_path: Path) -> None:
    env = {"TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN}
    process = await start(
        tmp_path, server, "setup", "--yes", "--language", "zh", "--timezone", "Asia/Shanghai", env=env
    )
    server.say(f"/start {await code_of(process)}", ME)
    said = await rest(process)
    assert process.returncode == 0, said
    found = yaml.safe_load((tmp_path / "config.yaml").read_text(encoding="utf-8"))
    assert len(found.pop("secret_key")) > 32
    assert found == {"owners": ["tg:1001"], "timezone": "Asia/Shanghai", "language": "zh"}
    assert server.sent(ME)[0].text.startswith("你现在是")


async def test_lines_are_typed_and_the_bot_answers_what_was_written_before(
    server: TelegramServer, tmp_path: Path
) -> None:
    server.say("echo I was first", ME)
    process = await start(tmp_path, server, "setup", env={})
    assert process.stdin is not None
    process.stdin.write(f"{DEFAULT_TOKEN}\n".encode())
    server.say(f"/start {await code_of(process)}", ME)
    said = await rest(process, "Europe/Berlin\nen\n\n")
    assert process.returncode == 0, said
    assert "Done. Start the bot with: " in said
    assert said.rstrip().endswith("teller run")
    assert DEFAULT_TOKEN not in said
    bot = await start(tmp_path, server, "run", env={})
    try:
        sent = await server.wait_sent(3, ME, SECONDS)
    finally:
        if bot.returncode is None:
            bot.terminate()
        await rest(bot)
    assert any("I was first" in message.text for message in sent)


async def test_beside_a_running_bot_no_link_is_made(server: TelegramServer, tmp_path: Path) -> None:
    async def perform(command: object, args: object) -> Json:
        return {}

    (tmp_path / "data").mkdir()
    async with control.serving(tmp_path / "data", perform):
        process = await start(tmp_path, server, "setup", "--yes", env={"TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN})
        said = await rest(process)
    assert process.returncode == 1
    assert "Stop it first" in said
    assert server.calls("getUpdates") == []


async def test_ctrl_c_while_the_link_is_open_ends_set_up(server: TelegramServer, tmp_path: Path) -> None:
    with interrupts(signal.SIG_IGN):  # as behind the & of a script
        process = await start(tmp_path, server, "setup", "--yes", env={"TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN})
    await code_of(process)
    process.send_signal(signal.SIGINT)
    said = await rest(process)
    assert (process.returncode, said.split()) == (1, ["Aborted!"])
