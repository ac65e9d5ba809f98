"""The side of those who send more than text: files, places, contacts, forwards, albums."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import count
from typing import Any

from telegram.constants import MediaGroupLimit, MessageLimit

from tests.emulators.telegram_chats import found_entities
from tests.emulators.telegram_files import Files, media_fields
from tests.emulators.telegram_text import utf16_length
from tests.emulators.telegram_user import DEFAULT_USER, Some, UserSide

CHANNEL = {"id": -1009876543210, "title": "News", "type": "channel"}
FAR_GROUP = {"id": -1005555555555, "title": "Elsewhere", "type": "supergroup"}


class MediaSide(UserSide):
    """Sending things; every action returns the update_id, 0 when the bot does not get to see it."""

    files: Files
    _albums = count(13_700_000_000_000_000)

    def send_media(
        self,
        kind: str,
        user: int = DEFAULT_USER,
        chat: int | None = None,
        *,
        data: bytes = b"emulated",
        size: int | None = None,
        caption: str = "",
        reply_to: Some | None = None,
        thread: int | None = None,
        message: dict[str, Any] | None = None,
        **fields: Any,
    ) -> int:
        """Let *user* send a photo, document, voice, audio, video, animation, video_note, sticker, location, contact…

        *data* is what a download brings and *size* what Telegram states instead of its length, in bytes. *fields* are
        those of the object itself (file_name, mime_type, latitude…; None takes one away), *message* further fields
        of the Message. Raises ``ValueError`` for an unknown kind or a caption too long.
        """
        envelope = self._envelope(user, chat, self.chats.next_message_id(), None)
        content = media_fields(self.files, kind, data, size, fields) | _caption(caption)
        return self._deliver(
            "message", envelope | self._context(envelope["chat"], reply_to, thread) | content | (message or {})
        )

    def album(
        self,
        kinds: Sequence[str],
        user: int = DEFAULT_USER,
        chat: int | None = None,
        *,
        caption: str = "",
        data: bytes = b"emulated",
    ) -> list[int]:
        """Let *user* send several things at once and return the update ids; the first has the caption."""
        if not MediaGroupLimit.MIN_MEDIA_LENGTH <= len(kinds) <= MediaGroupLimit.MAX_MEDIA_LENGTH:
            raise ValueError(f"an album of {len(kinds)}")
        shared = {"media_group_id": str(next(self._albums))}
        captions = [caption, *[""] * (len(kinds) - 1)]
        return [
            self.send_media(kind, user, chat, caption=words, data=data, message=shared)
            for kind, words in zip(kinds, captions, strict=True)
        ]

    def origin(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the fields of a Message forwarded from a user, hidden_user, chat or channel.

        For ``say(text, **origin("channel"))`` and ``send_media("photo", message=origin("user"))``.
        """
        known: dict[str, dict[str, Any]] = {
            "user": {"sender_user": self.chats.user(3003)},
            "hidden_user": {"sender_user_name": "Somebody"},
            "chat": {"sender_chat": FAR_GROUP, "author_signature": "Admin"},
            "channel": {"chat": CHANNEL, "message_id": 17, "author_signature": "Editor"},
        }
        if kind not in known:
            raise ValueError(f"unknown origin {kind!r}, known: {sorted(known)}")
        return {"forward_origin": {"type": kind, "date": int(time.time()) - 3600} | known[kind] | fields}


def _caption(text: str) -> dict[str, Any]:
    if utf16_length(text) > MessageLimit.CAPTION_LENGTH:
        raise ValueError("caption too long")
    entities = found_entities(text)
    return ({"caption": text} if text else {}) | ({"caption_entities": entities} if entities else {})
