"""What was said, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "history_brought": "{name} (in {source})",
    "history_found": "🔎 What was said about “{words}”:",
    "history_nothing": "I found nothing that was said here about “{words}”.",
    "history_quote": "{name}, {when}: {text}",
}
