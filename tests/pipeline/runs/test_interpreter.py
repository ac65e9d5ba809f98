"""Free text that is a command in other words: done without a model, alone, once, also after a crash."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.all import CAPABILITIES
from core.capabilities.reminders import repository as reminders
from core.kernel.errors import ModelUnreachable
from core.kernel.ids import ref
from core.kernel.intent import Intent, Order
from core.kernel.ports import Database, Tx
from core.kernel.replies import Outcome, Reply
from core.kernel.timing.expressions import Delay
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Answer, Attachment, LaneKey, ModelRequest, Role, Standing, ToolCall
from core.language import languages
from core.language.grammar import SILENT, Grammar, Request, Wish
from core.language.short_texts import LONGEST_TIME, is_time
from core.pipeline.runs.interpreter import Interpreter
from core.store.conversation import lanes, outbox
from core.toolkit.tool import ToolContext
from tests.asking import GROUP
from tests.fakes import FRIEND, Crash, CrashingDatabase, House, house

pytestmark = pytest.mark.databases("sqlite")

DECIDE = ToolCall(id="c1", name="log_decision", arguments={"reasoning": "because"})
Done = list[tuple[str, ToolContext]]


def wish(text: str) -> Wish | None:
    if text.startswith("remind me"):
        words = text.removeprefix("remind me ")
        return Wish(name="remind", text=words, request=Request(text=words, when=Delay(seconds=60)))
    return Wish(name="done") if text == "done" else None


# A small one: what is tested here is what becomes of a wish, not how it is read.
SMALL = replace(SILENT, wish=wish, when=lambda text: Delay(seconds=600) if text == "in 10 min" else None)


def furnish(home: House, *grammars: Grammar) -> Done:
    """Give the house a grammar; returns what is carried out, as it grows."""
    done: Done = []

    async def commands(context: ToolContext, order: Order) -> Outcome:
        assert isinstance(order, Intent)
        about = (one if isinstance(one, str) else one["words"] for one in order.arguments.values())
        text = " ".join((order.name, *about)).strip()
        done.append((text, context))
        return Outcome(replies=[Reply(n=0, text=f"did {text}")])

    worker = home.app.worker
    worker.answering.collaborators = replace(worker.answering.collaborators, commands=commands)
    interpreter = Interpreter([one.understands for one in CAPABILITIES], grammars or [SMALL])
    worker._opener.services = replace(worker._opener.services, interpreter=interpreter)
    return done


def heard(request: ModelRequest) -> str:
    return f"heard: {' / '.join(request.heard)}"


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house with a model that echoes, and a small grammar."""
    return await house(database, tmp_path / "house", heard)


async def lane(home: House, chat: str = "1") -> LaneKey:
    (row,) = await home.rows(
        "SELECT l.tenant_id, l.scope_id, l.chat_id, l.id AS lane_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.external_id = :chat",
        chat=chat,
    )
    return LaneKey(**row)


async def reminded(home: House, chat: str = "1") -> str:
    """Post a reminder to a chat that is known; returns the platform's id of its message."""
    where, now = await lane(home, chat), home.clock.now()

    def post(tx: Tx) -> None:
        (one,) = tx.all("SELECT id FROM person ORDER BY id LIMIT 1")
        due = Trigger(where, one["id"], "message", "once", "", "call Oma", now, trigger_id=1)
        draft = reminders.draft(due, where, f"trigger:1:{now}")
        reminders.insert(tx, [draft], now)
        payload, key = {"text": "⏰ call Oma", "serial": now}, draft.reminder.message_key
        outbox.add_all(tx, [outbox.Queued(where, f"{key}:0", payload, whole_key=key)], now)

    await home.db.write(post)
    await home.work()
    return home.adapter.sent[-1].platform_id


async def told(home: House, text: str) -> None:
    await home.hear(text)
    await home.work()


async def shown_id(home: House) -> str:
    """The id of the newest reminder."""
    return ref("r", (await home.column("SELECT max(id) FROM reminder"))[0])


# What is carried out.


async def test_what_the_grammar_understands_is_done_without_the_model(home: House) -> None:
    done = furnish(home)
    await home.hear("remind me at 9 to call Oma")
    await home.work()
    assert home.adapter.texts() == ["did reminders.set at 9 to call Oma"]
    ((line, context),) = done
    assert (line, context.role, context.standing) == ("reminders.set at 9 to call Oma", Role.PERSON, Standing.OWNER)
    assert context.said is not None
    assert context.said.text == "remind me at 9 to call Oma"
    assert home.model is not None
    assert home.model.requests == []
    assert await home.column("SELECT text FROM message WHERE role = 'user'") == ["remind me at 9 to call Oma"]
    assert await home.column("SELECT role FROM ledger WHERE tool = 'reply'") == ["person"]


