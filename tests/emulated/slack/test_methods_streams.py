"""Answers that grow on the Slack emulator, with the library's own helper too."""

from __future__ import annotations

from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from tests.emulated.slack.conftest import ROOM
from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import refusal

READER: dict[str, Any] = {"recipient_user_id": "U1", "recipient_team_id": "T0001"}


async def rooted(client: AsyncWebClient) -> str:
    return str((await client.chat_postMessage(channel=ROOM, text="root"))["ts"])


async def test_the_librarys_stream_becomes_one_message(server: SlackServer, client: AsyncWebClient) -> None:
    root = await rooted(client)
    stream = await client.chat_stream(channel=ROOM, thread_ts=root, buffer_size=4, **READER)
    for part in ("Hello ", "world", "!"):
        await stream.append(markdown_text=part)
    done = await stream.stop()
    message = server.team.channels[ROOM].messages[done["ts"]]
    assert (message.text, message.streaming, message.thread_ts) == ("Hello world!", False, root)
    assert len(server.team.channels[ROOM].messages) == 2


async def test_a_stream_is_refused_where_slack_refuses_it(client: AsyncWebClient) -> None:
    root = await rooted(client)
    start = client.chat_startStream
    assert await refusal(start(channel=ROOM, thread_ts=root)) == "missing_recipient_team_id"
    assert await refusal(start(channel=ROOM, thread_ts="1700000000.000001", **READER)) == "thread_not_found"
    assert await refusal(start(channel=ROOM, thread_ts=root, markdown_text="x" * 12_001, **READER)) == "msg_too_long"
    assert await refusal(start(channel=ROOM, thread_ts=root, chunks=[{"type": "x"}], **READER)) == "invalid_chunks"


async def test_only_a_running_stream_grows_and_it_is_not_edited_meanwhile(
    server: SlackServer, client: AsyncWebClient
) -> None:
    root = await rooted(client)
    ts = (await client.chat_startStream(channel=ROOM, thread_ts=root, markdown_text="a", **READER))["ts"]
    assert await refusal(client.chat_update(channel=ROOM, ts=ts, text="x")) == "streaming_state_conflict"
    assert await refusal(client.chat_appendStream(channel=ROOM, ts=ts)) == "markdown_text_or_chunks_required"
    chunk = {"type": "markdown_text", "text": "b"}
    assert await refusal(client.chat_appendStream(channel=ROOM, ts=ts, chunks=[chunk])) == "streaming_mode_mismatch"
    both = client.chat_appendStream(channel=ROOM, ts=ts, chunks=[chunk], markdown_text="b")
    assert await refusal(both) == "cannot_provide_both_markdown_text_and_chunks"
    await client.chat_appendStream(channel=ROOM, ts=ts, markdown_text="b")
    await client.chat_stopStream(channel=ROOM, ts=ts, markdown_text="c")
    late = client.chat_appendStream(channel=ROOM, ts=ts, markdown_text="d")
    assert await refusal(late) == "message_not_in_streaming_state"
    assert server.team.channels[ROOM].messages[ts].text == "abc"
    assert await refusal(client.chat_update(channel=ROOM, ts=ts, text="x")) == ""
