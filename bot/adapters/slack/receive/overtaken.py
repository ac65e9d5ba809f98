"""What was edited or deleted before it came: Slack hands events over in no order, and some again for minutes."""

from __future__ import annotations

from bot.adapters.slack.parse.messages import CHANGED, DELETED, TOMBSTONE, Fields, instant_of, text_of
from core.kernel.types import Millis

# What is not acknowledged is handed over again after a minute, and after five more; then it is gone.
HANDED_OVER: Millis = 7 * 60_000
MOST = 1_000


class Overtaken:
    """Remembers for what messages were changed, in memory, as long as those may still come as they were."""

    def __init__(self) -> None:
        # By workspace, channel and time stamp the message as it was edited last; None where it is deleted.
        self._newest: dict[tuple[str, str, str], Fields | None] = {}

    def as_now(self, team: str, event: Fields) -> Fields | None:
        """Return an event that hands a message over with the words that it has now, None where it is deleted. Any other
        event is returned as it is, and an edit or a deletion is remembered."""
        subtype, inner = text_of(event, "subtype"), event.get("message")
        changed: Fields | None = inner if subtype == CHANGED and isinstance(inner, dict) else None
        if changed is None and subtype != DELETED:
            key = team, text_of(event, "channel"), text_of(event, "ts")
            # What has been edited says so where it is read from the conversation.
            if key not in self._newest or event.get("edited"):
                return event
            newest = self._newest[key]
            return None if newest is None else {**event, "text": text_of(newest, "text")}
        ts = text_of(event, "deleted_ts") if changed is None else text_of(changed, "ts")
        if instant_of(event) - instant_of({"ts": ts}) < HANDED_OVER:
            gone = changed is None or text_of(changed, "subtype") == TOMBSTONE
            self._newest[team, text_of(event, "channel"), ts] = None if gone else changed
            if len(self._newest) > MOST:
                del self._newest[next(iter(self._newest))]
        return event
