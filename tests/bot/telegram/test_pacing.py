"""A chat is not flooded, and a bot that is too fast rests as a whole."""

from __future__ import annotations

from bot.adapters._shared.rate_limit import MOST_BUCKETS
from bot.adapters.telegram.send.rate_limit import RateLimit
from core.kernel.types import Millis


class StillClock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> Millis:
        return 0

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


def test_five_messages_go_at_once_then_one_a_second() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    assert [rate_limit.take("1") for _ in range(7)] == [0, 0, 0, 0, 0, 1, 1]
    clock.time += 1
    assert [rate_limit.take("1") for _ in range(2)] == [0, 1]


def test_a_full_chat_does_not_hold_up_another() -> None:
    rate_limit = RateLimit(StillClock())
    for _ in range(6):
        rate_limit.take("1")
    assert rate_limit.take("2") == 0


def test_a_chat_with_a_429_rests_alone() -> None:
    rate_limit = RateLimit(StillClock())
    rate_limit.flooded("1", 30)
    assert (rate_limit.take("1"), rate_limit.take("2"), rate_limit.paused_until) == (30, 0, 0)
    assert (rate_limit.resting("1"), rate_limit.resting("2")) == (True, False)


def test_after_a_429_one_message_goes_and_then_one_a_second() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    rate_limit.flooded("1", 30)
    clock.time += 30
    assert [rate_limit.take("1") for _ in range(2)] == [0, 1]


def test_two_429s_within_a_second_pause_everything_for_the_longer_time() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    rate_limit.flooded("1", 30)
    clock.time += 0.5
    rate_limit.flooded("2", 3)
    assert (rate_limit.paused_until, rate_limit.take("3")) == (1030.5, 30)
    clock.time += 30
    assert rate_limit.take("3") == 0


def test_two_429s_further_apart_pause_nothing() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    rate_limit.flooded("1", 30)
    clock.time += 1.5
    rate_limit.flooded("2", 30)
    assert rate_limit.take("3") == 0


def test_memory_is_bounded_and_a_flooded_chat_is_remembered_longest() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    rate_limit.flooded("slow", 600)
    for number in range(MOST_BUCKETS + 10):
        rate_limit.take(str(number))
    assert len(rate_limit) <= MOST_BUCKETS
    assert rate_limit.take("slow") == 600


def sent_in_a_minute(rate_limit: RateLimit, clock: StillClock, **options: bool) -> int:
    """Ask once a second for a minute; return how many messages a group got."""
    count = 0
    for _ in range(60):
        count += rate_limit.take("-1", group=True, **options) == 0
        clock.time += 1
    return count


def test_a_group_gets_twenty_messages_in_any_minute() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    assert [sent_in_a_minute(rate_limit, clock) for _ in range(3)] == [20, 20, 20]


def test_a_full_minute_says_when_the_next_message_may_go() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    for _ in range(20):
        assert rate_limit.take("-1", group=True) == 0
        clock.time += 1
    assert rate_limit.take("-1", group=True) == 40
    assert rate_limit.take("-2", group=True) == 0
    clock.time += 40
    assert rate_limit.take("-1", group=True) == 0


def test_edits_leave_room_for_answers_in_a_group() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    assert sent_in_a_minute(rate_limit, clock, edit=True) == 15
    clock.time -= 30
    assert rate_limit.take("-1", group=True, edit=True) > 0
    assert [rate_limit.take("-1", group=True) for _ in range(6)] == [0, 0, 0, 0, 0, 30]


def test_a_private_chat_has_no_full_minute() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    for _ in range(60):
        assert rate_limit.take("1") == 0
        clock.time += 1


def test_groups_that_are_silent_are_forgotten() -> None:
    clock = StillClock()
    rate_limit = RateLimit(clock)
    for number in range(MOST_BUCKETS + 10):
        rate_limit.take(f"-{number}", group=True)
    assert len(rate_limit) <= MOST_BUCKETS
    clock.time += 61
    for _ in range(3):
        assert rate_limit.take("-5", group=True) == 0
