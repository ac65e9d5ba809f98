"""`teller run` that kills itself at a named point, for the tests of crashes: `python -m tests.killable`.

TELLER_FAILPOINT is WHEN:WHERE[:WORD], such as `before:finish_run`, `after:send` or `before:model:poison`. WHERE is the
name of a function given to `db.write`, or `send`, `find`, `answers` or `model`. `before` is before a transaction's
commit (its statements have run), before a message leaves, before the model is asked; `after` is right after, while
nobody knows of it yet. With WORD only a message to the platform or the model that contains it counts, or a transaction
with what does.

Its clock is ahead by as many seconds as the file KILLABLE_CLOCK says, if there is one. SIGUSR1 makes the program look
at what is due, as the next wake-up would.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from bot.adapters.slack.send import lookup as finding
from bot.app import App, build
from bot.config.config import Config, load
from bot.runtime.http import Checks, Endpoint, HasEndpoints, capability_endpoints, platform_endpoints, serving
from bot.runtime.wiring import adapters, database, model
from core.kernel.clock import SystemClock
from core.kernel.ports import Adapter, Database, Intake, ReachableModel, Tx
from core.kernel.types import Answer, Attachment, Destination, Keyboard, Line, Millis, ModelRequest, Page, Part, Sender
from tests.databases import serve

T = TypeVar("T")


@dataclass(frozen=True)
class Failpoint:
    """Where the process dies."""

    when: str = ""
    where: str = ""
    word: str = ""

    @classmethod
    def parse(cls, text: str) -> Failpoint:
        """Read WHEN:WHERE[:WORD]; nothing is no failpoint."""
        return cls(*text.split(":", 2))

    def reach(self, when: str, where: str, content: Callable[[], str] = str) -> None:
        """Die if this is the point."""
        if (when, where) == (self.when, self.where) and (not self.word or self.word in content()):
            os.kill(os.getpid(), signal.SIGKILL)


class AheadClock(SystemClock):
    """A clock that is ahead of the real one by the seconds in a file, which may grow at any moment."""

    def __init__(self, path: str) -> None:
        self._path = path

    def now(self) -> Millis:
        """Wall clock, unix milliseconds UTC."""
        return super().now() + round(self._ahead() * 1000)

    def monotonic(self) -> float:
        """Seconds since some fixed point: as if they had passed."""
        return super().monotonic() + self._ahead()

    def _ahead(self) -> float:
        if not os.path.exists(self._path):
            return 0.0
        with open(self._path) as file:
            return float(file.read())


class KillableDatabase:
    """A database whose transactions may be the last thing the process does."""

    def __init__(self, db: Database, failpoint: Failpoint) -> None:
        self.name = db.name
        self._db, self._failpoint = db, failpoint

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        """Run `fn` in a transaction, with a failpoint at both sides of its commit."""

        def content() -> str:
            return str(inspect.getclosurevars(fn).nonlocals)

        def watched(tx: Tx) -> T:
            # The first callback of the transaction: no poke has been made yet.
            tx.after_commit(lambda: self._failpoint.reach("after", fn.__name__, content))
            result = fn(tx)
            self._failpoint.reach("before", fn.__name__, content)
            return result

        return await self._db.write(watched, order=order)

    async def read(self, fn: Callable[[Tx], T]) -> T:
        """Run `fn` on a consistent view."""
        return await self._db.read(fn)

    async def open(self, *, upgrade: bool = True) -> str:
        """Open the database."""
        return await self._db.open(upgrade=upgrade)

    async def close(self) -> None:
        """Close the database."""
        await self._db.close()

    def has_room(self) -> bool:
        """Whether messages may be accepted."""
        return self._db.has_room()

    async def backup(self, path: str) -> str:
        """Write a copy."""
        return await self._db.backup(path)


class KillableAdapter:
    """A platform whose sends may be the last thing the process does."""

    def __init__(self, adapter: Adapter, failpoint: Failpoint) -> None:
        self.platform, self.finds = adapter.platform, adapter.finds
        self.marks_private, self.spelling = adapter.marks_private, adapter.spelling
        self.edits_asking, self.opens = adapter.edits_asking, adapter.opens
        self.has_pages, self.whispers = adapter.has_pages, adapter.whispers
        self.most_document_bytes, self.documents_stay = adapter.most_document_bytes, adapter.documents_stay
        self._adapter, self._failpoint = adapter, failpoint

    @property
    def endpoints(self) -> Sequence[Endpoint]:
        """What the real adapter needs of the web server."""
        return self._adapter.endpoints if isinstance(self._adapter, HasEndpoints) else ()

    @property
    def caught_up(self) -> asyncio.Event:
        return self._adapter.caught_up

    def serves(self, tenant: str) -> bool:
        return self._adapter.serves(tenant)

    def hears(self, tenant: str) -> bool:
        return self._adapter.hears(tenant)

    async def run(self, intake: Intake) -> None:
        """Receive."""
        await self._adapter.run(intake)

    async def close(self) -> None:
        """Let go of connections."""
        await self._adapter.close()

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        """Render."""
        return self._adapter.render(text, choices, keyboard)

    def leaving(self) -> Part:
        """What makes the bot leave."""
        return self._adapter.leaving()

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send, with a failpoint at both sides."""

        def content() -> str:
            return str(part.payload)

        self._failpoint.reach("before", "send", content)
        sent = await self._adapter.send(to, part, repeated=repeated)
        self._failpoint.reach("after", "send", content)
        return sent

    async def find(self, to: Destination) -> str | None:
        """Look what became of a message, with a failpoint at both sides."""
        self._failpoint.reach("before", "find")
        found = await self._adapter.find(to)
        self._failpoint.reach("after", "find")
        return found

    async def answers(self, tenant: str) -> bool:
        """Ask whether the platform answers, with a failpoint before."""
        self._failpoint.reach("before", "answers")
        return await self._adapter.answers(tenant)

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """Read a thread."""
        return await self._adapter.thread(to, most)

    async def page(self, tenant: str, address: str, page: Page) -> None:
        """Show somebody their page."""
        await self._adapter.page(tenant, address, page)

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show that an answer is being worked on."""
        await self._adapter.typing(to)

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Mark a message."""
        await self._adapter.mark(to, message_id, working=working)

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """Show what is being written."""
        return await self._adapter.draft(to, draft_id, text)

    async def administers(self, to: Destination, address: str) -> bool:
        """Whether somebody administers the chat."""
        return await self._adapter.administers(to, address)

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        """Whether somebody is in the chat."""
        return await self._adapter.belongs(to, address, fresh=fresh)

    async def direct(self, to: Destination, address: str) -> tuple[Sender, str] | None:
        """Open the private chat with somebody."""
        return await self._adapter.direct(to, address)

    def permalink(self, to: Destination, message_id: str) -> str:
        """The link to a message."""
        return self._adapter.permalink(to, message_id)

    def mention(self, address: str, name: str) -> str:
        """Markdown that names somebody."""
        return self._adapter.mention(address, name)

    async def sees_all(self, to: Destination) -> bool:
        """Whether everything that is said in the chat comes here."""
        return await self._adapter.sees_all(to)

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Fetch a file."""
        return await self._adapter.fetch(attachment, most_bytes)

    def link(self, payload: str) -> str:
        """A link to the bot."""
        return self._adapter.link(payload)

    def health(self) -> Mapping[str, Any]:
        """Facts for status."""
        return self._adapter.health()


class KillableModel:
    """A model whose calls may be the last thing the process does."""

    def __init__(self, llm: ReachableModel, failpoint: Failpoint) -> None:
        self.name = llm.name
        self.reachable = True
        self._llm, self._failpoint = llm, failpoint

    async def window(self) -> int | None:
        """Nobody says."""
        return None

    async def close(self) -> None:
        """Close the model."""
        await self._llm.close()

    async def complete(self, request: ModelRequest) -> Answer:
        """Ask, with a failpoint at both sides."""
        self._failpoint.reach("before", "model", lambda: "\n".join(request.heard))
        answer = await self._llm.complete(request)
        self._failpoint.reach("after", "model", lambda: "\n".join(request.heard))
        return answer


def web(config: Config, app: App) -> AbstractAsyncContextManager[object]:
    """The web server, as the program has it."""
    checks = Checks(app.db, app.adapters, app.clock, app.stopping.is_set)
    found = [*platform_endpoints(app.adapters), *capability_endpoints(app.capabilities, app.container)]
    return serving(checks, config.http.host, config.http.port, found)


async def run(failpoint: Failpoint) -> None:
    """Run the whole program, put together from killable parts, until SIGTERM."""
    config, clock = load(None), AheadClock(os.environ.get("KILLABLE_CLOCK", ""))
    # The emulated Slack is done with a message at once: nobody need wait two minutes to see that one is not there.
    finding.SETTLED = 500
    asked: ReachableModel | None = model(config, clock)
    db = database(config, clock)
    found = adapters(config, clock, console=False, db=db)
    app = build(
        config,
        {name: KillableAdapter(adapter, failpoint) for name, adapter in found.items()},
        db=KillableDatabase(db, failpoint),
        clock=clock,
        model=None if asked is None else KillableModel(asked, failpoint),
        services=[partial(web, config)] if config.http.port else [],
    )
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, app.stop)
    loop.add_signal_handler(signal.SIGUSR1, lambda: app.engine.wake(0))
    await serve(app)


if __name__ == "__main__":
    asyncio.run(run(Failpoint.parse(os.environ.get("TELLER_FAILPOINT", ""))))