async def test_what_it_does_not_understand_goes_to_the_model(home: House) -> None:
    done = furnish(home)
    await home.hear("what do you remind me of?")
    await home.work()
    assert home.adapter.texts() == ["heard: what do you remind me of?"]
    assert done == []


async def test_without_a_model_it_is_done_as_well(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False)
    furnish(home)
    await home.hear("remind me at 9")
    await home.work()
    assert home.adapter.texts() == ["did reminders.set at 9"]


async def test_it_stands_alone_between_what_was_written_around_it(home: House) -> None:
    furnish(home)
    for text in ("one", "two", "remind me at 9", "three", "four"):
        await home.hear(text)
    await home.work()
    assert home.adapter.texts() == ["heard: one / two", "did reminders.set at 9", "heard: three / four"]


@pytest.mark.parametrize("n", [0, 2])
async def test_two_in_a_row_are_done_one_by_one(home: House, n: int) -> None:
    furnish(home)
    texts = ["remind me at 9", "remind me at 10"]
    for text in ["hello"] * n + texts:
        await home.hear(text)
    await home.work()
    assert home.adapter.texts()[-2:] == ["did reminders.set at 9", "did reminders.set at 10"]
    assert len(home.adapter.texts()) == 2 + bool(n)


async def test_an_edit_before_anybody_looked_is_what_counts(home: House) -> None:
    furnish(home)
    await home.hear("hello", key="a")
    await home.hear("remind me at 9", key="b", edits="a")
    await home.work()
    assert home.adapter.texts() == ["did reminders.set at 9"]


@pytest.mark.parametrize(
    "fields",
    [
        {"forwarded": True},
        {"text": f"remind me {'x' * 2_000}"},
    ],
    ids=["forwarded", "long"],
)
async def test_what_is_more_than_a_text_of_ones_own_is_for_the_model(home: House, fields: dict[str, Any]) -> None:
    done = furnish(home)
    await home.hear(**{"text": "remind me at 9", **fields})
    await home.later(2)
    assert done == []
    assert len(home.adapter.texts()) == 1
    assert home.adapter.texts()[0].startswith("heard: remind me")


@pytest.mark.parametrize("album", ["", "a1"])
async def test_a_caption_is_a_command_in_other_words_like_any_text(home: House, album: str) -> None:
    done = furnish(home)
    await home.hear("remind me at 9", attachments=(Attachment(kind="photo", file="f1"),), album=album)
    await home.later(2)
    assert [line for line, _ in done] == ["reminders.set at 9"]


async def test_in_a_group_it_works_for_whoever_addresses_the_bot(home: House) -> None:
    done = furnish(home)
    await home.hear("hello", **GROUP)
    await home.hear("remind me at 9", **GROUP, sender="tg:7", key="g", addressed=False)
    await home.hear("remind me at 9", **GROUP, sender="tg:7", key="h")
    await home.work()
    ((line, context),) = done
    assert (line, context.standing) == ("reminders.set at 9", Standing.GUEST)
    assert home.adapter.sent[-1].to.reply_to == "h"


# While the model is away.


def down(request: ModelRequest) -> Answer:
    raise ModelUnreachable("down")


