"""A message that grows: what may be seen of an unfinished text, and what is."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import deque

from bot.adapters.slack.render.sanitize import BREAKER, clean, defused
from bot.adapters.slack.send.activity import Place
from core.kernel.ports import Clock

# "Limit this field to 12,000 characters", and a message holds no more.
MOST_CHARACTERS = 12_000
MINUTE = 60.0
# The end may go on: all that is broken below stands in such a run of signs.
OPEN_END = re.compile(r"(?<![!-~])[!-~]++\Z")
# Link previews cannot be switched off in a stream, and a picture is fetched: addresses are no links in it.
ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=!)(?=\[)|(?<=\])(?=[(\[:])", re.IGNORECASE)


class Stream:
    """One message: `wanted` is the whole text as far as it may be seen, `shown` what is seen, `ts` the message's id."""

    def __init__(self, place: Place, draft_id: int) -> None:
        self.place, self.draft_id = place, draft_id
        self.ts, self.wanted, self.shown = "", "", ""
        self.broken = False
        self._news, self._ended = asyncio.Event(), asyncio.Event()

    @property
    def rest(self) -> str:
        """What is not yet shown; nothing where the text does not continue what is."""
        return self.wanted[len(self.shown) :] if self.wanted.startswith(self.shown) else ""

    def write(self, text: str) -> bool:
        """Note the whole text; returns whether it goes on with what is shown."""
        self.wanted = text
        self._news.set()
        return not self.broken and text.startswith(self.shown)

    def end(self) -> None:
        """Nothing more is to be shown."""
        self._ended.set()
        self._news.set()

    async def written(self, seconds: float) -> bool:
        """Wait for the next note, `seconds` at most; False when there is none."""
        await _within(self._news, seconds)
        heard = self._news.is_set() and not self._ended.is_set()
        self._news.clear()
        return heard

    async def over(self, seconds: float) -> bool:
        """Wait for the end, `seconds` at most; returns whether it has come."""
        await _within(self._ended, seconds)
        return self._ended.is_set()


class Share:
    """So many calls a minute for each workspace."""

    def __init__(self, clock: Clock, calls: int) -> None:
        self._clock, self._calls = clock, calls
        self._times: dict[str, deque[float]] = {}

    def take(self, team: str) -> bool:
        """Count a call; False when it is one too many."""
        now, times = self._clock.monotonic(), self._times.setdefault(team, deque())
        while times and times[0] <= now - MINUTE:
            times.popleft()
        if len(times) >= self._calls:
            return False
        times.append(now)
        return True


def ready(text: str) -> str:
    """Return what may be seen of an unfinished text: made harmless, without an end that may still become something."""
    # Cut before, so that a long text costs no more each time; breaking makes it longer.
    begun = clean(text[:MOST_CHARACTERS]).lstrip()
    return ADDRESS.sub(BREAKER, defused(OPEN_END.sub("", begun)))[:MOST_CHARACTERS].rstrip()


async def _within(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
