"""Second thoughts where a question is in play: edits, another try, a stop, the wish to be forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, LaneKey, ModelRequest, ToolCall
from core.store.conversation import dead_letters, questions
from core.store.people import chats
from tests.fakes import FRIEND, OWNER, House, house

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
ASIDE: dict[str, Any] = {**GROUP, "addressed": False}
NAME = {"question": "Your PIN?", "timeout": 60}
TEA = {"question": "Tea or coffee?", "options": ["Tea", "Coffee"], "timeout": 60}


def ask(arguments: dict[str, Any]) -> Answer:
    return Answer(calls=(ToolCall(id="c1", name="ask_user", arguments=arguments),))


def hearing(request: ModelRequest) -> str:
    return f"event {request.event}" if request.event else f"heard {' / '.join(request.heard)}"


def failing(request: ModelRequest) -> str:
    raise RuntimeError("a bug")


async def asked(database: Database, folder: Path, question: dict[str, Any], **where: Any) -> House:
    home = await house(database, folder / "house", ask(question))
    await home.hear("ask me", **where)
    await home.work()
    assert home.model is not None
    home.model.always(hearing)
    return home


async def give_up(home: House) -> None:
    """Let every try of the lane fail."""
    assert home.model is not None
    home.model.always(failing)
    for _ in range(5):
        await home.work()
        home.clock.advance(10)
    await home.work()
    home.model.always(hearing)


@pytest.mark.databases("sqlite")
async def test_an_edit_of_a_free_answer_nobody_has_worked_with_is_the_answer(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, NAME)
    await home.hear("4711", message_id="m1")
    await home.hear("4712", message_id="m1", edits="m1")
    await home.work()
    assert '"answer": "4712"' in home.adapter.texts()[-1]
    await home.hear("4713", message_id="m1", edits="m1")
    await home.work()
    assert await home.column("SELECT answer FROM question") == ["4712"]


@pytest.mark.databases("sqlite")
async def test_an_edit_of_a_message_that_chose_an_option_chooses_nothing_else(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, TEA)
    await home.hear("tea", message_id="m1")
    await home.hear("poison", message_id="m1", edits="m1")
    await home.work()
    assert await home.column("SELECT answer FROM question") == ["Tea"]


@pytest.mark.databases("sqlite")
async def test_an_edit_of_a_message_that_was_given_up_is_what_another_try_answers(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, TEA)
    await home.hear("/cancel")
    await home.hear("delete A", message_id="m1")
    await give_up(home)
    await home.hear("delete B", message_id="m1", edits="m1")
    await home.press("Try again")
    await home.work()
    assert home.adapter.texts()[-1] == "heard delete B"


@pytest.mark.parametrize("how", ["press", "text"])
async def test_the_end_of_a_question_that_was_given_up_can_be_tried_again(
    database: Database, tmp_path: Path, how: str
) -> None:
    home = await asked(database, tmp_path, TEA)
    await (home.press("Coffee") if how == "press" else home.hear("coffee"))
    await give_up(home)
    await home.press("Try again")
    await home.work()
    assert '"answer": "Coffee"' in home.adapter.texts()[-1]
    assert await home.column("SELECT count(*) FROM message WHERE role = 'event'") == [1]


@pytest.mark.databases("sqlite")
async def test_what_was_given_up_and_then_forgotten_is_not_tried_again(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, TEA)
    await home.press("Coffee")
    await give_up(home)
    (row_id,) = await home.column("SELECT id FROM inbox WHERE state = 'dead'")
    await home.hear("/forget yes")
    await home.work()
    assert await home.db.write(lambda tx: dead_letters.retry_inbox(tx, row_id)) is None


async def test_the_operator_who_drops_an_answer_drops_the_event_it_was(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, NAME)
    await home.hear("4711")
    await give_up(home)
    (row_id,) = await home.column("SELECT id FROM inbox WHERE state = 'dead'")
    assert await home.db.write(lambda tx: dead_letters.drop(tx, dead_letters.INBOX, row_id, home.clock.now()))
    assert await home.column("SELECT count(*) FROM message WHERE text LIKE '%4711%'") == [0]


async def test_forgetting_ones_own_words_in_a_group_takes_the_answers_to_questions_too(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, NAME, **GROUP)
    (question,) = [sent for sent in home.shown("-5") if "PIN" in sent.text]
    await home.hear("4711", **GROUP, reply_to=question.platform_id)
    await home.hear("keep mine", **GROUP, sender=FRIEND)
    await home.work()
    assert await home.column("SELECT count(*) FROM message WHERE role = 'event' AND text LIKE '%4711%'") == [1]
    await home.hear("/forget yes", **GROUP)
    await home.work()
    assert await home.column("SELECT text FROM message WHERE role <> 'assistant' ORDER BY id") == [
        "keep mine",
        "/forget yes",
    ]


async def test_a_stop_withdraws_what_a_run_that_waits_for_the_model_was_about_to_ask(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house")
    said: list[ModelRequest] = []

    def silent(request: ModelRequest) -> Answer:
        said.append(request)
        if len(said) == 1:
            arguments = {"decision": "tea", "reason": "taste"}
            return Answer(calls=(ToolCall(id="c1", name="log_decision", arguments=arguments),))
        raise ModelUnreachable("no answer")

    assert home.model is not None
    home.model.always(silent)
    await home.hear("ask me")
    await home.work()

    def note(tx: Tx) -> None:
        row = tx.one("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
        run = tx.one("SELECT id, person_id FROM run WHERE ended_at IS NULL")
        assert row is not None
        assert run is not None
        lane = LaneKey(**{name: row[name] for name in ("tenant_id", "scope_id", "chat_id", "lane_id")})
        questions.insert(tx, lane, run["id"], run["person_id"], "Tea?", options=(), default=None, timeout_s=60, now=0)

    await home.db.write(note)
    await home.hear("/stop")
    await home.work()
    assert await home.column("SELECT state FROM question") == ["withdrawn"]


async def test_an_edit_corrects_what_was_overheard(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", hearing)
    await home.hear("hello", **GROUP, sender=OWNER)
    await home.work()
    (lane,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    await home.db.write(lambda tx: chats.read_along(tx, LaneKey(**lane), on=True))
    await home.hear("my PIN is 4711", **ASIDE, message_id="m1")
    await home.hear("oops", **ASIDE, message_id="m1", edits="m1")
    assert await home.column("SELECT text FROM message WHERE aside = 1") == ["oops"]
