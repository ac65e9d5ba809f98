"""Who answers the questions of set-up: a person, line by line, or nobody."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click

from bot.adapters.console.screen import encodable, safe
from bot.cli.typed import typed
from core.kernel.errors import ConfigError


class Talk(Protocol):
    """The other side of set-up."""

    def say(self, text: str) -> None:
        """Tell one thing."""

    def ask(self, question: str, default: str | None = None, *, hidden: bool = False) -> str:
        """Ask for a line; `default` is what an empty one means. `hidden` lines are not shown while they are typed."""

    def confirm(self, question: str, *, default: bool, alone: bool | None = None) -> bool:
        """Ask for yes or no; `alone` is the answer when nobody is there, `default` without one."""


class Person:
    """Somebody who types lines, on a terminal or through a pipe. The end of the input ends set-up (`click.Abort`)."""

    def say(self, text: str) -> None:
        click.echo(encodable(safe(typed(text)), sys.stdout))

    def ask(self, question: str, default: str | None = None, *, hidden: bool = False) -> str:
        # Only a terminal can hide what is typed; asking for it elsewhere would open one, or warn.
        hide = hidden and sys.stdin.isatty()
        shown = bool(default) and not hidden
        with _interruptible():
            answer = click.prompt(safe(question), default=default, hide_input=hide, show_default=shown, type=str)
        return str(answer).strip()

    def confirm(self, question: str, *, default: bool, alone: bool | None = None) -> bool:
        with _interruptible():
            return click.confirm(safe(question), default=default)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a question at once: the event loop's handler only cancels a task, which waits for the answer."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Nobody(Person):
    """Nobody: each question is answered by its default."""

    def ask(self, question: str, default: str | None = None, *, hidden: bool = False) -> str:
        if default is None:
            raise ConfigError(
                f"{question}: this has no default. Give it as an option or a variable, or leave out --yes."
            )
        return default

    def confirm(self, question: str, *, default: bool, alone: bool | None = None) -> bool:
        return default if alone is None else alone
