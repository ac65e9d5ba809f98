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
from core.kernel.command_style import SLASHES
from core.kernel.errors import FetchFailed, SendRefused, StorageError
from core.kernel.markdown import called
from core.kernel.ports import Clock, Intake
from core.kernel.types import Attachment, Button, Destination, Inbound, Keyboard, Line, Page, Part, Press, Sender

log = logging.getLogger(__name__)

PLATFORM = "console"
TENANT = "local"
CHAT = "console"
PERSON = Sender(address="console:local")
QUIT = "/quit"
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
NOTICE = "! "
# A terminal cannot change what it has shown: of an edit it shows what is new. With buttons it is shown whole.
EDITED = "(above) "
MOST_REMEMBERED = 100

Pick = str | Button


class ConsoleAdapter:
    """A chat on standard input and output: with a prompt on a terminal, line by line in a pipe."""

    platform = PLATFORM
    finds = False
    marks_private = False
    opens = False
    edits_asking = False
    spelling = SLASHES

    def __init__(self, clock: Clock, stdin: TextIO, stdout: TextIO, data_dir: Path) -> None:
        """The history of a terminal is kept in `data_dir`/console_history, which nobody else may read."""
        self.caught_up = asyncio.Event()
        self._clock = clock
        self._screen = _screen(stdin, stdout, data_dir / "console_history")
        self._session = uuid.uuid4().hex
        self._received = self._sent = 0
        # What the numbers shown last stand for, and the message that showed them.
        self._picks: Sequence[Pick] = ()
        self._picked_from = ""
        # The texts of the last messages, without their numbers, by id: what an edit changed is what is new.
        self._texts: dict[str, str] = {}
        self._input = "waiting"
        # How many messages nobody saw, since the output was closed or full.
        self._unseen = 0

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

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        """Return Markdown as it is, with choices and buttons as numbered lines; no part for nothing."""
        buttons = keyboard.buttons if keyboard is not None else ()
        labels = [*choices, *(button.label for button in buttons)]
        numbered = "\n".join(f"  {number}) {' '.join(label.split())}" for number, label in enumerate(labels, 1))
        shown = "\n".join(filter(None, (text.strip(), numbered)))
        stored = [[button.label, button.data] for button in buttons]
        return [Part(payload={"text": shown, "choices": list(choices), "buttons": stored})] if shown else []

    def leaving(self) -> Part:
        """Nobody leaves the console: sending this does nothing."""
        return Part(payload={"text": ""})

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Print a part; raises `SendRefused` when the output is closed."""
        picks, whole = _picks(part), part.payload["text"]
        text = whole if picks or not to.replaces else self._new(to.replaces, whole)
        try:
            if text:
                self._screen.show(safe("\n".join(filter(None, (repeated, text)))))
        except (OSError, ValueError) as error:
            self._unseen += 1
            raise SendRefused(f"the console is closed ({type(error).__name__})") from error
        return self._shown(to.replaces, whole, picks)

    def _new(self, replaces: str, text: str) -> str:
        """Return what is new in an edited message; of one that nobody remembers it is the last line."""
        text, before = text.strip(), self._texts.get(replaces)
        if text == before:
            return ""
        return EDITED + (text.rpartition("\n")[2] if before is None else text.removeprefix(f"{before}\n").strip())

    def _shown(self, replaces: str, text: str, picks: Sequence[Pick]) -> str:
        """Return the id of what was shown. Its numbers count from now on; an edit elsewhere leaves them alone."""
        self._sent += not replaces
        message_id = replaces or f"{self._session}:{self._sent}"
        if picks or not replaces or replaces == self._picked_from:
            self._picks, self._picked_from = picks, message_id
        self._texts.pop(message_id, None)
        if len(self._texts) >= MOST_REMEMBERED:
            del self._texts[next(iter(self._texts))]
        self._texts[message_id] = "\n".join(text.split("\n")[: -len(picks) or None])
        return message_id

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

    async def administers(self, to: Destination, address: str) -> bool:
        """Whoever sits here does."""
        return True

    async def belongs(self, to: Destination, address: str) -> bool:
        """Nobody else sits here."""
        return address == PERSON.address

    async def direct(self, to: Destination, address: str) -> None:
        """Nobody else sits here."""

    def mention(self, address: str, name: str) -> str:
        """Write a name as others write it; there is nobody to be told."""
        return f"@{called(name, address)}"

    async def sees_all(self, to: Destination) -> bool:
        """Nothing is said past us."""
        return True

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Raise `FetchFailed`: nothing is ever attached here."""
        raise FetchFailed("the console has no attachments", for_good=True)

    def link(self, payload: str) -> str:
        """There is no link to a console."""
        return ""

    def forget(self) -> None:
        """Forget the lines that were typed: a terminal's history is the one thing that is kept outside the database."""
        self._screen.forget()

    def health(self) -> Mapping[str, Any]:
        """Say whether the input is waiting, open or ended; none of them is a fault, but what nobody saw is."""
        unseen = {"unseen": self._unseen} if self._unseen else {}
        return {"ok": not unseen, "hears": True, "input": self._input, **unseen}

    async def _received_line(self, intake: Intake, line: str) -> str:
        """Store a line; return it when it could not be stored and a person is there to send it again."""
        text = _well_formed(line).strip()
        if not text:
            return ""
        update, pause = self._update(text), FIRST_PAUSE_SECONDS
        while not await self._stored(intake, update, text):
            if self._screen.patient:
                self._notice("Press Enter to send it again.")
                return line
            await self._clock.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        return ""

    async def _stored(self, intake: Intake, update: Inbound | Press, text: str) -> bool:
        try:
            tenant = await intake.tenant(PLATFORM, TENANT)
            told = await intake.accept(tenant, [update])
        except StorageError as error:
            log.warning("a line could not be stored: %s", error)
            self._notice(f"This message could not be stored ({error}); it is not lost: {text}")
            return False
        if told.get(update.key):
            self._notice(told[update.key])
        return True

    def _update(self, text: str) -> Inbound | Press:
        """Return what a line is: a press where it is the number of a button, else a message."""
        self._received += 1
        number = f"{self._session}:{self._received}"
        meant, raw = self._meant(text), json.dumps({"text": text}, ensure_ascii=False)
        if isinstance(meant, Button):
            key = f"{PLATFORM}:{number}"
            return Press(key=key, chat=CHAT, sender=PERSON, data=meant.data, raw=raw, message_id=self._picked_from)
        return Inbound(
            key=f"{PLATFORM}:{number}",
            chat=CHAT,
            sender=PERSON,
            text=meant,
            message_id=number,
            sent_at=self._clock.now(),
            raw=raw,
        )

    def _meant(self, text: str) -> Pick:
        """Return what the number that was typed stands for, if the last thing shown had numbers."""
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < len("1000") else 0
        return self._picks[number - 1] if 1 <= number <= len(self._picks) else text

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


def _picks(part: Part) -> Sequence[Pick]:
    """Return what the numbers of a part stand for, in their order."""
    buttons = [Button(label=label, data=data) for label, data in part.payload.get("buttons", ())]
    return (*part.payload.get("choices", ()), *buttons)


def _well_formed(line: str) -> str:
    """Replace NUL and halves of surrogate pairs, which no database takes."""
    return line.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
