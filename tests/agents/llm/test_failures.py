"""What a provider's failures mean."""

from __future__ import annotations

from typing import Any

import pytest

from core.agents.llm.openai.client import Circuit
from core.agents.llm.openai.failures import SAME, OtherWay, TryAgain, failure, retry_after, unquoted
from core.kernel.errors import AccountRefused, ModelRefused, ModelUnreachable, QuotaSpent, RequestTooLong
from tests.openai_client import QuickClock

NOW = QuickClock().now()


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (404, "No endpoints found that support tool use. Try disabling echo."),
        (500, "tools param requires --jinja flag"),
        (400, "Function calling is not enabled for models/gemma-3"),
        (400, "`tools` is not supported with this model"),
        (400, "Unrecognized request argument supplied: tools"),
    ],
)
def test_the_ways_servers_refuse_tools_are_known(status: int, message: str) -> None:
    error = failure(status, message, "", "m", None, asked={"tools"})
    assert isinstance(error, OtherWay)
    assert error.wants == "text"
    assert not isinstance(failure(401, message, "", "m", None, asked={"tools"}), OtherWay)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Invalid schema for function 'echo': 'format' is not supported",
        "tools[0].function.parameters: keyword 'pattern' is not supported",
        "An assistant message with 'tool_calls' must be followed by tool messages",
        "This model's maximum context length is 8192 tokens. Your messages and tools have 9000.",
    ],
)
def test_other_refusals_do_not_mean_that(message: str) -> None:
    assert not isinstance(failure(400, message, "", "m", None, asked={"tools"}), OtherWay)


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (400, "This model's maximum context length is 8192 tokens. Your messages and tools have 9000.", ""),
        (400, "Your input exceeds the context window of this model. Please adjust your input.", ""),
        (400, "", "context_length_exceeded"),
        (400, "the request exceeds the available context size, try increasing it", ""),
        (500, "the request exceeds the available context size", ""),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", ""),
        (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", ""),
        (413, "Request too large for model `llama`", ""),
        (400, "Trying to keep the first 5000 tokens when context the overflows.", ""),
    ],
)
def test_the_ways_servers_say_that_a_request_is_too_long_are_known(status: int, message: str, code: str) -> None:
    assert isinstance(failure(status, message, code, "m", None, asked={"tools", "messages"}), RequestTooLong)


def test_a_context_that_is_spoken_of_otherwise_is_none_of_them() -> None:
    for status, message in ((401, "context length"), (400, "Put it into context."), (429, "Request too large")):
        assert not isinstance(failure(status, message, "", "m", None), RequestTooLong)


EXTRA = "[{'type': 'extra_forbidden', 'loc': ('body', 'prompt_cache_key'), 'msg': 'Extra inputs are not permitted'}]"


@pytest.mark.parametrize(
    ("status", "message", "asked", "wants"),
    [
        (400, "Encrypted content is not supported with this model.", {"include", "reasoning"}, "include"),
        (400, "Unsupported parameter: 'reasoning.effort' is not supported here.", {"reasoning"}, "reasoning"),
        (400, '"llama3" does not support thinking', {"reasoning_effort"}, "reasoning_effort"),
        (422, "body.prompt_cache_key: property is unsupported", {"prompt_cache_key"}, "prompt_cache_key"),
        (
            400,
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            {"max_tokens"},
            "max_tokens",
        ),
        (400, "System message must be at the beginning.", {"messages"}, "order"),
        (500, "Jinja Exception: System message must be at the beginning.", {"messages"}, "order"),
        (400, "Conversation roles must alternate user/assistant/user/assistant/...", {"messages", "tools"}, "order"),
    ],
)
def test_the_ways_servers_refuse_other_things_are_known(status: int, message: str, asked: set[str], wants: str) -> None:
    error = failure(status, message, "", "m", 1.0, asked=asked)
    assert isinstance(error, OtherWay)
    assert error.wants == wants
    assert not isinstance(failure(429, message, "", "m", 1.0, asked=asked), OtherWay)
    assert not isinstance(failure(status, message, "", "m", 1.0, asked={"model"}), OtherWay) or wants == "order"


