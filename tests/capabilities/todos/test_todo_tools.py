"""The tools of to-dos as models call them, and the same as people do it (TOOLS: Todo; error texts of seed 002)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.contacts import repository as contacts
from core.capabilities.todos import actions
from core.capabilities.todos.tools import TodoState
from core.kernel.errors import Refused
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Role, Sender
from core.pipeline.runs.run_context import RunContext
from core.toolkit.action import Action
from tests import calling
from tests.calling import Ask, last_undo
from tests.conftest import DatabaseMaker
from tests.fakes import START, House, house

pytestmark = pytest.mark.databases("sqlite")

Do = Callable[..., Awaitable[Any]]


async def caller(home: House) -> tuple[Ask, LaneKey]:
    """Calls tools in a run of the owner, as the Teller unless told otherwise."""
    await home.hear("so let Anna know, too")
    return await calling.caller(home)


async def know(home: House, lane: LaneKey, address: str, name: str) -> int:
    """Make somebody a contact of the lane's scope."""
    sender = Sender(address=address, name=name)
    return await home.db.write(lambda tx: contacts.learn(tx, lane, None, sender, START))


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await house(database, tmp_path / "house")


async def claimed(home: House) -> RunContext:
    await home.hear("hello")
    return await calling.claimed(home)


def person_of(home: House, run: RunContext) -> Do:
    """Act as the person of a run."""

    async def do(action: Action[..., Any], /, **arguments: Any) -> Any:
        return await home.db.write(lambda tx: action(tx, run.context(Role.PERSON), **arguments))

    return do


@pytest.fixture
async def run(home: House) -> RunContext:
    return await claimed(home)


@pytest.fixture
async def there(home: House, run: RunContext) -> tuple[Ask, LaneKey]:
    return calling.calls_of(home, run), run.lane


@pytest.fixture
async def do(home: House, run: RunContext) -> Do:
    return person_of(home, run)


@pytest.fixture
async def ask(there: tuple[Ask, LaneKey]) -> Ask:
    return there[0]


async def add(ask: Ask, content: str, *people: str, **more: Any) -> dict[str, Any]:
    result = await ask("todo_update", action="add", content=content, people=list(people), **more)
    assert result.success, result.error
    found: dict[str, Any] = result.result
    return found


async def test_results_have_the_shape_of_the_contract(ask: Ask) -> None:
    made = await add(ask, "buy milk", due="2026-11-27")
    todo_id = made["entry"]["id"]
    assert made == {
        "ok": True,
        "action": "add",
        "updated_counts": {"open_count": 1, "done_count": 0},
        "changed": {"wip_added": 1, "wip_removed": 0, "done_added": 0},
        "entry": {
            "id": todo_id,
            "created_at": "2026-09-21T14:13:20+00:00",
            "content": "buy milk",
            "due": "2026-11-27",
        },
    }
    done = (await ask("todo_update", action="complete", content=todo_id)).result
    assert (done["changed"], done["updated_counts"]) == (
        {"wip_added": 0, "wip_removed": 1, "done_added": 1},
        {"open_count": 0, "done_count": 1},
    )
    assert done["entry"]["done_at"] == "2026-09-21T14:13:20+00:00"
    listed = (await ask("todo_list", scope="both")).result
    assert listed == {
        "scope": "both",
        "open_count": 0,
        "done_count": 1,
        "wip_items": [],
        "done_items": [done["entry"]],
        "wip_path": "TODO.WIP.md",
        "done_path": "TODO.DONE.md",
        "generated_at": "2026-09-21T14:13:20+00:00",
    }


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"action": "drop", "content": "x"}, "invalid action:"),
        ({"content": "x"}, "action is required"),
        ({"action": "add", "people": []}, "content is required"),
        ({"action": "add", "content": " ", "people": []}, "content is required"),
        ({"action": "complete", "content": " "}, "content is required"),
        ({"action": "add", "content": "x"}, "people is required for add action"),
        ({"action": "add", "content": "x", "people": "Bob"}, "people must be an array of strings"),
        ({"action": "add", "content": "x", "people": [1]}, "people must be an array of strings"),
        ({"action": "complete", "content": "x"}, "no matching todo item in TODO.WIP.md"),
        ({"action": "add", "content": "x" * 1001, "people": []}, "content is too long"),
        ({"action": "add", "content": "x", "people": [], "due": "soon"}, "invalid due:"),
        ({"action": "add", "content": "x", "people": [], "due": "2026-02-30"}, "invalid due:"),
        ({"action": "add", "content": "x", "people": ["a"] * 21}, "at most 20 people"),
    ],
)
async def test_each_bad_call_says_what_to_change(
    make_database: DatabaseMaker, tmp_path: Path, arguments: dict[str, Any], error: str
) -> None:
    ask, _ = await caller(await house(await make_database("sqlite"), tmp_path / "house"))
    result = await ask("todo_update", **arguments)
    assert not result.success
    assert error in result.error
    assert (await ask("todo_list", scope="both")).result["open_count"] == 0
    assert (await ask("todo_list", scope="all")).error.startswith("invalid scope:")


