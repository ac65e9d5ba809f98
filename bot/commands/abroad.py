"""Times in a chat whose person speaks another language than ours: what of them is believed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

from bot.commands import spoken
from bot.commands.run import CommandRun
from bot.commands.spoken import SIGN, Asked
from core.language import languages
from core.types import Millis
from core.when import foreign
from core.when.expressions import At, Expression
from core.when.schedule import Once

# A time of day as all of our languages read it.
_CLOCK = "17:00"


async def settle(run: CommandRun, asked: Asked, said_at: Millis) -> Asked:
    """The same with a time that can be relied on, or without one.

    A clock alone may be half of a time: the other half stands in a language that we don't know. There dateparser is
    asked, and where it finds nothing that is certain, our reading only counts in a language of ours.
    """
    if asked.now or not asked.words or SIGN in asked.words or spoken.when_of(asked.words, run.language):
        return asked
    if not _half(asked.when):
        return asked
    found = await _elsewhere(run, asked, said_at)
    if found is not None:
        return found
    if asked.when is None or sure(run, asked.when):
        return asked
    text = "\n\n".join(filter(None, (asked.words, asked.quoted)))
    return replace(asked, when=None, text=text, who=(), everybody=False, until_done=False)


def sure(run: CommandRun, when: Expression | Once | None) -> bool:
    """Whether a time that our languages read is one, whatever the person speaks.

    What began with one of our verbs, and became a command by that, is in our language.
    """
    said = run.context.said
    free = said is not None and not said.text.startswith("/")
    return free or not _half(when) or _ours(run.context.principal.language)


def _half(when: Expression | Once | None) -> bool:
    return when is None or (isinstance(when, At) and when.day is None)


def _ours(tag: str) -> bool:
    return not tag or re.split(r"[-_]", tag.lower())[0] in languages()


async def _elsewhere(run: CommandRun, asked: Asked, said_at: Millis) -> Asked | None:
    """The same with a time in the person's language; None when there is none that is certain.

    In a thread: to load all that takes longer than anybody else should wait.
    """
    tag, zone = run.context.principal.language, run.context.zone
    if _ours(tag):
        return None
    found = await asyncio.to_thread(foreign.find, asked.words, tag, said_at, zone)
    if found is None or not (found.rest or found.wall):
        return None
    # Whoever speaks German may write English: what is left must be whole for us as well.
    if found.rest and spoken.request_of(f"{found.rest} {_CLOCK}", run.language) is None:
        return None
    text = "\n\n".join(filter(None, (found.rest, asked.quoted)))
    return replace(asked, text=text, when=Once(at=found.at, wall=found.wall), words=asked.words if text else found.wall)
