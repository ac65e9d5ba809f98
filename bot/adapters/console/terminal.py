"""A terminal: a prompt with history at the bottom, answers above it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context, copy_context
from pathlib import Path
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session, run_in_terminal
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import create_output

from bot.adapters.console.screen import encodable
from core.store.private_files import MODE, private

PROMPT = "you> "
PLACEHOLDER = FormattedText([("fg:ansibrightblack", "Ctrl-D or /quit ends")])
TYPING = "Teller is typing…"
# As long as on Telegram; who is still at work says it again.
TYPING_SECONDS = 6.0


class TerminalScreen:
    """A person at a terminal. Ctrl-D ends, so does Ctrl-C on an empty line."""

    patient = True

    def __init__(self, stdin: TextIO, stdout: TextIO, history: Path) -> None:
        self._stdin, self._stdout = stdin, stdout
        self._history = history
        self._context: Context = copy_context()
        self._session: PromptSession[str] | None = None
        self._still: asyncio.TimerHandle | None = None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keep a prompt at the bottom of the terminal; whatever is printed meanwhile goes above it."""
        with open(self._history, "ab", opener=private) as file:
            os.fchmod(file.fileno(), MODE)
        with create_app_session(create_input(self._stdin), create_output(self._stdout)):
            self._session = PromptSession(
                history=FileHistory(str(self._history)),
                placeholder=PLACEHOLDER,
                # Not the toolbar at the bottom: terminals that do not tell their cursor's position never show it.
                rprompt=lambda: TYPING if self._still is not None else "",
                key_bindings=_keys(),
            )
            # Whoever prints comes from another task, which knows nothing of this session.
            self._context = copy_context()
            try:
                yield
            finally:
                self._session = None

    async def read(self, suggestion: str = "") -> str | None:
        """Ask for a line, `suggestion` already typed."""
        assert self._session is not None, "read within opened()"
        try:
            return await self._session.prompt_async(PROMPT, default=suggestion, handle_sigint=False)
        except (EOFError, KeyboardInterrupt):
            return None

    def forget(self) -> None:
        """Empty the file of the history, and what the prompt has read of it."""
        os.truncate(self._history, 0)
        if self._session is not None:
            self._session.history = self._session.default_buffer.history = FileHistory(str(self._history))
            self._session.default_buffer.reset(document=self._session.default_buffer.document)

    def show(self, text: str, speaker: str = "teller> ") -> None:
        """Print the text above the prompt, in the order of the calls; `ValueError` when the terminal is closed."""
        self._quiet()
        if self._stdout.closed:
            raise ValueError("the terminal is closed")
        line = f"{speaker}{encodable(text, self._stdout)}"
        self._context.run(run_in_terminal, lambda: print(line, file=self._stdout, flush=True))

    def typing(self) -> None:
        """Show the typing line for some seconds."""
        if self._still is not None:
            self._still.cancel()
        self._still = asyncio.get_running_loop().call_later(TYPING_SECONDS, self._quiet)
        self._redraw()

    def _quiet(self) -> None:
        if self._still is not None:
            self._still.cancel()
            self._still = None
            self._redraw()

    def _redraw(self) -> None:
        if self._session is not None:
            self._session.app.invalidate()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:
        """Clear the line, as shells do; end on an empty one."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=EOFError)

    return keys
