"""From the body of a Chat Completions response to an `Answer`, whatever the body looks like."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.agents.llm.openai.failures import NothingSaid
from core.agents.llm.openai.lenient_json import clean, kind, parse_arguments
from core.kernel.types import Answer, ToolCall, Usage

MAX_ID = 64
MAX_TOKENS = 10**9
BYTES_PER_TOKEN = 4
PICTURE_TOKENS = 1_000
WITHHELD = "The provider's content filter withheld this answer."


def answer_from_completion(
    body: object, *, model: str = "", sent_bytes: int = 0, taken: Collection[str] = (), withheld: str = WITHHELD
) -> Answer:
    """Read a parsed body.

    `taken` are the call ids that are in use already: a missing or repeated id becomes a new one, the same each time.
    `sent_bytes` is the size of the request (see `counted`), for the usage where the provider names none. `withheld` is
    said when the provider's filter kept everything back. Raises `NothingSaid` when there is no message at all.
    """
    choices = body.get("choices") if isinstance(body, dict) else None
    for choice in choices if isinstance(choices, list) else []:
        if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
            break
    else:
        problem = f"The model's answer holds no message{_said(body)}."
        raise NothingSaid(problem, usage_of(body, model, sent_bytes))
    message = choice["message"]
    items = message.get("tool_calls")
    if not items and message.get("function_call"):
        # The form of before 2023, which some servers still speak.
        items = [{"function": message["function_call"]}]
    calls = read_calls(items, taken) if items else ()
    text = clean(content_text(message.get("content"))) or clean(content_text(message.get("refusal")))
    if not text and not calls and choice.get("finish_reason") == "content_filter":
        text = withheld
    return Answer(text=text, calls=calls, usage=usage_of(body, model, sent_bytes, message))


def unread_usage(model: str, sent_bytes: int, got_bytes: int) -> Usage:
    """Estimate what an answer took whose body nobody can read."""
    return Usage(model=model, tokens_in=_estimate(sent_bytes), tokens_out=_estimate(got_bytes))


def usage_of(body: object, model: str, sent_bytes: int, message: object = None) -> Usage:
    """Return the tokens that a body reports, or estimate them by the size of its message, or of a body without one."""
    given = body.get("usage") if isinstance(body, dict) else None
    given = given if isinstance(given, dict) else {}
    tokens_in, tokens_out = (
        count if type(count) is int and 0 <= count <= MAX_TOKENS else None
        for count in (given.get("prompt_tokens"), given.get("completion_tokens"))
    )
    if tokens_out is None:
        tokens_out = _estimate(len(json.dumps(body if message is None else message, default=str)))
    return Usage(
        model=model, tokens_in=_estimate(sent_bytes) if tokens_in is None else tokens_in, tokens_out=tokens_out
    )


def counted(size: int, messages: Sequence[Mapping[str, Any]]) -> int:
    """How many of the `size` bytes of a request count as text: a picture is `PICTURE_TOKENS`, however large it is."""
    urls = []
    for message in messages:
        content = message.get("content")
        for part in content if isinstance(content, (list, tuple)) else ():
            if isinstance(part, Mapping) and part.get("type") == "image_url":
                picture = part.get("image_url")
                url = picture.get("url") if isinstance(picture, Mapping) else picture
                urls.append(url if isinstance(url, str) else "")
    return max(0, size - sum(map(len, urls))) + len(urls) * PICTURE_TOKENS * BYTES_PER_TOKEN


def read_calls(items: object, taken: Collection[str] = ()) -> tuple[ToolCall, ...]:
    """Read a list of calls in the shape of Chat Completions; what is unreadable becomes a call with a problem."""
    used, calls = set(taken), []
    for index, item in enumerate(items if isinstance(items, list) else [items] if items else []):
        call = _call(item, _fresh(item.get("id") if isinstance(item, dict) else None, index, used))
        used.add(call.id)
        calls.append(call)
    return tuple(calls)


def _said(body: object) -> str:
    """Some providers answer 200 with an error inside."""
    error = body.get("error") if isinstance(body, dict) else None
    text = error.get("message") if isinstance(error, dict) else error
    return f": {clean(text)[:200]}" if isinstance(text, str) and text else ""


def content_text(content: object) -> str:
    """The text of a message's content, given as text or in parts; as it came, so it may hold half a character."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return content_text(content.get("text") or content.get("refusal"))
    return "".join(content_text(part) for part in content) if isinstance(content, list) else ""


def _call(item: object, call_id: str) -> ToolCall:
    function = item.get("function") if isinstance(item, dict) else None
    if not isinstance(function, dict):
        return ToolCall(id=call_id, name="", problem=f"The call must be an object with a function, not {kind(item)}.")
    name = function.get("name")
    if not isinstance(name, str) or not name.strip():
        return ToolCall(id=call_id, name="", problem="The call names no function. Give the name of a tool.")
    arguments, problem = parse_arguments(function.get("arguments"))
    return ToolCall(id=call_id, name=clean(name).strip(), arguments=arguments, problem=problem)


def _fresh(given: object, index: int, used: Collection[str]) -> str:
    usable = isinstance(given, str) and given.isascii() and given.isprintable() and 0 < len(given) <= MAX_ID
    base = str(given) if usable else f"call_{index}"
    found, n = base, 1
    while found in used:
        n += 1
        found = f"{base}_{n}"
    return found


def _estimate(size: int) -> int:
    return (size + BYTES_PER_TOKEN - 1) // BYTES_PER_TOKEN
