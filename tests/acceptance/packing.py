"""What tests of exports do again and again: ask for one, open it, and have something in it."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from tests.acceptance.stories.platform import Person, Shown
from tests.acceptance.stories.stage import Stage


async def answered(on: Stage, person: Person, words: str, part: str) -> Shown:
    """Say something in private, and wait until the bot has said what has a part in it."""
    chat = on.platform.private(person)
    before = len(on.platform.shown(chat))
    on.platform.say(person, words)
    await on.until(lambda: any(part in one.text for one in list(on.platform.shown(chat))[before:]))
    return next(one for one in list(on.platform.shown(chat))[before:] if part in one.text)


async def exported(on: Stage, person: Person) -> tuple[str, bytes]:
    """Ask for an export; return the file."""
    await answered(on, person, "/export", "📦 All of this chat that can be taken along")
    [*_, found] = on.platform.files(on.platform.private(person))
    return found


def unpacked(content: bytes) -> dict[str, str]:
    """The files of a zip."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def parts(content: bytes) -> dict[str, Any]:
    """What an export has, without what was said."""
    found: dict[str, Any] = json.loads(unpacked(content)["teller.json"])["parts"]
    del found["history"]
    return found


async def filled(on: Stage, person: Person) -> None:
    """Let somebody have some of everything."""
    for words, part in (
        ("/todo buy milk", "buy milk"),
        ("/todo shopping: bread", "bread"),
        ("/remind every weekday at 9:30 stand-up", "stand-up"),
        ("/remember I am allergic to nuts", "nuts"),
    ):
        await answered(on, person, words, part)
