"""Sound is written down by a server that speaks as OpenAI's does (`POST /v1/audio/transcriptions`, a form of parts)."""

from __future__ import annotations

import json
import secrets
from http import HTTPStatus
from pathlib import PurePosixPath

from core.capabilities.voice.settings import VoiceSettings
from core.kernel.errors import Unheard
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.values import Fetch, Fetched, FetchError

# The endings that OpenAI's API takes. What has none of them is named as what it most likely is.
ENDINGS = frozenset({".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm"})
_BY_KIND = {"voice": ".ogg", "video_note": ".mp4", "audio": ".mp3"}
# Telegram's voice notes are named .oga, which no server knows.
_SAME = {".oga": ".ogg", ".opus": ".ogg"}
# What keeps a request from being answered, and may pass.
PASSING = frozenset({"refused", "timeout", "unknown_host", "bad_answer"})
MOST_ANSWER, LONGEST_WAIT = 1 << 20, 30.0


async def transcribe(settings: VoiceSettings, fetcher: Fetcher, sound: bytes, *, kind: str, name: str) -> str:
    """Return what is said in a sound. Raises `Unheard`; what may pass is for later."""
    boundary = secrets.token_hex(16)
    fields = {"model": settings.model, "response_format": "json", "language": settings.language}
    headers = {"content-type": f"multipart/form-data; boundary={boundary}", "accept": "application/json"}
    if settings.api_key:
        headers["authorization"] = f"Bearer {settings.api_key}"
    request = Fetch(
        url=f"{settings.base_url}/audio/transcriptions",
        method="POST",
        headers=headers,
        body=form(boundary, {key: value for key, value in fields.items() if value}, file_name(kind, name), sound),
        most=MOST_ANSWER,
        seconds=settings.timeout,
        configured=True,
    )
    try:
        answer = await fetcher.fetch(request)
    except FetchError as error:
        raise Unheard("down", error.code, later=error.code in PASSING) from error
    return words_of(answer)


def file_name(kind: str, name: str) -> str:
    """Return the name that a sound is sent under: a server tells by its ending what it is. None of its sender's words
    go along."""
    ending = PurePosixPath(name).suffix.lower()
    ending = _SAME.get(ending, ending)
    return f"sound{ending if ending in ENDINGS else _BY_KIND.get(kind, '.ogg')}"


def form(boundary: str, fields: dict[str, str], name: str, sound: bytes) -> bytes:
    """Return a body of multipart/form-data (RFC 7578)."""
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    parts += [f"{head}Content-Type: application/octet-stream\r\n\r\n".encode(), sound, b"\r\n"]
    return b"".join([*parts, f"--{boundary}--\r\n".encode()])


def words_of(answer: Fetched) -> str:
    """Return the words in a server's answer; raises `Unheard` for every other answer."""
    if answer.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise Unheard("key", str(answer.status))
    busy = answer.status == HTTPStatus.TOO_MANY_REQUESTS
    if busy or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        told = answer.headers.get("retry-after", "")
        wait = min(float(told), LONGEST_WAIT) if told.isascii() and told.isdigit() else 0.0
        raise Unheard("busy" if busy else "down", str(answer.status), later=True, retry_after=wait)
    if answer.status == HTTPStatus.NOT_FOUND:
        raise Unheard("setup", "404")
    if answer.status != HTTPStatus.OK:
        raise Unheard("refused", str(answer.status))
    try:
        text = json.loads(answer.body)["text"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Unheard("format") from None
    if not isinstance(text, str):
        raise Unheard("format")
    return text
