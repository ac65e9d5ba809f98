"""What was said, beyond what a model sees."""

from __future__ import annotations

from core.capabilities.history import commands, schedule, tools
from core.capabilities.history.portable import PORTABLE
from core.capabilities.history.texts import de, en, zh
from core.capabilities.history.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Schedules, tools_in
from core.toolkit.keeping import Keeps

CAPABILITY = Capability(
    name="history",
    tools=tools_in(tools),
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    phrases="core.capabilities.history.phrases",
    understands=UNDERSTANDS,
    schedules=Schedules(deliver={"summary": schedule.deliver}),
    keeps=Keeps(portable=(PORTABLE,)),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
)
