"""To-do lists of a person or a group."""

from __future__ import annotations

from core.capabilities.todos import commands, tools
from core.capabilities.todos.texts import en, zh
from core.capabilities.todos.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="todos",
    tools=tools_in(tools),
    commands=commands.COMMANDS,
    texts={"en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
)
