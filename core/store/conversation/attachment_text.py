"""What came with a message, in words and as data for a model. Names, types and contents are the sender's: hostile."""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from core.kernel.types import Attachment, Message, Received, Spoken

LONGEST_NAME = 100
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
KILO, MEGA = 1_000, 1_000_000
BRACKETS = str.maketrans("[]", "()")
MIME = re.compile(r"[a-z0-9][a-z0-9.+-]{0,40}/[a-z0-9][a-z0-9.+-]{0,80}", re.IGNORECASE)

GONE = "gone"
# What begins words that were spoken.
SPOKEN = "🎤 "
# Why an attachment is not kept: the word of its row, and the words for a model.
PROBLEMS = {
    "too_big": "it is too big",
    "unfetched": "it could not be fetched",
    "no_room": "there is no room on the disk",
    "over_quota": "the space for files of this chat is used up",
    GONE: "it was erased",
}

_TEXT_ENDINGS = """
    .txt .md .rst .csv .tsv .json .jsonl .yaml .yml .toml .ini .cfg .conf .log .xml .html .css .js .ts .py .sh .sql
    .c .h .cpp .java .go .rs .rb .php .tex .srt .vcf .ics .eml .diff .patch
"""
TEXTS = frozenset(_TEXT_ENDINGS.split())
_TEXT_TYPES = frozenset({"application/json", "application/xml", "application/yaml", "application/x-yaml"})
DOCUMENTS = frozenset({".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".doc", ".xls", ".ppt"})
_DOCUMENT_TYPES = (
    *("application/pdf", "application/epub", "application/vnd.openxmlformats", "application/vnd.oasis.opendocument"),
    *("application/msword", "application/vnd.ms-"),
)
# Without a mark the encoding is guessed. GB 2312 takes only common characters, so Western texts fail there.
_ENCODINGS = ("utf-8", "gb2312", "cp1252")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


def plain(text: str, most: int = LONGEST_NAME) -> str:
    """Return a foreign name as one line without anything unseen, at most `most` characters long."""
    seen = (" " if unicodedata.category(one) in UNSEEN else one for one in text[: 10 * most])
    return " ".join("".join(seen).split())[:most].rstrip()


def shown(sent: Attachment) -> str:
    """One line of data, such as `[attachment photo "name.jpg" image/jpeg 84 kB]`; nothing in it closes its bracket."""
    name = plain(sent.name).translate(BRACKETS)
    parts = [
        "attachment",
        plain(sent.kind).translate(BRACKETS),
        json.dumps(name, ensure_ascii=False) if name else "",
        sent.mime if MIME.fullmatch(sent.mime) else "",
        f"{sent.seconds} s" if sent.seconds else "",
        size(sent.size) if sent.size else "",
    ]
    return f"[{' '.join(filter(None, parts))}]"


def size(count: int) -> str:
    """Return a number of bytes, such as "84 kB"."""
    if count < KILO:
        return f"{count} bytes"
    return f"{count / MEGA:.1f} MB" if count >= MEGA else f"{round(count / KILO)} kB"


def heard(message: Message) -> str:
    """Return what a message says in the transcript: its words, marked if they were spoken, and a line for each
    attachment."""
    text = f"{SPOKEN}{message.text}" if message.spoken == Spoken.HEARD else message.text
    return said(text, (one.sent for one in message.attachments))


def said(text: str, attachments: Iterable[Attachment]) -> str:
    """Words, and a line for each attachment."""
    return "\n".join(filter(None, (text, *map(shown, attachments))))


def picture_type(content: bytes) -> str:
    """Return the type of a picture that models take, judged by its first bytes; empty for everything else."""
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else ""


def claims_text(sent: Attachment) -> bool:
    """Return whether the sender's words say that a file is text."""
    mime = sent.mime.lower()
    return mime.startswith("text/") or mime in _TEXT_TYPES or PurePosixPath(sent.name).suffix.lower() in TEXTS


def is_document(one: Received) -> bool:
    """Return whether a file that is kept is a document, by what its sender calls it."""
    sent = one.sent
    named = PurePosixPath(sent.name).suffix.lower() in DOCUMENTS or sent.mime.lower().startswith(_DOCUMENT_TYPES)
    return one.state == "kept" and bool(sent.size) and named


def as_text(content: bytes) -> str | None:
    """Return a file's text, its encoding detected; None when it is none."""
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else _ENCODINGS:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if _CONTROLS.search(text) else text.removeprefix("\ufeff")
    return None
