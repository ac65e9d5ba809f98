"""Showing to many chats, and drafts that are still on their way when the answer is there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.kernel.types import Destination
from core.pipeline.runs.progress import MOST_CHATS, QUICK, REFUSALS, ProgressDisplay
from core.pipeline.runs.run_context import RunContext
from tests.conftest import DatabaseMaker
from tests.screens import Screen, case_of, moved, now, run, silent


@pytest.fixture
async def private(make_database: DatabaseMaker, tmp_path: Path) -> RunContext:
    """A message in a private chat."""
    return await case_of(make_database, tmp_path / "private", "a long story, please")


def test_a_slow_chat_is_streamed_however_many_quick_answers_others_get(private: RunContext) -> None:
    progress = ProgressDisplay({"telegram": Screen()})
    listened: list[bool] = []

    async def answer(chat: str, seconds: float) -> None:
        async with progress(moved(private, chat)) as listen:
            listened.append(listen is not None)
            if listen is not None:
                listen("words")
            await asyncio.sleep(seconds)

    async def story() -> None:
        for _ in range(QUICK + 1):
            await answer("quick", 0.4)
        await answer("slow", 1.5)
        await answer("quick", 0.4)

    run(story())
    assert listened == [True] * QUICK + [False, True, False]


def test_only_so_many_chats_are_remembered_as_quick(private: RunContext) -> None:
    progress = ProgressDisplay({"telegram": Screen()})

    async def story() -> None:
        for n in range(MOST_CHATS + 10):
            async with progress(moved(private, str(n))) as listen:
                assert listen is not None
                listen("words")

    run(story())
    assert len(progress._screens._quick) == MOST_CHATS


class Flat(Screen):
    """A platform that shows drafts in threads only."""

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        return await super().draft(to, draft_id, text) and bool(to.thread)


def test_chats_that_cannot_show_drafts_say_nothing_of_their_threads(private: RunContext) -> None:
    screen = Flat()
    progress = ProgressDisplay({"telegram": screen})

    async def story() -> None:
        for n in range(REFUSALS):
            assert await silent(screen, moved(private, str(n)), 1.5, progress)
        assert not await silent(screen, moved(private, "9"), 1.5, progress)
        for _ in range(2):
            assert await silent(screen, moved(private, "0", "t1"), 1.5, progress)

    run(story())


class Late(Screen):
    """A platform where a draft takes seconds to arrive; it tells whether it did or was broken off."""

    async def typing(self, to: Destination, language: str = "") -> None:
        """Shown at once."""

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        try:
            await asyncio.sleep(self.takes)
        except asyncio.CancelledError:
            self.seen.append((now(), "broken off"))
            raise
        self.seen.append((now(), "arrived"))
        return True


@pytest.mark.parametrize(
    ("takes", "seen"),
    [
        (0.8, [(1.8, "arrived"), (1.8, "end")]),
        (50.0, [(2.2, "end"), (2.2, "broken off")]),
    ],
)
def test_an_answer_waits_a_second_at_most_for_a_draft_on_its_way(
    private: RunContext, takes: float, seen: list[tuple[float, str]]
) -> None:
    screen = Late(takes=takes)
    run(silent(screen, private, 1.2))
    assert screen.seen == seen
