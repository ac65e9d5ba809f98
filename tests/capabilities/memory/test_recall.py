"""A run is told the few memories that matter, from where it may know them, and none where none does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.agents.fitting import weight
from core.agents.transcript import DATA, MEMORIES
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, LaneKey, ToolCall
from core.store.conversation import imports
from tests.commanding import said
from tests.fakes import FRIEND, OWNER, House, house

pytestmark = pytest.mark.databases("sqlite")

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family", "addressed": True}
OTHER: dict[str, Any] = {"chat": "-6", "chat_kind": "group", "title": "Work", "addressed": True}
MINE: dict[str, Any] = {"sender": FRIEND, "chat": "2"}


def told(home: House) -> list[dict[str, str]]:
    """The memories in the last request to the model."""
    assert home.model is not None
    messages = home.model.requests[-1].messages
    found = [one for one in messages if str(one["content"]).startswith(MEMORIES)]
    if not found:
        return []
    (block,) = found
    place = list(messages).index(block)
    assert block["role"] == "user"
    assert messages[place - 1]["content"] == DATA
    return [json.loads(line) for line in str(block["content"]).partition(": ")[2].splitlines()]


async def started(database: Database, tmp_path: Path) -> House:
    home = await house(database, tmp_path, lambda request: "I see.")
    for where in (GROUP, OTHER):
        await said(home, "/help", **where)
    return home


async def test_what_matters_is_told_with_its_date_and_the_rest_is_not(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    await said(home, "/remember I take my coffee black")
    await said(home, "/remember my sister is called Ida")
    home.clock.advance(31 * 86_400)
    await said(home, "which coffee should I order for the office, dear?")
    (memory,) = told(home)
    assert (memory["text"], memory["date"]) == ("I take my coffee black", "2026-09-21")
    assert memory["id"].startswith("m")
    await said(home, "how far is it to the moon, do you know?")
    assert told(home) == []
    await said(home, "I would like to know what time people like, do you know?")
    assert told(home) == []


async def test_what_was_corrected_is_told_no_more(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    await said(home, "remember that my dentist is Weber on Tuesday")
    await said(home, "no, my dentist is Klein on Thursday")
    await said(home, "when would my dentist have time, what do you think?")
    assert [one["text"] for one in told(home)] == ["my dentist is Klein on Thursday"]


async def test_chinese_memories_are_told_too(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    await said(home, "/remember 我对花生过敏")
    await said(home, "/remember 我妹妹住在柏林")
    await said(home, "这道菜里有花生吗，我能不能吃？")
    assert [one["text"] for one in told(home)] == ["我对花生过敏"]


async def test_a_group_is_told_its_own_memories_and_nobodys_private_ones(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    await said(home, "/remember my cake is a canary-private cake")
    await said(home, "/remember the cake of work is a canary-work cake", **OTHER)
    await said(home, "/remember the cake of the family is a plum cake", **GROUP)
    await said(home, "who brings a cake, what would you say?", **GROUP)
    assert [(one["text"], one["by"]) for one in told(home)] == [
        ("the cake of the family is a plum cake", "Name of tg:1")
    ]


async def test_in_private_also_what_somebody_said_in_their_groups_marked_with_these(
    database: Database, tmp_path: Path
) -> None:
    home = await started(database, tmp_path)
    await said(home, "/remember the cake of the family is a plum cake", **GROUP)
    await said(home, "/remember Bob's cake has canary-bob nuts", sender=FRIEND, **GROUP)
    await said(home, "what was it about the cake, do you know?")
    assert [(one["text"], one.get("group")) for one in told(home)] == [
        ("the cake of the family is a plum cake", "Family")
    ]
    await said(home, "what was it about the cake, do you know?", **MINE)
    assert [one["text"] for one in told(home)] == ["Bob's cake has canary-bob nuts"]
    home.adapter.absent.add(("-5", FRIEND))
    await said(home, "what was it about the cake, do you know?", **MINE)
    assert told(home) == []


@pytest.mark.databases("sqlite", "postgres")
async def test_memories_fit_into_six_hundred_tokens(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    for n in range(40):
        await said(home, f"/remember the recipe {n} of the otter dish {n} takes {n} spoons: " + "salt pepper " * 12)
    await said(home, "how would you cook the otter dish with spoons of salt, dear?")
    found = told(home)
    assert 1 < len(found) <= 8
    assert sum(weight(json.dumps(one, ensure_ascii=False)) for one in found) <= 600


@pytest.mark.databases("sqlite", "postgres")
async def test_of_a_long_memory_the_beginning_is_told_and_it_hides_no_other(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    await said(home, "/remember 花园计划：" + "番茄和黄瓜种在这里。" * 180)
    await said(home, "/remember 花园由伊达浇水")
    await said(home, "花园计划里番茄和黄瓜种在哪里，花园由谁浇水？")
    found = told(home)
    assert {one["text"][:5] for one in found} == {"花园计划：", "花园由伊达"}
    assert sum(weight(json.dumps(one, ensure_ascii=False)) for one in found) <= 600


async def test_what_others_said_in_a_group_is_told_nowhere_else(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    await said(home, "/remember", reply_to="77", quoted="Bob's cake has canary-bob nuts", **GROUP)
    await said(home, "what was it about the cake, do you know?")
    assert told(home) == []
    await said(home, "what was it about the cake, do you know?", **GROUP)
    assert [one["text"] for one in told(home)] == ["Bob's cake has canary-bob nuts"]


async def test_the_model_searches_memories_and_history_together(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    assert home.model is not None
    await said(home, "/remember the boiler is serviced by Brandt")
    await said(home, "the boiler made a strange noise last night, hm", sender=OWNER)
    home.clock.advance(3 * 86_400)
    home.model.forget()
    home.model.add(Answer(calls=(ToolCall(id="1", name="search", arguments={"query": "boiler"}),)), "Brandt.")
    await said(home, "so who should look at it now?")
    (step,) = await home.column("SELECT content FROM step WHERE tool = 'search'")
    hits = json.loads(step)["result"]["hits"]
    assert {one["source"][0] for one in hits} == {"m", "h"}
    assert any(one["text"] == "the boiler is serviced by Brandt" for one in hits)
    assert any("strange noise" in one["text"] and one["speaker"] == "Name of tg:1" for one in hits)
    home.model.add(
        Answer(calls=(ToolCall(id="1", name="search", arguments={"query": "boiler", "after": "2026-09-23"}),)), "Hm."
    )
    await said(home, "and since the day before yesterday, dear?")
    step = (await home.column("SELECT content FROM step WHERE tool = 'search' ORDER BY run_id"))[-1]
    assert json.loads(step)["result"]["hits"] == []
    home.model.add(Answer(calls=(ToolCall(id="1", name="search", arguments={"query": "x", "before": "soon"}),)), "Hm.")
    await said(home, "and before, what was there, dear?")
    step = (await home.column("SELECT content FROM step WHERE tool = 'search' ORDER BY run_id"))[-1]
    assert "no date" in json.loads(step)["error"]


def searching(query: str) -> Answer:
    return Answer(calls=(ToolCall(id="1", name="search", arguments={"query": query}),))


async def test_what_was_said_before_the_question_is_no_answer_to_it(database: Database, tmp_path: Path) -> None:
    home = await started(database, tmp_path)
    assert home.model is not None
    home.model.forget()
    home.model.add("It is evening there.", searching("unicorn"), "I found nothing.")
    await said(home, "is it evening in Tokyo now?")
    await said(home, "so what was it about the unicorn?")
    (step,) = await home.column("SELECT content FROM step WHERE tool = 'search'")
    assert json.loads(step)["result"]["hits"] == []


@pytest.mark.databases("sqlite", "postgres")
async def test_a_guest_finds_by_a_model_nothing_that_people_said_to_each_other(
    database: Database, tmp_path: Path
) -> None:
    home = await started(database, tmp_path)
    assert home.model is not None
    await said(home, "/readalong on", **GROUP)
    await said(home, "/todo bake the cake", **GROUP)
    await home.hear("the cake is a canary", **{**GROUP, "addressed": False})
    await home.work()
    for sender, finds in ((OWNER, True), ("tg:7", False)):
        home.model.add(searching("cake"), "Well.")
        await said(home, "so what is it about it?", **{**GROUP, "sender": sender})
        step = (await home.column("SELECT content FROM step WHERE tool = 'search' ORDER BY run_id"))[-1]
        assert ("canary" in step) is finds, step
        assert "bake the cake" in step


@pytest.mark.databases("sqlite", "postgres")
async def test_the_model_finds_what_was_brought_along_and_is_careful_with_it(
    database: Database, tmp_path: Path
) -> None:
    home = await started(database, tmp_path)
    assert home.model is not None
    await said(home, "/help")
    (scope,) = await home.rows(
        "SELECT l.id, l.scope_id, l.chat_id, l.tenant_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = '1'"
    )
    lane = LaneKey(
        tenant_id=scope["tenant_id"], scope_id=scope["scope_id"], chat_id=scope["chat_id"], lane_id=scope["id"]
    )
    line = imports.ImportedLine(
        source="chatgpt",
        session="s",
        title="Cuba",
        position=1,
        role="assistant",
        speaker="",
        text="The lighthouse of Gibara stands on the coast",
        said_at=1_700_000_000_000,
    )

    def bring(tx: Tx) -> None:
        job = imports.begin(tx, lane, 1, "digest", home.clock.now(), None)
        imports.add(tx, lane, 1, job, [line])
        imports.finish(tx, lane, job, home.clock.now())

    await home.db.write(bring)
    home.model.add(searching("lighthouse Gibara"), "On the coast.")
    await said(home, "so where does it stand, dear?")
    (step,) = await home.column("SELECT content FROM step WHERE tool = 'search'")
    result = json.loads(step)["result"]
    assert [(one["source"], one["speaker"]) for one in result["hits"]] == [("history/2023-11-14#chatgpt", "chatgpt")]
    assert result["tainted"] is True
