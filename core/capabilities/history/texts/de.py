"""What was said, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "history_brought": "{name} (in {source})",
    "history_found": "🔎 Das wurde zu „{words}“ gesagt:",
    "history_nothing": "Zu „{words}“ finde ich nichts, was hier gesagt wurde.",
    "history_quote": "{name}, {when}: {text}",
}
