"""Ten thousand reminders go out one after the other, and nobody who is waited for waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from bot.adapters.telegram.send.rate_limit import AT_ONCE, MOST_WAITING, STEP, Crowd
from core.kernel.errors import SendUnsent
from tests.bot.telegram.test_pacing import StillClock
from tests.screens import run


class LoopClock(StillClock):
    """The time of the event loop, which jumps when everybody waits."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def story(tell: Callable[[Crowd], Coroutine[Any, Any, None]]) -> None:
    async def told() -> None:
        await tell(Crowd(LoopClock()))

    run(told())


async def sent(crowd: Crowd, times: list[float], *, takes: float = 0.0) -> None:
    async with crowd.turn():
        times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(takes)


def test_thirty_go_in_a_second_in_the_order_they_came() -> None:
    async def tell(crowd: Crowd) -> None:
        times = list[float]()
        await asyncio.gather(*(sent(crowd, times) for _ in range(MOST_WAITING)))
        assert times == pytest.approx([n * STEP for n in range(MOST_WAITING)])

    story(tell)


def test_few_are_under_way_at_once_however_slow_the_server_is() -> None:
    async def tell(crowd: Crowd) -> None:
        times = list[float]()
        await asyncio.gather(*(sent(crowd, times, takes=20.0) for _ in range(3 * AT_ONCE)))
        assert [sum(time < end for time in times) for end in (19, 39, 59)] == [AT_ONCE, 2 * AT_ONCE, 3 * AT_ONCE]

    story(tell)


def test_what_the_others_send_is_taken_from_the_crowd() -> None:
    async def tell(crowd: Crowd) -> None:
        times = list[float]()
        for _ in range(15):
            crowd.passed()
        await asyncio.gather(*(sent(crowd, times) for _ in range(2)))
        assert times == pytest.approx([0.5, 0.5 + STEP])

    story(tell)


def test_a_crowd_moves_on_however_much_the_others_send() -> None:
    async def tell(crowd: Crowd) -> None:
        times = list[float]()
        for _ in range(10_000):
            crowd.passed()
        await sent(crowd, times)
        assert times == pytest.approx([1.0])

    story(tell)


def test_who_finds_too_many_waiting_is_told_a_time_of_their_own() -> None:
    async def tell(crowd: Crowd) -> None:
        times = list[float]()
        inside = [asyncio.create_task(sent(crowd, times)) for _ in range(AT_ONCE + MOST_WAITING)]
        await asyncio.sleep(0)
        told = [await refused(crowd) for _ in range(1000)]
        assert told == sorted(set(told))
        assert told[0] >= MOST_WAITING * STEP
        assert told[-1] - told[0] == pytest.approx(999 * STEP)
        await asyncio.gather(*inside)
        assert len(times) == len(inside)

    story(tell)


async def refused(crowd: Crowd) -> float:
    with pytest.raises(SendUnsent) as caught:
        async with crowd.turn():
            raise AssertionError("not refused")
    return caught.value.retry_after


def test_who_gives_up_waiting_leaves_the_place_to_others() -> None:
    async def tell(crowd: Crowd) -> None:
        times = list[float]()
        waiting = [asyncio.create_task(sent(crowd, times, takes=5.0)) for _ in range(AT_ONCE + 10)]
        await asyncio.sleep(0.1)
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        times.clear()
        await asyncio.gather(*(sent(crowd, times) for _ in range(AT_ONCE)))
        assert len(times) == AT_ONCE

    story(tell)
