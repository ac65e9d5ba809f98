"""What the console shows: texts with numbered lines for what can be picked, and what the numbers stand for."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence

from bot.adapters.console.screen import Screen, safe
from core.kernel.errors import SendRefused
from core.kernel.markdown import called
from core.kernel.types import Button, Destination, Keyboard, Part
from core.store.conversation.outbox import SILENT

# A terminal cannot change what it has shown: of an edit it shows what is new, with a sign that all languages share.
# With buttons it is shown whole.
EDITED = "↑ "
MOST_REMEMBERED = 100
# Code, which stands as it is, and what keeps a sign from being Markdown's own (CommonMark 2.4, `core.kernel.markdown`).
_CODE_OR_ESCAPE = re.compile(r"(```.*?```|`[^`\n]*`)|\\([\\`*_\[\]<>~|$&#+.)-])", re.DOTALL)

Pick = str | Button


class Printer:
    """Prints messages, and remembers what the numbers shown last stand for."""

    def __init__(self, screen: Screen) -> None:
        # How many messages nobody saw, since the output was closed or full.
        self.unseen = 0
        # The message that showed the last numbers.
        self.picked_from = ""
        self._screen = screen
        self._session, self._sent = uuid.uuid4().hex, 0
        self._picks: Sequence[Pick] = ()
        # The texts of the last messages, without their numbers, by id: what an edit changed is what is new.
        self._texts: dict[str, str] = {}

    async def answers(self, tenant: str) -> bool:
        """Return that a screen always answers."""
        return True

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Print a part and return its id; raises `SendRefused` when the output is closed."""
        buttons = [Button(label=label, data=data) for label, data in part.payload.get("buttons", ())]
        picks: Sequence[Pick] = (*part.payload.get("choices", ()), *buttons)
        if to.replaces and picks and part.payload.get(SILENT):
            # Each would be a line of its own, and take the numbers from what was asked meanwhile.
            return to.replaces
        text = whole = part.payload["text"]
        if part.document is not None:
            # Nothing can be handed over here but the place where it lies already.
            text = whole = f"📎 {part.document.name}: {part.document.place}"
        if to.replaces and not picks:
            # Of an edited message that nobody remembers, the last line is taken for what is new.
            text, before = whole.strip(), self._texts.get(to.replaces)
            new = text.rpartition("\n")[2] if before is None else text.removeprefix(f"{before}\n").strip()
            text = "" if text == before else f"{EDITED}{new}"
        try:
            if text:
                self._screen.show(safe("\n".join(filter(None, (repeated, text)))))
        except (OSError, ValueError) as error:
            self.unseen += 1
            raise SendRefused(f"the console is closed ({type(error).__name__})") from error
        self._sent += not to.replaces
        message_id = to.replaces or f"{self._session}:{self._sent}"
        # Numbers shown last count from now on; an edit elsewhere leaves them alone.
        if picks or not to.replaces or to.replaces == self.picked_from:
            self._picks, self.picked_from = picks, message_id
        self._texts.pop(message_id, None)
        if len(self._texts) >= MOST_REMEMBERED:
            del self._texts[next(iter(self._texts))]
        self._texts[message_id] = "\n".join(whole.split("\n")[: -len(picks) or None])
        return message_id

    def meant(self, text: str) -> Pick:
        """Return what the number that was typed stands for, if the last thing shown had numbers."""
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < len("1000") else 0
        return self._picks[number - 1] if 1 <= number <= len(self._picks) else text


def render(text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
    """Return Markdown as people write it, with choices and buttons as numbered lines; no part for nothing."""
    buttons = keyboard.buttons if keyboard is not None else ()
    labels = [*choices, *(button.label for button in buttons)]
    numbered = "\n".join(f"  {number}) {' '.join(label.split())}" for number, label in enumerate(labels, 1))
    shown = "\n".join(filter(None, (_CODE_OR_ESCAPE.sub(r"\1\2", text).strip(), numbered)))
    stored = [[button.label, button.data] for button in buttons]
    return [Part(payload={"text": shown, "choices": list(choices), "buttons": stored})] if shown else []


def leaving() -> Part:
    """Nobody leaves the console: sending this does nothing."""
    return Part(payload={"text": ""})


def mention(address: str, name: str) -> str:
    """Write a name as others write it; there is nobody to be told."""
    return f"@{called(name, address)}"
