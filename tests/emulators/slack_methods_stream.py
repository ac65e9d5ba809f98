"""chat.startStream, appendStream and stopStream: an answer that grows before somebody's eyes."""

from __future__ import annotations

from typing import Any

from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_blocks import checked_blocks
from tests.emulators.slack_forms import message_form
from tests.emulators.slack_methods_chat import MARKDOWN_TEXT, check_author, checked_metadata, post, postable, threaded
from tests.emulators.slack_rules import ApiError, Params
from tests.emulators.slack_world import Json, Message

CHUNK = frozenset({"type", "text"})


class Streams:
    """The methods of a message that is written bit by bit."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"chat.startStream": self._start, "chat.appendStream": self._append, "chat.stopStream": self._stop}

    def _start(self, ask: Ask) -> Json:
        check_author(ask)
        channel = postable(ask, ask.params["channel"], direct=False)
        if not channel.is_direct:
            for name in ("recipient_team_id", "recipient_user_id"):
                if not ask.params.get(name):
                    raise ApiError(f"missing_{name}")
            ask.person(ask.params["recipient_user_id"])
        mode, text = _written(ask.params)
        message = post(ask, channel, thread_ts=threaded(ask, channel), streaming=True, mode=mode, **_shown(text))
        return {"channel": channel.id, "ts": message.ts}

    def _append(self, ask: Ask) -> Json:
        message = _streaming(ask)
        mode, text = _written(ask.params)
        if not mode:
            raise ApiError("markdown_text_or_chunks_required")
        _grow(ask, message, mode, text)
        return {"channel": message.channel, "ts": message.ts}

    def _stop(self, ask: Ask) -> Json:
        message = _streaming(ask)
        mode, text = _written(ask.params)
        blocks = checked_blocks(ask.params["blocks"]) if ask.params.get("blocks") else []
        metadata = checked_metadata(ask.params.get("metadata"))
        if not (message.text + text or blocks):
            raise ApiError("no_text")
        _grow(ask, message, mode, text)
        message.blocks = [*message.blocks, *blocks]
        message.metadata = metadata or message.metadata
        message.streaming = False
        form = message_form(ask.world, message)
        return {"channel": message.channel, "ts": message.ts, "message": form}


def _shown(text: str) -> dict[str, Any]:
    """Return text and blocks of a stream; its text may grow beyond what one call may bring."""
    parts = [text[at : at + MARKDOWN_TEXT] for at in range(0, len(text), MARKDOWN_TEXT)]
    return {"text": text, "blocks": [block for part in parts for block in checked_blocks([_block(part)])]}


def _block(text: str) -> Json:
    return {"type": "markdown", "text": text}


def _streaming(ask: Ask) -> Message:
    ask.need("chat:write")
    message = ask.message(ask.channel(ask.params["channel"]), ask.params["ts"])
    if message.bot_id != ask.team.bot_id:
        raise ApiError("message_not_owned_by_app")
    if not message.streaming:
        raise ApiError("message_not_in_streaming_state")
    return message


def _grow(ask: Ask, message: Message, mode: str, text: str) -> None:
    if message.mode and mode and message.mode != mode:
        raise ApiError("streaming_mode_mismatch")
    message.mode = message.mode or mode
    before = message_form(ask.world, message)
    for name, value in _shown(message.text + text).items():
        setattr(message, name, value)
    ask.hooks.edited(message, before)


def _written(params: Params) -> tuple[str, str]:
    """Return how the text comes, empty when there is none, and the text itself."""
    text, chunks = params.get("markdown_text"), params.get("chunks")
    if text and chunks:
        raise ApiError("cannot_provide_both_markdown_text_and_chunks")
    if text is not None:
        return "markdown_text", _fitting(text)
    if chunks is not None:
        return "chunks", _fitting("".join(_chunk(chunk) for chunk in chunks))
    return "", ""


def _fitting(text: str) -> str:
    if len(text) > MARKDOWN_TEXT:
        raise ApiError("msg_too_long")
    return text


def _chunk(chunk: Any) -> str:
    if not isinstance(chunk, dict) or chunk.keys() != CHUNK or not isinstance(chunk["text"], str):
        raise ApiError("invalid_chunks")
    if chunk["type"] != "markdown_text":
        raise ApiError("invalid_chunks", "emulator: only chunks of the type markdown_text are emulated")
    return chunk["text"]
