"""Everything that is scheduled, whatever set it: people list, move, pause and cancel it here."""

from __future__ import annotations

from core.capabilities.schedules import actions, assistant, commands, moving, several, state, tools, work
from core.capabilities.schedules.keeps import KEEPS
from core.capabilities.schedules.texts import de, en, zh
from core.capabilities.schedules.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="schedules",
    tools=tools_in(tools, assistant),
    undoes=(
        actions.cancel_schedule,
        actions.pause_schedule,
        actions.put_back_schedule,
        actions.resume_schedule,
        actions.revive_schedule,
        actions.revive_several,
    ),
    states=state.states,
    commands={**commands.COMMANDS, **moving.COMMANDS},
    intents=(*commands.INTENTS, *moving.INTENTS, *several.INTENTS, *work.INTENTS),
    phrases="core.capabilities.schedules.phrases",
    understands=UNDERSTANDS,
    keeps=KEEPS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
)
