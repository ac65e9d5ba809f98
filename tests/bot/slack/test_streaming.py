"""Answers shown while they are written: in threads of private chats, and taken away when the answer is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.adapters.slack.send.sender import Sender
from bot.adapters.slack.send.stream_growth import MOST_CHARACTERS
from bot.adapters.slack.send.streaming import APPENDS, STARTS, Rhythm, Streaming
from core.kernel.types import Destination
from tests.slacking import ANN, TEAM, Desk, part_of, worker

EAGER = Rhythm(gap=0.0)
SLOW = Rhythm(gap=3600.0)
ABANDONED = Rhythm(gap=0.0, patience=0.02)


@dataclass(frozen=True, slots=True)
class Hall:
    """A desk whose sender tells the streams of what was posted, and the root of a thread of Ann's own conversation."""

    at: Desk
    root: str
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def streaming(self, rhythm: Rhythm = EAGER) -> Streaming:
        def begun(to: Destination) -> None:
            self.at.decoration.posted(to)
            self.begun.set()

        return Streaming(self.at.workspaces, self.at.wire, self.at.clock, begun, rhythm)

    def to(self, **fields: Any) -> Destination:
        return self.at.to(self.at.dm, **{"thread": self.root, **fields})

    async def answer(self, streaming: Streaming, text: str) -> None:
        sender = Sender(self.at.workspaces, self.at.wire, self.at.clock, streaming.posted)
        await sender.send(self.to(), part_of(text))

    def texts(self) -> list[str]:
        """What Ann sees below what she wrote."""
        return self.at.texts(self.at.dm, ANN, thread=self.root)

    async def until(self, *texts: str) -> None:
        await self.at.server.wait_until(lambda: self.texts() == list(texts))

    def count(self, method: str) -> int:
        return len(self.at.server.calls(f"chat.{method}"))

    async def tried(self, method: str, times: int) -> None:
        """Wait until so many calls were answered."""
        calls = self.at.server.calls
        await self.at.server.wait_until(lambda: sum(bool(call.status) for call in calls(f"chat.{method}")) == times)


async def settled(streaming: Streaming) -> None:
    """Wait until no stream is there any more."""
    if streaming._tasks:
        await asyncio.wait(streaming._tasks, timeout=10)


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    async with worker() as opened:
        team = opened.server.team
        root = opened.server.world.post(team, team.channels[opened.dm], user=ANN, text="A story, please").ts
        yield Hall(opened, root)


async def test_an_answer_grows_and_makes_room_for_the_posted_one(hall: Hall) -> None:
    streaming = hall.streaming()
    assert streaming.write(hall.to(), 1, "Once upon ")
    await hall.until("Once upon")
    assert streaming.write(hall.to(), 1, "Once upon a time\n")
    await hall.until("Once upon a time")
    await hall.answer(streaming, "Once upon a time. The end.")
    await hall.until("Once upon a time. The end.")
    assert [hall.count(method) for method in ("startStream", "appendStream", "stopStream", "delete")] == [1, 1, 1, 1]
    await streaming.close()


async def test_the_answer_counts_also_when_the_stream_is_not_there_yet(hall: Hall) -> None:
    streaming = hall.streaming()
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.answer(streaming, "The end.")
    await hall.until("The end.")
    await streaming.close()
    assert hall.texts() == ["The end."]


@pytest.mark.parametrize("fields", [{"thread": ""}, {"chat": "C1"}, {"response_url": "https://hooks.slack.com/1"}])
async def test_only_threads_of_private_chats_have_streams(hall: Hall, fields: dict[str, str]) -> None:
    place: dict[str, Any] = {"tenant": TEAM, "chat": hall.at.dm, "thread": hall.root}
    assert hall.streaming().able(Destination(**place))
    assert not hall.streaming().able(Destination(**{**place, **fields}))


async def test_nothing_begins_before_the_first_word(hall: Hall) -> None:
    streaming = hall.streaming()
    assert not streaming.write(hall.to(), 1, "")
    assert not streaming.write(hall.to(), 1, "Onc")
    await streaming.close()
    assert hall.count("startStream") == 0


async def test_between_two_appends_there_is_a_pause(hall: Hall) -> None:
    streaming = hall.streaming(SLOW)
    for number in range(1, 20):
        assert streaming.write(hall.to(), 1, "word " * number)
        await hall.tried("startStream", 1)
    await hall.answer(streaming, "words")
    await hall.until("words")
    assert hall.count("appendStream") == 0
    await streaming.close()


async def test_a_text_that_does_not_go_on_with_what_is_shown_is_not_appended(hall: Hall) -> None:
    streaming = hall.streaming()
    streaming.write(hall.to(), 1, "Let me look.\n")
    await asyncio.wait_for(hall.begun.wait(), 10)
    assert not streaming.write(hall.to(), 1, "It is raining, so take an umbrella\n")
    assert streaming.write(hall.to(), 1, "Let me look.\nIt rains.\n")
    await hall.until("Let me look.\nIt rains.")
    await streaming.close()


async def test_a_stream_holds_no_more_than_a_message(hall: Hall) -> None:
    streaming = hall.streaming()
    streaming.write(hall.to(), 1, "words ")
    await hall.tried("startStream", 1)
    streaming.write(hall.to(), 1, "words " * 5_000)
    await hall.tried("appendStream", 1)
    [text] = [m.text for m in hall.at.server.team.channels[hall.at.dm].messages.values() if m.streaming]
    assert MOST_CHARACTERS - 10 < len(text) <= MOST_CHARACTERS
    await streaming.close()


