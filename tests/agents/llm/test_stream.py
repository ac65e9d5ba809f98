"""Streams in pieces: events out of bytes, a body out of chunks, and who is told of the text so far."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agents.llm.openai.completion import TELL_SECONDS, Draft, Events, Listener, answer_from_completion
from core.kernel.strict_json import BadJson
from tests.kernel.test_strict_json import WILD

STREAMS: dict[str, tuple[bytes, list[bytes]]] = {
    "plain": (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
    "CRLF": (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
    "CR alone": (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
    "no space": (b"data:a\n\ndata:  b\n\n", [b"a", b"b"]),
    "comments": (b": OPENROUTER PROCESSING\n\n:\n\ndata: a\n: x\n\n", [b"a"]),
    "several lines": (b'data: {"a":\ndata: 1}\n\n', [b'{"a":\n1}']),
    "several lines with CRLF": (b"data: a\r\ndata: b\r\n\r\n", [b"a\nb"]),
    "names and ids": (b"event: message\nid: 1\nretry: 5\ndata: a\n\ndata\n\ndatum: b\n\n", [b"a"]),
    "a byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    "no empty line at the end": (b"data: a\n\ndata: b", [b"a", b"b"]),
    "CR at the very end": (b"data: a\n\ndata: b\r", [b"a", b"b"]),
    "characters that only Python takes for line ends": (
        "data: a\u2028b\x0bc\x85\n\n".encode(),
        ["a\u2028b\x0bc\x85".encode()],
    ),
}


def events(*blocks: bytes) -> list[bytes]:
    found = Events()
    return [event for block in (*blocks, b"\n\n") for event in found.feed(block)]


def draft(*chunks: object) -> Draft:
    found = Draft()
    for chunk in chunks:
        found.add(chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode())
    return found


def delta(finish: str | None = None, index: int = 0, **said: Any) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": said, "finish_reason": finish}]}


def calls(*pieces: Any) -> dict[str, Any]:
    return delta(tool_calls=list(pieces))


def piece(arguments: object = None, name: str | None = None, **more: Any) -> dict[str, Any]:
    return {**more, "function": {"name": name, "arguments": arguments}}


def read_calls(*chunks: object) -> list[tuple[str, dict[str, Any], str]]:
    answer = answer_from_completion(draft(*chunks).body())
    return [(call.name, dict(call.arguments), call.problem) for call in answer.calls]


@pytest.mark.parametrize(("stream", "found"), STREAMS.values(), ids=STREAMS.keys())
def test_events_are_found_however_the_bytes_are_cut(stream: bytes, found: list[bytes]) -> None:
    assert events(stream) == found
    assert events(*(stream[n : n + 1] for n in range(len(stream)))) == found
    for cut in range(len(stream)):
        assert events(stream[:cut], b"", stream[cut:]) == found


@given(st.lists(st.binary(max_size=20)))
def test_arbitrary_bytes_give_the_same_events_in_one_piece(blocks: list[bytes]) -> None:
    assert events(*blocks) == events(b"".join(blocks))


def test_texts_are_put_together_and_the_last_usage_counts() -> None:
    found = draft(
        delta(role="assistant", content=""),
        {**delta(content="He"), "usage": {"prompt_tokens": 1, "completion_tokens": 1}},
        delta(content="llo", role="assistant"),
        delta("stop"),
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 7}},
        {"choices": None, "usage": None},
    )
    assert (found.text(), found.length, found.whole) == ("Hello", 5, True)
    answer = answer_from_completion(found.body(), model="m")
    assert (answer.text, answer.usage.tokens_in, answer.usage.tokens_out) == ("Hello", 5, 7)


def test_nothing_is_whole_before_somebody_says_so() -> None:
    assert not draft().whole
    assert not draft(delta(content="x")).whole
    assert not draft({"choices": []}, {"error": None}, None, [1], 7).whole
    assert draft(delta(content="x"), b"[DONE]").whole
    assert not draft(delta("stop", content="x"), delta(content="y", index=1)).whole


def test_what_follows_the_end_is_not_read() -> None:
    found = draft(delta("stop", content="x"), b"[DONE]", delta(content="y"), b"{broken")
    assert found.text() == "x"


@pytest.mark.parametrize(
    "nothing",
    [
        {"choices": None},
        {"choices": [None, 5]},
        {"choices": [{"delta": None}]},
        {"choices": [{"index": 0}]},
        delta(content=None, tool_calls=None, function_call=None),
        delta(tool_calls=[None, "x", 5]),
        delta(content=7, refusal=True),
        {"object": "chat.completion.chunk"},
        [],
    ],
)
def test_a_chunk_that_holds_nothing_adds_nothing(nothing: object) -> None:
    found = draft(delta(content="a"), nothing, delta("stop", content="b")).body()
    (choice,) = found["choices"]
    assert choice == {"message": {"role": "assistant", "content": "ab"}, "finish_reason": "stop"}


def test_a_chunk_nobody_can_read_spoils_the_stream() -> None:
    with pytest.raises(BadJson):
        draft(delta(content="a"), b"{broken")


@pytest.mark.parametrize(
    "error",
    [
        {"error": {"message": "overloaded", "code": 502}},
        {"error": "overloaded", "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}]},
        {"object": "error", "message": "overloaded", "code": 500},
    ],
)
def test_after_an_error_half_a_text_is_no_answer(error: object) -> None:
    found = draft(delta(content="half"), error)
    assert found.whole
    assert "choices" not in found.body()
    assert "half" in json.dumps(found.body())


def test_a_character_in_two_halves_becomes_one_and_a_lonely_half_a_sign_for_it() -> None:
    found = draft(b'{"choices":[{"delta":{"content":"a\\ud83d"}}]}', b'{"choices":[{"delta":{"content":"\\ude00"}}]}')
    assert found.text() == "a😀"
    assert draft(b'{"choices":[{"delta":{"content":"a\\ud83d"}}]}').text() == "a\ufffd"


def test_a_text_may_come_in_parts_and_a_models_thoughts_are_not_shown() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    found = draft(delta(content=[thought, {"type": "text", "text": "Hi"}], reasoning="long " * 100), delta("stop"))
    assert found.text() == "Hi"
    answer = answer_from_completion(found.body())
    assert answer.text == "Hi"
    assert answer.usage.tokens_out > 100


def test_words_of_refusal_are_the_text() -> None:
    found = draft(delta(content=None, refusal="I "), delta(refusal="won't."), delta("stop"))
    assert (found.text(), answer_from_completion(found.body()).text) == ("I won't.", "I won't.")


def test_a_whole_message_in_place_of_deltas_is_read_once() -> None:
    message = {"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    assert draft(message).text() == "Hi"
    assert draft(delta(content="Hi"), message).text() == "Hi"


def test_of_several_choices_the_first_is_the_answer() -> None:
    found = draft(delta(content="b", index=1), delta(content="a"), delta(content="B", index=1), delta(content="A"))
    assert found.text() == "aA"
    assert answer_from_completion(found.body()).text == "aA"


PIECES: dict[str, list[Any]] = {
    "as documented": [
        calls(piece("", "one", index=0, id="a")),
        calls(piece('{"x":', index=0)),
        calls(piece("1}", index=0)),
        calls(piece("", "two", index=1, id="b")),
        calls(piece('{"y":2}', index=1)),
    ],
    "mixed": [
        calls(piece('{"x"', "one", index=0, id="a"), piece('{"y"', "two", index=1, id="b")),
        calls(piece(":2}", index=1), piece(":1}", index=0)),
    ],
    "0 for every call": [
        calls(piece('{"x":1}', "one", index=0, id="a")),
        calls(piece('{"y":2}', "two", index=0, id="b")),
    ],
    "0 for every call and no ids": [
        calls(piece('{"x":', "one", index=0), piece("1}", index=0)),
        calls(piece('{"y":2}', "two", index=0)),
    ],
    "no index": [calls(piece('{"x":', "one", id="a")), calls(piece("1}")), calls(piece('{"y":2}', "two", id="b"))],
    "neither index nor id": [
        calls(piece('{"x":', "one")),
        calls(piece("1}")),
        calls(piece('{"y":2}', "two")),
    ],
    "ids tell the pieces apart": [
        calls(piece('{"x"', "one", id="a"), piece('{"y"', "two", id="b")),
        calls(piece(":1}", id="a"), piece(":2}", id="b")),
    ],
    "id and name in each piece": [
        calls(piece('{"x":', "one", index=0, id="a")),
        calls(piece("1}", "one", index=0, id="a")),
        calls(piece('{"y":2}', "two", index=1, id="b")),
    ],
    "another id in each piece": [
        calls(piece('{"x":', "one", index=0, id="a")),
        calls(piece("1}", "", index=0, id="c")),
        calls(piece('{"y":2}', "two", index=1, id="b")),
    ],
    "arguments as an object": [calls(piece({"x": 1}, "one")), calls(piece({"y": 2}, "two"))],
    "one object in place of the list": [delta(tool_calls=piece('{"x":1}', "one")), calls(piece('{"y":2}', "two"))],
}


@pytest.mark.parametrize("chunks", PIECES.values(), ids=PIECES.keys())
def test_calls_get_their_own_arguments_however_they_come(chunks: list[Any]) -> None:
    assert read_calls(*chunks, delta("tool_calls")) == [("one", {"x": 1}, ""), ("two", {"y": 2}, "")]


def test_a_call_without_index_that_is_made_twice_is_two_calls() -> None:
    assert read_calls(calls(piece('{"x":1}', "one")), calls(piece('{"x":2}', "one"))) == [
        ("one", {"x": 1}, ""),
        ("one", {"x": 2}, ""),
    ]


def test_a_key_that_is_there_twice_is_found_in_a_stream_too() -> None:
    twice = b'{"choices":[{"delta":{"tool_calls":[{"function":{"name":"a","arguments":{"x":1,"x":2}}}]}}]}'
    ((_, arguments, problem),) = read_calls(twice)
    assert arguments == {}
    assert "twice" in problem


def test_a_call_without_a_name_is_a_problem_and_not_an_exception() -> None:
    ((name, _, problem),) = read_calls(calls(piece('{"x":1}', index=3)))
    assert name == ""
    assert "names no function" in problem


def test_a_function_call_of_the_old_kind_is_read() -> None:
    old = [
        delta(function_call={"name": "one"}),
        delta(function_call={"arguments": '{"x"'}),
        delta(function_call={"arguments": ":1}"}),
    ]
    assert read_calls(*old) == [("one", {"x": 1}, "")]


def test_arguments_are_never_told() -> None:
    assert draft(calls(piece('{"text":"secret"}', "one", index=0))).length == 0


@given(st.lists(WILD | st.dictionaries(st.sampled_from(["choices", "error", "usage"]), st.lists(WILD)), max_size=4))
def test_arbitrary_chunks_never_raise_anything_else(chunks: list[Any]) -> None:
    wild = [
        {"choices": [{"index": 0, "delta": chunk}, {"delta": {"tool_calls": [chunk], "content": chunk}}]}
        for chunk in chunks
    ]
    with suppress(BadJson):
        found = draft(*chunks, *wild)
        found.text().encode()
        json.dumps(found.body(), default=str)


def test_a_listener_hears_the_text_ten_times_a_second_at_most() -> None:
    heard: list[str] = []
    listener, found = Listener(heard.append), Draft()
    for n in range(100):
        found.add(json.dumps(delta(content=f"{n} ")).encode())
        listener.hear(found, n / 100)
    assert len(heard) == 10
    assert heard[:2] == ["0 ", "".join(f"{n} " for n in range(11))]


def test_a_listener_hears_nothing_that_is_not_new_or_not_visible() -> None:
    heard: list[str] = []
    listener, found = Listener(heard.append), draft(delta(content=" \n"))
    for now, chunk in enumerate([None, calls(piece("{}", "one")), delta(content="Hi"), delta(reasoning="hm"), None]):
        found.add(json.dumps(chunk).encode())
        listener.hear(found, float(now))
    assert heard == [" \nHi"]


def test_thoughts_of_which_nothing_is_heard_are_not_read_again_with_each_piece() -> None:
    heard: list[str] = []
    listener = Listener(heard.append)
    listener.hear(draft(delta(content="<think>They want tea.")), 5.0)
    assert (heard, listener.next) == ([], 5.0 + TELL_SECONDS)


def test_a_listener_starts_over_with_a_new_stream() -> None:
    heard: list[str] = []
    listener = Listener(heard.append)
    listener.hear(draft(delta(content="Hell")), 0.0)
    listener.hear(draft(delta(content="Hi")), TELL_SECONDS / 2)
    listener.hear(draft(delta(content="Hi")), TELL_SECONDS)
    assert heard == ["Hell", "Hi"]


def test_a_listener_that_raises_is_logged_once_and_told_no_more(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    def fail(text: str) -> None:
        heard.append(text)
        raise RuntimeError("no ears")

    listener = Listener(fail)
    for now in range(3):
        listener.hear(draft(delta(content="Hi")), float(now))
    assert heard == ["Hi"]
    assert len(caplog.records) == 1
