"""What is typed on the console: each line is a message, or the number of something that was shown."""

from __future__ import annotations

import json
import logging
import uuid
from dataclasses import replace

from bot.adapters.console.printer import Printer
from bot.adapters.console.screen import Screen, safe
from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Intake
from core.kernel.types import Button, Inbound, Press, Sender

log = logging.getLogger(__name__)

PLATFORM = "console"
TENANT = "local"
CHAT = "console"
PERSON = Sender(address="console:local")
QUIT = "/quit"
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
NOTICE = "! "


class Reader:
    """Reads lines; `state` of the input is waiting, open or ended."""

    def __init__(self, screen: Screen, printer: Printer, clock: Clock, language: str) -> None:
        self.state = "waiting"
        self._screen, self._printer, self._clock = screen, printer, clock
        self._person = replace(PERSON, language=language)
        self._session, self._received = uuid.uuid4().hex, 0

    async def run(self, intake: Intake) -> None:
        """Receive until the input ends, unlike other platforms: then what is accepted is still to be answered."""
        self.state = "open"
        with self._screen.opened():
            line = await self._screen.read()
            while line is not None and line.strip() != QUIT:
                again = await self._received_line(intake, line)
                if not self._screen.patient:
                    # A program writes faster than it reads: each line is answered before the next is taken.
                    await intake.settled()
                line = await self._screen.read(again)
        self.state = "ended"

    async def _received_line(self, intake: Intake, line: str) -> str:
        """Store a line; return it when it could not be stored and a person is there to send it again."""
        # No database takes NUL and halves of surrogate pairs.
        text = line.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8").strip()
        if not text:
            return ""
        update, pause = self._update(text), FIRST_PAUSE_SECONDS
        while True:
            try:
                told = await intake.accept(await intake.tenant(PLATFORM, TENANT), [update])
            except StorageError as error:
                # Once a line, however often it is tried again.
                if pause == FIRST_PAUSE_SECONDS:
                    log.warning("a line could not be stored: %s", error)
                    self._notice(f"This message could not be stored ({error}); it is not lost: {text}")
            else:
                if told.get(update.key):
                    self._notice(told[update.key])
                return ""
            if self._screen.patient:
                self._notice("Press Enter to send it again.")
                return line
            await self._clock.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _update(self, text: str) -> Inbound | Press:
        """Return what a line is: a press where it is the number of a button, else a message."""
        self._received += 1
        number = f"{self._session}:{self._received}"
        meant, raw = self._printer.meant(text), json.dumps({"text": text}, ensure_ascii=False)
        if isinstance(meant, Button):
            return Press(
                key=f"{PLATFORM}:{number}",
                chat=CHAT,
                sender=self._person,
                data=meant.data,
                raw=raw,
                message_id=self._printer.picked_from,
            )
        return Inbound(
            key=f"{PLATFORM}:{number}",
            chat=CHAT,
            sender=self._person,
            text=meant,
            message_id=number,
            sent_at=self._clock.now(),
            raw=raw,
        )

    def _notice(self, text: str) -> None:
        try:
            self._screen.show(safe(text), NOTICE)
        except (OSError, ValueError) as error:
            log.warning("the console is closed: %s", type(error).__name__)