def test_a_validator_that_says_it_only_in_its_body_is_understood() -> None:
    error = failure(422, "", "", "m", None, asked={"prompt_cache_key", "reasoning"}, body=EXTRA)
    assert isinstance(error, OtherWay)
    assert error.wants == "prompt_cache_key"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "3600"}, 3600.0),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "Fri, 27 Nov 2026 16:00:07 GMT"}, 7.0),
        ({"retry-after": "Fri, 27 Nov 2026 16:00:07"}, 7.0),
        ({"retry-after": "Fri, 27 Nov 2020 16:00:07 GMT"}, 0.0),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
    ],
)
def test_the_wish_to_wait_is_read_where_it_is_readable(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    error = failure(status, "busy", "", "m", 2.0)
    assert isinstance(error, TryAgain)
    assert (error.pause, error.limited) == (2.0, status == 429)


@pytest.mark.parametrize(("status", "code"), [(402, ""), (429, "insufficient_quota")])
def test_an_empty_account_may_be_filled_but_not_in_seconds(status: int, code: str) -> None:
    error = failure(status, "pay", code, "m", None)
    assert isinstance(error, ModelUnreachable)
    assert not isinstance(error, TryAgain)


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
def test_the_rest_is_refused_with_a_short_sentence(status: int) -> None:
    error = failure(status, "{0} " * 1000, "", "m{x}", None)
    assert isinstance(error, ModelRefused)
    assert str(status) in str(error)
    assert "m{x}" in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    "talk",
    [
        {"role": "user", "content": 'meet Ann at 5, PIN 8812\nsay "hi" x'},
        {"role": "user", "content": [{"type": "input_text", "text": 'meet Ann at 5, PIN 8812\nsay "hi" x'}]},
        {"type": "function_call_output", "call_id": "c1", "output": 'meet Ann at 5, PIN 8812\nsay "hi" x'},
    ],
)
@pytest.mark.parametrize("said", ['meet Ann at 5, PIN 8812\nsay "hi" x', 'meet Ann at 5, PIN 8812\\nsay \\"hi\\" x'])
def test_a_refusal_tells_nothing_of_what_was_said_to_the_model(talk: dict[str, object], said: str) -> None:
    assert unquoted(f"Blocked: {said} ! " * 40, [talk]).startswith("Blocked: … ! Blocked: … ! ")


def test_only_words_are_looked_for_in_a_conversation_and_no_pictures_or_names() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + "A" * 3_000_000}}
    call = {"id": "call-1234567", "type": "function", "function": {"name": "remind_me", "arguments": '{"at": "noon"}'}}
    talk: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": "hi"}, picture]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
    ]
    said = "The assistant's tool_calls call-1234567: arguments of remind_me, image_url, AAAAAAAAAAAA"
    assert unquoted(said, talk) == said
    assert unquoted('at fault: {"at": "noon"}', talk) == "at fault: …"


def test_no_end_of_what_somebody_wrote_is_left_where_a_refusal_is_cut() -> None:
    words = "".join(chr(0x4E00 + n) for n in range(1000))
    for start in range(300 - SAME, 301):
        assert unquoted("." * start + words, [{"role": "user", "content": words}]).strip(".") in ("…", "")


def test_an_open_circuit_lets_one_probe_through_per_period() -> None:
    clock = QuickClock()
    circuit = Circuit(clock, probe_seconds=15)
    circuit.enter()
    circuit.failed()
    assert (circuit.closed, circuit.wait) == (False, 15.0)
    with pytest.raises(ModelUnreachable, match="in 15 s"):
        circuit.enter()
    clock.seconds += 15
    circuit.enter()
    with pytest.raises(ModelUnreachable):
        circuit.enter()
    circuit.succeeded()
    circuit.enter()
    assert (circuit.closed, circuit.wait) == (True, 0.0)


def test_a_refused_account_is_told_from_a_refused_request() -> None:
    assert [isinstance(failure(status, "", "", "m", None), AccountRefused) for status in (400, 401, 403, 404, 422)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert isinstance(failure(402, "", "", "m", None), QuotaSpent)
    assert isinstance(failure(429, "", "insufficient_quota", "m", None), QuotaSpent)
