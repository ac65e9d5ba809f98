"""How questions end when nobody presses: by the clock, by skipping, for whom they may not be answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Press, Sender, ToolCall
from core.pipeline.runs.sweep import SOON
from tests.asking import GROUP, NAME, TEA, ask, asked, events, states
from tests.commanding import home as unmodelled
from tests.commanding import said
from tests.fakes import FRIEND, OWNER, CrashingDatabase, Hitch, House, house, inbound

pytestmark = pytest.mark.databases("sqlite")


async def test_in_a_group_a_free_answer_is_a_reply_or_addresses_the_bot(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "A talk of others.", "Hello Ann.", **GROUP)
    question = home.shown("-5")[-1]
    assert question.keyboard is not None
    assert question.keyboard.reply
    await home.hear("just talk", **GROUP, addressed=False)
    await home.hear("about that other message", **GROUP, reply_to="u1")
    await home.work()
    assert await states(home) == ["open"]
    await home.hear("Ann", **GROUP, reply_to=question.platform_id)
    await home.work()
    assert [one["answer"] for one in events(home)] == ["Ann"]


async def test_a_question_that_asked_for_a_reply_is_not_edited_but_its_end_is_said(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Then not.", **GROUP)
    home.clock.advance(61)
    await home.sweep()
    assert [message.to.replaces for message in home.adapter.sent] == ["", "", "", ""]
    assert home.adapter.texts("-5")[1:] == ["What is your name?", "⏱ No answer in time.", "Then not."]


async def test_where_it_can_be_edited_it_loses_its_button_and_a_window_answers_it_once(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", **GROUP)
    home.adapter.edits_asking = True
    question = home.shown("-5")[-1]
    window = {**GROUP, "reply_to": question.platform_id, "answers": True}
    assert await told(home, "Bo", **window, sender=FRIEND) == "This question is for somebody else."
    assert await told(home, "Ann", **window) is None
    line = "What is your name?\n\n✅ Ann — Name of tg:1"
    assert (home.shown("-5")[1].text, home.shown("-5")[1].keyboard) == (line, None)
    assert await told(home, "Anna", **window) == "Already answered."
    assert home.adapter.texts("-5")[-1] == "Hello Ann."
    assert [one["answer"] for one in events(home)] == ["Ann"]


async def test_a_window_that_comes_after_its_time_is_told_so(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Then not.", **GROUP)
    question = home.shown("-5")[-1]
    home.clock.advance(61)
    await home.sweep()
    window = {**GROUP, "reply_to": question.platform_id, "answers": True}
    assert await told(home, "Ann", **window) == "That question has run out."


async def told(home: House, text: str, **fields: Any) -> str | None:
    """Let a message arrive; returns what its sender is told at once."""
    message = inbound(text, key=f"w{next(home.keys)}", sent_at=home.clock.now(), **fields)
    found = (await home.app.inbox.accept(home.tenant_id, [message])).get(message.key)
    await home.work()
    return found


async def test_of_several_the_reply_decides_else_the_newest(database: Database, tmp_path: Path) -> None:
    both = Answer(
        calls=(
            ToolCall(id="c1", name="ask_user", arguments={"question": "First?"}),
            ToolCall(id="c2", name="ask_user", arguments={"question": "Second?"}),
        )
    )
    home = await asked(database, tmp_path, both, "one", "two")
    first, second = home.shown()
    await home.hear("to the first", reply_to=first.platform_id)
    await home.work()
    await home.hear("to the newest")
    await home.work()
    assert [(one["question"], one["answer"]) for one in events(home)] == [
        ("First?", "to the first"),
        ("Second?", "to the newest"),
    ]
    assert second.text.startswith("Second?")


async def test_when_time_is_up_the_default_is_taken_and_said(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea, then.")
    home.clock.advance(59)
    await home.sweep()
    assert await states(home) == ["open"]
    home.clock.advance(2)
    await home.sweep()
    question, answer = home.shown()
    assert question.text.endswith("⏱ No answer in time: Tea")
    assert question.keyboard is None
    assert answer.text == "Tea, then."
    assert [(one["answer"], one["source"]) for one in events(home)] == [("Tea", "default")]
    await home.sweep()
    assert len(events(home)) == 1


async def test_while_the_platform_is_not_heard_it_waits_and_is_looked_at_again_soon(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea, then.")
    home.clock.advance(61)
    home.adapter.ok = False
    assert await home.app.scheduler.due() == home.clock.now() + SOON
    assert await states(home) == ["open"]
    home.adapter.ok = True
    assert await home.app.scheduler.due() != home.clock.now() + SOON
    assert await states(home) == ["expired"]


async def test_without_a_default_the_teller_hears_of_the_timeout(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Then not.")
    home.clock.advance(61)
    await home.sweep()
    assert [(one["answer"], one["source"]) for one in events(home)] == [("", "timeout")]
    assert home.shown()[0].text.endswith("⏱ No answer in time.")


async def test_nothing_expires_before_the_backlog_is_taken_in(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Coffee it is.")
    home.clock.advance(3600)
    home.adapter.caught_up.clear()
    await home.sweep()
    assert await states(home) == ["open"]
    await home.press("Coffee")
    home.adapter.caught_up.set()
    await home.sweep()
    assert [(one["answer"], one["source"]) for one in events(home)] == [("Coffee", "user")]


async def test_nothing_expires_while_the_platform_cannot_be_heard(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea.")
    home.clock.advance(3600)
    home.adapter.ok = False
    await home.sweep()
    assert await states(home) == ["open"]
    home.adapter.ok = True
    await home.sweep()
    assert await states(home) == ["expired"]


@pytest.mark.databases("sqlite", "postgres")
async def test_it_is_no_matter_that_another_tenant_cannot_be_heard(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea.")
    home.clock.advance(3600)
    tenants = await home.db.read(lambda tx: tx.all("SELECT external_id FROM tenant"))
    home.adapter.deaf = {tenants[0]["external_id"]}
    await home.sweep()
    assert await states(home) == ["open"]
    home.adapter.deaf = {"another"}
    await home.sweep()
    assert await states(home) == ["expired"]


@pytest.mark.parametrize("way", ["/cancel", "Skip"])
async def test_a_question_can_be_skipped_and_wakes_nobody(database: Database, tmp_path: Path, way: str) -> None:
    home = await asked(database, tmp_path, ask(TEA))
    if way == "Skip":
        assert await home.press("Skip") == "Skip"
    else:
        await home.hear("/cancel")
    await home.work()
    assert await states(home) == ["withdrawn"]
    assert home.shown()[0].text.endswith("⏭ Skipped.")
    assert events(home) == []


async def test_cancel_without_a_question_says_so(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    await home.hear("/cancel")
    await home.work()
    assert home.adapter.texts() == ["There is no open question."]


async def test_a_question_waits_for_its_message_to_be_sent_before_it_is_edited(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", ask(TEA), "Coffee.")
    home.adapter.hitches.append(Hitch(error=SendUnsent("down", retry_after=5)))
    await home.hear("ask me")
    await home.work()
    await home.hear("coffee")
    await home.work()
    await home.later(6)
    assert sorted(message.text for message in home.shown()) == [
        "Coffee.",
        "Tea or coffee?\n\n⏱ In 1 min: Tea\n\n✅ Coffee — Name of tg:1",
    ]


async def test_a_deleted_question_is_answered_all_the_same(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea it is.")
    home.adapter.hitches.append(Hitch(error=SendRefused("message to edit not found")))
    await home.press("Tea")
    await home.work()
    assert home.adapter.texts()[-1] == "Tea it is."
    assert len(events(home)) == 1


async def test_what_others_are_called_is_no_markdown(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea it is.")
    person = Sender(address=OWNER, name="[Ann](http://evil.example) *x*", language="en")
    press = Press(key="k", chat="1", sender=person, data=home.button("Tea"), raw="{}")
    await home.app.inbox.accept(home.tenant_id, [press])
    await home.work()
    assert r"✅ Tea — \[Ann\](http://evil.example) \*x\*" in home.shown()[0].text


@pytest.mark.databases("sqlite", "postgres")
async def test_questions_that_end_at_once_in_several_chats_all_end(database: Database, tmp_path: Path) -> None:
    late = {"question": "Late?", "timeout": 90}
    home = await house(database, tmp_path / "house", ask(late), ask(NAME), "one", "two")
    await home.hear("ask me")
    await home.work()
    await home.hear("ask me", chat="2", sender=FRIEND)
    await home.work()
    home.clock.advance(3600)
    await home.sweep()
    assert await states(home) == ["expired", "expired"]
    assert len(events(home)) == 2


async def test_a_reply_to_something_else_is_no_answer(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.", ask(NAME), "Fine.")
    first = home.shown()[0]
    await home.hear("Ann")
    await home.work()
    await home.hear("ask me again")
    await home.work()
    await home.hear("I meant Anna", reply_to=first.platform_id)
    await home.work()
    assert await states(home) == ["answered", "open"]
    assert home.adapter.texts()[-1] == "Fine."


async def test_what_was_written_long_before_the_question_is_no_answer(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Noon.")
    await home.hear("what time is it?", sent_at=home.clock.now() - 60_000)
    await home.work()
    assert await states(home) == ["open"]


async def test_a_question_that_the_platform_refuses_is_not_left_open(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", ask(NAME), "Hello.")
    home.adapter.hitches.append(Hitch(error=SendRefused("Bad Request: message is too long")))
    await home.hear("ask me")
    await home.work()
    assert await states(home) == ["withdrawn"]
    await home.hear("hello")
    await home.work()
    assert home.adapter.texts() == ["Hello."]


async def test_a_typed_answer_is_not_shown_again_by_the_bot(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Thanks.")
    await home.hear("my secret " * 400)
    await home.work()
    assert home.shown()[0].text == "What is your name?\n\n✅"


async def test_an_owner_who_answers_by_text_does_not_become_the_principal(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", "Hello.", ask(TEA), "Coffee.")
    await home.hear("hello", **GROUP, sender=OWNER)
    await home.work()
    await home.hear("ask me", **GROUP, sender="tg:77")
    await home.work()
    question = home.shown("-5")[-1]
    await home.hear("coffee", **GROUP, sender=OWNER, reply_to=question.platform_id)
    await home.work()
    (asked_by,) = await home.column("SELECT person_id FROM question")
    assert await home.column("SELECT person_id FROM run ORDER BY id DESC LIMIT 1") == [asked_by]
    assert [one["answer"] for one in events(home)] == ["Coffee"]


async def test_whoever_was_removed_is_not_answered_any_more(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", ask(TEA), "Tea.")
    await home.hear("ask me", chat="2", sender=FRIEND)
    await home.work()
    await home.hear("and this?", chat="2", sender=FRIEND)
    await home.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed'"))
    await home.work()
    assert await home.press("Tea", chat="2", sender=FRIEND) is None
    home.clock.advance(3600)
    await home.sweep()
    assert home.model is not None
    assert len(home.model.requests) == 1
    assert await home.column("SELECT error FROM inbox WHERE text = 'and this?'") == ["no access any more"]


async def test_somebody_who_writes_as_the_group_is_not_asked(database: Database, tmp_path: Path) -> None:
    def rule(request: ModelRequest) -> Answer:
        told = [message["content"] for message in request.messages if message["role"] == "tool"]
        return Answer(text=told[0]) if told else ask(NAME)

    home = await house(database, tmp_path / "house", rule)
    await home.hear("hello", **GROUP)
    await home.db.write(lambda tx: tx.run("UPDATE person SET anonymous = 1"))
    await home.work()
    assert "writes as the group" in home.adapter.texts("-5")[-1]


async def test_a_reply_to_a_question_that_came_twice_answers_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", ask(NAME), "Hello Ann.")
    home.adapter.hitches.append(Hitch(error=SendDoubtful("cut"), effect=True))
    await home.hear("ask me")
    await home.work()
    await home.later(5)
    first, second = home.shown()
    assert first.platform_id != second.platform_id
    await home.hear("Ann", reply_to=first.platform_id)
    await home.work()
    assert [one["answer"] for one in events(home)] == ["Ann"]


async def test_of_two_copies_of_a_question_the_one_that_was_sent_stays(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "It is noon.", "Tea.")
    home.adapter.hitches.extend([None, Hitch(error=SendRefused("Bad Request: nope"))])
    await home.hear("what time is it?")
    await home.work()
    assert await states(home) == ["open"]
    assert await home.press("Tea") == "Tea"


async def test_what_a_window_answers_is_shown_on_one_line_and_cut(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello.", **GROUP)
    home.adapter.edits_asking = True
    window = {**GROUP, "reply_to": home.shown("-5")[-1].platform_id, "answers": True}
    await told(home, f"*Ann*\n{'x' * 300}", **window)
    assert home.shown("-5")[1].text == f"What is your name?\n\n✅ \\*Ann\\* {'x' * 193}… — Name of tg:1"


@pytest.mark.parametrize(("question", "text"), [(TEA, "coffee"), (NAME, "Bob")], ids=["an option", "free"])
async def test_a_reply_to_somebody_elses_question_is_told_so_and_decides_nothing(
    database: Database, tmp_path: Path, question: dict[str, Any], text: str
) -> None:
    home = await asked(database, tmp_path, ask(question), "Fine.", **GROUP, sender=FRIEND)
    shown = home.shown("-5")[-1]
    await home.hear(text, **GROUP, sender="tg:77", reply_to=shown.platform_id)
    await home.work()
    assert home.adapter.texts("-5")[2:] == ["This question is for somebody else."]
    assert await states(home) == ["open"]
    assert events(home) == []


@pytest.mark.parametrize("question", [TEA, NAME])
@pytest.mark.parametrize("text", ["remind me at 5pm to call Oma", "/time"])
async def test_what_can_stand_by_itself_is_heard_in_a_reply_to_somebody_elses_question(
    database: Database, tmp_path: Path, text: str, question: dict[str, Any]
) -> None:
    home = await asked(database, tmp_path, ask(question), "Fine.", **GROUP, sender=FRIEND)
    shown = home.shown("-5")[-1]
    await home.hear(text, **GROUP, sender="tg:77", reply_to=shown.platform_id)
    await home.work()
    assert "This question is for somebody else." not in home.adapter.texts("-5")
    assert len(home.adapter.texts("-5")) >= 3
    assert (await states(home))[0] == "open"


async def test_a_look_at_what_is_due_writes_for_questions_only_where_the_time_of_one_is_up(
    database: Database, tmp_path: Path
) -> None:
    process = CrashingDatabase(database)
    home = await asked(process, tmp_path, ask(TEA), "Tea then.")
    written = []
    for seconds in (0, 61, 0):
        home.clock.advance(seconds)
        before = process.commits
        assert not await home.app.scheduler._expire()
        written.append(process.commits - before)
    assert written == [0, 1, 0]
    assert await states(home) == ["expired"]


async def test_a_platform_that_is_heard_again_during_a_look_is_looked_at_again_soon(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea then.")
    home.clock.advance(61)
    heard = iter([False])
    monkeypatch.setattr(home.adapter, "hears", lambda _tenant: next(heard, True))
    assert await home.app.scheduler._expire()
    assert await states(home) == ["open"]
    assert not await home.app.scheduler._expire()
    assert await states(home) == ["expired"]


async def test_a_platform_that_is_lost_between_look_and_end_is_looked_at_again_soon(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Tea then.")
    home.clock.advance(61)
    heard = iter([True, False])
    monkeypatch.setattr(home.adapter, "hears", lambda _tenant: next(heard, True))
    assert await home.app.scheduler._expire()
    assert await states(home) == ["open"]
    assert not await home.app.scheduler._expire()
    assert await states(home) == ["expired"]


@pytest.mark.parametrize(("code", "said_so"), [("en", "That question has run out."), ("zh", "这个问题已经过期。")])
async def test_without_a_model_a_reply_to_a_question_that_has_run_out_is_told_so(
    database: Database, tmp_path: Path, code: str, said_so: str
) -> None:
    home = await unmodelled(database, tmp_path)
    await said(home, f"/language {code}")
    await said(home, "remind me to call Oma")
    question = home.shown()[-1].platform_id
    home.clock.advance(3601)
    await home.sweep()
    assert await states(home) == ["expired"]
    assert await said(home, "tomorrow at 9", reply_to=question) == said_so
    # What stands by itself is done, and what is no reply is as it was.
    assert "milk" in await said(home, "add milk to my list", reply_to=question)
    assert said_so not in await said(home, "tomorrow at 9")


async def test_without_a_model_a_reply_to_a_question_that_was_skipped_is_told_so(
    database: Database, tmp_path: Path
) -> None:
    home = await unmodelled(database, tmp_path)
    await said(home, "remind me to call Oma")
    question = home.shown()[-1].platform_id
    await home.press("Skip")
    await home.work()
    assert await said(home, "tomorrow at 9", reply_to=question) == "That question is asked no more."


async def test_with_a_model_a_reply_to_a_question_that_has_run_out_goes_to_the_model(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Then not.", "Hello Ann.")
    question = home.shown()[-1].platform_id
    home.clock.advance(61)
    await home.sweep()
    assert await said(home, "Ann", reply_to=question) == "Hello Ann."
