"""Downloads that never take more than what was asked for."""

from __future__ import annotations

from http import HTTPStatus

import aiohttp

from core.kernel.errors import FetchFailed

# The end of all patience; who asks has less (`files.fetch_seconds`).
FETCH_SECONDS = 600.0
# Packed, a file could grow beyond all measure when it is unpacked.
UNPACKED = {"Accept-Encoding": "identity"}
CHUNK = 65_536
# Of the answers that blame the request, those that another try may still turn.
PASSING = (HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)


def check_size(size: int, most_bytes: int) -> None:
    """Raise `FetchFailed`, for good, for a file of more than `most_bytes`."""
    if size > most_bytes:
        raise FetchFailed(f"the file is too big, more than {most_bytes} bytes", for_good=True)


async def content_of(answer: aiohttp.ClientResponse, most_bytes: int) -> bytes:
    """Return the content of an answer; raise `FetchFailed` when there is none, or as soon as it is too big."""
    if answer.status != HTTPStatus.OK:
        final = HTTPStatus.BAD_REQUEST <= answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
        for_good = final and answer.status not in PASSING
        raise FetchFailed(f"the server of files answered {answer.status}", for_good=for_good)
    check_size(answer.content_length or 0, most_bytes)
    content = bytearray()
    async for chunk in answer.content.iter_chunked(CHUNK):
        check_size(len(content) + len(chunk), most_bytes)
        content += chunk
    return bytes(content)
