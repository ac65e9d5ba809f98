"""Buttons on the console: numbered lines, whose numbers are presses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.adapters.console import ConsoleAdapter
from bot.adapters.console.printer import MOST_REMEMBERED
from core.kernel.errors import FetchFailed, StorageFull
from core.kernel.types import Attachment, Button, Destination, Keyboard, Part, Press
from tests.bot.console.test_console import CHAT, Pipes
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

TEA = Keyboard(buttons=(Button(label="Tea", data="v1:a"), Button(label="green\ntea", data="v1:b")))


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    pipes = Pipes()
    yield pipes
    pipes.close()


@pytest.fixture
def intake() -> MemoryIntake:
    return MemoryIntake()


@pytest.fixture
def adapter(pipes: Pipes, tmp_path: Path) -> ConsoleAdapter:
    return ConsoleAdapter(RealClock(), pipes.stdin, pipes.stdout, tmp_path)


@asynccontextmanager
async def reading(adapter: ConsoleAdapter, intake: MemoryIntake, pipes: Pipes) -> AsyncIterator[None]:
    task = asyncio.create_task(adapter.run(intake))
    try:
        yield
    finally:
        pipes.end()
        await asyncio.wait_for(task, DEADLINE)


async def show(adapter: ConsoleAdapter, text: str, keyboard: Keyboard | None = None, replaces: str = "") -> str:
    [part] = adapter.render(text, (), keyboard)
    return await adapter.send(Destination(tenant="local", chat="console", replaces=replaces), part)


async def typed(pipes: Pipes, intake: MemoryIntake, line: str) -> None:
    count = len(intake.rows)
    pipes.type(line.encode() + b"\n")
    await intake.wait(lambda: len(intake.rows) > count)


def presses(intake: MemoryIntake) -> list[tuple[str, str]]:
    return [(row.data, row.message_id) for row in intake.rows.values() if isinstance(row, Press)]


async def test_buttons_are_numbered_after_the_choices(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    [part] = adapter.render("Which?", ["none"], TEA)
    await adapter.send(CHAT, part)
    assert pipes.shown() == "teller> Which?\n          1) none\n          2) Tea\n          3) green tea\n"


async def test_the_number_of_a_button_presses_it(pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake) -> None:
    message_id = await show(adapter, "Which?", TEA)
    async with reading(adapter, intake, pipes):
        for line in ("2", "3", "Tea"):
            await typed(pipes, intake, line)
    assert presses(intake) == [("v1:b", message_id)]
    assert intake.messages() == ["3", "Tea"]
    [press, *_] = intake.rows.values()
    assert isinstance(press, Press)
    assert (press.chat, press.sender.address, press.chat_kind) == ("console", "console:local", "private")


async def test_what_a_press_comes_to_is_shown(pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake) -> None:
    intake.told = lambda update: "Already answered \x1b[2J" if isinstance(update, Press) else ""
    await show(adapter, "Which?", TEA)
    pipes.shown()
    async with reading(adapter, intake, pipes):
        await typed(pipes, intake, "1")
        await typed(pipes, intake, "hello")
    assert pipes.shown() == "! Already answered \n"


async def test_only_the_numbers_shown_last_count(pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake) -> None:
    await show(adapter, "Which?", TEA)
    await show(adapter, "How many?")
    async with reading(adapter, intake, pipes):
        await typed(pipes, intake, "2")
    assert (presses(intake), intake.messages()) == ([], ["2"])


async def test_an_edit_shows_its_last_line_and_ends_the_buttons_of_its_message_only(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    other = await show(adapter, "Working…")
    question = await show(adapter, "Which?", TEA)
    pipes.shown()
    assert await show(adapter, "Working…\n\nDone.", replaces=other) == other
    assert pipes.shown() == "teller> ↑ Done.\n"
    async with reading(adapter, intake, pipes):
        await typed(pipes, intake, "1")
        await show(adapter, "Which?\n\n✅ Tea — you", replaces=question)
        await typed(pipes, intake, "1")
    assert (presses(intake), intake.messages()) == ([("v1:a", question)], ["1"])
    assert pipes.shown() == "teller> ↑ ✅ Tea — you\n"


async def test_an_edit_with_buttons_is_shown_whole(pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake) -> None:
    question = await show(adapter, "Which?", TEA)
    pipes.shown()
    more = Keyboard(buttons=(Button(label="Water", data="v1:c"),))
    await show(adapter, "And now?\nWhich?", more, replaces=question)
    assert pipes.shown() == "teller> And now?\n        Which?\n          1) Water\n"
    async with reading(adapter, intake, pipes):
        await typed(pipes, intake, "1")
    assert presses(intake) == [("v1:c", question)]


async def test_of_an_edit_without_buttons_everything_new_is_shown(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    message_id = await show(adapter, "To do", TEA)
    pipes.shown()
    for text in ("To do\n☑ Tea", "To do\n☑ Tea\n☑ Green tea", "To do\n☑ Tea\n☑ Green tea", "All done.\nWell done!"):
        await show(adapter, text, replaces=message_id)
    assert pipes.shown() == ("teller> ↑ ☑ Tea\nteller> ↑ ☑ Green tea\nteller> ↑ All done.\n        Well done!\n")
    await show(adapter, "All done.\n\nUndone.", replaces="another-session:1")
    await show(adapter, "To do", TEA, replaces=message_id)
    await show(adapter, "To do", replaces=message_id)
    assert pipes.shown() == "teller> ↑ Undone.\nteller> To do\n          1) Tea\n          2) green tea\n"


async def test_old_messages_are_forgotten(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    first = await show(adapter, "one\ntwo")
    await show(adapter, "one\ntwo\nthree\nfour", replaces=first)
    for _ in range(MOST_REMEMBERED):
        await show(adapter, "x")
    pipes.shown()
    await show(adapter, "one\ntwo\nthree\nfour\nfive", replaces=first)
    assert pipes.shown() == "teller> ↑ five\n"


async def test_a_reminder_comes_between_lines_that_are_piped(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    async with reading(adapter, intake, pipes):
        pipes.type(b"half a li")
        await show(adapter, "⏰ call Oma", Keyboard(buttons=(Button(label="Done", data="v1:d"),)))
        pipes.type(b"ne\n1\n")
        await intake.wait(lambda: len(intake.rows) == 2)
    assert intake.messages() == ["half a line"]
    assert [data for data, _ in presses(intake)] == ["v1:d"]
    assert pipes.shown() == "teller> ⏰ call Oma\n          1) Done\n"


async def test_a_press_that_cannot_be_stored_is_tried_again(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    intake.failures = [StorageFull("no space left")]
    await show(adapter, "Which?", TEA)
    async with reading(adapter, intake, pipes):
        await typed(pipes, intake, "1")
    assert len(presses(intake)) == 1


async def test_what_a_console_does_not_have_does_no_harm(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    await adapter.mark(CHAT, "1", working=True)
    await adapter.send(CHAT, adapter.leaving())
    [part] = adapter.render("Why?", keyboard=Keyboard(reply=True))
    await adapter.send(CHAT, part)
    assert pipes.shown() == "teller> Why?\n"
    assert (await adapter.draft(CHAT, 1, "x"), adapter.link("x")) == (False, "")
    assert await adapter.administers(CHAT, "console:local")
    assert [await adapter.belongs(CHAT, who) for who in ("console:local", "tg:1001")] == [True, False]
    assert adapter.mention("console:local", "Ann *x*") == r"@Ann \*x\*"
    with pytest.raises(FetchFailed) as caught:
        await adapter.fetch(Attachment(kind="photo", file="x"), 100)
    assert caught.value.for_good


async def test_parts_that_were_stored_without_buttons_can_be_sent(pipes: Pipes, adapter: ConsoleAdapter) -> None:
    await adapter.send(CHAT, Part(payload={"text": "from before", "choices": ["x"]}))
    assert pipes.shown() == "teller> from before\n"


async def test_what_disturbs_nobody_is_shown_once_and_as_it_ends(
    pipes: Pipes, adapter: ConsoleAdapter, intake: MemoryIntake
) -> None:
    stop = Keyboard(buttons=(Button(label="Stop", data="v1:s"),))

    async def at_work(text: str, keyboard: Keyboard | None, replaces: str = "") -> str:
        [part] = adapter.render(text, (), keyboard)
        to = Destination(tenant="local", chat="console", replaces=replaces)
        return await adapter.send(to, Part(payload={**part.payload, "silent": True}))

    shown = await at_work("working 5 s", stop)
    await show(adapter, "Which?", TEA)
    pipes.shown()
    assert await at_work("working 9 s", stop, shown) == shown
    # It printed nothing, and numbers are those of what was asked meanwhile.
    async with reading(adapter, intake, pipes):
        await typed(pipes, intake, "1")
        await at_work("done", None, shown)
    assert presses(intake)[0][0] == "v1:a"
    said = pipes.shown()
    assert "↑ done" in said
    assert "working 9 s" not in said
