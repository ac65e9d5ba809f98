"""What it takes to show answers while they are written: a model that writes for 1.5 s, with drafts on and off."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.messages import begin, echo, newcomers
from tests.bench.subject import Servers, Subject, teller
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import ChatRequest
from tests.emulators.openai_streams import Step, Streamed
from tests.emulators.telegram import TelegramServer

PIECES, PIECE_SECONDS = 15, 0.1
# Enough for the bot to find out whether drafts are shown.
WARM_UP = 10
CHATS, EVERY = 40, 0.05


@dataclass(frozen=True, kw_only=True)
class Taken:
    """CPU in milliseconds a message, the time from message to answer in milliseconds, drafts a message."""

    cpu: float
    p50: float
    drafts: float


def written(request: ChatRequest) -> Streamed:
    """The model: a few words now and then."""
    steps: tuple[Step, ...] = (PIECE_SECONDS, "a few words ")
    return Streamed(steps=steps * PIECES)


async def measure() -> str:
    """Both ways, as a table."""
    on, off = await _taken(on=True), await _taken(on=False)
    lines = [f"{'a model that writes for 1.5 s':52}{'drafts off':>10}{'on':>10}{'ratio':>8}"]
    lines += [
        f"{'CPU a message, ms':52}{off.cpu:10.1f}{on.cpu:10.1f}{on.cpu / off.cpu:8.2f}",
        f"{'message to answer p50, ms':52}{off.p50:10.1f}{on.p50:10.1f}{on.p50 / off.p50:8.2f}",
        f"{'drafts a message':52}{off.drafts:10.1f}{on.drafts:10.1f}",
    ]
    return "\n".join(lines)


async def _taken(*, on: bool) -> Taken:
    with tempfile.TemporaryDirectory() as folder:
        async with TelegramServer() as telegram, OpenAIServer() as model:
            servers = Servers(telegram=telegram, model=model)
            command, environment = teller(servers, Path(folder))
            subject = Subject(command, {**environment, "TELLER_TELEGRAM__DRAFTS": str(on).lower()})
            # Who does not ask for a stream waits as long for the whole.
            model.latency = 0.0 if on else PIECES * PIECE_SECONDS
            model.reply_with(written if on else echo)
            try:
                await begin(servers, subject)
                await _talk(servers, WARM_UP)
                return await _measured(servers, subject)
            finally:
                await subject.stop()


async def _measured(servers: Servers, subject: Subject) -> Taken:
    before, shown = subject.cpu(), len(servers.telegram.drafts())
    waits = await _talk(servers, CHATS)
    return Taken(
        cpu=1000 * (subject.cpu() - before) / CHATS,
        p50=1000 * median(waits),
        drafts=(len(servers.telegram.drafts()) - shown) / CHATS,
    )


async def _talk(servers: Servers, count: int) -> list[float]:
    """One message a chat, one chat soon after the other: seconds from message to answer."""
    asked: dict[int, float] = {}
    for _ in range(count):
        user = next(newcomers)
        asked[user] = time.monotonic()
        servers.telegram.say("How are things today?", user=user)
        await asyncio.sleep(EVERY)
    for user in asked:
        await servers.telegram.wait_sent(1, user, 60)
    return [servers.telegram.sent(user)[0].mono - at for user, at in asked.items()]
