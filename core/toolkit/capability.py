"""What a capability is: one value with all that it hands to the spine (docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType

from core.toolkit.command import Command
from core.toolkit.tool import Tool


@dataclass(frozen=True, kw_only=True)
class Capability:
    """Something the bot can do. The spine knows it by this value alone.

    `commands` are slash commands by name. `texts` are what people read, by the language's code and the text's key; no
    two capabilities share a key.
    """

    name: str
    tools: Sequence[Tool] = ()
    commands: Mapping[str, Command] = field(default_factory=dict)
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def tools_in(*modules: ModuleType) -> tuple[Tool, ...]:
    """Return the tools that are defined in modules, in their order."""
    return tuple(
        member
        for module in modules
        for member in vars(module).values()
        if isinstance(member, Tool) and member.handler.__module__ == module.__name__
    )
