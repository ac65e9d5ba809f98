"""Reminders: set, delivered, done, snoozed."""

from __future__ import annotations

from core.capabilities.reminders import actions, answers, commands
from core.capabilities.reminders.texts import en, zh
from core.capabilities.reminders.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="reminders",
    tools=tools_in(actions),
    commands={**commands.COMMANDS, **answers.COMMANDS},
    texts={"en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
)
