"""Reading an answer while it is being written."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable

from core.agents.llm.openai.lenient_json import MAX_BODY, BadJson, read_body
from core.agents.llm.openai.stream_draft import Draft
from core.agents.llm.openai.stream_events import Events

log = logging.getLogger(__name__)

# Every few characters of a stream come in some 300 bytes of wrapping.
MAX_STREAM = 4 * MAX_BODY
# What may follow the last word is the usage; no answer waits longer for it.
TAIL_SECONDS = 2.0
TELL_SECONDS = 0.1


class Listener:
    """Tells the text so far, once in `TELL_SECONDS` at most. One that raises is told nothing more."""

    def __init__(self, listen: Callable[[str], None]) -> None:
        self._listen: Callable[[str], None] | None = listen
        self._next = 0.0

    def hear(self, draft: Draft, now: float) -> None:
        """Tell the text of `draft` if it has grown; `now` is the loop's clock in seconds."""
        if self._listen is None or draft.length == draft.told or now < self._next:
            return
        text = draft.text()
        if not text.strip():
            return
        self._next, draft.told = now + TELL_SECONDS, draft.length
        try:
            self._listen(text)
        except Exception:
            log.exception("whoever listens to the model failed and hears no more of this answer")
            self._listen = None


class Whole:
    """An answer that came in one piece; `size` in bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.size = len(content)

    def body(self) -> object:
        """The body, read. Raises `BadJson`."""
        return read_body(self._content, MAX_BODY)


class Streamed:
    """An answer that comes as a stream, or in one piece after all where a server takes no notice of `stream`."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._events, self._draft = Events(), Draft()
        self._came, self._raw = 0, bytearray()
        self._problem: BadJson | None = None

    async def read(self, blocks: AsyncIterator[bytes]) -> None:
        """Read to the end, or as far as it makes sense."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as tail:
                async for block in blocks:
                    self._feed(block)
                    self._listener.hear(self._draft, loop.time())
                    if self._draft.whole and tail.when() is None:
                        tail.reschedule(loop.time() + TAIL_SECONDS)
        except TimeoutError:
            log.info("the stream was not closed after its last word")
        except BadJson as error:
            self._problem = error
            return
        self._finish()

    def _feed(self, block: bytes) -> None:
        self._came += len(block)
        most = MAX_STREAM if self._draft.begun else MAX_BODY
        if self._came > most:
            raise BadJson(f"The answer has more than {most} bytes.")
        if not self._draft.begun:
            self._raw += block
        for data in self._events.feed(block):
            self._draft.add(data)

    def _finish(self) -> None:
        try:
            for data in self._events.end():
                self._draft.add(data)
        except BadJson:
            log.info("the stream ended within an event")

    @property
    def broken_off(self) -> bool:
        """Whether a stream ended before the answer did."""
        return self._draft.begun and not self._draft.whole and self._problem is None

    @property
    def part(self) -> object:
        """The body as far as it came, None where no stream has begun."""
        return self._draft.body() if self._draft.begun else None

    @property
    def whole(self) -> bool:
        """Whether the last word was heard, whatever became of the connection."""
        return self._draft.whole

    @property
    def size(self) -> int:
        """Length in bytes, without the wrapping of each piece."""
        return len(json.dumps(self._draft.body(), default=str)) if self._draft.begun else self._came

    def body(self) -> object:
        """The body as if it had come whole. Raises `BadJson`."""
        if self._problem:
            raise self._problem
        return self._draft.body() if self._draft.begun else read_body(bytes(self._raw), MAX_BODY)
