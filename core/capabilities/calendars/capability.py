"""Calendars."""

from __future__ import annotations

import asyncio

from core.capabilities.calendars import commands, feed, feed_commands, service, syncing, telling
from core.capabilities.calendars.keeps import KEEPS
from core.capabilities.calendars.texts import de, en, zh
from core.capabilities.calendars.understands import UNDERSTANDS
from core.toolkit.capability import Capability
from core.toolkit.services import Services


async def _run(services: Services) -> None:
    """Read calendars, and tell what begins soon, as long as the program runs."""
    async with asyncio.TaskGroup() as both:
        both.create_task(syncing.run(services))
        both.create_task(telling.run(services))


CAPABILITY = Capability(
    name="calendars",
    commands=commands.COMMANDS,
    undoes=(service.calendar_bring_back,),
    intents=(*commands.INTENTS, *feed_commands.INTENTS),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    phrases="core.capabilities.calendars.phrases",
    understands=UNDERSTANDS,
    services=lambda services: [feed.Feeds(services)],
    pages={feed.PATH: feed.show},
    background=_run,
    keeps=KEEPS,
)
