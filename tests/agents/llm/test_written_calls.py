"""Calls as models write them into their text: read right in every form that is around, and never where it is a text."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agents.llm.openai.text_protocol import decode
from core.agents.llm.openai.written_calls import read
from tests.emulators.openai import OpenAIServer
from tests.openai_client import KEY, QuickClock, asked, connected

OFFERED = frozenset({"remind", "todo", "echo"})
ARGUMENTS = {"text": "tea", "when": "at 5"}
JSON = json.dumps(ARGUMENTS)
ONE = [("remind", ARGUMENTS)]
CALL = f'{{"name": "remind", "arguments": {JSON}}}'
FORMS: dict[str, str] = {
    "Hermes, Qwen": f"<tool_call>\n{CALL}\n</tool_call>",
    "Hermes with prose": f"I will set that.\n<tool_call>{CALL}</tool_call>",
    "Hermes without an end": f"<tool_call>{CALL}",
    "Hermes with single quotes": f"<tool_call>{{'name': 'remind', 'arguments': {ARGUMENTS}}}</tool_call>",
    "Hermes with thoughts": f"<think>five … <tool_call> maybe</think>\n<tool_call>{CALL}</tool_call>",
    "GLM": "<tool_call>remind\n<arg_key>text</arg_key>\n<arg_value>tea</arg_value>\n<arg_key>when</arg_key>\n"
    "<arg_value>at 5</arg_value>\n</tool_call>",
    "Qwen coder": "<tool_call>\n<function=remind>\n<parameter=text>\ntea\n</parameter>\n<parameter=when>\nat 5\n"
    "</parameter>\n</function>\n</tool_call>",
    "Llama 3.1": f"<function=remind>{JSON}</function>",
    "Llama, a tag each": "<function=remind><parameter=text>tea</parameter><parameter=when>at 5</parameter></function>",
    "invoke": '<invoke name="remind"><parameter name="text">tea</parameter>'
    '<parameter name="when">at 5</parameter></invoke>',
    "Llama, python tag": f'<|python_tag|>{{"name": "remind", "parameters": {JSON}}}',
    "Llama, python call": '<|python_tag|>remind.call(text="tea", when="at 5")',
    "Llama 4": '[remind(text="tea", when="at 5")]',
    "a call alone": 'remind(text="tea", when="at 5")',
    "Mistral": f"[TOOL_CALLS] [{CALL}]",
    "Mistral, new": f"[TOOL_CALLS]remind[ARGS]{JSON}",
    "Mistral, bare": f"[TOOL_CALLS]remind{JSON}",
    "Granite": f"<|tool_call|>[{CALL}]",
    "Kimi": f"<|tool_call_begin|>functions.remind:0<|tool_call_argument_begin|>{JSON}<|tool_call_end|>",
    "DeepSeek": f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>remind\n```json\n{JSON}\n```<｜tool▁call▁end｜>",
    "DeepSeek, new": f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>remind\n{JSON}<｜tool▁call▁end｜>",
    "gpt-oss": f"<|channel|>commentary to=functions.remind <|constrain|>json<|message|>{JSON}<|call|>",
    "functioncall": f"<functioncall> {CALL} </functioncall>",
    "function_call": f"<function_call>{CALL}</function_call>",
    "ReAct": f"Thought: tea at five.\nAction: remind\nAction Input: {JSON}",
    "OpenAI": CALL,
    "OpenAI, a string": json.dumps({"name": "remind", "arguments": JSON}),
    "OpenAI, a string of a string": json.dumps({"name": "remind", "arguments": json.dumps(JSON)}),
    "OpenAI, whole": json.dumps({"type": "function", "function": {"name": "remind", "arguments": JSON}}),
    "parameters": json.dumps({"name": "remind", "parameters": ARGUMENTS}),
    "tool and args": json.dumps({"tool": "remind", "args": ARGUMENTS}),
    "function, a name": json.dumps({"function": "remind", "arguments": ARGUMENTS}),
    "a list": f"[{CALL}]",
    "a fence": f"```json\n{CALL}\n```",
    "a fence of calls": f"```tool_call\n{CALL}\n```",
    "a fence of Python": '```python\nremind(text="tea", when="at 5")\n```',
    "a fence around marks": f"```xml\n<tool_call>{CALL}</tool_call>\n```",
    "behind a sentence": f"I will set that. <tool_call>{CALL}</tool_call> One moment.",
    "gpt-oss with thoughts": "<|channel|>analysis<|message|>tea<|end|><|start|>assistant"
    f"<|channel|>commentary to=functions.remind <|constrain|>json<|message|>{JSON}<|call|>",
    "Kimi, a section": "<|tool_calls_section_begin|><|tool_call_begin|>functions.remind:0<|tool_call_argument_begin|>"
    f"{JSON}<|tool_call_end|><|tool_calls_section_end|>",
    "a comma too many": '{"name": "remind", "arguments": {"text": "tea", "when": "at 5",},}',
    "a name and JSON": f"remind: {JSON}",
}
TEXTS: dict[str, str] = {
    "an example": f"In the manual it says, for example: {CALL} - but do not do that now.",
    "an example of ours": 'Write {"tool": "remind", "args": {"text": "tea"}} and I set it.',
    "a fence in prose": f"You could write:\n```json\n{CALL}\n```\nThen it is set.",
    "a sentence": "I would call remind(text=tea) for that.",
    "another tool": '{"name": "launch", "arguments": {}}',
    "JSON of somebody": '{"name": "Bob", "age": 5}',
    "a list of words": '["remind", "todo"]',
    "Python": "print(1)",
    "code": "remind(__import__('os').system('x'))",
    "a computed argument": 'remind(text="a" + "b")',
    "a quoted mark": f'The message says "<tool_call>{CALL}</tool_call>", and I left that alone.',
    "a mark in a sentence": f"Hermes writes <tool_call>{CALL}</tool_call> for it.",
    "a mark as code": f"In Hermes it is `<tool_call>{CALL}</tool_call>`. Shall I?",
    "marks in a fence": f"Hermes writes:\n```xml\n<tool_call>\n{CALL}\n</tool_call>\n```\nThat is all.",
    "a quoted line": f"> <tool_call>{CALL}</tool_call>\n\nThat is what Bob wrote.",
    "a quoted function": "Qwen writes `<function=remind><parameter=text>tea</parameter></function>` for it.",
    "a tag in a sentence": 'Use <invoke name="remind"> for that.',
    "a tag before a sentence": "<function=remind> is how it begins.",
    "an example of ReAct": f"It looks like this:\nAction: remind\nAction Input: {JSON}",
    "an answer": "Tea is at five.",
    "a title": "Action: call Bob",
    "nothing": "  ",
    "thoughts": "<think>remind(text='tea')</think> It is set.",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_call_is_read_however_it_is_written(text: str) -> None:
    assert read(text, OFFERED) == ONE
    answer, problem = decode(text, offered=OFFERED)
    assert ([(one.name, one.arguments) for one in answer.calls], problem) == (ONE, "")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_only_looks_like_a_call_is_a_text(text: str) -> None:
    assert read(text, OFFERED) == []
    assert not decode(text, offered=OFFERED)[0].calls


def test_several_calls_come_in_their_order() -> None:
    both = f'<tool_call>{CALL}</tool_call>\n<tool_call>{{"name": "todo", "arguments": {{"add": ["x"]}}}}</tool_call>'
    assert [name for name, _ in read(both, OFFERED)] == ["remind", "todo"]
    assert [name for name, _ in read('[remind(text="a"), echo(value="b")]', OFFERED)] == ["remind", "echo"]


def test_a_marked_call_of_another_name_is_told_to_be_none_of_the_tools() -> None:
    assert read('<tool_call>{"name": "launch", "arguments": {}}</tool_call>', OFFERED) == [("launch", {})]


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" * 1_500,
        "[" * 19_000,
        "<function=a>" * 1_500,
        "(" * 19_000,
        "-" * 19_000,
        '{"a":' * 3_000,
        "a(" * 9_000,
    ],
)
def test_hostile_texts_are_quick(text: str) -> None:
    began = time.process_time()
    assert not [name for name, _ in read(text, OFFERED) if name in OFFERED]
    assert time.process_time() - began < 1


@given(st.text(max_size=200))
def test_nothing_that_anybody_writes_breaks_it(text: str) -> None:
    read(text, OFFERED)


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(key=KEY) as running:
        yield running


@pytest.mark.parametrize("tool_calls", ["auto", "json"])
async def test_calls_in_the_text_of_an_answer_are_calls(server: OpenAIServer, tool_calls: str) -> None:
    server.answer('<tool_call>{"name": "echo", "arguments": {"value": "x"}}</tool_call>')
    async with connected(server, QuickClock(), tool_calls=tool_calls) as model:
        answer = await model.complete(asked())
    assert [(one.name, one.arguments) for one in answer.calls] == [("echo", {"value": "x"})]
    assert answer.text == ""
