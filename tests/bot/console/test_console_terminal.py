"""The console adapter on a pseudo-terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import termios
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TextIO

import pytest

from bot.adapters.console import ConsoleAdapter
from core.kernel.errors import StorageFull
from core.kernel.types import Button, Destination, Keyboard, Press
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

CHAT = Destination(tenant="local", chat="console")


@pytest.fixture
def intake() -> MemoryIntake:
    return MemoryIntake()


class Terminal:
    """A pseudo-terminal and the person in front of it."""

    def __init__(self) -> None:
        self._person, self._program = os.openpty()
        os.set_blocking(self._person, False)
        termios.tcsetwinsize(self._program, (24, 80))
        self.stdin = os.fdopen(os.dup(self._program), encoding="utf-8")
        self.stdout: TextIO = os.fdopen(os.dup(self._program), "w", encoding="utf-8")
        self.seen = ""
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._person, self._read)

    def _read(self) -> None:
        self.seen += os.read(self._person, 65536).decode(errors="replace")
        self._changed.set()

    def type(self, text: str) -> None:
        os.write(self._person, text.encode())

    async def wait(self, condition: Callable[[str], bool]) -> None:
        """Wait until what was written to the terminal fulfils the condition; raise `TimeoutError`."""
        try:
            async with asyncio.timeout(DEADLINE):
                while not condition(self.seen):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise TimeoutError(repr(self.seen)) from None

    async def sees(self, *texts: str) -> None:
        await self.wait(lambda seen: all(text in seen for text in texts))

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._person)
        self.stdin.close()
        self.stdout.close()
        os.close(self._program)
        os.close(self._person)


@pytest.fixture
async def terminal(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Terminal]:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PROMPT_TOOLKIT_NO_CPR", "1")
    terminal = Terminal()
    yield terminal
    terminal.close()


@contextlib.asynccontextmanager
async def chatting(
    terminal: Terminal, intake: MemoryIntake, folder: Path
) -> AsyncIterator[tuple[ConsoleAdapter, asyncio.Task[None]]]:
    adapter = ConsoleAdapter(RealClock(), terminal.stdin, terminal.stdout, folder)
    task = asyncio.create_task(adapter.run(intake))
    await terminal.sees("you>")
    try:
        yield adapter, task
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_a_chat_on_a_terminal(terminal: Terminal, intake: MemoryIntake, tmp_path: Path) -> None:
    async with chatting(terminal, intake, tmp_path) as (adapter, task):
        terminal.type("hello\r")
        await intake.wait_messages("hello")
        await adapter.typing(CHAT)
        await terminal.sees("Teller is typing")
        await adapter.send(CHAT, adapter.render("Tea?", ["yes", "no\x1b[2J"])[0])
        await terminal.sees("teller> Tea?", "  1) yes", "  2) no")
        terminal.type("1\r")
        await intake.wait_messages("hello", "yes")
        terminal.type("\x04")
        await asyncio.wait_for(task, DEADLINE)
        await adapter.send(CHAT, adapter.render("Still here.")[0])
        await terminal.sees("teller> Still here.")
    assert "\x1b[2J\r\n" not in terminal.seen


async def test_an_answer_takes_the_place_of_the_prompt_which_is_drawn_again_below(
    terminal: Terminal, intake: MemoryIntake, tmp_path: Path
) -> None:
    async with chatting(terminal, intake, tmp_path) as (adapter, _):
        terminal.type("hello\r")
        await intake.wait_messages("hello")
        terminal.seen = ""
        await terminal.sees("you>")
        await adapter.send(CHAT, adapter.render("Good day.")[0])
        await terminal.sees("teller> Good day.")
        before, _, after = terminal.seen.partition("teller> Good day.")
        assert "\x1b[J" in before.rpartition("you>")[2]
        await terminal.wait(lambda seen: "you>" in seen.rpartition("Good day.")[2])
        assert after.startswith("\r\n")


async def test_a_reminder_comes_above_a_line_that_is_being_typed(
    terminal: Terminal, intake: MemoryIntake, tmp_path: Path
) -> None:
    async with chatting(terminal, intake, tmp_path) as (adapter, _):
        terminal.type("half a li")
        await terminal.sees("half a li")
        terminal.seen = ""
        done = Keyboard(buttons=(Button(label="Done", data="v1:d"),))
        for text in ("⏰ call Oma", "⏰ take the pills"):
            await adapter.send(CHAT, adapter.render(text, (), done)[0])
        await terminal.sees("teller> ⏰ call Oma\r\n  1) Done\r\n")
        await terminal.sees("take the pills")
        await terminal.wait(lambda seen: "half a li" in seen.rpartition("take the pills")[2])
        assert terminal.seen.index("call Oma") < terminal.seen.index("take the pills")
        assert "half a li" not in terminal.seen.partition("teller> ⏰ call Oma")[0].rpartition("\x1b[J")[2]
        terminal.type("ne\r1\r")
        await intake.wait(lambda: len(intake.rows) == 2)
    assert intake.messages() == ["half a line"]
    assert [row.data for row in intake.rows.values() if isinstance(row, Press)] == ["v1:d"]


async def test_the_history_is_kept_for_the_person_alone(
    terminal: Terminal, intake: MemoryIntake, tmp_path: Path
) -> None:
    async with chatting(terminal, intake, tmp_path) as (_, task):
        terminal.type("remember me\r")
        await intake.wait_messages("remember me")
        terminal.type("/quit\r")
        await asyncio.wait_for(task, DEADLINE)
    history = tmp_path / "console_history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert "+remember me" in history.read_text(encoding="utf-8")


async def test_a_line_that_cannot_be_stored_is_put_back_to_be_sent_again(
    terminal: Terminal, intake: MemoryIntake, tmp_path: Path
) -> None:
    intake.failures = [StorageFull("no space left")]
    async with chatting(terminal, intake, tmp_path):
        terminal.type("precious\r")
        await terminal.sees("could not be stored (no space left)", "Press Enter to send it again.")
        terminal.type("\r")
        await intake.wait_messages("precious")


async def test_control_c_clears_a_line_and_ends_on_an_empty_one(
    terminal: Terminal, intake: MemoryIntake, tmp_path: Path
) -> None:
    async with chatting(terminal, intake, tmp_path) as (_, task):
        terminal.type("not this\x03this\r")
        await intake.wait_messages("this")
        terminal.type("\x03")
        await asyncio.wait_for(task, DEADLINE)


async def test_forgetting_empties_the_history_and_the_prompt(
    terminal: Terminal, intake: MemoryIntake, tmp_path: Path
) -> None:
    async with chatting(terminal, intake, tmp_path) as (adapter, _):
        terminal.type("a plum\r")
        await intake.wait_messages("a plum")
        adapter.forget()
        history = tmp_path / "console_history"
        assert history.read_bytes() == b""
        terminal.type("\x1b[A\r")  # the line before, if there were one
        terminal.type("an apple\r")
        await intake.wait_messages("a plum", "an apple")
        assert "+an apple" in history.read_text(encoding="utf-8")
        assert "plum" not in history.read_text(encoding="utf-8")
