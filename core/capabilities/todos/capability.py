"""To-do lists of a person or a group."""

from __future__ import annotations

from core.capabilities.todos import actions, assistant, changes, commands, due, keeps, series, several, tools
from core.capabilities.todos.texts import de, en, zh
from core.capabilities.todos.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Schedules, tools_in

CAPABILITY = Capability(
    name="todos",
    tools=tools_in(tools, assistant),
    undoes=(actions.todo_change, actions.todo_change_many),
    states=tools.states,
    schedules=Schedules(deliver={"item": series.put}, moved=due.moved, done=due.done),
    commands=commands.COMMANDS,
    intents=(*commands.INTENTS, *changes.INTENTS, *several.INTENTS),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    phrases="core.capabilities.todos.phrases",
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
)
