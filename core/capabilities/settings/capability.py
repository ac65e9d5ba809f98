"""Settings of a chat or a person."""

from __future__ import annotations

from core.capabilities.settings import commands, quiet_hours, service
from core.capabilities.settings.portable import PORTABLE
from core.capabilities.settings.understands import UNDERSTANDS
from core.toolkit.capability import Capability
from core.toolkit.keeping import Keeps

CAPABILITY = Capability(
    name="settings",
    undoes=(
        service.choose_language,
        service.choose_timezone,
        service.choose_quiet,
        service.read_along,
    ),
    commands={**commands.COMMANDS, **quiet_hours.COMMANDS},
    intents=(*commands.INTENTS, *quiet_hours.INTENTS),
    phrases="core.capabilities.settings.phrases",
    understands=UNDERSTANDS,
    keeps=Keeps(portable=(PORTABLE,)),
)
