"""Free text is read before the transactions that take a message in and claim its lane: no grammar holds up a writer."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Hashable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

from core import language
from core.kernel.ports import Database, Tx
from core.kernel.types import Sender
from tests.commanding import said
from tests.fakes import FRIEND, CrashingDatabase, House, house

pytestmark = pytest.mark.databases("sqlite")

T = TypeVar("T")
GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
# In a thread the bot goes on with whom it spoke, without being addressed.
TALK: dict[str, Any] = {**GROUP, "thread": "9", "addressed": False, "converses": True}
BOB = Sender(address="tg:8", name="Bob", handle="bob")
LANGUAGE = Path(language.__file__).parent
# What only finds a text by its name and fills it in is no grammar.
TEXTS = Path(language.__file__)


class Watched(CrashingDatabase):
    """A database that notes which functions that read text run inside of accepting and claiming."""

    def __init__(self, inner: Database) -> None:
        super().__init__(inner)
        self.ran: set[str] = set()
        self.seen: set[str] = set()

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        if fn.__name__ not in {"accept", "claim_lane"}:
            return await super().write(fn, order=order)

        def watched(tx: Tx) -> T:
            self.seen.add(fn.__name__)
            sys.setprofile(self._note)
            try:
                return fn(tx)
            finally:
                sys.setprofile(None)

        return await super().write(watched, order=order)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        where = Path(frame.f_code.co_filename)
        if event == "call" and where.is_relative_to(LANGUAGE) and where != TEXTS:
            self.ran.add(f"{where.relative_to(LANGUAGE)}: {frame.f_code.co_qualname}")


async def watched(database: Database, folder: Path) -> tuple[House, Watched]:
    """A house to which the owner has said hello, and whose transactions are watched."""
    process = Watched(database)
    home = await house(process, folder / "house", lambda request: "heard")
    await said(home, "hello")
    assert process.seen == {"accept", "claim_lane"}
    return home, process


async def test_a_plain_message_is_read_before(database: Database, tmp_path: Path) -> None:
    home, process = await watched(database, tmp_path)
    await said(home, "how far is the moon?")
    assert "16:00" in await said(home, "remind me to call Oma tomorrow at 16:00")
    assert "done" not in await said(home, "never mind")
    assert process.ran == set()


async def test_an_answer_is_read_before(database: Database, tmp_path: Path) -> None:
    home, process = await watched(database, tmp_path)
    await said(home, "/remind call Oma")
    await said(home, "how are you?")
    assert "call Oma" in await said(home, "tomorrow at 9")
    await said(home, "/todo milk")
    await said(home, "/todo edit milk")
    assert "oat milk" in await said(home, "oat milk")
    await said(home, "/timezone")
    assert "Europe/Madrid" in await said(home, "Madrid")
    assert await home.column("SELECT state FROM question") == ["answered"] * 3
    assert process.ran == set()


async def test_an_answer_in_a_group_is_read_before(database: Database, tmp_path: Path) -> None:
    home, process = await watched(database, tmp_path)
    await said(home, "hello", **GROUP)
    await said(home, "/remind tea", **{**TALK, "addressed": True})
    await said(home, "lovely weather", **TALK)
    assert "tea" in await said(home, "at 9", **TALK)
    await said(home, "/todo milk", **GROUP, sender=FRIEND)
    await said(home, "/todo edit milk", **GROUP, sender=FRIEND)
    question = home.shown("-5")[-1].platform_id
    told = await said(home, "oat milk", **GROUP, sender="tg:77", reply_to=question)
    assert told == "This question is for somebody else."
    assert await home.column("SELECT state FROM question ORDER BY id") == ["answered", "open"]
    assert process.ran == set()


async def test_talk_in_a_thread_of_a_group_is_read_before(database: Database, tmp_path: Path) -> None:
    home, process = await watched(database, tmp_path)
    await said(home, "hello", **GROUP)
    assert await said(home, "hello", **{**TALK, "addressed": True})
    assert await said(home, "remind @bob tomorrow at 5 to call", **TALK, mentioned=(BOB,))
    assert await said(home, "@bob lunch?", **TALK, mentioned=(BOB,)) == ""
    assert await said(home, "and dinner?", **TALK) == ""
    assert process.ran == set()


async def test_an_answer_to_a_reminder_in_its_thread_is_read_before(database: Database, tmp_path: Path) -> None:
    home, process = await watched(database, tmp_path)
    await said(home, "hello", **GROUP)
    await said(home, "remind me in 5 minutes to stretch", **{**TALK, "addressed": True})
    await said(home, "/hush", **{**TALK, "addressed": True})
    home.clock.advance(301)
    await home.sweep()
    assert "stretch" in home.shown("-5")[-1].text
    await said(home, "done", **TALK)
    assert await home.column("SELECT state FROM reminder") == ["done"]
    assert process.ran == set()


async def test_a_message_is_read_as_an_answer_only_where_a_question_is_open(database: Database, tmp_path: Path) -> None:
    home, process = await watched(database, tmp_path)
    read: list[str] = []

    def is_place(text: str) -> bool:
        read.append(text)
        return False

    home.app.inbox._answers._is_place = is_place
    await said(home, "how far is the moon?")
    await said(home, "hello", **GROUP)
    await said(home, "/remind call Oma")
    assert read == []
    assert "call Oma" in await said(home, "tomorrow at 9")
    assert read == ["tomorrow at 9"]
    assert process.ran == set()


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_read_anew_is_not_overtaken_in_its_chat(database: Database, tmp_path: Path) -> None:
    home, _ = await watched(database, tmp_path)
    await said(home, "/remind call Oma")
    texts = ["how far is the moon?", "/time", "and the sun?"]
    await asyncio.gather(*(home.hear(text) for text in texts))
    assert (await home.column("SELECT text FROM inbox ORDER BY id"))[-3:] == texts
