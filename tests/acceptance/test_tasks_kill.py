"""kill -9 around work in the background: its outcome is told once, and nothing of it is done twice."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from core.agents.roles import PLANNER, WORKER
from tests.acceptance.harness import MARK, Bot, texts
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

ASK = "so, which of the two offers would be the better one for us, what do you think?"
READ_A, READ_B, FOUND = "read offer A", "read offer B", "B costs least"
WHERE = (
    *(
        "write:delegate",
        f"write:{READ_B}",
        "claim_task",
        "claim_task:<Role.WORKER",
        "commit_answer:todo_update",
        "write:todo_update",
        "commit_answer:read",
    ),
    *("end_pass", "end_pass:read offer A", "end_pass:read offer B", "read_inputs", 'finish_run:"outcome"'),
    *("model:read offer A", "finish_run"),
)
POINTS = [f"{when}:{where}" for where in WHERE for when in ("before", "after")]


def role_of(request: ChatRequest) -> str:
    system = str(request.messages[0]["content"])
    return next((one.prompt_file for one in (PLANNER, WORKER) if system.startswith(one.prompt)), "teller")


def works(request: ChatRequest) -> Any:
    """Delegate what is asked, note what is to be done, let two read, and tell what was found."""
    said = [str(message.get("content")) for message in request.messages]
    steps = sum(message["role"] == "tool" for message in request.messages)
    match role_of(request):
        case "teller" if '"outcome"' in said[-1]:
            return f"told: {FOUND}"
        case "teller":
            return DELEGATED[steps]
        case "planner":
            return FOUND if any(text.startswith("Outcome: ") for text in said) else PLANNED[steps]
        case _:
            return "it is read"


DELEGATED = (Answer(calls=(Call("delegate", {"prompt": ASK}),)), "I am on it.")
NOTED = Call("todo_update", {"action": "add", "content": "call Kraus", "people": []})
READ = (Call("delegate", {"prompt": READ_A}, id="a"), Call("delegate", {"prompt": READ_B}, id="b"))
# By how many results the planner has.
PLANNED = {0: Answer(calls=(NOTED,)), 1: Answer(calls=READ), 3: "I asked two to read them."}


async def agrees(bot: Bot, telegram: TelegramServer) -> None:
    """All has ended well, and each thing happened once."""
    found = [(row["role"], row["state"]) for row in bot.rows("SELECT role, state FROM task ORDER BY id")]
    assert found == [("planner", "done"), ("worker", "done"), ("worker", "done")]
    assert bot.value("SELECT count(*) FROM todo") == 1
    assert bot.value("SELECT count(*) FROM run WHERE ended_at IS NULL") == 0
    told = [text for text in texts(telegram) if FOUND in text]
    assert [text for text in told if not text.startswith(MARK)] in ([f"told: {FOUND}"], [])
    assert len(told) == 1


@pytest.mark.parametrize("failpoint", POINTS)
async def test_work_in_the_background_is_done_once_when_the_process_dies_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(works)
    telegram.say(ASK)
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -signal.SIGKILL, bot.output
    await bot.start()
    await bot.until(lambda: any(FOUND in text for text in texts(telegram)))
    await bot.stop()
    await agrees(bot, telegram)


RING = """
import os, signal
from teller_tools import tool

@tool
def ring_bell() -> str:
    "Ring the bell of the door."
    with open({marks!r}, "a") as file:
        file.write("ring ")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def own_tool(bot: Bot, source: str) -> None:
    """Give a bot that is not started yet a file with a tool of one's own."""
    folder = bot.data / "tools"
    folder.mkdir(mode=0o700, parents=True)
    (folder / "ring.py").write_text(source)


def rings(request: ChatRequest) -> Any:
    """Delegate what is asked to a worker who rings, and tell what came of it."""
    said = [str(message.get("content")) for message in request.messages]
    steps = sum(message["role"] == "tool" for message in request.messages)
    match role_of(request):
        case "teller" if '"outcome"' in said[-1]:
            return f"told: {FOUND} {said[-1]}"
        case "teller":
            return DELEGATED[steps]
        case "planner" if any(text.startswith("Outcome: ") for text in said):
            return FOUND
        case "planner":
            return "It rings." if steps else Answer(calls=(Call("delegate", {"prompt": "ring"}),))
        case _:
            calls = {0: Call("find_tools", {"words": "ring bell"}), 1: Call("ring_bell", {})}
            return Answer(calls=(calls[steps],)) if steps in calls else "It is not known whether it rang."


async def test_what_a_worker_began_in_the_world_is_told_as_unknown_and_not_done_again(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, tmp_path: Path
) -> None:
    marks = tmp_path / "marks"
    own_tool(bot, RING.format(marks=str(marks)))
    llm.reply_with(rings)
    telegram.say(ASK)
    await bot.launch()
    assert await bot.wait(30) == -signal.SIGKILL, bot.output
    await bot.start()
    await bot.until(lambda: any(FOUND in text for text in texts(telegram)))
    await bot.stop()
    assert marks.read_text() == "ring "
    assert bot.rows("SELECT state FROM step WHERE tool = 'ring_bell'") == [{"state": "unknown"}]
    [told] = [text for text in texts(telegram) if FOUND in text]
    assert "Nobody can know whether this happened: used a tool of your own." in told


