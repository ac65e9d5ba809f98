"""Drafts through the whole house: from the model that writes to the chat that reads."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Database
from core.kernel.types import Destination, ModelRequest
from tests.conftest import DatabaseMaker
from tests.fakes import FakeAdapter, house


class Reader(FakeAdapter):
    """A platform that tells when it has shown a draft or a mark."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = asyncio.Event()

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        able = await super().draft(to, draft_id, text)
        self.shown.set()
        return able

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        await super().mark(to, message_id, working=working)
        self.shown.set()


@pytest.fixture
async def db(make_database: DatabaseMaker) -> Database:
    """A database."""
    return await make_database("sqlite")


async def test_what_the_model_writes_is_shown_and_then_said(db: Database, tmp_path: Path) -> None:
    reader = Reader()

    async def write(request: ModelRequest) -> str:
        assert request.listen is not None
        request.listen("Once upon")
        await asyncio.wait_for(reader.shown.wait(), 10)
        return "Once upon a time"

    home = await house(db, tmp_path / "house", write, adapter=reader)
    await home.hear("a story, please")
    await home.work()
    (run_id,) = await home.column("SELECT id FROM run")
    assert [(to.chat, draft_id, text) for to, draft_id, text in reader.drafts] == [("1", run_id, "Once upon")]
    assert reader.texts() == ["Once upon a time"]


async def test_a_draft_shows_where_a_link_leads_as_the_answer_does(db: Database, tmp_path: Path) -> None:
    reader = Reader()
    link = "[your bank](https://evil.example/?k=214) and ![](https://evil.example/i.png?k=214)"

    async def write(request: ModelRequest) -> str:
        assert request.listen is not None
        request.listen(link)
        await asyncio.wait_for(reader.shown.wait(), 10)
        return link

    home = await house(db, tmp_path / "house", write, adapter=reader)
    await home.hear("a story, please")
    await home.work()
    assert "[your bank (evil.example)](" in reader.texts()[0]
    assert [text for _, _, text in reader.drafts] == reader.texts()


async def test_in_a_group_nobody_listens_and_the_message_is_marked(db: Database, tmp_path: Path) -> None:
    reader = Reader()

    async def write(request: ModelRequest) -> str:
        assert request.listen is None
        await asyncio.wait_for(reader.shown.wait(), 10)
        return "A story"

    home = await house(db, tmp_path / "house", write, adapter=reader)
    key = await home.hear("Teller, a story, please", chat="-5", chat_kind="group")
    await home.work()
    await home.app.progress.finish(10)
    assert [(message, working) for _, message, working in reader.marks] == [(key, True), (key, False)]
    assert reader.drafts == []
    assert reader.texts()[-1] == "A story"


async def test_where_drafts_cannot_be_shown_the_next_answer_is_not_streamed(db: Database, tmp_path: Path) -> None:
    reader, listened = Reader(), []
    reader.drafting = False

    async def write(request: ModelRequest) -> str:
        listened.append(request.listen is not None)
        await asyncio.wait_for(reader.shown.wait(), 10)
        return "A story"

    home = await house(db, tmp_path / "house", write, adapter=reader)
    for _ in range(2):
        await home.hear("a story, please")
        await home.work()
    assert listened == [True, False]


async def test_an_outage_after_a_draft_is_told_in_a_message(db: Database, tmp_path: Path) -> None:
    reader = Reader()

    async def write(request: ModelRequest) -> str:
        await asyncio.wait_for(reader.shown.wait(), 10)
        raise ModelUnreachable("gone")

    home = await house(db, tmp_path / "house", write, adapter=reader)
    await home.hear("a story, please")
    await home.answer()
    assert [text for _, _, text in reader.drafts] == [""]
    assert reader.texts() == ["The model is unreachable. I keep your question and answer when it is back."]
