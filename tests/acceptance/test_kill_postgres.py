"""kill -9 with a Postgres database: the same promise."""

from __future__ import annotations

import json
from collections.abc import Iterator

import psycopg
import pytest

from tests.acceptance.harness import MARK, OWNER, Bot, texts
from tests.acceptance.oracle import Verdict, judge, word
from tests.acceptance.playing import AHEAD
from tests.acceptance.test_export import CONVERSATIONS
from tests.acceptance.test_tasks_kill import ASK, FOUND, works
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer
from tests.postgres_server import PostgresServer

# How often the model is asked, how many doubles there are, and whether there is a mark.
POINTS = {
    "before:accept": (2, 0, False),
    "after:claim_lane": (2, 0, False),
    "before:commit_answer": (3, 0, False),
    "after:write": (2, 0, False),
    "before:finish_run": (3, 0, False),
    "before:post_sent": (2, 1, True),
}


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh database of a real server."""
    made = postgres_server.create()
    yield made
    postgres_server.drop(made)


def decide_first(request: ChatRequest) -> Answer | None:
    """Call a tool that writes, then repeat what was heard."""
    decided = request.messages[-1]["role"] == "tool"
    return None if decided else Answer(calls=(Call("log_decision", {"reasoning": "because"}),))


@pytest.mark.parametrize("failpoint", POINTS)
async def test_nothing_is_lost_on_postgres_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, url: str, failpoint: str
) -> None:
    asked, doubles, marked = POINTS[failpoint]
    bot.module = ["tests.killable"]
    bot.settings["DATABASE__URL"] = url
    llm.reply_with(decide_first)
    telegram.say(word(OWNER, 1))
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -9, bot.output
    await bot.start()
    await telegram.wait_sent(1 + doubles)
    await bot.stop()
    assert judge(bot, {OWNER: [word(OWNER, 1)]}) == Verdict(answered=1, doubles=doubles)
    assert any(text.startswith(MARK) for text in texts(telegram)) == marked
    assert len(llm.requests) == asked
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT state FROM inbox").fetchall() == [("done",)]
        assert conn.execute("SELECT state FROM outbox").fetchall() == [("sent",)]
        assert conn.execute("SELECT tool FROM ledger ORDER BY n").fetchall() == [("log_decision",), ("reply",)]


@pytest.mark.parametrize(
    "failpoint", ["after:claim_task", "before:end_pass", "after:end_pass:read offer B", "before:read_inputs"]
)
async def test_work_in_the_background_is_done_once_on_postgres_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, url: str, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    bot.settings["DATABASE__URL"] = url
    llm.reply_with(works)
    telegram.say(ASK)
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -9, bot.output
    await bot.start()
    await bot.until(lambda: any(FOUND in text for text in texts(telegram)))
    await bot.stop()
    assert sum(FOUND in text for text in texts(telegram)) == 1
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT state FROM task").fetchall() == [("done",)] * 3
        assert conn.execute("SELECT count(*) FROM todo").fetchall() == [(1,)]
        assert conn.execute("SELECT count(*) FROM run WHERE ended_at IS NULL").fetchall() == [(0,)]


async def test_an_import_is_finished_on_postgres_too(plain: Bot, telegram: TelegramServer, url: str) -> None:
    plain.module = list(AHEAD)
    plain.settings["DATABASE__URL"] = url
    await plain.start()
    file = json.dumps(CONVERSATIONS).encode()
    telegram.send_media("document", OWNER, OWNER, data=file, caption="/import", file_name="conversations.json")
    await plain.until(lambda: any("1200 lines" in text for text in plain.told(OWNER)))
    await plain.stop()
    telegram.press(next(one for one in telegram.sent() if "1200 lines" in one.text), "Import")
    await plain.launch(failpoint="after:commit_action")
    assert await plain.wait(30) == -9, plain.output
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT state FROM import_job").fetchall() == [("staging",)]
    await plain.start()
    await plain.until(lambda: any("Imported from conversations.json: 1200" in text for text in plain.told(OWNER)))
    await plain.stop()
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT state FROM import_job").fetchall() == [("done",)]
        assert conn.execute("SELECT count(*) FROM imported_line").fetchone() == (1200,)
        assert conn.execute("SELECT count(*) FROM document WHERE kind = 'imported'").fetchone() == (1200,)
