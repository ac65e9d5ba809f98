"""Commands that ask back: the answer is carried out behind the command, as the person, once, or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.all import CAPABILITIES, COMMANDS
from core.kernel.intent import Order
from core.kernel.ports import Database, Tx
from core.kernel.replies import Outcome, Reply, Step
from core.kernel.types import Role, Sender
from core.store.conversation import questions
from core.store.conversation import runs as journal
from core.toolkit.action import Actions
from core.toolkit.capability import Capability
from core.toolkit.command import Command, CommandRun
from core.toolkit.tool import ToolContext
from tests.asking import GROUP, events, states
from tests.calling import claimed
from tests.fakes import FRIEND, OWNER, Crash, CrashingDatabase, House, house, inbound

pytestmark = pytest.mark.databases("sqlite")

WHEN: dict[str, Any] = {"question": "When exactly?", "order": "/remind call Oma at", "expects": "time"}
WHICH: dict[str, Any] = {"question": "Which Bob?", "order": "/remind tea for", "options": ["Bob A", "Bob B"]}
WHAT: dict[str, Any] = {"question": "What of?", "order": "/remind tomorrow at 9"}
Done = list[tuple[str, ToolContext]]


def furnish(home: House, ask: dict[str, Any]) -> Done:
    """The bare command /remind asks back; with something behind it, it is noted as done."""
    done: Done = []
    actions = Actions(home.app.ledger, home.app.registry, ())

    async def commands(context: ToolContext, order: Order) -> Outcome:
        text = str(order)
        run = CommandRun(context, text.partition(" ")[2], {}, COMMANDS, actions=actions)
        if run.rest:
            done.append((text, context))
            return Outcome(replies=[run.reply(f"did {text}")])
        return Outcome(replies=[reply := run.ask(**ask)], asked=reply.question is not None)

    home.app.worker.answering.collaborators = replace(home.app.worker.answering.collaborators, commands=commands)
    return done


async def asked(database: Database, folder: Path, ask: dict[str, Any], **where: Any) -> tuple[House, Done]:
    home = await house(database, folder / "house", lambda request: f"heard: {' / '.join(request.heard)}")
    done = furnish(home, ask)
    await home.hear("/remind", **where)
    await home.work()
    return home, done


def lines(done: Done) -> list[str]:
    return [line for line, _ in done]


async def test_the_question_is_what_is_said(database: Database, tmp_path: Path) -> None:
    home, _ = await asked(database, tmp_path, WHEN)
    (message,) = home.shown()
    assert message.text == "When exactly?"
    assert message.keyboard is not None
    assert [button.label for button in message.keyboard.buttons] == ["Skip"]
    assert await home.column("SELECT state FROM run") == ["asked"]
    assert await states(home) == ["open"]


async def test_an_answer_is_carried_out_behind_the_command_as_the_person(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN)
    sent_at = home.clock.now() - 3_000
    await home.hear("tomorrow at 9", sent_at=sent_at)
    await home.work()
    ((line, context),) = done
    assert line == "/remind call Oma at tomorrow at 9"
    assert (context.role, context.principal.address) == (Role.PERSON, OWNER)
    assert context.said is not None
    assert context.said.sent_at == sent_at
    assert home.adapter.texts()[-1] == f"did {line}"
    assert await states(home) == ["answered"]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done"] * 3
    assert events(home) == []


async def test_what_is_no_time_is_no_answer_where_a_time_is_wanted(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN)
    await home.hear("why do you ask?")
    await home.work()
    assert home.adapter.texts()[-1] == "heard: why do you ask?"
    assert (done, await states(home)) == ([], ["open"])


async def test_anything_answers_where_anything_is_wanted(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHAT)
    await home.hear("call\nOma")
    await home.work()
    assert lines(done) == ["/remind tomorrow at 9 call Oma"]


@pytest.mark.parametrize(
    "text",
    [
        "what is the weather in Berlin?",
        "what is the weather",
        "add milk to my list tomorrow",
        "let me know when the price drops",
        "降价了通知我",
        "为什么？",
        "erinnere mich morgen um 9 an Oma",
    ],
)
async def test_a_question_or_another_wish_is_no_answer(database: Database, tmp_path: Path, text: str) -> None:
    home, done = await asked(database, tmp_path, WHAT)
    await home.hear(text)
    await home.work()
    assert not [line for line in lines(done) if line.startswith("/remind")]
    assert await states(home) == ["open"]


@pytest.mark.parametrize("text", ["never mind", "No.", "cancel", "forget it", "算了"])
@pytest.mark.parametrize("question", [WHAT, WHEN], ids=["what", "when"])
async def test_who_would_rather_not_say_leaves_the_question(
    database: Database, tmp_path: Path, question: dict[str, Any], text: str
) -> None:
    home, done = await asked(database, tmp_path, question)
    await home.hear(text)
    await home.work()
    assert [message.text for message in home.shown()] == [f"{question['question']}\n\n⏭ Skipped."]
    assert (done, await states(home)) == ([], ["withdrawn"])
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["done"] * 2


async def test_a_press_is_carried_out_behind_the_command(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHICH)
    assert await home.press("Bob B") == "Bob B"
    assert await home.press("Bob A") == "Already answered."
    await home.work()
    assert lines(done) == ["/remind tea for Bob B"]
    assert home.shown()[0].text == "Which Bob?\n\n✅ Bob B — Name of tg:1"


async def test_options_and_a_time_may_be_offered_together(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, {**WHEN, "options": ["tonight at 8"]})
    await home.hear("tomorrow at 9")
    await home.work()
    assert lines(done) == ["/remind call Oma at tomorrow at 9"]


async def test_nothing_comes_of_a_question_that_is_skipped(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN)
    await home.press("Skip")
    await home.work()
    assert [message.text for message in home.shown()] == ["When exactly?\n\n⏭ Skipped."]
    assert (done, await states(home)) == ([], ["withdrawn"])


async def test_nothing_comes_of_a_question_that_nobody_answers(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN)
    home.clock.advance(3_599)
    await home.sweep()
    assert await states(home) == ["open"]
    home.clock.advance(1)
    await home.sweep()
    assert [message.text for message in home.shown()] == ["When exactly?\n\n⏱ No answer in time."]
    assert (done, await states(home)) == ([], ["expired"])
    assert await home.column("SELECT count(*) FROM run") == [1]


async def test_in_a_group_a_reply_answers_and_is_replied_to(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN, **GROUP, sender=FRIEND, key="m1")
    question = home.shown("-5")[-1]
    assert question.keyboard is not None
    assert question.keyboard.reply
    assert question.to.reply_to == "m1"
    await home.hear("at 9", **GROUP, sender=FRIEND, reply_to=question.platform_id, key="m2")
    await home.work()
    assert lines(done) == ["/remind call Oma at at 9"]
    assert home.adapter.sent[-1].to.reply_to == "m2"


async def test_in_a_group_nobody_else_answers_but_an_owner(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHICH, **GROUP, sender=FRIEND)
    where = {"chat": "-5", "chat_kind": "group"}
    assert await home.press("Bob A", sender="tg:7", **where) == "This question is for somebody else."
    assert await home.press("Bob A", sender=OWNER, **where) == "Bob A"
    await home.work()
    ((line, context),) = done
    assert (line, context.principal.address) == ("/remind tea for Bob A", FRIEND)


async def test_chatter_in_a_topic_is_not_taken_for_a_time(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN, **GROUP, sender=FRIEND, thread="9")
    await home.hear("lovely weather", **GROUP, sender=FRIEND, thread="9", addressed=False)
    await home.work()
    assert len(home.adapter.texts("-5")) == 2
    await home.hear("at 9", **GROUP, sender=FRIEND, thread="9", addressed=False)
    await home.work()
    assert lines(done) == ["/remind call Oma at at 9"]


async def test_an_edit_of_the_answer_changes_nothing_any_more(database: Database, tmp_path: Path) -> None:
    home, done = await asked(database, tmp_path, WHEN)
    await home.hear("at 9", key="a")
    await home.hear("at 10", key="b", edits="a")
    await home.work()
    assert lines(done) == ["/remind call Oma at at 9"]
    assert "/remind call Oma at at 9" in await home.column("SELECT text FROM message")


async def test_whom_nobody_can_tell_from_others_is_told_the_question(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "")
    furnish(home, WHEN)
    sender = Sender(address="tg:-5", name="Family", anonymous=True)
    await home.hear("hello", **GROUP)
    await home.app.inbox.accept(home.tenant_id, [replace(inbound("/remind", key="x", **GROUP), sender=sender)])
    await home.work()
    question, instead = home.shown("-5")[-1].text.splitlines()
    assert (question, "in one message" in instead) == ("When exactly?", True)
    assert home.shown("-5")[-1].keyboard is None
    assert await states(home) == []


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [2, 3])
async def test_a_crash_while_asking_asks_once(database: Database, tmp_path: Path, commits: int, after: bool) -> None:
    process = CrashingDatabase(database)
    home = await house(process, tmp_path / "house", lambda request: "")
    furnish(home, WHEN)
    process.arm(commits, after=after)
    with pytest.raises(Crash):
        await _told(home, "/remind")
    home = await house(database, tmp_path / "house", lambda request: "", adapter=home.adapter, clock=home.clock)
    furnish(home, WHEN)
    await home.db.write(lambda tx: tx.run("UPDATE lane SET owner = NULL, expires_at = 0"))
    await home.app.outbox.doubts.settle()
    await home.work()
    assert await states(home) == ["open"]
    assert [message.text for message in home.shown()] == ["When exactly?"]


async def test_a_plain_command_asks_in_the_transaction_that_ends_its_run(database: Database, tmp_path: Path) -> None:
    home = await picking(database, tmp_path)
    await home.hear("/pick")
    await home.work()
    assert home.shown()[-1].text == "Which?"
    assert await home.column("SELECT count(*) FROM step") == [0]
    assert await home.column("SELECT tool FROM ledger ORDER BY n") == ["ask_back"]
    assert json.loads((await home.column("SELECT arguments FROM ledger_body"))[0])["command"] == "/pick"
    await home.hear("the left one")
    await home.work()
    assert home.shown()[-1].text == "Picked the left one."


@pytest.mark.parametrize("asks", ["/pick", "/timezone"], ids=["plain", "coroutine"])
async def test_what_a_former_version_noted_before_it_was_killed_is_asked_once(
    database: Database, tmp_path: Path, asks: str
) -> None:
    home = await picking(database, tmp_path)
    await home.hear(asks)
    run = await claimed(home)
    content = {"success": True, "result": {"question_id": "q000001", "status": "asked"}, "error": "", "code": ""}
    step = Step(n=1, kind="call", state="done", call_id="c", tool="ask_back", content=json.dumps(content))

    def ask_back(tx: Tx) -> None:
        asked: dict[str, Any] = {"options": (), "default": None, "timeout_s": 3_600, "now": 0, "command": asks}
        questions.insert(tx, run.lane, run.run_id, run.participant.person.person_id, "What then?", **asked)
        journal.write(tx, run.lane, run.run_id, step, 0)

    await database.write(ask_back)
    second = await picking(database, tmp_path)
    await second.app._take_up()
    await second.work()
    assert [message.text for message in second.shown()] == ["What then?"]
    assert await states(second) == ["open"]


async def picking(database: Database, folder: Path) -> House:
    """A house where /pick asks what to pick."""

    def pick(run: CommandRun, tx: Tx) -> Reply:
        return run.reply(f"Picked {run.rest}.") if run.rest else run.ask("Which?", "/pick")

    capability = Capability(name="picking", commands={"pick": Command(pick)})
    return await house(database, folder / "house", model=False, capabilities=(*CAPABILITIES, capability))


async def _told(home: House, text: str) -> None:
    await home.hear(text)
    await home.work()
