"""Reads documents in processes of their own."""

from __future__ import annotations

import asyncio

from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.readers.found import Unreadable
from core.toolkit.apart.parent import SECONDS, do_apart

MOST_BYTES, AT_ONCE = 32 << 20, 2
_CHILD = "core.capabilities.documents.child"


class Documents:
    """Gives the text of documents, a few at once."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._free = asyncio.Semaphore(AT_ONCE)

    async def read(
        self, body: bytes, name: str = "", media_type: str = "", *, charset: str = "", url: str = ""
    ) -> DocumentText:
        """Return what stands in a document; raises `core.capabilities.documents.readers.found.Unreadable`."""
        if len(body) > MOST_BYTES:
            raise Unreadable("huge")
        options = {"name": name[-200:], "media_type": media_type, "charset": charset[:40], "url": url}
        async with self._free:
            return DocumentText(**await do_apart(_CHILD, options, body, self._seconds))
