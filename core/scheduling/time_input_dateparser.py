"""Times in a chat whose person speaks another language than ours: what of them is believed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

from core.kernel.timing.expressions import At, Expression
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import Once
from core.kernel.types import Millis
from core.language import dateparser_fallback, languages
from core.language.dateparser_fallback import Found
from core.scheduling import time_input
from core.scheduling.time_input import SIGN, Asked
from core.toolkit.command import CommandRun

# A time of day as all of our languages read it.
_CLOCK = "17:00"


async def settle(run: CommandRun, asked: Asked) -> Asked:
    """The same with a time that can be relied on, or without one.

    A clock alone may be half of a time: the other half stands in a language that we don't know. There dateparser is
    asked, and where it finds nothing that is certain, our reading only counts in a language of ours.
    """
    if asked.now or not asked.words or SIGN in asked.words or ours(run) or not _half(asked.when):
        return asked
    if time_input.when_of(asked.words, run.language):
        return asked
    found = await elsewhere(run, asked.words)
    if found is not None and agree(run, asked.when, found):
        return asked
    if found is not None and whole(run, found):
        text = "\n\n".join(filter(None, (found.rest, asked.quoted)))
        words = asked.words if text else found.wall
        return replace(asked, text=text, when=Once(at=found.at, wall=found.wall), words=words, names=())
    if asked.when is None or sure(run, asked.when):
        return asked
    text = "\n\n".join(filter(None, (asked.words, asked.quoted)))
    return replace(asked, when=None, text=text, who=(), everybody=False, until_done=False, names=())


def ours(run: CommandRun) -> bool:
    """Whether the person speaks a language of ours, so that nothing is left for another to read."""
    return _ours(run.context.principal.language)


def sure(run: CommandRun, when: Expression | Once | None) -> bool:
    """Whether a time that our languages read is one, whatever the person speaks.

    What began with one of our verbs, and became a command by that, is in our language; not what a button sets or adds.
    """
    said = run.context.said
    free = said is not None and said.pressed is None and not (run.rest or said.text.startswith("/"))
    return free or not _half(when) or ours(run)


def _half(when: Expression | Once | None) -> bool:
    return when is None or (isinstance(when, At) and when.day is None)


def _ours(tag: str) -> bool:
    return not tag or re.split(r"[-_]", tag.lower())[0] in languages()


async def elsewhere(run: CommandRun, words: str) -> Found | None:
    """The time of a line in the person's language; None when there is none that is certain.

    In a thread: to load all that takes longer than anybody else should wait.
    """
    tag, zone = run.context.principal.language, run.context.zone
    if _ours(tag):
        return None
    found = await asyncio.to_thread(dateparser_fallback.find, words, tag, _said_at(run), zone)
    return found if found is not None and (found.rest or found.wall) else None


def whole(run: CommandRun, found: Found) -> bool:
    """Whether nothing of time is left over: whoever speaks German may write English."""
    request = time_input.request_of(f"{found.rest} {_CLOCK}", run.language)
    return not found.rest or (request is not None and (request.text == found.rest or bool(request.who)))


def agree(run: CommandRun, when: Expression | Once | None, found: Found | None) -> bool:
    """Whether our reading of a time comes to the same as that in the person's language."""
    if when is None or found is None:
        return False
    try:
        ours = time_input.reading(when, _said_at(run), run.context.zone).schedule
    except Impossible:
        return False
    return isinstance(ours, Once) and ours.at == found.at


def _said_at(run: CommandRun) -> Millis:
    said = run.context.said
    return run.context.clock.now() if said is None else said.sent_at
