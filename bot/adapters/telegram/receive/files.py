"""Fetching what came with a message (https://core.telegram.org/bots/api#getfile).

The address of a file contains the token: no error or log may show it. Its path comes from outside and must stay below
the root for files; servers of one's own that answer with a path on their disk are not supported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from telegram.error import BadRequest, Forbidden, InvalidToken

from bot.adapters._shared.download import FETCH_SECONDS, UNPACKED, check_size, content_of
from bot.adapters.telegram.send.client import Client, Connections, Timeouts, described
from core.kernel.errors import FetchFailed
from core.kernel.types import Attachment

STALLED_SECONDS = 20.0
TIMEOUTS = Timeouts(pool=STALLED_SECONDS, connect=STALLED_SECONDS, write=STALLED_SECONDS, read=STALLED_SECONDS)
CONNECTIONS = 100
NOT_FOUND = "not found"


class Files:
    """Downloads, never more than what was asked for."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._connections = Connections(CONNECTIONS)

    async def close(self) -> None:
        """Close the connections."""
        await self._connections.close()

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Return a file's content; raise `FetchFailed`, for good when it is too big, gone or refused."""
        check_size(attachment.size, most_bytes)
        if self._client.closed:
            raise FetchFailed("the connections are closed", for_good=False)
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                found = await self._client.call("getFile", {"file_id": attachment.file})
                if not isinstance(found, Mapping) or not isinstance(found.get("file_path"), str):
                    raise FetchFailed("the server names no path for the file", for_good=False)
                size = found.get("file_size")
                check_size(size if isinstance(size, int) else 0, most_bytes)
                url = f"{self._client.files_root}{safe_path(found['file_path'])}"
                async with await self._connections.request("GET", url, TIMEOUTS, headers=UNPACKED, raw=True) as answer:
                    packed = answer.headers.get("Content-Encoding", "identity") != "identity"
                    if answer.status == HTTPStatus.OK and packed:
                        raise FetchFailed("the server of files packs its answers", for_good=False)
                    return await content_of(answer, most_bytes)
        except FetchFailed:
            raise
        except Exception as error:
            # Another try would not change that the Bot API refused (400, 403, 404).
            unknown = isinstance(error, InvalidToken) and NOT_FOUND in error.message.lower()
            raise FetchFailed(described(error), for_good=unknown or isinstance(error, BadRequest | Forbidden)) from None


def safe_path(path: str) -> str:
    """Return a path for an address below the root; raise `FetchFailed` for one that leads elsewhere."""
    if "\\" in path or any(step in ("", ".", "..") for step in path.split("/")):
        raise FetchFailed("the server names a path outside its files", for_good=True)
    return quote(path)
