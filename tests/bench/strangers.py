"""What strangers do to the owner: thousands of them wrote while the bot was away, and the owner did after them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.bench.messages import begin, echo, newcomers
from tests.bench.subject import OWNER, Servers, Subject, teller
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

NONE, MANY = 0, 10_000


@dataclass(frozen=True, kw_only=True)
class Waited:
    """Seconds from the first poll to the owner's answer, and CPU seconds."""

    seconds: float
    cpu: float


async def measure() -> str:
    """Measure without strangers and with ten thousand, as a table."""
    alone, crowded = await _waited(NONE), await _waited(MANY)
    rows = (
        ("first poll to the owner's answer, s", alone.seconds, crowded.seconds),
        ("CPU until then, s", alone.cpu, crowded.cpu),
    )
    head = f"{'strangers who wrote before the owner':52}{NONE:10,}{MANY:10,}"
    return "\n".join([head, *(f"{name:52}{a:10.2f}{b:10.2f}" for name, a, b in rows)])


async def _waited(strangers: int) -> Waited:
    with tempfile.TemporaryDirectory() as folder:
        async with TelegramServer() as telegram, OpenAIServer() as model:
            servers = Servers(telegram=telegram, model=model)
            model.reply_with(echo)
            for _ in range(strangers):
                telegram.say("Buy this!", user=next(newcomers))
            telegram.say("How are things today?", user=OWNER)
            command, environment = teller(servers, Path(folder))
            subject = Subject(command, {**environment, "TELLER_ACCESS__MODE": "owner"})
            try:
                return await _measured(servers, subject)
            finally:
                await subject.stop()


async def _measured(servers: Servers, subject: Subject) -> Waited:
    begun = await begin(servers, subject)
    before = subject.cpu()
    await servers.telegram.wait_sent(1, OWNER, 120)
    return Waited(seconds=servers.telegram.sent(OWNER)[0].mono - begun, cpu=subject.cpu() - before)
