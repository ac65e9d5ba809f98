"""What the tests of set-up share: a person with answers prepared, and a whole set-up against the emulator."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.setup.draft import Draft
from bot.setup.setup import Given, Setup
from core.kernel.ports import Clock
from tests.emulators.telegram import DEFAULT_TOKEN
from tests.operating import StillClock

LINK = re.compile(r"https://t\.me/(\w+)\?start=([A-Za-z0-9_-]{1,64})$")


class HastyClock(StillClock):
    """Each pause takes two minutes, so that ten are over soon."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(120)


class EndOfInput(Exception):
    """There are no more answers."""


@dataclass
class Prepared:
    """Answers by a word of the question; what is not prepared gets the default. `on_link` sees each code."""

    answers: Mapping[str, Sequence[str | bool]] = field(default_factory=dict)
    on_link: Callable[[str], object] = str
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.said.append(text)
        if found := LINK.search(text):
            self.codes.append(found[2])
            self.on_link(found[2])

    def ask(self, question: str, default: str | None = None, *, hidden: bool = False) -> str:
        answer = self._answer(question)
        if answer is None and default is None:
            raise EndOfInput(question)
        return str(default if answer is None else answer)

    def confirm(self, question: str, *, default: bool, alone: bool | None = None) -> bool:
        answer = self._answer(question)
        return default if answer is None else bool(answer)

    def _answer(self, question: str) -> str | bool | None:
        times = sum(self._word(before) == self._word(question) for before in self.asked)
        self.asked.append(question)
        left = self.answers.get(self._word(question), ())[times:]
        return left[0] if left else None

    def _word(self, question: str) -> str:
        return next((word for word in self.answers if word in question), "")

    @property
    def text(self) -> str:
        """Everything said and asked."""
        return "\n".join([*self.said, *self.asked])


@dataclass
class Desk:
    """Where set-up is run: a file, and an environment that names the emulator."""

    file: Path
    url: str
    environ: dict[str, str] = field(default_factory=dict)
    clock: Clock = field(default_factory=StillClock)

    async def run(self, talk: Prepared, **given: str) -> None:
        """Set up; the clock stands still but for pauses, and no question waits at Telegram."""
        folder = str(self.file.parent / "data")
        environ = {"TELLER_TELEGRAM__BASE_URL": self.url, "TELLER_DATA_DIR": folder, **self.environ}
        draft = Draft(self.file, environ, talk)
        options = {"token": DEFAULT_TOKEN, **given} if "TELLER_TELEGRAM__TOKEN" not in environ else given
        await Setup(draft, Given(**options), talk, self.clock, look_seconds=0).run()
