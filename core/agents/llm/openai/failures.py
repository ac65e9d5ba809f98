"""What a provider's failures mean: try again, give up for now, or refused for good."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.kernel.errors import AccountRefused, ModelError, ModelRefused, ModelUnreachable, QuotaSpent
from core.kernel.types import Millis, Usage

AGAIN = frozenset({408, 409, 425, 429})
SERVER_ERROR = 500
PAYMENT_REQUIRED = 402
MAX_SAID = 300
# How servers say that a model knows no tools: Ollama, vLLM and OpenRouter in 400 and 404, llama.cpp in 500.
NO_TOOLS_STATUS = frozenset({400, 404, 422, 500, 501})
_NO_TOOLS = re.compile(
    r"(?:not|n't|no endpoints found that|un) ?support[\w\s'\"]{0,20}(?:tools?|functions?)\b"
    r"|\b(?:tools?|function[ _-]?call\w*|tool choice)[`'\"\w\s]{0,30}"
    r"(?:not (?:supported|available|enabled)|unsupported)"
    r"|tool choice requires|tools param requires"
    r"|(?:unrecognized|unknown|unexpected|extra)[\w\s]{0,30}:?\s*['\"`]?tools\b",
    re.IGNORECASE,
)
# What OpenAI says of its families from gpt-5.4 on; and of models that do not think, as Ollama does.
_RESPONSES = re.compile(r"/v1/responses\b|\bresponses (?:api|endpoint)\b", re.IGNORECASE)
_EFFORT = re.compile(r"\breasoning\b|\breasoning_effort\b|\bthinking\b", re.IGNORECASE)
NO_ENDPOINT_STATUS = frozenset({404, 405, 501})
# OpenAI's o1 and organisations it has not verified, validators that know no stream_options; llama.cpp in 500.
NO_STREAM_STATUS = frozenset({400, 404, 405, 415, 422, 501})
_STREAM = re.compile(r"\bstream(?:ing|ed|_options)?\b|\binclude_usage\b", re.IGNORECASE)
_NO_STREAM = re.compile(
    r"cannot use\b.{0,40}\bstream|(?:not|n't|un) ?(?:be )?(?:support|allow|implement)\w*.{0,40}\bstream"
    r"|\bstream.{0,40}(?:not|n't|un) ?(?:be )?(?:support|allow|implement)",
    re.IGNORECASE | re.DOTALL,
)
MAX_LOOK = 4_000
_SENTENCES = {
    401: "The provider refused the key of model {model} (401). Check llm.api_key.",
    403: "The key may not use model {model} (403). Check llm.api_key and llm.model. The provider says: {said}",
    404: "Model {model} was not found (404). Check llm.model and llm.base_url. The provider says: {said}",
}
_OTHER = "The provider refused the request to model {model} ({status}). It says: {said}"


class TryAgain(ModelUnreachable):
    """One attempt failed. `pause` is what the provider asked for in seconds, None when it asked for nothing."""

    def __init__(self, message: str, pause: float | None = None, *, taken: bool = False) -> None:
        super().__init__(message, taken=taken)
        self.pause = pause


class NothingSaid(ModelError):
    """The provider answered, but with nothing that could be shown; `usage` is what that took."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


class NoTools(ModelRefused):
    """The model does not take native tools."""


class OtherDialect(ModelRefused):
    """The model, or its server, wants to be asked by the other endpoint."""


class NoEffort(ModelRefused):
    """The model does not take how much it shall think."""


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
) -> ModelRefused | ModelUnreachable:
    """Return the error for an HTTP status; `said` is the provider's text, `code` its error code.

    A server without the endpoint of Responses, and a model that takes tools only there, want the other dialect.

    Where a stream or tools were `asked` for, those may be what was refused; `body` is all that was said.
    """
    if wanted := _other_way(status, said, code, model, asked=asked, body=body):
        return wanted
    if status == PAYMENT_REQUIRED or code == "insufficient_quota":
        return QuotaSpent(f"The account behind model {model} has no credit left ({status}).")
    if status in AGAIN or status >= SERVER_ERROR:
        return TryAgain(f"Model {model} is not available ({status}).", pause)
    refusal = AccountRefused if status in _SENTENCES else ModelRefused
    sentence = _SENTENCES.get(status, _OTHER)
    return refusal(sentence.format(model=model, status=status, said=said[:MAX_SAID] or "nothing"))


def _other_way(
    status: int, said: str, code: str, model: str, *, asked: Collection[str], body: str
) -> ModelRefused | None:
    """Return what the model does not take as it was asked, where it may be asked in another way."""
    if "messages" in asked and status in NO_TOOLS_STATUS and _RESPONSES.search(said):
        return OtherDialect(f"Model {model} takes tools only by the Responses API ({status}).")
    if "input" in asked and status in NO_ENDPOINT_STATUS and code != "model_not_found":
        return OtherDialect(f"The server of model {model} has no Responses API ({status}).")
    if {"reasoning", "reasoning_effort"} & set(asked) and status in NO_TOOLS_STATUS and _EFFORT.search(said):
        return NoEffort(f"Model {model} takes no effort ({status}).")
    # First: "tools are not supported when streaming" must not cost the tools. Asking without a stream shows it.
    refused = _STREAM if status in NO_STREAM_STATUS else _NO_STREAM if status == SERVER_ERROR else None
    if "stream" in asked and refused is not None and refused.search(body[:MAX_LOOK]):
        return NoStream(f"Model {model} takes no streams ({status}).")
    if "tools" in asked and status in NO_TOOLS_STATUS and _NO_TOOLS.search(said):
        return NoTools(f"Model {model} takes no native tools. Set llm.tool_calls to auto or json.")
    return None


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
