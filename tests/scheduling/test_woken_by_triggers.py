"""A trigger wakes the Teller with what it wants; where no model works on that, it is said as it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import ModelRefused, ModelUnreachable
from core.kernel.ids import ref
from core.kernel.ports import Database, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Answer, LaneKey, ModelRequest, Role, ToolCall, Usage
from core.pipeline.runs.run_context import RunContext
from core.scheduling import repository as triggers
from core.store.conversation import inbox, lanes
from core.store.giving_up import TRIES
from core.store.people import people
from tests.asking import GROUP
from tests.fakes import FRIEND, OWNER, Crash, CrashingDatabase, House, claim_lane, house

pytestmark = pytest.mark.databases("sqlite")

PROMPT = "Look at the *weather*"
SHOWN = r"⏰ Look at the \*weather\*"
DECIDE = Answer(calls=(ToolCall(id="c1", name="log_decision", arguments={"reasoning": "because"}),))
SAY = Answer(calls=(ToolCall(id="c2", name="reply", arguments={"text": "I look."}),))


async def known(database: Database, folder: Path, *script: Any, **options: Any) -> House:
    """A house whose owner has said hello."""
    home = await house(database, folder / "house", *(script or (lambda request: "Hello.",)), **options)
    await home.hear("hello")
    await home.work()
    return home


async def due(home: House, prompt: str = PROMPT, *, depth: int = 2, chat: str = "1") -> int:
    """Wake the lane of a chat as a trigger does; returns the trigger."""
    (row,) = await home.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat",
        chat=chat,
    )
    lane, now = LaneKey(**row), home.clock.now()

    def wake(tx: Tx) -> int:
        (person,) = tx.all("SELECT person_id FROM address WHERE external_id = :address", {"address": OWNER})
        trigger = Trigger(
            lane=lane,
            person_id=person["person_id"],
            deliver="task",
            kind="once",
            spec="{}",
            text=prompt,
            next_at=now,
            depth=depth,
        )
        made = triggers.insert(tx, trigger, now)
        for _ in range(2):
            inbox.wake(tx, lane, person["person_id"], f"trigger:{made}:0", now=now, trigger_id=made, text=prompt)
        lanes.mark(tx, lane.lane_id)
        return made

    return await home.db.write(wake)


def told(home: House) -> list[str]:
    return home.adapter.texts()[1:]


def down(request: ModelRequest) -> Answer:
    raise ModelUnreachable("down")


def no(request: ModelRequest) -> Answer:
    raise ModelRefused("no such model")


@pytest.mark.databases("sqlite", "postgres")
async def test_the_model_is_told_what_is_due_and_not_as_the_persons_words(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path, "Hello.", "It will rain.")
    trigger = await due(home)
    await home.work()
    assert told(home) == ["It will rain."]
    assert home.model is not None
    request = home.model.requests[-1]
    assert json.loads(request.event) == {"trigger_id": ref("s", trigger), "prompt": PROMPT}
    assert request.heard == ()
    assert [message["content"] for message in request.messages if message["role"] == "user"][-1].startswith("Event: ")
    assert await home.column("SELECT role FROM message ORDER BY id") == ["user", "assistant", "event", "assistant"]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done", "done"]


async def test_it_is_a_run_of_its_own_that_knows_how_deep_it_is(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path)
    await due(home, depth=3)
    await home.hear("and this")
    (lane_id,) = await home.column("SELECT id FROM lane")
    case = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert case is not None
    context = case.context(Role.TELLER)
    assert (context.depth, len(case.messages), case.command) == (3, 1, "")
    assert context.said is not None
    assert context.said.trigger_id is not None


async def test_a_prompt_is_never_a_command(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path, "Hello.", "I may not.")
    await due(home, "/forget yes")
    await home.work()
    assert told(home) == ["I may not."]


async def test_without_a_model_it_is_said_as_it_stands(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path, model=False)
    await due(home)
    await home.work()
    assert told(home) == [SHOWN]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("model", [down, no], ids=["away", "refuses"])
async def test_a_model_that_does_not_answer_keeps_nothing_waiting(
    database: Database, tmp_path: Path, model: Any
) -> None:
    home = await known(database, tmp_path)
    assert home.model is not None
    home.model.always(model)
    await due(home)
    await home.work()
    assert told(home)[0] == SHOWN
    assert await home.column("SELECT state FROM inbox WHERE state <> 'done'") == []
    assert await home.column("SELECT state FROM run ORDER BY id") == ["done", "done"]


async def test_what_the_run_said_before_the_model_went_away_is_said_too(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path, "Hello.", DECIDE, SAY, down)
    await due(home)
    await home.work()
    assert told(home) == ["I look.", SHOWN]


async def test_when_the_budget_is_spent_it_is_said_as_it_stands(database: Database, tmp_path: Path) -> None:
    spent = Answer(text="Hello.", usage=Usage(model="m", tokens_in=2_000, tokens_out=900))
    home = await known(database, tmp_path, spent, daily_tokens=3_000)
    await due(home)
    await home.work()
    assert told(home)[-1:] == [SHOWN]
    assert home.model is not None
    assert len(home.model.requests) == 1


async def test_it_passes_what_waits_for_the_model(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path, "Hello.", DECIDE, down, "It will rain.", "A poem.")
    await home.hear("write a poem")
    await home.work()
    await due(home)
    await home.work()
    assert told(home)[1:] == ["It will rain.", "A poem."]


async def test_it_passes_although_it_came_while_the_run_was_at_work(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path)
    assert home.model is not None

    async def meanwhile(request: ModelRequest) -> Answer:
        if request.event:
            return Answer(text="It will rain.")
        if request.messages[-1]["role"] != "tool":
            return DECIDE
        if not await home.column("SELECT id FROM trigger"):
            await due(home)
        raise ModelUnreachable("down")

    home.model.always(meanwhile)
    await home.hear("write a poem")
    await home.work()
    assert told(home)[-1] == "It will rain."


@pytest.mark.databases("sqlite", "postgres")
async def test_who_has_no_access_any_more_gets_nothing(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path, model=False)
    await home.hear("hello", sender=FRIEND, **GROUP)
    await home.work()
    await due(home, chat="-5", prompt="/privacy")

    def remove(tx: Tx) -> None:
        (row,) = tx.all("SELECT person_id FROM address WHERE external_id = :address", {"address": FRIEND})
        people.set_standing(tx, home.tenant_id, row["person_id"], "removed")
        tx.run("UPDATE inbox SET person_id = :id WHERE trigger_id IS NOT NULL", {"id": row["person_id"]})

    await home.db.write(remove)
    before = len(home.adapter.sent)
    await home.work()
    assert len(home.adapter.sent) == before
    assert await home.column("SELECT error FROM inbox WHERE trigger_id IS NOT NULL") == ["no access any more"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_run_that_is_given_up_says_it_as_it_stands(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path)
    await due(home)
    (lane_id,) = await home.column("SELECT id FROM lane")

    def claim(tx: Tx) -> RunContext | None:
        case = claim_lane(home, tx, lane_id, alone=True)
        lanes.take_over(tx)
        return case

    for _ in range(TRIES + 1):
        await home.db.write(claim)
    await home.work()
    assert told(home)[0] == SHOWN
    assert await home.column("SELECT state FROM inbox WHERE trigger_id IS NOT NULL") == ["dead"]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_crash_says_it_once(database: Database, tmp_path: Path, commits: int, after: bool) -> None:
    home = await known(database, tmp_path, model=False)
    await due(home)
    process = CrashingDatabase(database)
    crashing = await house(process, tmp_path / "house", model=False, adapter=home.adapter, clock=home.clock)
    process.arm(commits, after=after)
    with pytest.raises(Crash):
        await crashing.work()
    await home.db.write(lanes.take_over)
    await home.app.outbox.doubts.settle()
    await home.work()
    assert told(home) == [SHOWN]


async def test_a_message_without_a_trigger_has_no_depth(database: Database, tmp_path: Path) -> None:
    home = await known(database, tmp_path)
    await home.hear("hello")
    (lane_id,) = await home.column("SELECT id FROM lane")
    case = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert case is not None
    assert (case.context(Role.TELLER).depth, case.event, case.prompt) == (0, "", "")
