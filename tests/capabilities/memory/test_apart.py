"""Whatever people and a model do with memories: what was said in one chat reaches no other, but what is one's own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from core.kernel.ids import ref
from core.kernel.types import Answer, ModelRequest, ToolCall
from tests.commanding import said
from tests.conftest import PlaceMaker
from tests.databases import NAMES, build
from tests.fakes import FRIEND, OWNER, House, house

PLACES: dict[str, dict[str, Any]] = {
    "own": {"sender": OWNER, "chat": "1"},
    "bob": {"sender": FRIEND, "chat": "2"},
    "family own": {"sender": OWNER, "chat": "-5", "chat_kind": "group", "title": "Family", "addressed": True},
    "family bob": {"sender": FRIEND, "chat": "-5", "chat_kind": "group", "title": "Family", "addressed": True},
    "work own": {"sender": OWNER, "chat": "-6", "chat_kind": "group", "title": "Work", "addressed": True},
    "work bob": {"sender": FRIEND, "chat": "-6", "chat_kind": "group", "title": "Work", "addressed": True},
}
CANARIES = {place: f"canary{place.replace(' ', '')}" for place in PLACES}
WHERE = st.sampled_from(sorted(PLACES))
THINGS = st.sampled_from(["cake", "cake", "boiler"])


def may_see(place: str, *, model: bool) -> set[str]:
    """The canaries that may be shown where somebody speaks: of the chat, and to the model of a private chat also what
    its person said in groups."""
    chat, _, who = place.rpartition(" ")
    if chat:
        return {CANARIES[f"{chat} own"], CANARIES[f"{chat} bob"]}
    own = {CANARIES[place]}
    return own | ({CANARIES[f"family {who}"], CANARIES[f"work {who}"]} if model else set())


class Scripts(RuleBasedStateMachine):
    """Each rule is something that somebody does somewhere."""

    house: ClassVar[House]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        for place in sorted(PLACES):
            self.remember(place, "cake")

    def say(self, place: str, text: str, *calls: ToolCall) -> str:
        assert self.house.model is not None
        self.house.clock.advance(61)
        answers = iter([Answer(calls=calls)] if calls else [])
        self.house.model.always(lambda request: next(answers, Answer(text=_told(request) if calls else "I see.")))
        asked, shown = len(self.house.model.requests), len(self.house.adapter.sent)
        found = self.runner.run(said(self.house, text, **PLACES[place]))
        for request in self.house.model.requests[asked:]:
            self.check(json.dumps(list(request.messages), ensure_ascii=False), place, model=True)
        for sent in (one for one in self.house.adapter.sent[shown:] if one.to.chat == PLACES[place]["chat"]):
            self.check(f"{sent.text} {sent.keyboard}", place, model=bool(calls))
        return found

    def check(self, text: str, place: str, *, model: bool) -> None:
        foreign = {one for one in CANARIES.values() if one in text} - may_see(place, model=model)
        assert not foreign, (place, text)

    def remember(self, place: str, thing: str) -> None:
        self.say(place, f"remember that the {thing} is a {CANARIES[place]} one")

    @rule(place=WHERE, thing=THINGS)
    def remember_more(self, place: str, thing: str) -> None:
        self.remember(place, thing)

    @rule(place=WHERE, thing=THINGS)
    def look(self, place: str, thing: str) -> None:
        self.say(place, f"/memory {thing}")
        self.say(place, f"/memory why {thing}")

    @rule(place=WHERE, thing=THINGS)
    def forget(self, place: str, thing: str) -> None:
        self.say(place, f"forget about the {thing}")

    @rule(place=WHERE, thing=THINGS, kind=st.sampled_from(["search", "remember", "recall", "search_memory"]))
    def let_a_model(self, place: str, thing: str, kind: str) -> None:
        arguments = {"content": f"the {thing} is blue"} if kind == "remember" else {"query": thing}
        self.say(place, f"so the {thing} is blue, what of it, dear?", ToolCall(id="1", name=kind, arguments=arguments))

    @rule(place=WHERE, number=st.integers(1, 12), word=st.sampled_from(["why", "delete", "edit"]))
    def name_an_id(self, place: str, number: int, word: str) -> None:
        rows = self.runner.run(self.house.rows("SELECT id, content FROM memory ORDER BY id"))
        shown = ref("m", rows[number % len(rows)]["id"] if rows else 1)
        answer = self.say(place, f"/memory {word} {shown}{' it is mine' if word == 'edit' else ''}")
        if word == "edit":
            assert answer.startswith(("There is no such memory", "📝"))


def _told(request: ModelRequest) -> str:
    """What a model says that repeats what it was told."""
    return str(request.messages[-1]["content"])[:1_000] or "I see."


@pytest.mark.parametrize("name", NAMES)
def test_what_is_remembered_in_one_chat_reaches_no_other(name: str, make_place: PlaceMaker, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        database = build(make_place(name))
        runner.run(database.open())

        class Machine(Scripts):
            pass

        Machine.runner = runner
        Machine.house = runner.run(house(database, tmp_path, lambda request: Answer(text="I see.")))
        for place in PLACES.values():
            runner.run(said(Machine.house, "/help", **place))
        checks = settings(
            max_examples=12,
            stateful_step_count=15,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        try:
            run_state_machine_as_test(Machine, settings=checks)
        finally:
            runner.run(database.close())
