"""A strict server of `POST /v1/audio/transcriptions` for tests: a script of words and misfortunes.

In a test: ``async with TranscriptionServer("words") as server``; the client's base URL is ``server.url + "/v1"``.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP

from tests.emulators.loopback import Cut, LoopbackServer, Reply, Request
from tests.emulators.openai_http import check_key
from tests.emulators.openai_types import Refusal

DEFAULT_KEY = "sk-voice"
PATH = "/v1/audio/transcriptions"
# What OpenAI's server takes (its API reference, createTranscription).
ENDINGS = ("flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm")
FIELDS = frozenset({"file", "model", "language", "prompt", "response_format", "temperature"})


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """An answer that is no words: a status with a body, a wait of `seconds` before it, or a connection that is cut."""

    status: int = 500
    body: bytes = b'{"error": {"message": "scripted"}}'
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A sound that came, with the fields beside it."""

    name: str
    content: bytes
    fields: dict[str, str]


class TranscriptionServer(LoopbackServer):
    """Says what the script says, one after the other, and the last of it again and again."""

    def __init__(self, *script: str | Wrong, key: str = DEFAULT_KEY) -> None:
        super().__init__()
        self.key, self.heard, self.asked = key, list[Heard](), 0
        self._script = deque(script)
        self.arrived = asyncio.Event()

    def say(self, *script: str | Wrong) -> None:
        """Replace what is left of the script."""
        self._script = deque(script)

    async def respond(self, request: Request) -> Reply:
        """Answer one request."""
        self.asked += 1
        self.arrived.set()
        try:
            check_key(request.headers, self.key)
            if (request.method, request.path) != ("POST", PATH):
                raise Refusal(f"Invalid URL ({request.method} {request.path})", status=404)
            self.heard.append(_form(request))
        except Refusal as refusal:
            return Reply.json(refusal.body, refusal.status)
        said = self._script.popleft() if len(self._script) > 1 else self._script[0]
        if isinstance(said, str):
            return Reply.json({"text": said})
        await asyncio.sleep(said.seconds)
        if said.cut:
            raise Cut
        return Reply(status=said.status, chunks=(said.body,), headers=said.headers)


def _form(request: Request) -> Heard:
    """Read a body of multipart/form-data as strictly as OpenAI's server does."""
    kind = request.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data; boundary="):
        raise Refusal("We could not parse your multipart form.", status=400)
    boundary = kind.partition("boundary=")[2].encode()
    if not request.body.startswith(b"--" + boundary) or not request.body.endswith(b"--" + boundary + b"--\r\n"):
        raise Refusal("We could not parse your multipart form.", status=400)
    head = f"Content-Type: {kind}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + request.body)
    fields: dict[str, str] = {}
    name, content = "", b""
    for part in message.iter_parts():
        key = str(part.get_param("name", header="content-disposition"))
        if key not in FIELDS or key in fields:
            raise Refusal(f"Unrecognized request argument supplied: {key}", status=400)
        value = part.get_payload(decode=True)
        assert isinstance(value, bytes)
        if key == "file":
            name, content = part.get_filename() or "", value
        else:
            fields[key] = value.decode()
    if name.rpartition(".")[2] not in ENDINGS:
        raise Refusal(f"Invalid file format. Supported formats: {json.dumps(ENDINGS)}", status=400)
    if not content or not fields.get("model"):
        raise Refusal("you must provide a file and a model parameter", status=400)
    return Heard(name=name, content=content, fields=fields)
