"""What is apart stays apart, whatever people type and a model does: no byte that leaves has a word of somebody else."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from core.kernel.types import ToolCall
from core.pipeline.runs.run_context import RunContext
from tests.conftest import DatabaseMaker, PlaceMaker
from tests.databases import NAMES, build
from tests.fakes import claim_lane
from tests.isolation import (
    REALMS,
    SHOWN,
    WORDS,
    Realm,
    World,
    arguments,
    canaries,
    content_of,
    furnish,
    unmapped,
    world,
)

# What lets somebody in, or links them.
CODE = re.compile(r"\b[A-Z0-9]{8}\b")
ROOT = Path(__file__).parents[3]
CHECKS = settings(phases=(Phase.generate,), database=None, suppress_health_check=list(HealthCheck), deadline=None)
# With Postgres each question is a way there and back, and all that is asked here others ask of it, too.
EXAMPLES = {"sqlite": 12, "postgres": 3}


async def pool_of(made: World, realm: Realm) -> list[str]:
    """What somebody may say who wants to know what is not theirs."""
    own, foreign = await made.ids(realm, own=True, most=1), await made.ids(realm, own=False, most=1)
    return [realm.canary, *WORDS, *own, *foreign, *foreign]


async def plays(made: World, dice: random.Random, steps: int) -> None:
    """Let so many things happen, by whoever it may be; first everybody gets back what they had forgotten."""
    for realm in REALMS:
        if not await made.numbers("todo", realm, own=True):
            await furnish(made, realm)
    for _ in range(steps):
        realm = dice.choice(REALMS)
        pool = await pool_of(made, realm)
        match dice.choice(("command", "command", "model", "model", "press", "time")):
            case "command":
                name = dice.choice(made.commands)
                await made.says(realm, f"/{name} {' '.join(dice.sample(pool, dice.choice((0, 1, 1, 2))))}".strip())
            case "model":
                tools = dice.sample(made.tools, 3)
                made.plan[:] = [
                    ToolCall(id=f"c{n}", name=tool.name, arguments=arguments(tool, pool, dice))
                    for n, tool in enumerate(tools)
                ]
                await made.says(realm, f"tell me of {dice.choice(pool)}")
                made.plan.clear()
            case "press":
                data = [button.data for keyboard in made.adapter.keyboards for button in keyboard.buttons]
                await made.presses(realm, dice.choice(data))
            case _:
                await made.passes(dice.choice((60, 3_600, 86_400)))
        assert made.leaks == []


@pytest.mark.parametrize("name", NAMES)
def test_no_word_of_somebody_else_leaves_whatever_is_typed_or_done(
    name: str, make_place: PlaceMaker, tmp_path: Path
) -> None:
    with asyncio.Runner() as runner:
        database = build(make_place(name))
        runner.run(database.open())
        made = runner.run(world(database, tmp_path))
        assert canaries(runner.run(exported(made))) == REALMS[0].hears - {REALMS[1].canary}
        # Else nothing would be tried.
        assert {one.text for one in made.adapter.sent} >= {f"I know {realm.canary}." for realm in REALMS if realm.group}

        @settings(CHECKS, max_examples=EXAMPLES[name])
        @given(seed=st.integers(0, 1 << 32))
        def holds(seed: int) -> None:
            runner.run(plays(made, random.Random(seed), 15))

        try:
            holds()
        finally:
            runner.run(database.close())


async def exported(made: World) -> str:
    """The file that somebody is sent of all that is theirs."""
    await made.says(REALMS[0], "/export")
    await made.passes(1)
    return "".join(content_of(one.document) for one in made.adapter.sent)


FORMS = ("{}", "{}", "done {}", "remove {}", "edit {} plum", "why {}", "{} tomorrow at 9")
VERBS = ("add", "done", "complete", "remove", "cancel", "edit", "plum", "tomorrow at 9")


def alike(answer: object) -> str:
    """An answer without the ids and codes in it."""
    # What ends a line stands as two characters in what Python shows; titles begin with a capital letter.
    return SHOWN.sub("<id>", CODE.sub("<code>", str(answer).replace("\\n", " ")).lower())


@pytest.fixture
async def twins(make_database: DatabaseMaker, tmp_path: Path) -> tuple[World, World]:
    """Two worlds in which the same has happened."""
    databases = [await make_database("sqlite") for _ in range(2)]
    one, other = [await world(database, tmp_path / str(n)) for n, database in enumerate(databases)]
    return one, other


@pytest.mark.parametrize("n", [0, 5])
async def test_an_id_of_others_is_answered_exactly_as_one_that_nothing_has(twins: tuple[World, World], n: int) -> None:
    """By each command and each tool: in one world the ids of others are said, in the other one such as nothing has."""
    realm, dice = REALMS[n], random.Random(n)
    pairs = await twins[0].pairs(realm)
    assert {foreign[0] for foreign, _ in pairs} >= set("cfmoprstu")
    for name in twins[0].commands:
        for pair in dice.sample(pairs, 2):
            form = dice.choice(FORMS)
            lines = [f"/{name} {form.format(one)}" for one in pair]
            told = [await made.says(realm, line) for made, line in zip(twins, lines, strict=True)]
            assert alike(told[0]) == alike(told[1]), (name, form, pair)
    assert twins[0].leaks == twins[1].leaks == []
    runs, steps = [await claimed(made, realm) for made in twins], itertools.count(1)
    # What only converts or calculates gives something of what it was given, and looks nothing up.
    tools = [tool for tool in twins[0].tools if tool.category != "data"]
    for tool, pair in itertools.product(tools, pairs):
        for role, step in zip(sorted(tool.roles), steps, strict=False):
            results = []
            for made, run, one in zip(twins, runs, pair, strict=True):
                given = arguments(tool, (one, one, one, *VERBS), random.Random(f"{tool.name} {pair[0][0]}"))
                executor = made.house.app.worker.answering.collaborators.loop._executor
                asked = ToolCall(id="c", name=tool.name, arguments=given)
                results.append(await executor.call(run.context(role), step, asked))
            assert alike(results[0]) == alike(results[1]), (tool.name, pair)
            assert canaries(str(results)) <= realm.hears, (tool.name, role, pair)


async def claimed(made: World, realm: Realm) -> RunContext:
    """A run that works for somebody where they are."""
    house = made.houses[realm.bot]
    group = {"chat_kind": "group"} if realm.group else {}
    await house.hear("go on", chat=realm.chat, sender=realm.sender, key="go-on", **group)
    (lane_id,) = await house.column(
        "SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.tenant_id = :tenant_id"
        " AND c.external_id = :chat",
        tenant_id=house.tenant_id,
        chat=realm.chat,
    )
    run = await house.db.write(lambda tx: claim_lane(house, tx, lane_id))
    assert run is not None
    return run


def test_every_kind_of_id_is_tried() -> None:
    assert unmapped(ROOT / "core") == set(), "say in ROWS of tests/isolation.py which rows these letters name"
