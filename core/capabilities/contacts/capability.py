"""Whom somebody knows."""

from __future__ import annotations

from core.capabilities.contacts import address_book, assistant, commands, keeps, tools
from core.capabilities.contacts.texts import de, en, zh
from core.capabilities.contacts.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="contacts",
    tools=tools_in(tools, assistant),
    states=address_book.states,
    commands=commands.COMMANDS,
    intents=(*commands.INTENTS, *assistant.INTENTS),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    phrases="core.capabilities.contacts.phrases",
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
)
