"""Chinese: memories."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "count_memories": "{n} 条记忆",
    "count_own_memories": "{n} 条你说过的记忆",
}
