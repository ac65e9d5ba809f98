"""The only door to a tool: every failure is a result that tells the model what to change."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.kernel.errors import LeaseLost, ToolError
from core.kernel.events import EventBus, ToolCallCompleted, ToolCallFailed, ToolCallRequested
from core.kernel.ports import Tx
from core.kernel.types import Json, Role, ToolCall, ToolResult
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import lanes
from core.store.conversation.runs import Unjournalled
from core.toolkit.executor import CALLS_A_RUN, READS_AT_ONCE, Executor
from core.toolkit.params import Params
from core.toolkit.results import LIMIT
from core.toolkit.tool import Effect, Registry, Tool, ToolContext, tool
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, House, claim_lane, house

bench = SimpleNamespace(active=0, most=0, cancelled=0, tries=0)


class Nothing(Params):
    """No parameters."""


class Text(Params):
    """A text."""

    text: str


@tool(Role.TELLER)
async def big(params: Nothing, context: ToolContext) -> Json:
    """Give back more than fits."""
    return {"content": "x" * 50_000}


@tool(Role.TELLER, timeout=0.05)
async def slow(params: Nothing, context: ToolContext) -> Json:
    """Take too long, and notice being cancelled."""
    try:
        await asyncio.get_running_loop().create_future()
    except asyncio.CancelledError:
        bench.cancelled += 1
        raise


@tool(Role.TELLER)
async def busy(params: Nothing, context: ToolContext) -> Json:
    """Count how many run at once."""
    bench.active += 1
    bench.most = max(bench.most, bench.active)
    await bench.together.wait()
    for _ in range(20):
        await asyncio.sleep(0)
    bench.active -= 1


@tool(Role.TELLER, idempotent=True)
async def flaky(params: Nothing, context: ToolContext) -> Json:
    """Work at the third try."""
    bench.tries += 1
    if bench.tries < 3:
        raise ConnectionError("reset")
    return bench.tries


@tool(Role.TELLER)
async def shaky(params: Nothing, context: ToolContext) -> Json:
    """Fail, and not be safe to try again."""
    bench.tries += 1
    raise ConnectionError("reset")


@tool(Role.TELLER)
async def buggy(params: Nothing, context: ToolContext) -> Json:
    """Have a bug that knows a secret."""
    raise KeyError("hunter2")


@tool(Role.TELLER, effect=Effect.WRITE)
def half(params: Text, context: ToolContext, tx: Tx) -> Json:
    """Write something, then fail."""
    tx.run("UPDATE person SET name = :name", {"name": params.text})
    if params.text == "bad":
        raise ToolError("half", "that is bad; say something good")
    if params.text == "bug":
        raise KeyError("hunter2")
    return {"ok": True}


@tool(Role.TELLER, effect=Effect.OUTWARD)
async def post(params: Text, context: ToolContext) -> Json:
    """Reach the world."""
    bench.tries += 1
    return {"posted": params.text}


@tool(Role.WORKER)
async def dig(params: Nothing, context: ToolContext) -> Json:
    """Only for workers."""
    return None


@tool(Role.TELLER)
async def glance(params: Text, context: ToolContext) -> Json:
    """Look at something, for as long as its text says."""
    bench.tries += 1
    await context.clock.sleep(float(params.text))
    return {"seen": bench.tries}


TOOLS: list[Tool] = [big, slow, busy, flaky, shaky, buggy, half, post, dig, glance]


class Doorway:
    """An executor with the tools above, and a claimed run to call them in."""

    def __init__(self, home: House, case: RunContext) -> None:
        self.home, self.run, self.n = home, case, 0
        self.events: list[Any] = []
        bus = EventBus()
        for kind in (ToolCallRequested, ToolCallCompleted, ToolCallFailed):
            bus.subscribe(kind, self.events.append)
        self.registry = Registry(bus, disabled=["busy"])
        for each in TOOLS:
            self.registry.register(each)
        self.executor = Executor(self.registry, home.db, home.app.ledger, home.clock, bus)

    async def call(self, name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> ToolResult:
        self.n += 1
        context = more.pop("context", None) or self.run.context(Role.TELLER)
        problem = more.pop("problem", "")
        call = ToolCall(id=f"c{self.n}", name=name, arguments=arguments or {}, problem=problem)
        return await self.executor.call(context, more.pop("n", self.n), call, **more)

    async def steps(self) -> list[dict[str, Any]]:
        return await self.home.rows("SELECT n, state, tool FROM step ORDER BY n")

    async def acts(self) -> list[tuple[str, str, int]]:
        rows = await self.home.rows("SELECT tool, phase, success FROM ledger ORDER BY n")
        return [(row["tool"], row["phase"], row["success"]) for row in rows]


async def claimed(home: House) -> RunContext:
    (lane_id,) = await home.column("SELECT id FROM lane")
    case = await home.db.write(lambda tx: claim_lane(home, tx, lane_id, alone=True))
    assert case is not None
    return case


@pytest.fixture
async def door(make_database: DatabaseMaker, tmp_path: Path) -> Doorway:
    """A doorway with a run of the owner."""
    bench.__dict__.update(active=0, most=0, cancelled=0, tries=0)
    home = await house(await make_database("sqlite"), tmp_path / "house")
    await home.hear("hello")
    return Doorway(home, await claimed(home))


async def test_an_unknown_tool_is_not_found(door: Doorway) -> None:
    result = await door.call("teleport")
    assert (result.success, result.error) == (False, 'Tool "teleport" not found')


async def test_a_tool_of_another_role_is_refused(door: Doorway) -> None:
    assert (await door.call("dig")).error == "Permission denied: a teller may not use dig"


@pytest.mark.parametrize(
    ("name", "arguments"), [("glance", {"text": "0"}), ("half", {"text": "good"}), ("post", {"text": "x"})]
)
async def test_who_was_removed_meanwhile_has_nothing_done(
    make_database: DatabaseMaker, tmp_path: Path, name: str, arguments: dict[str, str]
) -> None:
    bench.__dict__.update(tries=0)
    home = await house(await make_database("sqlite"), tmp_path / "house")
    await home.hear("hello", chat="2", sender=FRIEND)
    door = Doorway(home, await claimed(home))
    await home.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed'"))
    assert (await door.call(name, arguments)).error == f"Permission denied: a stranger may not use {name}"
    assert bench.tries == 0
    assert await home.column("SELECT name FROM person") == [f"Name of {FRIEND}"]


async def test_bad_arguments_fail_validation(door: Doorway) -> None:
    assert (await door.call("post")).error == "Parameter validation failed: text is required"
    assert bench.tries == 0


async def test_arguments_that_could_not_be_read_fail_validation(door: Doorway) -> None:
    result = await door.call("post", problem="The arguments could not be read: broken JSON")
    assert result.error == "Parameter validation failed: The arguments could not be read: broken JSON"


async def test_a_disabled_tool_says_so_and_is_hidden(door: Doorway) -> None:
    assert (await door.call("busy")).error == "busy tool is disabled"
    assert "busy" not in str(door.registry.to_llm_tools(Role.TELLER))


async def test_a_call_past_the_limit_of_a_run_is_refused(door: Doorway) -> None:
    assert (await door.call("big", made=CALLS_A_RUN - 1)).success
    assert (await door.call("big", made=CALLS_A_RUN)).error == "at most 50 calls a run; answer with what you have"


async def test_a_tool_that_takes_too_long_is_really_cancelled(door: Doorway) -> None:
    result = await door.call("slow")
    assert (result.error, bench.cancelled) == ("Tool execution timed out after 50ms", 1)


async def test_a_long_result_is_cut_and_says_so(door: Doorway) -> None:
    result = await door.call("big")
    assert result.result["truncated"] is True
    assert len(str(result.result["content"])) <= LIMIT


async def test_an_idempotent_read_is_tried_three_times(door: Doorway) -> None:
    assert (await door.call("flaky")).result == 3


async def test_what_is_not_idempotent_is_tried_once(door: Doorway) -> None:
    result = await door.call("shaky")
    assert (result.success, bench.tries) == (False, 1)


async def test_a_bug_is_told_without_its_details(door: Doorway, caplog: pytest.LogCaptureFixture) -> None:
    result = await door.call("buggy")
    assert result.error == "buggy failed unexpectedly (KeyError); try something else"
    assert "hunter2" in caplog.text


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("bad", "that is bad; say something good"),
        ("bug", "half failed unexpectedly (KeyError); try something else"),
    ],
)
async def test_nothing_half_done_stays_of_a_write_that_failed(door: Doorway, text: str, error: str) -> None:
    before = await door.home.column("SELECT name FROM person")
    assert (await door.call("half", {"text": text})).error == error
    assert await door.home.column("SELECT name FROM person") == before
    assert await door.acts() == [("half", "outcome", 0)]


async def test_a_write_its_step_and_its_ledger_row_are_one(door: Doorway) -> None:
    assert (await door.call("half", {"text": "good"})).result == {"ok": True}
    assert await door.steps() == [{"n": 1, "state": "done", "tool": "half"}]
    assert await door.acts() == [("half", "outcome", 1)]


async def test_every_refusal_is_a_step_and_a_ledger_row(door: Doorway) -> None:
    for name in ("teleport", "dig", "busy", "post"):
        await door.call(name)
    assert [step["tool"] for step in await door.steps()] == ["teleport", "dig", "busy", "post"]
    assert [act[2] for act in await door.acts()] == [0, 0, 0, 0]


async def test_an_outward_call_is_planned_before_and_has_an_outcome_after(door: Doorway) -> None:
    assert (await door.call("post", {"text": "x"})).success
    assert await door.acts() == [("post", "planned", 1), ("post", "outcome", 1)]
    assert await door.steps() == [{"n": 1, "state": "done", "tool": "post"}]


async def test_a_stored_step_gives_its_result_and_calls_nobody(door: Doorway) -> None:
    first = await door.call("post", {"text": "x"})
    await door.home.db.write(lanes.take_over)
    again = await claimed(door.home)
    second = await door.call("post", {"text": "x"}, n=1, context=again.context(Role.TELLER))
    assert (second, bench.tries) == (first, 1)


async def test_an_outward_call_cut_off_by_a_crash_is_unknown_and_not_repeated(door: Doorway) -> None:
    way_in = door.executor._plan
    await door.call("big")
    case = door.run

    def start(tx: Tx) -> None:
        call = ToolCall(id="c2", name="post", arguments={"text": "x"})
        from_executor = SimpleNamespace(
            context=case.context(Role.TELLER), n=2, call=call, started_at=door.home.clock.now(), made=1
        )
        way_in(tx, from_executor)  # type: ignore[arg-type]

    await door.home.db.write(start)
    await door.home.db.write(lanes.take_over)
    for _ in range(2):
        again = await claimed(door.home)
        result = await door.call("post", {"text": "x"}, n=2, context=again.context(Role.TELLER))
        assert "it may or may not have happened" in result.error
        await door.home.db.write(lanes.take_over)
    assert bench.tries == 0
    assert (await door.steps())[1]["state"] == "unknown"
    assert (await door.acts())[1:] == [("post", "planned", 1), ("post", "outcome", 0)]


async def test_whoever_lost_the_lease_calls_nothing_outward(door: Doorway) -> None:
    await door.home.db.write(lanes.take_over)
    for name in ("post", "half"):
        with pytest.raises(LeaseLost):
            await door.call(name, {"text": "x"})
    assert (bench.tries, await door.steps(), await door.acts()) == (0, [], [])


async def test_at_most_twenty_four_reads_run_at_once(door: Doorway) -> None:
    door.registry.disabled = frozenset()
    bench.together = asyncio.Barrier(READS_AT_ONCE)
    results = await asyncio.gather(*(door.call("busy") for _ in range(2 * READS_AT_ONCE)))
    assert all(result.success for result in results)
    assert bench.most == READS_AT_ONCE


async def test_events_tell_of_requests_and_outcomes(door: Doorway) -> None:
    await door.call("post", {"text": "x"})
    await door.call("teleport")
    assert [type(event).__name__ for event in door.events] == [
        "ToolCallRequested",
        "ToolCallCompleted",
        "ToolCallRequested",
        "ToolCallFailed",
    ]
    assert (door.events[3].tool_name, door.events[3].error) == ("teleport", 'Tool "teleport" not found')


async def test_a_subscriber_that_fails_stops_nobody(door: Doorway) -> None:
    def fail(event: ToolCallRequested) -> None:
        raise ValueError("bad subscriber")

    door.executor._bus.subscribe(ToolCallRequested, fail)
    assert (await door.call("post", {"text": "x"})).success


async def test_what_was_read_quickly_is_journalled_with_the_next_act_of_its_run(door: Doorway) -> None:
    context = replace(door.run.context(Role.TELLER), unjournalled=Unjournalled())
    assert (await door.call("big", context=context)).success
    assert not (await door.call("teleport", context=context)).success
    assert (await door.steps(), await door.acts()) == ([], [])
    # Also where the act itself is refused, nothing of it is there.
    assert not (await door.call("half", {"text": "bad"}, context=context)).success
    assert await door.steps() == []
    assert (await door.call("half", {"text": "good"}, context=context)).success
    assert [(row["n"], row["state"], row["tool"]) for row in await door.steps()] == [
        (1, "done", "big"),
        (2, "done", "teleport"),
        (3, "done", "half"),
        (4, "done", "half"),
    ]
    # Once, and not again with what comes after.
    await door.call("post", {"text": "hi"}, context=context)
    assert await door.acts() == [
        ("big", "outcome", 1),
        ("unknown", "outcome", 0),
        ("half", "outcome", 0),
        ("half", "outcome", 1),
        ("post", "planned", 1),
        ("post", "outcome", 1),
    ]


async def test_what_took_long_is_journalled_at_once(door: Doorway) -> None:
    context = replace(door.run.context(Role.TELLER), unjournalled=Unjournalled())
    for seconds in ("0.049", "0.05"):
        assert (await door.call("glance", {"text": seconds}, context=context)).success
    assert [row["n"] for row in await door.steps()] == [2]
    await door.home.db.write(context.begin)
    assert [row["n"] for row in await door.steps()] == [1, 2]


async def test_a_run_that_lost_its_lease_journals_nothing_that_it_read(door: Doorway) -> None:
    context = replace(door.run.context(Role.TELLER), unjournalled=Unjournalled())
    await door.call("big", context=context)
    await door.home.db.write(lambda tx: tx.run("UPDATE lane SET epoch = epoch + 1"))
    with pytest.raises(LeaseLost):
        await door.home.db.write(context.begin)
    assert (await door.steps(), await door.acts()) == ([], [])
