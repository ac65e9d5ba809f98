"""Messages that the bot relays from one person to another."""

from __future__ import annotations

from core.capabilities.messages import assistant, commands, keeps, mutes, tools
from core.capabilities.messages.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="messages",
    tools=tools_in(tools, assistant),
    undoes=(mutes.mute_person, mutes.unmute_person),
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    phrases="core.capabilities.messages.phrases",
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
)
