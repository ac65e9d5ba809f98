"""What a provider's failures mean: try again, give up for now, or refused for good."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from core.kernel.errors import (
    AccountRefused,
    ModelError,
    ModelRefused,
    ModelUnreachable,
    QuotaSpent,
    RequestTooLong,
)
from core.kernel.types import Millis, Usage

RATE_LIMITED = 429
AGAIN = frozenset({408, 409, 425, RATE_LIMITED})
SERVER_ERROR = 500
PAYMENT_REQUIRED = 402
MAX_SAID = 300
# So many characters in a row that stand in a conversation, too, are taken from it.
SAME = 8
# Where words stand in the messages of a request, and what holds them.
_TEXTS = frozenset({"content", "text", "tool_calls", "function", "arguments", "output"})
# How servers say what a model does not know, such as tools: Ollama, vLLM and OpenRouter in 400 and 404, llama.cpp in
# 500.
OTHER_WAY_STATUS = frozenset({400, 404, 422, 500, 501})
_NO_TOOLS = re.compile(
    r"(?:not|n't|no endpoints found that|un) ?support[\w\s'\"]{0,20}(?:tools?|functions?)\b"
    r"|\b(?:tools?|function[ _-]?call\w*|tool choice)[`'\"\w\s]{0,30}"
    r"(?:not (?:supported|available|enabled)|unsupported)"
    r"|tool choice requires|tools param requires"
    r"|(?:unrecognized|unknown|unexpected|extra)[\w\s]{0,30}:?\s*['\"`]?tools\b",
    re.IGNORECASE,
)
# What OpenAI says of its families from gpt-5.4 on.
_RESPONSES = re.compile(r"/v1/responses\b|\bresponses (?:api|endpoint)\b", re.IGNORECASE)
# What the templates of Qwen, Mistral, Gemma and others say, by whichever server.
_ORDER = re.compile(r"system message must be|roles must alternate|only user(?: and|,) assistant", re.IGNORECASE)
# What a request can do without, and how it is refused: of models that do not think, as Ollama does too, and of servers
# that know OpenAI's API only in part, or cannot read what another one has encrypted. A limit goes by its newer name
# then (`RENAMED`), as Azure wants it.
_EFFORT = re.compile(r"\breasoning\b|\breasoning_effort\b|\bthinking\b", re.IGNORECASE)
_SPARED = {
    "reasoning": _EFFORT,
    "reasoning_effort": _EFFORT,
    "include": re.compile(
        r"\bencrypted content is not supported|\bcould not be (?:verified|decrypted)\b|\binclude\b", re.IGNORECASE
    ),
    "prompt_cache_key": re.compile(r"\bprompt_cache_key\b"),
    "parallel_tool_calls": re.compile(r"\bparallel_tool_calls\b"),
    "max_tokens": re.compile(r"\bmax_completion_tokens\b"),
}
_WANTS = {
    "dialect": "Model {model} is to be asked by the other endpoint ({status}): see llm.api.",
    "order": "Model {model} takes one system message, and roles in turn ({status}).",
    "text": "Model {model} takes no native tools ({status}). Set llm.tool_calls to auto or json.",
}
RENAMED = {"max_tokens": "max_completion_tokens"}
NO_ENDPOINT_STATUS = frozenset({404, 405, 501})
# OpenAI's o1 and organisations it has not verified, validators that know no stream_options; llama.cpp in 500.
NO_STREAM_STATUS = frozenset({400, 404, 405, 415, 422, 501})
_STREAM = re.compile(r"\bstream(?:ing|ed|_options)?\b|\binclude_usage\b", re.IGNORECASE)
_NO_STREAM = re.compile(
    r"cannot use\b.{0,40}\bstream|(?:not|n't|un) ?(?:be )?(?:support|allow|implement)\w*.{0,40}\bstream"
    r"|\bstream.{0,40}(?:not|n't|un) ?(?:be )?(?:support|allow|implement)",
    re.IGNORECASE | re.DOTALL,
)
# How servers say that a request is too long: most by 400, proxies and Groq by 413, llama.cpp by 500, too; Anthropic's
# and Google's models behind a proxy in their own words.
TOO_LONG_STATUS = frozenset({400, 413, 422, 500})
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|prompt (?:is )?too long|\binput is too long|context the overflows"
    r"|too many (?:input )?tokens|exceeds? the maximum number of tokens|request (?:entity )?too large",
    re.IGNORECASE,
)
MAX_LOOK = 4_000
_SENTENCES = {
    401: "The provider refused the key of model {model} (401). Check llm.api_key.",
    403: "The key may not use model {model} (403). Check llm.api_key and llm.model. The provider says: {said}",
    404: "Model {model} was not found (404). Check llm.model and llm.base_url. The provider says: {said}",
}
_OTHER = "The provider refused the request to model {model} ({status}). It says: {said}"


class TryAgain(ModelUnreachable):
    """One attempt failed; the next may succeed."""


class NothingSaid(ModelError):
    """The provider answered, but with nothing that could be shown; `usage` is what that took. An `endless` one was cut:
    that is not asked for again."""

    def __init__(self, message: str, usage: Usage, *, endless: bool = False) -> None:
        super().__init__(message)
        self.usage, self.endless = usage, endless


class OtherWay(ModelRefused):
    """The model, or its server, wants to be asked in another way: it `wants` the other "dialect", tools as "text",
    roles in "order", or to be spared a parameter of that name."""

    def __init__(self, message: str, wants: str) -> None:
        super().__init__(message)
        self.wants = wants


class NoStream(ModelRefused):
    """The model does not take requests for a stream, or may not."""


def failure(
    status: int,
    said: str,
    code: str,
    model: str,
    pause: float | None,
    *,
    asked: Collection[str] = (),
    body: str = "",
    talk: Sequence[Mapping[str, Any]] = (),
) -> ModelRefused | ModelUnreachable:
    """Return the error for an HTTP status; `said` is the provider's text, `code` its error code. What it repeats of the
    conversation, `talk`, is nobody else's, and not told.

    A server without the endpoint of Responses, and a model that takes tools only there, want the other dialect.

    Where a stream or tools were `asked` for, those may be what was refused; `body` is all that was said.
    """
    if wanted := _other_way(status, said or body[:MAX_LOOK], code, model, asked=asked, body=body):
        return wanted
    if status in TOO_LONG_STATUS and _TOO_LONG.search(f"{code}\n{said or body[:MAX_LOOK]}"):
        return RequestTooLong(_OTHER.format(model=model, status=status, said=unquoted(said, talk) or "nothing"))
    if status == PAYMENT_REQUIRED or code == "insufficient_quota":
        return QuotaSpent(f"The account behind model {model} has no credit left ({status}).")
    if status in AGAIN or status >= SERVER_ERROR:
        return TryAgain(f"Model {model} is not available ({status}).", pause, limited=status == RATE_LIMITED)
    refusal = AccountRefused if status in _SENTENCES else ModelRefused
    sentence = _SENTENCES.get(status, _OTHER)
    return refusal(sentence.format(model=model, status=status, said=unquoted(said, talk) or "nothing"))


def _other_way(
    status: int, said: str, code: str, model: str, *, asked: Collection[str], body: str
) -> ModelRefused | None:
    """Return what the model does not take as it was asked, where it may be asked in another way."""
    known, wants = status in OTHER_WAY_STATUS, ""
    # "Tools are not supported when streaming" must not cost the tools: asking without a stream shows which it was.
    stream = _STREAM if status in NO_STREAM_STATUS else _NO_STREAM if status == SERVER_ERROR else None
    no_endpoint = "input" in asked and status in NO_ENDPOINT_STATUS and code != "model_not_found"
    if no_endpoint or ("messages" in asked and known and _RESPONSES.search(said)):
        wants = "dialect"
    elif known and _ORDER.search(said):
        wants = "order"
    elif known and (spared := [name for name in _SPARED if name in asked and _SPARED[name].search(said)]):
        wants = spared[0]
    elif "stream" in asked and stream is not None and stream.search(body[:MAX_LOOK]):
        return NoStream(f"Model {model} takes no streams ({status}).")
    elif "tools" in asked and known and _NO_TOOLS.search(said):
        wants = "text"
    sentence = _WANTS.get(wants, "Model {model} takes no {wants} ({status}).")
    return OtherWay(sentence.format(model=model, wants=wants, status=status), wants) if wants else None


def unquoted(said: str, talk: Sequence[Mapping[str, Any]]) -> str:
    """Return the beginning of what a provider said without what it repeats of the conversation: an ellipsis stands for
    that."""
    words = "\0".join(text for one in talk if one.get("role") not in {"system", "developer"} for text in _words(one))
    words += json.dumps(words, ensure_ascii=False)
    # An ellipsis is short, so what comes behind what is repeated is looked at, too.
    looked, repeated = 2 * MAX_SAID, set[int]()
    for start in range(min(len(said) - SAME + 1, looked)):
        if said[start : start + SAME] in words:
            repeated.update(range(start, start + SAME))
    kept = "".join("\0" if place in repeated else character for place, character in enumerate(said[:looked]))
    return re.sub("\0+", "…", kept)[:MAX_SAID]


def _words(part: object) -> Iterator[str]:
    """Yield the texts in a part of a conversation, in either dialect, but no pictures: those take megabytes."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for name in _TEXTS & part.keys():
            yield from _words(part[name])
    elif isinstance(part, Sequence):
        for one in part:
            yield from _words(one)


def retry_after(headers: Mapping[str, str], now: Millis) -> float | None:
    """Read how long the provider asks us to wait, in seconds; None when it says nothing readable."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or not value:
        return seconds
    try:
        at = parsedate_to_datetime(value)
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return max(0.0, (at - datetime.fromtimestamp(now / 1000, UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None


def _number(value: str | None) -> float | None:
    return float(value) if value and re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value.strip(), re.ASCII) else None
