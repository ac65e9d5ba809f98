"""The desk: runs that end, fail, are interrupted and resumed; each message is answered once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar

import pytest

from core.agents.llm.scripted import Rule, Said
from core.kernel.errors import StorageAway, StorageError
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, ModelRequest, ToolCall, Usage
from core.pipeline.runs.worker import BACKOFF, FULL, PUT_OFF
from core.store.conversation import lanes
from tests.fakes import FRIEND, Crash, CrashingDatabase, FullDatabase, House, house

T = TypeVar("T")
DECIDE = Answer(calls=(ToolCall(id="c1", name="log_decision", arguments={"reasoning": "because"}),))


class FailingDatabase(CrashingDatabase):
    """A database that is away for some writes."""

    failures = 0

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        if self.failures:
            self.failures -= 1
            raise StorageError("away")
        return await super().write(fn, order=order)


class Maker:
    """Makes processes over one database."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder

    async def __call__(self, *script: Said | Rule, model: bool = True, **options: object) -> House:
        return await house(self.database, self.folder, *script, model=model, **options)  # type: ignore[arg-type]

    async def after_a_crash(self, old: House, *script: Said | Rule) -> House:
        """The next process: it takes up what the old one left."""
        await self.database.write(lanes.take_over)
        new = await house(self.database, self.folder, *script, clock=old.clock, adapter=old.adapter)
        await new.app.outbox.doubts.settle()
        return new


@pytest.fixture
def make(database: Database, tmp_path: Path) -> Maker:
    return Maker(database, tmp_path / "house")


async def runs(home: House) -> list[str]:
    return await home.column("SELECT state FROM run ORDER BY id")


async def inbox(home: House) -> list[str]:
    return await home.column("SELECT state FROM inbox ORDER BY id")


@pytest.mark.databases("sqlite")
async def test_messages_of_one_person_are_answered_together(make: Maker) -> None:
    home = await make(lambda request: f"re: {' + '.join(request.heard)}")
    await home.hear("one")
    await home.hear("two")
    await home.work()
    assert home.adapter.texts() == ["re: one + two"]
    assert (await runs(home), await inbox(home)) == (["done"], ["done", "done"])


async def test_the_ledger_tells_of_each_reply_what_it_took(make: Maker) -> None:
    home = await make(Answer(text="hi", usage=Usage(model="m", tokens_in=10, tokens_out=2)), "unused")
    await home.hear("hello")
    await home.work()
    (row,) = await home.rows("SELECT tool, role, model, tokens_in, tokens_out FROM ledger")
    assert row == {"tool": "reply", "role": "teller", "model": "m", "tokens_in": 10, "tokens_out": 2}


@pytest.mark.databases("sqlite")
async def test_a_message_that_arrives_during_a_run_is_answered_after_it(make: Maker) -> None:
    async def think(request: ModelRequest) -> str:
        if request.heard == ("one",):
            await home.hear("two")
        return f"re: {request.heard[-1]}"

    home = await make(think)
    await home.hear("one")
    await home.answer()
    assert home.adapter.texts() == ["re: one", "re: two"]


@pytest.mark.databases("sqlite")
async def test_a_run_that_fails_is_tried_again_after_a_pause(make: Maker) -> None:
    home = await make(RuntimeError("bug"), "better")
    await home.hear("one")
    await home.work()
    assert (home.adapter.texts(), await inbox(home)) == ([], ["taken"])
    await home.later(1)
    assert (home.adapter.texts(), await inbox(home)) == (["better"], ["done"])
    assert await runs(home) == ["done"]


