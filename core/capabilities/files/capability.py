"""Files of a person or a group."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.files import changing, commands, keeps, portable, sweeping, tools
from core.capabilities.files.disk import Disk
from core.capabilities.files.folders import Folders
from core.capabilities.files.models import Limits
from core.capabilities.files.service import ScopeFiles
from core.capabilities.files.texts import de, en, zh
from core.capabilities.files.understands import UNDERSTANDS
from core.store.files import Files
from core.toolkit.capability import Capability, Schedules, tools_in
from core.toolkit.services import Services, TaskFiles


def services(services: Services) -> Sequence[object]:
    """Return what looks after the files of scopes."""
    disk, limits = Disk(services.get(Folders)), services.get(Limits)
    files = ScopeFiles(services.db, services.clock, disk, services.get(Files), limits)
    return files, TaskFiles(of_task=files.results), portable.keeps_of(disk, limits)


CAPABILITY = Capability(
    name="files",
    tools=tools_in(tools),
    undoes=(changing.file_restore, changing.file_bring_back),
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    phrases="core.capabilities.files.phrases",
    understands=UNDERSTANDS,
    services=services,
    schedules=Schedules(handlers={changing.POKE: sweeping.settle}),
    keeps=keeps.KEEPS,
    background=sweeping.run,
)
