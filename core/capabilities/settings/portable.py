"""What somebody has chosen, as it is taken along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, field_validator

from core.kernel.ports import Tx
from core.kernel.timing.quiet_hours import ALWAYS, HOURS
from core.kernel.timing.zones import known_zone
from core.language import languages
from core.store.people import chats, people
from core.toolkit.portable import Entry, Exporting, Importing, Portable, Short


class SettingsEntry(Entry):
    """The language, the zone and the quiet hours of a person, or of a `group`; empty where none was chosen."""

    group: bool = False
    language: Short = ""
    timezone: Annotated[Short, AfterValidator(known_zone)] = ""
    quiet: Short = ""

    @field_validator("language")
    @classmethod
    def _a_language(cls, value: str) -> str:
        return value if value in languages() else ""

    @field_validator("quiet")
    @classmethod
    def _hours(cls, value: str) -> str:
        return value if value == ALWAYS or HOURS.fullmatch(value) else ""


def read(tx: Tx, exporting: Exporting) -> Sequence[SettingsEntry]:
    """Return what was chosen for a scope; nothing where nothing was."""
    if exporting.group:
        language, timezone, quiet = chats.chosen(tx, exporting.lane)
    else:
        language, timezone, quiet = people.chosen(tx, exporting.lane, exporting.person_id)
    found = SettingsEntry(group=exporting.group, language=language, timezone=timezone, quiet=quiet)
    return [found] if language or timezone or quiet else []


def put(tx: Tx, importing: Importing, entries: Sequence[SettingsEntry]) -> int:
    """Choose what the person has not chosen here; what was a group's is nobody's own."""
    new = 0
    for entry in entries:
        here = people.chosen(tx, importing.lane, importing.person_id)
        wanted = (entry.language, entry.timezone, entry.quiet)
        language, timezone, quiet = (there or told for there, told in zip(here, wanted, strict=True))
        if not entry.group and (language, timezone, quiet) != here:
            people.choose(tx, importing.lane, importing.person_id, language=language, timezone=timezone, quiet=quiet)
            new += 1
    return new


PORTABLE = Portable(name="settings", entry=SettingsEntry, read=read, put=put, rank=0)
