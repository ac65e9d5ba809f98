"""The console adapter in a pipe."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.adapters.console import ConsoleAdapter
from core.kernel.errors import SendRefused, StorageFull
from core.kernel.types import Destination, Document, Part
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

ROOT = Path(__file__).parents[3]
CHAT = Destination(tenant="local", chat="console")


class Pipes:
    """The two pipes of a console without a terminal."""

    def __init__(self) -> None:
        self._write: int | None
        read, self._write = os.pipe()
        shown, out = os.pipe()
        self.stdin, self.stdout = os.fdopen(read, encoding="utf-8"), os.fdopen(out, "w", encoding="utf-8")
        self._shown = shown

    def type(self, data: bytes) -> None:
        assert self._write is not None
        os.write(self._write, data)

    def end(self) -> None:
        if self._write is not None:
            os.close(self._write)
        self._write = None

    def shown(self) -> str:
        self.stdout.flush()
        return os.read(self._shown, 65536).decode()

    def close(self) -> None:
        os.close(self._shown)
        self.end()
        self.stdin.close()
        with contextlib.suppress(OSError):
            self.stdout.close()


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    pipes = Pipes()
    yield pipes
    pipes.close()


@pytest.fixture
def clock() -> RealClock:
    return RealClock()


@pytest.fixture
def intake() -> MemoryIntake:
    return MemoryIntake()


@pytest.fixture
def adapter(pipes: Pipes, clock: RealClock, tmp_path: Path) -> ConsoleAdapter:
    return ConsoleAdapter(clock, pipes.stdin, pipes.stdout, tmp_path)


async def run(adapter: ConsoleAdapter, intake: MemoryIntake) -> None:
    await asyncio.wait_for(adapter.run(intake), DEADLINE)


async def test_each_line_is_a_message_and_the_end_of_input_ends(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    pipes.type("hello\r\n\n  中文 😀 \nlast without line feed".encode())
    pipes.end()
    await run(adapter, intake)
    first, *_ = intake.inbound()
    assert intake.messages() == ["hello", "中文 😀", "last without line feed"]
    assert (first.chat, first.sender.address, first.chat_kind) == ("console", "console:local", "private")
    assert re.fullmatch(r"console:[0-9a-f]{32}:1", first.key)
    assert len(intake.rows) == 3
    assert adapter.caught_up.is_set()
    assert adapter.health() == {"ok": True, "hears": True, "input": "ended"}


async def test_quit_ends(pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake) -> None:
    pipes.type(b"one\n/quit\ntwo\n")
    await run(adapter, intake)
    assert intake.messages() == ["one"]


async def test_broken_bytes_become_text_that_can_be_stored(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    pipes.type(b"a\xffb\0c\n")
    pipes.end()
    await run(adapter, intake)
    assert intake.messages() == ["a\ufffdb\ufffdc"]


async def test_a_character_split_between_two_reads_is_whole(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    task = asyncio.create_task(run(adapter, intake))
    pipes.type(b"first\n\xe4\xb8")
    await intake.wait_messages("first")
    pipes.type(b"\xad\n")
    await intake.wait_messages("first", "中")
    pipes.end()
    await task


async def test_answers_are_plain_lines(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    for part in adapter.render("**Tea** or\ncoffee? \x1b[2J", ["tea", "both"]):
        await adapter.send(CHAT, part, repeated="↻ Possibly a repeat")
    assert pipes.shown() == (
        "teller> ↻ Possibly a repeat\n        **Tea** or\n        coffee? \n          1) tea\n          2) both\n"
    )


async def test_a_terminal_shows_no_signs_that_only_keep_markdown_off(adapter: ConsoleAdapter) -> None:
    for text, shown in (
        (r"\# a\_b \| c\. 1\. d \\ e", r"# a_b | c. 1. d \ e"),
        (r"`\_` \_ `\` \`", r"`\_` _ `\` `"),
        ("```\necho \\$HOME\n```\n\\$5", "```\necho \\$HOME\n```\n$5"),
        (r"C:\temp", r"C:\temp"),
    ):
        [part] = adapter.render(text)
        assert part.payload["text"] == shown


async def test_nothing_is_rendered_for_nothing(adapter: ConsoleAdapter) -> None:
    assert adapter.render(" \n") == []


async def test_a_number_picks_from_the_choices_shown_last(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    task = asyncio.create_task(run(adapter, intake))
    await adapter.send(CHAT, adapter.render("Which?", ["tea", "green\ntea"])[0])
    pipes.type(b"2\n3\n")
    await intake.wait_messages("green\ntea", "3")
    await adapter.send(CHAT, adapter.render("How many?")[0])
    pipes.type(b"2\n")
    await intake.wait_messages("green\ntea", "3", "2")
    pipes.end()
    await task


async def test_a_line_that_cannot_be_stored_is_tried_again(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    intake.failures = [StorageFull("no space left") for _ in range(7)]
    pipes.type(b"precious\n")
    pipes.end()
    await run(adapter, intake)
    assert intake.messages() == ["precious"]
    assert clock.slept == [1, 2, 4, 8, 16, 30, 30]
    told = "! This message could not be stored (no space left); it is not lost: precious"
    assert pipes.shown().count(told) == 1


async def test_a_closed_output_refuses(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    pipes.stdout.close()
    with pytest.raises(SendRefused):
        await adapter.send(CHAT, Part(payload={"text": "anybody?"}))


async def test_message_ids_are_unique(adapter: ConsoleAdapter) -> None:
    part = Part(payload={"text": "x"})
    assert await adapter.send(CHAT, part) != await adapter.send(CHAT, part)
    await adapter.typing(CHAT)
    await adapter.close()


async def test_a_cancelled_run_does_not_wait_for_more_input(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    task = asyncio.create_task(adapter.run(intake))
    await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, DEADLINE)
    pipes.type(b"too late\n")


PROGRAM = """
import asyncio, sys
from pathlib import Path
from bot.adapters.console import ConsoleAdapter
from core.kernel.clock import SystemClock
from core.kernel.types import Destination
class Intake:
    async def tenant(self, *a): return 1
    async def cursor(self, *a): return None
    async def settled(self): pass
    async def accept(self, tenant, updates, cursor=None):
        for part in adapter.render("got " + updates[0].text):
            await adapter.send(Destination(tenant="local", chat="console"), part)
        if updates[0].text == "stop":
            raise asyncio.CancelledError
        return {}
