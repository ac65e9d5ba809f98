"""Questions: asked with buttons, answered by a press or a text (STATES: Question; TOOLS: ask_user)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Press, Sender, ToolCall
from tests.asking import GROUP, NAME, TEA, ask, asked, events, states
from tests.fakes import FRIEND, OWNER, house

pytestmark = pytest.mark.databases("sqlite")


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


async def test_options_that_differ_in_their_last_character_are_two(database: Database, tmp_path: Path) -> None:
    one, other = f"{'x' * 74}1", f"{'x' * 74}2"
    home = await asked(database, tmp_path, ask({"question": "Which?", "options": [one, other]}), "Fine.")
    assert await home.press(other) == other
    await home.work()
    assert [event["answer"] for event in events(home)] == [other]


async def test_a_second_press_changes_nothing(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Fine.")
    coffee, tea = home.button("Coffee"), home.button("Tea")
    assert await home.press("", data=coffee) == "Coffee"
    assert await home.press("", data=tea) == "Already answered."
    await home.work()
    assert await home.press("", data=tea) == "Already answered."
    assert await home.column("SELECT answer FROM question") == ["Coffee"]
    assert len(events(home)) == 1


@pytest.mark.databases("sqlite", "postgres")
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
    home.clock.advance(20)
    await home.hear("is it noon where you are?")
    await home.work()
    await home.hear("and now?")
    await home.work()
    assert [message.text for message in home.shown()] == [
        "Tea or coffee?\n\n⏱ In 1 min: Tea",
        "It is noon.",
        "Tea or coffee?\n\n⏱ In 40 s: Tea",
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


async def test_numbers_are_whole_numbers(database: Database, tmp_path: Path) -> None:
    home = await asked(database, tmp_path, ask(TEA), "Not an answer.")
    await home.hear("000199")
    await home.work()
    assert await states(home) == ["open"]


async def test_a_run_asks_three_questions_at_most(database: Database, tmp_path: Path) -> None:
    many = Answer(calls=tuple(ToolCall(id=f"c{n}", name="ask_user", arguments={"question": f"{n}?"}) for n in range(5)))
    home = await asked(database, tmp_path, many)
    assert len(await states(home)) == 3
