"""The loop: calls, limits, replies, and answers of every kind of badness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.agents.llm.scripted import Rule, Said
from core.agents.loop import NO_WORDS, ROUNDS
from core.kernel.errors import ModelUnreachable
from core.kernel.strict_json import parse_arguments
from core.kernel.types import Answer, ModelRequest, ToolCall, Usage
from core.toolkit.executor import CALLS_A_RUN
from tests.conftest import DatabaseMaker
from tests.fakes import House, house


def calls(*wanted: tuple[str, dict[str, Any]]) -> Answer:
    return Answer(
        calls=tuple(ToolCall(id=f"c{n}", name=name, arguments=given) for n, (name, given) in enumerate(wanted))
    )


def echo(*values: object) -> Answer:
    return calls(*(("echo", {"value": str(value)}) for value in values))


def results(request: ModelRequest) -> list[Any]:
    return [json.loads(message["content"]) for message in request.messages if message["role"] == "tool"]


def acts(request: ModelRequest) -> list[Any]:
    return [message for message in request.messages if message["role"] == "tool" or "tool_calls" in message]


class Talk:
    """One message, and what came of it."""

    def __init__(self, home: House) -> None:
        self.home = home

    @property
    def requests(self) -> list[ModelRequest]:
        assert self.home.model is not None
        return self.home.model.requests

    @property
    def said(self) -> list[str]:
        return self.home.adapter.texts()

    async def steps(self) -> list[tuple[str, str]]:
        rows = await self.home.rows("SELECT kind, tool FROM step ORDER BY n")
        return [(row["kind"], row["tool"]) for row in rows]


@pytest.fixture
def talk(make_database: DatabaseMaker, tmp_path: Path) -> Any:
    async def begin(*script: Said | Rule) -> Talk:
        home = await house(await make_database("sqlite"), tmp_path / "house", *script)
        await home.hear("hello")
        await home.work()
        return Talk(home)

    return begin


async def test_a_plain_answer_is_one_reply_and_one_step(talk: Any) -> None:
    found = await talk("hi", "unused")
    assert found.said == ["hi"]
    assert await found.steps() == [("answer", "")]


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_answer_is_silence(talk: Any, text: str) -> None:
    found = await talk(text, "unused")
    assert found.said == []
    assert await found.home.column("SELECT state FROM inbox") == ["done"]


@pytest.fixture
def speechless(make_database: DatabaseMaker, tmp_path: Path) -> Any:
    """A talk with a model that does not mean its silence."""

    async def begin(*script: Said | Rule) -> Talk:
        home = await house(await make_database("sqlite"), tmp_path / "house", *script)
        assert home.model is not None
        home.model.speechless = True
        await home.hear("hello")
        await home.work()
        return Talk(home)

    return begin


async def test_a_model_without_words_is_asked_once_more_and_then_the_person_is_told(speechless: Any) -> None:
    found = await speechless("", " \u200b\n", "unused")
    assert found.said == ["The model gave no answer to that. Try to put it differently."]
    assert await found.steps() == [("answer", ""), ("answer", "")]
    assert found.requests[1].tools == found.requests[0].tools


async def test_what_was_changed_is_not_done_again_for_want_of_words(speechless: Any) -> None:
    handed = calls(("delegate", {"prompt": "compare the trains"}))
    found = await speechless(echo(1), handed, "", handed, "unused")
    assert found.said == ["The model gave no answer to that. But I have handed work over."]
    assert found.requests[-1].tools == ()
    assert await found.home.column("SELECT prompt FROM task") == ["compare the trains"]


async def test_a_run_that_waits_for_its_words_goes_on_with_them_when_the_model_is_back(speechless: Any) -> None:
    found = await speechless(echo(1), "", ModelUnreachable("away"), "here they are", "unused")
    await found.home.later(600)
    assert found.said[-1].endswith("here they are")
    assert [request.messages[-1]["content"] for request in found.requests[2:]] == [NO_WORDS, NO_WORDS]


async def test_whoever_was_told_to_wait_while_the_model_is_away_hears_of_it_again(speechless: Any) -> None:
    wait = calls(("reply", {"text": "One moment."}))
    found = await speechless(wait, ModelUnreachable("away"), "", "Five.", "unused")
    await found.home.later(600)
    assert found.said[-1].endswith("Five.")
    found = await speechless(wait, ModelUnreachable("away"), "", "", "unused")
    await found.home.later(600)
    assert found.said[-1].endswith("The model gave no answer to that. Try to put it differently.")
    found = await speechless(wait, ModelUnreachable("away"), ".", "unused")
    await found.home.later(600)
    assert "gave no answer" not in found.said[-1]
    assert found.said.count("One moment.") == 1


async def test_where_the_model_gave_no_answer_people_hear_what_was_done_by_then(talk: Any) -> None:
    sentence = Answer(text="The model gave no answer to that. Try to put it differently.", unsaid=True)
    assert (await talk(sentence, "unused")).said == [sentence.text]
    found = await talk(calls(("delegate", {"prompt": "compare the trains"})), sentence, "unused")
    assert found.said == ["The model gave no answer to that. But I have handed work over."]


async def test_what_shows_nothing_is_no_reply_and_no_question(speechless: Any) -> None:
    found = await speechless(
        calls(("reply", {"text": " \u200b"}), ("ask_user", {"question": " \n"})), "", "here it is", "unused"
    )
    assert found.said == ["here it is"]
    assert [one["error"] for one in results(found.requests[1])] == [
        "nothing of the text can be seen; write it in words"
    ] * 2


async def test_a_full_stop_alone_means_silence(speechless: Any) -> None:
    assert (await speechless(".", "unused")).said == []
    assert (await speechless("", "。", "unused")).said == []


async def test_what_answers_without_a_model_means_what_it_says(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(await make_database("sqlite"), tmp_path / "house", model=False)
    for text in ("echo .", "echo \u200b"):
        await home.hear(text)
        await home.work()
    assert [one.text for one in home.shown()] == ["."]
    # Nobody asks it for words.
    assert await home.column("SELECT kind FROM step ORDER BY run_id, n") == ["answer", "call"] * 2


async def test_results_go_back_in_the_order_of_their_calls(talk: Any) -> None:
    found = await talk(echo(1, 2, 3, 4), "done")
    assert results(found.requests[1]) == ["1", "2", "3", "4"]
    assert await found.steps() == [("answer", "")] + [("call", "echo")] * 4 + [("answer", "")]


async def test_a_run_that_replied_says_its_last_words_to_nobody(talk: Any) -> None:
    found = await talk(calls(("reply", {"text": "working on it"})), "I have replied.")
    assert found.said == ["working on it"]


async def test_two_replies_are_two_messages_in_order(talk: Any) -> None:
    found = await talk(calls(("reply", {"text": "one"}), ("reply", {"text": "two"})), "")
    assert found.said == ["one", "two"]


async def test_a_reply_that_failed_is_no_reply(talk: Any) -> None:
    found = await talk(calls(("reply", {"words": "one"})), "plain")
    assert found.said == ["plain"]
    assert results(found.requests[1])[0]["error"].startswith("Parameter validation failed: unknown parameter 'words'")


async def test_text_beside_calls_is_not_said(talk: Any) -> None:
    found = await talk(Answer(text="thinking…", calls=echo(1).calls), "done")
    assert found.said == ["done"]


async def test_the_fifty_first_call_is_refused_and_one_closing_answer_follows(talk: Any) -> None:
    found = await talk(echo(*range(30)), echo(*range(30, 60)), "that is all I found")
    last = found.requests[-1]
    told = results(last)
    assert [isinstance(result, dict) for result in told] == [False] * CALLS_A_RUN + [True]
    assert told[-1]["error"] == "at most 50 calls a run; answer with what you have"
    assert last.tools == ()
    assert found.said == ["that is all I found"]


async def test_calls_far_past_the_limit_leave_no_trace(talk: Any) -> None:
    found = await talk(echo(*range(5_000)), "that is all I found")
    assert await found.steps() == [("answer", "")] + [("call", "echo")] * (CALLS_A_RUN + 1) + [("answer", "")]
    assert await found.home.column("SELECT count(*) FROM ledger WHERE tool = 'echo'") == [CALLS_A_RUN + 1]
    asked = [message for message in found.requests[-1].messages if "tool_calls" in message]
    assert [len(message["tool_calls"]) for message in asked] == [CALLS_A_RUN + 1] == [len(results(found.requests[-1]))]
    assert found.said == ["that is all I found"]


async def test_a_run_taken_over_drops_the_same_calls(talk: Any) -> None:
    found = await talk(echo(*range(5_000)), ModelUnreachable("down"))
    before = await found.steps()
    found.home.model.add("that is all I found", "unused")
    await found.home.later(60)
    assert found.said[-1].endswith("that is all I found")
    assert await found.steps() == [*before, ("answer", "")]
    first, second = found.requests[-2:]
    assert acts(first) == acts(second)
    assert first.tools == second.tools == ()


async def test_a_run_is_closed_after_so_many_rounds(talk: Any) -> None:
    found = await talk(*(echo(n) for n in range(ROUNDS)), "that took long", "unused")
    assert [bool(request.tools) for request in found.requests] == [True] * ROUNDS + [False]
    assert found.said == ["that took long"]


async def test_calls_in_the_closing_answer_are_not_made(talk: Any) -> None:
    found = await talk(echo(1, 1, 1), echo(2))
    assert len(found.requests) == 2
    assert found.said == ["I stopped here: this took too many steps. Ask for a smaller part of it."]


async def test_the_same_call_three_times_without_anything_new_ends_the_run(talk: Any) -> None:
    found = await talk(echo(1), echo(1), echo(1), "I go round in circles")
    assert found.requests[-1].tools == ()
    assert found.said == ["I go round in circles"]


async def test_the_same_call_ends_the_run_even_if_its_result_is_another_each_time(talk: Any) -> None:
    found = await talk("hi", "unused")
    offered = []

    def ask(request: ModelRequest) -> Answer:
        offered.append(len(request.tools))
        found.home.clock.advance(1)
        return calls(("current_time", {})) if request.tools else Answer(text="it is late")

    found.home.model.always(ask)
    await found.home.hear("how late may it be where you are?")
    await found.home.work()
    assert found.said[-1] == "it is late"
    assert [bool(n) for n in offered] == [True, True, True, False]


async def test_the_same_arguments_in_another_order_are_the_same_call(talk: Any) -> None:
    given = {"a": 1, "b": 2}
    turned = dict(reversed(given.items()))
    found = await talk(calls(("echo", given), ("echo", turned), ("echo", given)), "enough")
    assert found.requests[-1].tools == ()


REMIND = ("remind", {"text": "tea", "when": "tomorrow at 9"})


async def test_what_an_answer_asks_for_twice_is_done_once_and_shown_once(talk: Any) -> None:
    turned = ("remind", dict(reversed(REMIND[1].items())))
    found = await talk(calls(REMIND, turned), "unused")
    assert await found.home.column("SELECT text FROM trigger") == ["tea"]
    assert ["tea" in said for said in found.said] == [True]
    assert len(found.requests) == 1
    assert await found.steps() == [("answer", ""), ("call", "remind")]


async def test_the_second_of_two_equal_calls_gets_the_result_of_the_first(talk: Any) -> None:
    found = await talk(calls(REMIND, ("echo", {"value": "x"}), REMIND), "done")
    first, _, second = results(found.requests[1])
    assert first == second
    assert "tea" in first["shown"]


async def test_a_run_taken_over_does_the_same_call_once_and_those_after_it_as_before(talk: Any) -> None:
    found = await talk(calls(REMIND, REMIND, ("echo", {"value": "x"})), ModelUnreachable("down"))
    before = await found.steps()
    found.home.model.add("done", "unused")
    await found.home.later(60)
    assert await found.home.column("SELECT text FROM trigger") == ["tea"]
    assert sum("tea" in said for said in found.said) == 1
    assert await found.steps() == [*before, ("answer", "")]
    first, second = found.requests[-2:]
    assert acts(first) == acts(second)


async def test_the_same_wish_in_another_answer_is_another_wish(talk: Any) -> None:
    found = await talk(calls(REMIND, ("echo", {"value": "x"})), calls(REMIND, ("echo", {"value": "y"})), "done")
    assert await found.home.column("SELECT text FROM trigger") == ["tea", "tea"]


async def test_one_tool_with_other_arguments_each_time_goes_on(talk: Any) -> None:
    found = await talk(echo(1), echo(2), echo(3), "done")
    assert all(request.tools for request in found.requests)


async def test_an_unknown_tool_and_a_missing_name_go_back_as_errors(talk: Any) -> None:
    found = await talk(calls(("teleport", {}), ("", {})), "sorry")
    assert [result["error"] for result in results(found.requests[1])] == [
        'Tool "teleport" not found',
        'Tool "" not found',
    ]
    assert found.said == ["sorry"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Broken JSON"),
        ("[1]", "must be one JSON object"),
        ('{"value": "a", "value": "b"}', "appears twice"),
        ('{"value": NaN}', "NaN is not JSON"),
        ('{"value": "\\ud800"}', "half a character"),
        ('{"value": 1' + "0" * 5000 + "}", "64 bits"),
        ('{"value": ' + "[" * 5000 + "]" * 5000 + "}", "nested"),
        ('{"value": null}', "value is required"),
        ('{"value": {"a": 1}}', "value: "),
        ("{}", "value is required"),
    ],
)
async def test_malformed_arguments_go_back_as_errors_and_the_run_goes_on(talk: Any, text: str, told: str) -> None:
    arguments, problem = parse_arguments(text)
    found = await talk(Answer(calls=(ToolCall(id="c", name="echo", arguments=arguments, problem=problem),)), "sorry")
    (result,) = results(found.requests[1])
    assert result["error"].startswith("Parameter validation failed: ")
    assert told in result["error"]
    assert found.said == ["sorry"]


async def test_calls_with_the_same_id_or_none_are_each_made(talk: Any) -> None:
    twins = tuple(ToolCall(id="", name="echo", arguments={"value": value}) for value in "ab")
    found = await talk(Answer(calls=twins), "done")
    assert results(found.requests[1]) == ["a", "b"]


async def test_what_a_model_took_is_counted_with_its_answer(talk: Any) -> None:
    usage = Usage(model="m", tokens_in=10, tokens_out=2)
    found = await talk(Answer(calls=echo(1).calls, usage=usage), Answer(text="done", usage=usage))
    (row,) = await found.home.rows("SELECT calls, tokens_in, tokens_out FROM token_use")
    assert row == {"calls": 2, "tokens_in": 20, "tokens_out": 4}
