"""The strict JSON reader, and the reading of completions."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agents.llm.openai.completion import answer_from_completion
from core.agents.llm.openai.failures import NothingSaid
from core.kernel.strict_json import MAX_BYTES, MAX_DEPTH, BadJson, loads, parse_arguments, read_body
from core.kernel.types import Usage

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
SCALAR = st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, width=32) | TEXT
JSON = st.recursive(
    SCALAR.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
# Anything a server may send, sane or not; keys that matter turn up often.
KEYS = st.sampled_from([
    "choices",
    "message",
    "content",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "id",
    "usage",
    "prompt_tokens",
])
WILD = st.recursive(
    SCALAR | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=4),
    max_leaves=25,
)

BAD = {
    "broken": "{",
    "nothing": "",
    "NaN": '{"a": NaN}',
    "infinity": "-Infinity",
    "a float beyond the range": '{"a": 1e999}',
    "duplicate keys": '{"a": 1, "a": 2}',
    "duplicate keys deep inside": '[{"b": {"a": 1, "a": 2}}]',
    "a lone surrogate": '{"a": "\\ud800"}',
    "a lone surrogate in a key": '{"\\udfff": 1}',
    "a raw surrogate": '{"a": "\ud800"}',
    "a NUL": '{"a": "x\\u0000"}',
    "an integer beyond 64 bits": f"[{2**63}]",
    "an integer of 5000 digits": "9" * 5000,
    "100,000 open brackets": "[" * 100_000,
    "100,000 nested objects": '{"a":' * 100_000,
    "one level too many": "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    "too many bytes": json.dumps("x" * MAX_BYTES),
    "trailing words": "{} thanks",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_what_is_not_strict_json_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadJson) as refused:
        loads(text)
    assert 10 < len(str(refused.value)) < 200
    assert str(refused.value).encode()


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(BadJson, match="UTF-8"):
        loads(b'"\xff"')


@pytest.mark.parametrize("text", ['"[[["', "[" * MAX_DEPTH + "]" * MAX_DEPTH, '"\\ud83d\\ude00"', str(2**63 - 1)])
def test_what_only_looks_dangerous_is_read(text: str) -> None:
    assert loads(text) == json.loads(text)


def test_brackets_within_text_do_not_count_as_depth() -> None:
    value = {"code": "[" * 1000 + '\\"{' * 100}
    assert loads(json.dumps(value)) == value


def test_an_endless_string_of_quotes_is_refused_quickly() -> None:
    with pytest.raises(BadJson):
        loads("[" * 40 + '"' + '\\"' * 100_000)


@given(JSON)
def test_every_sane_value_is_read_as_it_was_written(value: Any) -> None:
    assert loads(json.dumps(value)) == value


@given(st.binary() | st.text())
def test_arbitrary_input_never_raises_anything_else(data: bytes | str) -> None:
    with suppress(BadJson):
        loads(data)


@given(WILD | st.binary() | st.text())
def test_arguments_of_any_kind_become_a_dictionary_or_a_problem(value: Any) -> None:
    arguments, problem = parse_arguments(value)
    assert isinstance(arguments, dict)
    assert not (arguments and problem)
    json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("nothing", [None, "", "null", "{}", {}])
def test_no_arguments_are_no_problem(nothing: object) -> None:
    assert parse_arguments(nothing) == ({}, "")


@pytest.mark.parametrize("text", ["[1]", '"text"', "5", "true"])
def test_arguments_that_are_no_object_are_a_problem(text: str) -> None:
    assert "must be one JSON object" in parse_arguments(text)[1]


def completion(**message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}]}


def call(name: Any = "echo", arguments: Any = '{"value": "a"}', **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "error",
        {},
        {"choices": None},
        {"choices": []},
        {"choices": {}},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"error": {"message": "overloaded"}},
    ],
)
def test_a_body_without_a_message_says_nothing(body: object) -> None:
    with pytest.raises(NothingSaid):
        answer_from_completion(body)


def test_a_body_without_a_message_is_paid_for() -> None:
    with pytest.raises(NothingSaid) as told:
        answer_from_completion({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}, model="m")
    assert told.value.usage == Usage(model="m", tokens_in=7, tokens_out=2)
    with pytest.raises(NothingSaid) as guessed:
        answer_from_completion({"choices": [{"text": "x" * 400}]}, sent_bytes=400)
    assert guessed.value.usage.tokens_in == 100
    assert 100 <= guessed.value.usage.tokens_out <= 120


def test_an_error_in_a_successful_body_is_told() -> None:
    with pytest.raises(NothingSaid, match="overloaded"):
        answer_from_completion({"error": {"message": "overloaded"}})


def test_content_may_be_a_list_of_parts() -> None:
    parts = [{"type": "text", "text": "Hel"}, None, 5, {"type": "text", "text": "lo"}, {"type": "image_url"}]
    assert answer_from_completion(completion(content=parts)).text == "Hello"


def test_text_is_made_storable() -> None:
    assert answer_from_completion(completion(content="a\ud800b\0c")).text == "a\ufffdbc"


def test_null_content_without_calls_is_an_empty_answer() -> None:
    answer = answer_from_completion(completion(content=None, tool_calls=None))
    assert (answer.text, answer.calls) == ("", ())


def test_a_refusal_is_the_text() -> None:
    assert answer_from_completion(completion(content=None, refusal="I won't.")).text == "I won't."


def test_what_the_filter_kept_back_is_said() -> None:
    body = completion(content=None)
    body["choices"][0]["finish_reason"] = "content_filter"
    assert answer_from_completion(body, withheld="Withheld.").text == "Withheld."


def test_calls_are_read_with_their_arguments_as_text_or_object() -> None:
    body = completion(tool_calls=[call(id="a"), call(arguments={"value": "b"}, id="b")])
    calls = answer_from_completion(body).calls
    assert [(one.id, one.arguments, one.problem) for one in calls] == [
        ("a", {"value": "a"}, ""),
        ("b", {"value": "b"}, ""),
    ]


def test_missing_and_repeated_ids_become_unique_and_stable_ones() -> None:
    body = completion(tool_calls=[call(), call(id="x"), call(id="x"), call(id=None), call(id=7), call(id="call_0")])
    ids = [one.id for one in answer_from_completion(body).calls]
    assert ids == ["call_0", "x", "x_2", "call_3", "call_4", "call_0_2"]
    assert ids == [one.id for one in answer_from_completion(body).calls]


def test_ids_of_earlier_answers_are_not_used_again() -> None:
    assert [one.id for one in answer_from_completion(completion(tool_calls=[call()]), taken=["call_0"]).calls] == [
        "call_0_2"
    ]


@pytest.mark.parametrize("garbage", [None, 5, "echo", [], {}, {"function": None}, call(name=None), call(name=" ")])
def test_a_garbled_call_becomes_a_call_with_a_problem(garbage: object) -> None:
    (found,) = answer_from_completion(completion(tool_calls=[garbage])).calls
    assert found.problem
    assert found.id == "call_0"


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_bad_arguments_become_a_problem_and_keep_the_name(text: str) -> None:
    (found,) = answer_from_completion(completion(tool_calls=[call(arguments=text)])).calls
    assert (found.name, dict(found.arguments)) == ("echo", {})
    assert found.problem or text == ""


@pytest.mark.parametrize("inner", ['{"a":1,"a":2}', f'{{"a":{10**30}}}', '{"a":NaN}', '{"a":"\\ud800"}'])
def test_a_flaw_in_arguments_given_as_an_object_spoils_only_that_call(inner: str) -> None:
    body = json.dumps(completion(tool_calls=[call(), call(arguments="HERE")])).replace('"HERE"', inner)
    calls = answer_from_completion(read_body(body.encode(), MAX_BYTES)).calls
    assert [bool(one.problem) for one in calls] == [False, True]


def test_the_old_function_call_is_read() -> None:
    (found,) = answer_from_completion(completion(function_call={"name": "echo", "arguments": "{}"})).calls
    assert found.name == "echo"


def test_usage_is_taken_from_the_body_and_estimated_without() -> None:
    told = answer_from_completion({**completion(content="x"), "usage": {"prompt_tokens": 7, "completion_tokens": 2}})
    assert (told.usage.tokens_in, told.usage.tokens_out) == (7, 2)
    garbage: list[object] = [None, [], {"prompt_tokens": -1, "completion_tokens": True}, {"prompt_tokens": 10**30}]
    for usage in garbage:
        guessed = answer_from_completion({**completion(content="x" * 400), "usage": usage}, sent_bytes=400).usage
        assert guessed.tokens_in == 100
        assert 100 <= guessed.tokens_out <= 120


@given(WILD)
def test_an_arbitrary_body_is_an_answer_or_says_nothing(body: Any) -> None:
    for candidate in (body, {"choices": [{"message": body}]}, {"choices": [{"message": {"tool_calls": body}}]}):
        try:
            answer = answer_from_completion(candidate)
        except NothingSaid:
            continue
        answer.text.encode()
        assert len({one.id for one in answer.calls}) == len(answer.calls)


@given(st.binary() | st.text().map(lambda text: text.encode(errors="surrogatepass")))
def test_an_arbitrary_body_of_bytes_never_raises_anything_else(data: bytes) -> None:
    with suppress(BadJson):
        read_body(data, MAX_BYTES)
