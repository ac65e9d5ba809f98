"""Messages through a whole bot, of people it has not met and of people it knows: CPU, waiting, a burst, memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from tests.bench.subject import Servers, Subject
from tests.emulators.openai_answers import ChatRequest

WARM_UP = 20
SEQUENTIAL = 200
BURST_CHATS = 200
BURST_LATENCY = 0.3
IDLE_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What one bot took. CPU in milliseconds a message, times in milliseconds, memory in MB, requests in bytes."""

    first_poll: float
    idle: float
    cpu_new: float
    cpu: float
    p50_new: float
    p50: float
    p95: float
    burst: float
    burst_cpu: float
    request: float


def echo(request: ChatRequest) -> str:
    """The model: at once, and always the same."""
    return f"You said: {request.last_user_text}"


async def measure(servers: Servers, subject: Subject) -> Figures:
    """Start a bot, measure it, stop it."""
    servers.model.reply_with(echo)
    try:
        first_poll = await begin(servers, subject) - subject.started_at
        await _talk(servers, _people(WARM_UP))
        await asyncio.sleep(IDLE_SECONDS)
        idle = subject.memory()
        people = _people(SEQUENTIAL)
        cpu_new, waits_new, request = await _sequence(servers, subject, people)
        cpu, waits, _ = await _sequence(servers, subject, people)
        burst, burst_cpu = await _burst(servers, subject)
    finally:
        await subject.stop()
    return Figures(
        first_poll=1000 * first_poll,
        idle=idle,
        cpu_new=1000 * cpu_new,
        cpu=1000 * cpu,
        p50_new=1000 * median(waits_new),
        p50=1000 * median(waits),
        p95=1000 * quantiles(waits, n=20)[-1],
        burst=1000 * burst,
        burst_cpu=1000 * burst_cpu,
        request=request,
    )


async def begin(servers: Servers, subject: Subject) -> float:
    """Start a bot, and return the monotonic time of its first poll."""
    polls = len(servers.telegram.calls("getUpdates"))
    await subject.start()
    await servers.telegram.wait_until(lambda: len(servers.telegram.calls("getUpdates")) > polls, 30)
    return servers.telegram.calls("getUpdates")[polls].mono


async def _sequence(servers: Servers, subject: Subject, people: Sequence[int]) -> tuple[float, list[float], float]:
    """A message of each, one after the other: CPU seconds each, seconds from message to answer, bytes of a request."""
    first = len(servers.model.requests)
    before = subject.cpu()
    waits = await _talk(servers, people)
    cpu = (subject.cpu() - before) / len(people)
    sizes = [len(request.raw) for request in servers.model.requests[first:]]
    return cpu, waits, median(sizes)


async def _talk(servers: Servers, people: Sequence[int]) -> list[float]:
    """One message of each, each in a chat of its own, so that no history grows and no pacing is met."""
    waits = []
    for user in people:
        answers = len(servers.telegram.sent(user))
        asked = time.monotonic()
        servers.telegram.say("How are things today?", user=user)
        await servers.telegram.wait_sent(answers + 1, user, 30)
        waits.append(servers.telegram.sent(user)[answers].mono - asked)
    return waits


async def _burst(servers: Servers, subject: Subject) -> tuple[float, float]:
    """All chats at once with a slow model: seconds to the last answer, CPU seconds a message."""
    servers.model.latency = BURST_LATENCY
    users = _people(BURST_CHATS)
    before, asked = subject.cpu(), time.monotonic()
    for user in users:
        servers.telegram.say("How are things today?", user=user)
    for user in users:
        await servers.telegram.wait_sent(1, user, 60)
    servers.model.latency = 0.0
    last = max(servers.telegram.sent(user)[0].mono for user in users)
    return last - asked, (subject.cpu() - before) / BURST_CHATS


def _people(count: int) -> list[int]:
    """People nobody has met."""
    return [next(newcomers) for _ in range(count)]


def _numbers() -> Iterator[int]:
    number = 100_000
    while True:
        number += 1
        yield number


newcomers = _numbers()
