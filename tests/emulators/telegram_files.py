"""Files that people send: their objects, getFile and the download."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from telegram.constants import FileSizeLimit

from tests.emulators.telegram_chats import Call, Method
from tests.emulators.telegram_rules import Params, bad

FILE_ID = re.compile(r"[A-Za-z0-9_-]{20,}")
SIZES = ((90, 60), (320, 213), (1280, 853))
FOLDERS = {
    "photo": ("photos", "jpg"),
    "document": ("documents", "bin"),
    "voice": ("voice", "oga"),
    "audio": ("music", "mp3"),
    "video": ("videos", "mp4"),
    "animation": ("animations", "mp4"),
    "video_note": ("video_notes", "mp4"),
    "sticker": ("stickers", "webp"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """One file; *size* in bytes is what Telegram says, whatever *data* holds."""

    file_id: str
    unique_id: str
    path: str
    data: bytes
    size: int

    def json(self) -> dict[str, Any]:
        """Return the fields that every kind of file has."""
        return {"file_id": self.file_id, "file_unique_id": self.unique_id, "file_size": self.size}


class Files:
    """The files that the bot has been shown."""

    def __init__(self) -> None:
        self._by_id: dict[str, StoredFile] = {}
        self._by_path: dict[str, StoredFile] = {}

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"getFile": self._get}

    def add(self, kind: str, data: bytes, size: int | None = None) -> StoredFile:
        """Keep a file of *kind*; *size* is stated instead of the true one."""
        number = len(self._by_id)
        folder, ending = FOLDERS[kind]
        file = StoredFile(
            file_id=f"AgACAgIAAxkBAAI{number:06d}emulated",
            unique_id=f"AQAD{number:06d}",
            path=f"{folder}/file_{number}.{ending}",
            data=data,
            size=len(data) if size is None else size,
        )
        self._by_id[file.file_id] = self._by_path[file.path] = file
        return file

    def forget(self, file_id: str) -> None:
        """Let a file become unavailable."""
        del self._by_path[self._by_id.pop(file_id).path]

    def download(self, path: str) -> bytes | None:
        """Return the content at a file_path, None where there is none."""
        file = self._by_path.get(path)
        return file.data if file else None

    def _get(self, params: Params, call: Call) -> object:
        if not FILE_ID.fullmatch(params["file_id"]):
            raise bad("invalid file_id")
        file = self._by_id.get(params["file_id"])
        if file is None:
            raise bad("wrong file_id or the file is temporarily unavailable")
        if file.size > FileSizeLimit.FILESIZE_DOWNLOAD:
            raise bad("file is too big")
        return file.json() | {"file_path": file.path}


def _photo(files: Files, data: bytes, size: int | None) -> list[dict[str, Any]]:
    """Return the sizes of a photo, smallest first; only the largest holds all of *data*."""
    cuts = [data[: len(data) // 4], data[: len(data) // 2], data]
    stated = [None, None, size]
    return [
        files.add("photo", part, told).json() | {"width": width, "height": height}
        for part, told, (width, height) in zip(cuts, stated, SIZES, strict=True)
    ]


# What each kind of file has beside its file; a test overrides what it likes.
_FILE_FIELDS: dict[str, dict[str, Any]] = {
    "document": {"file_name": "notes.txt", "mime_type": "text/plain"},
    "voice": {"duration": 3, "mime_type": "audio/ogg"},
    "audio": {"duration": 180, "title": "Song", "file_name": "song.mp3", "mime_type": "audio/mpeg"},
    "video": {"width": 640, "height": 480, "duration": 7, "file_name": "film.mp4", "mime_type": "video/mp4"},
    "animation": {"width": 320, "height": 240, "duration": 2, "file_name": "cat.mp4", "mime_type": "video/mp4"},
    "video_note": {"length": 240, "duration": 4},
    "sticker": {
        "width": 512,
        "height": 512,
        "is_animated": False,
        "is_video": False,
        "type": "regular",
        "emoji": "👍",
    },
}
_PLACE = {"longitude": 13.4050, "latitude": 52.5200}
_PLAIN: dict[str, dict[str, Any]] = {
    "location": _PLACE,
    "contact": {"phone_number": "+4930123456", "first_name": "Ada"},
    "venue": {"location": _PLACE, "title": "Town hall", "address": "Main street 1"},
    "dice": {"value": 4, "emoji": "🎲"},
    "poll": {
        "id": "5400000000000000001",
        "question": "Tea or coffee?",
        "options": [{"text": text, "voter_count": 0, "persistent_id": text} for text in ("Tea", "Coffee")],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": True,
        "type": "regular",
        "allows_multiple_answers": False,
        "allows_revoting": True,
        "members_only": False,
    },
}
KINDS = frozenset({"photo", *_FILE_FIELDS, *_PLAIN})


def media_fields(files: Files, kind: str, data: bytes, size: int | None, given: dict[str, Any]) -> dict[str, Any]:
    """Return the field of a Message that holds a thing of *kind*; None in *given* takes a field away.

    Raises ``ValueError`` for a kind that nobody can send.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}, known: {sorted(KINDS)}")
    if kind == "photo":
        return {"photo": _photo(files, data, size)}
    base = _FILE_FIELDS[kind] | files.add(kind, data, size).json() if kind in _FILE_FIELDS else _PLAIN[kind]
    fields = {name: value for name, value in (base | given).items() if value is not None}
    # Shown twice for programs that know no animations and no venues.
    twice: dict[str, Callable[[], dict[str, Any]]] = {
        "animation": lambda: {"document": {name: fields[name] for name in fields if name[:4] in ("file", "mime")}},
        "venue": lambda: {"location": fields["location"]},
    }
    return {kind: fields} | twice.get(kind, dict)()
