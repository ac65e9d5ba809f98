"""The list against a model of it: whatever is added, done, opened again, removed and taken back, both say the same."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from core.kernel.ids import ref
from tests.commanding import home, said
from tests.conftest import PlaceMaker
from tests.databases import build
from tests.fakes import House

# None is a part of another.
TEXTS = st.sampled_from(["milk", "Oma", "tax", "面包", "trip at 2026"])
TIMES = st.sampled_from(["", "", " tomorrow at 17:00", " on Friday"])


@dataclass(kw_only=True)
class Item:
    """An item of the model; `number` is its row, `time` when it is due, as it was said."""

    number: int
    text: str
    time: str
    state: str


class Listing(RuleBasedStateMachine):
    """Each rule says something to the bot, and does the same to the model."""

    house: ClassVar[House]
    runner: ClassVar[asyncio.Runner]
    last: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.done: list[tuple[Item, str]] = []
        self.first = type(self).last
        self.say("/forget yes")

    def say(self, text: str) -> str:
        self.house.clock.advance(1)
        return self.runner.run(said(self.house, text))

    def of(self, state: str, text: str = "") -> list[Item]:
        return [one for one in self.items if one.state == state and text in {"", one.text}]

    def turn(self, one: Item, state: str) -> None:
        self.done.append((one, one.state))
        one.state = state

    @rule(text=TEXTS, time=TIMES)
    def add(self, text: str, time: str) -> None:
        answer = self.say(f"/todo {text}{time}")
        if any(one.time == time for one in self.of("open", text)):
            assert answer.startswith("That is on the list already")
            return
        type(self).last += 1
        made = Item(number=type(self).last, text=text, time=time, state="removed")
        self.items.append(made)
        self.turn(made, "open")

    @rule(text=TEXTS, act=st.sampled_from(["done", "remove"]))
    def end_by_words(self, text: str, act: str) -> None:
        answer = self.say(f"/todo {act} {text.upper()}!")
        match self.of("open", text):
            case []:
                assert answer.startswith("I find nothing open like")
            case [one]:
                self.turn(one, "done" if act == "done" else "removed")
            case _:
                assert answer == "Which one?"

    @precondition(lambda self: self.items)
    @rule(data=st.data(), act=st.sampled_from(["done", "reopen", "remove"]))
    def turn_by_id(self, data: st.DataObject, act: str) -> None:
        one = data.draw(st.sampled_from(self.items))
        self.say(f"/todo {act} {ref('t', one.number)}")
        state = {"done": "done", "reopen": "open", "remove": "removed"}[act]
        if one.state not in {state, "removed"}:
            self.turn(one, state)

    @rule()
    def take_back(self) -> None:
        answer = self.say("/undo")
        if not self.done:
            assert answer.startswith("There is nothing to take back")
            return
        one, former = self.done.pop()
        one.state = former

    @invariant()
    def both_say_the_same(self) -> None:
        rows = self.runner.run(self.house.rows("SELECT id, state FROM todo WHERE id > :id ORDER BY id", id=self.first))
        assert [(row["id"], row["state"]) for row in rows] == [(one.number, one.state) for one in self.items]

    @invariant()
    def only_what_is_open_reminds(self) -> None:
        wanted = self.runner.run(
            self.house.column("SELECT id FROM todo WHERE state = 'open' AND due_at IS NOT NULL ORDER BY id")
        )
        reminding = self.runner.run(
            self.house.column(
                "SELECT d.id FROM todo d JOIN trigger t ON t.id = d.trigger_id WHERE t.state = 'active' ORDER BY d.id"
            )
        )
        assert reminding == wanted


def test_the_list_is_what_was_done_to_it(make_place: PlaceMaker, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        database = build(make_place("sqlite"))
        runner.run(database.open())
        house = runner.run(home(database, tmp_path))
        machine = type("Machine", (Listing,), {"house": house, "runner": runner})
        checks = settings(
            max_examples=25,
            stateful_step_count=20,
            derandomize=True,
            phases=(Phase.generate,),
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        try:
            run_state_machine_as_test(machine, settings=checks)
        finally:
            runner.run(database.close())
