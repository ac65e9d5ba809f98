"""What a bot finds when it was away: thousands of messages at once. How fast they are answered, in how much memory."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench.messages import begin, echo, newcomers
from tests.bench.subject import Servers, Subject, teller
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

# Each of these chats has so many messages.
FEW, MANY, EACH = 100, 1_000, 10
LAST = f"message {EACH - 1}"


@dataclass(frozen=True, kw_only=True)
class Caught:
    """Seconds from the first poll to the last answer, answers, CPU seconds, and the most memory in MB."""

    seconds: float
    answers: int
    cpu: float
    peak: float


async def measure() -> str:
    """A tenth and the whole, as a table: memory that grows with the queue shows in the ratio."""
    few, many = await _caught(FEW), await _caught(MANY)
    rows = (
        ("first poll to last answer, s", few.seconds, many.seconds),
        ("messages a second", FEW * EACH / few.seconds, MANY * EACH / many.seconds),
        ("CPU a message, ms", 1000 * few.cpu / (FEW * EACH), 1000 * many.cpu / (MANY * EACH)),
        ("answers", few.answers, many.answers),
        ("most memory, MB", few.peak, many.peak),
    )
    head = f"{'messages that waited at the start':52}{FEW * EACH:10,}{MANY * EACH:10,}{'ratio':>8}"
    return "\n".join([head, *(f"{name:52}{a:10.1f}{b:10.1f}{b / a:8.2f}" for name, a, b in rows)])


async def _caught(chats: int) -> Caught:
    with tempfile.TemporaryDirectory() as folder:
        async with TelegramServer() as telegram, OpenAIServer() as model:
            servers = Servers(telegram=telegram, model=model)
            model.reply_with(echo)
            waiting = _wait(telegram, chats)
            subject = Subject(*teller(servers, Path(folder)))
            try:
                return await _measured(servers, subject, waiting)
            finally:
                await subject.stop()


def _wait(telegram: TelegramServer, chats: int) -> list[int]:
    """Let everybody write everything; returns who."""
    who = [next(newcomers) for _ in range(chats)]
    for n in range(EACH):
        for user in who:
            telegram.say(f"message {n}", user=user)
    return who


async def _measured(servers: Servers, subject: Subject, waiting: list[int]) -> Caught:
    begun = await begin(servers, subject)
    for user in waiting:
        await servers.telegram.wait_until(partial(_is_answered, servers.telegram, user), 120)
    return Caught(
        seconds=max(message.mono for message in servers.telegram.sent()) - begun,
        answers=len(servers.telegram.sent()),
        cpu=subject.cpu(),
        peak=subject.peak(),
    )


def _is_answered(telegram: TelegramServer, user: int) -> bool:
    """Whether the answer to somebody's last message is there; the model repeats what it is told."""
    return any(LAST in message.text for message in telegram.sent(user))
