"""What other assistants hand out: the data exports of ChatGPT and of Claude, as rows of our own.

ChatGPT: `conversations.json` (or `conversations-000.json` …) is a list of conversations; the messages of one are a tree
(`mapping`), of which the branch that ends in `current_node` was shown. What it remembered stands in messages to `bio`
and in a context that the model could edit. Claude: `conversations.json` is a list with `chat_messages`, `memories.json`
has texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from core.capabilities.transfer.archive import Limits
from core.toolkit.portable import LAST

CHATGPT, CLAUDE = "chatgpt", "claude"
LONGEST_LINE = 10_000
LONGEST_TITLE = 200
# No conversation has more messages one behind the other.
MOST_NODES = 100_000
_TEXTS = frozenset({"text", "multimodal_text"})
_CONTEXTS = ("model_set_context",)
# Where a line begins that is in bold as a whole.
_BOLD_LINE = re.compile(r"^(?=\*\*[^*\n]+\*\*[ \t]*$)", re.MULTILINE)

Row = dict[str, Any]


class Conversations:
    """Rows for the history, and texts that were remembered, of a list of conversations; what is none is counted."""

    def __init__(self, limits: Limits) -> None:
        self.lines: list[Row] = []
        self.memories: list[tuple[str, int]] = []
        self.failed = 0
        self._limits = limits

    def take(self, conversations: Iterable[Any]) -> None:
        """Read conversations of either kind."""
        for one in conversations:
            self._limits.check()
            before = len(self.lines)
            try:
                if isinstance(one, Mapping) and isinstance(one.get("mapping"), Mapping):
                    self.lines += self._chatgpt(one)
                elif isinstance(one, Mapping) and isinstance(one.get("chat_messages"), Sequence):
                    self.lines += _claude(one)
                else:
                    self.failed += 1
            except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
                del self.lines[before:]
                self.failed += 1

    def _chatgpt(self, conversation: Mapping[str, Any]) -> list[Row]:
        begun = _instant(conversation.get("create_time"))
        session = str(conversation.get("conversation_id") or conversation.get("id") or begun)
        found: list[Row] = []
        for message in _branch(conversation):
            author, content = message.get("author") or {}, message.get("content") or {}
            role, kind = author.get("role"), content.get("content_type")
            if (message.get("metadata") or {}).get("is_visually_hidden_from_conversation"):
                continue
            at = _instant(message.get("create_time")) or begun
            if message.get("recipient") == "bio":
                self.memories.append((_said(content), at))
            elif kind == "model_editable_context":
                self.memories += [(str(content[name]), at) for name in _CONTEXTS if content.get(name)]
            elif role in {"user", "assistant"} and kind in _TEXTS and message.get("recipient", "all") == "all":
                found += _rows(CHATGPT, session, conversation.get("title"), role, _said(content), at)
        return _placed(found)


def _branch(conversation: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the messages of the branch that was shown last, from its root on."""
    mapping: Mapping[str, Any] = conversation["mapping"]
    node_id, seen = conversation.get("current_node"), dict[str, Mapping[str, Any]]()
    if node_id not in mapping:
        # Older files do not say which one that is: the one of the newest message.
        newest = max(mapping, key=lambda one: _instant(_message(mapping[one]).get("create_time")), default=None)
        node_id = newest
    while isinstance(node_id, str) and node_id in mapping and node_id not in seen and len(seen) < MOST_NODES:
        seen[node_id] = mapping[node_id]
        node_id = mapping[node_id].get("parent")
    yield from (message for node in reversed(seen.values()) if (message := _message(node)))


def _message(node: Any) -> Mapping[str, Any]:
    message = node.get("message") if isinstance(node, Mapping) else None
    return message if isinstance(message, Mapping) else {}


def _said(content: Mapping[str, Any]) -> str:
    parts = content.get("parts") or [content.get("text")]
    return "\n".join(part for part in parts if isinstance(part, str) and part.strip())


def _claude(conversation: Mapping[str, Any]) -> list[Row]:
    begun = _instant(conversation.get("created_at"))
    session, found = str(conversation.get("uuid") or begun), list[Row]()
    for message in conversation["chat_messages"]:
        role = {"human": "user", "assistant": "assistant"}.get(message.get("sender"))
        blocks = [one for one in message.get("content") or () if isinstance(one, Mapping)]
        texts = [one.get("text") for one in blocks if one.get("type") == "text"]
        text = "\n".join(one for one in texts if isinstance(one, str)) or str(message.get("text") or "")
        if role is not None:
            at = _instant(message.get("created_at")) or begun
            found += _rows(CLAUDE, session, conversation.get("name"), role, text, at)
    return _placed(found)


def _rows(source: str, session: str, title: object, role: str, text: str, at: int) -> Iterator[Row]:
    """Yield the lines of one message: what is too long for one is several."""
    for start in range(0, len(text.strip()), LONGEST_LINE):
        yield {
            "source": source,
            "session": session[:LONGEST_TITLE],
            "title": title[:LONGEST_TITLE] if isinstance(title, str) else "",
            "role": role,
            "speaker": "" if role == "user" else {CHATGPT: "ChatGPT", CLAUDE: "Claude"}[source],
            "text": text.strip()[start : start + LONGEST_LINE],
            "at": at,
        }


def _placed(rows: list[Row]) -> list[Row]:
    return [row | {"position": position} for position, row in enumerate(rows)]


def _instant(value: object) -> int:
    """Return an instant of unix seconds, or of ISO 8601, in milliseconds; 0 where there is none."""
    with suppress(ValueError, OverflowError):
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            value = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return min(max(0, round(value * 1000)), LAST)
    return 0


def remembered(found: object) -> list[str] | None:
    """Return the texts that Claude remembered, of all conversations and of projects; None for other JSON.

    Its headings are lines in bold, which elsewhere may be what is to be remembered."""
    first = found[0] if isinstance(found, list) and found else found
    if not isinstance(first, Mapping) or "conversations_memory" not in first:
        return None
    texts: list[str] = []
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, Mapping):
            projects = one.get("project_memories")
            texts += [str(one.get("conversations_memory") or "")]
            texts += [str(text) for text in (projects.values() if isinstance(projects, Mapping) else ())]
    return [_BOLD_LINE.sub("# ", text) for text in texts if text.strip()]
