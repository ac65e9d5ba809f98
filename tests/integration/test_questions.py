"""Questions: asked with buttons, decided once by a press, a text or the clock (STATES: Question; TOOLS: ask_user)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.errors import SendRefused, SendUnsent
from core.ports import Database
from core.types import Answer, ModelRequest, Press, Sender, ToolCall
from tests.fakes import FRIEND, OWNER, Hitch, House, house

TEA = {"question": "Tea or coffee?", "options": ["Tea", "Coffee"], "default": "Tea", "timeout": 60}
NAME = {"question": "What is your name?", "timeout": 60}
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}


def ask(arguments: Mapping[str, Any], call_id: str = "c1") -> Answer:
    return Answer(calls=(ToolCall(id=call_id, name="ask_user", arguments=arguments),))


def events(home: House) -> list[dict[str, Any]]:
    """The events the model was woken with."""
    assert home.model is not None
    return [json.loads(request.event) for request in home.model.requests if request.event]


async def asked(database: Database, folder: Path, *script: Any, **where: Any) -> House:
    """A house in which the model has asked what the script's first answers ask."""
    home = await house(database, folder / "house", *script)
    await home.hear("ask me", **where)
    await home.work()
    return home


async def states(home: House) -> list[str]:
    return await home.column("SELECT state FROM question ORDER BY id")


async def test_options_become_buttons_with_a_way_out(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA))
    (message,) = home.shown()
    assert message.text == "Tea or coffee?\n\n⏱ In 1 min: Tea"
    assert message.keyboard is not None
    assert [button.label for button in message.keyboard.buttons] == ["Tea", "Coffee", "Skip"]
    assert max(len(button.data.encode()) for button in message.keyboard.buttons) <= 64
    assert await states(home) == ["open"]
    assert await home.column("SELECT state FROM run") == ["asked"]


async def test_a_press_answers_and_the_buttons_give_way_to_the_choice(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Coffee it is.")
    assert await home.press("Coffee") == "Coffee"
    await home.work()
    question, answer = home.shown()
    assert question.text.endswith("✅ Coffee — Name of tg:1")
    assert question.keyboard is None
    assert answer.text == "Coffee it is."
    assert [(one["answer"], one["source"]) for one in events(home)] == [("Coffee", "user")]
    assert events(home)[0]["question_id"].startswith("q")


async def test_a_second_press_changes_nothing(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Fine.")
    coffee, tea = home.button("Coffee"), home.button("Tea")
    assert await home.press("", data=coffee) == "Coffee"
    assert await home.press("", data=tea) == "Already answered."
    await home.work()
    assert await home.press("", data=tea) == "Already answered."
    assert await home.column("SELECT answer FROM question") == ["Coffee"]
    assert len(events(home)) == 1


async def test_two_presses_in_one_batch_answer_once(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Fine.")
    person = Sender(address=OWNER, name="A", language="en")
    presses = [
        Press(key=f"k{n}", chat="1", sender=person, data=home.button(label), raw="{}")
        for n, label in enumerate(("Tea", "Coffee"))
    ]
    shown = await home.app.inbox.accept(home.tenant_id, presses)
    await home.work()
    assert dict(shown) == {"k0": "Tea", "k1": "Already answered."}
    assert [one["answer"] for one in events(home)] == ["Tea"]


async def test_another_person_of_the_group_gets_a_notice_and_changes_nothing(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", ask(TEA), "Tea then.")
    await home.hear("hello", **GROUP, sender=FRIEND)
    await home.work()
    shown = await home.press("Tea", sender="tg:77", chat="-5", chat_kind="group")
    assert shown == "This question is for somebody else."
    assert await states(home) == ["open"]
    assert await home.press("Tea", sender=OWNER, chat="-5", chat_kind="group") == "Tea"
    assert await home.column("SELECT answered_by FROM question") == await home.column(
        "SELECT person_id FROM address WHERE external_id = 'tg:1'"
    )


async def test_a_button_of_another_chat_or_a_forged_one_is_unknown(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA))
    tea = home.button("Tea")
    token = tea.partition(":")[0]
    for data in (f"{token}:9", f"{token}:-1", f"{token}:", token, tea.swapcase(), "", "x" * 64, f"{tea} "):
        assert await home.press("", data=data or ":") == "This button no longer works."
    assert await home.press("", data=tea, chat="2", sender=FRIEND) == "This button no longer works."
    assert await states(home) == ["open"]


async def test_a_stranger_who_presses_is_shown_nothing(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA))
    assert await home.press("Tea", sender="tg:99") is None
    assert await states(home) == ["open"]
    assert await home.column("SELECT count(*) FROM person") == [1]


@pytest.mark.parametrize("text", ["Coffee", "  coffee ", "2", "2.", "c", "COF"])
async def test_a_text_that_means_an_option_answers(database: Database, tmp_path: Path, text: str) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Coffee it is.")
    await home.hear(text)
    await home.work()
    assert [one["answer"] for one in events(home)] == ["Coffee"]
    assert home.shown()[0].keyboard is None


async def test_another_text_is_answered_as_such_and_the_options_are_shown_once_more(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, ask(TEA), "It is noon.", "Still noon.", "Tea!")
    await home.hear("what time is it?")
    await home.work()
    await home.hear("and now?")
    await home.work()
    assert [message.text for message in home.shown()] == [
        "Tea or coffee?\n\n⏱ In 1 min: Tea",
        "It is noon.",
        "Tea or coffee?",
        "Still noon.",
    ]
    assert home.model is not None
    assert "Tea or coffee?" in str(home.model.requests[1].messages)
    assert await states(home) == ["open"]
    await home.press("Tea")
    await home.work()
    assert [message.keyboard for message in home.shown()] == [None] * 5
    assert len(events(home)) == 1


async def test_without_options_the_next_message_is_the_answer_but_no_command(
    database: Database, tmp_path: Path
) -> None:
    home = await asked(database, tmp_path, ask(NAME), "Hello Ann.")
    await home.hear("/help")
    await home.work()
    assert await states(home) == ["open"]
    await home.hear("Ann")
    await home.work()
    assert [one["answer"] for one in events(home)] == ["Ann"]
    assert home.model is not None
    assert home.model.requests[-1].heard == ("Ann",)


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


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"question": "?", "timeout": 29}, "timeout must be 30 to 2592000 seconds, not 29"),
        ({"question": "?", "timeout": 2_592_001}, "timeout must be 30 to"),
        ({"question": "?", "options": []}, "give 1 to 10 options"),
        ({"question": "?", "options": [str(n) for n in range(11)]}, "give 1 to 10 options"),
        ({"question": "?", "options": ["x" * 76]}, "each option has 1 to 75 characters"),
        ({"question": "?", "options": ["Yes", " yes "]}, "the options must differ"),
        ({"question": "?", "options": ["Yes"], "default": "No"}, "default must be one of the options"),
    ],
)
async def test_a_bad_question_tells_the_model_what_to_change(
    database: Database, tmp_path: Path, arguments: dict[str, Any], problem: str
) -> None:
    def rule(request: ModelRequest) -> Answer:
        told = [message["content"] for message in request.messages if message["role"] == "tool"]
        return Answer(text=told[0]) if told else ask(arguments)

    home = await house(database, tmp_path / "house", rule)
    await home.hear("ask me")
    await home.work()
    assert problem in home.adapter.texts()[0]
    assert await states(home) == []


