"""Results fit into 16,000 characters of JSON (TOOLS: Conventions)."""

from __future__ import annotations

import json

from core.types import Json

LIMIT = 16_000


def fit(value: Json, limit: int = LIMIT) -> Json:
    """Cut lists and texts, longest first, until the JSON fits; what was cut says `"truncated": true`."""
    if _size(value) <= limit:
        return value
    result = dict(value) if isinstance(value, dict) else {"content": value}
    result["truncated"] = True
    while _size(result) > limit:
        name = max(result, key=lambda key: _size(result[key]))
        result[name] = _shorter(result[name], _size(result) - limit)
    return result


def _shorter(value: Json, excess: int) -> Json:
    if isinstance(value, list) and len(value) > 1:
        return value[: max(1, len(value) * 9 // 10)]
    if isinstance(value, str) and value:
        return value[: max(0, len(value) - max(excess, 1))]
    return None


def _size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str))
