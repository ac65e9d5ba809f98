"""Requests that fit into a small window: the past is left out first, in blocks, so that most requests begin as the one
before; then what is longest of the rest is shortened in its middle. So are those that were refused as too long.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.kernel.errors import RequestTooLong
from core.kernel.ports import LLM
from core.kernel.types import Answer, ModelRequest

log = logging.getLogger(__name__)

Message = Mapping[str, Any]

# So often a request that is too long is made half as long.
HALVED = 2
# The past is left out so many messages at once.
BLOCK = 8
# No text is made shorter than this, in tokens; and what stands for what was left out of it.
SHORTEST = 50
LEFT_OUT = "\n[…]\n"
PICTURE = 800


def weight(text: str) -> int:
    """Return about how many tokens a text has: one for four letters, and one for each sign of other scripts."""
    foreign = 0 if text.isascii() else sum(sign > "\u02ff" for sign in text)
    return foreign + (len(text) - foreign + 3) // 4


def weigh(message: Message) -> int:
    """Return about how many tokens a message has."""
    rest = {name: value for name, value in message.items() if name != "content"}
    content = message.get("content")
    if isinstance(content, str) or content is None:
        words = weight(content or "")
    else:
        words = sum(PICTURE if part["type"] == "image_url" else weight(part["text"]) for part in content)
    return words + weight(json.dumps(rest, default=str, ensure_ascii=False))


def fitted(messages: Sequence[Message], past: int, tools: Sequence[Any], most: int) -> list[Message]:
    """Return messages that have `most` tokens at most together with `tools`, as far as that can be.

    The first message is the prompt, the `past` ones after it are earlier ones, the rest is of this run.
    """
    room = most - weight(json.dumps(tools, default=str))
    weights = [weigh(message) for message in messages]
    start = 1
    while start <= past and sum(weights) - sum(weights[1:start]) > room:
        start = min(start + BLOCK, past + 1)
    # Data goes with the message before it, which says that it is data.
    while start <= past and start > 1 and messages[start - 1]["role"] == "system":
        start += 1
    kept = [messages[0], *messages[start:]]
    over = weights[0] + sum(weights[start:]) - room
    if over <= 0:
        return kept
    for place in sorted(range(1, len(kept)), key=lambda place: -weigh(kept[place])):
        if over <= 0:
            break
        shorter = _shortened(kept[place], over)
        over -= weigh(kept[place]) - weigh(shorter)
        kept[place] = shorter
    return kept


async def ask_with_less(
    model: LLM, request: ModelRequest, messages: Sequence[Message], past: int, error: RequestTooLong
) -> Answer:
    """Ask again with half of what was sent, twice: nobody may have known how much a model is shown.

    `messages` and `past` as in `fitted`, `error` is how the request was refused. Raises `RequestTooLong` when that
    is too long, too.
    """
    for _ in range(HALVED):
        log.warning("asked once more with less: %s", error)
        most = sum(map(weigh, request.messages)) // 2
        request = replace(request, messages=tuple(fitted(messages, past, (), most)))
        try:
            return await model.complete(request)
        except RequestTooLong as refused:
            error = refused
    raise error


def _shortened(message: Message, over: int) -> Message:
    """Return a message with about `over` tokens less, from the middle of its text, and of the texts that it calls tools
    with."""
    calls = []
    for call in message.get("tool_calls") or ():
        given = json.loads(call["function"]["arguments"])
        # In JSON a line break is two signs.
        less = over + weight(LEFT_OUT)
        shorter = {name: _cut(value, less) if isinstance(value, str) else value for name, value in given.items()}
        calls.append({**call, "function": {**call["function"], "arguments": json.dumps(shorter, ensure_ascii=False)}})
    if calls:
        message = {**message, "tool_calls": calls}
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": _cut(content, over)}
    if not isinstance(content, list):
        return message
    parts = [{**part, "text": _cut(part["text"], over)} if part["type"] == "text" else part for part in content]
    return {**message, "content": parts}


def _cut(text: str, over: int) -> str:
    """Three parts of the beginning and one of the end of a text."""
    size = weight(text)
    keep = max(SHORTEST, size - over - weight(LEFT_OUT))
    if keep >= size:
        return text
    signs = len(text) * keep // size
    return f"{text[: signs * 3 // 4]}{LEFT_OUT}{text[len(text) - signs // 4 :]}"
