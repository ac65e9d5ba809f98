"""Calendars."""

from __future__ import annotations

from core.capabilities.calendars import commands, feed, feed_commands, syncing
from core.capabilities.calendars.keeps import KEEPS
from core.capabilities.calendars.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="calendars",
    commands=commands.COMMANDS,
    intents=(*commands.INTENTS, *feed_commands.INTENTS),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    services=lambda services: [feed.Feeds(services)],
    pages={feed.PATH: feed.show},
    background=syncing.run,
    keeps=KEEPS,
)