async def test_after_three_tries_a_message_is_given_up_visibly_and_the_lane_goes_on(make: Maker) -> None:
    def think(request: ModelRequest) -> Said:
        return RuntimeError("bug") if request.heard == ("poison",) else f"re: {request.heard[-1]}"

    home = await make(think)
    await home.hear("owner was here", chat="1")
    await home.hear("poison", chat="2", sender=FRIEND)
    await home.work()
    await home.hear("/help", chat="2", sender=FRIEND)
    for _ in range(4):
        await home.later(10)
    notice, help_text = home.adapter.texts("2")
    assert notice.startswith("⚠️ I couldn't finish this one (ref m")
    assert help_text.startswith("I'm Teller")
    assert home.adapter.texts("1")[1].startswith("⚠️ I gave up on a message (ref m")
    assert await inbox(home) == ["done", "dead", "done"]
    assert await home.column("SELECT attempts FROM lane") == [0, 0]


async def test_a_stop_does_not_count_as_a_try_and_the_run_goes_on_later(make: Maker) -> None:
    begun = asyncio.Event()

    async def hang(request: ModelRequest) -> str:
        begun.set()
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    home = await make(hang, "done")
    await home.hear("one")
    (lane_id,) = await home.column("SELECT id FROM lane")
    task = asyncio.create_task(home.app.worker.answer(lane_id))
    await asyncio.wait_for(begun.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await home.rows("SELECT owner, attempts, pending FROM lane") == [
        {"owner": None, "attempts": 0, "pending": 1}
    ]
    await home.work()
    assert home.adapter.texts() == ["done"]


async def test_a_resumed_run_repeats_no_committed_step_and_asks_for_no_stored_answer(make: Maker) -> None:
    process = CrashingDatabase(make.database)
    home = await house(process, make.folder, DECIDE, "unused")
    await home.hear("one")
    process.arm(4, after=False)  # claim, answer, call, then the crash before the end of the run
    with pytest.raises(Crash):
        await home.work()
    new = await make.after_a_crash(home, "decided", "unused")
    await new.work()
    assert new.adapter.texts() == ["decided"]
    assert new.model is not None
    assert [message["role"] for message in new.model.requests[0].messages][-2:] == ["assistant", "tool"]
    assert await new.column("SELECT tool FROM ledger ORDER BY n") == ["log_decision", "reply"]
    assert await new.column("SELECT count(*) FROM run") == [1]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commit", range(1, 7))
async def test_a_crash_at_any_transaction_loses_nothing_and_answers_once(
    make: Maker, commit: int, *, after: bool
) -> None:
    process = CrashingDatabase(make.database)
    home = await house(process, make.folder, lambda request: DECIDE if len(request.messages) < 4 else "decided")
    await home.hear("one")
    process.arm(commit, after=after)
    try:
        await home.work()
    except Crash:
        process.dead = True
    new = await make.after_a_crash(home, lambda request: DECIDE if len(request.messages) < 4 else "decided")
    await new.later(1)
    first, *repeats = new.adapter.sent
    assert first.text == "decided"
    assert all(sent.repeated for sent in repeats)
    assert await new.column("SELECT count(*) FROM ledger WHERE tool = 'log_decision'") == [1]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commit", range(1, 9))
async def test_a_crash_while_a_model_has_no_words_does_nothing_twice_and_tells_once(
    make: Maker, commit: int, *, after: bool
) -> None:
    def wordless(request: ModelRequest) -> Answer:
        return DECIDE if len(request.messages) < 4 else Answer()

    process = CrashingDatabase(make.database)
    home = await house(process, make.folder, wordless)
    assert home.model is not None
    home.model.speechless = True
    await home.hear("one")
    process.arm(commit, after=after)
    try:
        await home.work()
    except Crash:
        process.dead = True
    new = await make.after_a_crash(home, wordless)
    assert new.model is not None
    new.model.speechless = True
    await new.later(1)
    first, *repeats = new.adapter.sent
    assert first.text == "The model gave no answer to that. But I have noted a decision."
    assert all(sent.repeated for sent in repeats)
    assert await new.column("SELECT count(*) FROM ledger WHERE tool = 'log_decision'") == [1]
    assert await new.column("SELECT kind FROM step ORDER BY n") == ["answer", "call", "answer", "answer"]
    assert await inbox(new) == ["done"]


async def test_a_process_that_lost_its_lease_answers_nothing(make: Maker) -> None:
    async def sleep_too_long(request: ModelRequest) -> str:
        await make.database.write(lambda tx: tx.run("UPDATE lane SET expires_at = 0"))
        await other.work()
        return "too late"

    home = await make(sleep_too_long, "unused")
    other = await house(make.database, make.folder, "in time", "unused", clock=home.clock, adapter=home.adapter)
    await home.hear("one")
    await home.work()
    assert home.adapter.texts() == ["in time"]
    assert await runs(home) == ["done"]


@pytest.mark.databases("sqlite")
async def test_a_lane_is_let_go_even_when_the_database_fails_for_a_moment(make: Maker) -> None:
    """Else its lease would be renewed until the next start, with nobody at work."""
    failing = FailingDatabase(make.database)

    def think(request: ModelRequest) -> Said:
        failing.failures = 3
        return "lost"

    home = await house(failing, make.folder, think)
    await home.hear("one")
    await home.answer()
    assert await home.column("SELECT owner FROM lane") == [None]
    assert home.model is not None
    home.model.always(lambda request: "found")
    await home.later(1)
    assert home.adapter.texts() == ["found"]


@pytest.mark.databases("sqlite")
async def test_a_message_is_not_given_up_because_the_disk_is_full(make: Maker) -> None:
    home = await house(FullDatabase(make.database, "finish_run", 5), make.folder, model=False)
    await home.hear("add milk to my list")
    await home.work()
    for _ in range(5):
        assert home.adapter.texts() == []
        await home.later(FULL)
    assert [text.splitlines()[0] for text in home.adapter.texts()] == ["☐ milk"]
    assert await home.column("SELECT attempts FROM lane") == [0]
    assert await home.column("SELECT count(*) FROM todo") == [1]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(("times", "states"), [(PUT_OFF, "done"), (99, "dead")])
async def test_a_message_whose_answer_takes_the_database_away_each_time_is_given_up(
    make: Maker, times: int, states: str
) -> None:
    home = await house(FullDatabase(make.database, "finish_run", times, StorageAway("gone")), make.folder, model=False)
    await home.hear("add milk to my list")
    for _ in range(PUT_OFF + 4):
        await home.work()
        await home.later(BACKOFF[-1])
    assert await inbox(home) == [states]
    assert len(home.adapter.texts()) == 1


async def test_a_command_needs_no_model_and_is_an_act_of_the_person(make: Maker) -> None:
    home = await make(model=False)
    await home.hear("/time Asia/Tokyo")
    await home.work()
    (text,) = home.adapter.texts()
    assert "(Tokyo)" in text
    assert await home.rows("SELECT DISTINCT role FROM ledger") == [{"role": "person"}]


@pytest.mark.databases("sqlite")
async def test_an_unknown_command_says_so(make: Maker) -> None:
    home = await make("unused", "unused")
    await home.hear("/dance now")
    await home.work()
    assert home.adapter.texts() == ["I don't know /dance. /help shows what works."]


async def test_parts_of_a_long_reply_are_sent_in_order(make: Maker) -> None:
    home = await make("one\ftwo\fthree", "unused")
    await home.hear("tell me")
    await home.work()
    assert home.adapter.texts() == ["one", "two", "three"]
    keys = await home.column("SELECT message_key FROM outbox ORDER BY id")
    assert [key.rpartition(":")[2] for key in keys] == ["0", "1", "2"]


@pytest.mark.databases("sqlite")
async def test_the_ledger_verifies_after_all_this(make: Maker) -> None:
    home = await make(lambda request: DECIDE if len(request.messages) < 4 else "decided")
    for text in ("one", "/help"):
        await home.hear(text)
    await home.work()
    await home.app.anchor()
    report = await home.db.read(home.app.ledger.verify)
    assert (report.problems, report.rows) == ([], 3)
