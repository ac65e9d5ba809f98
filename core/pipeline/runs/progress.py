"""Showing that an answer is being worked on, and what is written of it; lossy by nature, so not in the outbox."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.kernel.ports import SendingAdapter
from core.kernel.shown_links import with_hosts
from core.pipeline.runs.run_context import RunContext

Listen = Callable[[str], None]

# A quick answer needs no sign of work, and each one costs a request.
FIRST_AFTER = 0.5
TYPING_EVERY = 4.5
DRAFT_AFTER = 1.0
DRAFT_EVERY = 0.7
# A draft is seen for 30 s (Bot API: sendMessageDraft); the rest is for the request itself.
DRAFT_AGAIN = 24.0
# So long the answer waits for a draft on its way: after the answer it would be seen once more.
LAST_DRAFT = 1.0
# So many chats that cannot show drafts, and none that can: then the platform cannot. Threads count for themselves.
REFUSALS = 3
MOST_CHATS = 1_000
# After so many answers to a chat that were there before a draft was due, models are not asked to stream until one is
# slow again.
QUICK = 8


class ProgressDisplay:
    """Shows work from half a second after its start until it ends, and nothing after that.

    A private chat shows "typing…", and from the first second on a draft of the answer instead; one that cannot show
    drafts goes on typing. A group shows "typing…", and a mark on the message that is answered; a private chat, too, on
    platforms that have nothing else to show there.
    """

    def __init__(self, adapters: Mapping[str, SendingAdapter]) -> None:
        self._adapters = adapters
        self._screens = _Screens()
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def __call__(self, run: RunContext) -> AsyncIterator[Listen | None]:
        """Show work on a run; yields what wants to hear the answer while it is written, if it would be shown."""
        adapter, group = self._adapters[run.participant.platform], run.participant.group
        drafts = not (group or run.command) and self._screens.may_draft(run)
        marked = run.messages[-1].platform_id if run.messages and (group or adapter.marks_private) else ""
        show = _Show(run=run, adapter=adapter, screens=self._screens, drafts=drafts, marked=marked)
        begun: list[asyncio.Task[None]] = []
        later = asyncio.get_running_loop().call_later(FIRST_AFTER, lambda: begun.append(self._begin(show)))
        try:
            # Nobody is asked to tell what will probably be there before it can be shown.
            yield show.hear if drafts and not self._screens.idle(run) else None
        finally:
            later.cancel()
            # A run whose model told nothing says nothing about models.
            if show.text or show.slow:
                self._screens.ended(run, slow=show.slow)
            show.ended.set()
            try:
                if begun and show.landed is not None:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(LAST_DRAFT):
                            await show.landed.wait()
            finally:
                for task in begun:
                    task.cancel()
            if marked and not begun and run.attempts > 1:
                # A process that died may have left its mark.
                self._start(show.mark())

    async def finish(self, grace: float) -> None:
        """Wait until the last marks are taken off, `grace` seconds at most."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=grace)
            for task in late:
                task.cancel()

    def _begin(self, show: _Show) -> asyncio.Task[None]:
        """Start to show; returns what is to be broken off in the end."""
        if show.marked:
            self._start(show.mark())
        return self._start(show.work())

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


@dataclass(kw_only=True)
class _Show:
    """What is shown of one run: `text` as far as it is written, `marked` on a message (by the platform's id) if any."""

    run: RunContext
    adapter: SendingAdapter
    screens: _Screens
    drafts: bool
    marked: str
    text: str = ""
    slow: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    # Of the draft that was sent last; none is on its way before the first.
    landed: asyncio.Event | None = None

    def hear(self, text: str) -> None:
        """Take what is written so far."""
        self.text = text
        self.news.set()

    async def mark(self) -> None:
        """Mark the message that is answered until the run has ended."""
        place, message = self.run.participant.place, self.marked
        if not self.ended.is_set():
            await self.adapter.mark(place, message, working=True)
            await self.ended.wait()
        await self.adapter.mark(place, message, working=False)

    async def work(self) -> None:
        """Show typing, or drafts as soon as it is time for them and as long as the chat can."""
        loop = asyncio.get_running_loop()
        draft_at = loop.time() + DRAFT_AFTER - FIRST_AFTER
        await self.adapter.typing(self.run.participant.place, self.run.language)
        if self.drafts:
            await asyncio.sleep(draft_at - loop.time())
            self.slow = True
            await self._draft()
        while True:
            await asyncio.sleep(TYPING_EVERY)
            await self.adapter.typing(self.run.participant.place, self.run.language)

    async def _draft(self) -> None:
        """Show what is written so far, again and again; returns when the chat cannot."""
        able = True
        while able:
            text, self.landed = self.text, asyncio.Event()
            try:
                able = await self.adapter.draft(self.run.participant.place, self.run.run_id, with_hosts(text))
            finally:
                self.landed.set()
            self.screens.note(self.run, shown=able)
            if able:
                await asyncio.sleep(DRAFT_EVERY)
                # The same text again only where it would be seen no more.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(DRAFT_AGAIN - DRAFT_EVERY):
                        while self.text == text:
                            self.news.clear()
                            await self.news.wait()


class _Screens:
    """Which private chats show drafts, and whether there is time for any, as far as was seen.

    A stream costs more than an answer in one piece: no model is asked for one in vain. Threads may show drafts where
    flat chats cannot, or the other way: what one chat tells of others is kept by platform and by that.
    """

    def __init__(self) -> None:
        self._quick: dict[tuple[str, str], int] = {}
        self._able: set[tuple[str, bool]] = set()
        self._unable: dict[tuple[str, bool], dict[str, None]] = {}

    def idle(self, run: RunContext) -> bool:
        """Return whether answers to a chat come too quickly to be shown while they are written."""
        return self._quick.get((run.participant.platform, run.participant.place.chat), 0) >= QUICK

    def ended(self, run: RunContext, *, slow: bool) -> None:
        """Remember how a run went whose model told what it wrote, or had the time to."""
        chat = run.participant.platform, run.participant.place.chat
        quick = self._quick.pop(chat, 0)
        if slow:
            return
        self._quick[chat] = quick + 1
        if len(self._quick) > MOST_CHATS:
            del self._quick[next(iter(self._quick))]

    def may_draft(self, run: RunContext) -> bool:
        """Return whether nothing speaks against it."""
        kind = run.participant.platform, bool(run.participant.place.thread)
        unable = self._unable.get(kind, {})
        return run.participant.place.chat not in unable and (kind in self._able or len(unable) < REFUSALS)

    def note(self, run: RunContext, *, shown: bool) -> None:
        """Remember what became of a draft."""
        kind = run.participant.platform, bool(run.participant.place.thread)
        if shown:
            self._able.add(kind)
            return
        unable = self._unable.setdefault(kind, {})
        unable[run.participant.place.chat] = None
        if len(unable) > MOST_CHATS:
            del unable[next(iter(unable))]
