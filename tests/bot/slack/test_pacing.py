"""Slack's limits are kept without its having to say so, and a 429 is heard."""

from __future__ import annotations

from itertools import pairwise

from bot.adapters._shared.rate_limit import MOST_BUCKETS
from bot.adapters.slack.send.rate_limit import CHANNEL, EDIT, WORKSPACE, RateLimit
from tests.fakes import FakeClock


def test_a_channel_takes_a_short_burst_and_then_one_a_second() -> None:
    clock = FakeClock()
    rate_limit = RateLimit(clock)
    assert [rate_limit.take("C1") for _ in range(CHANNEL.burst)] == [0.0] * CHANNEL.burst
    assert rate_limit.take("C1") == 1.0
    clock.advance(1.0)
    assert rate_limit.take("C1") == 0.0
    assert rate_limit.take("C1") == 1.0


def test_channels_do_not_wait_for_each_other() -> None:
    rate_limit = RateLimit(FakeClock())
    for _ in range(CHANNEL.burst + 1):
        rate_limit.take("C1")
    assert rate_limit.take("C2") == 0.0


def test_edits_have_a_pace_of_their_own_in_the_whole_workspace() -> None:
    clock = FakeClock()
    rate_limit = RateLimit(clock)
    assert [rate_limit.take(f"C{number}", edit=True) for number in range(EDIT.burst)] == [0.0] * EDIT.burst
    assert rate_limit.take("C99", edit=True) > 1.0
    assert rate_limit.take("C99") == 0.0
    clock.advance(60.0)
    assert rate_limit.take("C99", edit=True) == 0.0


def test_a_channel_rests_as_long_as_slack_asks() -> None:
    clock = FakeClock()
    rate_limit = RateLimit(clock)
    rate_limit.flooded("C1", 30.0)
    assert rate_limit.take("C1") == 30.0
    assert rate_limit.take("C2") == 0.0
    clock.advance(30.0)
    assert rate_limit.take("C1") == 0.0


def test_two_channels_refused_at_once_mean_the_whole_workspace() -> None:
    clock = FakeClock()
    rate_limit = RateLimit(clock)
    rate_limit.flooded("C1", 10.0)
    rate_limit.flooded("C2", 20.0)
    assert rate_limit.take("C3") == 20.0
    assert rate_limit.resting()
    clock.advance(20.0)
    assert not rate_limit.resting()


def test_a_crowd_is_told_one_turn_each() -> None:
    rate_limit = RateLimit(FakeClock())
    waits = [rate_limit.take(f"C{number}", bulk=True) for number in range(WORKSPACE.burst + 100)]
    assert waits[: WORKSPACE.burst] == [0.0] * WORKSPACE.burst
    later = waits[WORKSPACE.burst :]
    assert all(before < after for before, after in pairwise(later))
    assert 20.0 < later[-1] < 30.0


def test_a_crowd_that_comes_at_its_turns_is_let_through() -> None:
    clock = FakeClock()
    rate_limit = RateLimit(clock)
    due = [(rate_limit.take(f"C{number}", bulk=True), number) for number in range(200)]
    waited = 0.0
    for wait, number in sorted(due):
        clock.advance(wait - waited)
        waited = wait
        if wait:
            assert rate_limit.take(f"C{number}", bulk=True) == 0.0


def test_who_is_waited_for_overtakes_the_crowd() -> None:
    rate_limit = RateLimit(FakeClock())
    for number in range(100):
        rate_limit.take(f"C{number}", bulk=True)
    assert rate_limit.take("C999") == 0.0


def test_only_so_many_channels_are_remembered() -> None:
    clock = FakeClock()
    rate_limit = RateLimit(clock)
    for number in range(MOST_BUCKETS + 10):
        rate_limit.take(f"C{number}")
        clock.advance(0.0005)
    assert len(rate_limit) <= MOST_BUCKETS + 1
