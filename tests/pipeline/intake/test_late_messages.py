"""What a platform hands over late: a message of a thread that comes after others which were written later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Sender
from tests.asking import TEA, ask, states
from tests.fakes import START, House
from tests.pipeline.intake.test_workspaces import ANN, ASIDE, BO, ROOT, tell, workspace

pytestmark = pytest.mark.databases("sqlite")

BOB = Sender(address=BO, name="Bo", handle="@bo", kin="full")
TO_BO: dict[str, Any] = {"mentioned": (BOB,)}


async def said(home: House, text: str, minute: int, where: dict[str, Any] = ASIDE, **fields: Any) -> str:
    """Let a message arrive that was written in that minute; return what it is answered, nothing where it is not."""
    before = len(home.adapter.sent)
    written = {"message_id": f"{minute}.2", "sent_at": START + minute * 60_000, "sender": ANN, "kin": "full"}
    await tell(home, text, **{**where, **written, **fields})
    return "\n".join(one.rpartition("\n")[2] for one in home.adapter.texts()[before:])


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house whose bot knows the channel."""
    made = await workspace(database, tmp_path)
    await said(made, "hello", 0, {**ROOT, "thread": "1.1"})
    made.clock.advance(600)
    return made


@pytest.mark.databases("sqlite", "postgres")
async def test_what_was_written_before_the_mention_is_not_for_the_bot(home: House) -> None:
    assert await said(home, "what is on?", 3, ROOT) == "heard: what is on?"
    assert await said(home, "shall we ask it?", 1) == ""
    assert await said(home, "and tomorrow?", 4) == "heard: and tomorrow?"
    assert await said(home, "or Bo, perhaps", 2) == ""


async def test_what_was_written_within_the_talk_is_answered_however_late_it_comes(home: House) -> None:
    assert await said(home, "what is on?", 1, ROOT) == "heard: what is on?"
    assert await said(home, "and on Sunday?", 3) == "heard: and on Sunday?"
    assert await said(home, "and on Saturday?", 2) == "heard: and on Saturday?"
    assert await said(home, "and on Friday?", 4, ROOT) == "heard: and on Friday?"


async def test_what_was_written_while_the_bot_spoke_with_somebody_else_is_not_for_it(home: House) -> None:
    assert await said(home, "what is on?", 1, ROOT) == "heard: what is on?"
    assert await said(home, "and for me?", 2, ROOT, sender=BO) == "heard: and for me?"
    assert await said(home, "thanks", 4, ROOT) == "heard: thanks"
    assert await said(home, "Bo, that is much", 3) == ""


async def test_words_for_others_from_before_the_mention_do_not_end_the_talk(home: House) -> None:
    assert await said(home, "what is on?", 3, ROOT) == "heard: what is on?"
    assert await said(home, "@bo do you know?", 1, **TO_BO) == ""
    assert await said(home, "and tomorrow?", 4) == "heard: and tomorrow?"
    assert await said(home, "@bo do you know?", 5, **TO_BO) == ""
    assert await said(home, "and on Sunday?", 6) == ""


async def test_what_was_written_before_a_question_is_no_answer_to_it(database: Database, tmp_path: Path) -> None:
    home = await workspace(database, tmp_path, ask(TEA), "Here it is.")
    home.clock.advance(600)
    await said(home, "bring me something", 10, ROOT)
    assert await states(home) == ["open"]
    assert await said(home, "coffee", 1) == ""
    assert await states(home) == ["open"]
    assert await home.column("SELECT text FROM inbox ORDER BY id") == ["bring me something"]
    await said(home, "tea", 11)
    assert await states(home) == ["answered"]


async def test_where_the_bot_reads_along_it_overhears_what_comes_late(home: House) -> None:
    await tell(home, "/readalong on", **{**ROOT, "thread": ""}, sender=ANN, kin="full")
    assert await said(home, "what is on?", 3, ROOT) == "heard: what is on?"
    assert await said(home, "shall we ask it?", 1) == ""
    assert "shall we ask it?" in str(await home.column("SELECT text FROM message WHERE aside = 1"))


async def test_a_press_has_the_time_of_our_clock_and_does_not_count_as_something_written(home: House) -> None:
    await said(home, "/todo tea", 1, ROOT)
    await said(home, "/todo", 2, ROOT)
    await home.press("☐ tea", sender=BO, chat="C1", thread="10.1", chat_kind="group")
    await home.work()
    assert await said(home, "and the cups?", 3, sender=BO) == "heard: and the cups?"
