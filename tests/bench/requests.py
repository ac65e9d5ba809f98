"""What a model is asked: how large requests are, how much of each its provider knows already, how many calls everyday
wishes take, and what a call costs in either dialect."""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bot.config.sections import LlmSection
from core.agents.fitting import weigh, weight
from core.agents.llm.openai.client import Manner, OpenAIModel
from core.kernel.clock import SystemClock
from core.kernel.types import ModelRequest
from core.store.sqlite.database import SqliteDatabase
from tests.commanding import said
from tests.emulators.openai import DEFAULT_KEY
from tests.evals.player import play
from tests.evals.scenario import scenarios
from tests.fakes import house

TURNS, TIMES, ROUNDS = 60, 200, 5
# What belongs to the last turn of a request alone: the situation, and what was said.
LAST = 2


async def measure() -> str:
    """Measure, as a table; what is aimed at stands beside."""
    first, last, share = await _talked(LlmSection())
    small, _, _ = await _talked(LlmSection(profile="small"), " and so on" * 1_000)
    calls = await _calls()
    chat, responses = await _cpu()
    rows = (
        ("request in an empty chat, bytes (6,000)", f"{len(_written(first)):,}"),
        ("history of a long chat, tokens (2,500)", f"{sum(map(weigh, last.messages[1:-LAST])):,}"),
        ("known from the request before, % of the bytes (90)", f"{share:.1f}"),
        ("small: a whole request, tokens (3,000)", f"{_tokens(small):,}"),
        ("small: tools (8)", str(len(small.tools))),
        ("calls for each everyday wish (1)", f"{max(calls):.1f} at most, of {len(calls)}"),
        ("CPU of a call, Chat Completions, us", f"{chat:.1f}"),
        ("the same, Responses, us; ratio (1)", f"{responses:.1f}  {responses / chat:.2f}"),
    )
    return "\n".join(f"{name:60}{figure:>24}" for name, figure in rows)


async def _talked(llm: LlmSection, more: str = "") -> tuple[ModelRequest, ModelRequest, float]:
    """Talk for a while. Returns the first request and the last one, or with `more` to say the largest one twice; and
    the share of the bytes of the requests that stood in the one before."""
    with tempfile.TemporaryDirectory() as folder:
        db = SqliteDatabase(Path(folder) / "teller.db", SystemClock())
        await db.open()
        home = await house(db, Path(folder), lambda request: "I see, and I shall think of it. " * 4, llm=llm)
        assert home.model is not None
        for n in range(TURNS):
            await said(home, f"tell me something of thing number {n}, would you?{more}")
            home.clock.advance(61)
        await db.close()
        requests = home.model.requests
    if more:
        largest = max(requests, key=_tokens)
        return largest, largest, 0.0
    pairs = [(_written(before, LAST), _written(now)) for before, now in itertools.pairwise(requests[TURNS // 2 :])]
    known = sum(len(before) for before, now in pairs if now.startswith(before))
    return requests[0], requests[-1], 100 * known / sum(len(now) for _, now in pairs)


def _written(request: ModelRequest, without: int = 0) -> bytes:
    """Tools and messages as bytes, but for the last ones."""
    messages = request.messages[: len(request.messages) - without]
    return json.dumps([list(request.tools), *messages], ensure_ascii=False).encode().rstrip(b"]")


def _tokens(request: ModelRequest) -> int:
    return sum(map(weigh, request.messages)) + weight(json.dumps(list(request.tools)))


async def _calls() -> Sequence[float]:
    """How many calls of the model each everyday scenario of the evals takes for a wish."""
    found = []
    for scenario in scenarios().values():
        if scenario.everyday:
            with tempfile.TemporaryDirectory() as folder:
                wishes = sum(bool(turn.model) for turn in scenario.turns)
                found.append((await play(scenario, Path(folder))).calls / wishes)
    return found


async def _cpu() -> tuple[float, float]:
    """Microseconds of CPU a call takes by Chat Completions and by Responses, with a model in a process of its own: the
    medians of several rounds."""
    command = (sys.executable, "-m", "tests.emulators.openai")
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode()
        url = next(word for word in line.split() if word.startswith("http")).rstrip("/")
        models = [
            OpenAIModel(f"{url}/v1", DEFAULT_KEY, "emulated", manner=Manner(api=api)) for api in ("chat", "responses")
        ]
        rounds = [[await _round(model) for model in models] for _ in range(ROUNDS + 1)]
        for model in models:
            await model.close()
    finally:
        process.kill()
        await process.wait()
    chat, responses = (statistics.median(column) for column in zip(*rounds[1:], strict=True))
    return chat, responses


async def _round(model: OpenAIModel) -> float:
    said = {"role": "user", "content": "remind me of the dentist tomorrow at nine"}
    schema = {"type": "object", "properties": {"text": {"type": "string"}, "when": {"type": "string"}}}
    names = ("remind", "change_reminder", "todo", "show", "ask_user", "find_tools")
    tools = [
        {"type": "function", "function": {"name": name, "description": "Remind.", "parameters": schema}}
        for name in names
    ]
    messages = ({"role": "system", "content": "You are Teller. " * 80}, *[said] * 20)
    request = ModelRequest(messages=messages, tools=tuple(tools), cache_key="teller-1-1")
    begun = time.process_time()
    for _ in range(TIMES):
        await model.complete(request)
    return (time.process_time() - begun) / TIMES * 1e6


if __name__ == "__main__":
    print(asyncio.run(measure()))
