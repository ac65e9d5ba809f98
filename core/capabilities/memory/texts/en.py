"""English: memories."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "count_memories": "{n} memory|{n} memories",
    "count_own_memories": "{n} memory of what you said|{n} memories of what you said",
}
