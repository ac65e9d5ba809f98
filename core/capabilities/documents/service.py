"""Reads documents in processes of their own."""

from __future__ import annotations

import asyncio

from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.readers.found import Unreadable
from core.kernel.clean_text import storable
from core.toolkit.confined.parent import SECONDS, run_confined

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
        """Return what stands in a document; raises `core.capabilities.documents.readers.found.Unreadable`.

        Whatever the reader tells, a database and a model's server take it.
        """
        if len(body) > MOST_BYTES:
            raise Unreadable("huge")
        options = {"name": name[-200:], "media_type": media_type, "charset": charset[:40], "url": url}
        async with self._free:
            told = await run_confined(_CHILD, options, body, self._seconds)
        for key, value in told.items():
            if isinstance(value, list):
                told[key] = [storable(text) for text in value]
            elif isinstance(value, str):
                told[key] = storable(value)
        return DocumentText(**told)
