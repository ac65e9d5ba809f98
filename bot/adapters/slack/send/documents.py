"""Sending a file in three calls (https://docs.slack.dev/messaging/working-with-files#upload).

An address is asked for, the content put there, and the file shared in a conversation. Until the third call nobody sees
anything, and what is never shared Slack discards: so only the third one can leave a document in doubt.
"""

from __future__ import annotations

from collections.abc import Awaitable
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.workspaces import Workspace
from bot.adapters.slack.send.attempt import NO_THREAD, Attempt
from bot.adapters.slack.send.client import CONNECT_SECONDS, READ_SECONDS, Wire, code, described, fields, verdict
from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from core.kernel.types import Document

T = TypeVar("T")

# Slack takes a gigabyte; what is sent is held in memory.
MOST_DOCUMENT_BYTES = 100_000_000
# Bytes a second: who takes them more slowly has stalled.
SLOWEST_UPLOAD = 50_000
# Nobody will give the right for this one message, which is not to wait for it, nor keep back others.
NO_RIGHT = frozenset({"missing_scope", "no_permission", "not_allowed_token_type"})


async def upload(wire: Wire, workspace: Workspace, tried: Attempt, document: Document) -> str:
    """Send a file and return its id, for the message that shows it has none that Slack tells."""
    if len(document.content) > MOST_DOCUMENT_BYTES:
        raise SendRefused(f"it may have {MOST_DOCUMENT_BYTES} bytes on Slack, not {len(document.content)}")
    try:
        file_id = await _unseen(_stored(wire, workspace, document))
        await _shared(workspace, tried, document, file_id)
    except SlackApiError as error:
        if code(error) in NO_RIGHT:
            raise SendRefused(described(error)) from None
        raise
    return file_id


async def _unseen(call: Awaitable[T]) -> T:
    """Await what nobody sees: whatever became of it, the document was not sent."""
    try:
        return await call
    except Exception as error:
        judged = verdict(error)
        if isinstance(judged, SendDoubtful):
            raise SendUnsent(str(judged)) from None
        raise


async def _stored(wire: Wire, workspace: Workspace, document: Document) -> str:
    """Put the content where Slack wants it, and return the file's id."""
    size = len(document.content)
    answer = await workspace.client.files_getUploadURLExternal(filename=document.name, length=size)
    told = fields(answer.data)
    url, file_id = str(told.get("upload_url") or ""), str(told.get("file_id") or "")
    if not file_id or not _is_slacks(wire, url):
        raise SendUnsent("Slack named no address for the file")
    # It has a time of its own: the one of other calls is too short for a large file.
    limits = aiohttp.ClientTimeout(
        total=READ_SECONDS + size / SLOWEST_UPLOAD, connect=2 * CONNECT_SECONDS, sock_connect=CONNECT_SECONDS
    )
    headers = {"Content-Type": "application/octet-stream"}
    sending = wire.session.post(
        url,
        data=document.content,
        headers=headers,
        timeout=limits,
        allow_redirects=False,
        proxy=workspace.client.proxy,
    )
    async with sending as stored:
        if stored.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise SendRefused("the file is too big for Slack")
        if stored.status != HTTPStatus.OK:
            raise SendUnsent(f"answer {stored.status} to the file")
    return file_id


def _is_slacks(wire: Wire, url: str) -> bool:
    """Whether an address is encrypted, or at least on the same machine as the Web API."""
    try:
        there = urlsplit(url)
    except ValueError:
        return False
    return there.scheme == "https" or there.netloc == wire.host


async def _shared(workspace: Workspace, tried: Attempt, document: Document, file_id: str) -> None:
    """Show the file in its conversation, outside of a thread that is gone."""
    try:
        await workspace.client.files_completeUploadExternal(
            files=[{"id": file_id, "title": document.name}],
            channel_id=tried.channel,
            thread_ts=tried.thread or None,
            initial_comment=tried.text or None,
        )
    except SlackApiError as error:
        if not tried.thread or code(error) not in NO_THREAD:
            raise
        await workspace.client.files_completeUploadExternal(
            files=[{"id": file_id, "title": document.name}],
            channel_id=tried.channel,
            initial_comment=tried.text or None,
        )