async def test_it_is_done_while_the_model_is_away_and_passes_what_waits_for_it(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house")
    assert home.model is not None
    home.model.always(down)
    furnish(home)
    await home.hear("write a poem")
    await home.work()
    await home.hear("remind me at 9")
    await home.work()
    assert home.adapter.texts()[1:] == ["did reminders.set at 9"]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["new", "done"]
    home.model.always(heard)
    await home.later(60)
    assert home.adapter.texts()[-1].endswith("heard: write a poem")


async def test_it_passes_a_run_that_waits_with_its_journal(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", Answer(calls=(DECIDE,)), down)
    furnish(home)
    await home.hear("write a poem")
    await home.work()
    await home.hear("and a song")
    await home.hear("remind me at 9")
    await home.work()
    assert home.adapter.texts()[1:] == ["did reminders.set at 9"]
    assert await home.column("SELECT state FROM inbox ORDER BY id") == ["new", "new", "done"]


# After a crash.


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(("commits", "after"), [(1, True), (2, False), (2, True), (3, False), (3, True)])
async def test_a_crash_leads_to_the_same_command_once_more_or_not_at_all(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    """Around accepting, claiming and finishing; also when what it answers has changed since it was claimed."""
    process = CrashingDatabase(database)
    home = await house(process, tmp_path / "house", heard)
    await home.hear("hello")
    await home.work()
    await reminded(home)
    line = f"reminders.snooze {await shown_id(home)} in 10 min"
    done = furnish(home)
    process.arm(commits, after=after)
    with pytest.raises(Crash):
        await told(home, "in 10 min")
    assert [one for one, _ in done] == [line] * (commits > 2)
    home = await house(database, tmp_path / "house", heard, adapter=home.adapter, clock=home.clock)
    done += furnish(home)
    if commits + after > 2:
        await home.db.write(lambda tx: tx.run("UPDATE reminder SET state = 'done'"))
    await home.db.write(lanes.take_over)
    await home.app.outbox.doubts.settle()
    await home.work()
    assert {one for one, _ in done} <= {line}
    assert home.adapter.texts()[2:] == [f"did {line}"]
    assert await home.column("SELECT command FROM run") == ["", ""]


# What answers a reminder.


async def test_a_time_after_a_reminder_puts_it_off_and_done_finishes_it(home: House) -> None:
    done = furnish(home)
    await home.hear("hello")
    await home.work()
    await reminded(home)
    name = await shown_id(home)
    home.clock.advance(1)
    await home.hear("in 10 min")
    await home.work()
    assert [line for line, _ in done] == [f"reminders.snooze {name} in 10 min"]


async def test_only_the_last_thing_said_is_answered_without_a_reply(home: House) -> None:
    done = furnish(home)
    await home.hear("hello")
    await home.work()
    message = await reminded(home)
    name = await shown_id(home)
    home.clock.advance(1)
    await home.hear("what else?")
    await home.work()
    home.clock.advance(1)
    await home.hear("done")
    await home.work()
    assert home.adapter.texts()[-1] == "heard: done"
    await home.hear("done", reply_to=message)
    await home.work()
    assert [line for line, _ in done] == [f"reminders.done {name}"]


async def test_without_a_reminder_done_is_just_a_word(home: House) -> None:
    done = furnish(home)
    for text in ("done", "in 10 min"):
        await home.hear(text)
        await home.work()
    assert home.adapter.texts() == ["heard: done", "heard: in 10 min"]
    assert done == []


async def test_in_a_group_only_a_reply_answers_a_reminder(home: House) -> None:
    done = furnish(home)
    await home.hear("hello", **GROUP)
    await home.work()
    message = await reminded(home, "-5")
    home.clock.advance(1)
    await home.hear("done", **GROUP, sender=FRIEND)
    await home.work()
    assert done == []
    await home.hear("done", **GROUP, sender=FRIEND, reply_to=message)
    await home.work()
    assert [line for line, _ in done] == [f"reminders.done {await shown_id(home)}"]


async def test_a_reminder_of_another_chat_is_not_answered(home: House) -> None:
    done = furnish(home)
    for chat, sender in (("1", "tg:1"), ("2", FRIEND)):
        await home.hear("hello", chat=chat, sender=sender)
    await home.work()
    message = await reminded(home, "1")
    await home.hear("done", chat="2", sender=FRIEND, reply_to=message)
    await home.work()
    assert done == []


# Grammars.


async def test_a_grammar_that_fails_stops_nobody(home: House, caplog: pytest.LogCaptureFixture) -> None:
    def fail(text: str) -> Any:
        raise RuntimeError("a bug")

    furnish(home, replace(SILENT, wish=fail, when=fail), SMALL)
    for text in ("hello", "remind me at 9"):
        await home.hear(text)
    with caplog.at_level(logging.ERROR):
        await home.work()
    assert home.adapter.texts() == ["heard: hello", "did reminders.set at 9"]
    assert "a grammar failed" in caplog.text


async def test_a_wish_that_nobody_carries_out_is_none(home: House) -> None:
    done = furnish(home, replace(SILENT, wish=lambda text: Wish(name="rm -rf")))
    await home.hear("hello")
    await home.work()
    assert done == []


@pytest.mark.parametrize(
    ("text", "found"),
    [("in 20 minutes", True), (" tomorrow at 9 ", True), ("半小时后", True), ("read chapter 5", False), ("", False)],
)
def test_a_time_and_nothing_else_is_a_time_in_every_language(text: str, found: bool) -> None:
    assert is_time(text) is found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("10 more minutes", "reminders.snooze {id} 10 more minutes"),
        ("snooze", "reminders.snooze {id}"),
        ("later today", "reminders.snooze {id}"),
        ("吃了", "reminders.done {id}"),
        ("已经吃了", "reminders.done {id}"),
    ],
)
async def test_what_people_say_to_a_reminder_is_about_it(home: House, text: str, line: str) -> None:
    done = furnish(home, *(language.grammar for language in languages().values()))
    await told(home, "hello")
    await reminded(home)
    home.clock.advance(1)
    await told(home, text)
    assert [one for one, _ in done] == [line.format(id=await shown_id(home))]


def test_what_is_too_long_is_no_time() -> None:
    read: Callable[[str], bool] = is_time
    assert not read("tomorrow " * LONGEST_TIME)