async def test_null_timeout_is_an_hour(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask({"question": "?", "timeout": None}))
    (row,) = await home.rows("SELECT timeout_s, expires_at FROM question")
    assert row == {"timeout_s": 3600, "expires_at": home.clock.now() + 3_600_000}


async def test_replies_and_other_calls_of_the_same_answer_still_go(database: Database, tmp_path: Path) -> None:
    answer = Answer(
        calls=(
            ToolCall(id="c1", name="ask_user", arguments=TEA),
            ToolCall(id="c2", name="reply", arguments={"text": "A moment."}),
            ToolCall(id="c3", name="log_decision", arguments={"reasoning": "because"}),
        )
    )
    home = await asked(database, tmp_path, answer)
    assert [message.text.partition("\n")[0] for message in home.shown()] == ["A moment.", "Tea or coffee?"]
    assert await home.column("SELECT tool FROM step WHERE kind = 'call' ORDER BY n") == [
        "ask_user",
        "reply",
        "log_decision",
    ]


async def test_the_responder_without_a_model_can_ask_too(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await home.hear("ask me something")
    await home.work()
    await home.press("Coffee")
    await home.work()
    assert home.adapter.texts()[-1] == "You chose “Coffee”."
    await home.hear("ask me something")
    await home.work()
    home.clock.advance(121)
    await home.sweep()
    assert home.adapter.texts()[-1] == "No answer came, so I go with “Tea”."


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


async def test_numbers_are_whole_numbers(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Not an answer.")
    await home.hear("000199")
    await home.work()
    assert await states(home) == ["open"]


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


async def test_a_run_asks_three_questions_at_most(database: Database, tmp_path: Path) -> None:
    many = Answer(calls=tuple(ToolCall(id=f"c{n}", name="ask_user", arguments={"question": f"{n}?"}) for n in range(5)))
    home = await asked(database, tmp_path, many)
    assert len(await states(home)) == 3
