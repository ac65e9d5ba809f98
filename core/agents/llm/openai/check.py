"""A look at a Chat Completions server that costs no tokens: which models does it list, and how much are they shown?"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx2
import openai

from core.agents.llm.openai.client_factory import connected
from core.agents.llm.openai.dialects import is_ollama
from core.kernel.errors import ModelRefused, ModelUnreachable
from core.kernel.strict_json import BadJson, clean, read_body

MOST_BYTES = 8 * 1024 * 1024
UNAUTHORIZED, FORBIDDEN = 401, 403
SERVER_ERROR = 500


async def listed_models(base_url: str, api_key: str | None, seconds: float) -> tuple[str, ...]:
    """Return the ids that GET /models names, empty when the server answers but lists nothing readable.

    Raises `ModelUnreachable` (no answer within `seconds`, 5xx) or `ModelRefused` (the key, a proxy of no use).
    """
    client = connected(base_url, (api_key or "").strip() or "none")
    try:
        async with asyncio.timeout(seconds):
            answer = await client.models.with_raw_response.list(timeout=seconds)
    except (TimeoutError, openai.APITimeoutError):
        raise ModelUnreachable(f"The model's server did not answer within {seconds:.0f} s.") from None
    except openai.APIStatusError as error:
        status = error.status_code
        if status in (UNAUTHORIZED, FORBIDDEN):
            raise ModelRefused(f"The model's server refuses the key ({status}). Check llm.api_key.") from None
        if status >= SERVER_ERROR:
            raise ModelUnreachable(f"The model's server is not available ({status}).") from None
        # Some servers just have no list.
        return ()
    except (openai.OpenAIError, ValueError) as error:  # a key or an address that no request can carry is a ValueError
        cause = type(error.__cause__ or error).__name__
        raise ModelUnreachable(f"The model's server cannot be reached: {cause}.") from None
    finally:
        await client.close()
    try:
        body = read_body(answer.content, MOST_BYTES)
    except BadJson:
        return ()
    data = body.get("data") if isinstance(body, dict) else None
    entries = data if isinstance(data, list) else []
    return tuple(clean(one["id"]) for one in entries if isinstance(one, dict) and isinstance(one.get("id"), str))


# What servers call how many tokens they show a model: vLLM; OpenRouter, Together and others; Groq; LM Studio.
WINDOWS = ("loaded_context_length", "max_model_len", "context_length", "context_window", "max_context_length")
OLLAMA_WINDOW = 4_096
_NUM_CTX = re.compile(r"^num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)


async def window_of(base_url: str, api_key: str | None, model: str, seconds: float) -> int | None:
    """Return how many tokens a server shows its `model`; None where it does not say so within `seconds`.

    Most servers say it in their list of models; llama.cpp in /props (its README: "GET /props"), Ollama in /api/show
    and, once the model is loaded, in /api/ps (its API reference), else it is Ollama's default.
    """
    client = connected(base_url, (api_key or "").strip() or "none")
    try:
        async with asyncio.timeout(seconds):
            listed = await _look(client, "/models")
            entries = listed.get("data")
            entry = next((one for one in _objects(entries) if one.get("id") == model), {})
            if found := next(filter(None, (_number(entry.get(name)) for name in WINDOWS)), None):
                return found
            root = _root(base_url)
            if entry.get("owned_by") == "llamacpp":
                settings = (await _look(client, f"{root}/props")).get("default_generation_settings")
                return _number(settings.get("n_ctx")) if isinstance(settings, dict) else None
            if entry.get("owned_by") == "library" or is_ollama(base_url):
                return await _of_ollama(client, root, model)
    except (TimeoutError, openai.OpenAIError, httpx2.HTTPError, ValueError):
        return None
    finally:
        await client.close()
    return None


async def _of_ollama(client: openai.AsyncOpenAI, root: str, model: str) -> int:
    shown = await _look(client, f"{root}/api/show", {"model": model})
    if found := _NUM_CTX.search(str(shown.get("parameters") or "")):
        return int(found[1])
    loaded = _objects((await _look(client, f"{root}/api/ps")).get("models"))
    names = {model, f"{model}:latest"}
    windows = [_number(one.get("context_length")) for one in loaded if one.get("name") in names]
    return next(filter(None, windows), OLLAMA_WINDOW)


async def _look(client: openai.AsyncOpenAI, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """Return what a server answers, empty where that is no object or there is no such thing."""
    try:
        if body is None:
            answer = await client.get(path, cast_to=httpx2.Response)
        else:
            answer = await client.post(path, cast_to=httpx2.Response, body=dict(body))
        found = read_body(answer.content, MOST_BYTES)
    except (openai.APIStatusError, BadJson):
        return {}
    return found if isinstance(found, dict) else {}


def _objects(found: object) -> list[Mapping[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _number(found: object) -> int | None:
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def _root(base_url: str) -> str:
    """Return the address before the version of the API, where servers have what is their own."""
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc, re.sub(r"/v\d+/?$", "", parts.path).rstrip("/"), "", ""))
