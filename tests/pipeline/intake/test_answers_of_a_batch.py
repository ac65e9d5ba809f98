"""Of the messages of one batch, only what comes before the answer of a question is for the bot for its sake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from tests.asking import GROUP, NAME, ask, asked, states
from tests.fakes import FakeAdapter, House, house, inbound
from tests.pipeline.intake.test_hush import CHANNEL, OWNER, tell

TOPIC: dict[str, Any] = {**GROUP, "thread": "7"}
ASIDE: dict[str, Any] = {**TOPIC, "addressed": False}


def heard(home: House) -> list[list[str]]:
    """What the model was asked since it has asked back, by request."""
    assert home.model is not None
    return [list(request.heard) for request in home.model.requests[1:]]


async def come(home: House, *texts: str, **where: Any) -> None:
    """Let messages come in one batch."""
    keys = [f"u{next(home.keys)}" for _ in texts]
    batch = [inbound(text, key=key, sent_at=home.clock.now(), **where) for text, key in zip(texts, keys, strict=True)]
    await home.app.inbox.accept(home.tenant_id, batch)
    await home.work()


async def test_what_is_said_in_a_topic_behind_the_answer_is_not_for_the_bot(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "What?", **TOPIC)
    await come(home, "Ann", "lunch is ready", **ASIDE)
    assert await states(home) == ["answered"]
    assert heard(home) == [["Ann"]]
    assert await home.column("SELECT text FROM inbox WHERE text LIKE 'lunch%'") == []


async def test_where_it_reads_along_that_is_overheard(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "What?", **TOPIC)
    await home.hear("/readalong on", **TOPIC)
    await home.work()
    await come(home, "Ann", "lunch is ready", **ASIDE)
    assert heard(home) == [["Ann"]]
    assert await home.column("SELECT state FROM inbox WHERE text = 'lunch is ready'") == ["done"]


@pytest.mark.databases("sqlite")
async def test_what_speaks_to_the_bot_behind_the_answer_is_answered(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "Soon.", **TOPIC)
    await home.app.inbox.accept(
        home.tenant_id,
        [
            inbound("Ann", key="a", sent_at=home.clock.now(), **ASIDE),
            inbound("when is lunch?", key="b", sent_at=home.clock.now(), **TOPIC),
        ],
    )
    await home.work()
    assert [text for texts in heard(home) for text in texts] == ["Ann", "when is lunch?"]


async def come_as(home: House, *messages: tuple[str, dict[str, Any]]) -> None:
    """Let messages come in one batch, each with fields of its own in the topic."""
    batch = [
        inbound(text, **{"key": f"u{next(home.keys)}", "sent_at": home.clock.now(), **ASIDE, **fields})
        for text, fields in messages
    ]
    await home.app.inbox.accept(home.tenant_id, batch)
    await home.work()
    await home.later(5)


REDY, READY = ("lunch is redy", {"message_id": "b"}), ("lunch is ready", {"edits": "b", "message_id": "b"})


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    "behind",
    [
        [REDY, READY],
        [("our lunch", {"album": "x"}), ("", {"album": "x"}), ("", {"album": "x"})],
    ],
    ids=["edit", "album"],
)
async def test_nor_is_what_goes_on_with_that(
    database: Database, tmp_path: Path, behind: list[tuple[str, dict[str, Any]]]
) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "What?", **TOPIC)
    await come_as(home, ("Ann", {}), *behind)
    assert heard(home) == [["Ann"]]
    assert await home.column("SELECT text FROM inbox WHERE platform_id <> '' AND id > 1") == ["Ann"]


@pytest.mark.databases("sqlite")
async def test_an_edit_of_what_is_overheard_behind_the_answer_is_overheard(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "What?", **TOPIC)
    await home.hear("/readalong on", **TOPIC)
    await home.work()
    await come_as(home, ("Ann", {}), REDY, READY)
    assert heard(home) == [["Ann"]]
    assert await home.column("SELECT text FROM message WHERE text LIKE 'lunch%'") == ["lunch is ready"]


@pytest.mark.databases("sqlite")
async def test_the_parts_of_an_answer_belong_to_it_and_so_does_its_edit(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "What?", **TOPIC)
    await come_as(home, ("An", {"message_id": "a"}), ("Ann", {"edits": "a", "message_id": "a"}))
    assert await states(home) == ["answered"]
    assert heard(home) == [["Ann"]]


@pytest.mark.databases("sqlite")
async def test_an_edit_that_speaks_to_the_bot_does_so(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", "Soon.", **TOPIC)
    asks = ("when is lunch?", {"edits": "b", "message_id": "b", "addressed": True})
    await come_as(home, ("Ann", {}), REDY, asks)
    assert [text for texts in heard(home) for text in texts] == ["Ann", "when is lunch?"]


@pytest.mark.databases("sqlite")
async def test_what_is_said_in_the_thread_of_a_question_behind_the_answer_is_not_for_the_bot(
    database: Database, tmp_path: Path
) -> None:
    adapter = FakeAdapter("slack")
    home = await house(database, tmp_path / "h", ask(NAME), "Hello Ann.", "What?", adapter=adapter, owners=(OWNER,))
    await tell(home, "ask me", **CHANNEL)
    question = home.shown("C1")[-1].platform_id
    thread = {**CHANNEL, "thread": question, "reply_to": question, "addressed": False}
    await come(home, "Ann", "lunch is ready", **thread)
    assert await states(home) == ["answered"]
    assert heard(home) == [["Ann"]] or heard(home) == [[]]
