"""Results fit into 16,000 characters of JSON (TOOLS: Conventions)."""

from __future__ import annotations

import json

from core.kernel.clean_text import storable
from core.kernel.types import ENCODER, Json, JsonText

LIMIT = 16_000


def fitting(value: Json) -> tuple[Json, JsonText]:
    """Return a result that fits into the limit, and its JSON; what no database takes of its texts is replaced."""
    encoded = ENCODER.encode(value)
    if (mended := storable(encoded)) != encoded:
        value, encoded = json.loads(mended), mended
    if len(encoded) > LIMIT:
        value = fit(value)
        encoded = ENCODER.encode(value)
    return value, JsonText(encoded)


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
        one = result[name]
        if isinstance(one, list) and len(one) > 1:
            result[name] = one[: max(1, len(one) * 9 // 10)]
        elif isinstance(one, str) and one:
            result[name] = one[: max(0, len(one) - (total - limit))]
        else:
            result[name] = None
        before, sizes[name] = sizes[name], _size(result[name])
        total -= before - sizes[name]
    return result


def is_tainted(value: Json) -> bool:
    """Return whether a result, or a part of it, says that others wrote it."""
    if isinstance(value, dict):
        return bool(value.get("tainted")) or any(map(is_tainted, value.values()))
    return isinstance(value, list) and any(map(is_tainted, value))


def _size(value: Json) -> int:
    return len(ENCODER.encode(value))
