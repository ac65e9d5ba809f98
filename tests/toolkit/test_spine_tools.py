"""The tools of the spine, called by the person through the one door."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from core.kernel.types import Role, ToolCall, ToolResult
from tests.conftest import DatabaseMaker
from tests.fakes import FRIEND, House, claim_lane, house

Ask = Callable[..., Awaitable[ToolResult]]


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await house(await make_database("sqlite"), tmp_path / "house", lambda request: f"re: {request.heard[-1]}")


@pytest.fixture
async def ask(home: House) -> Ask:
    """Call a tool in a run of the owner that is still open."""
    for text in ("one", "two"):
        await home.hear(text)
        await home.work()
        home.clock.advance(60)
    await home.hear("secret", chat="2", sender=FRIEND)
    await home.work()
    await home.hear("three")
    (lane_id,) = await home.column("SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.external_id = '1'")
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert run is not None
    steps = iter(range(1, 100))

    async def call(name: str, role: Role = Role.PERSON, **arguments: Any) -> ToolResult:
        executor = home.app.worker.answering.collaborators.loop._executor
        return await executor.call(run.context(role), next(steps), ToolCall(id="c", name=name, arguments=arguments))

    return call


async def texts(found: ToolResult) -> list[str]:
    return [message["text"] for message in found.result["messages"]]


async def test_echo_gives_back_what_it_got(ask: Ask) -> None:
    assert (await ask("echo", value="é 你好")).result == "é 你好"


async def test_the_time_is_told_in_the_zone_that_is_asked_for(ask: Ask, home: House) -> None:
    found = (await ask("current_time", timezone="Asia/Tokyo")).result
    assert (found["timestamp"], found["timezone"], found["iso"][-6:]) == (home.clock.now(), "Asia/Tokyo", "+09:00")
    assert (await ask("current_time")).result["timezone"] == "UTC"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "/etc/localtime"])
async def test_an_unknown_zone_is_an_error_that_helps(ask: Ask, zone: str) -> None:
    assert "use an IANA name such as Asia/Shanghai" in (await ask("current_time", timezone=zone)).error


async def test_recent_history_is_the_scopes_own_oldest_first(ask: Ask) -> None:
    assert await texts(await ask("get_recent_history", count=10)) == ["one", "re: one", "two", "re: two", "three"]
    assert await texts(await ask("get_recent_history", count=2, offset=1)) == ["two", "re: two"]


async def test_history_tells_who_spoke_and_when(ask: Ask) -> None:
    first = (await ask("get_recent_history", count=10)).result["messages"][0]
    assert (first["role"], first["speaker"]) == ("user", "Name of tg:1")
    assert first["created_at"].endswith("+00:00")


async def test_a_count_above_the_maximum_is_capped_and_below_one_refused(ask: Ask) -> None:
    assert (await ask("get_recent_history", count=5000)).result["capped"] == 100
    assert "must be 1 or more" in (await ask("get_recent_history", count=0)).error
    assert "offset must be 0 or more" in (await ask("get_recent_history", count=1, offset=-1)).error


async def test_history_by_time_is_bounded_on_both_sides(ask: Ask) -> None:
    rows = (await ask("get_recent_history", count=10)).result["messages"]
    at = rows[2]["created_at"]
    assert await texts(await ask("get_history_by_time", after=at, before=at)) == ["two", "re: two"]
    assert await texts(await ask("get_history_by_time", after="2030-01-01")) == []


async def test_a_bad_date_is_an_error_and_no_empty_list(ask: Ask) -> None:
    assert "is no ISO 8601 time" in (await ask("get_history_by_time", after="yesterday")).error


async def test_the_teller_may_not_read_history(ask: Ask) -> None:
    assert (await ask("get_recent_history", Role.TELLER, count=1)).error.startswith("Permission denied: ")


async def test_health_is_told_for_the_asking_scope(ask: Ask) -> None:
    found = (await ask("query_state", state_name="health")).result
    assert (found["ok"], found["model"], found["waiting"]) == (True, "scripted", 0)


@pytest.mark.parametrize("name", ["weather", "a" * 128])
async def test_a_state_nobody_provides_is_named(ask: Ask, name: str) -> None:
    assert (await ask("query_state", state_name=name)).error == f"No state provider registered for '{name}'"


@pytest.mark.parametrize("name", ["", "a b", "a" * 129, "é"])
async def test_a_state_name_outside_its_pattern_is_refused(ask: Ask, name: str) -> None:
    assert (await ask("query_state", state_name=name)).error.startswith("Parameter validation failed: state_name")


async def test_each_decision_has_an_id_of_its_own_and_lies_in_the_ledger(ask: Ask, home: House) -> None:
    found = [(await ask("log_decision", reasoning=f"because {n}")).result for n in range(2)]
    assert found[0]["decision_id"] != found[1]["decision_id"]
    assert all(one["decision_id"].startswith("d") for one in found)
    bodies = await home.column(
        "SELECT b.arguments FROM ledger_body b JOIN ledger l ON l.n = b.n AND l.tenant_id = b.tenant_id"
        " WHERE l.tool = 'log_decision' ORDER BY l.n"
    )
    assert ["because 0" in bodies[0], "because 1" in bodies[1]] == [True, True]


@pytest.mark.parametrize("arguments", [{}, {"reasoning": ""}, {"reasoning": "x" * 1001}, {"reasoning": "x", "type": 1}])
async def test_a_decision_without_a_proper_reason_is_refused(ask: Ask, arguments: dict[str, Any]) -> None:
    assert (await ask("log_decision", **arguments)).error.startswith("Parameter validation failed: ")


async def test_a_reply_needs_a_text(ask: Ask) -> None:
    assert (await ask("reply", Role.TELLER, text="")).error.startswith("Parameter validation failed: text")
    assert (await ask("reply", Role.TELLER, text="hi")).result is None
