"""The text protocol: tools for models that know none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agents.llm.openai.text_protocol import decode, encode, flatten, instructions, is_raw_json
from core.kernel.types import Answer, ToolCall
from tests.kernel.test_strict_json import JSON, TEXT

TOOL = {
    "type": "function",
    "function": {
        "name": "delegate",
        "description": "Give work away.",
        "parameters": {
            "type": "object",
            "properties": {
                "prompt": {"type": "string"},
                "type": {"enum": ["oneshot", "conditional"]},
                "timeout": {"type": ["number", "null"]},
            },
            "required": ["prompt"],
        },
    },
}
WORDS = TEXT.map(str.strip)
CALLS = st.lists(st.tuples(WORDS.filter(bool), st.dictionaries(TEXT, JSON, max_size=3)), min_size=1, max_size=3)


def final(text: str) -> str:
    return json.dumps({"tool_calls": [], "result": {"status": "done", "text": text}})


def test_instructions_name_each_tool_with_its_parameters() -> None:
    text = instructions([TOOL])
    assert '- delegate(prompt: string, type?: "oneshot"|"conditional", timeout?: number|null) Give work away.' in text
    assert '{"tool_calls":[{"tool":"NAME","args":{}}]' in text


def test_instructions_cost_few_tokens_in_both_languages() -> None:
    for language in ("en", "zh", "xx"):
        assert len(instructions([], language).encode()) / 4 < 110


def test_a_final_result_is_the_text() -> None:
    assert decode(final("Done.")) == (Answer(text="Done."), "")


def test_a_fence_and_words_around_the_json_are_ignored() -> None:
    text = final("Use ```py\nx = {1: 2}\n``` here.")
    for wrapped in (f"```json\n{text}\n```", f"Sure {{friend}}! {text} Hope it's fine."):
        assert decode(wrapped)[0].text == "Use ```py\nx = {1: 2}\n``` here."


def test_result_is_ignored_while_there_are_calls() -> None:
    text = '{"tool_calls":[{"tool":"echo","args":{"value":"a"}}],"result":{"status":"done","text":"too early"}}'
    answer, problem = decode(text)
    assert (answer.text, problem) == ("", "")
    assert answer.calls == (ToolCall(id="call_0", name="echo", arguments={"value": "a"}),)


def test_plain_text_is_the_answer() -> None:
    for text in ("Hello!", 'JSON looks like {"a": 1}.', '{"a": 1}', '{"result": 5}', "a { b", ""):
        assert decode(text) == (Answer(text=text), "")


def test_a_summary_stands_in_for_a_missing_text() -> None:
    text = '{"tool_calls":[],"result":{"status":"done","text":"","summary":"Two files read."}}'
    assert decode(text)[0] == Answer(text="Two files read.")


@pytest.mark.parametrize(("status", "said"), [("failed", "Nothing."), ("done", "")])
def test_a_result_that_failed_without_words_is_not_silent(status: str, said: str) -> None:
    text = f'{{"tool_calls":[],"result":{{"status":"{status}","text":" "}}}}'
    assert decode(text, nothing="Nothing.") == (Answer(text=said), "")


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ('{"result":{"text":"half', True),
        ('Sure!\n```json\n{"result":{"te', True),
        (' {"a": 1} ', True),
        ("Just words.", False),
        ('It says "result": 5 there.', False),
        (final('{"a": 1}'), False),
    ],
)
def test_json_that_was_meant_for_us_is_told_from_words(text: str, raw: bool) -> None:
    assert is_raw_json(decode(text)[0], text) is raw


def test_a_question_brings_its_options_along() -> None:
    text = '{"tool_calls":[],"result":{"status":"needs_input","question":"Which?","options":["a","b",7]}}'
    assert decode(text)[0] == Answer(text="Which?", choices=("a", "b"))


@pytest.mark.parametrize(
    "text",
    [
        '{"tool_calls":[{"tool":"echo","args":{}}',
        '{"tool_calls":[],"result":{"text":"a "quoted" word"}}',
        '{"tool_calls":[],"tool_calls":[]}',
        '{"result":{"text":"\\ud800"}}',
        '{"tool_calls":' + "[" * 100_000,
    ],
)
def test_broken_json_is_a_problem_and_keeps_the_raw_text(text: str) -> None:
    answer, problem = decode(text)
    assert problem
    assert answer == Answer(text=text)


@pytest.mark.parametrize("calls", ["5", '"echo"', "[null]", '[{"args":{}}]', '{"tool":"echo","args":[1]}'])
def test_garbled_calls_become_calls_with_a_problem(calls: str) -> None:
    answer, problem = decode(f'{{"tool_calls":{calls}}}')
    assert problem == ""
    assert [bool(call.problem) for call in answer.calls] == [True]


def test_calls_and_results_are_flattened_into_texts() -> None:
    called = {"id": "c1", "type": "function", "function": {"name": "echo", "arguments": '{"value":"a"}'}}
    timed = {"id": "c2", "type": "function", "function": {"name": "current_time", "arguments": "{}"}}
    user = {"role": "user", "content": "hi"}
    flat = flatten([
        user,
        {"role": "assistant", "content": None, "tool_calls": [called, timed]},
        {"role": "tool", "tool_call_id": "c1", "content": '"a"'},
        {"role": "tool", "tool_call_id": "c2", "content": "not json"},
        {"role": "assistant", "content": "Done."},
    ])
    assert [message["role"] for message in flat] == ["user", "assistant", "user", "assistant"]
    assert json.loads(flat[1]["content"])["tool_calls"] == [
        {"tool": "echo", "args": {"value": "a"}},
        {"tool": "current_time", "args": {}},
    ]
    results = json.loads(flat[2]["content"].removeprefix("results: "))
    assert results == [{"tool": "echo", "result": "a"}, {"tool": "current_time", "result": "not json"}]


@given(WORDS, st.lists(WORDS.filter(bool), max_size=3))
def test_a_final_answer_survives_encoding(text: str, options: list[str]) -> None:
    answer = Answer(text=text, choices=tuple(options))
    assert decode(encode(answer)) == (answer, "")


@given(CALLS)
def test_calls_survive_encoding(calls: list[tuple[str, dict[str, object]]]) -> None:
    answer, problem = decode(encode(Answer(calls=tuple(ToolCall(id="x", name=n, arguments=a) for n, a in calls))))
    assert problem == ""
    assert [(call.name, call.arguments) for call in answer.calls] == calls


@given(st.text() | st.text(alphabet='{}[]",:\\ tool_callsresult'))
def test_arbitrary_text_never_raises(text: str) -> None:
    decode(text)[0].text.encode()