adapter = ConsoleAdapter(SystemClock(), sys.stdin, sys.stdout, Path("."))
async def main():
    try:
        await adapter.run(Intake())
    except asyncio.CancelledError:
        pass
asyncio.run(main())
assert "prompt_toolkit" not in sys.modules
"""


def test_a_program_with_piped_input_needs_no_terminal_and_ends_with_it() -> None:
    done = program("a\nb\n", close=True)
    assert (done.stdout, done.stderr, done.returncode) == ("teller> got a\nteller> got b\n", "", 0)


def test_a_program_that_stops_does_not_wait_for_open_input() -> None:
    done = program("stop\n", close=False)
    assert (done.stdout, done.stderr, done.returncode) == ("teller> got stop\n", "", 0)


def program(text: str, *, close: bool) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(text)
        process.stdin.flush()
        if close:
            process.stdin.close()
        code = process.wait(DEADLINE)
        return subprocess.CompletedProcess(command, code, process.stdout.read(), process.stderr.read())


async def test_of_a_file_it_is_said_where_it_lies(adapter: ConsoleAdapter, pipes: Pipes) -> None:
    document = Document(name="export.zip", mime="application/zip", content=b"zip", place="/data/files/1/2-export.zip")
    await adapter.send(CHAT, Part(payload={"text": ""}, document=document))
    assert "export.zip: /data/files/1/2-export.zip" in pipes.shown()
