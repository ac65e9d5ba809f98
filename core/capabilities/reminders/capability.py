"""Reminders: set, delivered, done, snoozed."""

from __future__ import annotations

from core.capabilities.reminders import actions, answers, commands, hooks, keeps
from core.capabilities.reminders.texts import en, zh
from core.capabilities.reminders.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Schedules, tools_in

CAPABILITY = Capability(
    name="reminders",
    tools=tools_in(actions),
    commands={**commands.COMMANDS, **answers.COMMANDS},
    services=hooks.services,
    schedules=Schedules(deliver={"message": hooks.deliver}, write=hooks.write, refused=hooks.refused),
    texts={"en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
)