def asks_back(request: ChatRequest) -> Any:
    """Delegate what is asked, ask back, and tell what came of the answer."""
    said = [str(message.get("content")) for message in request.messages]
    steps = sum(message["role"] == "tool" for message in request.messages)
    match role_of(request):
        case "teller" if '"outcome"' in said[-1]:
            return f"told: {FOUND}"
        case "teller":
            return DELEGATED[steps]
        case _ if '"answer": "Kraus"' in said[-1]:
            return FOUND
        case _:
            return '{"status": "needs_input", "question": "Whose offer?", "options": ["Brandt", "Kraus"]}'


QUESTION = [
    f"{when}:{where}"
    for where in ("end_pass:Whose", "read_inputs", 'end_pass:"answer": "Kraus"')
    for when in ("before", "after")
]


@pytest.mark.parametrize("failpoint", QUESTION)
async def test_a_task_that_asks_goes_on_with_the_answer_when_the_process_dies_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(asks_back)
    telegram.say(ASK)
    await bot.start(failpoint=failpoint)
    if "Whose" in failpoint:
        assert await bot.wait(30) == -signal.SIGKILL, bot.output
        await bot.start()
    await bot.until(lambda: any("Whose offer?" in text for text in texts(telegram)))
    telegram.say("Kraus")
    if "Whose" not in failpoint:
        assert await bot.wait(30) == -signal.SIGKILL, bot.output
        await bot.start()
    await bot.until(lambda: any(FOUND in text for text in texts(telegram)))
    await bot.stop()
    assert sum(FOUND in text for text in texts(telegram)) == 1
    assert bot.value("SELECT state FROM task") == "done"
    assert bot.value("SELECT count(*) FROM question") == 1


STOPS = [f"{when}:{where}" for where in ("accept:/stop", "stop_task", "end_task") for when in ("before", "after")]


@pytest.mark.parametrize("failpoint", STOPS)
async def test_a_task_is_stopped_and_that_is_said_once_when_the_process_dies_at(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(works)
    # The planner thinks for ever, in each process.
    llm.fault("hang", after=3, times=9)
    telegram.say(ASK)
    await bot.start(failpoint=failpoint)
    await llm.wait_requests(4)
    telegram.say("/stop")
    assert await bot.wait(30) == -signal.SIGKILL, bot.output
    await bot.start()
    await bot.until(lambda: any("Stopped." in text for text in texts(telegram)))
    await bot.stop()
    assert sum("Stopped." in text for text in texts(telegram)) == 1
    assert bot.value("SELECT state FROM task") == "cancelled"
    assert bot.value("SELECT count(*) FROM run WHERE ended_at IS NULL") == 0


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_task_goes_on_when_the_process_dies_while_it_puts_it_down(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, when: str
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(works)
    llm.fault("hang", after=3)
    telegram.say(ASK)
    await bot.start(failpoint=f"{when}:put_down_task")
    await llm.wait_requests(4)
    bot.terminate()
    assert await bot.wait(30) == -signal.SIGKILL, bot.output
    await bot.start()
    await bot.until(lambda: any(FOUND in text for text in texts(telegram)))
    await bot.stop()
    await agrees(bot, telegram)


IN_VAIN = "the offer never came"


def waits(request: ChatRequest) -> Any:
    """Delegate what is asked, let that wait for a file that never comes, and tell that it did not."""
    said = str(request.messages[-1].get("content"))
    steps = sum(message["role"] == "tool" for message in request.messages)
    match role_of(request):
        case "teller" if '"outcome"' in said:
            return FOUND
        case "teller" if '"failed"' in said:
            return IN_VAIN
        case "teller":
            return DELEGATED[steps]
        case _:
            waiting = {"prompt": READ_A, "type": "conditional", "condition": {"type": "file_exists", "path": "a.csv"}}
            return FOUND if steps else Answer(calls=(Call("delegate", waiting),))


async def test_what_waited_for_a_month_ends_when_the_process_dies_at_its_end(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    bot.module = ["tests.killable"]
    llm.reply_with(waits)
    telegram.say(ASK)
    await bot.start(failpoint="before:end_waiting")
    await bot.until(lambda: any(FOUND in text for text in texts(telegram)))
    await bot.recorded(telegram.sent()[-1].message_id)
    bot.advance(31 * 24 * 3600)
    assert await bot.wait(30) == -signal.SIGKILL, bot.output
    assert bot.value("SELECT state FROM task WHERE role = 'worker'") == "waiting"
    await bot.launch(failpoint="after:end_waiting")
    assert await bot.wait(30) == -signal.SIGKILL, bot.output
    assert bot.value("SELECT state FROM task WHERE role = 'worker'") == "failed"
    await bot.start()
    await bot.until(lambda: any(IN_VAIN in text for text in texts(telegram)))
    await bot.stop()
    assert bot.value("SELECT count(*) FROM condition") == 0
    assert texts(telegram)[1:] == [FOUND, IN_VAIN]
