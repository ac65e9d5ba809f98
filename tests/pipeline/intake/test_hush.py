"""Hush: where the bot goes on answering in a thread, it stops until it is mentioned again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.conftest import DatabaseMaker
from tests.fakes import FakeAdapter, House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

OWNER, BO = "slack:T1:U1", "slack:T1:U2"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general", "converses": True, "sender": OWNER}
THREAD: dict[str, Any] = {**CHANNEL, "thread": "10.1"}
ASIDE: dict[str, Any] = {**THREAD, "addressed": False}
BOB = Sender(address="slack:T1:U3", name="Bob", handle="@bob", kin="full")
HUSHED = "🤫 Mention me when you need me."


async def make(database: Database, folder: Path, *, model: bool = True) -> House:
    """A house on a platform with threads, whose model says back what it heard; it was spoken to in a thread."""
    made = await build(
        database,
        folder / "house",
        *([lambda request: f"heard: {' / '.join(request.heard)}"] if model else []),
        model=model,
        adapter=FakeAdapter("slack"),
        owners=(OWNER,),
    )
    await tell(made, "one", **THREAD)
    return made


async def tell(house: House, text: str, **fields: Any) -> str:
    """Say something, and return what that is answered; nothing when it is not."""
    before = len(house.adapter.sent)
    await house.hear(text, **fields)
    await house.work()
    return "\n".join(house.adapter.texts()[before:])


@pytest.mark.databases("sqlite", "postgres")
async def test_after_hush_the_bot_answers_only_when_it_is_mentioned(database: Database, tmp_path: Path) -> None:
    house = await make(database, tmp_path)
    assert await tell(house, "two", **ASIDE) == "heard: two"
    assert await tell(house, "hush", **ASIDE) == HUSHED
    assert await house.column("SELECT attends FROM lane WHERE thread = '10.1'") == [None]
    assert await tell(house, "three", **ASIDE) == ""
    assert await tell(house, "four", **THREAD) == "heard: four"
    assert await tell(house, "five", **ASIDE) == "heard: five"


@pytest.mark.parametrize(
    "text",
    ["/hush", "Hush!", "be quiet", "Please be quiet.", "安静", "别说了。", "请安静", "shut up", "Stop answering"],
)
async def test_it_is_said_in_several_ways(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, text, **ASIDE if not text.startswith("/") else THREAD) in {
        HUSHED,
        "🤫 需要我的时候提到我就行。",
    }
    assert await tell(house, "two", **ASIDE) == ""


@pytest.mark.parametrize(
    "text", ["hush little baby", "be quiet about the party", "he said: be quiet", "安静的地方在哪里"]
)
async def test_other_sentences_are_for_the_model(make_database: DatabaseMaker, tmp_path: Path, text: str) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, text, **ASIDE) == f"heard: {text}"


async def test_anybody_in_the_thread_can_hush_it(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, "hush", **{**THREAD, "sender": BO, "kin": "full"}) == HUSHED
    assert await tell(house, "two", **ASIDE) == ""


async def test_who_is_not_answered_cannot_hush_by_a_word_in_passing(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, "hush", **{**ASIDE, "sender": BO, "kin": "full"}) == ""
    assert await tell(house, "two", **ASIDE) == "heard: two"


async def test_where_nothing_goes_on_there_is_nothing_to_hush(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert (await tell(house, "/hush", **CHANNEL)).startswith("There is nothing to hush")
    assert await tell(house, "/hush", chat="D1", sender=OWNER) == "That works in a group only."
    await tell(house, "/hush", **THREAD)
    assert (await tell(house, "/hush", **THREAD)).startswith("There is nothing to hush")


async def test_in_private_such_words_are_for_the_model(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, "be quiet", chat="D1", sender=OWNER) == "heard: be quiet"


async def test_it_works_without_a_model(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await make(await make_database("sqlite"), tmp_path, model=False)
    assert await tell(house, "be quiet", **ASIDE) == HUSHED
    assert await tell(house, "hello", **ASIDE) == ""


async def test_chinese_words_are_answered_in_chinese_whatever_the_profile_says(
    database: Database, tmp_path: Path
) -> None:
    house = await build(
        database, tmp_path / "house", model=False, adapter=FakeAdapter("slack"), owners=(OWNER,), language="auto"
    )
    assert (await tell(house, "明天上午9点提醒我开会", **THREAD)).endswith("小时47分钟后：开会")
    assert await tell(house, "安静", **ASIDE) == "🤫 需要我的时候提到我就行。"
    assert (await tell(house, "/time", **THREAD)).startswith("It is ")


@pytest.mark.parametrize(
    "text", ["remind @bob in 2 hours to send the slides", "Please remind me in 2 hours to call @bob"]
)
async def test_an_order_that_names_somebody_is_for_the_bot(database: Database, tmp_path: Path, text: str) -> None:
    house = await make(database, tmp_path)
    told = await tell(house, text, **ASIDE, mentioned=(BOB,))
    assert told.startswith("⏰")
    assert await tell(house, "two", **ASIDE) == "heard: two"


async def test_a_chinese_order_that_names_somebody_is_for_the_bot(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, "提醒@bob明天上午9点开会", **ASIDE, mentioned=(BOB,))
    assert await tell(house, "two", **ASIDE) == "heard: two"


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("@bob remind me in 2 hours to call", {}),
        ("@bob in 2 hours call Oma", {}),
        ("what does @bob think?", {}),
        ("mute @bob", {}),
        ("add @bob to the list", {}),
        ("done with @bob", {}),
        ("todo: ask @bob about slides", {}),
        ("remind @bob in 2 hours to send the slides", {"forwarded": True}),
    ],
)
async def test_what_is_said_to_somebody_else_ends_it(
    make_database: DatabaseMaker, tmp_path: Path, text: str, more: dict[str, Any]
) -> None:
    house = await make(await make_database("sqlite"), tmp_path)
    assert await tell(house, text, **ASIDE, mentioned=(BOB,), **more) == ""
    assert await tell(house, "two", **ASIDE) == ""
