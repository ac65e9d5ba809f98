"""Fetching what came with a message (https://docs.slack.dev/reference/objects/file-object, url_private_download).

Slack's addresses want the token, which goes to Slack's hosts alone: neither a forged address nor a redirect may get it.
"""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from urllib.parse import urlsplit

import aiohttp

from bot.adapters._shared.download import FETCH_SECONDS, UNPACKED, check_size, content_of
from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.send.client import Wire, described, fields
from core.kernel.errors import FetchFailed
from core.kernel.types import Attachment

FILE_ID = re.compile(r"F[A-Z0-9]{1,30}")
# Whose file it is stands in its address.
OWNER = re.compile(r"/files-(?:pri|tmb)/(T[A-Z0-9]+)-")
SLACKS = ("slack.com", "slack-gov.com")
PAGE = "text/html"


class Files:
    """Downloads, never more than what was asked for."""

    def __init__(self, workspaces: Workspaces, wire: Wire) -> None:
        self._workspaces, self._wire = workspaces, wire

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Return a file's content; raise `FetchFailed`, for good when it is too big, gone or refused.

        `attachment.file` is an address of Slack's, or the id of a file; before it may stand the id of the workspace.
        """
        check_size(attachment.size, most_bytes)
        workspace, file = self._whose(attachment.file)
        if self._wire.closed:
            raise FetchFailed("the connections are closed", for_good=False)
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                address: object = file
                if FILE_ID.fullmatch(file):
                    # Of some files, messages of shared channels tell the id alone (files.info).
                    found = fields(fields((await workspace.client.files_info(file=file)).data).get("file"))
                    address = found.get("url_private_download") or found.get("url_private")
                if not isinstance(address, str):
                    raise FetchFailed("Slack names no address for the file", for_good=True)
                return await self._download(workspace, address, attachment.mime, most_bytes)
        except FetchFailed:
            raise
        except Exception as error:
            raise FetchFailed(described(error), for_good=False) from None

    def _whose(self, file: str) -> tuple[Workspace, str]:
        """Return the workspace whose token reads a file, and the file."""
        named, _, rest = file.rpartition(" ")
        owner = OWNER.search(urlsplit(rest).path)
        found = self._workspaces.get(named or (owner[1] if owner else ""))
        if found is None and not named and len(self._workspaces) == 1:
            # In a shared channel files belong to others, and our token reads them all the same.
            found = next(iter(self._workspaces))
        if found is None:
            raise FetchFailed("the workspace of the file is not connected", for_good=False)
        return found, rest

    async def _download(self, workspace: Workspace, address: str, mime: str, most_bytes: int) -> bytes:
        """Download from an address that may get the token; raise `FetchFailed` for another one."""
        here, there = urlsplit(self._wire.base_url), urlsplit(address)
        own = (there.scheme, there.netloc) == (here.scheme, here.netloc)
        slacks = there.netloc in SLACKS or there.netloc.endswith(tuple(f".{host}" for host in SLACKS))
        if not own and not (there.scheme == "https" and slacks):
            raise FetchFailed("the file is not at Slack", for_good=True)
        headers = {"Authorization": f"Bearer {workspace.client.token}", **UNPACKED}
        asked = self._wire.session.get(
            address,
            headers=headers,
            allow_redirects=False,
            proxy=workspace.client.proxy,
            timeout=aiohttp.ClientTimeout(total=FETCH_SECONDS, sock_connect=5.0, sock_read=20.0),
        )
        async with asked as answer:
            # To a token that may not read a file Slack answers with the page where people sign in.
            if answer.status in range(300, 400):
                raise FetchFailed("Slack wants somebody to sign in: is files:read missing?", for_good=True)
            if answer.status == HTTPStatus.OK and answer.content_type == PAGE and not mime.startswith(PAGE):
                raise FetchFailed("Slack sent a page instead of the file: is files:read missing?", for_good=True)
            return await content_of(answer, most_bytes)
