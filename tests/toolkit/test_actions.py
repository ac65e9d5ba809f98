"""What people do by a command is done in the transaction that ends the run: all of it, once, or nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.capabilities.all import CAPABILITIES
from core.kernel.errors import Refused
from core.kernel.ports import Database, Tx
from core.kernel.replies import Reply, Step
from core.language import add_texts
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import runs as journal
from core.store.people import people
from core.toolkit.action import action
from core.toolkit.capability import Capability
from core.toolkit.command import Command, CommandRun
from core.toolkit.tool import ToolContext
from tests.commanding import labels, said
from tests.fakes import Crash, CrashingDatabase, House, claim_lane
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")


@dataclass(frozen=True)
class Named:
    """Somebody has a new name."""

    name: str


@action("chat")
def take_name(tx: Tx, context: ToolContext, name: str) -> Named:
    """Call the person `name`, unless that is refused or goes wrong."""
    people.choose(tx, context.lane, context.principal.person_id, timezone=name)
    if name == "taken":
        raise Refused("name_taken", name=name)
    if name == "odd":
        raise RuntimeError("secret of ours")
    return Named(name)


def _name(run: CommandRun, tx: Tx) -> Reply:
    return run.reply(f"You are {run.actor.act(tx, take_name, run.rest).name}.")


def _unsaid(run: CommandRun, tx: Tx) -> Reply:
    return run.say("a_text_that_no_language_has")


NAMING = Capability(
    name="naming",
    commands={"name": Command(_name), "unsaid": Command(_unsaid)},
    texts={code: {"name_taken": "{name} is somebody else's."} for code in ("de", "en", "zh")},
)


async def naming(db: Database, folder: Path) -> House:
    """A house where people may take a name, which is kept as their time zone."""
    add_texts(NAMING.texts)
    made = await build(db, folder / "house", model=False, capabilities=(*CAPABILITIES, NAMING))
    await said(made, "hello")
    return made


async def acts(home: House) -> list[tuple[str, str, str]]:
    """The rows of the ledger but for answers: name, error, arguments."""
    rows = await home.db.read(
        lambda tx: tx.all(
            "SELECT l.tool, l.error, b.arguments FROM ledger l JOIN ledger_body b"
            " ON b.tenant_id = l.tenant_id AND b.n = l.n WHERE l.tool <> 'reply' ORDER BY l.n"
        )
    )
    return [(row["tool"], row["error"], row["arguments"]) for row in rows]


async def begun(home: House) -> RunContext:
    """The run of the owner's chat, begun."""
    (lane_id,) = await home.column("SELECT id FROM lane")
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert run is not None
    return run


async def names(home: House) -> list[object]:
    """The names that people have."""
    return await home.column("SELECT timezone FROM person")


@pytest.mark.databases("sqlite", "postgres")
async def test_an_action_leaves_one_row_in_the_ledger_and_no_step(database: Database, tmp_path: Path) -> None:
    home = await naming(database, tmp_path)
    assert await said(home, "/name Ann") == "You are Ann."
    assert await acts(home) == [("take_name", "", '{"name": "Ann"}')]
    assert await home.column("SELECT count(*) FROM step WHERE tool = 'take_name'") == [0]
    await home.app.anchor()
    report = await home.db.read(home.app.ledger.verify)
    assert not report.problems


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_refused_is_undone_and_said_and_stands_in_the_ledger(database: Database, tmp_path: Path) -> None:
    home = await naming(database, tmp_path)
    assert await said(home, "/name taken") == "taken is somebody else's."
    assert await names(home) == [""]
    assert await acts(home) == [("take_name", "name_taken", '{"name": "taken"}')]


async def test_a_mistake_of_ours_is_undone_and_said_without_its_words(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = await naming(database, tmp_path)
    assert await said(home, "/name odd") == "That didn't work."
    assert await names(home) == [""]
    assert await acts(home) == [("take_name", "failed", '{"name": "odd"}')]
    assert "command failed: take_name" in caplog.text


async def test_a_command_that_goes_wrong_before_it_does_anything_is_named_in_the_log(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = await naming(database, tmp_path)
    assert await said(home, "/unsaid") == "That didn't work."
    assert "command failed: /unsaid" in caplog.text


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_what_a_crash_interrupts_is_done_once(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    home = await naming(crashing, tmp_path)
    await home.hear("/name Ann")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await home.work()
    second = await build(database, tmp_path / "house", model=False, capabilities=(*CAPABILITIES, NAMING))
    assert len(await acts(second)) == (commits == 2 and after)
    await second.app._take_up()
    await second.app.outbox.doubts.settle()
    await second.later(3600)
    assert await acts(second) == [("take_name", "", '{"name": "Ann"}')]
    assert await names(second) == ["Ann"]
    assert any(text.endswith("You are Ann.") for text in second.adapter.texts("1"))


async def test_a_stop_that_comes_before_the_end_leaves_nothing_done(database: Database, tmp_path: Path) -> None:
    home = await naming(database, tmp_path)
    await home.hear("/name Ann")
    run = await begun(home)
    await home.hear("/stop")
    await home.app.worker._work(run)
    assert await names(home) == [""]
    assert await acts(home) == []


async def test_a_step_that_a_former_version_committed_is_not_done_again(database: Database, tmp_path: Path) -> None:
    home = await naming(database, tmp_path)
    await home.hear("/people remove tg:77")
    run = await begun(home)
    result = {"status": "removed", "person": "p000009", "name": "Bo", "address": "tg:77", "standing": "member"}
    content = {"success": True, "result": {**result, "undo": "u000001"}, "error": "", "code": "", "at": [0, 0]}
    step = Step(n=1, kind="call", state="done", call_id="c", tool="remove_person", content=json.dumps(content))
    await database.write(lambda tx: journal.write(tx, run.lane, run.run_id, step, 0))
    second = await build(database, tmp_path / "house", model=False)
    await second.app._take_up()
    await second.work()
    (answer,) = second.adapter.texts("1")
    assert "Bo" in answer
    assert labels(second) == ["Undo"]
    assert await acts(second) == []
