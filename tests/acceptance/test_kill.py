"""kill -9 at every named point: nothing is lost, order stays, and what may be a repeat says so."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.acceptance.harness import GAVE_UP, MARK, OWNER, Bot, texts
from tests.acceptance.oracle import Verdict, judge, word
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

FRIEND = 1002
POINTS = [
    *(
        f"{when}:{where}"
        for where in ("accept", "claim_lane", "commit_answer", "write", "finish_run", "post_sent", "send", "model")
        for when in ("before", "after")
    ),
]
# How often the model is asked for two answers when the process dies there once; elsewhere it is asked twice.
ASKED = {"after:model": 3, "before:commit_answer": 3, "before:finish_run": 3}
# Where bytes may have left before the end, as far as the next process can know.
DOUBTFUL = {"after:finish_run", "before:send", "after:send", "before:post_sent"}
ARRIVED = {"after:send", "before:post_sent"}


@pytest.fixture
def killable(bot: Bot, llm: OpenAIServer) -> Bot:
    """A bot that dies at its failpoint; its model calls a tool that writes before it answers."""
    bot.module = ["tests.killable"]
    llm.reply_with(decide_first)
    return bot


def decide_first(request: ChatRequest) -> str | Answer | None:
    """Call `log_decision` once in each run, then repeat what was heard."""
    if request.messages[-1]["role"] == "tool":
        return f"Decided: {request.last_user_text}"
    return Answer(calls=(Call("log_decision", {"reasoning": "because"}),))


async def die(bot: Bot, failpoint: str) -> None:
    """Let the process run into its failpoint."""
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -9, bot.output


@pytest.mark.parametrize("failpoint", POINTS)
async def test_nothing_is_lost_at(killable: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str) -> None:
    telegram.say(word(OWNER, 1))
    await die(killable, failpoint)
    telegram.say(word(OWNER, 2))
    await killable.start()
    await killable.until(lambda: any(word(OWNER, 2) in text for text in texts(telegram)))
    # An answer may be quicker than the next poll, which confirms what it answers.
    await killable.until(lambda: telegram.pending() == 0)
    await killable.stop()
    verdict = judge(killable, {OWNER: [word(OWNER, 1), word(OWNER, 2)]})
    assert verdict.kept, verdict
    assert verdict.given_up == 0
    assert verdict.doubles == (failpoint in ARRIVED)
    assert [text.startswith(MARK) for text in texts(telegram)].count(True) == (failpoint in DOUBTFUL)
    runs = killable.value("SELECT count(*) FROM run")
    assert len(llm.requests) == 2 * (runs - 1) + ASKED.get(failpoint, 2)
    # The tool's effect is committed once a run, whatever died.
    assert Counter(row["tool"] for row in killable.rows("SELECT tool FROM ledger")) == {
        "log_decision": runs,
        "reply": runs,
    }
    assert killable.value("SELECT count(*) FROM inbox WHERE state != 'done'") == 0
    assert killable.value("SELECT count(*) FROM outbox WHERE state != 'sent'") == 0
    # A call whose answer the dead process did not count is counted, also one that it was only about to make.
    early = failpoint in {"after:claim_lane", "after:write", "before:model"}
    assert killable.value("SELECT sum(calls) FROM token_use") == len(llm.requests) + early


def look_first(request: ChatRequest) -> str | Answer | None:
    """Look at the clock, then write, then look again before the answer."""
    match [message["role"] for message in request.messages].count("tool"):
        case 0:
            return Answer(calls=(Call("current_time", {}),))
        case 1:
            return Answer(calls=(Call("log_decision", {"reasoning": "because"}),))
        case 2:
            return Answer(calls=(Call("current_time", {"timezone": "UTC"}),))
    return f"Looked: {request.last_user_text}"


@pytest.mark.parametrize("failpoint", ["before:commit_answer:log_decision", "before:write", "before:finish_run"])
async def test_what_was_only_looked_at_is_looked_at_again_and_journalled_once(
    killable: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    llm.reply_with(look_first)
    telegram.say(word(OWNER, 1))
    await die(killable, failpoint)
    await killable.start()
    await telegram.wait_sent(1)
    await killable.stop()
    assert [row["tool"] for row in killable.rows("SELECT tool FROM ledger ORDER BY n")] == [
        "current_time",
        "log_decision",
        "current_time",
        "reply",
    ]
    steps = killable.rows("SELECT n, kind, state FROM step ORDER BY n")
    assert [row["n"] for row in steps] == list(range(1, 8))
    assert {row["state"] for row in steps} == {"done"}


@pytest.mark.parametrize("failpoint", ["before:claim_post", "after:claim_post"])
async def test_nothing_is_lost_when_a_send_that_had_to_wait_is_taken_up(
    killable: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    telegram.fault(method="sendMessage", kind="429", retry_after=1)
    telegram.say(word(OWNER, 1))
    await die(killable, failpoint)
    await killable.start()
    await telegram.wait_sent(1)
    await killable.stop()
    assert judge(killable, {OWNER: [word(OWNER, 1)]}) == Verdict(answered=1)
    assert texts(telegram)[0].startswith(MARK) == (failpoint == "after:claim_post")
    assert len(llm.requests) == 2


async def test_the_second_part_may_be_doubtful_while_the_first_is_not(
    killable: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.reply_with(lambda request: "first " * 600 + "\n\n" + "second " * 500)
    telegram.say("Long, please.")
    await die(killable, "after:send:second second second second")
    await killable.start()
    await telegram.wait_sent(3)
    marked = [text.startswith(MARK) for text in texts(telegram)]
    assert marked == [False, False, True]
    assert len(llm.requests) == 1


async def test_a_message_that_kills_the_process_is_given_up_while_the_rest_goes_on(
    killable: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    killable.settings |= {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": f'["tg:{FRIEND}"]'}
    await killable.start()
    telegram.say(word(OWNER, 0))
    await telegram.wait_sent(1, chat=OWNER)
    await killable.stop()
    telegram.say("poison", user=FRIEND)
    for n in (1, 2, 3):
        telegram.say(word(OWNER, n))
        await die(killable, "before:model:poison")
    telegram.say(word(OWNER, 4))
    await killable.launch(failpoint="before:model:poison")
    await killable.until(lambda: bool(texts(telegram, FRIEND)))
    telegram.say("I am well again.", user=FRIEND)
    await killable.until(lambda: len(texts(telegram, FRIEND)) > 1)
    for words in (word(OWNER, 4), "I gave up on a message"):
        await killable.until(lambda words=words: any(words in text for text in texts(telegram, OWNER)))  # type: ignore[misc]
    await killable.stop()
    given_up, answer = texts(telegram, FRIEND)
    assert given_up.startswith(GAVE_UP)
    assert answer.endswith("I am well again.")
    dead = killable.rows("SELECT text, error FROM inbox WHERE state = 'dead'")
    assert dead == [{"text": "poison", "error": "given up: it failed 3 times"}]
    verdict = judge(killable, {OWNER: [word(OWNER, n) for n in range(5)]})
    assert verdict.kept, verdict
    assert verdict.given_up == 0
    assert [text.startswith("⚠️ I gave up on a message") for text in texts(telegram, OWNER)].count(True) == 1
