"""What is kept: how long, and where files lie."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Keep:
    """Days that things are kept. Rows of inbox, outbox and files stay as long again after their bodies are gone."""

    inbox: int = 7
    outbox: int = 30
    journal: int = 30
    files: int = 90
    readalong: int = 90
    questions: int = 30
    buttons: int = 30
    undo: int = 30
    todos: int = 400
    strangers: int = 90
    token_use: int = 400
    uninstalled: int = 30


@dataclass(frozen=True, kw_only=True)
class Drawer:
    """Where files lie. `unlink` deletes files by their rows' paths; `sweep` deletes those that no row names any more.
    Both return how many there were.
    """

    unlink: Callable[[Sequence[str]], Awaitable[int]]
    sweep: Callable[[], Awaitable[int]]
