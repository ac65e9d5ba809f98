"""What is scheduled: listed, moved, paused, cancelled."""

from __future__ import annotations

from core.capabilities.schedules import actions, commands, state, tools
from core.capabilities.schedules.texts import en, zh
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="schedules",
    tools=tools_in(actions, tools),
    states=state.states,
    commands=commands.COMMANDS,
    texts={"en": en.TEXTS, "zh": zh.TEXTS},
)
