"""sendRichMessage of Bot API 10.1, newer than the client library."""

from __future__ import annotations

from typing import Any

from tests.emulators.telegram_chats import Call, Method
from tests.emulators.telegram_messages import Messages
from tests.emulators.telegram_rules import Params, bad

# InputRichMessage: exactly one source, and options; both in the documentation only.
SOURCES = frozenset({"html", "markdown", "blocks"})
OPTIONS = frozenset({"is_rtl", "skip_entity_detection", "media"})
# Documented at "Rich message limits", in characters and blocks.
LONGEST, MOST_BLOCKS = 32768, 500


class Rich:
    """Sends formatted documents; only their outer shape is checked."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"sendRichMessage": self._send}

    def _send(self, params: Params, call: Call) -> object:
        chat_id = self._messages.destination(params)
        source, blocks = _checked(params["rich_message"])
        return self._messages.keep(
            chat_id, params, call, text=source, entities=[], extra={"rich_message": {"blocks": blocks}}
        )


def _checked(rich: object) -> tuple[str, list[Any]]:
    """Return the source and the blocks; a formatted source is one paragraph here."""
    if not isinstance(rich, dict):
        raise bad("can't parse InputRichMessage: expected an Object")
    unknown = rich.keys() - SOURCES - OPTIONS
    if unknown:
        raise bad(f"emulator: unknown field {min(unknown)!r} in InputRichMessage")
    given = sorted(SOURCES & rich.keys())
    if len(given) != 1:
        raise bad("emulator: exactly one of html, markdown and blocks")
    content = rich[given[0]]
    if isinstance(content, list):
        source, blocks = "", content
    elif isinstance(content, str):
        source, blocks = content, [{"type": "paragraph", "text": content}]
    else:
        raise bad("can't parse InputRichMessage: expected a String")
    if not content or (source and not source.strip()):
        raise bad("message text is empty")
    if len(source) > LONGEST or len(blocks) > MOST_BLOCKS:
        raise bad("message is too long")
    return source, blocks
