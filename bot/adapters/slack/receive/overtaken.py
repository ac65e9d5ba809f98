"""What was edited or deleted before it came: Slack hands events over in no order, and some again for minutes."""

from __future__ import annotations

from bot.adapters.slack.parse.messages import CHANGED, DELETED, TOMBSTONE, TS, Fields, instant_of, order, text_of
from core.kernel.types import MINUTE, Millis

# What is not acknowledged is handed over again after a minute, and after five more; then it is gone.
HANDED_OVER: Millis = 7 * MINUTE
MOST = 1_000


class Overtaken:
    """Remembers, in memory, how those messages were changed last that may still come as they were before."""

    def __init__(self) -> None:
        # By workspace, channel and time stamp what a message says now, and when it was edited; None where it is
        # deleted.
        self._newest: dict[tuple[str, str, str], Fields | None] = {}

    def as_now(self, team: str, event: Fields) -> Fields | None:
        """Return an event that hands a message over with the words that it has now, None where it is deleted. Of an
        edit return None where the message was deleted, or edited once more. Any other event is returned as it is."""
        subtype, inner = text_of(event, "subtype"), event.get("message")
        given = inner if subtype == CHANGED and isinstance(inner, dict) else event
        deleted = subtype == DELETED or text_of(given, "subtype") == TOMBSTONE
        ts = text_of(given, "deleted_ts" if subtype == DELETED else "ts")
        key = team, text_of(event, "channel"), ts
        newest = self._newest.get(key, given)
        if not deleted and (newest is None or _edited_at(given) < _edited_at(newest)):
            return None if newest is None or given is not event else {**event, "text": text_of(newest, "text")}
        changes = deleted or given is not event
        if changes and instant_of(event) - instant_of({"ts": ts}) < HANDED_OVER:
            self._newest[key] = None if deleted else {name: given.get(name) for name in ("text", "edited")}
            if len(self._newest) > MOST:
                del self._newest[next(iter(self._newest))]
        return event


def _edited_at(message: Fields) -> int:
    """Return when a message was edited, in microseconds, 0 for never."""
    edited = message.get("edited")
    ts = text_of(edited, "ts") if isinstance(edited, dict) else ""
    return order(ts) if TS.fullmatch(ts) else 0
