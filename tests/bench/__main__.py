"""`make bench`: figures of one run on one machine, side by side, as ratios. Nothing here passes or fails.

ARGS names the parts to measure, such as ARGS="triggers due"; without it all are.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from tests.bench import (
    backlog,
    calendars,
    database,
    documents,
    drafts,
    due,
    executor,
    fetch,
    presets,
    python,
    reading,
    requests,
    search,
    slack,
    strangers,
    tasks,
    triggers,
    understanding,
    ways,
)
from tests.bench.messages import Figures, measure
from tests.bench.subject import Servers, Subject, bare, teller
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

ROUNDS = 3
NAMES = {
    "first_poll": "start to first poll, ms",
    "idle": "idle memory, MB",
    "cpu_new": "CPU a message, people who are new, ms",
    "cpu": "CPU a message, people who are known, ms",
    "p50_new": "message to answer p50, new, ms",
    "p50": "message to answer p50, known, ms",
    "p95": "message to answer p95, known, ms",
    "burst": "200 chats at once, 300 ms model: last answer, ms",
    "burst_cpu": "200 chats at once: CPU a message, ms",
    "request": "request to the model, bytes",
}


async def round_of(folder: Path) -> tuple[Figures, Figures]:
    """Measure the yardstick and our bot against the same servers."""
    async with TelegramServer() as telegram, OpenAIServer() as model:
        servers = Servers(telegram=telegram, model=model)
        plain = await measure(servers, Subject(*bare(servers)))
        ours = await measure(servers, Subject(*teller(servers, folder)))
    return plain, ours


def table(rounds: Sequence[tuple[Figures, Figures]]) -> str:
    """The medians of all rounds, and the median of the rounds' ratios."""
    lines = [f"{'':52}{'bare':>10}{'Teller':>10}{'ratio':>8}"]
    for one in fields(Figures):
        pairs = sorted((getattr(a, one.name), getattr(b, one.name)) for a, b in rounds)
        ratios = sorted(b / a for a, b in pairs)
        plain, ours = pairs[len(pairs) // 2][0], sorted(b for _, b in pairs)[len(pairs) // 2]
        lines.append(f"{NAMES[one.name]:52}{plain:10.1f}{ours:10.1f}{ratios[len(ratios) // 2]:8.2f}")
    return "\n".join(lines)


async def messages() -> str:
    """Beside the yardstick, several times."""
    rounds = []
    for number in range(1, ROUNDS + 1):
        print(f"round {number} of {ROUNDS} …", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            rounds.append(await round_of(Path(folder)))
    return table(rounds)


PARTS: Mapping[str, Callable[[], Awaitable[str]]] = {
    "messages": messages,
    "drafts": drafts.measure,
    "backlog": backlog.measure,
    "strangers": strangers.measure,
    "database": database.measure,
    "search": search.measure,
    "triggers": triggers.measure,
    "due": due.measure,
    "tasks": tasks.measure,
    "slack": slack.measure,
    "ways": ways.measure,
    "requests": requests.measure,
    "presets": presets.measure,
    "documents": documents.measure,
    "executor": executor.measure,
    "fetch": fetch.measure,
    "calendars": calendars.measure,
    "python": python.measure,
    "understanding": understanding.measure,
    "reading": reading.measure,
}


async def main(names: Sequence[str]) -> None:
    """Measure and print."""
    if unknown := set(names) - PARTS.keys():
        sys.exit(f"make bench knows no {', '.join(sorted(unknown))}; it knows {', '.join(PARTS)}")
    for name in names or PARTS:
        print(await PARTS[name]())
        print()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
