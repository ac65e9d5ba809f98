"""The console as a chat platform: one person, one chat, no network."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from bot.adapters.console.piped import PipedScreen
from bot.adapters.console.printer import Printer, leaving, mention, render
from bot.adapters.console.reader import PERSON, PLATFORM, TENANT, Reader
from bot.adapters.console.screen import Screen
from core.kernel.command_style import SLASHES
from core.kernel.errors import FetchFailed
from core.kernel.ports import Clock, Intake
from core.kernel.types import Attachment, Destination, Line, Page


class Alone:
    """Who is on a console: whoever sits there, and nobody else."""

    opens = False

    async def administers(self, to: Destination, address: str) -> bool:
        """Whoever sits here does."""
        return True

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        """Nobody else sits here."""
        return address == PERSON.address

    async def sees_all(self, to: Destination) -> bool:
        """Nothing is said past us."""
        return True

    async def direct(self, to: Destination, address: str) -> None:
        """Nobody else sits here."""


class ConsoleAdapter(Alone):
    """A chat on standard input and output: with a prompt on a terminal, line by line in a pipe."""

    platform = PLATFORM
    finds = False
    marks_private = False
    edits_asking = False
    # Nothing is sent: it is said where the file lies.
    most_document_bytes = 1 << 30
    documents_stay = True
    has_pages = False
    whispers = False
    spelling = SLASHES

    def __init__(self, clock: Clock, stdin: TextIO, stdout: TextIO, data_dir: Path, *, language: str = "") -> None:
        """The history of a terminal is kept in `data_dir`/console_history, which nobody else may read. `language` is
        that of the terminal ("de_DE"), empty where it tells none."""
        self.caught_up = asyncio.Event()
        screen = _screen(stdin, stdout, data_dir / "console_history")
        self._screen, self._printer = screen, Printer(screen)
        self._reader = Reader(screen, self._printer, clock, language)
        self.render, self.leaving, self.mention, self.send = render, leaving, mention, self._printer.send
        self.answers = self._printer.answers
        # A terminal's history is the one thing that is kept outside the database.
        self.forget = screen.forget

    def serves(self, tenant: str) -> bool:
        """There is one console."""
        return tenant == TENANT

    def hears(self, tenant: str) -> bool:
        """What is typed is heard from the start on."""
        return self.caught_up.is_set()

    async def run(self, intake: Intake) -> None:
        """Receive until the input ends, unlike other platforms: then what is accepted is still to be answered."""
        # There is no backlog: what was typed is typed while we run.
        self.caught_up.set()
        await self._reader.run(intake)

    async def close(self) -> None:
        """Nothing is held."""

    async def find(self, to: Destination) -> str | None:
        """Nobody can know what was read."""
        return None

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """There are no threads."""
        return ()

    async def page(self, tenant: str, address: str, page: Page) -> None:
        """There are no pages."""

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show "Teller is typing…" beside the prompt for some seconds."""
        self._screen.typing()

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Nothing: there are no groups here."""

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """A console shows no drafts."""
        return False

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Raise `FetchFailed`: nothing is ever attached here."""
        raise FetchFailed("the console has no attachments", for_good=True)

    def link(self, payload: str) -> str:
        """There is no link to a console."""
        return ""

    def permalink(self, to: Destination, message_id: str) -> str:
        """There is no link to a line."""
        return ""

    def health(self) -> Mapping[str, Any]:
        """Say whether the input is waiting, open or ended; none of them is a fault, but what nobody saw is."""
        unseen = {"unseen": self._printer.unseen} if self._printer.unseen else {}
        return {"ok": not unseen, "hears": True, "input": self._reader.state, **unseen}


def _screen(stdin: TextIO, stdout: TextIO, history: Path) -> Screen:
    if not (stdin.isatty() and stdout.isatty()):
        return PipedScreen(stdin, stdout)
    from bot.adapters.console.terminal import TerminalScreen  # noqa: PLC0415 - heavy, and only for terminals

    return TerminalScreen(stdin, stdout, history)
