"""A series against a model of it: whatever is skipped, paused, resumed and taken back, both come at the same times."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.commanding import home, said
from tests.conftest import PlaceMaker
from tests.databases import build
from tests.fakes import House

HOUR = 3_600
# The series comes every day at noon; what is said is said at other hours.
DAY, NOON = 24 * HOUR * 1000, 12 * HOUR * 1000


def noon_after(at: int) -> int:
    """Return the first noon after an instant."""
    return (at - NOON) // DAY * DAY + DAY + NOON


class Series(RuleBasedStateMachine):
    """Each rule says something to the bot, and does the same to the model: when it comes next, and whether it rests."""

    house: ClassVar[House]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        self.say("/forget yes")
        self.say("/every day at 12:00 stretch")
        self.next_at, self.rests = noon_after(self.now), False
        self.changes: list[tuple[int, bool]] = []
        self.came = self.shown()

    @property
    def now(self) -> int:
        """Return what the clock of the bot shows."""
        return self.house.clock.now()

    def say(self, text: str) -> str:
        self.house.clock.advance(1)
        return self.runner.run(said(self.house, text))

    def shown(self) -> int:
        return sum(one.text.startswith("⏰ stretch") for one in self.house.shown())

    def turn(self, next_at: int, *, rests: bool) -> None:
        if (next_at, rests) != (self.next_at, self.rests):
            self.changes.append((self.next_at, self.rests))
            self.next_at, self.rests = next_at, rests

    # One rule for all of them: so each order of them is as likely as any other.
    @rule(what=st.sampled_from(["skip", "skip", "pause", "resume", "resume", "undo", "5 hours pass", "2 days pass"]))
    def something_happens(self, what: str) -> None:
        match what.split():
            case ["skip"]:
                self.say("/skip stretch")
                if not self.rests:
                    self.turn(self.next_at + DAY, rests=False)
            case ["pause"]:
                self.say("/pause stretch no end for now")
                self.turn(self.next_at, rests=True)
            case ["resume"]:
                self.say("/resume stretch")
                first = noon_after(self.now)
                self.turn(max(self.next_at, first) if self.rests else first, rests=False)
            case ["undo"] if self.changes:
                self.take_back()
            case [count, unit, "pass"]:
                self.time_passes(int(count) * (24 if unit == "days" else 1))

    def take_back(self) -> None:
        answer = self.say("/undo")
        next_at, rests = self.changes[-1]
        next_at = next_at if rests else max(next_at, noon_after(self.now))
        if (next_at, rests) == (self.next_at, self.rests):
            # What was skipped is over.
            assert "over by now" in answer
            return
        assert "Taken back" in answer
        self.changes.pop()
        self.next_at, self.rests = next_at, rests

    def time_passes(self, hours: int) -> None:
        if hours >= 24:
            # So long afterwards nothing is taken back.
            self.changes.clear()
        for _ in range(hours):
            self.house.clock.advance(HOUR)
            self.runner.run(self.house.sweep())
            if not self.rests and self.next_at <= self.now:
                self.came += 1
                self.next_at = noon_after(self.now)

    @invariant()
    def both_come_at_the_same_times(self) -> None:
        assert self.shown() == self.came
        (row,) = self.runner.run(
            self.house.rows("SELECT state, next_at FROM trigger WHERE ended_at IS NULL AND reminder_id IS NULL")
        )
        assert (row["state"], row["next_at"]) == ("paused" if self.rests else "active", self.next_at)


def test_a_series_comes_at_the_times_that_are_left_of_it(make_place: PlaceMaker, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        database = build(make_place("sqlite"))
        runner.run(database.open())
        house = runner.run(home(database, tmp_path))
        machine = type("Machine", (Series,), {"house": house, "runner": runner})
        checks = settings(
            max_examples=25,
            stateful_step_count=16,
            derandomize=True,
            phases=(Phase.generate,),
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        try:
            run_state_machine_as_test(machine, settings=checks)
        finally:
            runner.run(database.close())