async def test_people_are_referred_to_where_they_are_named_and_behind_it_else(
    home: House, there: tuple[Ask, LaneKey]
) -> None:
    ask, lane = there
    await know(home, lane, "tg:1001", "Anna")
    assert (await add(ask, "ask anna about Annapolis", "Anna"))["entry"]["content"] == (
        "ask anna (tg:1001) about Annapolis"
    )
    assert (await add(ask, "buy milk", "Anna"))["entry"]["content"] == "buy milk — Anna (tg:1001)"
    assert (await add(ask, "bake", "tg:1001"))["entry"]["content"] == "bake — Anna (tg:1001)"
    assert (await add(ask, "sing", "Anna (tg:1001)"))["entry"]["content"] == "sing — Anna (tg:1001)"
    assert (await add(ask, "dance (tg:1001) (slowly)"))["entry"]["content"] == "dance (tg:1001) (slowly)"
    me = await add(ask, "rest", "me")
    assert me["entry"]["content"] == "rest — Name of tg:1 (tg:1)"
    assert "warnings" not in me


async def test_whom_nobody_knows_stays_as_written(home: House, there: tuple[Ask, LaneKey]) -> None:
    ask, lane = there
    for address in ("tg:1001", "tg:1002"):
        await know(home, lane, address, "Anna")
    for name in ("Zoe", "Anna"):
        made = await add(ask, f"call {name}", name)
        assert made["entry"]["content"] == f"call {name}"
        assert made["warnings"] == ["reference_unresolved_write_raw"]


@pytest.mark.parametrize(
    ("reference", "error"),
    [
        ("tg:abc", "invalid reference id:"),
        ("tg:", "invalid reference id:"),
        ("tg:@", "invalid reference id:"),
        ("tg:99999999999999999999", "invalid reference id:"),
        ("slack:a:b:c", "invalid reference id:"),
        ("discord:x", "invalid reference id:"),
        ("TG:abc", "invalid reference id:"),
        ("tg:99", "reference id is not reachable:"),
        ("tg:@nobody", "reference id is not reachable:"),
        ("slack:T1:U1", "reference id is not reachable:"),
        ("maep:peer", "reference id is not reachable:"),
    ],
)
async def test_a_reference_is_checked_in_the_text_and_among_the_people(
    make_database: DatabaseMaker, tmp_path: Path, reference: str, error: str
) -> None:
    ask, _ = await caller(await house(await make_database("sqlite"), tmp_path / "house"))
    for content, people in (
        (f"call Eve ({reference})", []),
        ("call Eve", [reference]),
        ("call", [f"Eve ({reference})"]),
    ):
        result = await ask("todo_update", action="add", content=content, people=people)
        assert result.error.startswith(error), result


