"""The conversation itself: help, status, another try."""

from __future__ import annotations

from core.capabilities.chat import (
    assistant,
    commands,
    either,
    governance,
    health,
    private_answers,
    service,
    system,
    tools,
)
from core.capabilities.chat.texts import de, en, zh
from core.capabilities.chat.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="chat",
    tools=tools_in(assistant, governance, system, tools),
    undoes=(service.new_context,),
    states=health.states,
    commands={**commands.COMMANDS, **private_answers.COMMANDS},
    intents=(*commands.INTENTS, *private_answers.INTENTS, either.ask_which),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    phrases="core.capabilities.chat.phrases",
    understands=UNDERSTANDS,
)