async def test_what_nobody_goes_on_with_is_taken_away(hall: Hall) -> None:
    streaming = hall.streaming(ABANDONED)
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.tried("delete", 1)
    await hall.until()
    await streaming.close()


async def test_at_the_end_all_are_taken_away_and_none_begins(hall: Hall) -> None:
    streaming = hall.streaming(SLOW)
    streaming.write(hall.to(), 1, "Once upon ")
    await streaming.close()
    assert (hall.texts(), hall.count("delete")) == ([], 1)
    assert not streaming.write(hall.to(), 2, "Once upon ")


async def test_after_something_was_posted_the_same_draft_is_not_shown_again(hall: Hall) -> None:
    streaming = hall.streaming()
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.answer(streaming, "Wait.")
    assert not streaming.write(hall.to(), 1, "Once upon a time ")
    assert streaming.write(hall.to(), 2, "Once more ")
    await hall.until("Wait.", "Once more")
    await streaming.close()


async def test_another_answer_in_the_same_place_takes_the_place_of_the_first(hall: Hall) -> None:
    streaming = hall.streaming(SLOW)
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.until("Once upon")
    streaming.write(hall.to(), 2, "Once more ")
    await hall.until("Once more")
    await streaming.close()


async def test_the_status_is_shown_again_once_a_stream_has_taken_its_place(hall: Hall) -> None:
    streaming, decoration = hall.streaming(), hall.at.decoration
    await decoration.typing(hall.to())
    streaming.write(hall.to(), 1, "Let me look.\n")
    await hall.until("Let me look.")
    await streaming.close()
    await decoration.typing(hall.to())
    assert len(hall.at.server.calls("assistant.threads.setStatus")) == 2


@pytest.mark.parametrize("method", ["startStream", "appendStream"])
async def test_after_a_failure_the_chat_has_no_streams_for_an_hour(hall: Hall, method: str) -> None:
    streaming = hall.streaming()
    hall.at.server.fault(f"chat.{method}", error="channel_type_not_supported")
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.tried("startStream", 1)
    streaming.write(hall.to(), 1, "Once upon a time ")
    await hall.tried(method, 1)
    streaming.posted(hall.to())
    await settled(streaming)
    assert hall.texts() == []
    assert not streaming.write(hall.to(), 2, "Once upon ")
    hall.at.clock.advance(3601.0)
    assert streaming.write(hall.to(), 2, "Once upon ")
    await hall.until("Once upon")
    await streaming.close()


@pytest.mark.parametrize("error", ["unknown_method", "missing_scope"])
async def test_where_it_is_never_possible_it_is_said_once_and_not_tried_again(
    hall: Hall, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    streaming = hall.streaming()
    hall.at.server.fault("chat.startStream", error=error)
    with caplog.at_level(logging.WARNING):
        streaming.write(hall.to(), 1, "A secret ")
        await hall.tried("startStream", 1)
        await streaming.close()
    assert not streaming.able(hall.to())
    [line] = caplog.messages
    assert TEAM in line
    assert error in line
    assert "secret" not in line


async def test_slack_is_left_alone_as_long_as_it_asks(hall: Hall) -> None:
    streaming = hall.streaming()
    hall.at.server.fault("chat.startStream", "429", retry_after=20)
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.tried("startStream", 1)
    await settled(streaming)
    hall.at.clock.advance(19.0)
    assert not streaming.write(hall.to(), 2, "Once upon ")
    hall.at.clock.advance(1.0)
    assert streaming.write(hall.to(), 2, "Once upon ")
    await hall.until("Once upon")
    await streaming.close()


async def test_no_more_streams_begin_in_a_minute_than_slack_takes(hall: Hall) -> None:
    streaming = hall.streaming()
    threads = [f"1790000000.{number:06}" for number in range(STARTS + 1)]
    begun = [streaming.write(hall.to(thread=thread), 1, "Once upon ") for thread in threads]
    assert begun == [True] * STARTS + [False]
    hall.at.clock.advance(60.0)
    assert streaming.write(hall.to(), 2, "Once upon ")
    await streaming.close()


async def test_no_more_appends_are_made_in_a_minute_than_slack_takes(hall: Hall) -> None:
    streaming = hall.streaming()
    streaming.write(hall.to(), 1, "word ")
    await hall.tried("startStream", 1)
    for number in range(1, APPENDS + 1):
        streaming.write(hall.to(), 1, "word " * (number + 1))
        await hall.tried("appendStream", number)
    assert streaming.write(hall.to(), 1, "word " * (APPENDS + 2))
    await hall.answer(streaming, "words")
    await hall.until("words")
    assert hall.count("appendStream") == APPENDS
    await streaming.close()


async def test_a_removal_that_failed_is_tried_again(hall: Hall) -> None:
    streaming = hall.streaming()
    streaming.write(hall.to(), 1, "Once upon ")
    await hall.until("Once upon")
    hall.at.server.fault("chat.stopStream", error="message_not_in_streaming_state")
    hall.at.server.fault("chat.delete", "500")
    hall.at.server.fault("chat.delete", "429", retry_after=20)
    await hall.answer(streaming, "The end.")
    await hall.until("The end.")
    assert (hall.count("stopStream"), hall.count("delete")) == (1, 3)
    await streaming.close()


async def test_nothing_begins_in_a_workspace_that_is_not_connected(hall: Hall) -> None:
    streaming = hall.streaming()
    hall.at.workspaces.drop(TEAM)
    assert not streaming.write(hall.to(), 1, "Once upon ")
    await streaming.close()
