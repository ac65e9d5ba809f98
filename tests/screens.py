"""What the tests of showing share: a screen that notes what it shows, and an event loop that jumps ahead."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.kernel.types import Destination
from core.pipeline.runs.progress import ProgressDisplay
from core.pipeline.runs.run_context import RunContext
from tests.conftest import DatabaseMaker
from tests.fakes import FakeAdapter, claim_lane, house


class Jumps(selectors.DefaultSelector):
    """Instead of waiting, time jumps to the next timer. Nothing here waits for anything but timers."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everybody waits for ever"
        self.now += timeout
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop of its own time, in seconds from 0."""

    def __init__(self) -> None:
        self._jumps = Jumps()
        super().__init__(self._jumps)

    def time(self) -> float:
        return self._jumps.now


def run(story: Coroutine[Any, Any, object]) -> None:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        runner.run(story)


def now() -> float:
    return round(asyncio.get_running_loop().time(), 3)


@dataclass(kw_only=True)
class Screen(FakeAdapter):
    """Notes what is shown and when: typing, drafts, marks. Each request takes so many seconds."""

    takes: float = 0.0
    seen: list[tuple[float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    async def typing(self, to: Destination, language: str = "") -> None:
        await self._note("typing")

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        await self._note(f"draft: {text}")
        return await super().draft(to, draft_id, text)

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        await self._note("👀" if working else "no 👀")
        await super().mark(to, message_id, working=working)

    async def _note(self, what: str) -> None:
        self.seen.append((now(), what))
        await asyncio.sleep(self.takes)


async def case_of(make_database: DatabaseMaker, folder: Path, text: str, **fields: Any) -> RunContext:
    """The case of one message."""
    home = await house(await make_database("sqlite"), folder)
    await home.hear(text, **fields)
    (lane_id,) = await home.column("SELECT id FROM lane")
    case = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert case is not None
    return case


async def silent(screen: Screen, case: RunContext, seconds: float, progress: ProgressDisplay | None = None) -> bool:
    """Show work of which nothing is heard; returns whether anybody would have listened."""
    async with (progress or ProgressDisplay({"telegram": screen}))(case) as listen:
        await asyncio.sleep(seconds)
    screen.seen.append((now(), "end"))
    await asyncio.sleep(60)
    return listen is not None


def moved(case: RunContext, chat: str, thread: str = "") -> RunContext:
    """The same case in another chat, or in a thread there."""
    return replace(
        case, participant=replace(case.participant, place=replace(case.participant.place, chat=chat, thread=thread))
    )