@pytest.mark.parametrize(
    "text", ["read (chapter 5)", "tidy (slack: the app)", "see (tgif)", "a) b) (", "tg:1 and so on"]
)
async def test_an_ordinary_bracket_is_just_text(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    ask, _ = await caller(await house(await make_database("sqlite"), tmp_path / "house"))
    assert (await add(ask, text))["entry"]["content"] == text


async def test_a_model_is_told_what_it_may_have_meant(ask: Ask) -> None:
    ids = [(await add(ask, text))["entry"]["id"] for text in ("oat milk", "cow milk")]
    several = await ask("todo_update", action="complete", content="milk")
    assert several.error.startswith("ambiguous todo item match")
    assert all(one in several.error for one in ids)
    none = await ask("todo_update", action="complete", content="the white drink")
    assert none.error.startswith("no matching todo item in TODO.WIP.md")
    assert json.dumps({"id": ids[0], "content": "oat milk"}) in none.error


async def test_a_model_completes_an_enumeration_only_by_its_id(ask: Ask) -> None:
    item = (await add(ask, "milk, eggs and bread"))["entry"]["id"]
    part = await ask("todo_update", action="complete", content="eggs")
    assert part.error.startswith("ambiguous todo item match")
    assert item in part.error
    assert (await ask("todo_update", action="complete", content=item)).success


async def test_a_person_gets_candidates_and_a_way_back_a_model_gets_neither(ask: Ask, do: Do) -> None:
    assert (await do(actions.add, content="oat milk")).undo
    assert "undo" not in await add(ask, "cow milk")
    several = await do(actions.complete, content="milk")
    assert several.entry is None
    assert [one.content for one in several.candidates] == ["oat milk", "cow milk"]


async def test_an_item_that_says_the_same_is_there_already(home: House, there: tuple[Ask, LaneKey]) -> None:
    ask, lane = there
    await know(home, lane, "tg:1001", "Anna")
    made = await add(ask, "Call Anna!", "Anna")
    again = await add(ask, "call  anna", "Anna")
    assert again["warnings"] == ["duplicate"]
    assert again["entry"] == made["entry"]
    assert again["changed"] == {"wip_added": 0, "wip_removed": 0, "done_added": 0}


async def test_what_is_for_others_or_due_at_another_time_is_another_item(
    home: House, there: tuple[Ask, LaneKey]
) -> None:
    ask, lane = there
    for address, name in (("tg:1001", "Max"), ("tg:1002", "Moritz")):
        await know(home, lane, address, name)
    calls: list[tuple[str, list[str], str | None]] = [
        ("pay", [], None),
        ("pay", ["Max"], None),
        ("pay", ["Moritz"], None),
        ("pay", ["Max", "Moritz"], None),
        ("pay him (tg:1001)", [], None),
        ("pay him (tg:1002)", [], None),
        ("pay", [], "2026-11-27"),
        ("pay", [], "2026-11-28"),
        ("pay", [], "2026-11-27T17:00"),
    ]
    for content, people, due in (*calls, *calls):
        await add(ask, content, *people, due=due)
    assert (await ask("todo_list")).result["open_count"] == len(calls)
    assert await home.column("SELECT count(*) FROM trigger WHERE state = 'active'") == [1]
    assert (await add(ask, "Pay!", "Moritz", "Max"))["warnings"] == ["duplicate"]


@pytest.mark.parametrize(
    "due",
    [
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:59-12:00",
        "9999-12-31T23:59",
        "0001-01-01",
        "9999-12-31",
        "1969-12-31T23:59Z",
    ],
)
async def test_a_year_that_no_calendar_of_ours_has_is_explained(
    make_database: DatabaseMaker, tmp_path: Path, due: str
) -> None:
    ask, _ = await caller(await house(await make_database("sqlite"), tmp_path / "house"))
    refused = await ask("todo_update", action="add", content="x", people=[], due=due)
    assert refused.error == f"invalid due: {due!r}; the first year is 1970, the last one 9998"
    assert (await ask("todo_list")).result["open_count"] == 0


@pytest.mark.parametrize("due", ["2026-11-27", "20261127", "2026-W48-5", " 2026-W48-5 "])
async def test_a_date_in_any_form_is_a_day_without_a_reminder(
    make_database: DatabaseMaker, tmp_path: Path, due: str
) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house")
    ask, _ = await caller(home)
    assert (await add(ask, "trip", due=due))["entry"]["due"] == "2026-11-27"
    assert await home.column("SELECT count(*) FROM trigger") == [0]


async def test_completing_twice_changes_nothing(ask: Ask) -> None:
    todo_id = (await add(ask, "milk"))["entry"]["id"]
    await ask("todo_update", action="complete", content=todo_id)
    again = (await ask("todo_update", action="complete", content=todo_id)).result
    assert again["warnings"] == ["already_done"]
    assert again["changed"]["done_added"] == 0


@pytest.mark.parametrize(
    ("due", "told"),
    [
        ("2026-09-22T17:00+02:00", "2026-09-22T15:00:00+00:00"),
        ("2026-09-22T17:00", "2026-09-22T17:00:00+00:00"),
        ("2026-09-22T17:00Z", "2026-09-22T17:00:00+00:00"),
    ],
)
async def test_an_instant_brings_a_reminder_for_those_who_are_to_do_it(
    make_database: DatabaseMaker, tmp_path: Path, due: str, told: str
) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house")
    ask, lane = await caller(home)
    anna = await know(home, lane, "tg:1001", "Anna")
    assert (await add(ask, "call Anna", "Anna", due=due))["entry"]["due"] == told
    assert await home.rows("SELECT text, late, state, made_by FROM trigger") == [
        {"text": "call Anna", "late": "run", "state": "active", "made_by": "teller"}
    ]
    assert await home.column("SELECT contact_id FROM addressee") == [anna]


async def test_an_instant_in_the_past_and_a_date_bring_no_reminder(home: House, ask: Ask) -> None:
    await add(ask, "tax", due="2026-01-01T10:00")
    await add(ask, "trip", due="2026-12-01")
    assert await home.column("SELECT count(*) FROM trigger") == [0]


async def test_a_hundred_reminders_are_the_limit(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house")
    ask, _ = await caller(home)
    await add(ask, "first", due="2026-12-01T10:00")
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)"
    fields = "tenant_id, scope_id, chat_id, lane_id, person_id, state, deliver, kind, spec, text, made_by, next_at"
    await home.db.write(
        lambda tx: tx.run(f"INSERT INTO trigger ({fields}, created_at) {many} SELECT {fields}, 0 FROM trigger, n")
    )
    result = await ask("todo_update", action="add", content="one more", people=[], due="2026-12-02T10:00")
    assert result.error.startswith("at most 100 active reminders")
    assert (await ask("todo_list")).result["open_count"] == 1
    assert (await add(ask, "one more", due="2026-12-02"))["ok"]


async def test_a_thousand_open_items_are_the_limit(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house")
    run = await claimed(home)
    ask, do = calling.calls_of(home, run), person_of(home, run)
    first = (await add(ask, "first"))["entry"]["id"]

    def fill(tx: Tx) -> None:
        many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
        fields = "tenant_id, scope_id, lane_id, person_id, state, content, created_at"
        tx.run(f"INSERT INTO todo ({fields}, folded) {many} SELECT {fields}, 'f' || i FROM todo, n")

    await home.db.write(fill)
    full = await ask("todo_update", action="add", content="one more", people=[])
    assert full.error.startswith("the list is full")
    listed = (await ask("todo_list")).result
    assert (listed["open_count"], listed["truncated"]) == (1000, True)
    await ask("todo_update", action="complete", content=first)
    assert (await add(ask, "one more"))["ok"]
    with pytest.raises(Refused, match="todo_full"):
        await do(actions.todo_change, todo_id=first, action="reopen")


async def test_what_was_done_and_removed_comes_back_as_done(ask: Ask, do: Do) -> None:
    todo_id = (await add(ask, "milk"))["entry"]["id"]
    for action, status in (
        ("complete", "changed"),
        ("remove", "changed"),
        ("remove", "unknown"),
        ("restore", "changed"),
    ):
        assert (await do(actions.todo_change, todo_id=todo_id, action=action)).status == status
    assert (await ask("todo_list", scope="both")).result["done_count"] == 1
    assert (await do(actions.todo_change, todo_id=todo_id, action="complete")).status == "already"


@pytest.mark.databases("sqlite", "postgres")
async def test_whose_it_is_can_be_changed_and_changed_back(home: House, there: tuple[Ask, LaneKey], do: Do) -> None:
    ask, lane = there
    await know(home, lane, "tg:1001", "Anna")
    todo_id = (await add(ask, "milk", due="2026-12-01T10:00"))["entry"]["id"]
    with pytest.raises(Refused, match="todo_nobody"):
        await do(actions.todo_change, todo_id=todo_id, action="assign", people=["Zoe"])
    given = await do(actions.todo_change, todo_id=todo_id, action="assign", people=["Anna"])
    assert given.entry is not None
    assert given.entry.content == "milk — Anna (tg:1001)"
    active = (
        "SELECT count(a.contact_id) FROM trigger t LEFT JOIN addressee a ON a.trigger_id = t.id WHERE state = 'active'"
    )
    assert await home.column(active) == [1]
    tool, arguments = await last_undo(home)
    assert tool == actions.todo_change.name
    await do(actions.todo_change, **arguments)
    assert (await ask("todo_list")).result["wip_items"][0]["content"] == "milk"
    assert await home.column(active) == [0]


async def test_workers_have_no_list(ask: Ask) -> None:
    assert (await ask("todo_list", Role.WORKER)).error.startswith("Permission denied")


async def test_a_model_removes_nothing(ask: Ask) -> None:
    assert (await ask("todo_change", Role.TELLER, todo_id="t000000", action="remove")).code == "not_found"


async def test_the_state_tells_of_the_own_scope_only(home: House, there: tuple[Ask, LaneKey]) -> None:
    ask, lane = there
    todo_id = (await add(ask, "milk"))["entry"]["id"]
    state = TodoState()
    assert await home.db.read(lambda tx: state.read(tx, lane)) == {
        "open_count": 1,
        "done_count": 0,
        "open_items": [{"id": todo_id, "content": "milk"}],
    }
    other = LaneKey(tenant_id=lane.tenant_id, scope_id=lane.scope_id + 1, chat_id=lane.chat_id, lane_id=lane.lane_id)
    assert (await home.db.read(lambda tx: state.read(tx, other)))["open_count"] == 0
