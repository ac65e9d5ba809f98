"""conversations.history and replies: what was said, with a cursor and within limits."""

from __future__ import annotations

from tests.emulators.slack_asking import Ask, Method, moment
from tests.emulators.slack_forms import message_form, replies, thread_form, ts_key
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Channel, Json, Message

MOST_HISTORY, MOST_REPLIES = 999, 1000
END = (10**10, 0)


class History:
    """The methods that read a conversation or a thread of it."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"conversations.history": self._history, "conversations.replies": self._replies}

    def _history(self, ask: Ask) -> Json:
        """Newest first; answers in threads are left out unless shown to the whole channel.

        With nothing but ``oldest`` the pages begin there and go on to the newest (slack-api-docs, issue 4).
        """
        channel = ask.joined(ask.params["channel"], scope="history")
        found = [m for m in channel.messages.values() if _top(m) and (not m.deleted or replies(channel, m.ts))]
        forward = bool(ask.params.get("oldest")) and not ask.params.get("latest")
        found.sort(key=lambda message: ts_key(message.ts), reverse=not forward)
        wanted = [message for message in found if _within(ask, message)]
        part, cursor = ask.page(wanted, most=MOST_HISTORY, given=ask.world.app.history_most)
        return self._read(ask, channel, part[::-1] if forward else part, cursor) | {"pin_count": 0}

    def _replies(self, ask: Ask) -> Json:
        """Root first, then the answers, oldest first; of an answer, only itself."""
        channel = ask.joined(ask.params["channel"], scope="history")
        root = channel.messages.get(ask.params["ts"])
        answers = replies(channel, ask.params["ts"])
        if root is None or (root.deleted and not answers):
            raise ApiError("thread_not_found")
        wanted = [message for message in answers if _within(ask, message)]
        given = ask.world.app.history_most
        part, cursor = ask.page([root, *wanted], usual=MOST_REPLIES, most=MOST_REPLIES, given=given)
        return self._read(ask, channel, part, cursor)

    @staticmethod
    def _read(ask: Ask, channel: Channel, part: list[Message], cursor: str) -> Json:
        metadata = bool(ask.params.get("include_all_metadata"))
        forms = [
            thread_form(ask.world, channel, message, metadata=metadata)
            if message.thread_ts in ("", message.ts)
            else message_form(ask.world, message, metadata=metadata)
            for message in part
        ]
        answer: Json = {"messages": forms, "has_more": bool(cursor)}
        return answer | ({"response_metadata": {"next_cursor": cursor}} if cursor else {})


def _top(message: Message) -> bool:
    return message.thread_ts in ("", message.ts) or message.subtype == "thread_broadcast"


def _within(ask: Ask, message: Message) -> bool:
    oldest = moment(ask.params.get("oldest") or "0", "invalid_ts_oldest")
    latest = moment(ask.params["latest"], "invalid_ts_latest") if ask.params.get("latest") else END
    at = ts_key(message.ts)
    if ask.params.get("inclusive"):
        return oldest <= at <= latest
    return oldest < at < latest
