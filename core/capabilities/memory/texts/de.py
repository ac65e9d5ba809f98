"""German: memories."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "count_memories": "{n} Erinnerung|{n} Erinnerungen",
    "count_own_memories": "{n} Erinnerung an deine Worte|{n} Erinnerungen an deine Worte",
}
