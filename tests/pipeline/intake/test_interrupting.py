"""/stop passes the lane's lock, ends the run and says what had already happened; drops what waits; survives a crash."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, ToolCall, Usage
from core.store.conversation import lanes
from tests.fakes import FRIEND, OWNER, Crash, CrashingDatabase, House, house, inbound

pytestmark = pytest.mark.databases("sqlite")

DECIDE = Answer(calls=(ToolCall(id="c1", name="log_decision", arguments={"reasoning": "because"}),))
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}


class Slow:
    """A model that answers once with a call, and then never, unless it is told to."""

    def __init__(self) -> None:
        self.thinking, self.answer = asyncio.Event(), asyncio.Event()

    async def __call__(self, request: ModelRequest) -> Answer | str:
        if not any(message["role"] == "tool" for message in request.messages):
            return DECIDE
        self.thinking.set()
        await self.answer.wait()
        return "The long answer."


async def at_work(home: House, slow: Slow) -> asyncio.Task[None]:
    """The desk working on the first lane, up to where the model thinks; what comes of it is sent."""
    (lane_id,) = await home.column("SELECT id FROM lane ORDER BY id LIMIT 1")

    async def answer_and_send() -> None:
        await home.app.worker.answer(lane_id)
        await home.app.outbox.pump(await home.chat_of(lane_id))

    task = asyncio.ensure_future(answer_and_send())
    await asyncio.wait_for(slow.thinking.wait(), 10)
    return task


async def stop(home: House, **fields: Any) -> None:
    await home.hear("/stop", **fields)
    for lane_id in await home.column("SELECT id FROM lane WHERE stopped = 1"):
        await home.app.worker.stop(lane_id)


@pytest.mark.databases("sqlite", "postgres")
async def test_stop_ends_a_run_and_says_what_had_happened(database: Database, tmp_path: Path) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it")
    task = await at_work(home, slow)
    await stop(home)
    await asyncio.wait_for(task, 10)
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. By then I had noted a decision."]
    assert await home.column("SELECT state FROM run") == ["failed"]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done", "done"]
    assert await home.column("SELECT stopped FROM lane") == [0]


async def test_what_waits_behind_it_is_dropped_too(database: Database, tmp_path: Path) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it")
    task = await at_work(home, slow)
    await home.hear("and that")
    await stop(home)
    await asyncio.wait_for(task, 10)
    await home.work()
    assert len(home.adapter.texts()) == 1
    assert await home.column("SELECT error FROM inbox WHERE text = 'and that'") == ["stopped"]


async def test_with_nothing_to_stop_it_says_so(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    await home.hear("/stop")
    await home.work()
    assert home.adapter.texts() == ["There is nothing to stop."]


async def test_messages_that_wait_for_a_lane_are_dropped(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    await home.hear("one")
    await home.hear("two")
    await home.hear("/stop")
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. Left unanswered: 2."]


async def test_a_stop_while_the_answer_is_being_stored_wins(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")

    async def rule(request: ModelRequest) -> str:
        await home.hear("/stop")
        return "Too late."

    home.model.always(rule)  # type: ignore[union-attr]
    await home.hear("do it")
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. Nothing had been done yet."]


async def test_an_answer_that_came_too_late_for_a_stop_is_counted(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")

    async def rule(request: ModelRequest) -> Answer:
        await home.hear("/stop")
        return Answer(text="too late", usage=Usage(model="m", tokens_in=3, tokens_out=4))

    home.model.always(rule)  # type: ignore[union-attr]
    await home.hear("do it")
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. Nothing had been done yet."]
    assert await home.rows("SELECT calls, tokens_in, tokens_out FROM token_use") == [
        {"calls": 1, "tokens_in": 3, "tokens_out": 4}
    ]


async def test_what_was_read_before_a_stop_that_wins_is_journalled(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    look = ToolCall(id="c1", name="recall", arguments={"query": "whales"})

    async def rule(request: ModelRequest) -> Answer | str:
        if request.messages[-1]["role"] != "tool":
            return Answer(calls=(look,))
        await home.hear("/stop")
        return "Too late."

    home.model.always(rule)  # type: ignore[union-attr]
    await home.hear("tell me about whales")
    await home.work()
    assert home.adapter.texts()[-1].startswith("⏹ Stopped.")
    assert await home.column("SELECT tool FROM step WHERE kind = 'call'") == ["recall"]
    assert "recall" in await home.column("SELECT tool FROM ledger")


async def test_a_stop_outlives_a_crash(database: Database, tmp_path: Path) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it")
    task = await at_work(home, slow)
    await home.hear("/stop")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await database.write(lanes.take_over)
    second = await house(database, tmp_path / "house", clock=home.clock, adapter=home.adapter)
    await second.work()
    assert second.adapter.texts() == ["⏹ Stopped. By then I had noted a decision."]
    assert second.model is not None
    assert second.model.requests == []


async def test_what_a_stopped_run_had_done_is_said_in_words_and_once(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    noting = [ToolCall(id=f"c{n}", name="log_decision", arguments={"reasoning": f"item {n}"}) for n in (1, 2)]
    # What failed was not done.
    failing = ToolCall(id="c4", name="remember", arguments={"words": "none"})
    looking = ToolCall(id="c3", name="todo_list", arguments={})

    async def rule(request: ModelRequest) -> Answer:
        if request.messages[-1]["role"] == "tool":
            await home.hear("/stop")
        return Answer(calls=(*noting, failing, looking))

    home.model.always(rule)  # type: ignore[union-attr]
    await home.hear("do it")
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. By then I had noted a decision."]


async def test_in_a_group_only_the_principal_or_an_owner_stops_a_run(database: Database, tmp_path: Path) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it", **GROUP, sender=FRIEND)
    task = await at_work(home, slow)
    await stop(home, **GROUP, sender="tg:77")
    assert await home.column("SELECT stopped FROM lane") == [0]
    await stop(home, **GROUP, sender=OWNER)
    await asyncio.wait_for(task, 10)
    await home.work()
    texts = home.adapter.texts("-5")
    assert texts[-1] == "⏹ Stopped. By then I had noted a decision."
    assert "The long answer." not in texts


async def test_other_lanes_go_on(database: Database, tmp_path: Path) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it")
    task = await at_work(home, slow)
    await home.hear("/time", chat="2", sender=FRIEND)
    await stop(home)
    await asyncio.wait_for(task, 10)
    await home.work()
    assert len(home.adapter.texts("2")) == 1


async def test_questions_of_a_stopped_run_are_never_asked(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")

    async def rule(request: ModelRequest) -> Answer:
        await home.hear("/stop")
        return Answer(calls=(ToolCall(id="c1", name="ask_user", arguments={"question": "Sure?"}),))

    home.model.always(rule)  # type: ignore[union-attr]
    await home.hear("do it")
    await home.work()
    assert await home.column("SELECT state FROM question") == ["withdrawn"]
    assert home.adapter.texts() == ["⏹ Stopped. Nothing had been done yet."]


async def test_a_cancel_that_names_something_is_a_command_like_others(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "")
    for text in ("/stop now", "/cancel", "/cancel@bot  ", "/cancel s123456"):
        await home.hear(text)
    assert await home.column("SELECT text FROM inbox WHERE state = 'new'") == ["/cancel s123456"]


async def heard_at_once(home: House, *texts: str, **fields: Any) -> None:
    """One accepted batch."""
    now = home.clock.now()
    batch = [inbound(text, key=f"b{n}", **{"sent_at": now + n, **fields}) for n, text in enumerate(texts)]
    await home.app.inbox.accept(home.tenant_id, batch)


async def test_what_is_written_after_a_stop_is_done_when_both_come_in_one_batch(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", lambda request: f"heard: {' / '.join(request.heard)}")
    await heard_at_once(home, "one", "two", "/stop", "three", "/todo buy bread")
    await home.work()
    assert home.adapter.texts()[:2] == ["⏹ Stopped. Left unanswered: 2.", "heard: three"]
    assert await home.column("SELECT error FROM inbox ORDER BY id") == ["stopped", "stopped", "", "", ""]
    assert await home.column("SELECT content FROM todo") == ["buy bread"]


@pytest.mark.databases("sqlite", "postgres")
async def test_fifty_that_come_at_once_lose_nothing_but_what_stands_before_the_last_stop(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", lambda request: f"heard: {' / '.join(request.heard)}")
    texts = [f"m{n}" for n in range(50)]
    texts[10] = texts[30] = "/stop"
    await heard_at_once(home, *texts)
    await home.work()
    stopped = await home.column("SELECT text FROM inbox WHERE error = 'stopped' ORDER BY id")
    assert stopped == [text for text in texts[:30] if text != "/stop"]
    assert home.adapter.texts()[-1] == f"heard: {' / '.join(texts[31:])}"


async def test_an_open_run_is_stopped_and_what_comes_with_the_stop_but_after_it_is_answered(
    database: Database, tmp_path: Path
) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it")
    task = await at_work(home, slow)
    await heard_at_once(home, "and that", "/stop", "something else")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await database.write(lanes.take_over)
    again: dict[str, Any] = {"clock": home.clock, "adapter": home.adapter}
    second = await house(database, tmp_path / "house", lambda request: f"heard: {request.heard[-1]}", **again)
    await second.work()
    assert second.adapter.texts() == ["⏹ Stopped. By then I had noted a decision.", "heard: something else"]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_crash_between_a_stop_and_what_follows_it_loses_nothing(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    process = CrashingDatabase(database)
    home = await house(process, tmp_path / "house", lambda request: f"heard: {request.heard[-1]}")
    process.arm(commits, after=after)
    with pytest.raises(Crash):
        await heard_at_once(home, "one", "/stop", "two")
    again: dict[str, Any] = {"clock": home.clock, "adapter": home.adapter}
    home = await house(database, tmp_path / "house", lambda request: f"heard: {request.heard[-1]}", **again)
    # What was not acknowledged is delivered again, as a whole.
    await heard_at_once(home, "one", "/stop", "two")
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. Left unanswered: 1.", "heard: two"]


async def test_a_stop_that_is_delivered_late_leaves_what_was_written_after_it(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", lambda request: f"heard: {' / '.join(request.heard)}")
    now = home.clock.now()
    await home.hear("before", sent_at=now - 2_000)
    await home.hear("after", sent_at=now)
    await home.hear("/stop", sent_at=now - 1_000)
    await home.work()
    assert home.adapter.texts() == ["⏹ Stopped. Left unanswered: 1.", "heard: after"]


async def test_a_stop_that_is_delivered_late_leaves_a_run_about_what_was_written_after_it(
    database: Database, tmp_path: Path
) -> None:
    slow = Slow()
    home = await house(database, tmp_path / "house", slow)
    await home.hear("do it")
    task = await at_work(home, slow)
    await stop(home, sent_at=home.clock.now() - 1_000)
    slow.answer.set()
    await asyncio.wait_for(task, 10)
    await home.work()
    assert sorted(home.adapter.texts()) == ["The long answer.", "There is nothing to stop."]


async def test_an_answer_that_came_before_a_stop_goes_with_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    await home.hear("/remind call the dentist")
    await home.work()
    await heard_at_once(home, "tomorrow at 9", "/stop", "/todo buy bread")
    await home.work()
    assert await home.column("SELECT count(*) FROM trigger") == [0]
    assert await home.column("SELECT content FROM todo") == ["buy bread"]
