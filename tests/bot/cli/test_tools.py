"""The operator lists the tools and calls one by hand: by the door of the models, while the bot runs and while not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import tools
from bot.cli.operations import House, perform
from core.kernel.errors import TellerError
from core.kernel.ports import Database
from core.kernel.types import Role
from core.toolkit.tool import Registry
from tests.fakes import house as built
from tests.operating import StillClock, house, start, teller

SOURCE = """
from teller_tools import tool

@tool
def switch(on: bool) -> str:
    \"\"\"Switch the light.\"\"\"
    return "on" if on else "off"
"""


def write(data: Path, name: str, source: str) -> None:
    (data / "tools").mkdir(parents=True, exist_ok=True)
    (data / "tools" / name).write_text(source)


@pytest.fixture
def operator(database: Database, tmp_path: Path) -> House:
    write(tmp_path / "data", "light.py", SOURCE)
    return house(database, tmp_path / "data", StillClock())


async def test_a_call_is_checked_limited_and_written_into_the_ledger(operator: House) -> None:
    done = await perform(operator, "tool.run", {"name": "switch", "arguments": {"on": "yes"}})
    told = (done["tool_name"], done["success"], done["result"], done["error"])
    assert told == ("switch", True, {"result": "on", "tainted": True}, "")
    failed = await perform(operator, "tool.run", {"name": "switch", "arguments": {}})
    assert (failed["success"], failed["error"]) == (False, "Parameter validation failed: on is required")
    rows = await operator.db.read(lambda tx: tx.all("SELECT tool, phase, role, success FROM ledger ORDER BY n"))
    assert [tuple(row[name] for name in ("tool", "phase", "role", "success")) for row in rows] == [
        ("switch", "planned", "worker", 1),
        ("switch", "outcome", "worker", 1),
        ("switch", "outcome", "worker", 0),
    ]
    # What the house knows is told.
    state = await perform(operator, "tool.run", {"name": "query_state", "arguments": {"state_name": "health"}})
    assert state["result"]["ok"]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({"name": "nothing", "arguments": {}}, "There is no tool 'nothing'"),
        ({"name": "reply", "arguments": {"text": "x"}}, "for a model that talks with somebody"),
        ({"name": "log_decision", "arguments": {"reasoning": "x"}}, "belongs to a chat"),
        ({"name": "switch", "arguments": []}, "must be an object"),
    ],
)
async def test_what_cannot_be_called_is_refused_in_a_sentence(
    operator: House, args: dict[str, object], why: str
) -> None:
    with pytest.raises(TellerError, match=why):
        await perform(operator, "tool.run", args)


async def test_one_is_called_at_a_time_and_one_that_was_killed_is_taken_up_by_nobody(
    database: Database, tmp_path: Path
) -> None:
    home = await built(database, tmp_path, model=False)
    operator = house(database, tmp_path)
    echo = home.app.container.get(Registry).get("echo")
    assert echo is not None
    await database.write(lambda tx: tools._context(tx, home.app, echo, Role.WORKER))
    call = {"name": "echo", "arguments": {"value": "x"}}
    with pytest.raises(TellerError, match="called by hand at the moment"):
        await perform(operator, "tool.run", call)
    # It was killed: the next start ends its lease, and finds nothing to do for it.
    await home.app._take_up()
    await home.work()
    assert home.adapter.sent == []
    assert await home.column("SELECT count(*) FROM lane WHERE pending = 1 OR owner IS NOT NULL") == [0]
    assert (await perform(operator, "tool.run", call))["result"] == "x"


def test_the_commands_work_on_a_running_bot_and_without_one(tmp_path: Path) -> None:
    write(tmp_path, "light.py", SOURCE)
    write(tmp_path, "broken.py", "import nothing_of_this_name")
    with start(tmp_path) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        bot.stdin.write("echo ready\n")
        bot.stdin.flush()
        assert bot.stdout.readline() == "teller> ready\n"
        running = teller(tmp_path, "tool", "run", "switch", '{"on": true}')
        listed = teller(tmp_path, "tool", "list").stdout
        bot.kill()
    alone = teller(tmp_path, "tool", "run", "switch", '{"on": false}')
    assert [json.loads(done.stdout)["result"]["result"] for done in (running, alone)] == ["on", "off"]
    for text in (listed, teller(tmp_path, "tool", "list").stdout):
        assert "switch  custom, outward, from light.py  Switch the light.\n" in text
        assert "! broken.py: it failed to load (ModuleNotFoundError" in text
    assert "a tool of your own was not loaded: broken.py" in (tmp_path / "teller.log").read_text()
    failed = teller(tmp_path, "tool", "run", "switch")
    assert (failed.returncode, json.loads(failed.stdout)["error"]) == (1, "Parameter validation failed: on is required")
    assert teller(tmp_path, "tool", "run", "switch", "{on").stderr.startswith("teller: ARGUMENTS: Broken JSON")
    doctor = json.loads(teller(tmp_path, "doctor", "--json").stdout)["checks"]
    found = [(one["state"], one["text"]) for one in doctor if one["check"] == "own tools"]
    assert [(state, text.partition(":")[0]) for state, text in found] == [("warning", "broken.py"), ("ok", "switch")]
