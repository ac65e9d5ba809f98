"""Slack's limits are kept without its having to say so, and a 429 is heard."""

from __future__ import annotations

from itertools import pairwise

from bot.adapters.slack.send.rate_limit import BURST, EDIT_BURST, MOST_CHANNELS, WORKSPACE_BURST, Pace
from tests.fakes import FakeClock


def test_a_channel_takes_a_short_burst_and_then_one_a_second() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    assert [pace.take("C1") for _ in range(BURST)] == [0.0] * BURST
    assert pace.take("C1") == 1.0
    clock.advance(1.0)
    assert pace.take("C1") == 0.0
    assert pace.take("C1") == 1.0


def test_channels_do_not_wait_for_each_other() -> None:
    pace = Pace(FakeClock())
    for _ in range(BURST + 1):
        pace.take("C1")
    assert pace.take("C2") == 0.0


def test_edits_have_a_pace_of_their_own_in_the_whole_workspace() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    assert [pace.take(f"C{number}", edit=True) for number in range(EDIT_BURST)] == [0.0] * EDIT_BURST
    assert pace.take("C99", edit=True) > 1.0
    assert pace.take("C99") == 0.0
    clock.advance(60.0)
    assert pace.take("C99", edit=True) == 0.0


def test_a_channel_rests_as_long_as_slack_asks() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    pace.flooded("C1", 30.0)
    assert pace.take("C1") == 30.0
    assert pace.take("C2") == 0.0
    clock.advance(30.0)
    assert pace.take("C1") == 0.0


def test_two_channels_refused_at_once_mean_the_whole_workspace() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    pace.flooded("C1", 10.0)
    pace.flooded("C2", 20.0)
    assert pace.take("C3") == 20.0
    assert pace.resting()
    clock.advance(20.0)
    assert not pace.resting()


def test_a_crowd_is_told_one_turn_each() -> None:
    pace = Pace(FakeClock())
    waits = [pace.take(f"C{number}", bulk=True) for number in range(WORKSPACE_BURST + 100)]
    assert waits[:WORKSPACE_BURST] == [0.0] * WORKSPACE_BURST
    later = waits[WORKSPACE_BURST:]
    assert all(before < after for before, after in pairwise(later))
    assert 20.0 < later[-1] < 30.0


def test_a_crowd_that_comes_at_its_turns_is_let_through() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    due = [(pace.take(f"C{number}", bulk=True), number) for number in range(200)]
    waited = 0.0
    for wait, number in sorted(due):
        clock.advance(wait - waited)
        waited = wait
        if wait:
            assert pace.take(f"C{number}", bulk=True) == 0.0


def test_who_is_waited_for_overtakes_the_crowd() -> None:
    pace = Pace(FakeClock())
    for number in range(100):
        pace.take(f"C{number}", bulk=True)
    assert pace.take("C999") == 0.0


def test_only_so_many_channels_are_remembered() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    for number in range(MOST_CHANNELS + 10):
        pace.take(f"C{number}")
        clock.advance(0.0005)
    assert len(pace) <= MOST_CHANNELS + 1
