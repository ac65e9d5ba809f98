"""Results fit into 16,000 characters of JSON (TOOLS: Conventions)."""

from __future__ import annotations

import json

from core.kernel.types import Json

LIMIT = 16_000


def fit(value: Json, limit: int = LIMIT) -> Json:
    """Cut lists and texts, longest first, until the JSON fits; what was cut says `"truncated": true`.

    Where the names alone are too long, that is all it says.
    """
    if _size(value) <= limit:
        return value
    result = {**(value if isinstance(value, dict) else {"content": value}), "truncated": True}
    # With null for every value it fits, and whatever is longer than null gets shorter when cut: so this ends.
    if _size(dict.fromkeys(result)) > limit:
        return {"truncated": True}
    total, sizes = _size(result), {name: _size(one) for name, one in result.items()}
    while total > limit:
        name = max(sizes, key=sizes.__getitem__)
        result[name] = _shorter(result[name], total - limit)
        before, sizes[name] = sizes[name], _size(result[name])
        total -= before - sizes[name]
    return result


def _shorter(value: Json, excess: int) -> Json:
    if isinstance(value, list) and len(value) > 1:
        return value[: max(1, len(value) * 9 // 10)]
    if isinstance(value, str) and value:
        return value[: max(0, len(value) - max(excess, 1))]
    return None


def _size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str))
