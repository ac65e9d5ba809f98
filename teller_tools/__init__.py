"""What a tool of your own imports: `from teller_tools import tool`.

A tool is a function with a docstring and annotated parameters, in a file of the folder `tools` of the data directory,
or in a package that names it under the entry points `teller.tools`. This module imports nothing of Teller, so that a
tool can be tested without it; its names stay as they are (docs/your-first-tool.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

__all__ = ["Settings", "ToolError", "tool"]

Function = TypeVar("Function", bound=Callable[..., Any])
# The name under which a function carries its settings.
MARK = "__teller_tool__"


class ToolError(Exception):
    """Raise it where a call cannot be done: its text tells the model what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What `tool` was told. `timeout` is in seconds, 120 at most."""

    reads: bool = False
    trusted: bool = False
    timeout: float = 30.0


@overload
def tool(function: Function) -> Function: ...


@overload
def tool(*, reads: bool = ..., trusted: bool = ..., timeout: float = ...) -> Callable[[Function], Function]: ...


def tool(
    function: Function | None = None, *, reads: bool = False, trusted: bool = False, timeout: float = 30.0
) -> Function | Callable[[Function], Function]:
    """Make a function a tool; it can be called as before.

    `reads` when it only looks: else it may change something in the world, and is never repeated by itself. `trusted`
    when what it returns holds nobody else's words: else the model is careful with what it does after it.
    """

    def mark(marked: Function) -> Function:
        setattr(marked, MARK, Settings(reads=reads, trusted=trusted, timeout=timeout))
        return marked

    return mark if function is None else mark(function)
