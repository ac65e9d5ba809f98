"""Documents that people send: what a model is told of them, and what people see where there is no model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.readers.found import Unreadable
from core.capabilities.documents.service import Documents
from core.kernel.types import Excerpt, Reading

# A model is told so many characters of a document at once, and people see so many of it.
TOLD, SHOWN = 24_000, 500
LONGEST_NAME = 80
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
# Why one was not read, for a model.
PROBLEMS = {
    "unknown": "it is of a kind that is not read",
    "mismatch": "it is not what its name says",
    "damaged": "it is damaged",
    "encrypted": "it is closed with a password",
    "empty": "there is no text in it; it may be a scan or a picture",
    "bomb": "it unfolds into more than is read",
    "slow": "it takes too long to read",
    "huge": "it is too large",
}


async def reading(documents: Documents, body: bytes, name: str, media_type: str) -> Reading:
    """Read a document that somebody sent."""
    called = name[-LONGEST_NAME:] or media_type
    try:
        document = await documents.read(body, name, media_type)
    except Unreadable as problem:
        told = f"(you cannot read this: {PROBLEMS[problem.code]}; say so)"
        return Reading(text=told, excerpt=Excerpt(name=called, problem=problem.code))
    text, following = told_parts(document, 1, TOLD)
    more = f"\n(only up to here; a worker reads on with read_file from part {following})" if following else ""
    excerpt = Excerpt(
        name=document.title or called,
        kind=document.kind,
        unit=document.unit,
        parts=len(document.parts),
        text=beginning(document.text, SHOWN, document.title),
    )
    return Reading(text=f"{headline(document)}\n{text}{more}", excerpt=excerpt)


def headline(document: DocumentText) -> str:
    """Return what a document is, for a model."""
    count = f"{len(document.parts)} {document.unit}s" if len(document.parts) != 1 else f"1 {document.unit}"
    return " · ".join(filter(None, (document.kind, document.title, document.date[:10], count)))


def told_parts(document: DocumentText, first: int, most: int) -> tuple[str, int]:
    """Return the parts of a document from the `first` on, as far as `most` characters go, each below its number; and
    the number of the next one, 0 when there is none. A part that is longer by itself is cut."""
    parts: Sequence[str] = document.parts
    told: list[str] = []
    left = most
    for number in range(first, len(parts) + 1):
        text = f"[{document.unit} {number}]\n{parts[number - 1]}" if len(parts) > 1 else parts[number - 1]
        if len(text) > left and told:
            return "\n\n".join(told), number
        told.append(text[:left])
        left -= len(text)
    return "\n\n".join(told), 0


def beginning(text: str, most: int, title: str = "") -> str:
    """Return the first lines of a text below its title, to the end of a sentence or a word."""
    text = _HEADING.sub("", text).removeprefix(f"{title}\n").lstrip()
    if len(text) <= most:
        return text
    part = text[:most]
    end = max(part.rfind(sign) for sign in (". ", ".\n", "! ", "? ", "。", "！", "？"))
    return f"{part[: end + 1] if end > most // 2 else part.rpartition(' ')[0] or part} …"
