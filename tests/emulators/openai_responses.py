"""The Responses endpoint of the strict server: requests are held against the types of the SDK, answers have its events.

What it refuses is documented in prose only (API reference: Responses; guides: Function calling, Reasoning): a call's
result without its call, a call without its result, and reasoning without what followed it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from openai.types.responses.response_create_params import (
    ResponseCreateParamsNonStreaming,
    ResponseCreateParamsStreaming,
)

from tests.emulators.openai_answers import BYTES_PER_TOKEN, EVENT_STREAM, Answer, ChatRequest
from tests.emulators.openai_types import Refusal, check

PATH = "/v1/responses"
_numbers = count(1)


def check_responses(body: dict[str, Any], *, thinks: bool) -> None:
    """Raise ``Refusal`` for a request that OpenAI would not serve; a model that *thinks* gives its reasoning back."""
    streaming = body.get("stream") is True
    items = body.get("input")
    checked = {**body, "input": [_plain(one) for one in items]} if isinstance(items, list) else body
    check(checked, ResponseCreateParamsStreaming if streaming else ResponseCreateParamsNonStreaming)
    if body.get("store") is not False:
        raise Refusal(
            "emulator: whoever does not say store: false leaves the conversation at the server", param="store"
        )
    if not isinstance(items, list) or not items:
        raise Refusal("Missing required parameter: 'input'.", param="input", code="missing_required_parameter")
    if not thinks and "reasoning" in body:
        text = "Unsupported parameter: 'reasoning.effort' is not supported with this model."
        raise Refusal(text, param="reasoning.effort", code="unsupported_parameter")
    if not thinks and "reasoning.encrypted_content" in body.get("include", ()):
        raise Refusal("Encrypted content is not supported with this model.", param="include")
    names = [tool["name"] for tool in body.get("tools", ())]
    if len(set(names)) < len(names):
        raise Refusal("emulator: two tools have the same name", param="tools")
    _check_items(items)


def _plain(item: Any) -> Any:
    """A reasoning item is the server's own, and opaque: only that it came back as it was is looked at."""
    return (
        {"type": "message", "role": "user", "content": "…"}
        if isinstance(item, dict) and item.get("type") == "reasoning"
        else item
    )


def _check_items(items: Sequence[dict[str, Any]]) -> None:
    waiting: set[str] = set()
    for number, item in enumerate(items):
        kind = item.get("type", "message")
        if kind == "reasoning":
            behind = items[number + 1].get("type", "message") if number + 1 < len(items) else ""
            if not item.get("encrypted_content") or behind not in {"reasoning", "function_call", "message"}:
                text = f"Item '{item.get('id')}' of type 'reasoning' was provided without its required following item."
                raise Refusal(text, param="input")
        elif kind == "function_call":
            waiting.add(item["call_id"])
        elif kind == "function_call_output":
            if item["call_id"] not in waiting:
                raise Refusal(
                    f"No tool call found for function call output with call_id {item['call_id']}.", param="input"
                )
            waiting.discard(item["call_id"])
    if waiting:
        raise Refusal(f"No tool output found for function call {min(waiting)}.", param="input")


def messages_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The conversation as one of Chat Completions, for tests that look at it."""
    found: list[dict[str, Any]] = []
    for item in body["input"]:
        match item.get("type", "message"):
            case "message":
                content = item["content"]
                if isinstance(content, list):
                    content = "".join(part.get("text", "") for part in content)
                found.append({"role": item["role"], "content": content})
            case "function_call_output":
                found.append({"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]})
    return found


def response(answer: Answer, request: ChatRequest, *, thinks: bool) -> dict[str, Any]:
    """The whole body of an answer: its reasoning, its words, its calls."""
    output: list[dict[str, Any]] = []
    if thinks:
        output.append({
            "type": "reasoning",
            "id": f"rs_{next(_numbers)}",
            "summary": [],
            "encrypted_content": "c2VhbGVk",
        })
    if answer.text is not None:
        part = {"type": "output_text", "text": answer.text, "annotations": []}
        output.append({
            "type": "message",
            "id": f"msg_{next(_numbers)}",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        })
    for call in answer.calls:
        said = call.as_json()
        output.append({
            "type": "function_call",
            "id": f"fc_{next(_numbers)}",
            "call_id": said["id"],
            "status": "completed",
            **said["function"],
        })
    tokens_in, tokens_out = (max(1, size // BYTES_PER_TOKEN) for size in (len(request.raw), len(json.dumps(output))))
    return {
        "id": f"resp_{next(_numbers)}",
        "object": "response",
        "created_at": int(time.time()),
        "model": request.body["model"],
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": output,
        "usage": {
            "input_tokens": tokens_in,
            "input_tokens_details": {"cached_tokens": tokens_in // 2},
            "output_tokens": tokens_out,
            "output_tokens_details": {"reasoning_tokens": tokens_out // 2 if thinks else 0},
            "total_tokens": tokens_in + tokens_out,
        },
    }


def events(body: dict[str, Any]) -> Iterator[bytes]:
    """The semantic events of a streamed answer."""
    numbers = count()

    def event(kind: str, **more: Any) -> bytes:
        said = {"type": kind, "sequence_number": next(numbers), **more}
        return f"event: {kind}\ndata: {json.dumps(said)}\n\n".encode()

    yield event("response.created", response={**body, "status": "in_progress", "output": [], "usage": None})
    for place, item in enumerate(body["output"]):
        yield event("response.output_item.added", output_index=place, item={**item, "status": "in_progress"})
        if item["type"] == "message":
            text = item["content"][0]["text"]
            for start in range(0, len(text), 16):
                more = {"item_id": item["id"], "output_index": place, "content_index": 0}
                yield event("response.output_text.delta", delta=text[start : start + 16], **more)
        elif item["type"] == "function_call":
            more = {"item_id": item["id"], "output_index": place}
            yield event("response.function_call_arguments.delta", delta=item["arguments"], **more)
        yield event("response.output_item.done", output_index=place, item=item)
    yield event("response.completed", response=body)


CONTENT_TYPE = EVENT_STREAM
