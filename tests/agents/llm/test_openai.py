"""The real openai client against a strict server over real sockets: answers, garbage and every kind of failure."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from core.agents.llm.openai.client import OpenAIModel
from core.agents.llm.openai.dialects import AS_TEXT
from core.kernel.errors import ConfigError, ModelRefused, ModelUnreachable
from core.kernel.types import ModelRequest, Usage
from core.language import pick
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Raw
from tests.openai_client import HI, KEY, SYSTEM, QuickClock, asked, connected


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(key=KEY) as running:
        yield running


@pytest.fixture
def clock() -> QuickClock:
    return QuickClock()


@pytest.fixture
async def model(server: OpenAIServer, clock: QuickClock) -> AsyncIterator[OpenAIModel]:
    async with connected(server, clock) as ready:
        yield ready


async def test_a_text_arrives_with_its_usage(server: OpenAIServer, model: OpenAIModel) -> None:
    server.answer("Hello!")
    answer = await model.complete(asked())
    assert (answer.text, answer.calls) == ("Hello!", ())
    assert answer.usage.model == "gpt-test"
    assert answer.usage.tokens_in > 10
    assert answer.usage.tokens_out > 0
    assert server.requests[0].messages == [SYSTEM, HI]
    assert server.requests[0].tool_names == ["echo"]


async def test_a_tool_call_and_its_result_go_back_and_forth(server: OpenAIServer, model: OpenAIModel) -> None:
    server.call("echo", {"value": "你好"}, id="call_a")
    server.answer("Done.")
    (call,) = (await model.complete(asked())).calls
    assert (call.id, call.name, call.arguments) == ("call_a", "echo", {"value": "你好"})
    function = {"name": call.name, "arguments": json.dumps(dict(call.arguments))}
    said = {"role": "assistant", "tool_calls": [{"id": call.id, "type": "function", "function": function}]}
    result = {"role": "tool", "tool_call_id": call.id, "content": '"你好"'}
    assert (await model.complete(asked(SYSTEM, HI, said, result))).text == "Done."


async def test_one_connection_serves_many_calls_at_once(server: OpenAIServer, model: OpenAIModel) -> None:
    answers = await asyncio.gather(*(model.complete(asked(SYSTEM, HI)) for _ in range(20)))
    assert {answer.text for answer in answers} == {"You said: hi"}


@pytest.mark.parametrize("arguments", ["{", "[1]", '{"a":1,"a":2}', '{"a":NaN}', '{"a":"\\ud800"}', "[" * 100_000])
async def test_bad_arguments_are_a_call_with_a_problem(
    server: OpenAIServer, model: OpenAIModel, arguments: str
) -> None:
    server.call("echo", arguments)
    (call,) = (await model.complete(asked())).calls
    assert (call.name, dict(call.arguments)) == ("echo", {})
    assert call.problem


GARBAGE: dict[str, bytes] = {
    "null choices": b'{"choices": null}',
    "no choices": b'{"choices": []}',
    "no message": b'{"choices": [{"message": null}]}',
    "an error with status 200": b'{"error": {"message": "overloaded", "code": 502}}',
    "a web page": b"<html>502 Bad Gateway</html>",
    "nothing": b"",
    "not UTF-8": b'{"choices": "\xff"}',
    "100,000 brackets": b"[" * 100_000,
    "a huge integer": b"9" * 5_000,
}


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE.keys())
async def test_a_garbled_body_is_asked_for_again(server: OpenAIServer, model: OpenAIModel, body: bytes) -> None:
    server.raw(body)
    server.answer("Better.")
    assert (await model.complete(asked())).text == "Better."
    assert len(server.requests) == 2


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE.keys())
async def test_a_body_that_stays_garbled_is_told_and_cuts_off_nobody(
    server: OpenAIServer, model: OpenAIModel, body: bytes
) -> None:
    server.raw(body)
    server.raw(body)
    answer = await model.complete(replace(asked(), language="zh"))
    assert (answer.text, answer.calls) == (pick("zh")["model_said_nothing"], ())
    assert (len(server.requests), server.scripted) == (2, 0)
    assert answer.usage.tokens_in == sum((len(request.raw) + 3) // 4 for request in server.requests)
    assert model.reachable
    assert (await model.complete(asked(SYSTEM, HI))).text == "You said: hi"


async def test_what_empty_answers_took_is_counted_with_the_one_that_follows(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    paid = {"choices": None, "usage": {"prompt_tokens": 1_000, "completion_tokens": 5_000}}
    server.raw(paid)
    full = {"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}
    server.raw(full)
    assert (await model.complete(asked())).usage == Usage(model="gpt-test", tokens_in=1_003, tokens_out=5_004)
    for _ in range(2):
        server.raw(paid)
    assert (await model.complete(asked())).usage == Usage(model="gpt-test", tokens_in=2_000, tokens_out=10_000)


async def test_a_model_that_thinks_until_its_tokens_are_spent_has_given_no_answer(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    choice = {"message": {"role": "assistant", "content": ""}, "finish_reason": "length"}
    server.raw({"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 4_000}})
    answer = await model.complete(asked())
    assert (answer.text, answer.calls, answer.unsaid) == (pick("en")["model_said_nothing"], (), True)
    assert (answer.usage.tokens_out, len(server.requests)) == (4_000, 1)


THOUGHTS: dict[str, tuple[str, str]] = {
    "before the answer": ("<think>They want tea.\nOr not?</think>\n\nTea is at five.", "Tea is at five."),
    "begun by the template": ("They want tea.\n</think>\n\nTea is at five.", "Tea is at five."),
    "under another name": ("<Thinking>They want tea.</Thinking> Tea is at five.", "Tea is at five."),
    "alone": ("<think>Nothing is asked of me.</think>\n", ""),
    "told of": ("Write:\n\n    <think>\n    …\n</think>\n\nfor it.", ""),
    "in a fence": ("Put it there:\n```\n{{ thoughts }}\n</think>\n```\nand that is all.", ""),
    "with a fence": ("They want:\n```\ntea\n```\n</think>\nTea.", "Tea."),
    "of Gemini": ("<thought>They want tea.</thought>Tea is at five.", "Tea is at five."),
    "of Mistral": ("[THINK]They want tea.[/THINK]Tea is at five.", "Tea is at five."),
    "of Kimi": ("◁think▷They want tea.◁/think▷Tea is at five.", "Tea is at five."),
    "of Seed": ("<seed:think>They want tea.</seed:think>Tea is at five.", "Tea is at five."),
    "of Command": ("<|START_THINKING|>Tea.<|END_THINKING|><|START_RESPONSE|>Tea is at five.", "Tea is at five."),
    "of gpt-oss": (
        "<|channel|>analysis<|message|>They want tea.<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Tea is at five.",
        "Tea is at five.",
    ),
    "of gpt-oss without marks": ("analysisThey want tea.assistantfinalTea is at five.", "Tea is at five."),
    "with the end of a template": ("<think>Tea.</think>Tea is at five.<|im_end|>\n", "Tea is at five."),
    "without an end": ("<think>\nThey want tea. It is at five.", ""),
    "twice": ("<think></think>\n\n<think>\nThey want tea.\n</think>\n\nTea is at five.", "Tea is at five."),
    "under two names": ("<think>Tea.</think><reasoning>Five.</reasoning>Tea is at five.", "Tea is at five."),
    "ended by another mark": ("<thought>Tea.</think>Tea is at five.", "<thought>Tea.</think>Tea is at five."),
    "at the start of a sentence": ("<think> is what it begins with.", "<think> is what it begins with."),
    "with two ends of a template": ("Tea is at five.<|im_end|>\n<|endoftext|>", "Tea is at five."),
    "about an end of a template": ("Each turn ends with <|im_end|>", ""),
    "about an analysis": ("analysis of the assistantfinal mark", ""),
    "quoted": ("`<think>` begins it, `</think>` ends it.", ""),
}


@pytest.mark.parametrize(("written", "said"), THOUGHTS.values(), ids=THOUGHTS)
async def test_what_a_model_thinks_aloud_before_its_answer_is_for_nobody(
    server: OpenAIServer, model: OpenAIModel, written: str, said: str
) -> None:
    server.answer(written)
    assert (await model.complete(asked())).text == (said or ("" if written.startswith("<") else written))


async def test_an_error_in_the_place_of_an_answer_tells_the_log_nothing_of_the_conversation(
    server: OpenAIServer, model: OpenAIModel, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        server.raw({"error": {"message": "could not tokenize 'my diagnosis is gout', sorry"}})
    await model.complete(asked(SYSTEM, {"role": "user", "content": "my diagnosis is gout"}))
    assert "could not tokenize" in caplog.text
    assert "diagnosis" not in caplog.text


async def test_a_thought_that_has_no_end_is_no_answer(server: OpenAIServer, model: OpenAIModel) -> None:
    server.answer("<think>They want tea. But", finish_reason="length")
    answer = await model.complete(asked())
    assert (answer.text, answer.unsaid) == (pick("en")["model_said_nothing"], True)


async def test_an_answer_whose_tokens_were_spent_shows_that_it_goes_on(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    server.answer("Once upon a time there ", finish_reason="length")
    assert (await model.complete(asked())).text == "Once upon a time there …"


async def test_a_call_that_is_written_as_text_and_followed_by_blanks_until_the_end_is_carried_out(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    server.answer('{"name": "echo", "arguments": {"value": "tea"}}' + 99 * "\n", finish_reason="length")
    answer = await model.complete(asked())
    assert (answer.text, [(call.name, call.arguments) for call in answer.calls]) == ("", [("echo", {"value": "tea"})])


async def test_arguments_that_are_quoted_once_more_are_read(server: OpenAIServer, model: OpenAIModel) -> None:
    server.call("echo", json.dumps(json.dumps({"value": "你好"})))
    server.call("echo", json.dumps("你好"))
    (call,), (text,) = [(await model.complete(asked())).calls for _ in range(2)]
    assert (call.arguments, call.problem) == ({"value": "你好"}, "")
    assert text.problem


@pytest.mark.parametrize("kind", ["503", "400", "cut"])
async def test_an_empty_answer_is_paid_for_even_if_the_second_asking_fails(
    server: OpenAIServer, clock: QuickClock, kind: str
) -> None:
    server.fault("garbage")
    server.fault(kind)
    async with connected(server, clock, max_retries=0) as model:
        answer = await model.complete(asked())
        assert answer.text == pick("en")["model_said_nothing"]
        assert answer.usage.tokens_in > 10
        assert model.reachable


async def test_an_empty_answer_is_not_asked_for_again_when_no_time_is_left(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    server.raw({"choices": []})
    answer = await model.complete(asked(seconds=0.4))
    assert (answer.text, len(server.requests)) == (pick("en")["model_said_nothing"], 1)


async def test_a_probe_that_brings_nothing_leaves_the_circuit_as_it_is(server: OpenAIServer, clock: QuickClock) -> None:
    server.fault("503")
    async with connected(server, clock, max_retries=0) as model:
        with pytest.raises(ModelUnreachable):
            await model.complete(asked())
        clock.seconds += 15
        server.raw({"choices": []})
        server.raw({"choices": []})
        assert (await model.complete(asked())).text == pick("en")["model_said_nothing"]
        assert not model.reachable
        clock.seconds += 15
        assert (await model.complete(asked(SYSTEM, HI))).text == "You said: hi"
        assert model.reachable


async def test_a_probe_that_spends_its_token_on_a_thought_shows_that_the_model_is_back(
    server: OpenAIServer, clock: QuickClock
) -> None:
    server.fault("503")
    async with connected(server, clock, max_retries=0) as model:
        with pytest.raises(ModelUnreachable):
            await model.complete(asked())
        clock.seconds += 15
        server.raw({"choices": [{"message": {"role": "assistant", "content": ""}, "finish_reason": "length"}]})
        await model.complete(replace(asked(), most_tokens=1))
        assert model.reachable
        assert (await model.complete(asked(SYSTEM, HI))).text == "You said: hi"


async def test_a_filtered_answer_is_said_in_the_language_of_the_person(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    server.raw({"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]})
    request = ModelRequest(messages=(HI,), language="zh")
    assert (await model.complete(request)).text == pick("zh")["withheld"]


@pytest.mark.parametrize("kind", ["500", "502", "503", "429", "cut", "midway"])
async def test_a_passing_failure_is_tried_again(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock, kind: str
) -> None:
    server.fault(kind, times=2)
    answer = await model.complete(asked())
    assert answer.text
    assert len(server.requests) == 3
    assert len(clock.pauses) == 2
    assert model.reachable


async def test_pauses_grow_and_attempts_are_bounded(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock
) -> None:
    server.fault("503", times=9)
    with pytest.raises(ModelUnreachable, match="503"):
        await model.complete(asked())
    assert len(server.requests) == 3
    assert clock.pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        ("0", 0.0),
        ("1", 1.0),
        ("2.5", 2.5),
        ("abc", 0.5),
        ("-5", 0.5),
        ("nan", 0.5),
        ("Fri, 27 Nov 2026 16:00:07 GMT", 7.0),
        ("Fri, 27 Nov 2020 16:00:07 GMT", 0.0),
    ],
)
async def test_retry_after_is_honoured(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock, header: str, pause: float
) -> None:
    server.raw({"error": {"message": "slow down"}}, status=429, headers={"retry-after": header})
    assert (await model.complete(asked())).text
    assert clock.pauses == [pause]


async def test_a_pause_that_does_not_fit_ends_the_call_at_once(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock
) -> None:
    server.raw({"error": {"message": "slow down"}}, status=429, headers={"retry-after": "3600"})
    with pytest.raises(ModelUnreachable, match="429"):
        await model.complete(asked())
    assert (len(server.requests), clock.pauses) == (1, [])


async def test_an_empty_account_is_not_asked_again_and_again(server: OpenAIServer, model: OpenAIModel) -> None:
    server.raw({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}, status=429)
    with pytest.raises(ModelUnreachable, match="no credit"):
        await model.complete(asked())
    assert len(server.requests) == 1


@pytest.mark.parametrize("kind", ["hang", "slow"])
async def test_the_whole_call_never_takes_longer_than_its_timeout(
    server: OpenAIServer, clock: QuickClock, kind: str
) -> None:
    server.fault(kind, times=9, delay=5.0)
    async with connected(server, clock, timeout=0.3) as model:
        before = time.monotonic()
        with pytest.raises(ModelUnreachable, match="in time"):
            await model.complete(asked())
        assert 0.25 < time.monotonic() - before < 1.0
        assert not model.reachable


async def test_the_deadline_of_the_request_counts_too_and_says_nothing_about_the_provider(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    server.fault("hang", times=9)
    before = time.monotonic()
    for seconds in (0.2, -1.0):
        with pytest.raises(ModelUnreachable, match="in time"):
            await model.complete(asked(seconds=seconds))
    assert time.monotonic() - before < 1.0
    assert model.reachable
    server.faults.clear()
    assert (await model.complete(asked(seconds=5.0))).text


async def test_a_deadline_that_leaves_a_call_its_whole_time_does_not_excuse_the_provider(
    server: OpenAIServer, clock: QuickClock
) -> None:
    async with connected(server, clock, timeout=0.5) as model:
        await model.complete(asked())
        server.fault("hang", times=9)
        with pytest.raises(ModelUnreachable, match="in time"):
            await model.complete(asked(seconds=0.5))
        assert not model.reachable


async def test_nobody_listening_is_unreachable(clock: QuickClock) -> None:
    server = await OpenAIServer(key=KEY).start()
    await server.stop()
    async with connected(server, clock) as model:
        with pytest.raises(ModelUnreachable, match="connection"):
            await model.complete(asked())
    assert clock.pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "words"), [(400, "refused the request"), (401, "api_key"), (403, "may not use"), (404, "llm.model")]
)
async def test_a_refusal_tells_the_operator_what_to_change_without_the_key(
    server: OpenAIServer, model: OpenAIModel, status: int, words: str
) -> None:
    server.raw({"error": {"message": f"No: {KEY}"}}, status=status)
    with pytest.raises(ModelRefused, match=words) as refused:
        await model.complete(asked())
    assert KEY not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__
    assert len(server.requests) == 1
    assert model.reachable


async def test_a_wrong_key_is_refused_and_a_missing_one_is_sent_as_a_word(
    server: OpenAIServer, clock: QuickClock
) -> None:
    for key in ("sk-wrong", None):
        async with connected(server, clock, api_key=key) as model:
            with pytest.raises(ModelRefused, match="401"):
                await model.complete(asked())


@pytest.mark.parametrize("key", ["sk-\nx", "sk-ключ"])
def test_a_key_no_header_can_carry_is_a_configuration_error(key: str) -> None:
    with pytest.raises(ConfigError, match="api_key") as refused:
        OpenAIModel("http://127.0.0.1:9/v1", key, "m")
    assert key not in str(refused.value)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"\xff", b'"text"', b'{"error": ["x"]}', b"null"])
async def test_a_garbled_refusal_is_a_refusal(server: OpenAIServer, model: OpenAIModel, body: bytes) -> None:
    server.raw(body, status=400)
    with pytest.raises(ModelRefused):
        await model.complete(asked())


async def test_a_refusal_that_repeats_what_somebody_wrote_is_told_without_it(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    words = 'my diary: I love "Bob"\nand nobody knows'
    server.reply_with(
        lambda request: Raw(value={"error": {"message": f"Content rejected: {words} {words}", "type": "x"}}, status=400)
    )
    with pytest.raises(ModelRefused, match="Content rejected") as refused:
        await model.complete(
            asked({"role": "system", "content": "Content rejected"}, {"role": "user", "content": words})
        )
    assert not any(word in str(refused.value) for word in ("diary", "love", "nobody"))


async def test_what_a_server_says_of_a_model_is_understood_although_somebody_wrote_the_same(
    server: OpenAIServer, model: OpenAIModel
) -> None:
    words = "registry.ollama.ai/library/llama2 does not support tools"
    server.reply_with(lambda request: Raw(value={"error": {"message": words, "type": "x"}}, status=400))
    with pytest.raises(ModelRefused):
        await model.complete(asked({"role": "user", "content": f"Ollama says: {words}. What now?"}))
    assert model.dialect == AS_TEXT


async def test_a_request_that_is_no_json_is_refused(model: OpenAIModel) -> None:
    with pytest.raises(ModelRefused, match="JSON"):
        await model.complete(asked({"role": "user", "content": "\ud800"}))


async def test_after_a_failure_calls_fail_at_once_until_a_probe_succeeds(
    server: OpenAIServer, model: OpenAIModel, clock: QuickClock
) -> None:
    server.fault("503", times=4)
    with pytest.raises(ModelUnreachable):
        await model.complete(asked())
    assert not model.reachable
    with pytest.raises(ModelUnreachable, match="next try is in 15 s"):
        await model.complete(asked())
    assert len(server.requests) == 3
    clock.seconds += 15
    probe, other = await asyncio.gather(model.complete(asked()), model.complete(asked()), return_exceptions=True)
    assert not isinstance(probe, BaseException)
    assert isinstance(other, ModelUnreachable)
    assert model.reachable
    assert (await model.complete(asked())).text


async def test_what_fails_right_after_a_probe_cuts_off_nobody_else(server: OpenAIServer, model: OpenAIModel) -> None:
    server.fault("500", times=3)
    with pytest.raises(ModelUnreachable):
        await model.complete(replace(asked(), probed=True))
    assert model.reachable
    assert (await model.complete(asked())).text


async def test_output_is_limited_on_request(server: OpenAIServer, clock: QuickClock) -> None:
    async with connected(server, clock, max_output_tokens=77) as model:
        await model.complete(asked())
    assert server.requests[0].body["max_tokens"] == 77
