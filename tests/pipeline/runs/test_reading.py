"""Free text is read once, before the transaction that claims its lane, by what capabilities understand of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from core.capabilities.all import CAPABILITIES
from core.kernel.intent import Intent
from core.kernel.ports import Database, Tx
from core.kernel.types import Message, ModelRequest
from core.language.en.grammar import GRAMMAR, PHRASES
from core.language.grammar import SILENT, Wish
from core.pipeline.runs.interpreter import MOST_ARRIVED, MOST_LANES, SHORT, Arrivals, Interpreter
from core.pipeline.runs.run_context import MessageUnread, Readings
from core.toolkit.capability import Candidate, Rank, Understands, Words
from tests.calling import claimed
from tests.fakes import House, house

T = TypeVar("T")


def heard(request: ModelRequest) -> str:
    return f"heard: {' / '.join(request.heard)}"


class WritingDatabase:
    """A database that knows in which thread it is writing."""

    def __init__(self, inner: Database) -> None:
        self._inner, self._thread = inner, threading.local()

    @property
    def writes(self) -> bool:
        """Whether this thread is in a write transaction."""
        return getattr(self._thread, "writes", False)

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        def watched(tx: Tx) -> T:
            self._thread.writes = True
            try:
                return fn(tx)
            finally:
                self._thread.writes = False

        return await self._inner.write(watched, order=order)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def remember(home: House, database: WritingDatabase) -> list[tuple[str, bool]]:
    """Give the house a grammar that notes what it reads, and whether that was while something was written."""
    read: list[tuple[str, bool]] = []

    def wish(text: str) -> Wish | None:
        read.append((text, database.writes))
        return Wish(name="today") if text == "assist me" else None

    opener = home.app.worker._opener
    grammar = replace(SILENT, wish=wish)
    interpreter = Interpreter([one.understands for one in CAPABILITIES], [grammar])
    opener.services = replace(opener.services, interpreter=interpreter)
    return read


@pytest.fixture
async def writing(database: Database) -> WritingDatabase:
    """A database that knows when it is written to."""
    return WritingDatabase(database)


@pytest.mark.databases("sqlite")
async def test_no_grammar_reads_while_something_is_written(writing: WritingDatabase, tmp_path: Path) -> None:
    home = await house(writing, tmp_path / "house", heard)
    read = remember(home, writing)
    for text in ("hello", "assist me", "what now?"):
        await home.hear(text)
    await home.work()
    assert {text for text, _ in read} == {"hello", "assist me", "what now?"}
    assert not any(written for _, written in read)


def test_words_are_read_once_and_again_only_when_an_edit_changed_them() -> None:
    read: list[str] = []
    grammar = replace(SILENT, wish=read.append)
    readings = Readings(Interpreter([], [grammar]))
    message = Message(inbox_id=1, text="hello", sent_at=0, platform_id="1")
    for one in (message, message, replace(message, text="hello there")):
        readings.read([one])
    assert read == ["hello", "hello there"]


def test_no_grammar_reads_the_words_of_a_message_twice() -> None:
    before = PHRASES.wish.cache_info().misses
    message = Message(inbox_id=1, text="How is the weather over there", sent_at=0, platform_id="1")
    Interpreter([one.understands for one in CAPABILITIES], [GRAMMAR]).parse(message)
    assert PHRASES.wish.cache_info().misses == before + 1


@pytest.mark.parametrize(("text", "past"), [("hello again", ["hello", "heard: hello"]), ("/today", [])])
async def test_a_command_is_not_told_what_was_said_before(
    text: str, past: list[str], writing: WritingDatabase, tmp_path: Path
) -> None:
    home = await house(writing, tmp_path / "house", heard)
    await home.hear("hello")
    await home.work()
    await home.hear(text)
    run = await claimed(home)
    assert [entry.text for entry in run.history] == past


async def test_what_came_after_the_reading_is_read_before_the_lane_is_claimed(
    writing: WritingDatabase, tmp_path: Path
) -> None:
    home = await house(writing, tmp_path / "house", heard)
    read, opener = remember(home, writing), home.app.worker._opener
    await home.hear("assist me")
    (lane_id,) = await home.column("SELECT id FROM lane")
    readings = Readings(opener.services.interpreter)
    with pytest.raises(MessageUnread):
        await home.db.write(lambda tx: opener.open(tx, lane_id, readings))
    assert await home.column("SELECT owner FROM lane") == [None]

    class LateReadings(Readings):
        """Nothing had come when it looked first."""

        looked = False

        def read(self, messages: Sequence[Message]) -> None:
            if self.looked:
                super().read(messages)
            self.looked = True

    run = await home.app.worker._claim(lane_id, LateReadings(opener.services.interpreter), alone=False)
    assert run is not None
    assert (run.fast, run.command) == (True, Intent("today.show", {"when": None, "span": None}))
    assert not any(written for _, written in read)


async def test_what_was_changed_since_it_arrived_is_read_as_it_stands_now(
    writing: WritingDatabase, tmp_path: Path
) -> None:
    home = await house(writing, tmp_path / "house", heard)
    read = remember(home, writing)
    await home.hear("hello")
    await home.db.write(lambda tx: tx.run("UPDATE inbox SET text = 'assist me'"))
    (lane_id,) = await home.column("SELECT id FROM lane")
    run = await home.app.worker._claim(lane_id, Readings(home.app.worker._opener.services.interpreter), alone=False)
    assert run is not None
    assert (run.fast, list(dict.fromkeys(text for text, _ in read))) == (True, ["hello", "assist me"])
    assert not any(written for _, written in read)


def test_few_arrivals_are_kept_and_long_ones_are_left_to_the_database() -> None:
    arrivals, message = Arrivals(), Message(inbox_id=1, text="hi", sent_at=0, platform_id="1")
    for number in range(MOST_ARRIVED + 1):
        arrivals.add(0, replace(message, inbox_id=number))
    assert [one.inbox_id for one in arrivals.take(0)] == list(range(1, MOST_ARRIVED + 1))
    assert not arrivals.take(0)
    arrivals.add(0, replace(message, text="x" * (SHORT + 1)))
    assert not arrivals.take(0)
    for lane_id in range(MOST_LANES + 1):
        arrivals.add(lane_id, message)
    assert not arrivals.take(0)
    assert arrivals.take(MOST_LANES)


@pytest.mark.parametrize("order", [1, -1])
def test_what_a_text_is_taken_for_is_decided_by_rank_whoever_is_asked_first(order: int) -> None:
    def takes(rank: Rank, name: str) -> Understands:
        def parse(words: Words) -> Iterator[Candidate]:
            yield Candidate(rank=rank, resolve=lambda tx, hearing: Intent(name, {}))

        return Understands(parse=parse)

    toys = [takes(Rank.NAMED, "named"), takes(Rank.ANSWER, "answered"), takes(Rank.CORRECTION, "corrected")]
    found = Interpreter(toys[::order], [SILENT]).parse(Message(inbox_id=1, text="hm", sent_at=0, platform_id="1"))
    assert [candidate.rank for candidate in found] == [Rank.CORRECTION, Rank.ANSWER, Rank.NAMED]
