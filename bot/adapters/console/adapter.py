"""The console as a chat platform: one person, one chat, no network."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from bot.adapters.console.piped import PipedScreen
from bot.adapters.console.screen import Screen, safe
from core.errors import SendRefused, StorageError
from core.ports import Clock, Intake
from core.types import Destination, Inbound, Part, Sender

log = logging.getLogger(__name__)

PLATFORM = "console"
TENANT = "local"
CHAT = "console"
PERSON = Sender(address="console:local")
QUIT = "/quit"
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
NOTICE = "! "


class ConsoleAdapter:
    """A chat on standard input and output: with a prompt on a terminal, line by line in a pipe."""

    platform = PLATFORM

    def __init__(self, clock: Clock, stdin: TextIO, stdout: TextIO, data_dir: Path) -> None:
        """The history of a terminal is kept in `data_dir`/console_history, which nobody else may read."""
        self.caught_up = asyncio.Event()
        self._clock = clock
        self._screen = _screen(stdin, stdout, data_dir / "console_history")
        self._session = uuid.uuid4().hex
        self._received = self._sent = 0
        self._choices: Sequence[str] = ()
        self._input = "waiting"

    def serves(self, tenant: str) -> bool:
        """There is one console."""
        return tenant == TENANT

    async def run(self, intake: Intake) -> None:
        """Receive until the input ends, unlike other platforms: then what is accepted is still to be answered."""
        # There is no backlog: what was typed is typed while we run.
        self.caught_up.set()
        self._input = "open"
        with self._screen.opened():
            line = await self._screen.read()
            while line is not None and line.strip() != QUIT:
                again = await self._received_line(intake, line)
                if not self._screen.patient:
                    # A program writes faster than it reads: each line is answered before the next is taken.
                    await intake.settled()
                line = await self._screen.read(again)
        self._input = "ended"

    async def close(self) -> None:
        """Nothing is held."""

    def render(self, text: str, choices: Sequence[str] = ()) -> Sequence[Part]:
        """Return Markdown as it is, with the choices as numbered lines; no part for nothing."""
        numbered = "\n".join(f"  {number}) {' '.join(choice.split())}" for number, choice in enumerate(choices, 1))
        shown = "\n".join(filter(None, (text.strip(), numbered)))
        return [Part(payload={"text": shown, "choices": list(choices)})] if shown else []

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Print a part; raises `SendRefused` when the output is closed."""
        text = "\n".join(filter(None, (repeated, part.payload["text"])))
        try:
            self._screen.show(safe(text))
        except (OSError, ValueError) as error:
            raise SendRefused(f"the console is closed ({type(error).__name__})") from error
        self._choices = tuple(part.payload.get("choices", ()))
        self._sent += 1
        return f"{self._session}:{self._sent}"

    async def typing(self, to: Destination) -> None:
        """Show "Teller is typing…" beside the prompt for some seconds."""
        self._screen.typing()

    def health(self) -> Mapping[str, Any]:
        """Say whether the input is waiting, open or ended; none of them is a fault."""
        return {"ok": True, "input": self._input}

    async def _received_line(self, intake: Intake, line: str) -> str:
        """Store a line; return it when it could not be stored and a person is there to send it again."""
        text = self._meant(_well_formed(line).strip())
        if not text:
            return ""
        message, pause = self._inbound(text), FIRST_PAUSE_SECONDS
        while not await self._stored(intake, message):
            if self._screen.patient:
                self._notice("Press Enter to send it again.")
                return line
            await self._clock.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        return ""

    async def _stored(self, intake: Intake, message: Inbound) -> bool:
        try:
            tenant = await intake.tenant(PLATFORM, TENANT)
            await intake.accept(tenant, [message])
        except StorageError as error:
            log.warning("a line could not be stored: %s", error)
            self._notice(f"This message could not be stored ({error}); it is not lost: {message.text}")
            return False
        return True

    def _inbound(self, text: str) -> Inbound:
        self._received += 1
        number = f"{self._session}:{self._received}"
        return Inbound(
            key=f"{PLATFORM}:{number}",
            chat=CHAT,
            sender=PERSON,
            text=text,
            message_id=number,
            sent_at=self._clock.now(),
            raw=json.dumps({"text": text}, ensure_ascii=False),
        )

    def _meant(self, text: str) -> str:
        """Return the choice whose number was typed, if the last thing shown had choices."""
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < len("1000") else 0
        return self._choices[number - 1] if 1 <= number <= len(self._choices) else text

    def _notice(self, text: str) -> None:
        try:
            self._screen.show(safe(text), NOTICE)
        except (OSError, ValueError) as error:
            log.warning("the console is closed: %s", type(error).__name__)


def _screen(stdin: TextIO, stdout: TextIO, history: Path) -> Screen:
    if not (stdin.isatty() and stdout.isatty()):
        return PipedScreen(stdin, stdout)
    from bot.adapters.console.terminal import TerminalScreen  # noqa: PLC0415 - heavy, and only for terminals

    return TerminalScreen(stdin, stdout, history)


def _well_formed(line: str) -> str:
    """Replace NUL and halves of surrogate pairs, which no database takes."""
    return line.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
