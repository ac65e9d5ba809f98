"""What calls take that bring no answer: told to whoever asks for it, with what could be heard of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from core.agents.llm.openai.client import OpenAIModel
from core.kernel.errors import ModelRefused, ModelUnreachable
from core.kernel.types import ModelRequest, Usage
from tests.emulators.openai import OpenAIServer
from tests.openai_client import KEY, QuickClock, asked, connected

PAID = {"choices": None, "usage": {"prompt_tokens": 1_000, "completion_tokens": 5_000}}
WORDS = "Once upon a time there was a model that wrote and wrote until nobody wanted to hear any more. "


class Account:
    """What is told to have been lost, and whether something was heard."""

    def __init__(self) -> None:
        self.lost: list[Usage] = []
        self.heard = asyncio.Event()

    def ask(self, seconds: float | None = None, *, stream: bool = False) -> ModelRequest:
        listen = (lambda text: self.heard.set()) if stream else None
        return replace(asked(seconds=seconds), lost=self.lost.append, listen=listen)


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(key=KEY) as running:
        yield running


@pytest.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIModel]:
    async with connected(server, QuickClock()) as ready:
        yield ready


@pytest.fixture
def account() -> Account:
    return Account()


def sent(server: OpenAIServer) -> int:
    """About how many tokens all requests had."""
    return sum(len(request.raw) for request in server.requests) // 4


async def test_a_stream_that_always_breaks_off_is_counted_with_what_was_heard(
    server: OpenAIServer, model: OpenAIModel, account: Account
) -> None:
    for _ in range(3):
        server.stream(WORDS * 10, done=False)
    with pytest.raises(ModelUnreachable):
        await model.complete(account.ask(stream=True))
    (lost,) = account.lost
    assert (len(server.requests), lost.model) == (3, "gpt-test")
    assert lost.tokens_in == pytest.approx(sent(server), rel=0.3)
    assert lost.tokens_out >= 3 * 10 * len(WORDS) // 4


async def test_attempts_that_broke_off_are_part_of_what_the_answer_took(
    server: OpenAIServer, model: OpenAIModel, account: Account
) -> None:
    server.stream(WORDS, done=False)
    server.stream("There ", "was.")
    answer = await model.complete(account.ask(stream=True))
    assert account.lost == []
    assert answer.usage.tokens_out > len(WORDS) // 4
    assert answer.usage.tokens_in == pytest.approx(sent(server), rel=0.3)


@pytest.mark.parametrize("stream", [True, False])
async def test_a_call_that_is_not_answered_in_time_is_counted_as_sent(
    server: OpenAIServer, model: OpenAIModel, account: Account, stream: bool
) -> None:
    server.fault("hang", times=9)
    with pytest.raises(ModelUnreachable, match="in time"):
        await model.complete(account.ask(0.3, stream=stream))
    (lost,) = account.lost
    assert (lost.model, lost.tokens_out) == ("gpt-test", 0)
    assert 10 < lost.tokens_in < 300


@pytest.mark.parametrize("told", [{}, {"usage": {"prompt_tokens": 700, "completion_tokens": 900}}])
async def test_a_call_that_is_stopped_counts_what_was_told_else_what_was_heard(
    server: OpenAIServer, model: OpenAIModel, account: Account, told: dict[str, Any]
) -> None:
    server.stream({"choices": [{"index": 0, "delta": {"content": WORDS}}], **told}, asyncio.Event())
    task = asyncio.create_task(model.complete(account.ask(stream=True)))
    await asyncio.wait_for(account.heard.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (lost,) = account.lost
    if told:
        assert lost == Usage(model="gpt-test", tokens_in=700, tokens_out=900)
    else:
        assert lost.tokens_in > 10
        assert len(WORDS) // 4 <= lost.tokens_out < len(WORDS)


async def test_an_empty_answer_is_counted_although_the_second_asking_is_stopped(
    server: OpenAIServer, model: OpenAIModel, account: Account
) -> None:
    server.raw(PAID)
    server.stream(WORDS, asyncio.Event())
    task = asyncio.create_task(model.complete(account.ask(stream=True)))
    await asyncio.wait_for(account.heard.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (lost,) = account.lost
    assert lost.tokens_in > 1_010
    assert lost.tokens_out >= 5_000 + len(WORDS) // 4


@pytest.mark.parametrize("status", ["503", "400"])
async def test_what_the_server_refused_took_nothing(
    server: OpenAIServer, model: OpenAIModel, account: Account, status: str
) -> None:
    server.fault(status, times=9)
    with pytest.raises((ModelUnreachable, ModelRefused)):
        await model.complete(account.ask())
    assert account.lost == []


async def test_what_never_left_took_nothing(server: OpenAIServer, model: OpenAIModel, account: Account) -> None:
    with pytest.raises(ModelUnreachable):
        await model.complete(account.ask(-1.0))
    await server.stop()
    with pytest.raises(ModelUnreachable):
        await model.complete(account.ask())
    assert account.lost == []
