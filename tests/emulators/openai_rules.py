"""What a Chat Completions request must look like beyond its types."""

from __future__ import annotations

import json
import re
from typing import Any

from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)

from tests.emulators.openai_parts import check_pictures
from tests.emulators.openai_types import Refusal, check

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]+")
# Documented in prose only: FunctionDefinition.name, CompletionCreateParams.tools, and the API's own refusals.
LONGEST_TOOL_NAME = 64
LONGEST_CALL_ID = 40
MOST_TOOLS = 128
UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "The following tool_call_ids did not have response messages: "
)
UNASKED = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
# These need a companion to make any sense.
COMPANIONS = {"tool_choice": "tools", "parallel_tool_calls": "tools", "stream_options": "stream"}


def parse(body: bytes) -> dict[str, Any]:
    """Return the request as a dict; raise ``Refusal`` when it is not a JSON object."""
    try:
        request = json.loads(body)
    except ValueError:
        request = None
    if not isinstance(request, dict):
        raise Refusal("We could not parse the JSON body of your request. The API expects a JSON payload.")
    return request


def check_request(request: dict[str, Any]) -> None:
    """Raise ``Refusal`` for a request that OpenAI would not serve."""
    streaming = request.get("stream") is True
    check(request, CompletionCreateParamsStreaming if streaming else CompletionCreateParamsNonStreaming)
    for name, companion in COMPANIONS.items():
        if name in request and not request.get(companion):
            raise Refusal(f"'{name}' is only allowed when '{companion}' is specified.", param=name)
    if request.get("n", 1) != 1:
        raise Refusal("emulator: only n = 1 is emulated", param="n")
    _not_empty(request["messages"], "messages")
    _check_messages(request["messages"])
    check_pictures(request["messages"])
    if "tools" in request:
        _check_tools(request["tools"])


def check_turns(messages: list[dict[str, Any]]) -> None:
    """Raise ``Refusal`` as templates of Qwen, Mistral and Gemma do, with vLLM and llama.cpp, for roles out of order."""
    spoken = messages[1:] if messages[0]["role"] == "system" else messages
    if any(one["role"] == "system" for one in spoken):
        raise Refusal("System message must be at the beginning.", kind="BadRequestError")
    turns = [one["role"] for one in spoken if one["role"] != "tool" and not one.get("tool_calls")]
    if turns != [("user", "assistant")[place % 2] for place in range(len(turns))]:
        raise Refusal("Conversation roles must alternate user/assistant/user/assistant/...", kind="BadRequestError")


def _not_empty(array: list[Any], path: str) -> None:
    if not array:
        text = (
            f"Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead."
        )
        raise Refusal(text, param=path, code="empty_array")


def _too_long(path: str, what: str, most: int, length: int) -> Refusal:
    text = f"Invalid '{path}': {what} too long. Expected {'an' if what == 'array' else 'a'} {what} with maximum length"
    return Refusal(f"{text} {most}, but got one with length {length} instead.", param=path)


def _check_messages(messages: list[dict[str, Any]]) -> None:
    open_calls: dict[str, int] = {}
    answered: set[str] = set()
    for number, message in enumerate(messages):
        if message["role"] == "tool":
            _answer(message["tool_call_id"], open_calls, answered, number)
            continue
        _all_answered(open_calls, number)
        open_calls, answered = {}, set()
        if message["role"] == "assistant":
            _check_assistant(message, number)
            open_calls = {call["id"]: number for call in message.get("tool_calls", ())}
        elif message.get("content") is None:
            raise _no_content(number)
    _all_answered(open_calls, len(messages))


def _answer(call_id: str, open_calls: dict[str, int], answered: set[str], number: int) -> None:
    if call_id in answered:
        raise Refusal(f"Duplicate value for 'tool_call_id' of '{call_id}'", param=f"messages.[{number}].tool_call_id")
    if call_id not in open_calls:
        raise Refusal(UNASKED, param=f"messages.[{number}].role")
    del open_calls[call_id]
    answered.add(call_id)


def _all_answered(open_calls: dict[str, int], number: int) -> None:
    if open_calls:
        raise Refusal(UNANSWERED + ", ".join(open_calls), param=f"messages.[{number}].role")


def _check_assistant(message: dict[str, Any], number: int) -> None:
    path = f"messages[{number}].tool_calls"
    calls = message.get("tool_calls")
    if calls is None:
        if message.get("content") is None and message.get("refusal") is None:
            raise _no_content(number)
        return
    _not_empty(calls, path)
    for place, call in enumerate(calls):
        if len(call["id"]) > LONGEST_CALL_ID:
            raise _too_long(f"{path}[{place}].id", "string", LONGEST_CALL_ID, len(call["id"]))
        _check_name(call[call["type"]]["name"], f"{path}[{place}].{call['type']}.name")
    if len({call["id"] for call in calls}) < len(calls):
        raise Refusal("Duplicate value for 'tool_call_id' within one message", param=path)


def _no_content(number: int) -> Refusal:
    return Refusal("Invalid value for 'content': expected a string, got null.", param=f"messages.[{number}].content")


def _check_name(name: str, path: str) -> None:
    if len(name) > LONGEST_TOOL_NAME:
        raise _too_long(path, "string", LONGEST_TOOL_NAME, len(name))
    if not TOOL_NAME.fullmatch(name):
        text = f"Invalid '{path}': string does not match pattern. Expected a string that matches the pattern"
        raise Refusal(f"{text} '^{TOOL_NAME.pattern}$'.", param=path, code="invalid_value")


def _check_tools(tools: list[dict[str, Any]]) -> None:
    _not_empty(tools, "tools")
    if len(tools) > MOST_TOOLS:
        raise _too_long("tools", "array", MOST_TOOLS, len(tools))
    for number, tool in enumerate(tools):
        kind = tool["type"]
        _check_name(tool[kind]["name"], f"tools[{number}].{kind}.name")
        if "parameters" in tool[kind]:
            _check_schema(tool[kind], f"tools[{number}].function.parameters")
    names = [tool[tool["type"]]["name"] for tool in tools]
    if len(set(names)) < len(names):
        raise Refusal("emulator: two tools have the same name", param="tools")


def _check_schema(function: dict[str, Any], path: str) -> None:
    schema = function["parameters"]
    fault = None
    if schema.get("type") != "object":
        fault = f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{schema.get('type')}\"'."
    elif function.get("strict") and schema.get("additionalProperties") is not False:
        fault = "In context=(), 'additionalProperties' is required to be supplied and to be false."
    else:
        fault = _schema_fault(schema, ())
    if fault:
        text = f"Invalid schema for function '{function['name']}': {fault}"
        raise Refusal(text, param=path, code="invalid_function_parameters")


def _schema_fault(schema: object, context: tuple[str, ...]) -> str | None:
    """Return what is wrong with a schema or one of its parts."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, dict):
        return f"In context={context!r}, {schema!r} is not of type 'object', 'boolean'."
    if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
        return f"In context={context!r}, array schema missing items."
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        return f"In context={(*context, 'properties')!r}, {properties!r} is not of type 'object'."
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return f"In context={(*context, 'required')!r}, {required!r} is not of type 'array'."
    parts: list[tuple[tuple[str, ...], object]] = [(("properties", name), part) for name, part in properties.items()]
    parts += [(("items",), schema["items"])] if "items" in schema else []
    faults = (_schema_fault(part, (*context, *where)) for where, part in parts)
    return next((fault for fault in faults if fault), None)
