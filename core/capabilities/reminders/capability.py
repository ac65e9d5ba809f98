"""Reminders: set, delivered, done, snoozed."""

from __future__ import annotations

from core.capabilities.reminders import actions, answers, assistant, commands, keeps, posting, service, wishes
from core.capabilities.reminders.texts import de, en, zh
from core.capabilities.reminders.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Schedules, tools_in

CAPABILITY = Capability(
    name="reminders",
    tools=tools_in(assistant),
    undoes=(actions.change_reminder, actions.place_reminder, actions.put_back_reminder),
    commands={**commands.COMMANDS, **answers.COMMANDS},
    intents=(*commands.INTENTS, *answers.INTENTS, *wishes.INTENTS),
    services=posting.services,
    schedules=Schedules(
        deliver={"message": posting.deliver}, write=posting.write, refused=posting.refused, moved=service.moved
    ),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    phrases="core.capabilities.reminders.phrases",
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
)
