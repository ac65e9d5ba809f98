"""A look at a Chat Completions server that costs no tokens: which models does it list?"""

from __future__ import annotations

import asyncio

import openai

from core.agents.llm.openai.client_factory import connected
from core.agents.llm.openai.lenient_json import BadJson, clean, read_body
from core.kernel.errors import ModelRefused, ModelUnreachable

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
