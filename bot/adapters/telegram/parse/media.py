"""Files that came with a message (https://core.telegram.org/bots/api#available-types), as data for later."""

from __future__ import annotations

from typing import Any

from bot.adapters.telegram.parse.fields import Fields, count
from core.kernel.types import Attachment
from core.kernel.untrusted import clean, label

# What the Bot API lets a bot download (https://core.telegram.org/bots/api#getfile).
MOST_BYTES = 20_000_000
# An animation also comes as a document, for older programs; the first that is there counts.
FILES = ("animation", "document", "voice", "audio", "video", "video_note")
LONGEST_NAME = 255
LONGEST_MIME = 100


def attachments(message: Fields) -> tuple[Attachment, ...]:
    """Return what is attached to a Message: one file at most, an album's parts being messages of their own."""
    photo = message.get("photo")
    if photo:
        return (_attachment("photo", _best_size(photo)),)
    kind = next((kind for kind in FILES if message.get(kind)), None)
    return () if kind is None else (_attachment(kind, message[kind]),)


def _best_size(sizes: list[Fields]) -> Fields:
    """Return the largest size that can be fetched, else the smallest."""
    by_area = sorted(sizes, key=lambda size: count(size, "width") * count(size, "height"))
    fitting = [size for size in by_area if count(size, "file_size") <= MOST_BYTES]
    return fitting[-1] if fitting else by_area[0]


def _attachment(kind: str, file: Fields) -> Attachment:
    return Attachment(
        kind=kind,
        file=_file_id(file),
        name=label(file.get("file_name"), LONGEST_NAME),
        mime=label(file.get("mime_type"), LONGEST_MIME),
        size=count(file, "file_size"),
        seconds=count(file, "duration"),
    )


def _file_id(file: Fields) -> str:
    found: Any = file["file_id"]
    if not isinstance(found, str) or not found:
        raise TypeError("file_id is no text")
    return clean(found)
