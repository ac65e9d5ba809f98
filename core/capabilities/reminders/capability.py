"""Reminders: set, delivered, done, snoozed."""

from __future__ import annotations

from core.capabilities.reminders import actions, answers, commands, hooks, keeps
from core.capabilities.reminders.texts import en, zh
from core.capabilities.reminders.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Schedules

CAPABILITY = Capability(
    name="reminders",
    undoes=(actions.change_reminder, actions.place_reminder),
    commands={**commands.COMMANDS, **answers.COMMANDS},
    intents=(*commands.INTENTS, *answers.INTENTS),
    services=hooks.services,
    schedules=Schedules(deliver={"message": hooks.deliver}, write=hooks.write, refused=hooks.refused),
    texts={"en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
)
